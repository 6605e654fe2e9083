"""Where a store is: a file, this process, or a PostgreSQL database."""

from pathlib import Path
from shlex import quote
from urllib.parse import unquote

IN_MEMORY = ":memory:"
_SCHEMES = ("postgresql://", "postgres://")
_HIDDEN = "***"
_SECRETS = ("password", "sslpassword")


def is_database(place: str | Path) -> bool:
    """Whether it is the URL of a PostgreSQL database."""
    return isinstance(place, str) and place.lower().startswith(_SCHEMES)


def is_url(place: str | Path) -> bool:
    """Whether it is the URL of a database or of a store of another distribution, and no file."""
    return isinstance(place, str) and "://" in place


def place_of(text: str) -> Path | str:
    """What a person wrote, as stores are opened by it: a file, or the URL of a database or of a
    store of another distribution."""
    return text if is_url(text) else Path(text)


def password_of(url: str) -> str:
    """The password written into a database's URL, or ''."""
    login = url.split("://", 1)[-1].partition("?")[0].partition("/")[0].rpartition("@")[0]
    return unquote(login.partition(":")[2])


def name_of(place: str | Path) -> str:
    """A short name: of the file, or of the database."""
    if not is_url(place):
        return Path(place).stem
    path = str(place).split("://", 1)[1].partition("?")[0].partition("/")[2]
    return path.rstrip("/") or "postgres"


def mask_password(place: str | Path) -> str:
    """The place for people and logs: a URL without its passwords."""
    return _with_password(str(place), _HIDDEN)


def without_password(place: str) -> str:
    """The URL as it may be kept: whoever opens it again gets the password from PGPASSWORD, a
    password file or a service file, as everything does that uses PostgreSQL."""
    return _with_password(place, "")


def quote_address(place: str | Path) -> str:
    """The place as it is written in a shell's command."""
    return quote(without_password(str(place)))


def _with_password(text: str, password: str) -> str:
    if not is_database(text):
        return text
    scheme, rest = text.split("://", 1)
    authority, mark, query = rest.partition("?")
    login, slash, path = authority.partition("/")
    user, at, host = login.rpartition("@")
    name, colon, _ = user.partition(":")
    secret = f":{password}" if colon and password else ""
    pairs = [_hide_password(pair, password) for pair in query.split("&")]
    query = "&".join(pair for pair in pairs if pair)
    return f"{scheme}://{name}{secret}{at}{host}{slash}{path}{mark if query else ''}{query}"


def _hide_password(pair: str, password: str) -> str:
    name = pair.partition("=")[0]
    if name.lower() not in _SECRETS:
        return pair
    return f"{name}={password}" if password else ""
