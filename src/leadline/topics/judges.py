"""The judges of topics, and the way from a topic name to its judge.

Three kinds: `KeywordTopic` counts a few words; `BayesTopic` is naive Bayes against all other
pages, made into a probability; `CorrectedTopic` is another judge with what labels corrected.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import structs

from leadline.core.crawl import DoorEvidence
from leadline.errors import ConfigError, ModelError
from leadline.forms.domain import DomainJudge, open_domain_judge
from leadline.forms.evidence import judge_evidence
from leadline.forms.searchable import Reason, SearchableJudge, correct_chance, correct_judge
from leadline.learn.correction import Correction
from leadline.learn.linear import Platt, logit
from leadline.learn.naive_bayes import LogOdds
from leadline.page.words import PageWords, WordIds, split_words, word_id
from leadline.topics.cases import Case, Corrections, word_traits
from leadline.topics.critic import Topic
from leadline.topics.pack import LIST, REAL, WRITTEN, Pack, is_pack, read_pack, shipped_folder
from leadline.topics.translation import (
    is_language_known,
    is_translated,
    read_calibrations,
    translate_odds,
)
from leadline.topics.vocabulary import DOMAINS
from leadline.topics.wanted_words import WantedWords, join_odds

KEYWORDS: dict[str, tuple[str, ...]] = {
    "airfare": ("flight", "airfare", "airline", "depart", "return", "airport", "fare", "passenger"),
    "apartment": ("apartment", "rent", "bedroom", "bathroom", "lease", "flat", "property", "sqft"),
    "auto": ("car", "auto", "vehicle", "make", "model", "mileage", "dealer", "used", "engine"),
    "book": ("book", "author", "isbn", "title", "publisher", "paperback", "hardcover", "library"),
    "hotel": ("hotel", "room", "guest", "check-in", "stay", "resort", "inn", "suite", "night"),
    "job": ("job", "career", "employment", "salary", "resume", "employer", "vacancy", "hiring"),
    "movie": ("movie", "film", "actor", "director", "dvd", "cinema", "genre", "cast", "starring"),
    "music": ("music", "album", "artist", "song", "cd", "band", "track", "lyrics", "label"),
    "people": ("people", "person", "phone", "surname", "address", "directory", "faculty", "staff"),
    "product": ("product", "price", "shop", "store", "brand", "item", "buy", "sale", "camera"),
    "rental": ("rental", "rent", "car", "pick-up", "drop-off", "hire", "driver", "location"),
    "route": ("route", "map", "directions", "distance", "drive", "street", "destination", "trip"),
}
"""TopicVocabulary by hand."""

TITLE_TIMES = 2
"""How often the words of a title count."""
UNKNOWN_LANGUAGE = 0.25
"""Least relevance of a page in a language that a topic has no words of: nothing is known of it, so
it is as likely on the topic as any page near it (training.PRIOR)."""
_FEW_WORDS = 2.0
"""Known words of a form at which its score as a page counts half; fitted with `forms.evidence`."""
_HOST_WORD_CHARS = 4
"""Shorter words stand in the names of hosts by chance."""
_TELLING = 1.0
"""Weight from which a word is looked for in the names of hosts."""
_PRIOR_ODDS = logit(0.25)
"""Of a page near the topic (training.PRIOR)."""
_MOST_LEARNED = 3.0
"""Log-odds that example pages may add to what the user's words say of a page."""
_SURE_EXAMPLES = 4.0
"""Sites of examples that make what they teach count half."""
_MOST_OF_FIELD = 1.5
"""Log-odds that what pages taught may add for the words of a form."""
OWN_TOPICS = Path("topics")
"""Where a user's own topics are looked for by name, in the working directory."""


