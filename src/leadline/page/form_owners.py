"""Which form a control belongs to when its form was closed elsewhere than it was opened.

`<div><form></div><input></form>`: the tree ends the form with the div, but by the standard all
controls up to `</form>` belong to it. The tree no longer tells; the source does.
"""

import re
from collections.abc import Sequence

_token = re.compile(
    rb"<(?:(!--)|(script|style|title|xmp|iframe|noembed|noframes)(?=[\s/>])"
    rb"|(/?)(form|template|input|select|x-select|textarea|button)(?=[\s/>]))",
    re.IGNORECASE,
).search


def find_owners(body: bytes, tags: Sequence[str], forms: int) -> list[int | None] | None:
    """For each control, in document order, the number of the form that was open when it came.

    `tags` are those of the controls in the tree and `forms` the number of its forms: if the source
    has others, because the tree was repaired in other ways too, nothing is known (None).
    """
    found: list[int | None] = []
    seen: list[str] = []
    opened, current, templates, place = 0, None, 0, 0
    while (token := _token(body, place)) is not None:
        place = token.end()
        if token[1] or token[2]:
            place = _skip(body, token)
            continue
        is_end, name = bool(token[3]), token[4].lower().decode()
        if name == "template":
            templates = max(0, templates + (-1 if is_end else 1))
        elif templates:
            continue
        elif name == "form":
            # A form inside another one is no form: its tag is passed over.
            if is_end:
                current = None
            elif current is None:
                current, opened = opened, opened + 1
        elif not is_end:
            found.append(current)
            seen.append("select" if name == "x-select" else name)
            if name == "textarea":
                place = _find_end(body, b"textarea", place)
    return found if seen == list(tags) and opened == forms else None


def _skip(body: bytes, token: re.Match[bytes]) -> int:
    if token[1]:
        end = body.find(b"-->", token.end())
        return end + 3 if end >= 0 else len(body)
    return _find_end(body, token[2], token.end())


def _find_end(body: bytes, name: bytes, place: int) -> int:
    end = re.compile(rb"</" + name + rb"(?=[\s/>])", re.IGNORECASE).search(body, place)
    return end.end() if end else len(body)
