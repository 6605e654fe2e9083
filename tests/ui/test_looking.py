"""The commands that look at a store."""

import csv
import io
import json
from pathlib import Path

import pytest

from leadline.core.url import Url
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.store_calls import DirectCalls
from leadline.store import open_store
from leadline.strategies import STRATEGIES
from leadline.topics import KEYWORDS
from leadline.ui.cli.exits import Exit
from tests.ui.conftest import Command, paid_for
from tests.ui.small_web import SEEDS


def test_status_counts(leadline: Command, store: Path) -> None:
    status = leadline("status", store, "--json").json
    assert paid_for(status["counts"]) == 250
    assert status["reason"] == "budget: pages"
    counts = status["counts"]
    last = status["curve"][-1]
    assert (last["visits"], last["forms"]) == (counts["visits"], counts["forms"])
    assert last["pages"] == counts["pages"]
    text = leadline("status", store).out
    assert f"of {counts['visits']} visits" in text
    assert "▁" in text


async def test_status_names_the_pages_in_quarantine(leadline: Command, tmp_path: Path) -> None:
    path = tmp_path / "crawl.leadline"
    opened = open_store(str(path))
    losses = ReaderLosses(opened, DirectCalls(), lambda: 1.0)
    for name in ("once", "twice", "twice"):
        await losses.add(Url(f"http://a.test/{name}"), "its reader's process ended by signal 9")
    opened.close()
    quarantine = leadline("status", path, "--json").json["quarantine"]
    assert (quarantine["readers_lost"], quarantine["pages"]) == (3, 1)
    assert [page["subject"] for page in quarantine["latest"]] == ["http://a.test/twice"]
    text = leadline("status", path).out
    assert "3 lost, 1 pages in quarantine" in text
    assert "http://a.test/twice" in text
    assert "signal 9" in text


def test_forms_are_listed_best_first(leadline: Command, store: Path) -> None:
    rows = leadline("forms", store, "--json").json
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] >= 0.5
    assert {"site", "what", "method", "fields", "why", "page", "sightings"} <= set(rows[0])
    assert rows[0]["page"] in leadline("forms", store).out


def test_all_forms_and_a_least_score(leadline: Command, store: Path) -> None:
    found = leadline("forms", store, "--json").json
    every = leadline("forms", store, "--all", "--json").json
    assert len(every) > len(found)
    best = max(row["score"] for row in every)
    strict = leadline("forms", store, "--min-score", best, "--json").json
    assert 0 < len(strict) < len(every)
    assert all(row["score"] == best for row in strict)
    assert len(leadline("forms", store, "--topic", "book", "--json").json) == len(found)
    assert leadline("forms", store, "--topic", "hotel", "--json").json == []


@pytest.mark.parametrize("what", ["forms", "visits", "sites", "events"])
def test_exports_hold_every_row_in_both_formats(
    leadline: Command, store: Path, tmp_path: Path, what: str
) -> None:
    lines, table = tmp_path / "out.jsonl", tmp_path / "out.csv"
    assert leadline("export", store, lines, "--what", what).code == 0
    assert leadline("export", store, table, "--what", what).code == 0
    objects = [json.loads(line) for line in lines.read_text().splitlines()]
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert len(objects) == len(rows) > 0
    assert set(rows[0]) == set(objects[0])
    printed = leadline("export", store, "-", "--what", what).out
    assert printed == lines.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "out.jsonl"]


def test_the_csv_of_forms_names_fields_in_words(
    leadline: Command, store: Path, tmp_path: Path
) -> None:
    table = tmp_path / "forms.csv"
    leadline("export", store, table)
    found = {form["signature"]: form for form in leadline("forms", store, "--all", "--json").json}
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    for row in rows:
        names = [field["label"] or field["name"] for field in found[row["signature"]]["fields"]]
        assert row["fields"] == "; ".join(names)
    assert any(row["fields"] for row in rows)


def test_a_form_is_explained_back_to_its_seed(leadline: Command, store: Path) -> None:
    form = leadline("forms", store, "--json").json[0]
    facts = leadline("explain", store, form["signature"], "--json").json
    assert form["why"] in facts["verdict"]
    path = facts["path from the seed"]
    assert path[0].split()[0] in SEEDS
    assert path[-1].split()[0] == form["page"]


