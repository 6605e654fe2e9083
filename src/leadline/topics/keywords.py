"""Topics as short lists of words: enough to start a crawl with."""

from collections.abc import Iterable

import numpy as np

from leadline.forms.searchable import Reason
from leadline.page.words import PageWords, WordIds, Words, split_words, vocabulary, word_id

KEYWORDS: dict[str, tuple[str, ...]] = {
    "airfare": ("flight", "airfare", "airline", "depart", "return", "airport", "fare", "passenger"),
    "apartment": ("apartment", "rent", "bedroom", "bathroom", "lease", "flat", "property", "sqft"),
    "auto": ("car", "auto", "vehicle", "make", "model", "mileage", "dealer", "used", "engine"),
    "book": ("book", "author", "isbn", "title", "publisher", "paperback", "hardcover", "library"),
    "hotel": ("hotel", "room", "guest", "check-in", "stay", "resort", "inn", "suite", "night"),
    "job": ("job", "career", "employment", "salary", "resume", "employer", "vacancy", "hiring"),
    "movie": ("movie", "film", "actor", "director", "dvd", "cinema", "genre", "cast", "starring"),
    "music": ("music", "album", "artist", "song", "cd", "band", "track", "lyrics", "label"),
    "people": ("people", "person", "phone", "surname", "address", "directory", "faculty", "staff"),
    "product": ("product", "price", "shop", "store", "brand", "item", "buy", "sale", "camera"),
    "rental": ("rental", "rent", "car", "pick-up", "drop-off", "hire", "driver", "location"),
    "route": ("route", "map", "directions", "distance", "drive", "street", "destination", "trip"),
}
"""Written by hand."""

_HALF_AT = 0.02
"""Share of topic words at which a page is as likely on topic as not."""
_PRIOR_WORDS = 30.0
"""Added to a page's length, so that three words in a row do not make a topic."""


class KeywordTopic:
    """A topic known by some words. Those of a title weigh three times."""

    def __init__(self, name: str, words: Iterable[str]) -> None:
        self.name = name
        self.words = tuple(words)
        numbered = Words(self.words, vocabulary("en"))
        self._ids = np.unique(numbered.ids[numbered.ids > 0])
        self._spelled = {word_id(word): word for text in self.words for word in split_words(text)}

    def relevance(self, words: PageWords) -> float:
        """A degree of belief between 0 and 1 that the page of these words is about the topic."""
        body = words.body
        return self._belief(self._hits(body) + 3 * self._hits(words.title), len(body))

    def of_form(self, ids: WordIds, page_chance: float | None) -> float:
        """The same for the words of a form, or for its page if that is more."""
        return max(self._belief(self._hits(ids), len(ids)), page_chance or 0.0)

    def page_reasons(self, words: PageWords, most: int = 8) -> list[Reason]:
        """The topic's words that stand on the page, and how often."""
        return self._counted(np.concatenate([words.body, words.title]))[:most]

    def form_reasons(self, ids: WordIds) -> list[Reason]:
        """The topic's words that stand in the form, and how often."""
        return self._counted(ids)

    def _counted(self, ids: WordIds) -> list[Reason]:
        counts = [(self._spelled[number], float((ids == number).sum())) for number in self._spelled]
        return sorted([each for each in counts if each[1]], key=lambda each: (-each[1], each[0]))

    def _hits(self, ids: WordIds) -> int:
        if not len(self._ids):
            return 0
        places = np.searchsorted(self._ids, ids)
        return int((self._ids.take(places, mode="clip") == ids).sum())

    def _belief(self, hits: int, size: int) -> float:
        share = hits / (size + _PRIOR_WORDS)
        return share / (share + _HALF_AT)
