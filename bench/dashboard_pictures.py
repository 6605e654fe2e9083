"""`python -m bench.dashboard_pictures [--out FOLDER] [--stores FOLDER]`: pictures of every page of
the dashboard.

Two crawls of the lab's web and some harvests are made for it, some forms are labelled by what the
lab knows to be true, and each page is looked at with the chromium of this machine: on a laptop,
some in the dark, some on a phone. Takes some minutes; with --stores the crawls are kept in that
folder, and used again the next time.
"""

import argparse
import io
import json
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.browsing import ARGUMENTS, PATIENCE_MS, find_chromium
from tests.browser.stores import PROFILE, SEED, SEEDS, TOPIC, dashboard, way_to

from leadline.core.crawl import LIKELY
from leadline.core.inbox import FORM, RIGHT, WRONG, Label, budget_order, exclude_order, seeds_order
from leadline.store.inbox import open_inbox
from leadline.ui.cli.app import run
from leadline.views.forms import form_rows
from leadline.views.stores import open_to_read
from leadline_lab.profile import profile_named
from leadline_lab.server.running import serving_apart
from leadline_lab.server.serve import open_world
from leadline_lab.truth import Truth
from leadline_lab.world import World

FOLDER = Path("docs/images")
FIRST_PAGES, PAGES = 600, 900
"""Of the first run, and of both."""
HARVESTS = 4
REQUESTS = 120
LABELS = 60
COLOURS = 256
"""Of a picture: what is drawn has few, and a palette is a third of the size."""
WIDTH = 1366
PHONE_WIDTH = 390
_TABLE_MS = 300_000
"""A table of some thousand things is made in seconds; on a busy machine in minutes."""


class Shot(NamedTuple):
    """One picture."""

    name: str
    path: str
    height: int = 768
    width: int = WIDTH
    is_dark: bool = False
    keys: str = ""
    """Pressed before it is taken."""
    at: str = ""
    """What is brought into view, as CSS names it."""
    click: str = ""
    """What is clicked before it is taken."""


SHOTS = (
    Shot("stores", "/", 420),
    Shot("overview", "/sitewise/", 1180),
    Shot("overview-dark", "/sitewise/", 768, is_dark=True),
    Shot("overview-phone", "/sitewise/", 844, PHONE_WIDTH),
    Shot("compare", "/sitewise/compare", 1000),
    Shot("learned", "/sitewise/learned", 1250),
    Shot("learned-calibration", "/sitewise/learned", 520, at="#calibration-title"),
    Shot("learned-smartcrawler", "/smartcrawler/learned", 1000),
    Shot("directory", "/sitewise/forms", 900, keys="jjr"),
    Shot("directory-dark", "/sitewise/forms", 768, is_dark=True, keys="jjj"),
    Shot("directory-phone", "/sitewise/forms", 844, PHONE_WIDTH),
    Shot("form", "/sitewise/forms/{form}", 1350),
    Shot("form-phone", "/sitewise/forms/{form}", 844, PHONE_WIDTH, is_dark=True),
    Shot("records", "/sitewise/records", 900),
    Shot("records-dark", "/sitewise/records", 768, is_dark=True),
    Shot("records-phone", "/sitewise/records", 844, PHONE_WIDTH),
    Shot("record", "/sitewise/records", 900, click="tr[data-thing]:nth-of-type(2) td:nth-child(2)"),
    Shot("harvests", "/sitewise/harvests", 460),
    Shot("harvest", "/sitewise/harvests/{form}", 1350),
    Shot("harvest-dark", "/sitewise/harvests/{form}", 768, is_dark=True),
    Shot("sites", "/sitewise/sites", 700),
    Shot("explain", "/sitewise/explain?subject={site}", 900),
    Shot("labels", "/sitewise/labels", 700),
    Shot("control", "/sitewise/control", 620),
)


class Made(NamedTuple):
    """The stores to look at, and what is shown of them."""

    stores: dict[str, Path]
    form: str
    site: str


def make_stores(port: int, folder: Path) -> Made:
    """Crawl the lab's web by two strategies; harvest and label what the first one found."""
    world = World(profile_named(PROFILE), SEED)
    stores = {name: folder / f"{name}.leadline" for name in ("sitewise", "smartcrawler")}
    for name, path in stores.items():
        what = ["--seeds", *world.seeds(TOPIC, SEEDS), "--set", f"strategy.name={name}"]
        budget = ["--pages", str(FIRST_PAGES), "--delay", "0.02", "--store", str(path), "-q"]
        _told(run(["crawl", TOPIC, *what, *way_to(port, 2.0), *budget]))
        give_orders(path)
        _told(run(["crawl", "--store", str(path), "-q"]))
    with open_to_read(str(stores["sitewise"])) as store:
        forms = form_rows(store)
    for form in forms[:HARVESTS]:
        more = ["--max-requests", str(REQUESTS), "--set", "politeness.delay_s=0", "-q"]
        _told(run(["harvest", form.signature, str(stores["sitewise"]), *way_to(port), *more]))
    label_truly(stores["sitewise"], world)
    with open_to_read(str(stores["sitewise"])) as store:
        tallies = [(store.harvests.tally(one.id), one.subject) for one in store.harvests.all()]
    # Of those with many records the one with most queries has the most to look at.
    shown = max(tallies, key=lambda pair: (min(pair[0].records, 1_000), pair[0].queries))[1]
    return Made(stores, shown.signature, shown.site)


