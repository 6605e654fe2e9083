"""Trackers, wikis, package lists, code search."""

# ruff: noqa: E501 - markup is easier to read in its own lines and letters

from tests.harvester.answers.written.case import Said, Source

_TRACKER = """<!DOCTYPE html><html lang="en"><head><title>Bugs</title></head><body>
<header><a href="/">Bugs</a> <nav><ul><li><a href="/query">Advanced</a></li><li><a href="/enter">New bug</a></li><li><a href="/reports">Reports</a></li></ul></nav></header>
<main>@@</main><footer><a href="/help">Help</a></footer></body></html>"""

TRACKER = Source(
    "a bug tracker: a table in a form, with checkboxes, links in every cell, repeated headings",
    _TRACKER,
    "<h1>Search</h1><p>Zarro boogs found for {q}.</p>",
    (
        Said(
            "crash",
            """<h1>Search</h1><p>5 bugs found.</p><form action="/change" method="post"><table class="list">
<tr class="head"><th></th><th><a href="/search?q=crash&order=id">ID</a></th><th><a href="/search?q=crash&order=sum">Summary</a></th><th>Status</th><th>Owner</th></tr>
<tr class="row_odd"><td><input type="checkbox" name="id_11"></td><td><a href="/show?id=11">11</a></td><td><a href="/show?id=11">Editor does crash on save</a></td><td>NEW</td><td><a href="/user/ann">ann</a></td></tr>
<tr class="row_even"><td><input type="checkbox" name="id_17"></td><td><a href="/show?id=17">17</a></td><td><a href="/show?id=17">Crash with long names</a></td><td>FIXED</td><td><a href="/user/bob">bob</a></td></tr>
<tr class="row_odd"><td><input type="checkbox" name="id_23"></td><td><a href="/show?id=23">23</a></td><td><a href="/show?id=23">Window lost after crash</a></td><td>NEW</td><td><a href="/user/ann">ann</a></td></tr>
<tr class="head"><th></th><th><a href="/search?q=crash&order=id">ID</a></th><th><a href="/search?q=crash&order=sum">Summary</a></th><th>Status</th><th>Owner</th></tr>
<tr class="row_even"><td><input type="checkbox" name="id_31"></td><td><a href="/show?id=31">31</a></td><td><a href="/show?id=31">Crash in printing</a></td><td>NEW</td><td><a href="/user/cyd">cyd</a></td></tr>
<tr class="row_odd"><td><input type="checkbox" name="id_44"></td><td><a href="/show?id=44">44</a></td><td><a href="/show?id=44">No message before a crash</a></td><td>OPEN</td><td><a href="/user/bob">bob</a></td></tr>
</table><input type="submit" value="Change checked"></form>""",
            (
                "Editor does crash on save",
                "Crash with long names",
                "Window lost after crash",
                "Crash in printing",
                "No message before a crash",
            ),
            5,
        ),
        Said(
            "printing",
            """<h1>Search</h1><p>One bug found.</p><form action="/change" method="post"><table class="list">
<tr class="head"><th></th><th><a href="/search?q=printing&order=id">ID</a></th><th><a href="/search?q=printing&order=sum">Summary</a></th><th>Status</th><th>Owner</th></tr>
<tr class="row_odd"><td><input type="checkbox" name="id_31"></td><td><a href="/show?id=31">31</a></td><td><a href="/show?id=31">Crash in printing</a></td><td>NEW</td><td><a href="/user/cyd">cyd</a></td></tr>
</table><input type="submit" value="Change checked"></form>""",
            ("Crash in printing",),
        ),
    ),
)

_WIKI = """<!DOCTYPE html><html><head><title>Wiki</title></head><body><div id="content">@@</div>
<div id="side"><h5>Navigation</h5><ul><li><a href="/wiki/Main">Main page</a></li><li><a href="/wiki/Random">Random page</a></li><li><a href="/wiki/Changes">Recent changes</a></li></ul></div></body></html>"""

WIKI = Source(
    "a wiki with snippets cut to the query and words set off",
    _WIKI,
    '<h1>Search results</h1><p>There were no results matching the query.</p><p>You may <a href="/wiki/{q}?action=edit">create the page "{q}"</a>.</p>',
    (
        Said(
            "otter",
            """<h1>Search results</h1><p>You may <a href="/wiki/Otter?action=edit">create the page "otter"</a>.</p>
<div class="info">Results 1 - 3 of 3</div><ul class="results">
<li><div class="head"><a href="/wiki/Sea_mammals">Sea mammals</a></div><div class="text">... the sea <span class="match">otter</span> lives on the coast and ...</div><div class="data">12 KB (2,031 words) - 10:11, 3 May 2011</div></li>
<li><div class="head"><a href="/wiki/Fur_trade">Fur trade</a></div><div class="text">... pelts of beaver and <span class="match">otter</span> were sold at ...</div><div class="data">7 KB (988 words) - 08:40, 1 June 2012</div></li>
<li><div class="head"><a href="/wiki/River_animals">River animals</a></div><div class="text">The river <span class="match">otter</span> eats fish ...</div><div class="data">3 KB (402 words) - 19:02, 9 July 2013</div></li>
</ul>""",
            ("Sea mammals", "Fur trade", "River animals"),
            3,
        ),
        Said(
            "beaver",
            """<h1>Search results</h1><p>You may <a href="/wiki/Beaver?action=edit">create the page "beaver"</a>.</p>
<div class="info">Results 1 - 2 of 2</div><ul class="results">
<li><div class="head"><a href="/wiki/Fur_trade">Fur trade</a></div><div class="text">... pelts of <span class="match">beaver</span> and otter were sold at ...</div><div class="data">7 KB (988 words) - 08:40, 1 June 2012</div></li>
<li><div class="head"><a href="/wiki/Dams">Dams</a></div><div class="text">A dam built by a <span class="match">beaver</span> ...</div><div class="data">9 KB (1,200 words) - 12:00, 2 June 2012</div></li>
</ul>""",
            ("Fur trade", "Dams"),
            2,
        ),
    ),
)

