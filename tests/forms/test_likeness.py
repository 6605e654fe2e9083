"""Forms that look alike."""

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.signature import ALIKE, compare_forms, group_look_alikes
from leadline.page import parse_page

SEARCH = "<form action=/find><input name=keyword><select name=c><option>a</select></form>"
TICK = "<input type=checkbox name=new>"


def form_of(html: str, url: str = "http://www.a.test/x") -> Form:
    return parse_page(html.encode(), Url(url)).forms[0]


def with_more(inside: str) -> str:
    return SEARCH.replace("</form>", f"{inside}</form>")


def score(one: str, other: str) -> float:
    return compare_forms(form_of(one), form_of(other)).score


def test_likeness_is_whole_for_one_signature_and_symmetric() -> None:
    assert compare_forms(form_of(SEARCH), form_of(SEARCH)).score == 1.0
    more = with_more(TICK)
    assert score(SEARCH, more) == score(more, SEARCH)


def test_one_more_box_to_tick_leaves_forms_alike() -> None:
    found = compare_forms(form_of(SEARCH), form_of(with_more(TICK)))
    assert ALIKE <= found.score < 1.0
    assert found.why.startswith("controls")


def test_other_controls_make_another_form() -> None:
    assert score(SEARCH, with_more("<input name=author><input name=isbn>")) < ALIKE
    assert score(SEARCH, SEARCH.replace("keyword", "author")) < ALIKE


def test_drawn_names_are_seen_through_by_their_labels() -> None:
    def labelled(name: str) -> str:
        return f"<form action=/find><label>Author <input name={name}></label></form>"

    assert score(labelled("kqwzvbh"), labelled("xpltrmw")) >= ALIKE


def test_the_folder_matters_to_a_lone_box_only() -> None:
    lone = "<form action={}><input name=q></form>"
    assert score(lone.format("/find"), lone.format("/blog/find")) < ALIKE
    assert score(SEARCH, SEARCH.replace("/find", "/login/find")) >= ALIKE


def test_values_written_into_a_path_matter_little() -> None:
    ways = [SEARCH.replace("/find", f"/find/ref={place}") for place in ("top", "side")]
    assert score(*ways) >= ALIKE


def test_the_same_software_on_two_sites_is_two_forms() -> None:
    forms = [form_of(SEARCH, "http://a.test/"), form_of(SEARCH, "http://b.test/")]
    assert compare_forms(*forms).score < ALIKE
    assert group_look_alikes(forms) == [[0], [1]]


def test_two_databases_of_one_site_stay_two() -> None:
    cars = "<form action=/cars><select name=make><option>A</select><input name=price></form>"
    homes = "<form action=/homes><input name=city><input name=price></form>"
    assert group_look_alikes([form_of(cars), form_of(homes), form_of(cars)]) == [[0, 2], [1]]


def test_small_differences_do_not_add_up() -> None:
    ticks = [f"<input type=checkbox name={name}>" for name in "abcdef"]
    forms = [form_of(with_more("".join(ticks[:number]))) for number in range(7)]
    groups = group_look_alikes(forms)
    assert 0 in groups[0]
    assert 6 not in groups[0]
    assert sorted(number for group in groups for number in group) == list(range(7))
