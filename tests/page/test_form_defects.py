"""Forms and boxes as browsers see them on pages that are written badly, or in newer ways."""

from html import escape

import pytest

from leadline.core.page import BOX, Form
from leadline.core.url import Url
from leadline.page import parse_page

HERE = Url("http://a.test/shop/books.html")


def forms(html: str) -> tuple[Form, ...]:
    return parse_page(html.encode(), HERE).forms


def names(form: Form) -> list[str]:
    return [field.name for field in form.fields]


def test_a_form_closed_outside_its_element_keeps_its_controls() -> None:
    (form,) = forms(
        "<div><form action=/s><input name=a></div><input name=b><input type=submit></form>"
        "<input name=c>"
    )
    assert names(form) == ["a", "b"]
    assert len(form.submits) == 1


def test_misnested_forms_between_comments_and_scripts_keep_theirs() -> None:
    first, second = forms(
        "<!-- <form><input> --><script>'<input>'</script><template><input></template>"
        "<p><form action=/a><textarea name=t><input></textarea></p><div><select name=b></select>"
        "</div><button>x</button></form><form action=/c><input name=d></form>"
    )
    assert (names(first), len(first.submits)) == (["t", "b"], 1)
    assert names(second) == ["d"]


def test_a_form_inside_a_form_is_no_form() -> None:
    (form,) = forms(
        "<form action=/a><input name=x><form action=/b><input name=y></form><input name=z>"
    )
    assert (form.action, names(form)) == ("http://a.test/a", ["x", "y"])


def test_a_shadow_root_is_read_and_another_template_is_not() -> None:
    (form,) = forms(
        "<my-search><template shadowrootmode=open><form action=/s><input name=q></form>"
        "<template><form><input name=no></form></template></template></my-search>"
        "<template><form><input name=never></form></template>"
    )
    assert names(form) == ["q"]


def test_a_frame_with_a_document_of_its_own_is_read() -> None:
    document = "<form action=/s><input name=q></form>"
    (form,) = forms(f'<iframe srcdoc="{escape(document)}"></iframe>')
    assert (form.action, form.page, names(form)) == ("http://a.test/s", HERE, ["q"])


def test_frames_in_frames_are_left_alone() -> None:
    inner = f'<iframe srcdoc="{escape("<form><input name=q></form>")}"></iframe>'
    assert forms(f'<iframe srcdoc="{escape(inner)}"></iframe>') == ()


def test_a_picture_names_its_button() -> None:
    (form,) = forms("<form><input name=q><button><img src=x alt='Find books'></button></form>")
    assert form.submits[0].label == "Find books"


def test_a_datalist_suggests_values() -> None:
    (form,) = forms(
        "<form><input name=q list=l><datalist id=l><option value=oak><option value=elm label=Elms>"
        "</datalist></form>"
    )
    assert [(o.value, o.text) for o in form.fields[0].options] == [("oak", ""), ("elm", "Elms")]
    assert form.text == ""


def test_an_option_is_called_by_its_label() -> None:
    (form,) = forms("<form><select name=s><option value=1 label=One><option label=Two>2</select>")
    assert [(o.value, o.text) for o in form.fields[0].options] == [("1", "One"), ("2", "Two")]


@pytest.mark.parametrize(
    "table",
    [
        "<tr><th>Author<th>Title<th>Year<tr>{}",
        "<thead><tr><th>Author<th>Title<th>Year</thead><tbody><tr>{}",
    ],
)
def test_labels_in_a_header_row_belong_to_their_columns(table: str) -> None:
    cells = "<td><input name=a><td><input name=t><td><select name=y></select>"
    (form,) = forms(f"<form><table>{table.format(cells)}</table></form>")
    assert [field.label for field in form.fields] == ["Author", "Title", "Year"]


@pytest.mark.parametrize(
    ("control", "kind"),
    [
        ("<input type=query name=q>", "text"),
        ("<input type=' SEARCH ' name=q>", "search"),
        ("<textarea name=q role=combobox></textarea>", "search"),
        ("<textarea name=q rows=1 placeholder='Search books'></textarea>", "search"),
        ("<textarea name=q enterkeyhint=search></textarea>", "search"),
        ("<textarea name=q rows=1></textarea>", "textarea"),
        ("<textarea name=q placeholder='Find us nice'></textarea>", "textarea"),
    ],
)
def test_boxes_of_other_kinds_are_seen_for_what_they_are(control: str, kind: str) -> None:
    (form,) = forms(f"<form>{control}</form>")
    assert form.fields[0].kind == kind


@pytest.mark.parametrize(
    "markup",
    [
        "<textarea placeholder='Search the archive' rows=1></textarea>",
        "<input type=query placeholder='Search'>",
        "<div><input name=x><button>Search</button></div>",
        "<div><p><input name=x></p><button aria-label='Find books'><svg></svg></button></div>",
        "<section role=search><div><input name=x></div></section>",
        "<div role=searchbox contenteditable aria-label='Search docs'></div>",
        "<div role=combobox contenteditable=true></div>",
    ],
)
def test_a_search_box_outside_any_form_is_a_door(markup: str) -> None:
    (form,) = forms(f"<body>{markup}")
    assert (form.source, form.action) == (BOX, None)


@pytest.mark.parametrize(
    "markup",
    [
        "<div><input name=x></div><div><div><div><div><button>Search</button>",
        "<div><input name=x><button>Save</button></div>",
        "<div contenteditable>Type here</div>",
        "<textarea placeholder=Comment></textarea>",
    ],
)
def test_other_controls_outside_forms_are_none(markup: str) -> None:
    assert forms(f"<body>{markup}") == ()


def test_a_search_with_many_controls_is_read_whole() -> None:
    ticks = "".join(f"<input type=checkbox name=c{n}>" for n in range(600))
    (form,) = forms(f"<form role=search><input name=q>{ticks}<button>Search</button></form>")
    assert len(form.fields) == 601