def give_orders(path: Path) -> None:
    """As people do between two runs: more pages, a further seed, and no more of the worst site."""
    with open_to_read(str(path)) as store:
        worst = max(store.reader.sites(), key=lambda site: (site.errors, site.site))
        found = max(store.reader.sites(), key=lambda site: (site.forms, site.site))
    desk, now = open_inbox(path), time.time()
    desk.give(budget_order(now, pages=PAGES))
    desk.give(seeds_order(now, [f"http://{found.site}/search"]))
    desk.give(exclude_order(now, [worst.site]))


def label_truly(path: Path, world: World) -> None:
    """Label some forms, every second of all that may be searched, as the lab knows them to be."""
    truth = Truth(world)
    labels = []
    with open_to_read(str(path)) as store:
        found = [one for one in store.reader.forms() if one.judged.searchable >= LIKELY]
    for stored in found[::2][:LABELS]:
        number = truth.form(stored.judged.form)
        is_right = number is not None and TOPIC in truth.domains_of(number)
        labels.append(
            Label(
                FORM,
                stored.judged.signature,
                RIGHT if is_right else WRONG,
                time.time(),
                TOPIC,
                stored.judged.relevant,
            )
        )
    open_inbox(path).label(labels)


def take(browser: Browser, address: str, shot: Shot, made: Made, folder: Path) -> None:
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.is_dark else "light",
        device_scale_factor=2 if shot.width == PHONE_WIDTH else 1,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(address + shot.path.format(form=made.form, site=made.site))
    _settle(page)
    for key in shot.keys:
        page.keyboard.press(key)
    if shot.click:
        page.locator(shot.click).first.click()
        page.wait_for_selector("dialog[open]")
    if shot.at:
        page.locator(shot.at).evaluate("it => it.closest('.panel').scrollIntoView()")
    _write(page.screenshot(), folder / f"dashboard-{shot.name}.png")
    context.close()


def _settle(page: Page) -> None:
    """Until all charts are drawn, and the stream told what is new."""
    count = page.locator("[data-chart]").count()
    page.wait_for_function(
        "count => document.querySelectorAll('[data-chart].js-plotly-plot').length === count",
        arg=count,
    )
    if page.url.endswith("/records"):
        # The table is made when the page is first opened.
        page.wait_for_selector("tr[data-thing]", timeout=_TABLE_MS)
    if page.locator("[data-live]").count():
        page.wait_for_selector('[data-live][data-state="live"]')


def _write(picture: bytes, path: Path) -> None:
    """With a palette, and as small as PNG gets."""
    with Image.open(io.BytesIO(picture)) as full:
        few = _with_palette(np.asarray(full.convert("RGB")))
    few.save(path, optimize=True)
    print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


def _with_palette(pixels: NDArray[np.uint8]) -> Image.Image:
    """Its most frequent colours as they are, because flat areas must not change their tone; any
    other becomes the nearest of them."""
    height, width, _ = pixels.shape
    found, at, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    frequent = found[np.argsort(-counts)[:COLOURS]].astype(np.int32)
    apart = ((found[:, None, :].astype(np.int32) - frequent[None, :, :]) ** 2).sum(axis=2)
    nearest = apart.argmin(axis=1).astype(np.uint8)
    image = Image.fromarray(nearest[at.ravel()].reshape(height, width), "P")
    image.putpalette(frequent.astype(np.uint8).tobytes())
    return image


def _told(code: int) -> None:
    if code:
        raise SystemExit(f"the command ended with {code}")


def open_stores(port: int, folder: Path) -> Made:
    """Those that an earlier call left in the folder, else new ones."""
    kept = folder / "made.json"
    if kept.is_file():
        found = json.loads(kept.read_text())
        stores = {name: folder / f"{name}.leadline" for name in found["stores"]}
        return Made(stores, found["form"], found["site"])
    made = make_stores(port, folder)
    told = {"stores": list(made.stores), "form": made.form, "site": made.site}
    kept.write_text(json.dumps(told))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description="Pictures of every page of the dashboard.")
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--stores", type=Path, help="where the crawls are kept")
    parser.add_argument("--only", default="", help="the pictures whose names begin so")
    given = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        raise SystemExit("no chromium on the path: install one to take pictures")
    with tempfile.TemporaryDirectory() as made_in:
        with serving_apart(partial(open_world, PROFILE, SEED)) as port:
            made = open_stores(port, given.stores or Path(made_in))
        # Not before: Playwright keeps an event loop running, and crawls need one of their own.
        with sync_playwright() as playwright, dashboard(made.stores) as address:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
            for shot in SHOTS:
                if shot.name.startswith(given.only):
                    take(browser, address, shot, made, given.out)
            browser.close()


if __name__ == "__main__":
    main()
