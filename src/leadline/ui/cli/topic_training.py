"""`leadline topic new` and `train`: topics from pages, forms, words and labels."""

import datetime
import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from leadline.config import load_config, parse_pairs, settings_file
from leadline.core.crawl import LIKELY
from leadline.core.inbox import FORM, PAGE, RIGHT, WRONG, Label
from leadline.errors import ConfigError
from leadline.forms.searchable import open_searchable_judge
from leadline.forms.signature import signature
from leadline.learn.model_files import Manifest, digest_of
from leadline.topics.background import shipped_background
from leadline.topics.cases import LabelTraining, rejudge_cases
from leadline.topics.judges import (
    OWN_TOPICS,
    CorrectedTopic,
    find_topic_folder,
    open_base_judge,
)
from leadline.topics.labels import FormSubject, LabelledSubject, PageSubject, correct_critic
from leadline.topics.pack import (
    KIND,
    LIST,
    REAL,
    WRITTEN,
    Pack,
    make_keyword_pack,
    read_pack,
    write_pack,
)
from leadline.topics.review import LabelReview, TopicReview, review_labels, review_topic
from leadline.topics.teaching import PageExample, TopicExamples, make_pack
from leadline.topics.vocabulary import DOMAINS
from leadline.ui.cli.examples import (
    NO_LABELS,
    StoreLabels,
    is_store,
    read_labels,
    read_pages,
    read_store_labels,
)
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import TeachOptions
from leadline.ui.cli.output import print_json, say
from leadline.ui.cli.topic import TopicFacts, make_facts, print_facts

_is_name = re.compile(r"[\w.-]+").fullmatch


class GivenExamples(TopicExamples, frozen=True):
    """What a user gave to learn from, labels included."""

    labels: StoreLabels = NO_LABELS
    """What people said of a crawl; its pages are not among the samples."""

    @property
    def is_empty(self) -> bool:
        return not self.samples and not self.labels.all


class CorrectedPack(Struct, frozen=True, eq=False):
    """A topic that labels have taught, and what they are worth."""

    pack: Pack
    review: LabelReview | None
    """None where no label taught it."""


def run_new(name: str, options: TeachOptions) -> Exit:
    """The whole command."""
    folder = _new_folder(name, options.out)
    given = read_examples(options)
    if not given.samples and not given.labels.samples and not given.words:
        if options.pages or options.forms or options.labels:
            say("leadline: no page could be fetched, so there is nothing to learn from")
            return Exit.NOTHING_FETCHED
        raise ConfigError("nothing to learn from: give --pages, --forms, --labels or --words")
    return _learn_and_print(make_keyword_pack(name, given.words), given, folder, options)


def run_train(name: str, options: TeachOptions) -> Exit:
    """The same for a topic that exists; what it learned before counts as well."""
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
    given = read_examples(options)
    if given.is_empty:
        raise ConfigError("nothing to learn from: give --pages, --forms or --labels")
    if pack.source in (REAL, WRITTEN):
        return _correct_and_print(pack, given, options.out or Path(str(folder)), options)
    given = structs.replace(given, words=given.words or pack.queries)
    return _learn_and_print(pack, given, options.out or Path(str(folder)), options)


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


def read_examples(options: TeachOptions) -> GivenExamples:
    """Fetches and parses all pages that were named."""
    config = load_config(settings_file(options.config), parse_pairs(options.set_))[0]
    forms = read_pages(options.forms, config)
    samples, labels = read_pages(options.pages, config) + forms, NO_LABELS
    if options.labels is not None and is_store(options.labels):
        labels = read_store_labels(options.labels, config)
    elif options.labels is not None:
        samples += read_labels(options.labels, config)
    words = tuple(word.strip() for word in options.words.split(",") if word.strip())
    return GivenExamples(samples, forms, words, labels)


def _learn_and_print(pack: Pack, given: GivenExamples, folder: Path, options: TeachOptions) -> Exit:
    """Learns its words again from pages; labels on forms correct how forms are judged."""
    background = shipped_background()
    pages = structs.replace(given, samples=[*given.samples, *given.labels.samples])
    if lost := len(given.labels.pages) - len(given.labels.samples):
        say(f"left out: {lost} labelled pages whose text is not available: examples need it")
    taught = pack.taught
    if pages.samples or pack.source == LIST:
        pack = make_pack(pack.name, pages, pack.examples, background)
    corrected = correct_pack(structs.replace(pack, taught=taught), given.labels.forms)
    found = None if pack.source == LIST else review_topic(pack, background)
    return _write_and_print(corrected, found, folder, options)


def _correct_and_print(
    pack: Pack, given: GivenExamples, folder: Path, options: TeachOptions
) -> Exit:
    """For a shipped topic: its words stay as they are, and all that is given corrects it."""
    labels = [*given.labels.all, *make_labels(given.samples, given.forms)]
    own = structs.replace(
        pack,
        name=folder.resolve().name,
        parent=pack.parent or pack.name,
        queries=given.words or pack.queries,
    )
    return _write_and_print(correct_pack(own, labels), None, folder, options)


def _write_and_print(
    corrected: CorrectedPack, found: TopicReview | None, folder: Path, options: TeachOptions
) -> Exit:
    pack = corrected.pack
    manifest = write_pack(folder, pack, _manifest(pack, found, corrected.review))
    _print_topic(make_facts(pack, manifest), found, corrected.review, folder, options)
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


def _print_topic(
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
        _print_labels(labels)
    say(f"topic:   {folder}")
    say(f"next:    leadline crawl {folder} --seeds ...")


def correct_pack(pack: Pack, labels: Sequence[LabelledSubject]) -> CorrectedPack:
    """The pack with what it was taught before and these labels, by its judge as it is."""
    base, taught = open_base_judge(pack), pack.taught
    earlier = rejudge_cases(taught.cases, base)
    if not labels and not earlier:
        return CorrectedPack(pack, None)
    known = CorrectedTopic(base, taught.learned, taught.spelled, earlier)
    now = correct_critic(known, labels).topic
    training = LabelTraining(now.cases, now.learned, now.spelled)
    return CorrectedPack(structs.replace(pack, taught=training), review_labels(now.cases))


def make_labels(
    samples: Sequence[PageExample], forms: Sequence[PageExample]
) -> list[LabelledSubject]:
    """Pages that a user named, as if they had been labelled; of `forms` the search forms too."""
    pages = [
        (_label(PAGE, sample.page.url, is_right=sample.is_about),
         PageSubject.read(sample.page.url, 0.0, sample.page))
        for sample in samples
    ]  # fmt: skip
    return [*pages, *(one for sample in forms for one in _form_labels(sample))]


def _form_labels(sample: PageExample) -> list[LabelledSubject]:
    page, judged = sample.page, open_searchable_judge().judge_all(sample.page.forms)
    return [
        (_label(FORM, sign, is_right=True), FormSubject(form, sign, 0.0, 1.0, page.language))
        for form, (chance, _) in zip(page.forms, judged, strict=True)
        if chance >= LIKELY
        for sign in [signature(form)]
    ]


def _label(what: str, subject: str, *, is_right: bool) -> Label:
    return Label(what, subject, RIGHT if is_right else WRONG, 0.0)


def _print_labels(found: LabelReview) -> None:
    """What the labels changed, and what to know before believing it."""
    say(
        f"{found.labels} labels of {found.sites} sites, {found.right} of them right; by what other "
        f"sites' labels teach, {found.after:.0%} are judged as you did ({found.before:.0%} before)"
    )
    for warning in found.warnings:
        say(f"warning: {warning}")
