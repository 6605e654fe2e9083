"""What kind of answer a reply without results is, as far as words and statuses tell."""

from collections.abc import Iterable, Sequence

from leadline.core.harvest import BLOCKED, NOTHING, REFUSED
from leadline.core.page import Form
from leadline.forms.word_patterns import Matcher, fold
from leadline.harvester.answers import wording
from leadline.harvester.reply import Reply

Verdict = tuple[str, str]
"""Kind and why."""
_MOST_TEXTS = 400
_MOST_CHARS = 20_000
_SHUT = frozenset({401, 402, 403, 407, 429, 451, 503})
FORBIDDEN = 403
GONE = frozenset({404, 410})
_ZERO = "0"
_CHALLENGES = ("captcha", "turnstile", "challenge-form", "challenge-platform", "cf-challenge")


def by_status(reply: Reply) -> Verdict | None:
    """For statuses that leave no doubt."""
    status = reply.response.status
    if status in _SHUT:
        if status == FORBIDDEN and says(wording.EXPIRED, reply.page.leaves):
            return REFUSED, "status 403, and something is said to have expired"
        return BLOCKED, f"status {status}"
    if status >= 400 and status not in GONE:
        return REFUSED, f"status {status}"
    return None


def bars_of(reply: Reply, texts: Sequence[str]) -> list[str]:
    """What on the page may keep visitors out; pages that let them in have some of it too.

    `texts` are those to listen to: records may speak of anything.
    """
    bars = []
    if says(wording.HUMAN, (*texts, reply.page.title)) or _has_challenge(reply):
        bars.append("a proof of being human is asked for")
    if says(wording.TOO_MANY, texts):
        bars.append("it says that there were too many requests")
    if any(field.kind == "password" for form in reply.page.forms for field in form.fields):
        bars.append("it asks for a password")
    return bars


def _has_challenge(reply: Reply) -> bool:
    marks = (
        attributes.get(name, "").lower()
        for tag, attributes in zip(reply.outline.tags, reply.outline.attributes, strict=True)
        if tag in ("iframe", "div", "img", "form", "input")
        for name in ("src", "class", "id", "name", "action")
    )
    return any(word in mark for mark in marks if mark for word in _CHALLENGES)


def has_form(reply: Reply, form: Form) -> bool:
    """Whether the page shows the form, or one with most of its controls."""
    names = _names(form)
    return any(
        len(names & _names(other)) >= 0.7 * len(names) for other in reply.page.forms if names
    )


def _names(form: Form) -> set[str]:
    return {field.name for field in form.fields if field.name and field.kind != "hidden"}


def by_words(texts: Iterable[str]) -> Verdict | None:
    """What new sentences on a page without results say."""
    texts = list(texts)[:_MOST_TEXTS]
    refusing = _found(wording.REFUSING, texts)
    denying = _found(wording.NOTHING, texts)
    if denying and not refusing:
        return NOTHING, f"it says {denying!r}"
    if refusing:
        return REFUSED, f"it says {refusing!r}"
    return None


def denies(texts: Iterable[str]) -> bool:
    """Whether some text says that there is nothing, in words or with a zero."""
    return any(f" {_ZERO} " in f" {text} " or says(wording.NOTHING, (text,)) for text in texts)


def says(matches: Matcher, texts: Iterable[str]) -> bool:
    return bool(_found(matches, texts))


def _found(matches: Matcher, texts: Iterable[str]) -> str:
    left = _MOST_CHARS
    for text in texts:
        if left <= 0:
            break
        left -= len(text)
        if text and matches(fold(text[:_MOST_CHARS])):
            return text[:80]
    return ""
