"""Sources with habits of their own: sessions in links, one script for all, refusals, redirects."""

# ruff: noqa: E501 - markup is easier to read in its own lines and letters

from leadline.core.harvest import BLOCKED, NOTHING, RECORD, REFUSED
from tests.harvester.answers.written.case import Said, Source

SESSIONS = Source(
    "one script for everything, with a session, the place and the query in its links",
    '<html><body><a href="index.cgi?act=home;sid=@@sid">Home</a> @@</body></html>'.replace(
        "@@sid", "0"
    ),
    "<p>No hits for {q}</p>",
    (
        Said(
            "stone",
            """<p>Hits: 3</p><ul>
<li><a href="/index.cgi?act=view&id=70&q=stone&hit=1&sid=8f3a9c0e77d1b2a4">Stone bridge</a>, built 1620</li>
<li><a href="/index.cgi?act=view&id=71&q=stone&hit=2&sid=8f3a9c0e77d1b2a4">Stone tower</a>, built 1410</li>
<li><a href="/index.cgi?act=view&id=93&q=stone&hit=3&sid=8f3a9c0e77d1b2a4">Milestone</a>, built 1777</li></ul>
<p><a href="/index.cgi?act=find&q=stone&page=2&sid=8f3a9c0e77d1b2a4">more</a></p>""",
            ("Stone bridge", "Stone tower", "Milestone"),
            3,
        ),
        Said(
            "tower",
            """<p>Hits: 3</p><ul>
<li><a href="/index.cgi?act=view&id=12&q=tower&hit=1&sid=11aa9c0e77d1b2ff">Water tower</a>, built 1901</li>
<li><a href="/index.cgi?act=view&id=71&q=tower&hit=2&sid=11aa9c0e77d1b2ff">Stone tower</a>, built 1410</li>
<li><a href="/index.cgi?act=view&id=15&q=tower&hit=3&sid=11aa9c0e77d1b2ff">Bell tower</a>, built 1333</li></ul>""",
            ("Water tower", "Stone tower", "Bell tower"),
            3,
        ),
    ),
    address="http://written.test/index.cgi?act=find&q={q}",
)

STRICT = Source(
    "a source that refuses, asks for passwords, counts requests, and leads on to single records",
    '<html><body><div id="m"><a href="/">Home</a></div><div id="c">@@</div></body></html>',
    "<p>No persons match {q}.</p>",
    (
        Said(
            "smith",
            """<p>Persons 1-3 of 260</p><table class="r"><tr><td><a href="/person/81">Smith, Ada</a></td><td>Teacher</td></tr><tr><td><a href="/person/82">Smith, Bert</a></td><td>Baker</td></tr><tr><td><a href="/person/99">Smith, Cleo</a></td><td>Pilot</td></tr></table>""",
            ("Smith, Ada", "Smith, Bert", "Smith, Cleo"),
            260,
        ),
        Said(
            "x",
            "<p>Please enter at least three letters.</p><form action='/search'><input name=q></form>",
            kind=REFUSED,
        ),
        Said("qzx", "<p>No persons match qzx.</p>", kind=NOTHING),
        Said(
            "ada",
            "<p>Sign in to go on</p><form action=/login method=post><input name=user><input type=password name=pass></form>",
            kind=BLOCKED,
        ),
        Said("bob", "<p>Please slow down.</p>", kind=BLOCKED, status=429),
        Said("eve", "<p>Oops</p>", kind=REFUSED, status=500),
        Said(
            "fay",
            '<h1>One moment</h1><p>Verify you are human</p><div class="h-captcha"></div>',
            kind=BLOCKED,
        ),
        Said(
            "cleo",
            "<h1>Smith, Cleo</h1><dl><dt>Trade</dt><dd>Pilot</dd><dt>Born</dt><dd>1970</dd></dl>",
            ("Smith, Cleo",),
            kind=RECORD,
            url="http://written.test/person/99",
            hops=1,
        ),
    ),
)

