"""Forms around a whole page: cut into regions, each sent alone as a browser would send it."""

from leadline.core.page import FORM, REGION, Form
from leadline.core.url import Url
from leadline.forms.form_data import entry_list
from leadline.forms.submit import choose_button
from leadline.page import parse_page
from leadline.page.html_tree import parse_html
from leadline.page.parse import page_from

HERE = Url("http://a.test/default.aspx")
LINKS = "".join(f"<a href=/p{n}>page {n}</a>" for n in range(20))
PAGE = f"""<body><form method=post id=aspnetForm>
<input type=hidden name=__STATE value=s1>
<div id=top><div class=search><input name=q><input type=submit name=go value=Search></div></div>
<div class=menu>{LINKS}</div>
<div id=books><table>
<tr><td>Author<td><input name=author>
<tr><td>Kind<td><select name=kind><option value=all>All<option value=new selected>New</select>
<tr><td>Used<td><input type=checkbox name=used checked value=1>
<tr><td colspan=2><input type=submit name=find value=Find><input type=reset></table></div>
<div id=news><p>Newsletter</p><input name=mail type=email value=you@>
<button name=join value=1>Subscribe</button></div>
</form>"""


def forms(html: str) -> tuple[Form, ...]:
    return parse_page(html.encode(), HERE).forms


def entries(form: Form, **values: str) -> list[tuple[str, str]]:
    return entry_list(form, values, choose_button(form), "utf-8")


def test_a_form_around_the_page_is_cut_around_its_buttons() -> None:
    search, books, news = forms(PAGE)
    assert {form.source for form in (search, books, news)} == {REGION}
    shown = [[f.name for f in form.fields if f.kind != "hidden"] for form in (search, books, news)]
    assert [[name for name in names if name] for names in shown] == [
        ["q"],
        ["author", "kind", "used"],
        ["mail"],
    ]
    assert [[b.name for b in form.submits] for form in (search, books, news)] == [
        ["go"],
        ["find"],
        ["join"],
    ]
    assert "Author" in books.text
    assert "Newsletter" not in books.text
    assert books.attributes == "books"


def test_a_region_is_sent_with_the_state_and_the_others_as_they_are() -> None:
    search, books, _ = forms(PAGE)
    assert entries(search, q="oak") == [
        ("__STATE", "s1"),
        ("q", "oak"),
        ("go", "Search"),
        ("author", ""),
        ("kind", "new"),
        ("used", "1"),
        ("mail", "you@"),
    ]
    assert ("find", "Find") in entries(books, author="Lund")
    assert ("go", "Search") not in entries(books, author="Lund")
    assert ("q", "") in entries(books, author="Lund")


def test_a_form_that_holds_few_of_the_links_stays_whole() -> None:
    around = f"{LINKS}<form><input name=place><button>Map</button><p><input name=day>"
    (form,) = forms(f"<body>{around}<button>Search</button></form>")
    assert (form.source, len(form.submits)) == (FORM, 2)


def test_a_page_wide_form_with_one_button_stays_whole() -> None:
    (form,) = forms(f"<body><form>{LINKS}<input name=q><button>Search</button></form>")
    assert form.source == FORM


def test_buttons_that_stand_alone_keep_together() -> None:
    pager = "<p><button name=page value=2>Next</button></p>"
    box = "<div><input name=q><button name=go>Search</button></div>"
    search, rest = forms(f"<body><form>{box}{LINKS}{pager}</form>")
    assert [b.name for b in rest.submits] == ["page"]
    assert [(f.name, f.kind) for f in rest.fields] == [("q", "hidden")]
    assert [f.name for f in search.fields] == ["q"]


def test_controls_beside_a_region_belong_to_it_until_another_button_comes() -> None:
    rows = "<tr><td><input name=a></tr><tr><td><input name=b><button>Go</button></tr>"
    table = f"<div><table>{rows}</table></div>"
    other = "<div><input name=c><button>Other</button></div>"
    first, second = forms(f"<body><form>{table}{LINKS}{other}</form>")
    assert [f.name for f in first.fields if f.kind != "hidden"] == ["a", "b"]
    assert [f.name for f in second.fields if f.kind != "hidden"] == ["c"]


def test_a_region_marked_as_a_search_says_so() -> None:
    box = "<div role=search><input name=q><button>Go</button></div>"
    search, _ = forms(f"<body><form>{box}{LINKS}<p><input name=m><button>Join</button></form>")
    assert search.has_search_role


def test_those_who_label_forms_see_them_whole() -> None:
    tree = parse_html(PAGE.encode(), "text/html; charset=utf-8")
    (form,) = page_from(tree, HERE, with_regions=False).forms
    assert (form.source, len(form.submits)) == (FORM, 3)


def test_many_buttons_make_few_regions() -> None:
    rows = "".join(f"<div><input name=n{n}><button>Add {n}</button></div>" for n in range(3_000))
    assert len(forms(f"<body><form>{LINKS}{rows}</form>")) <= 41
