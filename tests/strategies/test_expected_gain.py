"""`expected_gain`: which of two links comes first, and why."""

from collections.abc import Sequence

import numpy as np
from msgspec import structs

from leadline.core.crawl import Candidate, CandidateId, JudgedForm, PageView, Priority
from leadline.core.page import Form, Link
from leadline.core.url import Url, site_of
from leadline.strategies.gain import ExpectedGainSettings, ExpectedGainStrategy
from leadline.strategies.gain.topic_reader import TopicReader
from leadline.strategies.tables import CellTable, RowTable
from leadline.strategies.topic_words import TopicWords
from leadline.testing.strategy_laws import add_features, make_view, make_visit


def make_gain(**settings: object) -> ExpectedGainStrategy:
    return ExpectedGainStrategy(ExpectedGainSettings.model_validate(settings))


def view_of(
    *links: tuple[str, str], url: str = "http://a.test/", relevance: float = 0.8, number: int = 1
) -> PageView:
    """A page with these links, as (target, anchor)."""
    met = tuple(
        Link(Url(target), anchor, n, n, "body/div/ul/li", n)
        for n, (target, anchor) in enumerate(links)
    )
    view = make_view([anchor for _, anchor in links], [], relevance, number)
    site = site_of(Url(url))
    page = structs.replace(view.page, url=Url(url), links=met)
    candidate = Candidate(Url(url), site, Priority(0, 1.0), 0, CandidateId(1))
    return structs.replace(
        view,
        candidate=candidate,
        page=page,
        links=met,
        site=structs.replace(view.site, site=site),
        sites=tuple(site_of(link.target) for link in met),
        repeats=(False,) * len(met),
    )


def scores(strategy: ExpectedGainStrategy, view: PageView) -> Sequence[float]:
    verdicts = strategy.rank(add_features(strategy, view))
    return [verdict.score for verdict in verdicts if isinstance(verdict, Priority)]


def follow(strategy: ExpectedGainStrategy, view: PageView, number: int, brought: PageView) -> None:
    """Learn from the page that a link of the view brought."""
    seen = add_features(strategy, view)
    link = view.links[number]
    candidate = Candidate(
        link.target,
        view.sites[number],
        Priority(0, 1.0),
        1,
        CandidateId(1),
        features=seen.features[number].tobytes(),
    )
    brought = structs.replace(brought, candidate=candidate)
    strategy.learn(add_features(strategy, brought), make_visit(brought))


def with_search_form(view: PageView) -> PageView:
    form = Form(view.page.url, Url("http://a.test/find"), "get", ())
    judged = JudgedForm(form, "search", 0.9, 0.1)
    return structs.replace(view, judgement=structs.replace(view.judgement, forms=(judged,)))


def test_a_link_to_a_search_comes_first_in_many_languages() -> None:
    for word in ("Search", "Suche", "Recherche", "Búsqueda", "Ricerca", "Поиск", "検索", "Haku"):
        view = view_of(("http://a.test/about", "About us"), ("http://a.test/x", word))
        about, search = scores(make_gain(), view)
        assert search > about, word


def test_without_the_link_model_both_are_alike() -> None:
    view = view_of(("http://a.test/about", "About"), ("http://a.test/other", "Search"))
    about, search = scores(make_gain(link_model=False), view)
    assert abs(about - search) < 0.01


def test_one_link_of_each_family_comes_before_more_of_one() -> None:
    strategy = make_gain()
    items = [(f"http://a.test/item/{n}", f"Item number {n}") for n in range(20)]
    view = view_of(*items, ("http://a.test/holdings", "Item"))
    follow(strategy, view, 0, view_of(url="http://a.test/item/0", number=2))
    ranked = scores(strategy, view)
    assert ranked[-1] > max(ranked[:-1])


def test_a_site_is_worth_less_after_pages_without_a_form() -> None:
    view = view_of(("http://b.test/", "B"), ("http://a.test/search", "Search"))
    fresh, tired = make_gain(), make_gain()
    for strategy, pages in ((fresh, 1), (tired, 30)):
        for number in range(pages):
            follow(strategy, view, 1, view_of(url=f"http://a.test/{number}", number=number + 2))
    assert scores(tired, view)[1] < scores(fresh, view)[1]


def test_what_links_said_of_a_form_is_learned_from_the_first_one_on() -> None:
    view = view_of(("http://a.test/zork", "Zork"), ("http://a.test/quux", "Quux"))
    strategy = make_gain(families=False)
    follow(strategy, view, 0, with_search_form(view_of(url="http://a.test/zork", number=2)))
    zork, quux = scores(strategy, view_of(("http://c.test/zork", "Zork"), ("http://c.test/q", "Q")))
    assert zork > quux


def test_words_of_the_topic_make_a_site_worth_entering() -> None:
    strategy = make_gain(words=("library", "book"))
    view = view_of(("http://gardens.test/", "Gardens"), ("http://libraries.test/", "Libraries"))
    gardens, libraries = scores(strategy, view)
    assert libraries > gardens


def test_a_topical_section_of_a_site_about_other_things_stands_out() -> None:
    strategy = make_gain(words=("book",))
    names = ("Films", "Cars", "Books", "News", "Jobs")
    view = view_of(*((f"http://a.test/{name.lower()}/", name) for name in names), relevance=0.01)
    ranked = scores(strategy, view)
    assert max(range(len(names)), key=ranked.__getitem__) == names.index("Books")


