"""Which domain does a form search? Its words decide: one linear judge for each of twelve domains.

HIFI: Barbosa and Freire, "Combining classifiers to identify online databases", WWW 2007. The first
stage, `forms.searchable`, reads the structure of a form; the second, here, its words, and sees only
what the first lets pass. Departures: both stages return probabilities instead of yes and no;
logistic regression replaces the support vector machine, so that every word has a weight; a form
may belong to several domains; and what page and site say is added (`forms.evidence`).
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from math import exp, sqrt
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
import xxhash
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.crawl import LIKELY, DoorEvidence
from leadline.core.page import Form
from leadline.core.url import Url, is_home_page, origin_of, path_of
from leadline.errors import ConfigError
from leadline.forms.evidence import Part, chance_of, sum_parts
from leadline.forms.field_roles import find_roles
from leadline.forms.hazards import NOTHING_SOUGHT, UNSAID_POST, find_hazards
from leadline.forms.searchable import Reason, SearchableJudge
from leadline.learn.linear import logit
from leadline.learn.model_files import Arrays, read_model
from leadline.page.words import PageWords, WordIds

DOMAINS = (
    "airfare", "auto", "book", "hotel", "job", "movie",
    "music", "rental", "apartment", "route", "product", "people",
)  # fmt: skip
"""In the order of the rows of `DomainWeights.weights`."""
DOMAIN_MODEL = "domains"
ENOUGH = 8
"""Known words of a form up to which each adds its full weight. Of many words, some fit by chance;
so a form of n counts for sqrt(8 / n) of their sum."""
_TOLD = 1.0
"""Sum of the weights of a form's words, without their signs, from which it counts half that it says
no more of the domain. Of 0 to 8 real forms (SWDE, Formasaurus) are told best with 1 and 2: without
it every form that says "products" or "article" once was held for one of another domain."""
SECOND_STAGE_FROM = 0.1
"""Probability of being searchable below which the words are not read: no domain makes up for it."""
_REASONS = 5
_WORDS_NAMED = 3
"""In one line of `why`, beside two features of the first stage."""


class DomainWeights(NamedTuple):
    """What all judges have learned together, as it is stored."""

    ids: WordIds
    """Of the known words, in rising order."""
    words: tuple[str, ...]
    """The same words as text."""
    weights: NDArray[np.float32]
    """One row per domain."""
    biases: NDArray[np.float64]
    platt: NDArray[np.float64]
    """Slope and offset of each domain's calibration."""

    def arrays(self) -> Arrays:
        return {**self._asdict(), "words": np.array(self.words)}

    @staticmethod
    def of(arrays: Arrays) -> "DomainWeights":
        words = tuple(arrays["words"].tolist())
        named = {name: arrays[name] for name in ("ids", "weights", "biases", "platt")}
        return DomainWeights(words=words, **named)


class DomainJudge:
    """Recognises forms of one domain by their words. Picklable, without memory.

    Its probabilities hold if every other search form is of the domain, and forms that say nothing
    of what they search are among both halves.
    """

    def __init__(self, name: str, learned: DomainWeights) -> None:
        row = DOMAINS.index(name)
        self.name = name
        self._bias = float(learned.biases[row])
        self._slope, self._offset = learned.platt[row].tolist()
        # Dicts, because a form has few words: for those, sets are faster than arrays.
        weights = learned.weights[row].tolist()
        self._weights: dict[int, float] = dict(zip(learned.ids.tolist(), weights, strict=True))
        self._words = dict(zip(learned.ids.tolist(), learned.words, strict=True))

    def chance(self, ids: WordIds) -> float:
        """From the words of a form as `PageWords.form` numbers them."""
        return self.judge(ids)[0]

    def judge(self, ids: WordIds) -> tuple[float, int]:
        """The probability, and how many of the words are known: with none, it says nothing."""
        known = self._weights.keys() & ids.tolist()
        score = self._slope * self._sum_weights(known) + self._offset
        return 1.0 / (1.0 + exp(-score)), len(known)

    def score(self, ids: WordIds) -> float:
        """Before calibration."""
        return self._sum_weights(self._weights.keys() & ids.tolist())

    def _sum_weights(self, known: set[int]) -> float:
        weights = self._weights
        said = sum([weights[number] for number in known])
        n = len(known)
        return self._bias + (said * sqrt(ENOUGH / n) if n > ENOUGH else said)

    def weigh_words(self, ids: WordIds) -> tuple[float, int]:
        """The log-odds of the domain by the words, and how many are known: with none it is 0.

        That other words of the domain are missing says little of a form that says little.
        """
        known = self._weights.keys() & ids.tolist()
        missing = self._slope * self._bias + self._offset
        said = self._slope * self._sum_weights(known) + self._offset - missing
        told = abs(self._slope) * sum([abs(self._weights[number]) for number in known])
        return said + missing * told / (told + _TOLD), len(known)

    def find_evidence(self, ids: WordIds, page_chance: float, controls: int = 1) -> DoorEvidence:
        """As of a `FormTopic`."""
        words, known = self.weigh_words(ids)
        return DoorEvidence(words, known, controls, page_chance)

    def form_reasons(self, ids: WordIds, most: int = _REASONS) -> list[Reason]:
        """The words that say most for and against the domain, the strongest first."""
        known = self._weights.keys() & ids.tolist()
        share = sqrt(ENOUGH / max(len(known), ENOUGH))
        parts = [(self._words[number], self._weights[number] * share) for number in known]
        return sorted(parts, key=lambda part: (-abs(part[1]), part[0]))[:most]


