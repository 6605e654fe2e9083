"""The gate: what may be sent, exactly what would be, and why not."""

import ast
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from leadline.core.http import Request
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.searchable import apply_rule
from leadline.forms.settings import SubmitSettings
from leadline.forms.signature import signature
from leadline.forms.submit import (
    Submission,
    SubmissionRefusal,
    build_event,
    order_forms,
    prepare,
    prepare_page,
    show_request,
    why_refused,
)
from leadline.page import parse_page
from leadline.page.forms import MAX_VALUE_CHARS
from leadline.page.parse import PageLimits

SOURCE = Path(__file__).parents[2] / "src" / "leadline"
HERE = Url("http://a.test/shop?x=1")
BOX = "<input name=q><input type=submit name=go value=Search>"


def form_of(inside: str, attributes: str = "", page: str = HERE) -> Form:
    (form,) = parse_page(f"<form {attributes}>{inside}</form>".encode(), Url(page)).forms
    return form


def sent(inside: str, attributes: str = "", **values: str) -> Submission:
    decision = prepare(form_of(inside, attributes), values or {"q": "x"}, 1.0)
    assert isinstance(decision, Submission), decision
    return decision


def refused(form: Form, belief: float = 1.0, settings: SubmitSettings | None = None) -> str:
    decision = prepare(form, {"q": "x"}, belief, settings or SubmitSettings())
    assert isinstance(decision, SubmissionRefusal), decision
    return decision.why


def test_a_get_replaces_the_query_of_the_action_and_drops_its_fragment() -> None:
    request = sent(BOX, "action='/find?old=1#top'", q="old novels").request
    assert (request.method, request.url) == ("GET", "http://a.test/find?q=old+novels&go=Search")
    assert (request.body, request.content_type, request.referrer) == (b"", "", HERE)


def test_a_form_without_an_action_asks_its_own_page() -> None:
    assert sent(BOX).request.url == "http://a.test/shop?q=x&go=Search"


def test_parameters_that_crawls_cut_from_links_are_sent() -> None:
    hidden = "<input type=hidden name=sid value=7><input type=hidden name=utm_source value=y>"
    assert sent(hidden + BOX, "action=/f").request.url.endswith(
        "f?sid=7&utm_source=y&q=x&go=Search"
    )


def test_a_post_keeps_the_query_of_the_action() -> None:
    request = sent(BOX, "method=post action='/find?in=books'", q="a b").request
    assert (request.method, request.url) == ("POST", "http://a.test/find?in=books")
    assert request.body == b"q=a+b&go=Search"
    assert request.content_type == "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    ("encoding", "kind"),
    [("multipart/form-data", "multipart/form-data; boundary="), ("text/plain", "text/plain")],
)
def test_a_post_is_encoded_as_the_form_says(encoding: str, kind: str) -> None:
    assert sent(BOX, f"method=post enctype={encoding}").request.content_type.startswith(kind)
    assert sent(BOX, f"method=get enctype={encoding}").request.content_type == ""


def test_the_charset_of_the_form_is_used() -> None:
    latin = sent(BOX, "accept-charset=iso-8859-1 action=/f", q="grün 日").request
    assert latin.url == "http://a.test/f?q=gr%FCn+%26%2326085%3B&go=Search"


def test_a_submission_tells_what_was_filled_which_button_and_why() -> None:
    decision = sent(BOX, q="x")
    assert decision.filled == (("q", "x"),)
    assert decision.button == "Search"
    assert decision.signature == signature(form_of(BOX))
    assert "1.00 >= 0.60" in decision.why
    assert "POST allowed" in sent(BOX, "method=post").why


@pytest.mark.parametrize("belief", [0.0, 0.5, 0.5999, -1.0, math.nan])
def test_below_six_tenths_nothing_is_sent(belief: float) -> None:
    assert "below 0.60" in refused(form_of(BOX), belief)


def test_a_post_needs_more_and_can_be_switched_off() -> None:
    form = form_of(BOX, "method=post")
    assert "below 0.85 for POST" in refused(form, 0.84)
    assert isinstance(prepare(form, {"q": "x"}, 0.85), Submission)
    assert "switched off" in refused(form, 1.0, SubmitSettings(post=False))
    assert isinstance(
        prepare(form_of(BOX), {"q": "x"}, 1.0, SubmitSettings(post=False)), Submission
    )


