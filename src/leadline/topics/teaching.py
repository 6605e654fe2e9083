"""Topics made of what a user has: pages about them, pages with their forms, and words.

Called by `leadline topic new` and `train`, and by the whole job for a phrase that names no shipped
topic.
"""

from collections.abc import Sequence

from msgspec import Struct, structs

from leadline.core.crawl import LIKELY
from leadline.core.page import Page
from leadline.errors import ConfigError
from leadline.page.words import PageWords
from leadline.topics.background import Background
from leadline.topics.critic import Topic
from leadline.topics.judges import BayesTopic, KeywordTopic, page_ids
from leadline.topics.pack import Example, Pack, make_keyword_pack
from leadline.topics.training import add_forms, collect_spellings, find_search_forms, learn_pack

_ROUNDS = 3
"""In which examples are chosen by what the words say and the examples of the round before teach."""


class PageExample(Struct, frozen=True):
    """A page, whose it is, and whether it is about the topic."""

    page: Page
    owner: str
    is_about: bool = True


class TopicExamples(Struct, frozen=True):
    """What there is to learn from."""

    samples: list[PageExample]
    forms: list[PageExample]
    """Those of the samples whose forms are the topic's."""
    words: tuple[str, ...]


def make_pack(
    name: str, given: TopicExamples, earlier: Sequence[Example], background: Background
) -> Pack:
    """From pages where there are any, else from words. Raises ConfigError."""
    if not given.samples:
        return make_keyword_pack(name, given.words)
    known = [example for example in earlier if not example.is_form]
    examples = [*known, *(_example(sample) for sample in given.samples)]
    spelled = collect_spellings(sample.page for sample in given.samples)
    if given.words:
        examples = keep_likely_examples(name, examples, given, background)
        if not any(example.is_about for example in examples):
            return make_keyword_pack(name, given.words)
    if not any(example.is_about for example in examples):
        raise ConfigError(f"no page is about {name}: give some with --pages, or label them yes")
    pack = learn_pack(name, examples, background, spelled)
    forms = [example for example in earlier if example.is_form]
    for sample in given.forms:
        forms += find_search_forms(sample.page, PageWords(sample.page), sample.owner)
    pack = add_forms(pack, forms, background, spelled)
    return structs.replace(pack, queries=given.words, wanted=given.words) if given.words else pack


def keep_likely_examples(
    name: str, examples: Sequence[Example], given: TopicExamples, background: Background
) -> list[Example]:
    """Without pages that the user's words do not speak for, nor what the other pages teach: people
    also start crawls at pages that lead to others, and these teach what all pages say."""
    samples = list(zip(examples[-len(given.samples) :], given.samples, strict=True))
    pages = [(e, PageWords(sample.page)) for e, sample in samples if e.is_about]
    judge: Topic = KeywordTopic(name, given.words)
    doubted: set[int] = set()
    for _ in range(_ROUNDS):
        doubted = {id(e) for e, words in pages if judge.relevance(words) < LIKELY}
        kept = [e for e in examples if id(e) not in doubted]
        if not any(e.is_about for e in kept):
            break
        judge = BayesTopic(structs.replace(learn_pack(name, kept, background), wanted=given.words))
    return [e for e in examples if id(e) not in doubted]


def _example(sample: PageExample) -> Example:
    return Example(page_ids(PageWords(sample.page)), sample.owner, sample.is_about)
