"""Labels on a store teach: a shipped topic's like, one's own topics, and the crawls after it."""

import shutil
from pathlib import Path

import pytest

from leadline.config import Config
from leadline.core.crawl import StoredForm
from leadline.core.inbox import FORM, PAGE, RIGHT, WRONG, Label
from leadline.store.inbox import open_inbox
from leadline.topics import open_topic
from leadline.topics.judges import CorrectedTopic
from leadline.topics.labels import correct_critic
from leadline.ui.cli.examples import is_store, read_store_labels
from leadline.ui.cli.exits import Exit
from leadline.views.stores import open_to_read, topic_of
from tests.ui import small_web
from tests.ui.conftest import Command


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def own_store(store: Path, tmp_path: Path) -> Path:
    """A crawl's store to write labels on."""
    return Path(shutil.copy(store, tmp_path / "own.leadline"))


def forms_in(path: Path) -> list[StoredForm]:
    with open_to_read(str(path)) as found:
        return [form for form in found.reader.forms() if form.judged.relevant >= 0.5]


def call(path: Path, subjects: list[str], verdict: str, what: str = FORM) -> None:
    given = [Label(what, subject, verdict, float(at)) for at, subject in enumerate(subjects)]
    open_inbox(path).label(given)


def label_forms(path: Path) -> tuple[list[StoredForm], list[StoredForm]]:
    """Half of the forms found are called wrong, by site, and the others right."""
    found = sorted(forms_in(path), key=lambda form: form.site)
    wrong, right = found[: len(found) // 2], found[len(found) // 2 :]
    call(path, [form.judged.signature for form in wrong], WRONG)
    call(path, [form.judged.signature for form in right], RIGHT)
    return right, wrong


def test_a_shipped_topic_is_corrected_into_one_of_ones_own(
    leadline: Command, own_store: Path
) -> None:
    wrong = label_forms(own_store)[1]
    ended = leadline("topic", "train", "book", "--labels", own_store, "--out", "my-books")
    assert ended.code == Exit.DONE
    assert "are judged as you did" in ended.err
    assert "corrected by labels:" in ended.out
    topic = open_topic("my-books")
    assert isinstance(topic, CorrectedTopic)
    labels = read_store_labels(own_store, Config()).forms
    scores = {label.subject: correct_critic(topic, []).form(seen) for label, seen in labels}  # type: ignore[arg-type]
    moved = [scores[form.judged.signature] - form.judged.relevant for form in wrong]
    assert max(moved) < 0
    shown = leadline("topic", "show", "my-books", "--json").json
    assert shown["name"] == "my-books"
    assert shown["counts"]["labels"] == len(labels)


def test_the_shipped_one_stays_as_it_is(leadline: Command, own_store: Path) -> None:
    label_forms(own_store)
    ended = leadline("topic", "train", "book", "--labels", own_store)
    assert ended.code == Exit.BAD_INPUT
    assert "--out my-book" in ended.err
    Path("my-books").mkdir()
    ended = leadline("topic", "train", "book", "--labels", own_store, "--out", "my-books")
    assert ended.code == Exit.BAD_INPUT
    assert "teach it further" in ended.err


def test_a_store_without_labels_teaches_nothing(leadline: Command, own_store: Path) -> None:
    ended = leadline("topic", "train", "book", "--labels", own_store, "--out", "my-books")
    assert ended.code == Exit.BAD_INPUT
    assert "no labels" in ended.err


def test_the_same_store_goes_on_with_the_corrected_topic(
    leadline: Command, own_store: Path, way: list[str]
) -> None:
    right, wrong = label_forms(own_store)
    leadline("topic", "train", "book", "--labels", own_store, "--out", "my-books")
    ended = leadline("crawl", "my-books", *way, "--store", own_store, "--pages", "260", "-q")
    assert ended.code == Exit.DONE
    # The crawl reads the labels: what is called wrong is no form of the topic any more.
    after = {form.judged.signature: form.judged.relevant for form in forms_in(own_store)}
    assert {after[form.judged.signature] for form in right} == {1.0}
    assert after.keys().isdisjoint(form.judged.signature for form in wrong)
    with open_to_read(str(own_store)) as found:
        assert topic_of(found) == "my-books"


def test_labelled_pages_teach_with_their_text(
    leadline: Command, own_store: Path, way: list[str]
) -> None:
    with open_to_read(str(own_store)) as found:
        pages = [visit.url for visit in found.reader.visits() if visit.outcome == "page"][:6]
    call(own_store, list(pages[:3]), RIGHT, PAGE)
    call(own_store, [*pages[3:], "http://nowhere.test/"], WRONG, PAGE)
    options = [word for word in way if word not in ("--delay", "0")]
    ended = leadline(
        "topic", "train", "book", "--labels", own_store, "--out", "my-books", *options,
        "--set", "politeness.delay_s=0",
    )  # fmt: skip
    assert ended.code == Exit.DONE
    assert "1 labels on what is not in" in ended.err
    assert "6 fetched again" in ended.err
    offline = leadline(
        "topic", "train", "my-books", "--labels", own_store,
        "--set", 'web.resolve={"*" = "127.0.0.1:1"}', "--set", "web.allow_private=true",
    )  # fmt: skip
    assert "6 known by title and link only" in offline.err


def test_an_archive_has_the_text_of_labelled_pages(leadline: Command, way: list[str]) -> None:
    crawled = Path("kept.leadline")
    assert leadline(
        "crawl", "book", "--seeds", *small_web.SEEDS, *way, "--store", crawled, "--pages", "8",
        "--set", "archive.folder=warc", "-q",
    ).code == Exit.DONE  # fmt: skip
    with open_to_read(str(crawled)) as found:
        pages = [visit.url for visit in found.reader.visits() if visit.outcome == "page"][:4]
    call(crawled, list(pages[:2]), RIGHT, PAGE)
    call(crawled, list(pages[2:]), WRONG, PAGE)
    ended = leadline("topic", "train", "book", "--labels", crawled, "--out", "my-books")
    assert "4 read from the archive, 0 fetched again" in ended.err


def test_labels_teach_a_topic_of_ones_own(leadline: Command, own_store: Path) -> None:
    label_forms(own_store)
    assert leadline("topic", "new", "novels", "--words", "novel,author,isbn").code == 0
    ended = leadline("topic", "train", "novels", "--labels", own_store, "--json")
    assert ended.json["topic"]["words_from"] == "a list of words"
    assert ended.json["topic"]["counts"]["labels"] > 2
    assert isinstance(open_topic("novels"), CorrectedTopic)
    again = leadline("topic", "train", "novels", "--labels", own_store, "--json")
    assert again.json["topic"]["counts"] == ended.json["topic"]["counts"]


def test_a_store_is_told_from_a_list_of_pages(own_store: Path) -> None:
    Path("labels.csv").write_text("page,yes\n")
    assert is_store(own_store)
    assert not is_store(Path("labels.csv"))
    assert not is_store(Path("nothing"))
