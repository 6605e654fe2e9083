"""Tables of things made at once, in the process of the test."""

from pathlib import Path

from leadline.config import load_config
from leadline.records.things_file import make_things_file
from leadline.ui.web.things_cache import ThingsCache
from leadline.views.stores import open_to_read
from tests.records.made_harvests import make_store
from tests.views.made_up import HOSTILE

BOOKS = 60
CONFLICT = 7
"""The book whose year two sources contradict each other in."""
_WORDS = ("Amber", "Cobalt", "Ochre", "Umber", "Sienna", "Indigo")
_ENDS = ("Tower", "River", "Gate", "Moon", "Fox", "Lantern", "Harbour", "Orchard", "Mill", "Bridge")


def make_books(path: Path) -> Path:
    """A store with the same books in two shops, and hostile ones in the first."""
    titles = [f"{a} {b}" for a in _WORDS for b in _ENDS]
    shop = [
        {"title": title, "Author": f"Jane {title.split()[0]}son", "Price": f"$ {10 + at}.50",
         "Published": f"{1930 + at}"}
        for at, title in enumerate(titles)
    ]  # fmt: skip
    library = [
        {"title": title.upper(), "Author": f"{title.split()[0]}son, Jane",
         "Published": "1999" if at == CONFLICT else f"{1930 + at}", "Shelf": f"{HOSTILE} {at}"}
        for at, title in enumerate(titles)
    ]  # fmt: skip
    shop.append({"title": HOSTILE, "Author": HOSTILE, "Price": HOSTILE, "Published": "1901"})
    store = make_store({"shop": shop, "library": library}, str(path))
    config, _ = load_config(settings={"topic.name": "book"})
    store.save("config", config.model_dump_json().encode())
    store.flush()
    store.close()
    return path


class MakerHere:
    """Makes the table in the thread that asked for it."""

    def __call__(self, place: Path | str, folder: Path) -> None:
        with open_to_read(str(place)) as store:
            make_things_file(store, folder)

    def stop(self) -> None:
        """Nothing outlives it."""


def cache_here() -> ThingsCache:
    return ThingsCache(MakerHere())
