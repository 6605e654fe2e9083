from leadline.core.page import Link
from leadline.core.url import Site, Url
from leadline.page.navigation import Navigation

SITE = Site("a.test")


def links(*names: str) -> list[Link]:
    return [Link(Url(f"http://a.test/{n}"), n, 0, 0, "body", i) for i, n in enumerate(names)]


def test_a_link_on_most_pages_is_navigation() -> None:
    navigation = Navigation()
    for page in ("1", "2", "3"):
        assert navigation.repeats(SITE, links("home", page), (0, 1)) == (False, False)
    assert navigation.repeats(SITE, links("home", "4"), (0, 1)) == (True, False)
    assert navigation.repeats(Site("b.test"), links("home"), (0,)) == (False,)
