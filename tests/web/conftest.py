"""Servers for the tests of the web package."""

from collections.abc import AsyncIterator

import pytest

from tests.server.misbehaving import MisbehavingServer


@pytest.fixture
async def server() -> AsyncIterator[MisbehavingServer]:
    async with MisbehavingServer() as running:
        yield running
