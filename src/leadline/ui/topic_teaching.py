"""`leadline topic new` and `train`: a topic from examples, and an honest word on it."""

import datetime
import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from leadline.config import load_config
from leadline.errors import ConfigError
from leadline.learn.model_files import Manifest, digest_of
from leadline.page.words import PageWords
from leadline.topics.background import Background, shipped_background
from leadline.topics.judges import OWN_TOPICS, find_topic_folder, page_ids
from leadline.topics.pack import (
    KIND,
    LIST,
    REAL,
    WRITTEN,
    Example,
    Pack,
    make_keyword_pack,
    read_pack,
    write_pack,
)
from leadline.topics.review import LabelReview, TopicReview, review_topic
from leadline.topics.training import add_forms, collect_spellings, find_search_forms, learn_pack
from leadline.topics.vocabulary import DOMAINS
from leadline.ui.exits import Exit
from leadline.ui.labelled import NO_LABELS, StoreLabels, is_store, read_store_labels
from leadline.ui.options import TeachOptions
from leadline.ui.output import print_json, say
from leadline.ui.samples import Sample, read_labels, read_samples
from leadline.ui.settings import parse_pairs, settings_file
from leadline.ui.topic import TopicFacts, facts_of, print_facts
from leadline.ui.topic_correcting import (
    Corrected,
    corrected_pack,
    labels_of,
    own_name,
    tell_labels,
)

_is_name = re.compile(r"[\w.-]+").fullmatch


class Lesson(Struct, frozen=True):
    """What a user gave to learn from."""

    samples: list[Sample]
    forms: list[Sample]
    """Those of the samples whose forms are the topic's."""
    words: tuple[str, ...]
    labels: StoreLabels = NO_LABELS
    """What people said of a crawl; its pages are not among the samples."""

    @property
    def is_empty(self) -> bool:
        return not self.samples and not self.labels.all


def run_new(name: str, options: TeachOptions) -> Exit:
    """The whole command."""
    folder = _new_folder(name, options.out)
    lesson = read_lesson(options)
    if not lesson.samples and not lesson.labels.samples and not lesson.words:
        if options.pages or options.forms or options.labels:
            say("leadline: no page could be had, so there is nothing to learn from")
            return Exit.NOTHING_FETCHED
        raise ConfigError("nothing to learn from: give --pages, --forms, --labels or --words")
    return _learn_and_tell(make_keyword_pack(name, lesson.words), lesson, folder, options)


def run_train(name: str, options: TeachOptions) -> Exit:
    """The same for a topic that exists; what taught it before counts as well."""
    if name in DOMAINS and options.out is None:
        raise ConfigError(
            f"{name!r} is shipped and stays as it is: give --out for a topic of your own that "
            f"begins with it, as in `leadline topic train {name} --labels STORE --out my-{name}`"
        )
    if name in DOMAINS and options.out is not None and options.out.exists():
        raise ConfigError(
            f"{options.out} exists: teach it further with `leadline topic train {options.out}`"
        )
    folder = find_topic_folder(name)
    pack, _ = read_pack(folder)
    lesson = read_lesson(options)
    if lesson.is_empty:
        raise ConfigError("nothing to learn from: give --pages, --forms or --labels")
    if pack.source in (REAL, WRITTEN):
        return _correct_and_tell(pack, lesson, options.out or Path(str(folder)), options)
    lesson = structs.replace(lesson, words=lesson.words or pack.queries)
    return _learn_and_tell(pack, lesson, options.out or Path(str(folder)), options)


def _new_folder(name: str, out: Path | None) -> Path:
    if not _is_name(name):
        raise ConfigError(f"{name!r} cannot be a topic's name: use letters, digits and hyphens")
    if name in DOMAINS:
        raise ConfigError(f"there is a shipped topic {name!r}: give yours another name")
    folder = out or OWN_TOPICS / name
    if folder.exists():
        raise ConfigError(
            f"{folder} exists: teach it further with `leadline topic train {name}`, or give --out"
        )
    return folder


def read_lesson(options: TeachOptions) -> Lesson:
    """Fetches and parses all pages that were named."""
    config = load_config(settings_file(options.config), parse_pairs(options.set_))[0]
    forms = read_samples(options.forms, config)
    samples, labels = read_samples(options.pages, config) + forms, NO_LABELS
    if options.labels is not None and is_store(options.labels):
        labels = read_store_labels(options.labels, config)
    elif options.labels is not None:
        samples += read_labels(options.labels, config)
    words = tuple(word.strip() for word in options.words.split(",") if word.strip())
    return Lesson(samples, forms, words, labels)


