"""What a survey asks and what it learns: how a source takes queries."""

from msgspec import Struct

from leadline.core.harvest import RECORD, REFUSED, RESULTS, Answer, Query
from leadline.harvester.interface import Interface

NONSENSE = "nonsense"
WORD = "word"
EMPTY = "empty"
STOP_WORD = "stop word"
SHORT = "short"
PATTERN = "pattern"
TEMPLATE = "template"
ARRANGING = "arranging"
PURPOSES = (NONSENSE, WORD, EMPTY, STOP_WORD, SHORT, PATTERN, TEMPLATE, ARRANGING)

Values = dict[str, str]
"""By control name."""


class Probe(Struct, frozen=True):
    """One query of a survey, and what it is for."""

    query: Query
    purpose: str

    @property
    def is_nonsense(self) -> bool:
        """Whether nothing can match it: it shows how the source says so."""
        return self.purpose == NONSENSE


class Manners(Struct, frozen=True):
    """How a source takes queries, as far as it was asked."""

    is_executable: bool = False
    """Some set of controls is answered."""
    pattern: tuple[str, ...] = ()
    """The smallest such set that was tried."""
    empty: str = ""
    """Kind of the answer to a query that fills nothing; '' when it was not asked."""
    stop_word: str = ""
    """Kind of the answer to a word that every text has."""
    informative: tuple[str, ...] = ()
    """Controls whose choices get different answers."""
    uninformative: tuple[str, ...] = ()
    """Controls that bring no other records."""
    requests: int = 0
    told: tuple[str, ...] = ()
    """All that was learned, for people."""
    is_blocked: bool = False
    """The source keeps us out; nothing more was asked."""


class Surveyed(Struct, frozen=True):
    """An interface after asking, and what was learned besides."""

    interface: Interface
    manners: Manners


def finds(answer: Answer | None) -> bool:
    """Whether records came back."""
    return answer is not None and answer.kind in (RESULTS, RECORD)


def refuses(answer: Answer | None) -> bool:
    return answer is not None and answer.kind == REFUSED


def size_of(answer: Answer) -> int:
    """Records that match, as far as one page tells."""
    return max(answer.total or 0, len(answer.records))
