"""Every error leadline raises on purpose.

* LeadlineError
  x ConfigError              the user asked for the impossible; says what is possible
  x FetchError               one page could not be had: an outcome, the crawl goes on
    + RobotsDeniedError      the site's robots.txt forbids it
    + AddressRefusedError    it leads to an address nothing may be sent to
    + OutOfScopeError        a redirect left the crawl's scope
    + FetchTimeoutError      connect, first byte or the whole took too long
    + ConnectionFailedError  no such host, refused, reset, TLS failure
    + BadResponseError       what came back is not HTTP, or breaks its own framing
    + TooLargeError          more bytes than allowed, packed or unpacked
    + TooManyRedirectsError  a loop or a chain beyond the limit
    + SiteBusyError          429, 503 or a robots.txt that answers 5xx: come back later
      - SiteTakenError       another process may ask the site now; nothing was sent
    + WrongTypeError         a content type nobody asked for
    + UnreadablePageError    the page came, and reading it failed
    + NotArchivedError       a replayed archive holds no answer to it
    + BudgetSpentError       the harvest may spend no further request
    + LeaseOverError         the time in which this process may ask the site is over
  x StoreError               the crawl's memory is broken: stop, nothing lost
    + StoreVersionError      the store was written by another version
    + StoreLockedError       another process is using the store
    + DamagedStoreError      the file was changed by something else, as by a failing disk
    + StoreUnreachableError  the database does not answer: the same call may succeed later
    + LeaseLostError         the right to a site, a harvest or learning has passed to another
  x ModelError               a learned model's files are missing, damaged or of another kind

Errors keep their facts as attributes and survive pickling.
"""


class LeadlineError(Exception):
    """Root of all errors raised on purpose; anything else is a bug."""


class ConfigError(LeadlineError):
    """The configuration cannot be honoured. The message names the valid choices."""


class FetchError(LeadlineError):
    """One page could not be fetched. Recorded under `kind`; the crawl goes on."""

    kind = "failed"
    requests: int = 1
    """Requests spent until it failed: redirects, retries and robots.txt included."""

    def __init__(self, url: str, reason: str, retry_after_s: float | None = None) -> None:
        # All arguments go to the base class, or the error cannot be pickled.
        super().__init__(url, reason, retry_after_s)
        self.url = url
        self.reason = reason
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        return f"{self.reason}: {self.url}"


class RobotsDeniedError(FetchError):
    """The site's robots.txt forbids this URL."""

    kind = "robots"


class AddressRefusedError(FetchError):
    """The host resolves to an address nothing may be sent to."""

    kind = "address-refused"


class OutOfScopeError(FetchError):
    """A redirect led outside the crawl's scope."""

    kind = "out-of-scope"


class FetchTimeoutError(FetchError):
    """The site did not answer in time."""

    kind = "timeout"


class ConnectionFailedError(FetchError):
    """No connection could be made, or it broke."""

    kind = "connection"


class BadResponseError(FetchError):
    """The answer is not HTTP or contradicts its own framing."""

    kind = "bad-response"


class TooLargeError(FetchError):
    """The body is larger than allowed, as sent or unpacked."""

    kind = "too-large"


class TooManyRedirectsError(FetchError):
    """The redirects loop or go on beyond the limit."""

    kind = "redirects"


class SiteBusyError(FetchError):
    """The site asks to come back later; `retry_after_s` says when, if it did."""

    kind = "busy"


class SiteTakenError(SiteBusyError):
    """It is not the site's turn: another process has the right to ask it, its pause lasts, or
    other sites of its server come first. Nothing was sent, the site said nothing."""

    kind = "taken"


class WrongTypeError(FetchError):
    """The content type is not among the accepted ones."""

    kind = "wrong-type"


class UnreadablePageError(FetchError):
    """The page came and reading it failed: its process died, or the reader met what it cannot
    take. Costs this visit only."""

    kind = "unreadable"


class NotArchivedError(FetchError):
    """The archives being replayed hold no answer to this request."""

    kind = "not-archived"


class BudgetSpentError(FetchError):
    """The harvest may spend no further request; nothing was sent."""

    kind = "budget"
    requests = 0


class LeaseOverError(FetchError):
    """The right to ask the site ended before the request could leave; nothing was sent."""

    kind = "lease-over"


class StoreError(LeadlineError):
    """The store refused; continuing would lose work."""


class StoreVersionError(StoreError):
    """The store was written by a version this one cannot read."""


class StoreLockedError(StoreError):
    """Another process holds the store."""


class DamagedStoreError(StoreError):
    """The store file holds what nobody has written, or lacks what was. The message names the
    commands that say how much, and that save the rest."""


class StoreUnreachableError(StoreError):
    """The database did not answer in time, or the connection broke. Whether the call took effect
    is unknown; calling again is right."""


class LeaseLostError(StoreError):
    """What was leased or claimed has passed to another worker; nothing was kept."""


class ModelError(LeadlineError):
    """A model cannot be read. The message names its folder and what is wrong with it."""