@pytest.mark.parametrize(
    ("name", "belief"), [("min_searchable", 0.49), ("min_searchable_post", 0.79), ("certain", 0.49)]
)
def test_no_setting_opens_the_gate_further(name: str, belief: float) -> None:
    with pytest.raises(ValidationError):
        SubmitSettings.model_validate({name: belief})


def test_the_probability_may_come_from_a_judge() -> None:
    assert isinstance(
        prepare(form_of(BOX), {"q": "x"}, lambda form: apply_rule(form)[0]), Submission
    )
    assert isinstance(prepare(form_of(BOX), {"q": "x"}, lambda _form: 0.2), SubmissionRefusal)


@pytest.mark.parametrize(
    ("inside", "attributes", "page", "reason"),
    [
        (BOX, "action=mailto:a@b.test", HERE, "no address"),
        (BOX, "action=javascript:void(0)", HERE, "no address"),
        (BOX, "method=post action=http://b.test/search", HERE, "another site, b.test"),
        (BOX, "action=http://b.test/s", "https://a.test/", "unencrypted"),
        (BOX, "action=http://a.test:8080/s", "https://a.test/", "unencrypted"),
        ("<input type=search><button name=go>Search", "", HERE, "only a script reads"),
        (f"<input type=hidden name=v value={'x' * 3000}>{BOX}", "", HERE, f"{MAX_VALUE_CHARS}"),
        (f"<input name=r required>{BOX}", "", HERE, "'r' is required"),
        (f"<input type=password name=p>{BOX}", "", HERE, "password"),
        ("<input name=x><button>Search", "", HERE, "no control called 'q'"),
    ],
)
def test_what_cannot_or_must_not_be_sent_is_refused(
    inside: str, attributes: str, page: str, reason: str
) -> None:
    assert reason in refused(form_of(inside, attributes, page))


def test_hidden_values_that_were_read_whole_are_sent_whole() -> None:
    html = f"<form method=post><input type=hidden name=v value={'x' * 30_000}>{BOX}</form>"
    limits = PageLimits(value_chars=100_000)
    (form,) = parse_page(html.encode() + b"<p>" * 30_000, HERE, limits=limits).forms
    decision = prepare(form, {"q": "x"}, 1.0)
    assert isinstance(decision, Submission)
    assert len(decision.request.body) > 30_000


def test_a_further_page_may_be_asked_for_where_the_form_may_be_sent() -> None:
    form = form_of(BOX, "method=post")
    further = Request(Url("http://a.test/shop?page=2"))
    decision = prepare_page(form, further, 1.0)
    assert isinstance(decision, Submission)
    assert (decision.request.url, decision.request.is_session) == (further.url, True)
    assert isinstance(prepare_page(form, further, 0.3), SubmissionRefusal)
    elsewhere = Request(Url("http://b.test/shop"), "POST", b"page=2")
    assert isinstance(prepare_page(form, elsewhere, 1.0), SubmissionRefusal)


def test_a_get_may_lead_to_another_site() -> None:
    assert sent(BOX, "action=http://b.test/search").request.url.startswith("http://b.test/search?")


def test_a_form_of_an_encrypted_page_goes_to_its_own_site_encrypted() -> None:
    form = form_of(BOX, "action=http://a.test/s", "https://a.test/")
    decision = prepare(form, {"q": "x"}, 1.0)
    assert isinstance(decision, Submission)
    assert decision.request.url.startswith("https://a.test/s?q=x")
    assert decision.signature == signature(form)


def test_a_search_box_in_no_form_is_refused() -> None:
    (form,) = parse_page(b"<input type=search name=q>", HERE).forms
    assert "script" in refused(form)


def test_an_address_that_grows_too_long_is_refused() -> None:
    decision = prepare(form_of(BOX), {"q": "x" * 3000}, 1.0)
    assert isinstance(decision, SubmissionRefusal)
    assert "longer" in decision.why


def test_nothing_filled_in_is_nothing_to_send() -> None:
    decision = prepare(form_of(BOX), {}, 1.0)
    assert isinstance(decision, SubmissionRefusal)
    assert decision.why == "nothing is filled in"


def test_get_goes_before_post_and_sure_before_unsure() -> None:
    forms = [
        form_of(BOX, "method=post action=/1"),
        form_of(BOX, "action=/2"),
        form_of(BOX, "action=/3"),
    ]
    beliefs = {"http://a.test/1": 0.99, "http://a.test/2": 0.91, "http://a.test/3": 0.95}
    ordered = order_forms(forms, lambda form: beliefs[str(form.action)])
    assert [str(form.action)[-1] for form in ordered] == ["3", "2", "1"]


