"""One careful question to a form: does it search records, and does it know the topic?

A crawl asks for a word of the topic, and for a common one if that brought little. Rows that hold
the word were looked up, and an answer in running text is one of articles, whatever nonsense would
get: then one request is enough. Else nonsense is asked for: what it gets is how the site says
"nothing found"; a word is looked up if it gets much that nonsense does not, and nonsense little
that the word does not: pages that change by themselves differ both ways. Sending is left to the
caller (`crawler.evidence`), so that the same question can be put to any web
(`tools.critic_training.answers`).
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from leadline.core.page import Form, Page
from leadline.core.url import Url
from leadline.forms.probe import (
    CANNOT_TELL,
    NO,
    YES,
    AnswerSketch,
    ProbeAnswer,
    ProbeQuery,
    are_alike,
    sketch_answer,
)
from leadline.forms.query import find_query_field, make_nonsense, pick_topical_words
from leadline.forms.signature import signature
from leadline.page.words import split_words

MOST_QUERIES = 3
"""Of one question."""
_LEAST_FRESH = 3
"""Pieces of text, or links, that a word must bring beyond nonsense."""
_MORE_THAN_LOST = 2
"""A word must bring this many times what nonsense has and the word has not: its own message and
what changes by itself."""
_ENOUGH_LINKS = 3
"""That a word brings, from which its answer shows what the database holds."""
_LONG_TEXT = 12
"""Words from which a piece of text runs; those of records are shorter."""
_RUNNING = 0.6
"""Share of running text from which an answer shows articles. On two webs by other makers all but
some of the answers over articles have more, and few of those over records
(`python -m tools.critic_training.answers`)."""
_MOST_HEARD_CHARS = 20_000
"""Of an answer, whose words are counted."""
_MOST_WORDS = 20_000
"""Heard and kept; the rarer half goes when there are more."""
_LEAST_CHARS = 3
"""Of a word to ask for: many searches refuse shorter ones."""
_EVERYWHERE = ("the", "and", "new")
"""Many records are in English or hold names; each of these brought something from about half of the
databases of webs by three makers."""
COMMON_WORDS = {
    "da": "det", "de": "und", "en": "the", "es": "los", "fi": "että", "fr": "les",
    "hu": "egy", "it": "del", "nl": "het", "no": "det", "pl": "dla", "pt": "para", "ro": "din",
    "sv": "och", "tr": "bir", "cs": "pro", "ru": "для", "uk": "для", "el": "και", "ar": "من",
    "hi": "के", "ja": "の", "ko": "의", "zh": "的",
}  # fmt: skip
"""By language, a word that most collections of texts hold, long enough to be looked up."""


class QuestionFindings(Struct, frozen=True):
    """What the answers to a question show."""

    database: str
    """`yes`, `no` or `cannot tell`."""
    why: str
    knows_topic: bool = False
    """The word of the topic was looked up and found something."""
    leaves: tuple[str, ...] = ()
    """The texts that the word brought and nonsense lacks; of the common word if the other brought
    little."""
    targets: tuple[Url, ...] = ()
    """Likewise the links."""
    page: Page | None = None
    """The answer these stand in."""
    found: tuple[bool, ...] = ()
    """Of each word that was asked for, whether it was looked up."""


NOTHING_ASKED = QuestionFindings(CANNOT_TELL, "there is no box for words, or no word to ask for")


class DoorQuestion:
    """What to ask next, and what the answers show. Sends nothing.

    States: asking, until `next_query` returns None; the findings may be read at any time.
    """

    def __init__(self, form: Form, page: Page, topical: str, common: str) -> None:
        """`page` is the one that the form stands on."""
        self._page = page
        field = find_query_field(form)
        self._name = field.name if field is not None else ""
        most = field.max_length if field is not None else 0
        self._topical, self._common = topical, common
        self._nonsense = make_nonsense(signature(form), 0, most)
        self._answers: list[ProbeAnswer] = []

    def next_query(self) -> ProbeQuery | None:
        if not self._name or not self._topical or len(self._answers) >= MOST_QUERIES:
            return None
        if not self._answers:
            return self._query(self._topical)
        if self._is_settled():
            return None
        last = self._answers[-1]
        has_common = len(self._words) > 1 or self._common == self._topical
        if self._nothing is None:
            if self._is_much(last):
                return self._query(self._nonsense, is_nonsense=True)
            return None if has_common else self._query(self._common)
        is_short = len(self._links_of(self._words[0], self._nothing)) < _ENOUGH_LINKS
        return self._query(self._common) if is_short and not has_common else None

    def _is_settled(self) -> bool:
        """Whether the last answer alone tells, whatever nonsense would get."""
        last = self._answers[-1]
        return not last.query.is_nonsense and (self._shows_articles(last) or self._names_word(last))

    def _shows_articles(self, answer: ProbeAnswer) -> bool:
        return self._is_much(answer) and measure_prose(self._fresh(answer)) >= _RUNNING

    def _names_word(self, answer: ProbeAnswer) -> bool:
        """Whether the rows that it brings hold the word: it was looked up."""
        if not self._is_much(answer):
            return False
        word = answer.query.text.casefold()
        named = sum(word in leaf.casefold() for leaf in self._fresh(answer))
        return named >= max(_ENOUGH_LINKS, len(self._links_of(answer, self._page)) / 2)

    def _is_much(self, answer: ProbeAnswer) -> bool:
        """Whether it brings much that the form's own page lacks: records may have no links."""
        fresh = len(self._fresh(answer))
        has_links = len(self._links_of(answer, self._page)) >= _ENOUGH_LINKS
        return fresh >= (_ENOUGH_LINKS if has_links else 2 * _ENOUGH_LINKS)

    def _fresh(self, answer: ProbeAnswer) -> tuple[str, ...]:
        return self._leaves_of(answer, self._page)

    @property
    def _words(self) -> list[ProbeAnswer]:
        return [one for one in self._answers if not one.query.is_nonsense]

    @property
    def _nothing(self) -> Page | None:
        return next((one.page for one in self._answers if one.query.is_nonsense), None)

    def _query(self, text: str, *, is_nonsense: bool = False) -> ProbeQuery:
        return ProbeQuery(text, is_nonsense, {self._name: text})

    def take(self, answer: ProbeAnswer) -> None:
        """The answer to the query that was given out last."""
        self._answers.append(answer)

    def read_findings(self) -> QuestionFindings:
        if not self._answers:
            return NOTHING_ASKED
        if all(one.status >= 400 for one in self._answers):
            statuses = ", ".join(sorted({str(one.status) for one in self._answers}))
            return QuestionFindings(CANNOT_TELL, f"every query gets an error ({statuses})")
        if self._is_settled():
            found = (True,) if len(self._words) == 1 else (False, True)
            return self._describe(self._answers[-1], self._page, found)
        sketches = [sketch_answer(one, self._texts) for one in self._answers]
        pairs = list(zip(self._answers, sketches, strict=True))
        words = [sketch for one, sketch in pairs if not one.query.is_nonsense]
        nothing = next((sketch for one, sketch in pairs if one.query.is_nonsense), None)
        if nothing is None:
            return _judge_vain(words[0], words[1:])
        is_found = tuple(is_looked_up(word, nothing) for word in words)
        if not any(is_found):
            return _judge_vain(nothing, words)
        if len(words) == 2 and all(is_found) and words[0].pieces == words[1].pieces:
            return QuestionFindings(CANNOT_TELL, "different words get one and the same answer")
        # The one that brought more tells more of what is in there.
        other = self._nothing or self._page
        brought = [one for one, found in zip(self._words, is_found, strict=True) if found]
        best = max(brought, key=lambda one: len(self._links_of(one, other)))
        return self._describe(best, other, is_found)

    def _describe(
        self, answer: ProbeAnswer, other: Page, is_found: tuple[bool, ...]
    ) -> QuestionFindings:
        links, leaves = self._links_of(answer, other), self._leaves_of(answer, other)
        why = f"{answer.query.text!r} brings {len(leaves)} texts and {len(links)} links"
        return QuestionFindings(YES, why, is_found[0], leaves, links, answer.page, is_found)

    @property
    def _texts(self) -> list[str]:
        return [one.query.text for one in self._answers]

    def _leaves_of(self, answer: ProbeAnswer, other: Page) -> tuple[str, ...]:
        """The texts of the answer that the other page lacks."""
        old = {leaf.casefold() for leaf in other.leaves} | set(map(str.casefold, self._texts))
        return tuple(leaf for leaf in answer.page.leaves if leaf and leaf.casefold() not in old)

    def _links_of(self, answer: ProbeAnswer, other: Page) -> tuple[Url, ...]:
        old = {link.target for link in other.links} | {answer.page.url}
        fresh = (link.target for link in answer.page.links if link.target not in old)
        return tuple(dict.fromkeys(fresh)) if answer.status < 400 else ()


