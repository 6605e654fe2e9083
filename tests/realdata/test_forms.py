"""Form reading on real pages whose forms were labelled by people."""

from collections.abc import Callable

from leadline.core.url import canonical
from leadline.forms.searchable import apply_rule
from leadline.page import parse_page
from leadline.page.html_tree import parse_html
from leadline.page.parse import page_from
from tests.realdata.conftest import Rows

UNLABELLED = ("NOT ANNOTATED", "SKIP THIS FORM")


def test_the_forms_people_saw_are_the_forms_we_read(real_rows: Callable[[str], Rows]) -> None:
    pages = same = fields = found = wrong = judged = 0
    for row in real_rows("forms/formasaurus"):
        url = canonical(row["url"])
        assert url is not None
        # Labels are of forms as they stand in the page, not of their regions.
        page = page_from(parse_html(row["html"].encode()), url, with_regions=False)
        forms = [form for form in page.forms if not form.is_implicit]
        pages += 1
        if len(forms) != len(row["form_types"]):
            continue
        same += 1
        for form, kind, names in zip(forms, row["form_types"], row["field_types"], strict=True):
            read = {field.name for field in (*form.fields, *form.submits)}
            fields += len(names or {})
            found += sum(name in read or value in read for name, value in (names or {}).items())
            if kind not in UNLABELLED:
                judged += 1
                wrong += (apply_rule(form)[0] >= 0.5) != (kind == "search")
    assert pages > 600
    assert same / pages >= 0.975
    assert found / fields >= 0.998
    assert wrong / judged <= 0.08


def test_real_pages_give_links_with_anchors(real_rows: Callable[[str], Rows]) -> None:
    links = named = 0
    for number, row in enumerate(real_rows("pages/swde")):
        if number % 10 == 0:
            url = canonical(row["url"])
            assert url is not None
            page = parse_page(row["html"].encode(), url)
            assert page.text
            links += len(page.links)
            named += sum(bool(link.anchor) for link in page.links)
    assert links > 5_000
    assert named / links > 0.9
