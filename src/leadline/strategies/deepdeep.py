"""deep-deep: linear Q-learning over the characters of anchors, with replay.

TeamHG-Memex, deep-deep, 2016-2018 (public code and its notes; no paper).

    Q(link) = w . phi(link): runs of 3 to 5 characters of the anchor, hashed, and whether it stays
    choose a host by softmax over the Q of its best link; with chance epsilon any link, at random
    fetch its best link; r is what the page brought, and next are the links of that page
    remember (link, r, next); after each page take `replay` remembered ones and step towards
        r + gamma Q'(the link of next with the highest Q)
    Q' is a copy of Q that is renewed every `copy_pages` pages (double learning)

Departures. Softmax over hosts is drawn by adding Gumbel noise to all links of a host at each
ranking, which chooses the same hosts; the crawl ranks in batches, not before each page. Of the
links of a page a few are remembered, and fewer steps are replayed for each page than its 300,
which would take most of a crawl's time. It closes a host when its task there is done; here the goal
`sites` does that for every strategy. Rewards are what counts for the crawl's goal.
"""

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.crawl import LIKELY, Candidate, FeatureRows, LinkFeatures, PageView, Visit
from leadline.core.ports import Scores
from leadline.learn.online_links import SIZE, OnlineLinkModel, SavedWeights, char_cells
from leadline.strategies.base import Weights
from leadline.strategies.online import (
    EXPLORED,
    RANKED,
    OnlineSettings,
    OnlineStrategy,
    RankingSchedule,
    Tiers,
    WordStep,
    draw_uniform,
    hash_text,
)

_SIZES, _LETTERS = (3, 4, 5), 20
_GRAMS = sum(_LETTERS - size + 1 for size in _SIZES)
SPEC = LinkFeatures(url=0, anchor=0, around=0, own=_GRAMS + 3)
STAYS, SITE, DRAW = range(_GRAMS, SPEC.own)
_SAME, _OTHER = hash_text("same site"), hash_text("other site")
_NAMES = {_SAME: "stays on its site", _OTHER: "leaves its site"}
_REMEMBERED = 1_000
"""Steps replayed from: enough for a few sites' worth of pages, and small enough to be saved."""
_NEXT = 6
"""Links of a page that are remembered, drawn evenly."""
_MOST_GRAMS = 4_000
_ROUND = 8
"""Pages between two replays: a few large steps of arithmetic cost less than many small ones."""
_BATCH = 8
"""Links learned from at once. Anchors repeat: more equal ones, and steps of 0.1 would overshoot."""


class DeepDeepSettings(OnlineSettings):
    """Settings of `deepdeep`."""

    rate: float = Field(0.1, gt=0, le=1, description="Step size of the gradient descent.")
    gamma: float = Field(0.4, ge=0, lt=1, description="What a reward one link further on counts.")
    explore: float = Field(0.2, ge=0, le=1, description="Share of links drawn at random: epsilon.")
    temperature: float = Field(
        1.0, ge=0, description="Of the softmax over hosts; 0: always the best host."
    )
    replay: int = Field(10, ge=0, le=1_000, description="Remembered steps learned from, per page.")
    copy_pages: int = Field(
        100, ge=1, description="Pages after which the copy that says what comes next is renewed."
    )


class ReplayStep(Struct, frozen=True, array_like=True):
    """A link that was followed, what it brought, and links of its page."""

    link: bytes
    reward: float
    following: bytes


class SavedDeepDeep(Struct, frozen=True):
    """Everything `deepdeep` has learned."""

    schedule: RankingSchedule
    steps: list[WordStep]
    links: SavedWeights
    target: SavedWeights
    memory: list[ReplayStep]
    grams: dict[int, str]


