"""Learn from the links that were followed which links to follow.

S. Chakrabarti, K. Punera and M. Subramanyam, "Accelerated Focused Crawling through Online
Relevance Feedback", WWW 2002: the critic is the page classifier, the apprentice a naive Bayes
classifier of links.

    fetch the waiting link of highest priority; call its page v, and u the page it stood on
    ask the critic for Pr(topic | v); the link (u, v) is an example of what that is worth
    its features: <t, d> for each word t within d_max leaves of the link on u's tag tree
        (d = 0 in the anchor, negative before it, positive after it, textless leaves counted)
    its class: high if Pr(topic | v) >= 0.5, else low
    after each batch of pages: count the features of its links by class, and
        theta(c, f) = (1 + n(c, f)) / (|T| + n(c)), with n(c) over links of class c only (E24)
        rank every waiting link again
    if Pr(topic | v) >= threshold: every link of v waits with priority Pr(high | its features)
    before the first lesson: with priority Pr(topic | v), as baseline does

A page v is an example of every link (u, v) that is known when it is visited, and of every one that
is met later (`pairs`); of a page's links to known pages 30 are looked at, drawn evenly, because
menus have hundreds. Offline it is trained by `leadline train apprentice`, or by the crawl that
`strategy.learn_from` names.

Departures. Before it is trained the paper's apprentice says a
fixed prior for all links, that is, nothing; best first is what it takes over from in the paper's
own experiments. Priorities are the log-odds of `high`, of which Pr(high) is a rising function:
the order is the same, and floating point does not make equals of all that is nearly sure. The
paper looks for topic pages. For forms and deep sites the lessons are the same: a new form is met
once in a hundred pages or a thousand, too seldom to learn words from; `learns_from = "reward"`
learns from what counts for the goal nevertheless. Seeds are in a tier of their own, before all
links.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import (
    Candidate,
    FeatureRows,
    LinkFeatures,
    PageView,
    Priority,
    Skip,
    Visit,
)
from leadline.core.ports import Scores
from leadline.core.store import StoreView
from leadline.errors import ConfigError, ModelError
from leadline.learn.link_bayes import LinkBayes, LinkOdds, pack_arrays, unpack_arrays
from leadline.learn.model_files import Manifest, digest_of, read_model, write_model
from leadline.strategies.apprentice_features import (
    ApprenticeSettings,
    FeatureNames,
    VisitedRelevance,
    WaitingPairs,
    explain_link,
    make_extra_cells,
    shown_words,
)
from leadline.strategies.base import NOT_YET, BaseStrategy, make_knowledge, make_steps

_BINS = 100
"""Bins of the histogram of all labels, from which their median is read."""
_SHARE = 20
"""A batch has at least a twentieth of the links learned from before: later lessons change less, and
each ranks a larger frontier again."""
KIND = "apprentice"
PAGE = "page"
_LINKS = 1
"""The tier of links; seeds have 0."""
_NO_NAMES = "it learns nothing while it crawls, and its model keeps no words, only their numbers"
_OFF_TOPIC = Skip("its page is off topic")


class ApprenticeLearner:
    """Holds the current batch of links and what earlier batches taught.

    `odds` is None until both classes have enough examples. Only `take_lesson` changes it, so all
    links found between two lessons are ranked alike.
    """

    def __init__(self, settings: ApprenticeSettings) -> None:
        self._settings = settings
        self._width = settings.features.width
        self._rows: list[bytes] = []
        self._labels: list[float] = []
        self._pages = 0
        self._seen: NDArray[np.int64] = np.zeros(_BINS + 1, np.int64)
        """How often each label occurred, in hundredths."""
        self.bayes = LinkBayes()
        self.odds: LinkOdds | None = None

    def add(self, features: bytes, label: float) -> bool:
        """Add the features of a link, if it has any, and the label of the page it led to. Returns
        whether the batch is full."""
        self._pages += 1
        if len(features) == 4 * self._width:
            self._rows.append(features)
            self._labels.append(min(1.0, label))
        return self._pages >= max(self._settings.batch_pages, int(self._seen.sum()) // _SHARE)

    def add_pair(self, features: bytes, label: float) -> None:
        """Add another link to a page that was visited."""
        if len(features) == 4 * self._width:
            self._rows.append(features)
            self._labels.append(min(1.0, label))

    def take_lesson(self) -> None:
        """Learn from the batch and start another."""
        labels = np.rint(np.array(self._labels) * _BINS).astype(np.int64)
        self._seen += np.bincount(labels, minlength=_BINS + 1)
        if self._rows:
            batch = np.frombuffer(b"".join(self._rows), "<i4").reshape(-1, self._width)
            self.bayes.add(batch, labels >= self._find_border())
        self._rows, self._labels, self._pages = [], [], 0
        self._refresh()

    def _find_border(self) -> int:
        """The least label of the high class, in hundredths."""
        if self._settings.split == "half":
            return _BINS // 2
        passed = self._seen.cumsum()
        # How many labels reach each border above 0. Many labels may be equal, so no border need
        # split them in halves: take the one that comes nearest.
        reaching = passed[-1] - passed[:-1]
        return 1 + int(np.abs(2 * reaching - passed[-1]).argmin())

    def _refresh(self) -> None:
        is_ready = int(self.bayes.links.min()) >= self._settings.least_examples
        self.odds = self.bayes.odds() if is_ready else None

    def begin_with(self, bayes: LinkBayes) -> None:
        """Start from what another crawl taught."""
        self.bayes = bayes
        self._refresh()

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything, for `restore`."""
        return {
            **self.bayes.arrays(),
            "rows": np.frombuffer(b"".join(self._rows), "<i4"),
            "labels": np.array(self._labels),
            "pages": np.array([self._pages]),
            "seen": self._seen,
        }

    def restore(self, state: dict[str, NDArray[Any]]) -> None:
        self.bayes = LinkBayes.of(state)
        rows = np.asarray(state["rows"], "<i4").reshape(-1, self._width)
        self._rows = [row.tobytes() for row in rows]
        self._labels = state["labels"].tolist()
        self._pages = int(state["pages"][0])
        self._seen = state["seen"].copy()
        self._refresh()