def test_links_of_a_page_whose_links_were_on_the_topic_rise() -> None:
    listed = [(f"http://site{n}.test/", f"Site {n}") for n in range(6)]
    view, good, bad = view_of(*listed, url="http://list.test/"), make_gain(), make_gain()
    for number in range(4):
        url = f"http://site{number}.test/"
        follow(good, view, number, view_of(url=url, relevance=0.99, number=number + 2))
        follow(bad, view, number, view_of(url=url, relevance=0.01, number=number + 2))
    assert scores(good, view)[5] > scores(bad, view)[5]


def test_for_pages_a_link_on_the_topic_comes_before_one_to_a_search() -> None:
    view = view_of(("http://a.test/search", "Search"), ("http://a.test/books", "Books"))
    search, books = scores(make_gain(words=("book",)), view)
    assert search > books
    search, books = scores(make_gain(words=("book",), goal="pages"), view)
    assert books > search


def test_for_sites_one_form_is_enough() -> None:
    view = view_of(("http://a.test/find", "Search"), ("http://a.test/more", "Advanced search"))
    left = {}
    for goal in ("forms", "sites"):
        strategy = make_gain(goal=goal)
        follow(strategy, view, 0, with_search_form(view_of(url="http://a.test/find", number=2)))
        left[goal] = scores(strategy, view)[1]
    assert left["sites"] < 0.5 * left["forms"]


def test_small_changes_leave_waiting_links_where_they_are() -> None:
    strategy = make_gain()
    rows = add_features(strategy, view_of(("http://a.test/find", "Search"))).features
    before = np.array([1.0], np.float32)
    strategy.rescore(np.zeros(1, np.int32), before, rows)
    close = before * np.float32(1.02)
    kept = close.copy()
    strategy.rescore(np.zeros(1, np.int32), close, rows)
    assert close == kept
    far = before * np.float32(1.5)
    strategy.rescore(np.zeros(1, np.int32), far, rows)
    assert far == before


def test_links_of_sites_that_have_no_turn_soon_are_not_sorted_anew() -> None:
    strategy = make_gain()
    good = [(f"http://good{n}.test/search", "Search") for n in range(300)]
    view = view_of(*good, ("http://poor.test/item/17-some-long-title", "17"))
    rows = add_features(strategy, view).features
    scores = np.full(len(rows), 1e-6, np.float32)
    strategy.rescore(np.zeros(len(rows), np.int32), scores, rows)
    has_moved = scores > 1e-3
    assert has_moved.sum() >= 128
    assert not has_moved[-1]


def test_words_near_a_link_count_as_far_as_five_words() -> None:
    leaves = ("here are books", "one two three four", "link", "one two three four five", "book")
    view = view_of(("http://a.test/x", "link"))
    link = structs.replace(view.links[0], first_leaf=2, last_leaf=2)
    page = structs.replace(view.page, leaves=leaves, links=(link,))
    view = structs.replace(view, page=page, links=(link,))
    # Of those before it the fifth is one, after it the sixth.
    assert TopicReader(["books"]).weigh_links(view) == [0.5]


def test_a_new_site_is_entered_at_its_home_page() -> None:
    strategy = make_gain()
    view = add_features(strategy, view_of(("http://b.test/deep/page", "B")))
    assert [extra.url for extra in strategy.extra_urls(view)] == ["http://b.test/"]
    assert not make_gain(home_first=False).extra_urls(view)


def test_it_says_in_words_why_a_link_is_wanted() -> None:
    strategy = make_gain()
    view = add_features(strategy, view_of(("http://a.test/search", "Search")))
    link = view.links[0]
    candidate = Candidate(
        *(link.target, view.sites[0], Priority(0, 1.0), 1, CandidateId(1), link.anchor),
        features=view.features[0].tobytes(),
    )
    said = dict(strategy.explain_rank(candidate))
    assert said["anchor: search"] > 0
    assert 0 < said["the link leads to it"] < 1


def test_topic_words_are_found_in_other_forms_and_in_compounds() -> None:
    words = TopicWords(["library", "Entscheidungen", "映画"])
    for text in ("public libraries", "Entscheidungssammlung", "日本映画"):
        assert words.find(text), text
    assert not words.find("liberal")


def test_words_with_blanks_are_found_in_one_line_only() -> None:
    words = TopicWords(["case law", "court"])
    assert words.find("Case\nlaws of the courts") == ["cour"]
    assert sorted(words.find("case laws of the courts")) == ["case l", "cour"]
    assert words.find("/Courts/list?x=court") == ["cour", "cour"]


def test_short_words_are_found_where_a_word_begins() -> None:
    words = TopicWords(["inn", "art"])
    assert words.find("Inns by the beginning of a smart /art_inn/") == ["inn", "art", "inn"]


def test_rows_of_keys_that_share_a_cell_are_told_apart() -> None:
    table = RowTable((0.0,))
    keys = [5 + (number << 20) for number in range(4)]
    for key in keys[:3]:
        table.row(key)[0] = key
    rows, known = table.find(np.array([*keys, 0], np.int32))
    assert rows[:, 0].tolist() == [*keys[:3], 0.0, 0.0]
    assert known.tolist() == [True, True, True, False, False]


def test_a_full_table_keeps_its_rows_when_saved() -> None:
    table, copy = RowTable((0.0, 1.0)), RowTable((0.0, 1.0))
    for key in range(1, 3_000):
        table.row(key)[0] = key
    copy.load(table.save())
    assert copy.peek(2_500).tolist() == [2_500.0, 1.0]
    assert copy.peek(5_000).tolist() == [0.0, 1.0]
    cells, same = CellTable(), CellTable()
    cells.add(np.array([3, 3, 7], np.int32), 1.0)
    same.load(cells.save())
    assert same.get(np.array([3, 7, 8], np.int32)).tolist() == [2.0, 1.0, 0.0]
