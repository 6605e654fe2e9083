"""Which site comes next, whatever the clock does."""

from leadline.frontier.sites import SiteOrder, SiteQueue, link_entry


def test_a_clock_that_goes_back_lets_sites_rest_again() -> None:
    order, best, other = SiteOrder(), SiteQueue(0), SiteQueue(1)
    order.queues = [best, other]
    best.heap, other.heap = [link_entry(0, 1, 0)], [link_entry(5, 2, 1)]
    order.place_all()
    assert order.pop(2.0) is best
    best.ready_at = 2.0
    order.place(best)
    assert order.pop(1.0) is other
    order.place(other)
    assert order.next_ready() == 0.0
    assert order.pop(1.0) is other
    assert order.pop(2.0) is best
