"""One attribute of all records: which hold a word, a row of words, a value between two others."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from leadline.page.words import split_words
from leadline_lab.databases.values import Entries, WordEntries

Rows = NDArray[np.int32]
"""Record numbers, rising."""
Mask = NDArray[np.bool_]

_BLOCK = 1 << 16
"""Records inverted at once: their codes fit a processor's cache and their numbers 16 bits."""


class Column:
    """The codes of all records in one attribute, and where each code stands."""

    def __init__(self, entries: Entries, size: int) -> None:
        self.name = entries.attribute.name
        self.entries = entries
        self.size = size
        blocks = [
            entries.codes(np.arange(first, min(first + _BLOCK, size), dtype=np.int64))
            for first in range(0, size, _BLOCK)
        ]
        self.codes = np.concatenate(blocks)

    @cached_property
    def spellings(self) -> dict[str, list[tuple[int, int]]]:
        """Where each word stands: codes of entries and places in them."""
        if isinstance(self.entries, WordEntries):
            return {word: [(code, 0)] for code, word in enumerate(self.entries.words) if code}
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for code in range(1, len(self.entries)):
            for place, word in enumerate(split_words(self.entries.entry(code))):
                found[word].append((code, place))
        return dict(found)

    def words(self) -> Iterator[str]:
        return iter(self.spellings)

    def occurrences(self, word: str) -> Rows:
        """Records that hold the word, as often as they hold it."""
        codes = [code for code, _ in self.spellings.get(word, ())]
        if len(codes) == 1:
            return self.at_code(codes[0])
        found = [self.at_code(code) for code in codes]
        return np.sort(np.concatenate(found)) if found else np.zeros(0, np.int32)

    def at_code(self, code: int) -> Rows:
        parts = [
            numbers[starts[code] : starts[code + 1]].astype(np.int32) + np.int32(block * _BLOCK)
            for block, (numbers, starts) in enumerate(self._inverted)
        ]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def holding(self, words: Sequence[str], inside: bool = False) -> Mask:
        """Records that hold the words in a row; `inside`: the first and the last may be cut."""
        found = np.zeros(self.size, np.bool_)
        spelled = self._spelled
        places = self.codes.shape[1] * spelled.shape[1]
        if len(words) > places:
            return found
        allowed = [self._allowed(word, *ends) for word, ends in _cuts(words, inside)]
        if not all(mask.any() for mask in allowed):
            return found
        begins = np.any(allowed[0][spelled], axis=1)
        for first in range(0, self.size, _BLOCK):
            codes = self.codes[first : first + _BLOCK]
            rows = np.flatnonzero(np.any(begins[codes], axis=1))
            tokens = spelled[codes[rows]].reshape(len(rows), places)
            found[first + rows[_stand_in_a_row(tokens, allowed)]] = True
        return found

    def between(self, low: int, high: int) -> Mask:
        """Records with an amount from low to high, both included."""
        amounts = self.entries.amounts[1:]
        first = 1 + int(np.searchsorted(amounts, low, "left"))
        last = int(np.searchsorted(amounts, high, "right"))
        codes = self.codes[:, 0]
        return (codes >= first) & (codes <= last)

    def code_of(self, text: str) -> int:
        """The entry that reads like this but for case and punctuation; 0 for none."""
        return self._by_text.get(" ".join(split_words(text)), 0)

    @cached_property
    def _by_text(self) -> dict[str, int]:
        count = len(self.entries)
        return {" ".join(split_words(self.entries.entry(n))): n for n in range(1, count)}

    @cached_property
    def _inverted(self) -> list[tuple[NDArray[np.uint16], NDArray[np.int64]]]:
        """Of each block the records in the order of their codes, and where each code begins."""
        return [self._invert(first) for first in range(0, self.size, _BLOCK)]

    def _invert(self, first: int) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        codes = self.codes[first : first + _BLOCK]
        order = codes.ravel().argsort(kind="stable")
        counts = np.bincount(codes.ravel(), minlength=len(self.entries))
        empty = int(counts[0])
        starts = np.concatenate((np.zeros(1, np.int64), counts.cumsum())) - empty
        return (order[empty:] // codes.shape[1]).astype(np.uint16), starts.clip(0)

    @cached_property
    def _spelled(self) -> NDArray[np.int32]:
        """The words of each entry, as places in `words` from 1 on; 0 for none."""
        width = 1 + max((place for row in self.spellings.values() for _, place in row), default=0)
        table = np.zeros((len(self.entries), width), np.int32)
        for number, row in enumerate(self.spellings.values(), 1):
            for code, place in row:
                table[code, place] = number
        return table

    def _allowed(self, word: str, starts: bool, ends: bool) -> Mask:
        """The words that fit; `starts`, `ends`: whether they must start or end with this one."""
        if starts and ends:
            fits = [word == other for other in self.spellings]
        elif starts:
            fits = [other.startswith(word) for other in self.spellings]
        elif ends:
            fits = [other.endswith(word) for other in self.spellings]
        else:
            fits = [word in other for other in self.spellings]
        return np.array([False, *fits], np.bool_)


class CodeColumn:
    """Numbers no two records share. Looked through rather than indexed."""

    def __init__(self, name: str, numbers: NDArray[np.int64]) -> None:
        self.name = name
        self._numbers = numbers
        self._digits = len(str(numbers[0])) if len(numbers) else 0

    def words(self) -> Iterator[str]:
        return map(str, self._numbers.tolist())

    def occurrences(self, word: str) -> Rows:
        return np.flatnonzero(self.holding((word,))).astype(np.int32)

    def holding(self, words: Sequence[str], inside: bool = False) -> Mask:
        word = words[0]
        is_number = len(words) == 1 and word.isascii() and word.isdigit()
        spare = self._digits - len(word)
        found = np.zeros(len(self._numbers), np.bool_)
        if not is_number or spare < 0 or (spare and not inside):
            return found
        for power in range(spare + 1):
            found |= self._numbers // 10**power % 10 ** len(word) == int(word)
        return found


def _cuts(words: Sequence[str], inside: bool) -> Iterator[tuple[str, tuple[bool, bool]]]:
    """Each word and whether the word it stands for must start and end with it."""
    last = len(words) - 1
    for place, word in enumerate(words):
        yield word, (not inside or place > 0, not inside or place < last)


def _stand_in_a_row(tokens: NDArray[np.int32], allowed: Sequence[Mask]) -> Mask:
    span = tokens.shape[1] - len(allowed) + 1
    hits = np.take(allowed[0], tokens[:, :span])
    for place, mask in enumerate(allowed[1:], 1):
        hits &= np.take(mask, tokens[:, place : place + span])
    found: Mask = np.logical_or.reduce(hits, axis=1)
    return found
