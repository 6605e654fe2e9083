"""Hidden values that grow old: when a form is fetched anew, and what is taken of it.

A refusal may mean that a token or a session ran out, or only that the query was a bad one. The
form's page tells: fetched once more it has other hidden values or sets a cookie, or not. As some
sites write new values into every page, that alone proves nothing; only a query that is answered
after it was refused does. So each renewal that did not help doubles the refusals that it takes
before the next one.
"""

import re

from msgspec import structs

from leadline.core.harvest import BLOCKED, REFUSED
from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.url import AS_IT_IS, canonical
from leadline.forms.form_data import output_codec, urlencode
from leadline.forms.signature import control_names, signature

UNANSWERED = frozenset({REFUSED, BLOCKED})
_MOST_PATIENCE = 16


class Renewal:
    """Counts answers and refusals of one source, and says when to fetch its form anew."""

    def __init__(self) -> None:
        self._patience = 1
        self._refusals = 0
        self._uses = 0
        self._lives: list[int] = []

    @property
    def is_due(self) -> bool:
        """Whether the hidden values are used up: two before them were, after as many queries."""
        lives = self._lives[-2:]
        return len(lives) == 2 and lives[0] == lives[1] <= self._uses

    def take(self, kind: str) -> bool:
        """Count an answer; whether the form should be fetched anew because of it."""
        if kind not in UNANSWERED:
            self._uses += 1
            self._refusals = 0
            return False
        self._refusals += 1
        return self._refusals >= self._patience

    def restart(self) -> None:
        """The form was fetched before its values ran out."""
        self._uses = 0

    def judge(self, *, has_helped: bool) -> None:
        """The form was fetched after a refusal, and the query asked once more."""
        self._refusals = 0
        self._patience = 1 if has_helped else min(2 * self._patience, _MOST_PATIENCE)
        if has_helped:
            self._lives = [*self._lives[-1:], self._uses]
            self._uses = 1


def same_form(page: Page, form: Form) -> Form | None:
    """The form of a page that is this one; None when there is none."""
    wanted, names = signature(form), control_names(form)
    alike = (f for f in page.forms if (f.method, control_names(f)) == (form.method, names))
    return next((f for f in page.forms if signature(f) == wanted), next(alike, None))


def hidden_of(form: Form) -> dict[str, str]:
    return {f.name: f.value for f in form.fields if f.kind == "hidden" and f.name}


def is_renewed(before: Form, after: Form) -> bool:
    """Whether a form carries other hidden values, or is sent elsewhere."""
    return hidden_of(before) != hidden_of(after) or before.action != after.action


def with_renewed(request: Request, before: Form, after: Form) -> Request:
    """A request with the hidden values that grew old replaced, where it carries them."""
    old, new = hidden_of(before), hidden_of(after)
    codec = output_codec(before.charset)
    url, body = str(request.url), request.body.decode("latin-1")
    for name in old.keys() & new.keys():
        if old[name] != new[name]:
            one, other = (urlencode([(name, values[name])], codec) for values in (old, new))
            url, body = _swapped(url, one, other), _swapped(body, one, other)
    target = canonical(url, rules=AS_IT_IS) or request.url
    return structs.replace(request, url=target, body=body.encode("latin-1"))


def _swapped(text: str, one: str, other: str) -> str:
    """`text` with the pair `one` replaced where it is a whole one, of a query or a body."""
    pair = re.compile(rf"(?:(?<=[?&;])|^){re.escape(one)}(?=[&;]|$)")
    return pair.sub(lambda _found: other, text)