def open_domain_judge(name: str) -> DomainJudge:
    """The judge of that domain, with the weights that ship with the package. Raises ConfigError."""
    if name not in DOMAINS:
        raise ConfigError(f"no domain of forms is called {name!r}; there are: {', '.join(DOMAINS)}")
    return DomainJudge(name, _read_weights())


@cache
def _read_weights() -> DomainWeights:
    """Cached: all twelve judges share them."""
    folder = resources.files("leadline.forms").joinpath("models", "domains")
    return DomainWeights.of(read_model(folder, DOMAIN_MODEL).arrays)


class FormTopic(Protocol):
    """The second stage of HIFI: knows from its words what a form searches."""

    @property
    def name(self) -> str: ...

    def find_evidence(self, ids: WordIds, page_chance: float, controls: int = 1) -> DoorEvidence:
        """What a search form of these words, on such a page, says about the topic."""
        ...

    def form_reasons(self, ids: WordIds) -> list[Reason]:
        """The words that say most for (above 0) and against it, the strongest first."""
        ...


class FormVerdict(Struct, frozen=True):
    """What HIFI says of a form."""

    searchable: float
    """Probability that it searches a database."""
    of_domain: float
    """Probability that the database is one of the domain, if there is one; 0 if the first stage
    did not let the form pass."""
    why: str
    evidence: DoorEvidence | None = None
    parts: tuple[Part, ...] = ()

    @property
    def chance(self) -> float:
        """Probability that it searches a database of the domain."""
        return self.searchable * self.of_domain


def count_controls(form: Form) -> int:
    """Those that are seen, buttons left out."""
    return sum(field.kind != "hidden" for field in form.fields)


_PERSONAL = frozenset(
    {"user", "password", "email", "phone", "payment", "message", "captcha", "file"}
)
"""Roles of controls that take something of the visitor's own: the others beside them narrow no
search."""
_OF_RECORDS = frozenset(
    {"title", "person", "organisation", "place", "date", "year", "price", "number", "code"}
    | {"category"}
)
_HAZARD_ODDS = 3.7
"""By which a form that shows a hazard is less likely a search: of the real forms at hand 582 of 651
that search nothing show one, and 6 of 321 searches."""


class _FormSense(NamedTuple):
    """What the controls of a form say by their roles."""

    controls: int
    """That are seen and narrow a search, buttons left out."""
    has_word_box: bool


def _read_controls(form: Form) -> _FormSense:
    kinds = [role.kind for role in find_roles(form)]
    if not _PERSONAL.isdisjoint(kinds):
        return _FormSense(1, has_word_box=True)
    # A box of which nobody knows what it takes may take words.
    has_word_box = "keyword" in kinds or _OF_RECORDS.isdisjoint(kinds)
    return _FormSense(count_controls(form), has_word_box)


def doubt_hazards(chance: float, why: str, form: Form) -> tuple[float, str]:
    """What a judge of searching says of a form, and why, if the form's hazards count too: one that
    takes a message or joins a list is hardly a search, whatever else it says."""
    if chance < SECOND_STAGE_FROM:
        return chance, why
    hazards = (one for one in find_hazards(form) if one not in (NOTHING_SOUGHT, UNSAID_POST))
    hazard = next(hazards, "")
    if not hazard:
        return chance, why
    chance = 1.0 / (1.0 + exp(_HAZARD_ODDS - logit(chance)))
    return chance, f"{hazard}; {why}" if chance < LIKELY else why


def find_door_evidence(
    topic: FormTopic,
    form: Form,
    ids: WordIds,
    page_chance: float,
    records: float = 0.0,
    silence: float = 0.0,
) -> DoorEvidence:
    """What a form of these words, its controls and its page say about the topic."""
    return _join_evidence(topic, form, ids, _read_controls(form), page_chance, records, silence)


