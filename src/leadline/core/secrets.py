"""Passwords and keys, and how they are kept out of whatever is shown, stored or logged.

They come in URLs (a proxy's, a database's, a backlink service's) and in settings of plug-ins. One
place decides what is one: everything that shows or keeps settings, messages or URLs asks here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

MASK = "***"

_NAME = (
    r"(?:[a-z0-9]+[_.-])*(?:password|passwd|pwd|passphrase|secret|token|credentials?|cookie|"
    r"authorization|auth|api[_-]?key|access[_-]?key(?:[_-]id)?|secret[_-]?key|sslpassword|key)"
)
_is_secret_name = re.compile(_NAME, re.IGNORECASE).fullmatch
# The last @ before the path ends a login, so that an @ in a password does not.
_login = re.compile(r"([a-z][a-z0-9+.-]*://)([^/\s?#\"'<>]*)@", re.IGNORECASE)
_parameter = re.compile(rf"([?&;]{_NAME}=)([^&;\s#\"'<>]+)", re.IGNORECASE)
_DATABASES = ("postgresql://", "postgres://")


def mask_text(text: str) -> str:
    """A text in which every URL has lost its login and its keys.

    >>> mask_text("refused by http://ann:pw@proxy.test:80/?api_key=5&q=a")
    'refused by http://***@proxy.test:80/?api_key=***&q=a'
    >>> mask_text("postgresql://ann@db/crawl and postgresql://ann:pw@db/crawl")
    'postgresql://ann@db/crawl and postgresql://ann:***@db/crawl'
    """
    if "://" not in text:
        return text
    return _parameter.sub(rf"\1{MASK}", _login.sub(_mask_login, text))


def mask_value(name: str, value: Any) -> Any:
    """A setting's value as it may be shown and kept; `name` may be dotted."""
    if value and isinstance(value, str) and _is_secret_name(name.rpartition(".")[2]):
        return MASK
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        return {key: mask_value(str(key), inner) for key, inner in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(mask_value("", inner) for inner in value)
    return value


def mask_given(value: object) -> str:
    """What a user wrote into a setting, for a message about what is wrong with it: a URL that
    cannot be read as one may have its password anywhere."""
    text = repr(value)
    return MASK if "://" in text and "@" in text else mask_text(text)


def find_secrets(settings: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The dotted names of settings that hold a secret."""
    for key, value in settings.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from find_secrets(value, f"{name}.")
        elif mask_value(name, value) != value:
            yield name


def is_masked(value: object) -> bool:
    """Whether a secret was taken out of a setting."""
    return value == MASK or (
        isinstance(value, str) and (f"{MASK}@" in value or f"={MASK}" in value)
    )


def strip_login(url: str) -> str:
    """A URL of a page without user and password, which are never sent.

    >>> strip_login("https://ann:pw@a.test/x")
    'https://a.test/x'
    """
    return _login.sub(r"\1", url, count=1)


def _mask_login(found: re.Match[str]) -> str:
    scheme, login = found.groups()
    if scheme.lower() not in _DATABASES:
        return f"{scheme}{MASK}@"
    # The user of a database is part of its name.
    user, colon, _ = login.partition(":")
    return f"{scheme}{user}{colon}{MASK if colon else ''}@"