def measure_prose(leaves: Sequence[str]) -> float:
    """The share of the words of these texts that stand in running text."""
    sizes = [leaf.count(" ") + 1 for leaf in leaves]
    return sum(size for size in sizes if size >= _LONG_TEXT) / max(1, sum(sizes))


def is_looked_up(found: AnswerSketch, nothing: AnswerSketch) -> bool:
    """Whether the answer to a word has much that the one to nonsense lacks."""
    if found.status >= 400:
        return False
    if nothing.status >= 400:
        return True
    fresh, lost = found.pieces - nothing.pieces, nothing.pieces - found.pieces
    least = max(_LEAST_FRESH, _MORE_THAN_LOST * len(lost))
    has_rows = found.repeats >= nothing.repeats + least
    return len(fresh) >= least or (has_rows and len(found.links - nothing.links) >= least)


def _judge_vain(nothing: AnswerSketch, words: Sequence[AnswerSketch]) -> QuestionFindings:
    if not words:
        return QuestionFindings(CANNOT_TELL, "one word brings little")
    if not all(are_alike(nothing, word) for word in words):
        return QuestionFindings(CANNOT_TELL, "words get little that nonsense does not get")
    if nothing.has_echo and all(word.has_echo for word in words):
        return QuestionFindings(
            CANNOT_TELL, "words find as little as nonsense; the answer names them"
        )
    return QuestionFindings(NO, "words and nonsense get the same answer")


