"""`leadline train apprentice`: a finished crawl's links as a model for the next crawl."""

from pathlib import Path

from leadline.core.ports import Store
from leadline.errors import ConfigError
from leadline.strategies.apprentice import Apprentice, train_apprentice, write_apprentice
from leadline.strategies.apprentice_features import ApprenticeSettings
from leadline.ui.exits import Exit
from leadline.ui.output import print_json, print_text
from leadline.views.stores import open_to_read, saved_settings, topic_of


def run_train(store: str, out: Path, *, as_json: bool) -> Exit:
    """The whole command."""
    with open_to_read(store) as opened:
        settings = crawled_with(opened)
        manifest = write_apprentice(
            out,
            train_apprentice(opened, settings),
            settings,
            (f"a crawl about {topic_of(opened)}",),
        )
    if as_json:
        print_json({"model": str(out), **manifest.counts})
        return Exit.DONE
    counts = manifest.counts
    print_text(
        f"{out}: {counts['links']} links, {counts['high']} of them to relevant pages, "
        f"{counts['features']} features"
    )
    print_text(f"use it with --set strategy.mode=offline-online --set strategy.model={out}")
    return Exit.DONE


def crawled_with(store: Store) -> ApprenticeSettings:
    """The settings its links were described by. Raises ConfigError for another strategy's crawl."""
    own = dict(saved_settings(store).get("strategy", {}))
    name = own.pop("name", "")
    for shared in ("goal", "fallback"):
        own.pop(shared, None)
    if name != Apprentice.name:
        raise ConfigError(
            f"this store was crawled by strategy {name!r}, which keeps no features of links: "
            "crawl with --strategy apprentice, in mode watching for the order of baseline"
        )
    return ApprenticeSettings.model_validate({**own, "mode": "online", "model": ""})
