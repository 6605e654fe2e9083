"""`leadline topic`: what is shipped, teaching one's own, and crawling with it."""

from pathlib import Path

import pytest

from leadline.topics.vocabulary import DOMAINS
from leadline.ui.cli.exits import Exit
from tests.topics.pages import COURT, GENERAL
from tests.ui import small_web
from tests.ui.conftest import Command


def save_pages(folder: Path, count: int, own: list[str] = COURT) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number in range(count):
        said = [own[(number * 7 + step * 3) % len(own)] for step in range(14)]
        around = [GENERAL[(number * 5 + step) % len(GENERAL)] for step in range(12)]
        file = folder / f"page{number}.html"
        file.write_text(f"<html lang=en><title>Records</title><p>{' '.join(said + around)}")
        files.append(file)
    return files


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_shipped_topics_and_own_ones_are_listed(leadline: Command) -> None:
    assert leadline("topic", "new", "court", "--words", "judge,docket", "--json").code == 0
    rows = leadline("topic", "list", "--json").json
    assert [row["name"] for row in rows] == [*DOMAINS, "court"]
    assert {row["words_from"] for row in rows} == {
        "real text", "written by hand", "a list of words"
    }  # fmt: skip
    text = leadline("topic", "list").out
    assert "shipped" in text
    assert str(Path("topics/court")) in text


def test_a_topic_is_shown_with_its_words_and_scores(leadline: Command) -> None:
    facts = leadline("topic", "show", "book", "--json").json
    assert "isbn" in dict(facts["words_for"])
    assert facts["scores"]["page accuracy"] > 0.9
    assert facts["queries"]
    text = leadline("topic", "show", "book").out
    assert "isbn +" in text
    assert "to type into its forms" in text


def test_a_topic_is_taught_by_saved_pages(leadline: Command, tmp_path: Path) -> None:
    files = save_pages(tmp_path / "saved", 8)
    ended = leadline("topic", "new", "court", "--pages", *files)
    assert ended.code == Exit.DONE
    assert "docket +" in ended.out
    assert "100% are recognised" in ended.err
    assert "leadline crawl topics/court" in ended.err
    assert sorted(p.name for p in Path("topics/court").iterdir()) == [
        "manifest.json", "weights.npz"
    ]  # fmt: skip
    assert leadline("topic", "evaluate", "court", "--json").json["scores"]["recall"] == 1.0


def test_more_pages_and_labels_teach_it_further(leadline: Command, tmp_path: Path) -> None:
    files = save_pages(tmp_path / "saved", 8)
    assert leadline("topic", "new", "court", "--pages", *files[:4], "--json").code == 0
    others = save_pages(tmp_path / "others", 4, "tennis court players umpire serve match".split())
    labels = [f"{file},yes" for file in files[4:]] + [f"{file},no" for file in others]
    Path("labels.csv").write_text("\n".join(labels))
    ended = leadline("topic", "train", "court", "--labels", "labels.csv", "--json")
    assert ended.json["topic"]["counts"]["pages"] == 8
    assert ended.json["topic"]["counts"]["other pages"] == 4


def test_a_topic_is_measured_on_pages_of_ones_own(leadline: Command, tmp_path: Path) -> None:
    save_pages(tmp_path / "saved", 10)
    leadline("topic", "new", "court", "--pages", tmp_path / "saved")
    save_pages(tmp_path / "data" / "yes", 5)
    save_pages(tmp_path / "data" / "no", 5, "tennis players umpire serve match ball".split())
    scores = leadline("topic", "evaluate", "court", "--data", "data", "--json").json["scores"]
    assert scores == {"pages": 10, "accuracy": 1.0, "precision": 1.0, "recall": 1.0}


def test_too_few_examples_are_warned_about(leadline: Command, tmp_path: Path) -> None:
    ended = leadline("topic", "new", "court", "--pages", *save_pages(tmp_path / "saved", 2))
    assert ended.code == Exit.DONE
    assert "warning: only 2 sites" in ended.err
    listed = leadline("topic", "new", "listed", "--words", "judge,docket")
    assert "warning: a list of words only" in listed.err


def test_a_topic_taught_by_urls_is_crawled_with(leadline: Command, way: list[str]) -> None:
    sites = small_web.THEMES[0].sites[:6]
    pages = [f"http://{site}.demo/" for site in sites]
    settings = [*way[: way.index("--delay")], "--set", "politeness.delay_s=0"]
    taught = leadline("topic", "new", "reading", "--pages", *pages, *settings, "--json")
    assert taught.code == Exit.DONE
    assert taught.json["topic"]["counts"]["sites"] >= 5
    # One site at a time: what a critic knows of sites when it judges depends on their order.
    run = ["--seeds", *small_web.SEEDS, *way, "--store", "x.leadline", "--pages", "120", "-q"]
    run += ["--concurrency", "1"]
    crawled = leadline("crawl", "reading", *run, "--json")
    assert crawled.code == Exit.DONE
    assert crawled.json["counts"]["forms"] >= 2
    books = {f"{site}.demo" for site in small_web.THEMES[0].sites}
    assert {form["site"] for form in crawled.json["forms"]} <= books


def test_forms_of_pages_teach_what_forms_ask_for(leadline: Command, tmp_path: Path) -> None:
    files = save_pages(tmp_path / "saved", 4)
    form = "<form action=/s><label>Docket number <input name=docket></label><button>Search</button>"
    for file in files:
        file.write_text(file.read_text() + form)
    ended = leadline("topic", "new", "court", "--forms", *files, "--json")
    assert ended.json["topic"]["counts"]["pages"] == 4


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("new", "court"), "--pages"),
        (("new", "book", "--words", "a,b"), "shipped"),
        (("new", "a/b", "--words", "a,b"), "letters"),
        (("new", "court", "--pages", "gone.html"), "no such file"),
        (("new", "court", "--pages", "ftp://a.test/"), "https://"),
        (("show", "nosuch"), "airfare"),
        (("train", "book", "--pages", "gone.html"), "shipped"),
        (("train", "nosuch", "--pages", "gone.html"), "leadline topic new"),
        (("evaluate", "book", "--data", "gone"), "yes and no"),
        (("new", "court", "--labels", "gone.csv"), "cannot read"),
    ],
)
def test_bad_input_says_what_would_do(
    leadline: Command, arguments: tuple[str, ...], named: str
) -> None:
    ended = leadline("topic", *arguments)
    assert ended.code == Exit.BAD_INPUT, ended
    assert named in ended.err
    assert not Path("topics").exists()


def test_a_topic_is_not_overwritten(leadline: Command) -> None:
    assert leadline("topic", "new", "court", "--words", "judge").code == Exit.DONE
    again = leadline("topic", "new", "court", "--words", "docket")
    assert again.code == Exit.BAD_INPUT
    assert "leadline topic train court" in again.err


def test_pages_that_cannot_be_had_are_told(leadline: Command) -> None:
    ended = leadline("topic", "new", "court", "--pages", "http://127.0.0.1:9/")
    assert ended.code == Exit.NOTHING_FETCHED
    assert "left out" in ended.err
