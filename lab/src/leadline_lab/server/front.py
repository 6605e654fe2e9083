"""The page a person sees who opens the lab server's own address."""

from collections.abc import Sequence
from html import escape
from shlex import quote
from typing import Protocol, runtime_checkable

from leadline.core.url import Url, path_of, site_of
from leadline_lab.reply import Reply
from leadline_lab.server.transport import Answering

_SEEDS = 5
_TOPIC = "book"
_TYPE = (("content-type", "text/html; charset=utf-8"),)
_STYLE = (
    "body{max-width:46em;margin:2em auto;padding:0 1em;font:1em/1.5 sans-serif}pre{overflow:auto}"
)


@runtime_checkable
class Seeded(Protocol):
    """A world that can say where to begin."""

    @property
    def domains(self) -> Sequence[str]: ...

    def seeds(self, domain: str, n: int) -> Sequence[Url]: ...


def front_page(world: Answering, url: Url) -> Reply:
    """What the server says of itself to who asks it by its address."""
    if path_of(url) != "/":
        return Reply(404, _TYPE, b"<!doctype html><title>Not found</title><p>Only / is here.")
    seeds: dict[str, Sequence[Url]] = {}
    if isinstance(world, Seeded):
        seeds = {name: world.seeds(name, _SEEDS) for name in world.domains}
    # A name table takes numbers only.
    address = site_of(url).replace("localhost", "127.0.0.1")
    return Reply(200, _TYPE, _page(seeds, address).encode())


def _page(seeds: dict[str, Sequence[Url]], address: str) -> str:
    first = " ".join(quote(url) for url in seeds.get(_TOPIC, ())) or "http://..."
    lists = "".join(_seed_list(name, urls) for name, urls in seeds.items())
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The leadline lab</title>
<style>{_STYLE}</style></head><body>
<h1>The leadline lab</h1>
<p>This server plays a whole web of invented sites. Each page is computed from its URL, none of
it is real. Sites are told apart by the name they are asked by, so a client must come to this
address for every host name.</p>
<h2>Crawl it</h2>
<p>By a name table that sends every host here:</p>
<pre>leadline crawl {_TOPIC} --seeds {escape(first)} \\
  --set 'web.resolve={{"*" = "{address}"}}'</pre>
<p>Or through this server as a proxy:</p>
<pre>leadline crawl {_TOPIC} --seeds {escape(first)} \\
  --set web.proxy=http://{address}</pre>
<h2>Look at it</h2>
<pre>curl --proxy http://{address} {escape(first.partition(" ")[0])}</pre>
<p>A browser that uses this address as its HTTP proxy can follow the links below.</p>
{lists}</body></html>
"""


def _seed_list(name: str, urls: Sequence[Url]) -> str:
    items = "".join(f'<li><a href="{escape(url)}">{escape(url)}</a></li>' for url in urls)
    return f"<h2>Seeds: {escape(name)}</h2>\n<ul>{items}</ul>\n"