class DeepDeep(OnlineStrategy):
    """Follows links by a learned linear Q of their anchors' letters."""

    name = "deepdeep"
    features = SPEC
    site_at, draw_at = SITE, DRAW
    why = "Q of its anchor"

    def __init__(self, settings: DeepDeepSettings) -> None:
        super().__init__()
        self.settings = settings
        self.links = OnlineLinkModel(settings.rate, is_chance=False, is_plain=True)
        self._target = OnlineLinkModel(settings.rate, is_chance=False, is_plain=True)
        self._memory: list[ReplayStep] = []
        self._grams: dict[int, str] = {}

    def own_features(self, view: PageView) -> FeatureRows:
        rows = self.start_rows(view)
        if view.links:
            rows[:, :_GRAMS] = char_cells(
                (_anchor_text(link.anchor) for link in view.links), _SIZES, _LETTERS
            )
        here = view.site.site
        rows[:, STAYS] = [_SAME if site == here else _OTHER for site in view.sites]
        return rows

    def place_rows(self, rows: FeatureRows) -> tuple[Tiers, Scores]:
        values = self.links.predict(rows[:, :SITE])
        draws = draw_uniform(rows[:, SITE], self.schedule.number)
        noise = -np.log(-np.log(np.clip(draws, 1e-7, 1 - 1e-6)))
        is_drawn = self.draw_links(rows, self.settings.explore)
        tiers = np.where(is_drawn, EXPLORED, RANKED).astype(np.int32)
        return tiers, (values + self.settings.temperature * noise).astype(np.float32)

    def learn_page(self, view: PageView, visit: Visit, row: NDArray[np.int32] | None) -> None:
        if row is None:
            return
        worth = self.settings.worth_of(visit)
        links = view.features[:, :SITE]
        chosen = links[:: max(1, -(-len(links) // _NEXT))]
        step = ReplayStep(row[:SITE].tobytes(), worth, np.ascontiguousarray(chosen).tobytes())
        self._memory.append(step)
        if len(self._memory) > 2 * _REMEMBERED:
            del self._memory[:_REMEMBERED]
        if len(self._memory) % _ROUND == 0:
            self._replay()
        if worth >= LIKELY and len(self._grams) < _MOST_GRAMS:
            self._grams.update(name_grams(view.candidate.anchor))
        if self.schedule.pages % self.settings.copy_pages == 0:
            self._target.load(self.links.save())

    def _replay(self) -> None:
        """Step towards what the latest links and some remembered ones were worth."""
        chance = np.random.default_rng(self.schedule.pages)
        drawn = chance.integers(0, len(self._memory), _ROUND * self.settings.replay).tolist()
        steps = [*self._memory[-_ROUND:], *(self._memory[at] for at in drawn)]
        rows = np.frombuffer(b"".join(step.link for step in steps), np.int32).reshape(-1, SITE)
        following = [np.frombuffer(step.following, np.int32).reshape(-1, SITE) for step in steps]
        sizes = np.array([len(some) for some in following])
        targets = np.array([step.reward for step in steps], np.float32)
        every = np.concatenate(following)
        if len(every):
            # Q chooses the link, its copy says what it is worth: less overestimation.
            values, copies = self.links.predict(every), self._target.predict(every)
            ends = np.cumsum(sizes).tolist()
            for at, (end, size) in enumerate(zip(ends, sizes.tolist(), strict=True)):
                if size:
                    best = end - size + int(values[end - size : end].argmax())
                    targets[at] += self.settings.gamma * max(0.0, float(copies[best]))
        for start in range(0, len(rows), _BATCH):
            self.links.learn(rows[start : start + _BATCH], targets[start : start + _BATCH])

    def explain_row(self, candidate: Candidate, row: NDArray[np.int32]) -> list[tuple[str, float]]:
        value = float(self.links.predict(row[None, :SITE])[0])
        named = {**_NAMES, **name_grams(candidate.anchor)}
        return [("Q of the link", value), *self.links.reasons(row[:SITE], named)]

    def describe_weights(self) -> Weights:
        named = {**_NAMES, **self._grams}
        known = [
            (name, float(self.links.weights[number & (SIZE - 1)])) for number, name in named.items()
        ]
        return {"links": known} if len(self.links) else {}

    def state(self) -> bytes:
        parts = self.schedule, self.steps, self.links.save(), self._target.save()
        return msgspec.msgpack.encode(SavedDeepDeep(*parts, self._memory, self._grams))

    def restore(self, state: bytes) -> None:
        saved = msgspec.msgpack.decode(state, type=SavedDeepDeep)
        self.schedule, self.steps = saved.schedule, saved.steps
        self.links.load(saved.links)
        self._target.load(saved.target)
        self._memory, self._grams = saved.memory, saved.grams


def _anchor_text(anchor: str) -> str:
    """What of an anchor becomes features: its beginning, where what it offers is named."""
    return " ".join(anchor.lower().split())[:_LETTERS]


def name_grams(anchor: str) -> dict[int, str]:
    """The runs of letters of an anchor by their features."""
    text = _anchor_text(anchor).encode("utf-8", "surrogatepass")[-_LETTERS:]
    row = char_cells([_anchor_text(anchor)], _SIZES, _LETTERS)[0]
    names: dict[int, str] = {}
    at = 0
    for size in _SIZES:
        for start in range(_LETTERS - size + 1):
            begin = start - (_LETTERS - len(text))
            if begin >= 0 and row[at]:
                run = text[begin : begin + size].decode("utf-8", "replace")
                names[int(row[at])] = f"anchor: {run!r}"
            at += 1
    return names
