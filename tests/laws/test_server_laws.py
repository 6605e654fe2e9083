"""The laws of turns at shared servers, run on every store."""

from collections.abc import Iterator

import pytest

from leadline.core.servers import HOLD_S, HORIZON_S, ServerRequest
from leadline.core.url import Site
from tests.store.worlds import STORE_WORLDS, StoreWorld

SPACING_S = 0.5


@pytest.fixture(params=sorted(STORE_WORLDS))
def world(request: pytest.FixtureRequest) -> Iterator[StoreWorld]:
    with STORE_WORLDS[request.param](request) as opened:
        yield opened


def ask(number: int, *servers: str, spacing_s: float = SPACING_S) -> ServerRequest:
    named = tuple((server, spacing_s) for server in servers or ("address 192.0.2.1",))
    return ServerRequest(Site(f"h{number}.example"), named)


def test_two_machines_together_keep_the_spacing_of_a_server(world: StoreWorld) -> None:
    """Each site comes back when it is told to; nobody else is in the way."""
    stores = [world.open(machine) for machine in "ab"]
    due = dict.fromkeys(range(12), 0.0)
    at, starts = 0.0, []
    while due:
        number = min(due, key=lambda n: due[n])
        world.wait(max(0.0, due[number] - at))
        at = max(at, due[number])
        (turn,) = stores[number % 2].servers.reserve([ask(number)])
        if turn.is_ours:
            assert turn.wait_s <= HOLD_S + 1e-6
            starts.append(at + turn.wait_s)
            del due[number]
        else:
            due[number] = at + turn.wait_s
    assert sorted(starts) == pytest.approx([SPACING_S * n for n in range(12)], abs=1e-3)


def test_turns_of_one_call_are_spaced_too(world: StoreWorld) -> None:
    turns = world.open("a").servers.reserve([ask(n) for n in range(5)])
    assert [turn.wait_s for turn in turns] == pytest.approx([0.0, 0.5, 1.0, 1.5, 2.0], abs=1e-3)
    assert [turn.is_ours for turn in turns] == [True, True, True, False, False]


def test_a_site_with_two_servers_waits_for_both(world: StoreWorld) -> None:
    servers = world.open("a").servers
    servers.reserve([ask(0, "address 192.0.2.1"), ask(1, "domain a.example")])
    (turn,) = servers.reserve([ask(2, "address 192.0.2.1", "domain b.example")])
    assert turn.wait_s == pytest.approx(SPACING_S, abs=1e-3)
    (other,) = servers.reserve([ask(3, "address 192.0.2.9", "domain c.example")])
    assert other.wait_s == 0.0


def test_who_comes_late_to_a_turn_does_not_leave_together_with_the_next(world: StoreWorld) -> None:
    servers = world.open("a").servers
    # Turns at 0, 0.5, 1, and booked ones at 1.5 and 2.
    servers.reserve([ask(n) for n in range(5)])
    world.wait(2.0)
    late, next_one = servers.reserve([ask(3), ask(4)])
    assert late.is_ours
    assert next_one.is_ours
    assert next_one.wait_s - late.wait_s >= SPACING_S - 1e-3


def test_turns_are_not_booked_beyond_the_horizon(world: StoreWorld) -> None:
    servers = world.open("a").servers
    many = int(HORIZON_S / SPACING_S) + 20
    turns = servers.reserve([ask(n) for n in range(many)])
    assert max(turn.wait_s for turn in turns) <= HORIZON_S + 1e-3
    # Those that have none come back before the line runs dry.
    assert HORIZON_S / 4 < turns[-1].wait_s < HORIZON_S


def test_the_spacing_holds_when_a_clock_is_set(world: StoreWorld) -> None:
    store = world.open("a")
    store.links.wait_s()
    store.servers.reserve([ask(0)])
    world.set_clock(3600.0)
    store.learning.claim("look at the clock", "w", 1.0)
    (turn,) = store.servers.reserve([ask(1)])
    assert turn.wait_s == pytest.approx(SPACING_S, abs=0.6)


def test_sharing_counts_sites_and_those_that_wait(world: StoreWorld) -> None:
    servers = world.open("a").servers
    assert servers.describe_sharing().servers == 0
    servers.reserve([ask(n, "address 192.0.2.1", f"domain h{n}.example") for n in range(5)])
    servers.reserve([ask(7, "address 192.0.2.7")])
    shared = world.open("b").servers.describe_sharing()
    assert (shared.servers, shared.sites, shared.waiting) == (1, 5, 2)
    assert [(one.name, one.sites, one.waiting) for one in shared.most] == [
        ("address 192.0.2.1", 5, 2)
    ]
