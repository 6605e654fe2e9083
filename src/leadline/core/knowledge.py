"""What a strategy has learned, as people read it: one shape for all strategies.

`Strategy.describe_knowledge` returns it as plain JSON values; `msgspec.convert(value, Knowledge)`
reads it. A strategy may add keys of its own (queue sizes over time, results of backlink queries),
which readers that do not know them ignore.
"""

from msgspec import Struct


class KnowledgeStep(Struct, frozen=True):
    """What the strategy knew after it learned once."""

    number: int
    """From 1, among those remembered: after a hundred steps, early ones are forgotten."""
    pages: int
    """Pages read until then."""
    features: dict[str, list[str]]
    """The words that count, strongest first, by where they stand: `anchor`, `around` ..."""
    fresh: dict[str, list[str]]
    """Those that were not among them in the step before."""


class Knowledge(Struct, frozen=True):
    """Everything a strategy has learned."""

    iterations: list[KnowledgeStep]
    """In order; empty for a strategy that does not learn while it crawls."""
    weights: dict[str, list[tuple[str, float]]]
    """Of each model in use: features in words (`anchor: search`) and how much each counts for
    (above 0) or against, strongest first."""
    notes: list[str]
    """What is missing, and why: never empty if iterations or weights are."""
