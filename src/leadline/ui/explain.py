"""`leadline explain`: why a URL, site or form was ranked, followed, skipped or accepted."""

from typing import Any

from leadline.config import settings_file
from leadline.config.runs import resolve_settings
from leadline.core.page import Page
from leadline.core.url import Url, canonical
from leadline.errors import ConfigError
from leadline.ui.exits import Exit
from leadline.ui.opening import store_path
from leadline.ui.output import clean, print_json, print_text, say
from leadline.ui.samples import read_samples
from leadline.views.critic import Facts, StoreCritic, StoreRanking
from leadline.views.explanation import StoreLookup, explain
from leadline.views.stores import open_to_read, saved_settings


def run_explain(store: str, subject: str, *, is_fetched: bool = False, as_json: bool) -> Exit:
    """The whole command."""
    with open_to_read(store_path(store)) as opened:
        settings = saved_settings(opened)
        critic, ranking = StoreCritic.open(opened), StoreRanking.open(opened)
        facts = explain(opened, subject, critic, ranking, StoreLookup(opened))
    url = canonical(subject)
    if is_fetched and url is None:
        raise ConfigError(f"--fetch needs a URL: {subject!r} is none; write https://host/path")
    if is_fetched and url is not None:
        page = _fetch(url, settings)
        if page is None:
            return Exit.NOTHING_FETCHED
        facts = {**(facts or {"url": url}), "the page now": critic.explain_page(page)}
    if facts is None:
        say(
            f"leadline: {store} has never met {subject!r}; "
            "give a URL, a site (host) or a form's signature from 'leadline forms'"
        )
        return Exit.NOT_KNOWN
    if as_json:
        print_json(facts)
    else:
        _print(facts)
    return Exit.DONE


def _fetch(url: Url, settings: dict[str, Any]) -> Page | None:
    """The page as it is now, fetched politely; None, and a message, when it cannot be had."""
    found = read_samples([url], resolve_settings(settings_file(None), {}, settings)[0])
    return found[0].page if found else None


def _print(facts: Facts, indent: str = "") -> None:
    for name, fact in facts.items():
        if isinstance(fact, dict):
            print_text(f"{indent}{name}:")
            _print(fact, f"{indent}  ")
        elif isinstance(fact, list):
            print_text(f"{indent}{name}:{'' if fact else ' none'}")
            _print_list(fact, f"{indent}  ")
        else:
            print_text(clean(f"{indent}{name}: {fact}"))


def _print_list(items: list[Any], indent: str) -> None:
    for number, item in enumerate(items, start=1):
        if isinstance(item, dict):
            print_text(f"{indent}{number}.")
            _print(item, f"{indent}   ")
        else:
            print_text(clean(f"{indent}{number}. {item}"))