def make_pack(
    name: str, lesson: Lesson, earlier: Sequence[Example], background: Background
) -> Pack:
    """From pages where there are any, else from words. Raises ConfigError."""
    if not lesson.samples:
        return make_keyword_pack(name, lesson.words)
    known = [example for example in earlier if not example.is_form]
    examples = [*known, *(_example(sample) for sample in lesson.samples)]
    if not any(example.is_about for example in examples):
        raise ConfigError(f"no page is about {name}: give some with --pages, or label them yes")
    spelled = collect_spellings(sample.page for sample in lesson.samples)
    pack = learn_pack(name, examples, background, spelled)
    forms = [example for example in earlier if example.is_form]
    for sample in lesson.forms:
        forms += find_search_forms(sample.page, PageWords(sample.page), sample.owner)
    pack = add_forms(pack, forms, background, spelled)
    return structs.replace(pack, queries=lesson.words) if lesson.words else pack


def _example(sample: Sample) -> Example:
    return Example(page_ids(PageWords(sample.page)), sample.owner, sample.is_about)


def _learn_and_tell(pack: Pack, lesson: Lesson, folder: Path, options: TeachOptions) -> Exit:
    """Pages teach its words anew; labels on forms correct what it says of forms."""
    background = shipped_background()
    pages = structs.replace(lesson, samples=[*lesson.samples, *lesson.labels.samples])
    if lost := len(lesson.labels.pages) - len(lesson.labels.samples):
        say(f"left out: {lost} labelled pages whose text cannot be had, for examples need it")
    taught = pack.taught
    if pages.samples or pack.source == LIST:
        pack = make_pack(pack.name, pages, pack.examples, background)
    corrected = corrected_pack(structs.replace(pack, taught=taught), lesson.labels.forms)
    found = None if pack.source == LIST else review_topic(pack, background)
    return _write_and_tell(corrected, found, folder, options)


def _correct_and_tell(pack: Pack, lesson: Lesson, folder: Path, options: TeachOptions) -> Exit:
    """A shipped topic's like: its words stay as they are, and all that is given corrects it."""
    labels = [*lesson.labels.all, *labels_of(lesson.samples, lesson.forms)]
    own = structs.replace(
        pack,
        name=own_name(folder),
        parent=pack.parent or pack.name,
        queries=lesson.words or pack.queries,
    )
    return _write_and_tell(corrected_pack(own, labels), None, folder, options)


def _write_and_tell(
    corrected: Corrected, found: TopicReview | None, folder: Path, options: TeachOptions
) -> Exit:
    pack = corrected.pack
    manifest = write_pack(folder, pack, _manifest(pack, found, corrected.review))
    _tell(facts_of(pack, manifest), found, corrected.review, folder, options)
    return Exit.DONE


def _manifest(pack: Pack, found: TopicReview | None, labels: LabelReview | None) -> Manifest:
    about = sum(example.is_about for example in pack.pages)
    counts = {"words": len(pack.odds.words) or len(pack.queries)}
    scores: dict[str, float] = {}
    if labels is not None:
        counts |= {"labels": labels.labels, "labels right": labels.right}
        scores |= {"labels met before": labels.before, "labels met after": labels.after}
    if found is not None:
        counts |= {"pages": about, "other pages": len(pack.pages) - about, "sites": found.sites}
        counts["forms"] = len(pack.examples) - len(pack.pages)
        scores |= {"recall": found.recall, "false alarms": found.false_alarms}
    return Manifest(
        KIND,
        (pack.source,),
        digest_of(*(example.ids.tobytes() for example in pack.examples)),
        counts,
        scores,
        {"words from": pack.source},
        datetime.datetime.now(datetime.UTC).date().isoformat(),
    )


def _tell(
    facts: TopicFacts,
    found: TopicReview | None,
    labels: LabelReview | None,
    folder: Path,
    options: TeachOptions,
) -> None:
    is_bare = facts.words_from == LIST
    warnings = ["a list of words only: a few pages teach much more"] if is_bare else []
    warnings += found.warnings if found else []
    if options.json:
        warnings += labels.warnings if labels else []
        print_json({"folder": str(folder), "topic": facts, "warnings": warnings})
        return
    print_facts(facts)
    if found is not None:
        say(
            f"of {facts.counts['pages']} pages {found.recall:.0%} are recognised by what the other "
            f"sites' pages teach; of invented pages about other things {found.false_alarms:.1%} "
            "are taken for it"
        )
    for warning in warnings:
        say(f"warning: {warning}")
    if labels is not None:
        tell_labels(labels)
    say(f"topic:   {folder}")
    say(f"next:    leadline crawl {folder} --seeds ...")