def test_the_features_that_decided_about_a_form_are_told(leadline: Command, store: Path) -> None:
    form = leadline("forms", store, "--json").json[0]
    facts = leadline("explain", store, form["signature"], "--json").json
    assert any("search" in reason for reason in facts["searchable by"])
    assert all(reason[0] in "+-" for reason in facts["of book by"])
    assert "searchable by" in leadline("explain", store, form["signature"]).out


def test_a_page_is_fetched_and_explained_by_its_words_and_forms(
    leadline: Command, store: Path
) -> None:
    page = leadline("forms", store, "--json").json[0]["page"]
    facts = leadline("explain", store, page, "--fetch", "--json").json["the page now"]
    assert 0.5 < float(facts["about book"]) <= 1
    assert any("book" in reason for reason in facts["by its words"])
    assert facts["forms"][0]["searchable by"]
    unmet = leadline("explain", store, "http://harbour-books.demo/?unmet", "--fetch", "--json")
    assert unmet.code == Exit.DONE


def test_only_urls_are_fetched(leadline: Command, store: Path) -> None:
    form = leadline("forms", store, "--json").json[0]["signature"]
    ended = leadline("explain", store, form, "--fetch")
    assert ended.code == Exit.BAD_INPUT
    assert "needs a URL" in ended.err


def test_a_visited_url_is_explained(leadline: Command, store: Path) -> None:
    page = leadline("forms", store, "--json").json[0]["page"]
    facts = leadline("explain", store, page, "--json").json
    assert facts["state"] == "visited: page"
    assert facts["priority"].startswith("tier ")
    assert facts["visit"]["status"] == 200
    assert facts["forms first met there"]
    assert facts["site"]["pages"] > 0
    assert "path from the seed" in leadline("explain", store, page).out


def test_skipped_and_waiting_urls_are_explained(leadline: Command, store: Path) -> None:
    robots = leadline("explain", store, "http://harbour-books.demo/account/basket", "--json")
    assert robots.code == Exit.DONE
    assert robots.json["state"].startswith(("visited: robots", "waiting"))
    assert (
        leadline("explain", store, "http://slow-kitchen.demo/about", "--json")
        .json["state"]
        .startswith(("skipped: the site it stands on is off topic", "waiting", "visited"))
    )


def test_a_site_is_explained(leadline: Command, store: Path) -> None:
    facts = leadline("explain", store, "harbour-books.demo", "--json").json
    assert facts["site"] == "harbour-books.demo"
    assert facts["pages"] > 0


def test_what_was_never_met_is_not_known(leadline: Command, store: Path) -> None:
    ended = leadline("explain", store, "http://nowhere.test/")
    assert ended.code == Exit.NOT_KNOWN
    assert "never seen" in ended.err


def test_config_tells_where_each_setting_is_from(
    leadline: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("[budget]\npages = 7\n")
    rows = leadline("config", "--config", "mine.toml", "--set", "topic.words=a,b", "--json").json
    by_name = {row["name"]: (row["value"], row["from"]) for row in rows}
    assert by_name["budget.pages"] == (7, "file mine.toml")
    assert by_name["topic.words"] == (["a", "b"], "flag")
    assert by_name["robots.obey"] == (True, "default")
    assert "robots.obey" in leadline("config").out


def test_strategies_and_topics_are_listed(leadline: Command) -> None:
    assert {row["name"] for row in leadline("strategies", "--json").json} == set(STRATEGIES)
    assert {row["name"] for row in leadline("topic", "list", "--json").json} >= set(KEYWORDS)
    assert all(name in leadline("strategies").out for name in STRATEGIES)
    assert all(name in leadline("topic", "list").out for name in KEYWORDS)


def test_a_report_can_be_written_later(leadline: Command, store: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    assert leadline("report", store, "--out", out, "--json").json == {"report": str(out)}
    assert "<svg" in out.read_text()


def test_forms_tell_what_their_fields_mean(leadline: Command, store: Path) -> None:
    rows = leadline("forms", store, "--json").json
    meant = {field["label"]: field["meaning"] for row in rows for field in row["fields"]}
    assert meant["Author"] == "person"
    assert meant["ISBN"] == "code"
    assert "Author (person)" in leadline("forms", store).out
    explained = leadline("explain", store, rows[0]["signature"]).out
    assert " says '" in explained or "boxes for words" in explained
    assert "looks like" in explained
