"""Styles of well-known kinds of software: indexers, forums, administration, download lists."""

# ruff: noqa: E501 - markup is easier to read in its own lines

from collections.abc import Callable

from tests.harvester.answers.written.case import Said, Source

_NAMES = (
    "alder grove", "birch wood", "cedar lane", "dogwood", "elm street", "fir hill", "gum tree",
    "hazel copse",
)  # fmt: skip


def _rows(row: Callable[[int, str], str], count: int = 8) -> str:
    return "".join(row(number, name) for number, name in enumerate(_NAMES[:count]))


def _scored(number: int, name: str) -> str:
    path = f"/docs/{name.replace(' ', '-')}.html"
    return f"""<tr><td valign=top><img src="/s{number % 3}.png" alt="{99 - number * 7}%"><br><input type=checkbox name=R value={number * 31}></td>
<td><table><tr><td><b><a href="{path}">{name}</a></b></td></tr><tr><td>sample of {name} goes here<br><small><a href="{path}">{path}</a> {number + 2}K 12/0{number + 1}/2004</small><br><small>{99 - number * 7}% relevant, matching: <b>tree</b></small></td></tr></table></td></tr>"""


INDEXER = Source(
    "an indexer: the whole page in a form, scores, nested tables, addresses as links",
    '<html><body><form method=get action="/search"><input name=q value="{q}"><input type=submit><hr>@@</form><a href="http://maker.test/">Indexer</a></body></html>',
    "<p>No documents match your query</p>",
    (
        Said(
            "tree",
            f"<p><b>1-8</b> of about <b>64</b> matches, term frequencies: <b>tree</b>: 64</p><table>{_rows(_scored)}</table><p>Search took 0.0012 seconds</p>",
            _NAMES,
            64,
            is_exact=False,
        ),
        Said(
            "hill",
            f"<p><b>1</b> to <b>2</b> of exactly <b>2</b> matches, term frequencies: <b>hill</b>: 2</p><table>{_rows(_scored, 2)}</table><p>Search took 0.0012 seconds</p>",
            _NAMES[:2],
            2,
        ),
    ),
)


def _starred(number: int, name: str) -> str:
    url = f"http://docs.test/{number}.html"
    return f"""<dl><dt><strong><a href="{url}">{name}</a></strong><img src="/star.gif" alt="*"><img src="/star.gif" alt="*"></dt>
<dd>text <strong>tree</strong> about {name} <strong><code>...</code></strong><br><em><a href="{url}">{url}</a></em> <font size="-1">0{number}/12/99, {number * 311} bytes</font></dd></dl>"""


STARS = Source(
    "an indexer of the nineties: one definition list for each result",
    '<html><body bgcolor="#eef7ff"><h2><img src="/dig.gif" alt="Dig"></h2>@@<hr><a href="http://maker.test/">Dig 3.1</a></body></html>',
    "<h1>No matches were found for '{q}'</h1><p>Check the spelling of the words.</p>",
    (
        Said(
            "tree",
            f"<h2>Search results for 'tree'</h2><hr><strong>Documents 1 - 8 of 21 matches. More <img src='/star.gif' alt='*'>'s mean a better match.</strong><hr>{_rows(_starred)}<hr>Pages:<br><a href='/search?q=tree;page=2'><img src='/2.gif'></a>",
            _NAMES,
            21,
        ),
    ),
)


def _administered(number: int, name: str) -> str:
    return f'<tr class="row{number % 2 + 1}"><td><input type="checkbox" name="selected" value="{number}"></td><th><a href="/admin/tree/{number}/change/">{name}</a></th><td>{1990 + number}</td></tr>'


_FILTER = '<div id="filter"><h2>Filter</h2><h3>By year</h3><ul><li><a href="?q={q}">All</a></li><li><a href="?q={q}&year=1990">1990</a></li><li><a href="?q={q}&year=1991">1991</a></li></ul></div>'
ADMINISTRATION = Source(
    "a list to administer: actions, filters, a total of everything as a link",
    '<!DOCTYPE html><html><body><div id="header"><a href="/admin/">Admin</a></div><form method="get"><input type="text" name="q" value="{q}"><input type="submit" value="Search"></form>@@</body></html>',
    f'<span class="quiet">0 results (<a href="?">4321 total</a>)</span><form method="post"><p>0 trees</p></form>{_FILTER}',
    (
        Said(
            "tree",
            f"""<span class="quiet">8 results (<a href="?">4321 total</a>)</span><form method="post"><div class="actions">Action: <select name="action"><option>---</option><option>Delete</option></select><button>Go</button><span>0 of 8 selected</span></div>
<table><thead><tr><th><input type="checkbox"></th><th><a href="?q=tree&o=1">Name</a></th><th><a href="?q=tree&o=2">Year</a></th></tr></thead><tbody>{_rows(_administered)}</tbody></table><p>8 trees</p></form>{_FILTER}""",
            _NAMES,
            8,
        ),
    ),
)


