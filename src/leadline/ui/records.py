"""`leadline records`: what was drawn up so far."""

from itertools import islice

from leadline.ui.exits import Exit
from leadline.ui.opening import store_path
from leadline.ui.output import print_json, print_text, say, shorten, show, table
from leadline.views.harvests import RecordRow, harvest_rows, record_rows
from leadline.views.stores import open_to_read

_TEXT_CHARS = 70


def run_records(store: str | None, *, form: str, limit: int, as_json: bool) -> Exit:
    """The whole command."""
    with open_to_read(store_path(store)) as opened:
        rows = list(islice(record_rows(opened, form), limit or None))
        in_all = sum(h.records for h in harvest_rows(opened) if h.source.startswith(form))
    if as_json:
        print_json(rows)
    elif not rows:
        print_text("no records yet; draw some up with: leadline harvest FORM")
    else:
        show(table("", ("title", "what it says", "query", "#page", "site"), map(_cells, rows)))
    if len(rows) < in_all and not as_json:
        say(f"{len(rows)} of {in_all} records; --limit 0 shows all, leadline export writes them")
    return Exit.DONE


def _cells(row: RecordRow) -> tuple[object, ...]:
    said = "; ".join(cell.text for cell in row.cells if cell.text != row.title)
    return (
        shorten(row.title or row.key, 50),
        shorten(said, _TEXT_CHARS),
        shorten(row.query, 30),
        row.page,
        shorten(row.site, 30),
    )
