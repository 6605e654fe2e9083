"""Sends what the gate allows, once, and writes every decision to the audit log first."""

from collections.abc import Callable

from leadline.core.crawl import Event
from leadline.core.http import Response
from leadline.core.ports import Fetcher
from leadline.forms.submit import Submission, SubmissionRefusal, build_event, show_request


class Submitter:
    """Guarantees: nothing is sent that was not logged before; a refusal is logged and not sent.

    In a dry run what would be sent is told instead: nothing is sent, nothing logged.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        note: Callable[[Event], None],
        now: Callable[[], float],
        *,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        """`note` keeps an event, as a store's does; with `tell` it is a dry run."""
        self._fetcher = fetcher
        self._note = note
        self._now = now
        self._tell = tell

    async def submit(self, decision: Submission | SubmissionRefusal) -> Response | None:
        """The answer; None for a refusal and in a dry run. Raises FetchError."""
        if self._tell is not None:
            self._tell(show_request(decision))
            return None
        self._note(build_event(decision, self._now()))
        if isinstance(decision, SubmissionRefusal):
            return None
        return await self._fetcher.fetch(decision.request)
