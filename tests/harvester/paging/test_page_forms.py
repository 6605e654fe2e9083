"""Buttons that turn pages: pressed as a browser would, and only where that is a search."""

import pytest

from leadline.core.harvest import NextPage, Query, Trail
from leadline.core.http import Request
from leadline.core.url import Url
from tests.harvester.paging.replies import ASKED, turn_on

POSTED = Request(Url("http://a.test/find"), "POST", b"q=whale", "application/x-www-form-urlencoded")


def turn(html: str, asked: Request = POSTED, query: Query | None = None) -> NextPage | None:
    return turn_on(html, asked.url, asked=asked, query=query or Query.of(q="whale"))


def body(html: str, asked: Request = POSTED) -> str:
    found = turn(html, asked)
    assert found is not None
    return found.request.body.decode()


def test_a_form_with_hidden_state_is_sent_with_all_of_it() -> None:
    found = turn(
        '<form method=post action="/find"><input type=hidden name=q value="whale">'
        '<input type=hidden name=page value=2><input type=submit value="Next"></form>'
    )
    assert found is not None
    assert (found.way, found.number) == ("post", 2)
    assert found.request.method == "POST"
    assert found.request.body == b"q=whale&page=2"
    assert found.request.url == "http://a.test/find"
    assert found.request.referrer == "http://a.test/find"


def test_of_several_forms_the_one_that_goes_on_is_sent() -> None:
    forms = "".join(
        f"<form method=post action=/find><input type=hidden name=q value=whale>"
        f"<input type=hidden name=page value={page}><button>{word}</button></form>"
        for page, word in ((1, "« Zurück"), (1, "Erste"), (3, "Weiter »"), (9, "Letzte"))
    )
    assert body(forms) == "q=whale&page=3"


def test_the_button_itself_says_where_to_go() -> None:
    form = (
        "<form method=post action=/find><input type=hidden name=state value=abc>"
        '<input type=submit name=go value="&lt;"><input type=submit name=go value="&gt;">'
        '<input type=submit name=go value="&gt;&gt;"></form>'
    )
    assert body(form) == "state=abc&go=%3E"


def test_the_search_form_itself_may_hold_the_button() -> None:
    form = (
        '<form action="/search" role=search><input name=q value=whale>'
        "<input type=hidden name=pos value=10><input type=submit name=do value=Search>"
        '<input type=submit name=do value="Next page"></form>'
    )
    found = turn(form, Request(Url(ASKED)))
    assert found is not None
    assert found.way == "button"
    assert found.request.url == "http://a.test/search?q=whale&pos=10&do=Next+page"


def test_an_image_is_pressed_at_a_point() -> None:
    form = (
        "<form method=post action=/find><input type=hidden name=q value=whale>"
        '<input type=image name=prev src=l.gif alt="Previous">'
        '<input type=image name=next src=r.gif alt="Next"></form>'
    )
    assert body(form) == "q=whale&next.x=1&next.y=1"


def test_numbers_may_be_buttons() -> None:
    form = (
        "<form method=post action=/find><input type=hidden name=q value=whale>"
        "<button name=page value=1 disabled>1</button><button name=page value=2>2</button>"
        "<button name=page value=3>3</button></form>"
    )
    assert body(form) == "q=whale&page=2"


def test_long_state_is_sent_in_full() -> None:
    state = "x" * 7_000
    form = (
        f'<form method=post action="/find"><input type=hidden name=state value="{state}">'
        "<input type=submit value=Next></form>"
    )
    assert body(form) == f"state={state}"


def test_sessions_in_the_action_stay() -> None:
    found = turn(
        "<form method=post action='/find;jsessionid=7?sid=8'>"
        "<input type=hidden name=q value=whale><button>Next</button></form>"
    )
    assert found is not None
    assert found.request.url == "http://a.test/find;jsessionid=7?sid=8"


HIDDEN = "<input type=hidden name=q value=whale>"


