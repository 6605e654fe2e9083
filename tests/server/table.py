"""The table of resources, filled by a decorator."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.server.wire import Ask

Resource = Callable[[Ask, asyncio.StreamWriter, int], Awaitable[bool]]
"""Takes how often its path was asked for, this time included; True keeps the connection."""

RESOURCES: dict[str, Resource] = {}


def resource(function: Resource) -> Resource:
    RESOURCES[getattr(function, "__name__", "")] = function
    return function
