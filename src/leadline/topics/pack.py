"""Topic packs: all that was learned of a topic, in one folder of plain arrays."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.errors import ModelError
from leadline.learn.linear import Platt
from leadline.learn.model_files import MANIFEST, Manifest, read_model, write_model
from leadline.learn.naive_bayes import LogOdds
from leadline.page.words import WordIds
from leadline.topics.cases import LabelTraining, pack_label_training, read_label_training

KIND = "topic"
REAL, WRITTEN, EXAMPLES, LIST = "real text", "written by hand", "examples", "a list of words"
"""Where the words of a pack come from."""
_NO_WORDS = LogOdds(np.zeros(0, np.int32), np.zeros(0, np.float32))


class LinkWord(NamedTuple):
    """A word of links that tend to lead to forms of the topic."""

    space: str
    """Where it stands: `url`, `anchor` or `around`."""
    word: str
    weight: float


class Example(Struct, frozen=True, eq=False):
    """A page that a topic is taught by, of which only the ids of its words are kept."""

    ids: WordIds
    owner: str
    """Its site: pages of one site say together what one page says."""
    is_about: bool = True
    is_form: bool = False
    """Whether the words are those of a search form instead of a page."""


class Pack(Struct, frozen=True, eq=False):
    """A topic as it is kept: what is written is what is read."""

    name: str
    source: str
    """Where its words come from."""
    odds: LogOdds
    """Of the topic's pages against all others."""
    spelled: tuple[str, ...]
    """The words of `odds` as they are mostly written."""
    page: Platt
    """From the score of a page to a probability."""
    site: Platt
    """The same for home pages."""
    forms: LogOdds = _NO_WORDS
    """Of the words of the topic's forms against others', where forms have taught it."""
    form_spelled: tuple[str, ...] = ()
    """The words of `forms` as they are mostly written."""
    form: Platt = Platt()
    """From the score of a form to a probability."""
    queries: tuple[str, ...] = ()
    """What a person might type into a form of the topic."""
    wanted: tuple[str, ...] = ()
    """Words that the user gave beside examples."""
    links: tuple[LinkWord, ...] = ()
    examples: tuple[Example, ...] = ()
    """What it was taught by; none for a shipped topic."""
    parent: str = ""
    """The shipped topic that it corrects, whose judge of forms it has; '' for any other."""
    taught: LabelTraining = LabelTraining()
    """What labels have corrected."""

    @property
    def pages(self) -> list[Example]:
        """The examples that are pages."""
        return [example for example in self.examples if not example.is_form]

    @property
    def strongest(self) -> list[tuple[str, float]]:
        """The words that speak for the topic, strongest first."""
        return self._sort_words(1)

    @property
    def weakest(self) -> list[tuple[str, float]]:
        """The words that speak against it, strongest first."""
        return self._sort_words(-1)

    def _sort_words(self, sign: int) -> list[tuple[str, float]]:
        weights = self.odds.weights
        order = np.argsort(-sign * weights, kind="stable").tolist()
        return [(self.spelled[at], float(weights[at])) for at in order if sign * weights[at] > 0]


def make_keyword_pack(name: str, words: Sequence[str]) -> Pack:
    """A topic of which nothing is known but some words; its judge counts them."""
    return Pack(name, LIST, _NO_WORDS, (), Platt(), Platt(), queries=tuple(words))


def write_pack(folder: Path, pack: Pack, manifest: Manifest) -> Manifest:
    """Writes the folder; its manifest tells where the pack is from and how good it is."""
    return write_model(folder, manifest, _pack_arrays(pack))


def read_pack(folder: Traversable) -> tuple[Pack, Manifest]:
    """Raises ModelError for a folder that holds no pack."""
    model = read_model(folder, KIND)
    try:
        return _read_arrays(model.arrays), model.manifest
    except KeyError as error:
        raise ModelError(f"the topic in {folder} lacks {error}: make it again") from None


def is_pack(folder: Path) -> bool:
    """Whether the folder looks like one that holds a pack."""
    return (folder / MANIFEST).is_file()


def shipped_folder(name: str) -> Traversable:
    """Where the pack of that name lies inside the package."""
    return files("leadline.topics") / "packs" / name


def _pack_arrays(pack: Pack) -> dict[str, NDArray[Any]]:
    platts = (pack.page, pack.site, pack.form)
    return {
        "name": np.array([pack.name, pack.source]),
        "words": pack.odds.words,
        "weights": pack.odds.weights,
        "spelled": np.array(pack.spelled),
        "platt": np.array([(platt.slope, platt.offset) for platt in platts]),
        "form_words": pack.forms.words,
        "form_weights": pack.forms.weights,
        "form_spelled": np.array(pack.form_spelled, np.str_),
        "queries": np.array(pack.queries, np.str_),
        "wanted": np.array(pack.wanted, np.str_),
        "link_words": np.array([f"{link.space} {link.word}" for link in pack.links], np.str_),
        "link_weights": np.array([link.weight for link in pack.links], np.float32),
        "example_ends": np.cumsum([len(one.ids) for one in pack.examples], dtype=np.int64),
        "example_words": np.concatenate(
            [np.zeros(0, np.int32), *(one.ids for one in pack.examples)]
        ),
        "example_owners": np.array([one.owner for one in pack.examples], np.str_),
        "example_labels": np.array([one.is_about for one in pack.examples], np.bool_),
        "example_forms": np.array([one.is_form for one in pack.examples], np.bool_),
        **({"parent": np.array([pack.parent])} if pack.parent else {}),
        **pack_label_training(pack.taught),
    }


def _read_arrays(arrays: Mapping[str, NDArray[Any]]) -> Pack:
    name, source = arrays["name"].tolist()
    page, site, form = (Platt(slope, offset) for slope, offset in arrays["platt"].tolist())
    return Pack(
        name=name,
        source=source,
        odds=LogOdds(arrays["words"], arrays["weights"]),
        spelled=tuple(arrays["spelled"].tolist()),
        page=page,
        site=site,
        forms=LogOdds(arrays["form_words"], arrays["form_weights"]),
        form_spelled=tuple(arrays["form_spelled"].tolist()),
        form=form,
        queries=tuple(arrays["queries"].tolist()),
        # Packs of earlier versions have none.
        wanted=tuple(arrays["wanted"].tolist()) if "wanted" in arrays else (),
        links=tuple(_read_links(arrays)),
        examples=tuple(_read_examples(arrays)),
        parent=str(arrays["parent"][0]) if "parent" in arrays else "",
        taught=read_label_training(arrays),
    )


def _read_links(arrays: Mapping[str, NDArray[Any]]) -> Iterator[LinkWord]:
    rows = zip(arrays["link_words"].tolist(), arrays["link_weights"].tolist(), strict=True)
    for text, weight in rows:
        space, _, word = text.partition(" ")
        yield LinkWord(space, word, weight)


def _read_examples(arrays: Mapping[str, NDArray[Any]]) -> Iterator[Example]:
    pages = np.split(arrays["example_words"], arrays["example_ends"])[:-1]
    told = (arrays[f"example_{name}"].tolist() for name in ("owners", "labels", "forms"))
    yield from map(Example, pages, *told)