def _grouped(number: int, name: str) -> str:
    head = f"<tr><th colspan=3>priority {number // 3}</th></tr>" if number % 3 == 0 else ""
    return f'{head}<tr class="normal"><td>{number}</td><td><a href="issue{number}">{name}</a></td><td>joe</td></tr>'


ISSUES = Source(
    "a list of issues with headings between groups of rows and the total in its last row",
    '<html><body><table><tr><td><b>Issues</b><br><a href="new">Create</a><br><a href="all">Show all</a></td><td>@@</td></tr></table></body></html>',
    '<table class="list"><tr><th>ID</th><th>Title</th><th>Creator</th></tr><tr><td colspan=3><table><tr><td>0..0 out of 0</td></tr></table></td></tr></table>',
    (
        Said(
            "tree",
            f'<table class="list"><tr><th>ID</th><th>Title</th><th>Creator</th></tr>{_rows(_grouped)}<tr><td colspan=3><table><tr><td>1..8 out of 8</td></tr></table></td></tr></table>',
            _NAMES,
            8,
        ),
    ),
)


def _download(number: int, name: str) -> str:
    return f'<tr><td><img src="/thumb/{number}"></td><td><span><a href="/get/EPUB/{number}/x">EPUB</a></span><span><a href="/get/MOBI/{number}/x">MOBI</a></span><div><span class="a">{name}</span><span class="b">0.{number}MB, 02 Jan 20{10 + number}</span></div></td></tr>'


DOWNLOADS = Source(
    "a list of downloads: titles without links beside links of one name",
    '<html><body><div class="navigation"><a href="/">Home</a></div>@@</body></html>',
    "<div>Books 0 to 0 of 0</div><table id=listing></table>",
    (
        Said(
            "tree",
            f"<div>Books 1 to 8 of 17</div><table id=listing>{_rows(_download)}</table><div>Books 1 to 8 of 17</div>",
            _NAMES,
            17,
        ),
    ),
)


def _keyed(number: int, name: str) -> str:
    return f'<tr><td class="col-pk"><a href="/db/t/{number}">{number}</a></td><td class="col-name">{name}</td><td class="col-owner"><a href="/db/owner/{number * 7 % 5}">Owner of much land {number * 7 % 5}</a> <em>{number * 7 % 5}</em></td></tr>'


TABLES = Source(
    "a browser of tables: numbers link to rows, names to rows of other tables",
    '<!DOCTYPE html><html><body><nav><a href="/">home</a> / <a href="/db">db</a></nav><h1>t</h1>@@</body></html>',
    '<h3>0 rows where search matches "{q}"</h3>',
    (
        Said(
            "tree",
            f"""<h3>123 rows where search matches "tree"</h3><ul class="facet"><li><a href="/db/t?q=tree&owner=1">Owner 1</a> 55</li><li><a href="/db/t?q=tree&owner=2">Owner 2</a> 40</li></ul>
<table><thead><tr><th><a href="/db/t?q=tree&sort=pk">pk</a></th><th><a href="/db/t?q=tree&sort=name">name</a></th><th><a href="/db/t?q=tree&sort=owner">owner</a></th></tr></thead><tbody>{_rows(_keyed)}</tbody></table>
<p>Shape: <a href="/db/t.json?q=tree">default</a>, <a href="/db/t.json?q=tree&shape=array">array</a></p><pre>CREATE TABLE t (
   pk INTEGER PRIMARY KEY,
   name TEXT,
   owner INTEGER
);</pre>""",
            tuple(_NAMES[:8]),
            123,
        ),
    ),
    address="http://written.test/db/t?q={q}",
)

SOURCES = (INDEXER, STARS, ADMINISTRATION, ISSUES, DOWNLOADS, TABLES)
