"""Values to try in boxes that ask for one kind of thing, when nothing better is known yet."""

from collections.abc import Sequence

from leadline.harvester.interface import Box, Span

_SAMPLES: dict[str, tuple[str, ...]] = {
    "year": ("2015", "2008", "2001"),
    "number": ("1", "2", "10"),
    "price": ("100", "20", "500"),
    "date": ("2015-06-01", "2020-01-01"),
    "person": ("smith", "martin", "garcia"),
    "place:city": ("london", "paris", "berlin"),
    "place:country": ("france", "germany", "spain"),
    "place:region": ("california", "bayern", "ontario"),
    "place:zip": ("10001", "10115", "75001"),
    "place": ("london", "paris", "berlin"),
}
"""Common ones, by meaning; those of other boxes are words."""
_SPANS: dict[str, tuple[str, str]] = {
    "year": ("1900", "2100"),
    "number": ("0", "1000000"),
    "price": ("0", "1000000"),
    "date": ("1900-01-01", "2099-12-31"),
}
"""Wide enough to hold everything."""
_STOP_WORDS = dict(
    line.split()
    for line in """
    en the|de der|fr les|es los|it che|pt para|nl het|sv och|da det|no det|fi ja|pl nie|cs jako
    |sk ako|hu hogy|ro pentru|tr bir|ru что|uk що|bg за|el και|hr kao|sl kot|id yang|vi các
    |ca els|et ning|lt kad|lv kas|he של|ar في|fa که
    """.replace("\n", "").split("|")
)
"""One word for each language that nearly every longer text has."""


def values_for(box: Box, words: Sequence[str]) -> list[str]:
    """What to type into a box, best first."""
    kind, _, part = box.meaning.partition(":")
    typical = _SAMPLES.get(f"{kind}:{part}") or _SAMPLES.get(kind, ())
    return [*typical, *words]


def whole_span(span: Span) -> dict[str, str] | None:
    """The widest range; None where what to type is not known."""
    if span.lows and span.highs:
        return {span.low: span.lows[0], span.high: span.highs[-1]}
    ends = _SPANS.get(span.meaning.partition(":")[0])
    return {span.low: ends[0], span.high: ends[1]} if ends else None


def parts_of(span: Span) -> list[dict[str, str]]:
    """Two halves of a range that is chosen from lists; nothing for one that is typed."""
    if len(span.lows) < 2 or len(span.highs) < 2:
        return []
    half = len(span.highs) // 2
    low = {span.low: span.lows[0], span.high: span.highs[max(half - 1, 0)]}
    return [low, {span.low: span.lows[len(span.lows) // 2], span.high: span.highs[-1]}]


def empty_span(span: Span) -> dict[str, str] | None:
    """A range that ends before it begins: nothing can match it."""
    if len(span.lows) < 2 or len(span.highs) < 2:
        return None
    return {span.low: span.lows[-1], span.high: span.highs[0]}


def stop_word(language: str) -> str:
    """A word that nearly every text of the language has; '' for languages without one here."""
    return _STOP_WORDS.get(language, "")