class KeywordTopic:
    """A topic known by some words. Picklable."""

    def __init__(self, name: str, words: Iterable[str]) -> None:
        self.name = name
        self.wanted = WantedWords(tuple(words))

    @property
    def words(self) -> tuple[str, ...]:
        return self.wanted.words

    def relevance(self, words: PageWords) -> float:
        """Probability that the page of these words is about the topic."""
        return join_odds(self._weigh_page(words)) if self.words else 0.0

    def site_relevance(self, words: PageWords, host: str) -> float:
        """Probability that the site with this host and home page is about the topic."""
        return join_odds(self._weigh_page(words) + self.wanted.weigh_host(host))

    def _weigh_page(self, words: PageWords) -> float:
        said = self.wanted.weigh_page(words.body, words.title, words.language)
        # In a language without a word of the topic nothing is known but that pages are near it.
        return _PRIOR_ODDS + (said or 0.0)

    def find_evidence(self, ids: WordIds, page_chance: float, controls: int = 1) -> DoorEvidence:
        """The topic's words in a form speak for it; no word speaks against it."""
        said, known = self.wanted.weigh_form(ids)
        return DoorEvidence(said, known, controls, page_chance)

    def page_reasons(self, words: PageWords, most: int = 8) -> list[Reason]:
        """The topic's words that stand on the page, and how often."""
        return self.wanted.name_page_words(words.body, words.title, words.language)[:most]

    def form_reasons(self, ids: WordIds) -> list[Reason]:
        """The topic's words that stand in the form, and what they add."""
        return self.wanted.name_form_words(ids)


class TranslatedOdds(NamedTuple):
    """The weights of a topic's words on pages in another language."""

    odds: LogOdds
    spelled: tuple[str, ...]
    page: Platt


