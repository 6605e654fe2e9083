"""One request at a time per site, and a pause between two."""

import asyncio
import itertools
import time

import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.url import Site
from leadline.errors import SiteBusyError
from leadline.web.politeness import Gate, SharedServers, parse_retry_after
from leadline.web.settings import PolitenessSettings
from tests.web.rig import Clock

A = Site("a.test")
URL = "http://a.test/"


def gate_of(now: Clock | None = None, quiet_until: float = 0.0, **settings: float) -> Gate:
    return Gate(PolitenessSettings(**settings), now or Clock(), quiet_until)


async def pass_through(gate: Gate, site: Site = A, latency_s: float | None = 0.0) -> float:
    """The loop's time at which the turn began."""
    turn = await gate.enter(site, URL)
    at = asyncio.get_running_loop().time()
    gate.leave(turn, latency_s)
    return at


async def test_two_turns_of_a_site_lie_a_pause_apart() -> None:
    gate = gate_of(delay_s=0.05)
    times = sorted(await asyncio.gather(*(pass_through(gate) for _ in range(4))))
    assert all(later - earlier >= 0.05 for earlier, later in itertools.pairwise(times))


async def test_different_sites_do_not_wait_for_each_other() -> None:
    gate = gate_of(delay_s=30.0)
    times = await asyncio.gather(*(pass_through(gate, Site(f"{n}.test")) for n in range(50)))
    assert max(times) - min(times) < 25


async def test_the_pause_counts_from_the_end_of_the_answer() -> None:
    gate = gate_of(delay_s=0.05)
    loop = asyncio.get_running_loop()
    turn = await gate.enter(A, URL)
    waiting = asyncio.create_task(gate.enter(A, URL))
    await asyncio.sleep(0)
    assert not waiting.done()
    left_at = loop.time()
    gate.leave(turn, 0.0)
    gate.leave(await waiting, 0.0)
    assert loop.time() - left_at >= 0.05


def test_the_pause_is_whole_where_the_loop_tells_an_old_time() -> None:
    async def two_turns() -> float:
        gate = gate_of(delay_s=0.05)
        turn = await gate.enter(A, URL)
        time.sleep(0.03)  # noqa: ASYNC251 (the loop is busy with something else)
        left_at = time.monotonic()
        gate.leave(turn, 0.0)
        gate.leave(await gate.enter(A, URL), 0.0)
        return time.monotonic() - left_at

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(two_turns()) >= 0.05


async def test_a_long_pause_is_not_sat_out() -> None:
    gate = gate_of(delay_s=0.0, max_hold_s=1.0)
    gate.postpone(A, 100.0)
    with pytest.raises(SiteBusyError) as caught:
        await gate.enter(A, URL)
    assert caught.value.retry_after_s == pytest.approx(100, abs=30)


async def test_refusals_double_the_pause_and_answers_halve_it() -> None:
    gate = gate_of(delay_s=0.0, first_backoff_s=2.0, max_delay_s=10.0)
    waits = [gate.slow_down(A, None) for _ in range(4)]
    assert waits == pytest.approx([2, 4, 8, 10], abs=0.1)
    turn = gate._turns[A]
    turn.ready = 0.0
    pauses = []
    for _ in range(5):
        await pass_through(gate)
        pauses.append(gate.delay_of(A))
        turn.ready = 0.0
    assert pauses == [5.0, 2.5, 1.25, 0.625, 0.0]


async def test_retry_after_counts_when_it_is_longer_up_to_a_limit() -> None:
    gate = gate_of(delay_s=0.0, max_retry_after_s=100.0)
    assert gate.slow_down(A, 60.0) == pytest.approx(60, abs=0.1)
    assert gate.slow_down(A, 9e9) == pytest.approx(100, abs=0.1)


async def test_a_slow_site_gets_longer_pauses() -> None:
    gate = gate_of(delay_s=0.0, slow_answer_s=0.5, slowdown=3.0, max_delay_s=5.0)
    await pass_through(gate, latency_s=1.0)
    assert gate.delay_of(A) == 0.0
    for _ in range(3):
        gate._turns[A].ready = 0.0
        await pass_through(gate, latency_s=1.0)
    assert 1.5 < gate.delay_of(A) < 3.0
    gate._turns[A].ready = 0.0
    await pass_through(gate, latency_s=100.0)
    assert gate.delay_of(A) == 5.0


async def test_ready_at_speaks_wall_clock_and_survives_its_jumps() -> None:
    clock = Clock()
    gate = gate_of(clock, delay_s=10.0)
    await pass_through(gate)
    assert gate.ready_at(A) == pytest.approx(clock() + 10, abs=0.5)
    clock.ahead_s -= 1e6
    assert gate.ready_at(A) == pytest.approx(clock() + 10, abs=0.5)
    assert gate.ready_at(Site("other.test")) <= clock()


