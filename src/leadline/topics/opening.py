"""From what a user calls a topic to its judge: a shipped name, a folder, or words."""

from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

from leadline.errors import ConfigError, ModelError
from leadline.forms.domain import domain_judge
from leadline.topics.bayes import BayesTopic
from leadline.topics.corrected import CorrectedTopic
from leadline.topics.critic import Topic
from leadline.topics.keywords import KeywordTopic
from leadline.topics.pack import LIST, REAL, WRITTEN, Pack, is_pack, read_pack, shipped_folder
from leadline.topics.vocabulary import DOMAINS

OWN_TOPICS = Path("topics")
"""Where a user's own topics are looked for by name, in the working directory."""


def find_topic(name: str) -> Traversable | None:
    """The folder of a topic: shipped under that name, at that path, or in `topics`."""
    if name in DOMAINS:
        return shipped_folder(name)
    places = (Path(name), OWN_TOPICS / name) if name else ()
    return next((folder for folder in places if is_pack(folder)), None)


def folder_of(name: str) -> Traversable:
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
    return judge_of(load_pack(name))


def load_pack(name: str) -> Pack:
    """The pack of a topic. Raises ConfigError."""
    try:
        return read_pack(folder_of(name))[0]
    except ModelError as error:
        raise ConfigError(f"topic {name!r} cannot be read: {error}") from None


def judge_of(pack: Pack) -> Topic:
    """The judge of a pack, with what labels have corrected."""
    base, taught = base_judge(pack), pack.taught
    if not taught.cases:
        return base
    return CorrectedTopic(base, taught.learned, taught.spelled, taught.cases)


def base_judge(pack: Pack) -> Topic:
    """The judge without corrections. A bare list of words is judged by its words alone.

    Weighed against the background, lists of eight words rank pages no better than counted ones,
    and their probabilities are worse, there being no page to learn them from.
    """
    if pack.source == LIST:
        return KeywordTopic(pack.name, pack.queries)
    is_shipped = pack.source in (REAL, WRITTEN)
    return BayesTopic(pack, domain_judge(pack.parent or pack.name) if is_shipped else None)
