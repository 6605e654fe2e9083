"""What the apprentice sees of a link: its settings, the features beside words, and their names."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.crawl import Candidate, FeatureRows, LinkFeatures, PageView
from leadline.core.url import Url, path_of
from leadline.learn.link_bayes import SIZE, LinkBayes, LinkOdds
from leadline.learn.link_features import OFFSET, URL, hash_in_space, space_key
from leadline.page.words import split_words, vocabulary
from leadline.strategies.base import SHOWN

Mode = Literal["online", "offline", "offline-online", "watching"]
NEIGHBOURS = 3
"""Links on each side whose relevance counts with `co_citation`; farther ones are of other lists."""
CLASS, BESIDE = 64, 96
"""Spaces of their own, apart from those of words: BESIDE + d for d links further on."""
_BUCKETS = 5
"""Of the relevance of a page: naive Bayes takes it for a word."""
_REMEMBERED = 200_000
"""Pages whose relevance is kept, the latest; 2 MB of what is saved."""
_HALF = 50
_MOST_PAIRS, _MOST_SOURCES = 10_000, 20
"""Links kept to pages that wait, in all and to each; 2 MB of what is saved."""
Reason = tuple[str, float]
_MOST_REASONS = 12
"""Reasons told; what is left goes together as one."""
_EVERY = 8
"""One of so many links is named: a feature that counts for something stands at many of them."""
_MOST_NAMES, _KEPT = 6_000, 2_000
"""FeatureNames held between two lessons, and those of the strongest features that outlive one."""
_SHOWN_WORDS = 12
"""Words of each space that are remembered of a lesson."""
_LEAST_LINKS = 5
"""A feature of fewer links says nothing yet."""
_MOST_LESSONS = 100


class ApprenticeSettings(BaseModel):
    """Settings of `apprentice`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mode: Mode = Field(
        "online",
        description="online: learns as it crawls; offline: ranks by `model` and learns nothing; "
        "offline-online: begins with `model` and learns on; watching: crawls as baseline does and "
        "learns for a later crawl.",
    )
    model: str = Field("", description="Folder with a model from `leadline train apprentice`.")
    threshold: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Links of pages less relevant than this are not followed (Figure 2 of the "
        "paper); 0: all links are.",
    )
    d_max: int = Field(
        5,
        ge=0,
        le=12,
        description="Leaves before and after a link whose words count (the paper's).",
    )
    bag_of_words: bool = Field(
        False, description="Forget how far from the link a word stands, for comparison."
    )
    batch_pages: int = Field(
        250,
        ge=1,
        description="Pages between two lessons; the paper has a few hundred to a few thousand. "
        "After twenty batches they grow with the crawl.",
    )
    least_examples: int = Field(
        20, ge=1, description="Links of each class before the apprentice is believed."
    )
    learns_from: Literal["relevance", "reward"] = Field(
        "relevance",
        description="What a page is worth that a link led to: its relevance, whatever the goal "
        "(the paper's), or what counts for the goal.",
    )
    split: Literal["half", "median"] = Field(
        "half",
        description="Where high begins: at 0.5, or so that both classes are equally large as far "
        "as possible.",
    )
    pairs: Literal["all", "first"] = Field(
        "all",
        description="Of which links a page is an example: all that are known to lead there (the "
        "paper's), or the one by which it was found.",
    )
    length: int = Field(
        0,
        ge=0,
        description="A link with more known features than this weighs as if it had so many; 0: "
        "all count (the paper's).",
    )
    anchor_words: int = Field(8, ge=0, le=64, description="Words of the anchor, at most.")
    around_words: int = Field(
        24, ge=0, le=128, description="Words on each side within d_max leaves, at most."
    )
    url_words: int = Field(
        0, ge=0, le=32, description="Words of the link's path; the paper has none of them."
    )
    class_feature: bool = Field(
        False, description="The relevance of the link's page is a feature too."
    )
    co_citation: bool = Field(
        False, description="Whether the links beside it led to relevant pages is a feature too."
    )

    @property
    def needs_lessons(self) -> bool:
        """Whether it has nothing to rank by unless an earlier crawl teaches it."""
        return self.mode.startswith("offline") and not self.model

    @property
    def features(self) -> LinkFeatures:
        return LinkFeatures(
            url=self.url_words,
            anchor=self.anchor_words,
            around=self.around_words,
            by_offset=True,
            d_max=self.d_max,
            own=int(self.class_feature) + 2 * NEIGHBOURS * self.co_citation,
            is_bag=self.bag_of_words,
            known=self.pairs == "all",
        )

    @property
    def encoding(self) -> dict[str, str | float]:
        """What must be the same when a model is made and when it is used."""
        return {
            "d_max": self.d_max,
            "bag_of_words": int(self.bag_of_words),
            "url_words": self.url_words,
            "class_feature": int(self.class_feature),
            "co_citation": int(self.co_citation),
        }


