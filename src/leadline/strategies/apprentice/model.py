"""An apprentice's model on disk, and how a finished crawl makes one."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from leadline.core.ports import Store
from leadline.errors import ConfigError, ModelError
from leadline.learn.link_bayes import LinkBayes
from leadline.learn.models import Manifest, digest_of, read_model, write_model
from leadline.strategies.apprentice.lessons import ApprenticeLearner
from leadline.strategies.apprentice.settings import ApprenticeSettings

KIND = "apprentice"
PAGE = "page"


class LinkExample(NamedTuple):
    """A link that was followed and what its page was worth."""

    features: bytes
    label: float


def read_examples(store: Store, settings: ApprenticeSettings) -> Iterator[LinkExample]:
    """Every visit of a crawl that brought a page, in order, with its link's features."""
    for visit in store.visits():
        path = store.path(visit.id) if visit.outcome == PAGE else []
        if path and path[-1].features:
            worth = visit.reward if settings.learns_from == "reward" else visit.relevance
            yield LinkExample(path[-1].features, worth)


def train_apprentice(store: Store, settings: ApprenticeSettings) -> LinkBayes:
    """What the visits of a finished crawl teach. Raises ConfigError when it kept no features."""
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