PACKAGES = Source(
    "a package list in preformatted lines, without links",
    "<html><head><title>pkg</title></head><body><h2>pkg search</h2>@@</body></html>",
    "<pre>\n$ pkg search {q}\nno packages found\n</pre>",
    (
        Said(
            "zip",
            """<pre>
$ pkg search zip

bzip2-1.0.8        block-sorting compressor
gzip-1.13          the usual compressor
p7zip-16.02        archiver for many formats
zip-3.0            makes archives
</pre>""",
            (
                "bzip2-1.0.8 block-sorting compressor",
                "gzip-1.13 the usual compressor",
                "p7zip-16.02 archiver for many formats",
                "zip-3.0 makes archives",
            ),
        ),
    ),
)

LISTING = Source(
    "preformatted entries of several lines with indented details and links",
    "<html><body><h1>File search</h1>@@<address>ftp admin</address></body></html>",
    "<p>Searching for {q} ...</p><pre>\nNo matches.\n</pre>",
    (
        Said(
            "map",
            """<p>Searching for map ...</p><pre>
<a href="/f/1001">europe-map.gif</a>
    Host: ftp.north.test   Size: 120 K
    Date: 3 Jan 1996

<a href="/f/1002">road-map.zip</a>
    Host: ftp.west.test   Size: 2 M
    Date: 14 Feb 1997

<a href="/f/1003">map-tools.tar</a>
    Host: ftp.west.test   Size: 800 K
    Date: 30 Mar 1997

</pre>""",
            ("europe-map.gif", "road-map.zip", "map-tools.tar"),
        ),
    ),
)

THREADS = Source(
    "a forum whose items have links to their own pages and to members",
    "<html><body><div class=nav><a href=/>Forum</a> &raquo; <a href=/rules>Rules</a></div>@@<div class=foot>All times are local</div></body></html>",
    "<div class=msg>Sorry - no matches. Please try some different terms.</div>",
    (
        Said(
            "valve",
            """<div class=count>Search found 58 matches</div>
<div class=topic><h3><a href="/t/901">Sticky valve on an old horn</a></h3> [ <a href="/t/901?page=2">2</a> <a href="/t/901?page=3">3</a> <a href="/t/901?page=4">4</a> ]<p>by <a href="/u/7">hornist</a> in <a href="/f/2">Repairs</a></p></div>
<div class=topic><h3><a href="/t/777">Which valve oil?</a></h3><p>by <a href="/u/12">greta</a> in <a href="/f/2">Repairs</a></p></div>
<div class=topic><h3><a href="/t/650">Rotary or piston valve</a></h3> [ <a href="/t/650?page=2">2</a> ]<p>by <a href="/u/7">hornist</a> in <a href="/f/5">Talk</a></p></div>
<div class=pager>Page 1 of 20: <b>1</b> <a href="/search?q=valve&page=2">2</a> <a href="/search?q=valve&page=3">3</a></div>""",
            ("Sticky valve on an old horn", "Which valve oil?", "Rotary or piston valve"),
            58,
        ),
    ),
)

WEB = Source(
    "a site search with links below results, in an ordered list that goes on counting",
    '<html><body><form action="/search"><input name="q"><input type="submit"></form>@@<p>Help | <a href="/privacy">Privacy</a></p></body></html>',
    "<p>Your search - <b>{q}</b> - did not match any documents.</p><ul><li>Check the spelling.</li><li>Try other words.</li></ul>",
    (
        Said(
            "tax",
            """<p>About 1,240 results (0.21 seconds)</p><ol start="11">
<li><h3><a href="http://city.test/tax">Paying your tax</a></h3><cite>city.test/tax</cite><p>How and when a <em>tax</em> is paid.</p>
<ul><li><a href="http://city.test/tax/dates">Dates</a></li><li><a href="http://city.test/tax/forms">Forms</a></li></ul></li>
<li><h3><a href="http://county.test/rates.html">Rates of the county</a></h3><cite>county.test/rates.html</cite><p>All rates, with the <em>tax</em> on dogs.</p></li>
<li><h3><a href="http://museum.test/x?id=3">A museum of taxes</a></h3><cite>museum.test</cite><p>The salt <em>tax</em> and others.</p></li>
</ol><p><a href="/search?q=tax&start=0">1</a> 2 <a href="/search?q=tax&start=20">3</a></p><p>Related: <a href="/search?q=income+tax">income tax</a> <a href="/search?q=tax+office">tax office</a></p>""",
            ("Paying your tax", "Rates of the county", "A museum of taxes"),
            1240,
            is_exact=False,
        ),
    ),
)

SOURCES = (TRACKER, WIKI, PACKAGES, LISTING, THREADS, WEB)