class VisitedRelevance:
    """Remembers how relevant the pages visited last were, by a hash of their URL, in hundredths."""

    def __init__(self) -> None:
        self._labels: dict[int, int] = {}

    def add(self, url: Url, label: float) -> None:
        self._labels[_hash(url)] = round(100 * min(1.0, label))
        if len(self._labels) > _REMEMBERED:
            for oldest in list(islice(self._labels, _REMEMBERED // 10)):
                del self._labels[oldest]

    def label(self, url: Url) -> float | None:
        """None for a page that was not visited."""
        known = self._labels.get(_hash(url))
        return None if known is None else known / 100

    def find(self, url: Url) -> int:
        """2 for a relevant page, 1 for another, 0 for one that was not visited."""
        known = self._labels.get(_hash(url))
        return 0 if known is None else 1 + (known >= _HALF)

    def state(self) -> dict[str, NDArray[Any]]:
        return {
            "visited": np.array(list(self._labels), np.uint64),
            "visited_labels": np.array(list(self._labels.values()), np.uint8),
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        labels = state["visited_labels"].tolist()
        self._labels = dict(zip(state["visited"].tolist(), labels, strict=True))


class WaitingPairs:
    """Links to pages that wait, beside the one by which each was found: what they are worth is
    known when their page is visited. Bounded: the oldest go first."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._rows: dict[int, list[bytes]] = {}
        self._count = 0

    def add(self, url: Url, row: bytes) -> None:
        """A link of a page to another one that waits."""
        rows = self._rows.setdefault(_hash(url), [])
        if len(rows) < _MOST_SOURCES:
            rows.append(row)
            self._count += 1
        while self._count > _MOST_PAIRS:
            oldest = next(iter(self._rows))
            self._count -= len(self._rows.pop(oldest))

    def take(self, url: Url) -> list[bytes]:
        """The links to a page that is being visited."""
        rows = self._rows.pop(_hash(url), [])
        self._count -= len(rows)
        return rows

    def state(self) -> dict[str, NDArray[Any]]:
        pairs = [(key, row) for key, rows in self._rows.items() for row in rows]
        return {
            "pairs": np.array([key for key, _ in pairs], np.uint64),
            "pair_rows": np.frombuffer(b"".join(row for _, row in pairs), "<i4"),
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        self._rows, keys = {}, state["pairs"].tolist()
        self._count = len(keys)
        rows = np.asarray(state["pair_rows"], "<i4").reshape(len(keys), self._width)
        for key, row in zip(keys, rows, strict=True):
            self._rows.setdefault(key, []).append(row.tobytes())


def make_extra_cells(
    settings: ApprenticeSettings, view: PageView, visited: VisitedRelevance
) -> FeatureRows:
    """The cells that are not words, for each link of the view."""
    columns = []
    if settings.class_feature:
        columns.append(_class_cells(view))
    if settings.co_citation:
        columns.append(_neighbour_cells(view, visited))
    return np.hstack(columns)


def _class_cells(view: PageView) -> FeatureRows:
    bucket = 1 + min(_BUCKETS - 1, int(view.judgement.relevance * _BUCKETS))
    cells = np.full((len(view.links), 1), bucket, np.int32)
    return hash_in_space(cells, space_key(CLASS))


def _neighbour_cells(view: PageView, visited: VisitedRelevance) -> FeatureRows:
    known = np.array([visited.find(link.target) for link in view.page.links], np.int32)
    edged = np.pad(known, NEIGHBOURS)
    at = np.array([link.position for link in view.links], np.int64)
    columns = [
        hash_in_space(edged[at + NEIGHBOURS + step], space_key(BESIDE + step)) for step in _steps()
    ]
    return np.stack(columns, axis=1)


def _steps() -> Iterator[int]:
    yield from range(-NEIGHBOURS, 0)
    yield from range(1, NEIGHBOURS + 1)


def _hash(url: Url) -> int:
    return xxhash.xxh3_64_intdigest(url.encode())


def explain_link(
    candidate: Candidate, odds: LinkOdds, settings: ApprenticeSettings
) -> list[Reason]:
    """What each feature adds to the log-odds, strongest first, then what had no name."""
    row = np.frombuffer(candidate.features, "<i4")
    names = name_features(candidate, settings)
    added: dict[str, float] = {}
    parts = odds.parts(row, settings.length).tolist()
    for number, part in zip(row.tolist(), parts, strict=True):
        if part:
            name = names.get(number, "words farther off")
            added[name] = added.get(name, 0.0) + part
    told = sorted(added.items(), key=lambda reason: (-abs(reason[1]), reason[0]))
    rest = sum(part for _, part in told[_MOST_REASONS:])
    end = [("all others", rest)] if rest else []
    return [*told[:_MOST_REASONS], *end, ("share of relevant pages so far", odds.prior)]


def name_features(candidate: Candidate, settings: ApprenticeSettings) -> dict[int, str]:
    """The features the link may have, by id: its words as a reader sees them with their offset.

    The offset of a word around a link is not kept as text; the feature ids tell it.
    """
    before, _, after = candidate.around.partition("\t")
    names = _name_extra_cells(settings)
    for text, offsets in (
        (candidate.anchor, range(1)),
        (before, range(-settings.d_max, 0)),
        (after, range(1, settings.d_max + 1)),
    ):
        for offset in offsets:
            shown = "" if settings.bag_of_words else f" @{offset}"
            space = OFFSET if settings.bag_of_words else OFFSET + offset
            names.update(_name_words(text, space, shown))
    names.update(_name_words(path_of(candidate.url), URL, " in the URL"))
    return names


def _name_words(text: str, space: int, shown: str) -> dict[int, str]:
    # Stems are those of the page's language, which candidates do not keep; most are English.
    words = split_words(text)
    ids: NDArray[np.int32] = np.array([vocabulary("en").word(word) for word in words], np.int32)
    features = hash_in_space(ids, space_key(space)).tolist()
    return {number: f"{word}{shown}" for number, word in zip(features, words, strict=True)}


def _name_extra_cells(settings: ApprenticeSettings) -> dict[int, str]:
    names: dict[int, str] = {}
    buckets = np.arange(1, 6, dtype=np.int32)
    if settings.class_feature:
        for bucket, number in enumerate(hash_in_space(buckets, space_key(CLASS)).tolist()):
            names[number] = f"its page's relevance is {bucket / 5:.1f} to {(bucket + 1) / 5:.1f}"
    if settings.co_citation:
        for step in (*range(-NEIGHBOURS, 0), *range(1, NEIGHBOURS + 1)):
            low, high = hash_in_space(buckets[:2], space_key(BESIDE + step)).tolist()
            names[low] = f"off-topic page linked {step:+d} links on"
            names[high] = f"relevant page linked {step:+d} links on"
    return names


class ApprenticeLesson(Struct, frozen=True, array_like=True):
    """What was known after one lesson."""

    pages: int
    words: dict[str, list[str]]


class NamedFeature(NamedTuple):
    """A feature in words, what it counts for and how sure that is."""

    name: str
    weight: float
    worth: float


class FeatureNames:
    """Bounded. Knows the features of some links that were followed, the strongest above all."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._pages = 0
        self.lessons: list[ApprenticeLesson] = []

    def add(self, candidate: Candidate, settings: ApprenticeSettings) -> None:
        """Take note of a link that was followed, if it is its turn."""
        self._pages += 1
        if self._pages % _EVERY == 1 and candidate.features and len(self._names) < _MOST_NAMES:
            here = set(np.frombuffer(candidate.features, "<i4").tolist())
            for number, name in name_features(candidate, settings).items():
                if number in here and number:
                    self._names.setdefault(number & (SIZE - 1), name)

    def take_lesson(self, bayes: LinkBayes, odds: LinkOdds | None) -> None:
        """Forget the names of features that count for little, and note the words that do."""
        if odds is None:
            return
        known = sorted(self._rate_features(bayes, odds), key=lambda pair: (-pair[1].worth, pair[0]))
        self._names = {cell: told.name for cell, told in known[:_KEPT]}
        words: dict[str, list[str]] = {}
        for _, told in known:
            some = words.setdefault(find_space(told.name), [])
            if told.weight > 0 and len(some) < _SHOWN_WORDS:
                some.append(told.name)
        self.lessons.append(ApprenticeLesson(self._pages, words))
        if len(self.lessons) > _MOST_LESSONS:
            del self.lessons[1]

    def weights(self, bayes: LinkBayes, odds: LinkOdds | None) -> list[tuple[str, float]]:
        """Features in words, those that are surest to count."""
        known = [told for _, told in self._rate_features(bayes, odds)] if odds is not None else []
        known.sort(key=lambda told: (-told.worth, told.name))
        return [(told.name, told.weight) for told in known[:SHOWN]]

    def _rate_features(
        self, bayes: LinkBayes, odds: LinkOdds
    ) -> Iterator[tuple[int, NamedFeature]]:
        for cell, name in self._names.items():
            links = int(bayes.counts[:, cell].sum())
            if links >= _LEAST_LINKS:
                weight = float(odds.weights[cell])
                yield cell, NamedFeature(name, weight, abs(weight) * links**0.5)

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, for `restore`."""
        return {
            "name_cells": np.array(list(self._names), np.int64),
            "names": np.array(list(self._names.values()), np.str_),
            "named_pages": np.array([self._pages]),
            "lessons": np.frombuffer(msgspec.json.encode(self.lessons), np.uint8),
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        """A state of a crawl that kept no names leaves them empty."""
        if "lessons" in state:
            cells, names = state["name_cells"].tolist(), state["names"].tolist()
            self._names = dict(zip(cells, names, strict=True))
            self._pages = int(state["named_pages"][0])
            self.lessons = msgspec.json.decode(
                state["lessons"].tobytes(), type=list[ApprenticeLesson]
            )


def find_space(name: str) -> str:
    """Where a feature stands, by its name."""
    word, _, offset = name.partition(" @")
    if offset:
        distance = int(offset)
        return "anchor" if not distance else "before the link" if distance < 0 else "after the link"
    if name.endswith(" in the URL"):
        return "URL"
    return "the page and its links" if " " in word else "near the link"


def shown_words(
    lessons: Sequence[ApprenticeLesson],
) -> Iterator[tuple[int, int, dict[str, list[str]]]]:
    """Number, pages and words of each lesson."""
    for number, lesson in enumerate(lessons, start=1):
        yield number, lesson.pages, lesson.words
