"""What a form must send back to be let in: hidden state, and a token that grows old."""

from collections.abc import Container, Mapping

from msgspec import Struct

from leadline_lab.databases.kinds import Source
from leadline_lab.draw import key_of
from leadline_lab.markup.model import Control


class Names(Struct, frozen=True):
    """What a source calls its own parameters."""

    page: str
    offset: str
    after: str
    size: str
    sort: str
    state: str
    """Hidden, to be echoed."""
    token: str
    parcel: str
    """Of the button that goes on: everything in one value."""


_CALLED = (
    ("page", "p", "pg", "pageNo", "seite"),
    ("start", "offset", "from_row", "skip"),
    ("after", "since_id", "last_id", "cursor"),
    ("per_page", "rows", "show", "limit"),
    ("sort", "order", "sortby"),
    ("ctx", "form_id", "_sess", "fkey"),
    ("token", "csrf", "_key", "nonce"),
    ("viewparcel", "resume", "bundle"),
)
"""In the order of the fields. The last three are none that forms call their other controls."""


def names_of(source: Source, bound: Container[str] = ()) -> Names:
    """Names in front of one form: none of its controls is called so."""
    drawn = key_of(source.key, "parameters")
    names = []
    for ways in _CALLED:
        drawn, way = divmod(drawn, len(ways))
        names.append(ways[way] + "_" if ways[way] in bound else ways[way])
    return Names(*names)


def hidden_controls(source: Source, now: float) -> tuple[Control, ...]:
    """What the source's form must contain at this moment."""
    return tuple(
        Control(name, "hidden", value=value) for name, value in hidden_values(source, now).items()
    )


def hidden_values(source: Source, now: float) -> dict[str, str]:
    names = names_of(source)
    values = {}
    if source.behaviour.needs_state:
        values[names.state] = _state(source)
    if source.behaviour.token_s:
        values[names.token] = _token(source, _issued(source, now))
    return values


def is_let_in(source: Source, parameters: Mapping[str, str], now: float) -> bool:
    names = names_of(source)
    behaviour = source.behaviour
    if behaviour.needs_state and parameters.get(names.state) != _state(source):
        return False
    return not behaviour.token_s or _is_fresh(source, parameters.get(names.token, ""), now)


def _is_fresh(source: Source, token: str, now: float) -> bool:
    moment = token.partition("-")[0]
    if not (moment.isascii() and moment.isdigit() and len(moment) < 16):
        return False
    issued = int(moment)
    return token == _token(source, issued) and 0 <= now - issued < source.behaviour.token_s


def _issued(source: Source, now: float) -> int:
    """Tokens change at some moments only, so that pages asked for at about the same time agree."""
    step = max(1, source.behaviour.token_s // 8)
    return max(0, int(now)) // step * step


def _state(source: Source) -> str:
    return f"{key_of(source.key, 'state'):016x}"


def _token(source: Source, issued: int) -> str:
    return f"{issued}-{key_of(source.key, 'token', issued):016x}"