@pytest.mark.parametrize(
    "form",
    [
        f"<form method=post action=/find>{HIDDEN}<input type=password name=p><button>Next</button>",
        f"<form method=post action=/find>{HIDDEN}<input type=email name=e><button>Next</button>",
        f"<form method=post action=/login>{HIDDEN}<button>Next</button>",
        f"<form method=post action=/checkout>{HIDDEN}<button>Next</button>",
        f"<form method=post action=/cart/delete>{HIDDEN}<button>Next</button>",
        f"<form method=post action=http://b.test/find>{HIDDEN}<button>Next</button>",
        f"<form method=post action=/find>{HIDDEN}<button disabled>Next</button>",
        f"<form method=post action=/find>{HIDDEN}<button>Next step</button>",
        f"<form method=post action=/find>{HIDDEN}<button>Delete next page</button>",
        f"<form method=post action=/find>{HIDDEN}<button name=delete>Next</button>",
        f"<form method=post action=/find>{HIDDEN}<textarea name=t></textarea><button>Next</button>",
        "<form method=post action=/survey><input type=radio name=a value=1><button>Next</button>",
        "<form method=post action=/survey><input type=hidden name=id value=4><button>Next</button>",
        "<form method=post action=/find><input name=other value=squid><button>Next</button>",
        f"<form method=post action='javascript:go()'>{HIDDEN}<button>Next</button>",
    ],
)
def test_no_other_form_is_ever_sent(form: str) -> None:
    assert turn(f"{form}</form>") is None


def test_a_button_for_something_else_in_the_form_does_no_harm() -> None:
    form = (
        f"<form method=post action=/find>{HIDDEN}<input type=checkbox name=mark value=1>"
        "<button name=do value=save>Add to basket</button>"
        "<button name=do value=next>Next</button></form>"
    )
    assert body(form) == "q=whale&do=next"


def test_an_arrow_beside_the_search_box_is_not_pressed() -> None:
    box = "<form action=/search><input name=q value=whale><button>&raquo;</button></form>"
    pager = f"<form method=post action=/find>{HIDDEN}<button name=p value=2>&gt;</button></form>"
    assert turn(box) is None
    assert body(box + pager) == "q=whale&p=2"


def test_a_walk_that_comes_round_to_the_same_form_ends() -> None:
    place = "<input name=page type=hidden value=2>"
    form = f"<form method=post action=/find>{HIDDEN}{place}<button>Next</button></form>"
    first = turn(form)
    assert first is not None
    trail = Trail().after(POSTED).after(first.request)
    assert turn_on(form, POSTED.url, asked=first.request, trail=trail) is None


def test_an_arrow_that_goes_to_a_chosen_tool_turns_no_page() -> None:
    form = (
        "<form action=/find><input type=hidden name=about value=start>"
        "<select name=do><option value=''>Tools<option value=log>Log</select>"
        "<button type=submit>&gt;</button></form>"
    )
    asked = Request(Url("http://a.test/find?about=start&q=whale"))
    assert turn(form, asked) is None


def test_a_list_that_the_server_keeps_is_turned_by_its_number() -> None:
    form = (
        "<form action=/find><input type=hidden name=list value=8412>"
        "<input type=submit name=go value='&gt;'></form>"
    )
    found = turn(form, Request(Url("http://a.test/find?q=whale")))
    assert found is not None
    assert found.request.url == "http://a.test/find?list=8412&go=%3E"


def test_a_button_with_an_address_of_its_own_is_followed_there() -> None:
    form = (
        "<form action=/list method=post><input type=hidden name=q value=whale>"
        "<input type=hidden name=page value=2>"
        "<button formaction=/find formmethod=get>Next</button></form>"
    )
    found = turn(form, Request(Url("http://a.test/find?q=whale")))
    assert found is not None
    assert (found.request.method, found.request.url) == ("GET", "http://a.test/find?q=whale&page=2")