def _join_evidence(
    topic: FormTopic,
    form: Form,
    ids: WordIds,
    sense: _FormSense,
    page_chance: float,
    records: float,
    silence: float,
) -> DoorEvidence:
    found = topic.find_evidence(ids, page_chance, sense.controls)
    return structs.replace(
        found,
        records=records,
        has_word_box=sense.has_word_box,
        is_on_home=is_home_page(form.page),
        silence=silence,
    )


class _KnownForm(NamedTuple):
    """What a form says by itself, wherever it stands."""

    searchable: float
    why: str
    ids: WordIds
    reasons: Sequence[Reason]
    """The words that say most about the topic."""
    sense: _FormSense


_MOST_FORMS = 4_000
"""Remembered, some kilobytes each: the search box of a site stands on all its pages."""
_encode = msgspec.msgpack.Encoder().encode


class Hifi:
    """Both stages, one after the other. Picklable; equal forms get equal answers, and what lately
    met forms say by themselves is remembered."""

    def __init__(self, searchable: SearchableJudge, topic: FormTopic) -> None:
        self._searchable = searchable
        self._topic = topic
        self._known: dict[int, _KnownForm] = {}

    def __reduce__(self) -> tuple[type["Hifi"], tuple[SearchableJudge, FormTopic]]:
        return Hifi, (self._searchable, self._topic)

    def judge(
        self,
        forms: Sequence[Form],
        words: PageWords,
        page_chance: float = 0.5,
        weigh_records: Callable[[], float] | None = None,
        silence: float = 0.0,
    ) -> list[FormVerdict]:
        """One verdict per form of the page of these words, in its order.

        `page_chance` is that of the page being about the topic; `weigh_records` tells whether the
        page shows records or articles, and is asked only if a form may be searchable; `silence` is
        that of the page.
        """
        records: float | None = None
        verdicts = []
        for form, known in zip(forms, self._know(forms, words), strict=True):
            searchable, why, ids, reasons, sense = known
            if searchable < SECOND_STAGE_FROM:
                verdicts.append(FormVerdict(searchable, 0.0, why))
                continue
            if weigh_records is not None and records is None:
                records = weigh_records()
            evidence = _join_evidence(
                self._topic, form, ids, sense, page_chance, records or 0.0, silence
            )
            parts = sum_parts(evidence)
            chance = chance_of(parts)
            why = f"{why}; {self._explain(reasons, chance)}"
            verdicts.append(FormVerdict(searchable, chance, why, evidence, parts))
        return verdicts

    def _know(self, forms: Sequence[Form], words: PageWords) -> list[_KnownForm]:
        keys = [_key_of(form, words.language) for form in forms]
        new = [number for number, key in enumerate(keys) if key not in self._known]
        # What this page needs stays until it is read.
        if len(self._known) + len(new) > _MOST_FORMS:
            self._known.clear()
            new = list(range(len(forms)))
        judged = self._searchable.judge_all([forms[number] for number in new])
        for number, (searchable, why) in zip(new, judged, strict=True):
            form = forms[number]
            searchable, why = doubt_hazards(searchable, why, form)
            is_let_pass = searchable >= SECOND_STAGE_FROM
            ids = words.form(number) if is_let_pass else _NO_WORDS
            reasons = self._topic.form_reasons(ids) if is_let_pass else ()
            sense = _read_controls(form) if is_let_pass else _NO_SENSE
            known = _KnownForm(searchable, why, ids, reasons, sense)
            self._known[keys[number]] = known
        return [self._known[key] for key in keys]

    def _explain(self, reasons: Sequence[Reason], chance: float) -> str:
        is_likely = chance >= LIKELY
        words = [word for word, weight in reasons if (weight > 0) == is_likely]
        named = ", ".join(words[:_WORDS_NAMED])
        if is_likely:
            # A topic may be likely by its page alone: then no word of the form speaks for it.
            return f"{self._topic.name}: {named or 'by its page'}"
        return f"not {self._topic.name}: {named or 'it says nothing'}"


_NO_SENSE = _FormSense(1, has_word_box=True)
_NO_WORDS: WordIds = np.zeros(0, np.int32)


def _key_of(form: Form, language: str) -> int:
    """Equal for forms that say the same on pages in a language. Of the page itself counts whether
    the form is sent back to it, or to another site; where on its own site, whatever that is called,
    so that an application's form is known from any other site that has the application."""
    page, action = form.page, form.action
    is_own = action == page
    if is_near := action is not None and action.startswith(_origin(page)):
        action = Url(path_of(action))
    whole = (language, is_own, is_near, structs.replace(form, page=_ANY_PAGE, action=action))
    return xxhash.xxh3_128_intdigest(_encode(whole))


_ANY_PAGE = Url("")


def _origin(url: Url) -> str:
    return origin_of(url) + "/"
