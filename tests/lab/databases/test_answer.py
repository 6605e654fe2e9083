"""Answers keep to their source's behaviour, page by page, whatever they are asked."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.lab.databases.sample import (
    BOX,
    NOW,
    ask,
    index,
    lexicon,
    next_request,
    record_url,
    source,
    walk,
)

from leadline_lab.databases import (
    Answer,
    Behaviour,
    Bound,
    Index,
    behaviour,
    grid,
    hidden_controls,
    hidden_values,
    names_of,
    read_query,
    record,
    record_page,
    respond,
)
from leadline_lab.databases.kinds import (
    CAPS,
    LAYOUTS,
    PAGE_SIZES,
    PAGINGS,
    RANKINGS,
    SEMANTICS,
    TOTALS,
)
from leadline_lab.databases.ranking import ranked
from leadline_lab.markup.model import Facts, FormModel, Links, Listing, Prose

FORM: Bound = {"q": "*", "genre": "genre", "price_min": "price:min", "year": "year"}


def said(answer: Answer) -> str:
    return " ".join(
        str(part)
        for block in answer.blocks
        if isinstance(block, Prose)
        for paragraph in block.paragraphs
        for part in paragraph
    )


def listed(answer: Answer) -> Listing:
    return next(block for block in answer.blocks if isinstance(block, Listing))


@pytest.mark.parametrize("paging", PAGINGS)
@pytest.mark.parametrize("ranking", ["static", "relevance"])
def test_walking_meets_every_result_once(paging: str, ranking: str) -> None:
    found = index(paging=paging, ranking=ranking, page_size=10)
    query = {"q": "ne", "genre": "Crime"}
    pages = list(walk(found, query, FORM))
    shown = [number for page in pages for number in page.shown]
    assert len(pages) > 3
    assert len(shown) == len(set(shown)) == pages[0].matched
    assert sorted(shown) == found.matches(read_query(found.source, FORM, query)).tolist()


@pytest.mark.parametrize("paging", PAGINGS)
@pytest.mark.parametrize("cap", CAPS)
def test_caps_are_kept(cap: int, paging: str) -> None:
    found = index(1500, paging=paging, cap=cap, page_size=25)
    pages = list(walk(found, {"q": ""}))
    assert sum(len(page.shown) for page in pages) == (cap or 1500)
    assert {page.matched for page in pages} == {1500}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_items_are_the_shown_records(layout: str) -> None:
    answer = ask(index(layout=layout), {"q": "ne"})
    items = listed(answer).items
    assert listed(answer).layout == layout
    assert [item.anchor.href for item in items] == [record_url(n) for n in answer.shown]
    titles = [record(source(), lexicon(), n).title for n in answer.shown]
    assert [item.anchor.text for item in items] == titles


def test_a_source_without_record_pages_links_to_none() -> None:
    answer = ask(index(has_details=False, redirects_single=True), {"q": "ne"})
    assert {item.anchor.href for item in listed(answer).items} == {""}


def test_relevance_puts_the_fuller_match_first() -> None:
    found = index(ranking="relevance", semantics="or")
    query = read_query(found.source, BOX, {"q": "balor nemus so"})
    order = ranked(found, query, NOW).tolist()
    assert sorted(order) == found.matches(query).tolist() != order
    own = record(found.source, lexicon(), 321).values["about"]
    assert 321 in ask(found, {"q": " ".join(own.split()[:12])}).shown[:3]


def test_random_rankings_change_with_the_moment() -> None:
    found = index(ranking="random")
    first, again, later = (ask(found, {"q": "ne"}, now=now).shown for now in (NOW, NOW, NOW + 1))
    assert first == again != later


def test_sorting_is_by_value_and_brings_nothing_new() -> None:
    found = index(cap=100, has_facets=True, page_size=50)
    sort = names_of(found.source).sort
    pages = list(walk(found, {"q": "ne", sort: "year"}))
    shown = [n for page in pages for n in page.shown]
    years = [int(record(found.source, lexicon(), n).values["year"]) for n in shown]
    assert all(one <= two for one, two in pairwise(years))
    assert sorted(shown) == sorted(n for page in walk(found, {"q": "ne"}) for n in page.shown)
    assert ask(found, {"q": "ne", sort: "nothing"}).shown == ask(found, {"q": "ne"}).shown


def test_facets_narrow_the_answer() -> None:
    answer = ask(index(has_facets=True), {"q": "ne"}, FORM)
    links = [block for block in answer.blocks if isinstance(block, Links)]
    narrowing = next(block for block in links if "genre=" in block.anchors[0].href)
    assert sum(int(a.text.rpartition("(")[2][:-1]) for a in narrowing.anchors) == answer.matched


def test_page_sizes_are_chosen_where_they_can_be() -> None:
    for is_choosable in (True, False):
        found = index(is_size_choosable=is_choosable)
        size = names_of(found.source).size
        assert len(ask(found, {"q": "", size: "50"}).shown) == (50 if is_choosable else 20)
        assert len(ask(found, {"q": "", size: "9999"}).shown) == 20


def test_settings_of_the_form_arrange_the_answer() -> None:
    found = index()
    settings = {"num": "size", "orderby": "sort"}
    asked = {"q": "ne", "num": "50", "orderby": "price"}
    answer = respond(
        found, BOX, asked, action="/s", record_url=record_url, now=NOW, settings=settings
    )
    prices = [
        float(record(found.source, lexicon(), n).values["price"].lstrip("$€£"))
        for n in answer.shown
    ]
    assert len(prices) == 50
    assert prices == sorted(prices)
    assert ask(found, asked).shown == ask(found, {"q": "ne"}).shown


@pytest.mark.parametrize("paging", PAGINGS)
def test_controls_never_share_a_name_with_what_turns_pages(paging: str) -> None:
    for key in range(3):
        found = index(key=key, paging=paging)
        for name in names_of(found.source).__struct_fields__[:5]:
            box = getattr(names_of(found.source), name)
            pages = list(walk(found, {box: "sone"}, {box: "*"}))
            shown = [number for page in pages for number in page.shown]
            assert len(set(shown)) == len(shown) == pages[0].matched > 20


@pytest.mark.parametrize(("past_end", "shown"), [("empty", 0), ("last", 20), ("first", 20)])
def test_pages_past_the_end_are_what_the_source_makes_of_them(past_end: str, shown: int) -> None:
    found = index(past_end=past_end)
    page = names_of(found.source).page
    answer = ask(found, {"q": "", page: "99999"})
    assert (answer.status, len(answer.shown)) == (200, shown)
    if past_end == "last":
        assert answer.shown[-1] == 999


def test_totals_are_exact_near_or_absent() -> None:
    exact, near, none = (ask(index(total=total), {"q": "ne"}) for total in TOTALS)
    assert str(exact.matched) in said(exact)
    assert any(word in said(near) for word in ("about", "More than", "approximately"))
    assert str(none.matched) not in said(none)


def test_empty_answers_have_three_ways() -> None:
    for way, status, suggested in (
        ("sentence", 200, False), ("missing", 404, False), ("suggestions", 200, True)
    ):  # fmt: skip
        answer = ask(index(empty_answer=way), {"q": "qqqq"})
        assert (answer.status, answer.matched, answer.shown) == (status, 0, ())
        assert any(isinstance(block, Listing) for block in answer.blocks) == suggested
        assert "qqqq" in said(answer)


def test_empty_queries_have_three_ways() -> None:
    every, nothing, error = (
        ask(index(empty_query=way), {"q": ""}) for way in ("all", "nothing", "error")
    )
    assert (every.matched, nothing.matched, error.matched) == (1000, 0, 0)
    assert (nothing.asks_again, error.asks_again) == (False, True)


def test_short_queries_are_refused() -> None:
    found = index(min_length=3)
    assert ask(found, {"q": "ne"}).asks_again
    assert "3" in said(ask(found, {"q": "ne"}))
    assert ask(found, {"q": "the"}).matched
    assert ask(found, {"q": "", "genre": "Crime"}, FORM).matched


def test_a_single_match_is_sent_to_its_page() -> None:
    code = record(source(), lexicon(), 5).values["isbn"]
    answer = ask(index(redirects_single=True), {"q": code})
    assert (answer.status, answer.location, answer.shown) == (302, record_url(5), (5,))
    assert ask(index(), {"q": code}).shown == (5,)


def test_hidden_state_must_be_echoed() -> None:
    found = index(needs_state=True)
    hidden = hidden_values(found.source, NOW)
    assert ask(found, {"q": "ne"}).asks_again
    pages = list(walk(found, {"q": "ne", **hidden}))
    assert sum(len(page.shown) for page in pages) == pages[0].matched > 100


@pytest.mark.parametrize(("refusal", "status"), [("forbidden", 403), ("form", 200)])
def test_tokens_grow_old(refusal: str, status: int) -> None:
    found = index(token_s=300, refusal=refusal)
    hidden = {c.name: c.value for c in hidden_controls(found.source, NOW)}
    asked = {"q": "ne", **hidden}
    assert ask(found, asked, now=NOW + 200).matched
    for old in (ask(found, asked, now=NOW + 400), ask(found, {"q": "ne"})):
        assert (old.status, old.matched, old.asks_again) == (status, 0, status == 200)
    assert not ask(found, {name: value + "0" for name, value in asked.items()}).matched


def test_pages_hand_out_fresh_tokens() -> None:
    found = index(token_s=300)
    asked = {"q": "ne", **hidden_values(found.source, NOW)}
    further = next_request(ask(found, asked, now=NOW + 200))
    assert further
    assert ask(found, further, now=NOW + 400).shown


def test_unknown_parameters_are_refused_by_those_who_know_theirs() -> None:
    assert ask(index(refuses_unknown=True), {"q": "ne", "zzz": "1"}).status == 400
    assert ask(index(refuses_unknown=True), {"q": "ne"}).matched
    assert ask(index(), {"q": "ne", "zzz": "1"}).matched


def test_pages_carry_every_parameter_on() -> None:
    for paging in PAGINGS:
        further = next_request(ask(index(paging=paging), {"q": "ne", "utm": "a&b=ü"}))
        assert further
        if paging != "button":
            assert further["q"] == "ne"
            assert further["utm"] == "a&b=ü"


def test_mixed_types_are_told_apart() -> None:
    found = index(mixes_types=True, page_size=50)
    kinds = {value for item in listed(ask(found, {"q": ""})).items for _, value in item.facts[:1]}
    assert {"Article", "Profile"} <= kinds


def test_record_pages_show_all_values() -> None:
    title, blocks = record_page(source(), lexicon(), 9, record_url)
    values = record(source(), lexicon(), 9).values
    facts = next(block for block in blocks if isinstance(block, Facts))
    assert title == values["title"]
    assert {value for _, value in facts.pairs} == set(values.values()) - {values["about"]}
    assert any(values["about"] in str(block) for block in blocks)
    assert any(isinstance(block, Links) and block.kind == "related" for block in blocks)


def test_a_request_has_one_answer() -> None:
    for ranking in RANKINGS:
        one = ask(index(ranking=ranking, has_facets=True), {"q": "ne the"}, FORM)
        assert one == ask(index(ranking=ranking, has_facets=True), {"q": "ne the"}, FORM)


def test_languages_speak_for_themselves() -> None:
    spoken = {
        said(ask(Index(replace(source(), language=code), lexicon()), {"q": "qqqq"}))
        for code in ("en", "de", "fr", "es")
    }
    assert len(spoken) == 4


def test_keys_draw_every_behaviour() -> None:
    drawn = [behaviour(key) for key in range(2000)]
    assert {b.semantics for b in drawn} == set(SEMANTICS)
    assert {b.paging for b in drawn} == set(PAGINGS)
    assert {b.page_size for b in drawn} == set(PAGE_SIZES)
    assert {bool(b.token_s) for b in drawn} == {bool(b.islands) for b in drawn} == {True, False}
    assert drawn[:50] == [behaviour(key) for key in range(50)]


def test_a_grid_has_every_combination() -> None:
    made = list(grid(Behaviour(page_size=50), cap=CAPS, ranking=RANKINGS, islands=(0, 8)))
    assert len(set(made)) == len(made) == 24
    assert {b.page_size for b in made} == {50}


_NAMES = (*FORM, *names_of(source()).__struct_fields__)
_FUZZED = [
    index(300, key, **{f: getattr(behaviour(key), f) for f in Behaviour.__struct_fields__})
    for key in range(12)
]


@settings(deadline=None, max_examples=150)
@given(
    st.integers(0, 11),
    st.dictionaries(st.sampled_from(_NAMES) | st.text(), st.text() | st.from_regex(r"[0-9]{1,12}")),
    st.floats(0, 1e10),
)
def test_no_request_is_too_strange(key: int, parameters: dict[str, str], now: float) -> None:
    found = _FUZZED[key]
    own = names_of(found.source)
    asked = {getattr(own, name, name): value for name, value in parameters.items()}
    answer = ask(found, asked | hidden_values(found.source, now), FORM, now)
    assert answer.status in (200, 302, 403, 404)
    assert len(answer.shown) <= max(100, found.source.behaviour.page_size)
    str(answer.blocks).encode()


@given(st.text(alphabet=st.characters(), max_size=300))
def test_no_parcel_is_too_strange(parcel: str) -> None:
    found = index(300, paging="button")
    assert ask(found, {names_of(found.source).parcel: parcel}).status == 200


def test_button_parcels_of_other_sources_are_not_opened() -> None:
    ours, theirs = index(paging="button"), index(key=6, paging="button")
    form = next(b for b in ask(theirs, {"q": "ne"}).blocks if isinstance(b, FormModel))
    parcel = {names_of(ours.source).parcel: form.controls[0].value}
    assert ask(ours, parcel).matched == 1000