async def test_nothing_is_asked_before_the_quiet_ends() -> None:
    clock = Clock()
    gate = gate_of(clock, quiet_until=clock() + 100, max_hold_s=1.0)
    with pytest.raises(SiteBusyError):
        await gate.enter(A, URL)
    assert gate.ready_at(Site("other.test")) == pytest.approx(clock() + 100, abs=0.5)


async def test_a_restored_site_rests_as_long_as_it_was_told() -> None:
    clock = Clock()
    gate = gate_of(clock, delay_s=1.0)
    gate.restore(A, clock() + 50, 7.0)
    assert gate.ready_at(A) == pytest.approx(clock() + 50, abs=0.5)
    assert gate.delay_of(A) == 7.0


async def test_a_restored_moment_from_a_wrong_clock_is_capped() -> None:
    clock = Clock()
    gate = gate_of(clock, max_retry_after_s=60.0, max_delay_s=60.0)
    gate.restore(A, clock() + 1e9, 1.0)
    assert gate.ready_at(A) <= clock() + 61


async def test_a_cancelled_wait_leaves_the_turn_to_the_next() -> None:
    gate = gate_of(delay_s=0.02)
    held = await gate.enter(A, URL)
    queued = asyncio.create_task(gate.enter(A, URL))
    resting = asyncio.create_task(pass_through(gate))
    await asyncio.sleep(0)
    queued.cancel()
    await asyncio.gather(queued, return_exceptions=True)
    gate.leave(held, 0.0)
    await resting
    sitting = asyncio.create_task(gate.enter(A, URL))
    await asyncio.sleep(0)
    sitting.cancel()
    await asyncio.gather(sitting, return_exceptions=True)
    await pass_through(gate)
    assert gate._turns[A].users == 0


async def test_idle_sites_are_forgotten_and_resting_ones_are_not() -> None:
    gate = gate_of(delay_s=0.0, max_sites=10)
    gate.postpone(A, 100.0)
    for n in range(50):
        await pass_through(gate, Site(f"{n}.test"))
    assert len(gate._turns) <= 11
    assert A in gate._turns


@given(st.text(max_size=80))
def test_any_retry_after_is_a_wait_or_nothing(value: str) -> None:
    seconds = parse_retry_after(value, 1e9)
    assert seconds is None or 0 <= seconds < float("inf")


class TestSharedServers:
    """Sites that share a server are not asked as if each had its own."""

    async def test_one_address_gets_so_many_sites_worth_of_requests(self) -> None:
        at = [0.0]
        settings = PolitenessSettings(delay_s=1.0, sites_per_address=4)
        servers = SharedServers(settings, clock=lambda: at[0])
        asked = {Site(f"h{n}.example"): 0.0 for n in range(100)}
        starts = []
        while asked:
            site, at[0] = min(asked.items(), key=lambda pair: pair[1])
            turn = await servers.reserve(site, "192.0.2.1")
            if turn.is_ours:
                starts.append(at[0] + turn.wait_s)
                del asked[site]
            else:
                asked[site] = at[0] + turn.wait_s
        gaps = [later - earlier for earlier, later in itertools.pairwise(sorted(starts))]
        assert min(gaps) >= 0.25
        # A fifth more than the share, and no time is lost.
        assert max(starts) == pytest.approx(99 * 0.3)

    async def test_hosts_of_one_domain_share_its_pause_whatever_their_addresses(self) -> None:
        settings = PolitenessSettings(delay_s=1.0, sites_per_domain=2)
        servers = SharedServers(settings, clock=lambda: 0.0)
        turns = [await servers.reserve(Site(f"s{n}.one.example"), f"192.0.2.{n}") for n in range(4)]
        assert [turn.wait_s for turn in turns] == pytest.approx([0.0, 0.6, 1.2, 1.8])
        assert [turn.is_ours for turn in turns] == [True, True, False, False]
        assert (await servers.reserve(Site("other.example"), "192.0.2.99")).wait_s == 0.0

    async def test_a_resumed_crawl_lets_every_server_rest_first(self) -> None:
        settings = PolitenessSettings(delay_s=60.0, sites_per_address=1, sites_per_domain=0)
        servers = SharedServers(settings, is_resuming=True, clock=lambda: 5.0)
        turn = await servers.reserve(Site("a.example"), "192.0.2.1")
        assert not turn.is_ours
        assert turn.wait_s == pytest.approx(60.0)

    def test_without_a_delay_or_with_limits_lifted_nothing_is_spaced(self) -> None:
        assert not SharedServers(PolitenessSettings(delay_s=0.0)).spacing.is_limited
        lifted = PolitenessSettings(sites_per_address=0, sites_per_domain=0)
        assert not SharedServers(lifted).spacing.is_limited
