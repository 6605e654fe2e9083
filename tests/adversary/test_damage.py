"""A site on which many links, forms and redirects do damage: crawls and harvests do none."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import leadline
from leadline.core.state_change import find_state_change
from leadline.core.url import Url
from leadline.crawler.links import LinkRules, Scope, choose_links
from leadline.forms.submit import SubmissionRefusal, prepare
from leadline.page import parse_page
from leadline.ui.cli.status import run_explain
from tests.adversary import blind_targets as blind
from tests.adversary import fresh_targets as fresh
from tests.adversary import stranger_targets as strangers
from tests.adversary.command_texts import COMMANDS, SHAPES, TEXTS, VERBS
from tests.adversary.damage_site import BOOKS, DamageSite, form_html, serve_damage
from tests.adversary.damage_targets import TARGETS, DamageTarget
from tests.adversary.fresh_targets import count_fresh_passing
from tests.adversary.stranger_targets import count_passing
from tests.core.test_state_change import CHANGING

THING = "https://a.example/item/4711"
LOOK_ALIKES = (
    "Lock and key|Thread list|Open thread|Feature list|Release history|Block list"
    "|Start list|Leave policy|User accounts|Closed tickets|Latest posts|List of members"
    "|Tin mới|Liste des membres|Gruppen|Alle Beiträge|Öffentliche Listen|Ver historial"
    "|Mis pedidos|Lista de deseos|Lees meer|Otwórz wątek|Läs mer|Vis alle|Καλάθι αγορών"
    "|История заказов|Список групп|サービス一覧|お知らせ|最新消息|新闻列表|공지사항|قائمة الكتب"
).split("|")
OTHERS = tuple(DamageTarget("link", target, "go") for target in CHANGING)
FORMS = [target for target in TARGETS if target.kind == "form"]


@pytest.fixture
def site() -> Iterator[tuple[dict[str, object], DamageSite]]:
    """Settings that lead to the site, and the site."""
    damage = DamageSite((*TARGETS, *OTHERS))
    with serve_damage(damage) as port:
        yield (
            {
                "web.resolve": {"*": f"127.0.0.1:{port}"},
                "web.allow_private": True,
                "politeness.delay_s": 0.0,
                "strategy.name": "breadth_first",
                # Its pages differ in a number only.
                "scope.leave_traps": False,
                "harvest.details": True,
            },
            damage,
        )


def test_a_crawl_follows_no_link_or_redirect_that_would_change_something(
    site: tuple[dict[str, object], DamageSite],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings, damage = site
    store = str(tmp_path / "books.leadline")
    leadline.crawl("book", ["http://shop.example/"], pages=900, store=store, settings=settings)
    assert damage.list_hits() == []
    # Everything else was asked for, the pages that redirect too.
    assert {f"/books/{number}" for number in range(BOOKS)} < {*damage.asked}
    assert "/go/3" in damage.asked
    # And whoever asks is told why.
    for path in ("/items/5/destroy", "/e/4/a", "/go/3"):
        run_explain(store, f"http://shop.example{path}", as_json=True)
        assert "would " in capsys.readouterr().out


def test_a_harvest_with_details_turns_no_page_and_opens_no_record_that_would_change_something(
    site: tuple[dict[str, object], DamageSite], tmp_path: Path
) -> None:
    settings, damage = site
    store = str(tmp_path / "books.leadline")
    leadline.harvest("http://shop.example/catalogue", store, requests=120, settings=settings)
    assert damage.list_hits() == []
    assert damage.answers > sum(target.kind in ("detail", "paging") for target in TARGETS) / 2


@pytest.mark.parametrize("target", FORMS, ids=lambda target: f"{target.url} {target.text}")
def test_a_form_that_would_change_something_is_refused_for_a_reason(target: DamageTarget) -> None:
    page = parse_page(form_html(target).encode(), Url("http://a.example/"), "text/html")
    values = {field.name: "river" for field in page.forms[0].fields if field.kind == "text"}
    decision = prepare(page.forms[0], values, 1.0)
    assert isinstance(decision, SubmissionRefusal)
    assert "below" not in decision.why


def test_a_page_of_such_forms_is_not_harvested(
    site: tuple[dict[str, object], DamageSite], tmp_path: Path
) -> None:
    settings, damage = site
    # None of its forms is a search that may be sent; what it looks around for is the site's own.
    leadline.harvest(
        "http://shop.example/forms", str(tmp_path / "x"), requests=60, settings=settings
    )
    assert damage.asked
    assert damage.list_hits() == []


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.url} {target.text}")
def test_every_target_is_recognised(target: DamageTarget) -> None:
    text = "" if target.kind == "redirect" else target.text
    if target.kind != "form":
        assert find_state_change(f"http://a.example{target.url}", text, target.around)


def test_few_targets_of_a_stranger_pass_the_judge() -> None:
    # The second half is for measuring only: its figure may go down, and nobody reads what passes.
    for half, most in ((strangers.DEVELOPMENT, 5), (strangers.HELD_OUT, 13)):
        assert count_passing(half) <= most


def test_few_fresh_targets_pass() -> None:
    # As above: the second half is for measuring only.
    for half, most in ((fresh.DEVELOPMENT, 5), (fresh.HELD_OUT, 20), (fresh.LATER, 27)):
        assert count_fresh_passing(half) <= most


def test_few_blind_targets_pass_and_most_of_what_looks_like_them_does() -> None:
    for held_out, most, least in ((False, 10, 127), (True, 25, 114)):
        changing, harmless = blind.list_passing(held_out=held_out)
        assert sum(changing) <= most
        assert sum(harmless) >= least


@pytest.mark.parametrize("language", TEXTS)
def test_commands_of_all_languages_are_told_where_the_address_says_nothing(language: str) -> None:
    texts = TEXTS[language].split("|")
    assert len(texts) == len(COMMANDS.split("|"))
    passed = [text for text in texts if not find_state_change(f"{THING}?x=2", text)]
    assert len(passed) <= 3, passed


def test_commands_are_told_in_addresses_unless_they_are_nouns_as_often() -> None:
    urls = [f"https://a.example{shape.format(v=verb)}" for shape in SHAPES for verb in VERBS]
    assert len(urls) == 1596
    assert sum(not find_state_change(url, "here") for url in urls) <= 260


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_titles_and_menus_are_no_commands(text: str) -> None:
    assert find_state_change(THING, text) == ""


ASKED = [target for target in fresh.DEVELOPMENT if target.beside]


@pytest.mark.parametrize("target", ASKED, ids=lambda target: target.beside)
def test_a_link_that_agrees_is_judged_by_what_it_agrees_to(target: fresh.FreshTarget) -> None:
    page = parse_page(fresh.write_page(target), Url("http://a.example/"), "text/html;charset=utf-8")
    choice = choose_links(page, [0], 1, LinkRules(Scope().why_not, why_harmful=Scope().why_harmful))
    ((_, why),) = choice.refused
    assert "beside it" in why


@pytest.mark.parametrize(
    "beside", ["Would you like to see more about harbours?", "Are you older than 18?", ""]
)
def test_a_link_that_agrees_to_nothing_harmful_is_followed(beside: str) -> None:
    target = fresh.FreshTarget("link", "en", "/p/8?k=1f", "Yes", "", beside)
    assert fresh.is_let_pass(target)


def test_the_site_counts_what_is_asked_for_by_those_who_allow_it(
    site: tuple[dict[str, object], DamageSite], tmp_path: Path
) -> None:
    settings, damage = site
    allowed = {"scope.allow_changes": ["http://shop.example/*"]}
    store = str(tmp_path / "books.leadline")
    crawled = {**settings, **allowed}
    leadline.crawl("book", ["http://shop.example/"], pages=900, store=store, settings=crawled)
    kinds = [target.kind for target in damage.list_hits()]
    assert kinds.count("link") > 300
    assert kinds.count("redirect") == sum(target.kind == "redirect" for target in TARGETS)
    allowed["submit.allow_changes"] = allowed["scope.allow_changes"]
    damage.asked.clear()
    leadline.harvest(
        *("http://shop.example/catalogue", str(tmp_path / "h")),
        requests=120,
        settings={**settings, **allowed},
    )
    assert {target.kind for target in damage.list_hits()} >= {"paging"}
