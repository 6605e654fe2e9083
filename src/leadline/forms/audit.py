"""What is told of submissions: events for the log, and the request in full for a dry run."""

from leadline.core.crawl import Event
from leadline.forms.submit import Refusal, Submission

_MAX_VALUE_CHARS = 80


def event_of(decision: Submission | Refusal, at: float) -> Event:
    """The log's entry for a form that is about to be sent, or was refused."""
    filled = ", ".join(f"{name}={value[:_MAX_VALUE_CHARS]!r}" for name, value in decision.filled)
    if isinstance(decision, Refusal):
        detail = f"{decision.method} {decision.url}; filled {filled or 'nothing'}; {decision.why}"
        return Event(at, "refusal", decision.signature, detail)
    request = decision.request
    pressed = f"; pressed {decision.button[:_MAX_VALUE_CHARS]!r}" if decision.button else ""
    detail = f"{request.method} {request.url}; filled {filled}{pressed}; {decision.why}"
    return Event(at, "submission", decision.signature, detail)


def shown(decision: Submission | Refusal) -> str:
    """Exactly what would be sent: request line, the headers of the form's own, and the body.

    Bytes that are no ASCII are written as escapes, so that nothing is hidden.
    """
    if isinstance(decision, Refusal):
        return f"not sent: {decision.why}"
    request = decision.request
    lines = [f"{request.method} {request.url}"]
    if request.referrer:
        lines.append(f"Referer: {request.referrer}")
    if request.content_type:
        lines.append(f"Content-Type: {request.content_type}")
    if request.method != "GET":
        lines += ["", request.body.decode("ascii", "backslashreplace")]
    return "\n".join(lines)