class QuestionWords:
    """Which words to ask for, by what databases of this crawl answered to and hold.

    A word that nobody knows says nothing of a database: few titles of books hold "book". Words
    that records hold are heard in the answers, common ones first.
    """

    def __init__(self, topical: Sequence[str]) -> None:
        self._topical = tuple(topical)
        self._asked: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._heard: Counter[str] = Counter()
        """Databases whose records hold the word."""

    def choose(self, page: Page, form: Form) -> tuple[str, str]:
        """A word of the topic, or else of the page, and a common one; '' if there is none."""
        ranked = sorted(self._topical, key=lambda word: -self._hope(word))
        picked = pick_topical_words(page, form, ranked)
        own = COMMON_WORDS.get(page.language[:2].lower(), "the")
        heard = [word for word, _ in self._heard.most_common(MOST_QUERIES)]
        topical = picked[0] if picked else ""
        # Not twice the same: words of the topic are heard in answers too.
        others = dict.fromkeys(word for word in (own, *_EVERYWHERE, *heard) if word != topical)
        return topical, max(others, key=self._hope)

    def _hope(self, word: str) -> float:
        """That it finds something, by Laplace's rule."""
        held = self._heard[word]
        return (self._found[word] + held + 1) / (self._asked[word] + held + 2)

    def note(self, word: str, *, is_found: bool) -> None:
        """It was asked for."""
        self._asked[word] += 1
        self._found[word] += is_found

    def hear(self, leaves: Sequence[str]) -> None:
        """The texts of records that one database brought."""
        words = set(split_words(" ".join(leaves)[:_MOST_HEARD_CHARS]))
        self._heard.update(word for word in words if len(word) >= _LEAST_CHARS and word.isalpha())
        if len(self._heard) > _MOST_WORDS:
            self._heard = Counter(dict(self._heard.most_common(_MOST_WORDS // 2)))