class BayesTopic:
    """Judges by a pack. Picklable; reads and keeps nothing.

    A page of average length takes 30 microseconds once its words are numbered.
    """

    def __init__(self, pack: Pack, forms: DomainJudge | None = None) -> None:
        self.pack = pack
        self._forms = forms
        self._translated: dict[str, TranslatedOdds] = {}
        self._wanted = WantedWords(pack.wanted) if pack.wanted else None
        sites = len({one.owner for one in pack.pages if one.is_about})
        self._trust = sites / (sites + _SURE_EXAMPLES)

    @property
    def name(self) -> str:
        return self.pack.name

    def relevance(self, words: PageWords) -> float:
        """Probability that the page of these words is about the topic.

        In a language of which the topic has no words, no less than for any page.
        """
        learned = self._learned_relevance(words)
        return learned if self._wanted is None else self._join_words(learned, words)

    def _learned_relevance(self, words: PageWords) -> float:
        ids = page_ids(words)
        if is_translated(words.language):
            known = self._odds_in(words.language)
            return probability(known.page, known.odds.score(ids))
        chance = self.page_chance(ids)
        return chance if is_language_known(words.language) else max(chance, UNKNOWN_LANGUAGE)

    def _join_words(self, learned: float, words: PageWords, host: str = "") -> float:
        """What examples taught, as far as there are many, and what the user's words say."""
        if self._wanted is None:
            return learned
        said = self._wanted.weigh_page(words.body, words.title, words.language)
        beyond = logit(learned) - _PRIOR_ODDS
        odds = _PRIOR_ODDS + (said or 0.0) + (self._wanted.weigh_host(host) if host else 0.0)
        return join_odds(odds + self._trust * min(max(beyond, -_MOST_LEARNED), _MOST_LEARNED))

    def site_relevance(self, words: PageWords, host: str) -> float:
        """Probability that the site with this host and home page is about the topic."""
        learned = self.site_chance(page_ids(words), host)
        return learned if self._wanted is None else self._join_words(learned, words, host)

    def page_chance(self, ids: WordIds) -> float:
        """The same for a page of which only `page_ids` are left."""
        return probability(self.pack.page, self.pack.odds.score(ids))

    def site_chance(self, ids: WordIds, host: str) -> float:
        whole = np.concatenate([ids, self.host_ids(host)])
        return probability(self.pack.site, self.pack.odds.score(whole))

    def find_evidence(self, ids: WordIds, page_chance: float, controls: int = 1) -> DoorEvidence:
        """By the judge of its domain's forms where there is one, by forms that taught the topic, or
        else like a short page."""
        words, known = self._weigh_words(ids)
        return DoorEvidence(words, known, controls, page_chance)

    def _weigh_words(self, ids: WordIds) -> tuple[float, int]:
        if self._forms is not None:
            return self._forms.weigh_words(ids)
        pack = self.pack
        if len(pack.forms.words):
            known = len(np.intersect1d(ids, pack.forms.words))
            said = logit(probability(pack.form, pack.forms.score(ids))) if known else 0.0
            return said, known
        known = len(np.intersect1d(ids, pack.odds.words))
        # The mean weight of a page's words is sure because they are many; of few it is not.
        learned = pack.page.slope * pack.odds.score(ids) * known / (known + _FEW_WORDS)
        if self._wanted is None:
            return learned, known
        said, named = self._wanted.weigh_form(ids)
        learned = self._trust * min(max(learned, -_MOST_OF_FIELD), _MOST_OF_FIELD)
        return said + learned, named + known

    def page_reasons(self, words: PageWords, most: int = 8) -> list[Reason]:
        """The words that decided, strongest first."""
        ids = page_ids(words)
        if is_translated(words.language):
            known = self._odds_in(words.language)
            return _name_words(known.odds, known.spelled, ids)[:most]
        return _name_words(self.pack.odds, self.pack.spelled, ids)[:most]

    def _odds_in(self, language: str) -> TranslatedOdds:
        """Made when a page in that language is met for the first time; takes some milliseconds."""
        if language not in self._translated:
            pack = self.pack
            topic = pack.parent or pack.name
            odds, other = translate_odds(pack.odds, topic, language)
            own = dict(zip(pack.odds.words.tolist(), pack.spelled, strict=True))
            spelled = tuple((own | other)[number] for number in odds.words.tolist())
            is_shipped = pack.source in (REAL, WRITTEN)
            page = read_calibrations()[topic] if is_shipped else pack.page
            self._translated[language] = TranslatedOdds(odds, spelled, page)
        return self._translated[language]

    def form_reasons(self, ids: WordIds, most: int = 5) -> list[Reason]:
        """The same for the words of a form."""
        if self._forms is not None:
            return self._forms.form_reasons(ids, most)
        pack = self.pack
        if len(pack.forms.words):
            return _name_words(pack.forms, pack.form_spelled, ids)[:most]
        return _name_words(pack.odds, pack.spelled, ids)[:most]

    def host_ids(self, host: str) -> WordIds:
        """Words in the name of a host, also those that are run together: cheapflights."""
        labels = split_words(host.lower().removeprefix("www.").rpartition(".")[0])
        # No word has a blank, so that none is found across two labels.
        name = " ".join(labels)
        found = {number for word, number in self._telling if word in name}
        found |= {word_id(one) for one in labels}
        return np.array(sorted(found), np.int32)

    @cached_property
    def _telling(self) -> list[tuple[str, int]]:
        """Words long and strong enough to be looked for in names."""
        odds = self.pack.odds
        rows = zip(self.pack.spelled, odds.words.tolist(), odds.weights.tolist(), strict=True)
        return [(w, n) for w, n, by in rows if by >= _TELLING and len(w) >= _HOST_WORD_CHARS]


def _name_words(odds: LogOdds, spelled: tuple[str, ...], ids: WordIds) -> list[Reason]:
    """What each known word adds to the score, strongest first."""
    return [(spelled[place], part) for place, part in odds.contributions(ids)]


def page_ids(words: PageWords) -> WordIds:
    """The words a page is judged by."""
    return np.concatenate([words.body, *[words.title] * TITLE_TIMES])


def probability(platt: Platt, score: float) -> float:
    """One score as a probability."""
    return 1 / (1 + math.exp(-min(max(platt.slope * score + platt.offset, -40.0), 40.0)))


