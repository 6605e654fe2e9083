"""Which part of the experiment over many makers is to be run: what its command takes."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

_ALL = "; all of them otherwise."
_several = Parameter(consume_multiple=True, negative=())


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Of each kind those named; () for all."""

    profiles: Annotated[
        tuple[str, ...], _several, Parameter(help="Only these profiles" + _ALL)
    ] = ()
    domains: Annotated[tuple[str, ...], _several, Parameter(help="Only these domains" + _ALL)] = ()
    seeds: Annotated[
        tuple[int, ...], _several, Parameter(help="Only worlds of these seeds" + _ALL)
    ] = ()
    budgets: Annotated[
        tuple[int, ...], _several, Parameter(help="Only these budgets, in requests" + _ALL)
    ] = ()
    strategies: Annotated[
        tuple[str, ...],
        _several,
        Parameter(
            help="Only these strategies, each with settings if need be "
            "(expected_gain:link_model=false)" + _ALL
        ),
    ] = ()
    critics: Annotated[
        tuple[str, ...], _several, Parameter(help="Critics to judge by; `pack` otherwise.")
    ] = ()
    knowledge: Annotated[
        tuple[str, ...],
        _several,
        Parameter(
            help="What all strategies know before they begin: none, words of the topic, or words "
            "and what one earlier crawl of another web saw (crawl); `crawl` otherwise."
        ),
    ] = ()


WHOLE = Narrowing()
