"""Words by their ids: hashes cannot be turned round, so whoever has the text notes them."""

from collections import Counter
from collections.abc import Iterable, Mapping

from leadline.core.page import Page
from leadline.page.words import WordIds, split_words, vocabulary
from leadline.topics.background import Background


class Spellings:
    """Collects how words are written; each page has one vote for each of its words."""

    def __init__(self) -> None:
        self._seen: dict[int, Counter[str]] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        """By language and word; 0 for what is no word."""

    def add(self, page: Page) -> None:
        for word in {*split_words(page.text), *split_words(page.title)}:
            if number := self._number(page.language, word):
                self._seen.setdefault(number, Counter())[word] += 1

    def _number(self, language: str, word: str) -> int:
        number = self._numbers.get((language, word))
        if number is None:
            number = 0 if word[0].isdigit() else vocabulary(language).word(word)
            self._numbers[language, word] = number
        return number

    def mostly(self) -> dict[int, str]:
        """The commonest spelling of each word; the first by alphabet among equals."""
        return {
            number: min(votes, key=lambda word: (-votes[word], word))
            for number, votes in self._seen.items()
        }


def spelled_on(pages: Iterable[Page]) -> dict[int, str]:
    """How the words of some pages are written."""
    spellings = Spellings()
    for page in pages:
        spellings.add(page)
    return spellings.mostly()


def spelling(words: WordIds, background: Background, own: Mapping[int, str]) -> tuple[str, ...]:
    """Each word as it is written; `?` for one that nobody noted."""
    known = dict(zip(background.words.tolist(), background.spelled, strict=True)) | dict(own)
    return tuple(known.get(number, "?") for number in words.tolist())
