"""Forms as numbers, each with a name in words."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.features import (
    FEATURES,
    FFC_FEATURES,
    FeatureSum,
    feature_cells,
    feature_rows,
    ffc_rows,
)
from leadline.page import parse_page

PAGE = Url("http://www.a.test/x/1.html")
WEIGHTS = np.random.default_rng(1).normal(size=len(FEATURES)).tolist()


def form_of(html: str) -> Form:
    return parse_page(html.encode(), PAGE).forms[0]


def ffc(html: str) -> dict[str, float]:
    return dict(zip(FFC_FEATURES, ffc_rows([form_of(html)])[0], strict=True))


def features(html: str) -> dict[str, float]:
    return dict(zip(FEATURES, feature_rows([form_of(html)])[0], strict=True))


def test_the_fourteen_features_of_ffc_are_counted() -> None:
    found = ffc(
        "<form method=post action=/go><input type=hidden name=a><input type=hidden name=b>"
        "<input type=checkbox name=c><input type=radio name=r value=1><input type=radio name=r>"
        "<input type=file name=f><input name=t size=7><input type=password name=p>"
        "<select name=s><option>1<option>2<option>3</select>"
        "<input type=submit><input type=image src=x><input type=button><input type=reset></form>"
    )
    assert list(found.values()) == [2, 1, 2, 1, 1, 1, 1, 1, 1, 1, 3, 7, 1, 0]


def test_html5_controls_are_read_as_a_browser_of_2005_shows_them() -> None:
    found = ffc(
        "<form><input type=search name=q><input type=email name=e><button>Go</button></form>"
    )
    assert found["text boxes"] == 2
    assert found["characters the text boxes show"] == 40
    assert found["submit buttons"] == 1
    assert found["sent by POST"] == 0


def test_the_word_search_counts_wherever_it_stands() -> None:
    box = "<form{}><input name=q{}>{}</form>"
    assert ffc(box.format("", "", ""))["the word search"] == 0
    assert ffc(box.format(" action=/Search", "", ""))["the word search"] == 1
    assert ffc(box.format("", " placeholder='search here'", ""))["the word search"] == 1
    assert ffc(box.format("", "", "Research papers"))["the word search"] == 1
    long = structs.replace(form_of(box.format("", "", "")), text="x " * 400 + "searching")
    assert ffc_rows([long])[0, -1] == 1


def test_numbers_enter_as_logarithms_and_claims_as_one() -> None:
    found = features("<form role=search><input name=q><input type=hidden name=h></form>")
    assert found["hidden fields"] == 1.0
    assert found["marked as a search region"] == 1.0
    assert found["a text box named like a query alone"] == 1.0
    assert found["one text box and nothing else to fill in"] == 1.0
    assert found["one text box sent by GET"] == 1.0
    assert found["no button"] == 1.0
    assert found["nothing to fill in"] == 0.0


def test_words_are_told_apart_by_where_they_stand() -> None:
    found = features(
        "<form id=login action=http://b.test/><label for=i>E-mail</label><input id=i name=x>"
        "<button>Subscribe</button></form>"
    )
    assert found["words of an account in its tag"] == 1.0
    assert found["words of mail in its boxes"] == 1.0
    assert found["words of mail in its buttons"] == 1.0
    assert found["words of an account in its buttons"] == 0.0
    assert found["sent to another host"] == 1.0


def test_a_form_that_asks_for_records_is_told_from_one_that_asks_for_a_person() -> None:
    claim = "asks for two kinds of things that records have, and nothing personal"
    cars = "<form><select name=make></select><input name=zip></form>"
    assert features(cars)[claim] == 1.0
    assert features(cars.replace("</form>", "<input name=email></form>"))[claim] == 0.0


def test_every_feature_has_a_name_of_its_own() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    assert FEATURES[: len(FFC_FEATURES)] == FFC_FEATURES


def test_no_forms_give_no_rows() -> None:
    assert feature_rows([]).shape == (0, len(FEATURES))
    assert ffc_rows([]).shape == (0, len(FFC_FEATURES))


_controls = st.sampled_from([
    "<input name=q>", "<input type=password>", "<select><option>a</select>", "find it",
    "<textarea>x</textarea>", "<input type=radio name=r>", "<button>Go</button>",
    "<input type=hidden value=1>",
])  # fmt: skip


@given(st.lists(_controls, min_size=1, max_size=12), st.sampled_from(["get", "post"]))
def test_forms_are_the_same_numbers_together_alone_and_cell_by_cell(
    controls: list[str], method: str
) -> None:
    page = parse_page(
        f"<form method={method}>{''.join(controls)}</form><form><input>".encode(), PAGE
    )
    if page.forms:
        together = feature_rows(page.forms)
        assert np.isfinite(together).all()
        assert (together == np.vstack([feature_rows([form]) for form in page.forms])).all()
        for row, form in zip(together, page.forms, strict=True):
            found = np.zeros(len(FEATURES))
            for column, number in feature_cells(form):
                found[column] += number
            assert np.allclose(found, row)
            assert np.isclose(FeatureSum(WEIGHTS).add_up(form), row @ WEIGHTS)