class LinkExample(NamedTuple):
    """A link that was followed, and the label of its page."""

    features: bytes
    label: float


def read_examples(store: StoreView, settings: ApprenticeSettings) -> Iterator[LinkExample]:
    """Every visit of a crawl that brought a page, in order, with its link's features."""
    for visit in store.reader.visits():
        path = store.pages.path(visit.id) if visit.outcome == PAGE else []
        if path and path[-1].features:
            worth = visit.reward if settings.learns_from == "reward" else visit.relevance
            yield LinkExample(path[-1].features, worth)


def train_apprentice(store: StoreView, settings: ApprenticeSettings) -> LinkBayes:
    """Learn from the visits of a finished crawl. Raises ConfigError if it kept no features."""
    learner = ApprenticeLearner(settings)
    size = 4 * settings.features.width
    links = 0
    for instance in read_examples(store, settings):
        if len(instance.features) != size:
            raise ConfigError(
                f"the links of this store have {len(instance.features) // 4} features and not "
                f"{size // 4}: train from a crawl by apprentice with the same settings"
            )
        links += 1
        if learner.add(*instance):
            learner.take_lesson()
    if not links:
        raise ConfigError(
            "the links of this store have no features: crawl with strategy apprentice, in mode "
            "watching for the order of baseline"
        )
    learner.take_lesson()
    return learner.bayes


def write_apprentice(
    folder: Path, bayes: LinkBayes, settings: ApprenticeSettings, trained_on: tuple[str, ...]
) -> Manifest:
    """The model as a folder for `strategy.model`."""
    arrays = bayes.arrays()
    low, high = bayes.links.tolist()
    manifest = Manifest(
        kind=KIND,
        trained_on=trained_on,
        data_digest=digest_of(*(arrays[name].tobytes() for name in sorted(arrays))),
        counts={"links": low + high, "high": high, "features": len(arrays["cells"])},
        settings=settings.encoding,
    )
    return write_model(folder, manifest, arrays)


def read_apprentice(settings: ApprenticeSettings) -> LinkBayes:
    """The model in the folder the settings name. Raises ConfigError."""
    try:
        model = read_model(Path(settings.model), KIND)
    except ModelError as error:
        raise ConfigError(f"strategy.model cannot be read: {error}") from None
    for name, value in settings.encoding.items():
        made_with = model.manifest.settings.get(name)
        if made_with != value:
            raise ConfigError(
                f"the model in {settings.model} was made with {name} = {made_with} and this crawl "
                f"has {value}: use the same, or train again"
            )
    return LinkBayes.of(model.arrays)