PATHS = Source(
    "a source whose address holds the query",
    "<html><body><ul id=tabs><li><a href=/>Start</a></li><li><a href=/top>Top</a></li></ul>@@</body></html>",
    "<h2>{q}</h2><p>Nothing here.</p>",
    (
        Said(
            "jazz",
            """<h2>jazz</h2><div class="sort">Sort: <a href="/find/jazz/date">date</a> <a href="/find/jazz/name">name</a> <a href="/find/jazz/price">price</a></div>
<div class="res"><p><a href="/album/11-blue-jazz">Blue jazz</a> by Quartet A</p><p><a href="/album/12-jazz-night">Jazz night</a> by Quartet B</p><p><a href="/album/19-no-jazz">No jazz at all</a> by Quartet A</p></div>
<div class="pages">1 <a href="/find/jazz/2">2</a> <a href="/find/jazz/3">3</a> <a href="/find/jazz/4">4</a></div>""",
            ("Blue jazz", "Jazz night", "No jazz at all"),
        ),
    ),
    address="http://written.test/find/{q}",
)

FIRST_ALONE = Source(
    "a source whose first answer holds a single result",
    "<html><body><h1>Plants</h1><p><a href=/list>All plants</a></p>@@</body></html>",
    "<p>No plant is called {q}.</p>",
    (
        Said(
            "edelweiss",
            """<p>1 plant</p><ul class=plants><li><a href="/plant/7">Edelweiss</a> Leontopodium, white</li></ul>""",
            ("Edelweiss",),
            1,
        ),
        Said(
            "white",
            """<p>3 plants</p><ul class=plants><li><a href="/plant/7">Edelweiss</a> Leontopodium, white</li><li><a href="/plant/9">Daisy</a> Bellis, white</li><li><a href="/plant/12">Lily</a> Lilium, white</li></ul>""",
            ("Edelweiss", "Daisy", "Lily"),
            3,
        ),
    ),
)

CUT = Source(
    "a page that breaks off in the middle of an item",
    "@@",
    "<html><body><p>No ships for {q}</p></body></html>",
    (
        Said(
            "brig",
            """<html><body><p>4 ships</p><ul><li><a href="/ship/1">Ann</a> brig, 1801</li><li><a href="/ship/2">Betty</a> brig, 1805</li><li><a href="/ship/3">Clara</a> brig, 1811</li><li><a href="/ship/4">Do""",
            ("Ann", "Betty", "Clara"),
            4,
        ),
    ),
)

SCORES = Source(
    "results that begin with a score and have no links",
    "<html><body><h3>Minutes of the council</h3>@@</body></html>",
    "<p>0 passages for {q}</p>",
    (
        Said(
            "bridge",
            """<p>3 passages for bridge</p>
<div class=p><b>1.</b> <i>97%</i><p>On the repair of the old <b>bridge</b> the council voted in May.</p></div>
<div class=p><b>2.</b> <i>80%</i><p>The <b>bridge</b> toll was raised by a penny.</p></div>
<div class=p><b>3.</b> <i>44%</i><p>A <b>bridge</b> for the mill is not needed.</p></div>""",
            (
                "On the repair of the old bridge the council voted in May.",
                "The bridge toll was raised by a penny.",
                "A bridge for the mill is not needed.",
            ),
            3,
        ),
        Said(
            "mill",
            """<p>2 passages for mill</p>
<div class=p><b>1.</b> <i>99%</i><p>A bridge for the <b>mill</b> is not needed.</p></div>
<div class=p><b>2.</b> <i>20%</i><p>Of the <b>mill</b> wheel.</p></div>""",
            (
                "A bridge for the mill is not needed.",
                "Of the mill wheel.",
            ),
            2,
        ),
    ),
)

CELLS = Source(
    "an intranet of 1998: fonts, layout tables, unclosed cells",
    """<html><body><table width=750><tr><td width=150 valign=top bgcolor=#cccccc><font size=2><a href=/>Home</a><br><a href=/staff>Staff</a><br><a href=/forms>Forms</a></font><td valign=top><font face=arial>@@</font></table></body></html>""",
    "<p>The search for <b>{q}</b> returned nothing.",
    (
        Said(
            "leave",
            """<p>The search for <b>leave</b> returned 14 documents.
<table width=580><tr><td><font size=2><a href="/d/leave1.html">Forms of leave</a></font><td><font size=2>Personnel</font>
<tr><td><font size=2><a href="/d/leave2.html">How to ask for leave</a></font><td><font size=2>Personnel</font>
<tr><td><font size=2><a href="/d/sick.html">Sick leave</a></font><td><font size=2>Health</font></table>
<p><font size=1>Page 1 of 5 <a href="/search?q=leave&from=4">Next</a></font>""",
            ("Forms of leave", "How to ask for leave", "Sick leave"),
            14,
        ),
    ),
)

SOURCES = (SESSIONS, STRICT, PATHS, FIRST_ALONE, CUT, SCORES, CELLS)