def test_why_refused_says_the_same_before_anything_is_filled_in() -> None:
    assert why_refused(form_of(BOX), 1.0) == ""
    assert why_refused(form_of(BOX), 0.5) == refused(form_of(BOX), 0.5)


def test_the_log_tells_submissions_and_refusals_apart() -> None:
    form = form_of(BOX, "action=/find")
    event = build_event(prepare(form, {"q": "old novels"}, 0.97), 12.0)
    assert (event.at, event.kind, event.subject) == (12.0, "submission", signature(form))
    assert event.detail == (
        "GET http://a.test/find?q=old+novels&go=Search; filled q='old novels'; "
        "pressed 'Search'; searchable 0.97 >= 0.60, sent by GET"
    )
    event = build_event(prepare(form, {"q": "x"}, 0.2), 13.0)
    assert (event.kind, event.subject) == ("refusal", signature(form))
    assert event.detail == "GET http://a.test/find; filled q='x'; searchable 0.20 is below 0.60"


def test_a_dry_run_shows_every_byte() -> None:
    form = form_of(BOX, "method=post action=/find enctype=text/plain accept-charset=latin1")
    text = show_request(prepare(form, {"q": "grün"}, 1.0))
    assert text == (
        "POST http://a.test/find\nReferer: http://a.test/shop?x=1\nContent-Type: text/plain\n\n"
        "q=gr\\xfcn\r\ngo=Search\r\n"
    )
    assert show_request(prepare(form, {"q": "x"}, 0.1)).startswith("not sent: ")


pieces = st.sampled_from(
    ["<input name=q>", "<select name=s><option>a<option>b</select>", "<input type=hidden name=h>",
     "<button>Search</button>", "<input type=password name=p>", "<textarea name=t></textarea>",
     "<input type=email name=e>", "<input type=file name=f>", "<button>Buy</button>"]
)  # fmt: skip


@given(st.lists(pieces, max_size=6), st.floats(0, 1), st.sampled_from(["get", "post"]))
def test_no_form_passes_with_a_forbidden_control_or_a_low_probability(
    parts: list[str], belief: float, method: str
) -> None:
    forms = parse_page(f"<form method={method}>{''.join(parts)}</form>".encode(), HERE).forms
    for form in forms:
        decision = prepare(form, {"q": "x"}, belief)
        if isinstance(decision, Submission):
            assert belief >= (0.9 if method == "get" else 0.95)
            assert not {"password", "textarea", "email", "file"} & {f.kind for f in form.fields}
            assert "<button>Buy</button>" not in parts
            assert decision.request.method == method.upper()


def test_only_the_gate_fills_forms() -> None:
    """No other module of the package makes a request with a method or a body of its own, but the
    one that puts questions to a search service if its user has set it up to be asked by POST."""
    makers = set()
    for path in SOURCE.rglob("*.py"):
        if path.is_relative_to(SOURCE / "lab"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Request":
                named = {keyword.arg for keyword in node.keywords} & {"method", "body"}
                if named or len(node.args) > 1:
                    makers.add(path.relative_to(SOURCE).as_posix())
    assert makers == {"forms/submit.py", "backlinks/providers.py"}


@pytest.mark.parametrize("button", ["Absenden", "Send", "Enviar"])
def test_a_button_that_sends_sends_the_query_of_a_form_that_searches(button: str) -> None:
    box = "<input name=q placeholder='{}'><button>" + button + "</button>"
    assert not why_refused(form_of(box.format("Search the catalogue")), 0.99)
    assert why_refused(form_of(box.format("Your wishes")), 0.99)


def test_a_button_may_say_where_and_how_the_form_is_sent() -> None:
    inside = "<input name=q><button formaction=/seek formmethod=get>Search</button>"
    found = sent(inside, "action=/enter method=post", q="oak")
    assert (found.request.method, found.request.url) == ("GET", "http://a.test/seek?q=oak")
    form = form_of(inside, "action=/enter method=post")
    assert found.signature == signature(form)


@pytest.mark.parametrize(
    ("button", "why"),
    [
        ("formmethod=post formaction=http://other.example/find", "POST to another site"),
        ("formaction=javascript:go()", ""),
    ],
)
def test_the_gate_looks_at_what_the_button_sends(button: str, why: str) -> None:
    form = form_of(f"<input name=q><button {button}>Search</button>", "action=/find role=search")
    if why:
        assert why in refused(form)
    else:
        assert form.submits[0].is_disabled
