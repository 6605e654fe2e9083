"""`leadline ask`: one question to all databases of a store; the table on stdout, how each source
was asked on stderr. `leadline mcp` serves the same to agents."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from leadline.config import Config, parse_pairs, settings_file
from leadline.config.runs import check_store, settle_harvest
from leadline.crawler.asking import FAILED, AskLimits
from leadline.records.asking import AnswerTable, AskedSource, ask_store
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.options import AskOptions, McpOptions
from leadline.ui.cli.output import print_json, print_text, say, show, table
from leadline.views.text import clean, shorten

_MOST_COLUMNS = 6
"""That fit on a screen; --json has all."""
_CELL_CHARS = 48
_NOT_SHOWN = frozenset({"url", "image", "description"})


def run_ask(store: str, texts: Sequence[str], options: AskOptions) -> Exit:
    """The whole command."""
    config = read_options(store, options)
    limits = AskLimits(options.requests, options.seconds, options.form)
    found = asyncio.run(ask_store(config, texts, limits=limits))
    if options.json:
        print_json(found.to_builtins())
    elif found.things:
        _print_things(found)
    else:
        print_text("nothing was found")
    sites = Counter(source.site for source in found.sources)
    for source in () if options.quiet else found.sources:
        # Several forms of one site are told apart.
        name = source.site if sites[source.site] == 1 else f"{source.site} (form {source.form})"
        say(describe_source(source, name))
    if not options.json and not options.quiet and found.things:
        say(f"{len(found.things)} things; --json has every column, and where each comes from")
    is_answered = any(source.outcome != FAILED for source in found.sources)
    return Exit.DONE if is_answered else Exit.NOTHING_FETCHED


def run_mcp(store: str, options: McpOptions) -> Exit:
    """Serves until the client closes stdin."""
    from leadline.ui.mcp import serve_stdio

    limits = AskLimits(options.requests, options.seconds, options.form)
    serve_stdio(read_options(store, options), limits)
    return Exit.DONE


def read_options(store: str, options: McpOptions) -> Config:
    """The settings in force: those of the store's crawl, unless the file or a flag says more."""
    check_store(store)
    flags = {**parse_pairs(options.set_), "store.path": store}
    return settle_harvest(settings_file(options.config), flags)


def _print_things(found: AnswerTable) -> None:
    ranked = [one for one in found.columns if one.name not in _NOT_SHOWN]
    # The schema's order stays; what hardly any record has is left out first.
    kept = sorted(ranked, key=lambda one: -one.filled)[:_MOST_COLUMNS]
    names = [one.name for one in ranked if one in kept]
    sites: dict[int, dict[str, None]] = {}
    for origin in found.origins:
        sites.setdefault(origin.thing, {}).setdefault(str(origin.site))
    rows = (
        (
            *(shorten(_show_cell(thing.get(name)), _CELL_CHARS) for name in names),
            ", ".join(sites.get(thing["id"], ())),
        )
        for thing in found.things
    )
    show(table("", (*names, "sources"), rows))


def _show_cell(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


def describe_source(source: AskedSource, name: str) -> str:
    """How a source was asked and what came; further lines for what it could not be asked."""
    told = ", ".join(f"{one.control!r} = {one.value}" for one in source.placed)
    came = source.outcome if source.outcome not in ("results", "record") else ""
    if source.records:
        total = f" of {source.total}" if source.total and source.total > source.records else ""
        dropped = f", {source.dropped} left out" if source.dropped else ""
        came = (
            f"{source.records:,}{total} {'record' if source.records == 1 else 'records'}{dropped}"
        )
    why = f" ({source.why})" if source.why else ""
    spent = "1 request" if source.requests == 1 else f"{source.requests} requests"
    asked = f"; {spent}; {told}" if told else ""
    lines = [f"{name}: {came}{why}{asked}"]
    if source.checked:
        lines.append(f"  checked on its records: {', '.join(source.checked)}")
    if source.unchecked:
        lines.append(f"  could not be checked:   {', '.join(source.unchecked)}")
    if source.outcome != "not asked":
        lines += [f"  not asked:              {note}" for note in source.notes]
    return "\n".join(map(clean, lines))
