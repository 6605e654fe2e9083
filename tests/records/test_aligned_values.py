"""What two sources say of the same things tells which of their columns are one field."""

from leadline.records.table import build_table
from tests.records.made_harvests import make_store

NAMES = [f"{a} {b}" for a in ("Amber", "Cobalt", "Ochre", "Umber", "Sienna")
         for b in ("Tower", "River", "Gate", "Moon")]  # fmt: skip


def test_a_column_without_a_label_is_what_it_agrees_with() -> None:
    """Both numbers could be pages; only one says of each book what the other shop says."""
    pages = {name: 100 + 37 * at % 411 for at, name in enumerate(NAMES)}
    shop = [
        {"title": name, "Pages": f"{pages[name]}", "Published": f"2001-03-{at + 1:02}"}
        for at, name in enumerate(NAMES)
    ]
    library = [
        {
            "title": name,
            "tr/td1": f"{100 + 53 * at % 397}",
            "tr/td2": f"{pages[name]}",
            "tr/td3": f"{at + 1}.3.2001",
        }
        for at, name in enumerate(NAMES)
    ]
    table = build_table(make_store({"shop": shop, "library": library}), "book")
    named = {column.place: column.name for column in table.columns if column.source == "library"}
    assert (named["tr/td2"], named["tr/td3"]) == ("pages", "publication_date")
