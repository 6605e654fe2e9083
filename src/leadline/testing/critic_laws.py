"""Laws every critic and every exporter obeys, put to made-up pages and rows."""

import pickle
from collections.abc import Callable
from io import BytesIO
from random import Random

from msgspec import Struct

from leadline.core.crawl import Judgement
from leadline.core.page import Page
from leadline.core.ports import Critic, Exporter
from leadline.core.url import Url
from leadline.forms.signature import signature
from leadline.page.parse import parse_page
from leadline.page.words import PageWords
from leadline.testing.laws import must
from leadline.topics.critic import Topic
from leadline.topics.judges import KEYWORDS, KeywordTopic

MakeCritic = Callable[[Topic], Critic]

_PIECES = (
    "<h1>Books</h1><p>Find a book by author, title or ISBN in our library.</p>",
    "<p>Kochen und Backen mit Äpfeln: das Rezept der Großmutter.</p>",
    "<form action=/search><label>Search<input name=q></label><input type=submit></form>",
    "<form action=/find method=post><input name=title><select name=g><option>Crime</select></form>",
    "<form action=/login method=post><input name=user><input type=password name=p></form>",
    "<form></form>",
    "<input name=q placeholder=search>",
    "<a href=/a>a</a><a href='//b.test/x'>b</a>",
    "<table><tr><td><form><td><input></form>",
    "<p>\x00\ud7ff \U0001f600 &#0; &lt;form&gt;</p>",
)
"""Search forms, other forms, broken ones, and text of several kinds."""
_BYTES = 300


def check_critic(make: MakeCritic, rounds: int = 100, seed: int = 0) -> None:
    """Put all laws to the critics that `make` makes for a topic, on made-up pages.

    Raises LawBrokenError.
    """
    chance = Random(seed)
    critic = make(KeywordTopic("book", KEYWORDS["book"]))
    for _ in range(rounds):
        page, other = draw_page(chance), draw_page(chance)
        judges_each_form_once_within_bounds(critic, page)
        judges_the_same_again(critic, page, other)


def draw_page(chance: Random) -> Page:
    """One of very many; some are no HTML at all."""
    if chance.random() < 0.1:
        body = chance.randbytes(_BYTES)
    else:
        body = "".join(chance.choices(_PIECES, k=chance.randint(0, 6))).encode()
    return parse_page(body, Url("http://a.test/page"), "text/html")


def judges_each_form_once_within_bounds(critic: Critic, page: Page) -> None:
    judgement = critic.judge(page, PageWords(page))
    must(isinstance(judgement, Judgement), "judge returns a Judgement", type(judgement))
    must(0 <= judgement.relevance <= 1, "relevance is from 0 to 1", judgement.relevance)
    wanted = {signature(form) for form in page.forms}
    found = [judged.signature for judged in judgement.forms]
    law = "each distinct form of the page is judged once, by its signature"
    must(sorted(found) == sorted(wanted), law, f"of {sorted(wanted)} it judged {sorted(found)}")
    for judged in judgement.forms:
        must(judged.form in page.forms, "judged forms are those of the page", judged.form)
        must(0 <= judged.searchable <= 1, "searchable is from 0 to 1", judged)
        law = "relevant is from 0 to searchable: only a searchable form opens onto a database"
        must(0 <= judged.relevant <= judged.searchable + 1e-6, law, judged)
        must(bool(judged.why), "each form's judgement says why", judged)


def judges_the_same_again(critic: Critic, page: Page, other: Page) -> None:
    first = critic.judge(page, PageWords(page))
    critic.judge(other, PageWords(other))
    again = critic.judge(page, PageWords(page))
    must(again == first, "a page is judged as before, whatever came between", again)
    clone: Critic = pickle.loads(pickle.dumps(critic))  # noqa: S301 (our own bytes)
    said = clone.judge(page, PageWords(page))
    must(said == first, "pickled it judges as before: pages are parsed in other processes", said)


class LawRow(Struct, frozen=True):
    """A row with the kinds of fields that exports have."""

    number: int
    name: str
    score: float
    is_new: bool = False
    tags: tuple[str, ...] = ()
    note: str | None = None


LAW_ROWS = (
    LawRow(1, "plain", 0.5),
    LawRow(2, 'quotes " and, commas; and\nlines', -1e-9, is_new=True, tags=("a", "b;c")),
    LawRow(3, "=1+1", 1e300, note=""),
    LawRow(2**62, "Großmutter \U0001f600 \x00\x1f", 0.0, tags=("",), note="<script>"),
)


def check_exporter(make: Callable[[], Exporter]) -> None:
    """Put all laws to the exporters that `make` makes. Raises LawBrokenError."""
    for rows in (LAW_ROWS, LAW_ROWS[:1], ()):
        writes_every_row(make(), rows)
    reads_rows_once(make())
    files = [_write(make(), LAW_ROWS)[1] for _ in range(2)]
    must(files[0] == files[1], "the same rows make the same file")
    must(_write(make(), LAW_ROWS[:1])[1] != files[0], "other rows make another file")


def writes_every_row(exporter: Exporter, rows: tuple[LawRow, ...]) -> None:
    count, _ = _write(exporter, rows)
    must(count == len(rows), f"write returns how many rows it wrote: {len(rows)}", count)


def reads_rows_once(exporter: Exporter) -> None:
    given = (row for row in LAW_ROWS)
    count = exporter.write(given, LawRow, BytesIO())
    must(count == len(LAW_ROWS), "rows may come from a generator", f"it wrote {count}")


def _write(exporter: Exporter, rows: tuple[LawRow, ...]) -> tuple[int, bytes]:
    out = BytesIO()
    count = exporter.write(rows, LawRow, out)
    must(not out.closed, "the stream is left open: closing is for those who opened it")
    return count, out.getvalue()