class Apprentice(BaseStrategy):
    """Links first that look like those which led to relevant pages."""

    name = "apprentice"

    def __init__(self, settings: ApprenticeSettings) -> None:
        """Reads the model its settings name, if any; raises ConfigError."""
        self.settings = settings
        self.features: LinkFeatures = settings.features
        self.learner = ApprenticeLearner(settings)
        self._visited = VisitedRelevance()
        self._pairs = WaitingPairs(settings.features.width)
        self._is_taught = False
        """Whether an earlier crawl is teaching it: then it learns offline too."""
        self._names = FeatureNames()
        if settings.model and settings.mode.startswith("offline"):
            self.learner.begin_with(read_apprentice(settings))

    @property
    def _odds(self) -> LinkOdds | None:
        """What links are ranked by; None: by the relevance of their page."""
        return None if self.settings.mode == "watching" else self.learner.odds

    def own_features(self, view: PageView) -> FeatureRows:
        return make_extra_cells(self.settings, view, self._visited)

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        relevance = view.judgement.relevance
        is_seed = view.candidate.parent is None
        if relevance < self.settings.threshold and not is_seed:
            return [_OFF_TOPIC] * len(view.links)
        if self._odds is None:
            return [Priority(_LINKS, relevance, "relevance of its page")] * len(view.links)
        scores = self._odds.of_rows(view.features, self.settings.length)
        return [Priority(_LINKS, score, "its words") for score in scores.tolist()]

    def learn(self, view: PageView, visit: Visit) -> bool:
        by_reward = self.settings.learns_from == "reward"
        worth = visit.reward if by_reward else view.judgement.relevance
        if self.settings.co_citation or self.settings.pairs == "all":
            self._visited.add(view.candidate.url, worth)
        if self.settings.mode == "offline" and not self._is_taught:
            return False
        if self.settings.pairs == "all":
            self._learn_pairs(view, worth)
        self._names.add(view.candidate, self.settings)
        if not self.learner.add(view.candidate.features, worth):
            return False
        self.learner.take_lesson()
        self._names.take_lesson(self.learner.bayes, self.learner.odds)
        return self._odds is not None

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        if self._odds is not None:
            fresh = self._odds.of_rows(features, self.settings.length)
            scores[:] = np.where(tiers == _LINKS, fresh, scores)

    def _learn_pairs(self, view: PageView, worth: float) -> None:
        """The other links to this page, and this page's links to others."""
        for row in self._pairs.take(view.candidate.url):
            self.learner.add_pair(row, worth)
        for link, cells in zip(view.known_links, view.known_features, strict=True):
            row, label = cells.astype("<i4").tobytes(), self._visited.label(link.target)
            if label is None:
                self._pairs.add(link.target, row)
            else:
                self.learner.add_pair(row, label)

    def start_lessons(self) -> None:
        self._is_taught = True

    def start_anew(self) -> None:
        self._is_taught = False
        self._pairs = WaitingPairs(self.features.width)
        self.learner.take_lesson()
        self._names.take_lesson(self.learner.bayes, self.learner.odds)
        self._visited = VisitedRelevance()

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        if self._odds is None or not candidate.features:
            return super().explain_rank(candidate)
        return explain_link(candidate, self._odds, self.settings)

    def describe_knowledge(self) -> dict[str, Any]:
        """The words of each lesson and of the classifier in use, where their names are known."""
        rows = make_steps(shown_words(self._names.lessons))
        words = self._names.weights(self.learner.bayes, self.learner.odds)
        missing = _NO_NAMES if self.settings.mode == "offline" else NOT_YET
        return make_knowledge(rows, {"links to relevant pages": words} if words else {}, missing)

    def state(self) -> bytes:
        parts = (
            *(self.learner.state(), self._visited.state()),
            *(self._pairs.state(), self._names.state()),
        )
        return pack_arrays({name: array for part in parts for name, array in part.items()})

    def restore(self, state: bytes) -> None:
        found = unpack_arrays(state)
        self.learner.restore(found)
        self._visited.restore(found)
        self._pairs.restore(found)
        self._names.restore(found)