class CorrectedTopic:
    """Judges like `base`, except where people said otherwise of something like it. Picklable."""

    def __init__(
        self,
        base: Topic,
        learned: Corrections,
        spelled: Mapping[int, str],
        cases: tuple[Case, ...] = (),
    ) -> None:
        self.base = base
        self.learned = learned
        self.spelled = spelled
        """The words that labels made count, by their ids."""
        self.cases = cases
        """What taught it."""

    @property
    def name(self) -> str:
        return self.base.name

    def relevance(self, words: PageWords) -> float:
        traits = word_traits(page_ids(words))
        return correct_chance(self.base.relevance(words), self.learned.page, traits)

    def find_evidence(self, ids: WordIds, page_chance: float, controls: int = 1) -> DoorEvidence:
        """What labels add is a part of its own, whatever its site says later."""
        evidence = self.base.find_evidence(ids, page_chance, controls)
        before = judge_evidence(evidence)
        after = correct_chance(before, self.learned.form, word_traits(ids))
        return structs.replace(evidence, labels=logit(after) - logit(before))

    def page_reasons(self, words: PageWords, most: int = 8) -> list[Reason]:
        told = self._name_words(self.learned.page, page_ids(words))
        return _strongest([*self.base.page_reasons(words, most), *told])[:most]

    def form_reasons(self, ids: WordIds, most: int = 5) -> list[Reason]:
        told = self._name_words(self.learned.form, ids)
        return _strongest([*self.base.form_reasons(ids), *told])[:most]

    def searchable(self, judge: SearchableJudge) -> SearchableJudge:
        """The judge of searchable forms, corrected as well."""
        return correct_judge(judge, self.learned.searchable)

    def _name_words(self, correction: Correction, ids: WordIds) -> list[Reason]:
        parts = correction.parts(word_traits(ids))
        return [(self.spelled.get(number, "?"), part) for number, part in parts]


def _strongest(reasons: list[Reason]) -> list[Reason]:
    """A word of which both the judge and labels speak has the sum of both."""
    sums: dict[str, float] = {}
    for word, weight in reasons:
        sums[word] = sums.get(word, 0.0) + weight
    return sorted(sums.items(), key=lambda reason: (-abs(reason[1]), reason[0]))


def find_topic(name: str) -> Traversable | None:
    """The folder of a topic: shipped under that name, at that path, or in `topics`."""
    if name in DOMAINS:
        return shipped_folder(name)
    places = (Path(name), OWN_TOPICS / name) if name else ()
    return next((folder for folder in places if is_pack(folder)), None)


def find_topic_folder(name: str) -> Traversable:
    """The same; raises ConfigError when there is none."""
    folder = find_topic(name)
    if folder is None:
        raise ConfigError(
            f"no topic {name!r}: it is not shipped ({', '.join(DOMAINS)}), and there is no folder "
            f"{name} or {OWN_TOPICS / name}; make one with: leadline topic new {name}"
        )
    return folder


def open_topic(name: str, words: Sequence[str] = ()) -> Topic:
    """Words, where there are any, are the topic, whatever its name. Raises ConfigError."""
    if words or not name:
        return KeywordTopic(name, words)
    return open_judge(load_pack(name))


def find_query_words(name: str, words: Sequence[str] = ()) -> tuple[str, ...]:
    """What to type into forms of the topic: the words given, else those of its pack; () for a name
    that is no topic."""
    if words or not name or name in KEYWORDS:
        return tuple(words) or KEYWORDS.get(name, ())
    if find_topic(name) is None:
        return ()
    pack = load_pack(name)
    return pack.queries or KEYWORDS.get(pack.parent, ())


def load_pack(name: str) -> Pack:
    """The pack of a topic. Raises ConfigError."""
    try:
        return read_pack(find_topic_folder(name))[0]
    except ModelError as error:
        raise ConfigError(f"topic {name!r} cannot be read: {error}") from None


def open_judge(pack: Pack) -> Topic:
    """The judge of a pack, with what labels have corrected."""
    base, taught = open_base_judge(pack), pack.taught
    if not taught.cases:
        return base
    return CorrectedTopic(base, taught.learned, taught.spelled, taught.cases)


def open_base_judge(pack: Pack) -> Topic:
    """The judge without corrections. A bare list of words is judged by its words alone.

    Weighed against the background, lists of eight words rank pages no better than counted ones,
    and their probabilities are worse, there being no page to learn them from.
    """
    if pack.source == LIST:
        return KeywordTopic(pack.name, pack.queries)
    is_shipped = pack.source in (REAL, WRITTEN)
    return BayesTopic(pack, open_domain_judge(pack.parent or pack.name) if is_shipped else None)
