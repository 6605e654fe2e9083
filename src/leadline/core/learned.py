"""What a strategy has learned, as people read it: one shape for all strategies.

`Strategy.learned` gives it as plain JSON values; `msgspec.convert(told, Learned)` reads it. A
strategy may tell more under keys of its own (queues over time, what asking who links to a site
came to): whoever does not know them passes them over.
"""

from msgspec import Struct


class LearnedIteration(Struct, frozen=True):
    """What was known after one learning."""

    number: int
    """From 1, among those remembered: of a hundred and more, early ones are forgotten."""
    pages: int
    """Pages read until then."""
    features: dict[str, list[str]]
    """The words that count, strongest first, by the space they stand in: `anchor`, `around` ..."""
    fresh: dict[str, list[str]]
    """Those that were not there the time before."""


class Learned(Struct, frozen=True):
    """Everything a strategy has learned."""

    iterations: list[LearnedIteration]
    """In order; none for a strategy that does not learn while it crawls."""
    weights: dict[str, list[tuple[str, float]]]
    """Of each model it ranks by now: features in words (`anchor: search`) and what each counts
    for (above 0) or against, strongest first."""
    notes: list[str]
    """What there is not, and why: never empty where iterations or weights are."""
