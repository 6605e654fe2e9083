"""What to do after a failure: a table, and the function that reads it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from leadline.errors import (
    AddressRefusedError,
    BadResponseError,
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    OutOfScopeError,
    RobotsDeniedError,
    SiteBusyError,
    SiteTakenError,
    TooLargeError,
    TooManyRedirectsError,
    WrongTypeError,
)

SHORT_WAIT_S: Final = 5.0
"""Waits below this are sat out inside a fetch; longer ones give the lease back."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Pauses before each further try, and whether the last failure condemns the whole site."""

    waits_s: tuple[float, ...] = ()
    gives_up_site: bool = False


@dataclass(frozen=True, slots=True)
class Again:
    """Try once more, not before `wait_s` from here."""

    wait_s: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Report the failure; `site`: nothing else on that site will do better."""

    site: bool


RetryTable = Mapping[type[FetchError], Rule]

TABLE: Final[RetryTable] = {
    ConnectionFailedError: Rule(waits_s=(1.0,)),
    SiteBusyError: Rule(waits_s=(2.0, 4.0)),
    SiteTakenError: Rule(),
    FetchTimeoutError: Rule(),
    BadResponseError: Rule(),
    AddressRefusedError: Rule(gives_up_site=True),
    RobotsDeniedError: Rule(),
    OutOfScopeError: Rule(),
    TooLargeError: Rule(),
    TooManyRedirectsError: Rule(),
    WrongTypeError: Rule(),
    FetchError: Rule(),
}

STATUSES: Final[dict[int, Rule]] = {
    # Gateways that flap; 429 and 503 are SiteBusyError, all others are answers.
    502: Rule(waits_s=(2.0,)),
    504: Rule(waits_s=(2.0,)),
}


def decide(error: FetchError, tries: int, table: RetryTable = TABLE) -> Again | GiveUp:
    """After `tries` failed tries, the last with `error`: try again, or let it be."""
    rule = table.get(type(error), Rule())
    if not 1 <= tries <= len(rule.waits_s):
        return GiveUp(rule.gives_up_site)
    wait_s = max(rule.waits_s[tries - 1], error.retry_after_s or 0.0)
    return Again(wait_s) if wait_s < SHORT_WAIT_S else GiveUp(rule.gives_up_site)


def decide_status(status: int, tries: int) -> Again | None:
    """Whether an answer of this status is worth another try; None: take it."""
    rule = STATUSES.get(status)
    if rule is None or not 1 <= tries <= len(rule.waits_s):
        return None
    return Again(rule.waits_s[tries - 1])
