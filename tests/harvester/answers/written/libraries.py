"""Catalogues and archives."""

# ruff: noqa: E501 - markup is easier to read in its own lines and letters

from tests.harvester.answers.written.case import Said, Source

_OPAC = """<html><head><title>WebCat</title></head><body bgcolor=white>
<table width=100%><tr><td><a href=/><img src=/logo.gif alt="City Library"></a></td>
<td><a href=/help.html>Help</a> | <a href=/hours.html>Opening hours</a> | <a href=/login>My account</a></td></tr></table>
@@
<hr><font size=1>WebCat 4.2 - City Library 1999</font></body></html>"""

OPAC = Source(
    "a library catalogue of 1999 in nested tables",
    _OPAC,
    "<h3>Your search: {q}</h3><p>No entries found. Please check your spelling.</p>",
    (
        Said(
            "river",
            """<h3>Your search: river</h3><p>Entries 1 - 3 of 27</p>
<table border=1 cellpadding=2 width=100%>
<tr><th>#</th><th>Author</th><th>Title</th><th>Year</th><th>Mark</th></tr>
<tr><td>1</td><td>Eliot, G.</td><td><a href="/rec?key=1001&pos=1&q=river">The mill by the river</a></td><td>1860</td><td><input type=checkbox name=mark value=1001></td></tr>
<tr><td>2</td><td>Maclean, N.</td><td><a href="/rec?key=1055&pos=2&q=river">A river runs</a></td><td>1976</td><td><input type=checkbox name=mark value=1055></td></tr>
<tr><td>3</td><td>Conrad, J.</td><td><a href="/rec?key=1170&pos=3&q=river">Up the great river</a></td><td>1899</td><td><input type=checkbox name=mark value=1170></td></tr>
</table><p><a href="/search?q=river&start=4">Next entries</a></p>""",
            ("The mill by the river", "A river runs", "Up the great river"),
            27,
        ),
        Said(
            "great",
            """<h3>Your search: great</h3><p>Entries 1 - 2 of 2</p>
<table border=1 cellpadding=2 width=100%>
<tr><th>#</th><th>Author</th><th>Title</th><th>Year</th><th>Mark</th></tr>
<tr><td>1</td><td>Conrad, J.</td><td><a href="/rec?key=1170&pos=1&q=great">Up the great river</a></td><td>1899</td><td><input type=checkbox name=mark value=1170></td></tr>
<tr><td>2</td><td>Dickens, C.</td><td><a href="/rec?key=2001&pos=2&q=great">Great hopes</a></td><td>1861</td><td><input type=checkbox name=mark value=2001></td></tr>
</table>""",
            ("Up the great river", "Great hopes"),
            2,
        ),
    ),
)

_TWO_LINES = """<html><body><div id=top><a href=/>Archive</a> <a href=/about>About</a></div>
<div id=main>@@</div></body></html>"""

ARCHIVE = Source(
    "an archive whose items are two rows of a table",
    _TWO_LINES,
    "<p><b>0 documents</b> match <i>{q}</i></p>",
    (
        Said(
            "mine",
            """<p><b>412 documents</b> match <i>mine</i></p><table>
<tr><td colspan=2><a href=/doc/81>Report on the north mine</a></td></tr>
<tr><td>1903</td><td>Letters between the owners and the county, with three maps.</td></tr>
<tr><td colspan=2><a href=/doc/82>Wages at the old mine</a></td></tr>
<tr><td>1911</td><td>A ledger of payments.</td></tr>
<tr><td colspan=2><a href=/doc/95>Flooding of the lower mine</a></td></tr>
<tr><td>1924</td><td>Photographs and two statements taken by the inspector.</td></tr>
</table><p>Pages: 1 <a href="/search?q=mine&p=2">2</a> <a href="/search?q=mine&p=3">3</a></p>""",
            ("Report on the north mine", "Wages at the old mine", "Flooding of the lower mine"),
            412,
        ),
        Said(
            "ledger",
            """<p><b>1 documents</b> match <i>ledger</i></p><table>
<tr><td colspan=2><a href=/doc/82>Wages at the old mine</a></td></tr>
<tr><td>1911</td><td>A ledger of payments.</td></tr></table>""",
            ("Wages at the old mine",),
            1,
        ),
    ),
)

UNLINKED = Source(
    "a parish register without links, title row and detail row",
    "<html><body><h1>Parish register</h1>@@<p>Kept by volunteers.</body></html>",
    "<p>Nothing was found for {q}.",
    (
        Said(
            "miller",
            """<p>3 persons<table border=0>
<tr bgcolor=#dddddd><td colspan=3><b>Miller, Anna</b></td></tr>
<tr><td>baptised</td><td>12 March 1801</td><td>Stonefield</td></tr>
<tr bgcolor=#dddddd><td colspan=3><b>Miller, Jacob</b></td></tr>
<tr><td>baptised</td><td>1 June 1803</td><td>Stonefield</td></tr>
<tr bgcolor=#dddddd><td colspan=3><b>Miller, Johanna</b></td></tr>
<tr><td>married</td><td>30 October 1830</td><td>Overbrook</td></tr>
</table>""",
            ("Miller, Anna", "Miller, Jacob", "Miller, Johanna"),
            3,
        ),
    ),
)

DEFINITIONS = Source(
    "a glossary as a definition list, entries with one or more meanings",
    "<html><body><ul><li><a href=/>Start</a><li><a href=/az>A to Z</a></ul>@@</body></html>",
    "<p>We have no entry for <b>{q}</b>.</p>",
    (
        Said(
            "sail",
            """<p>4 entries contain <b>sail</b></p><dl>
<dt><a href="/term/jib">jib</a><dd>a <b>sail</b> set before the mast
<dt><a href="/term/reef">reef</a><dd>the part of a <b>sail</b> that can be rolled up<dd>a ridge of rock
<dt><a href="/term/luff">luff</a><dd>the fore edge of a <b>sail</b>
<dt><a href="/term/spinnaker">spinnaker</a><dd>a large light <b>sail</b> for running before the wind
</dl>""",
            ("jib", "reef", "luff", "spinnaker"),
            4,
        ),
        Said(
            "rock",
            """<p>1 entries contain <b>rock</b></p><dl>
<dt><a href="/term/reef">reef</a><dd>the part of a sail that can be rolled up<dd>a ridge of <b>rock</b>
</dl>""",
            ("reef",),
            1,
        ),
    ),
)

RECORDS = Source(
    "a bibliography in paragraphs parted by empty lines",
    "<html><body><a href=/>Home</a> - <a href=/new>New</a><hr>@@<hr><i>Last changed in May</i></body></html>",
    "Search for {q}<br><br>Sorry, no references.<br>",
    (
        Said(
            "moss",
            """Search for moss<br><br>
Adams, B. (1970) <i>On the growth of moss.</i> Proc. Bot. 3, 22-30.<br>
Keywords: moss, shade<br><br>
Borg, A. &amp; Lind, C. (1988) <i>Moss on northern roofs.</i> Ann. Roof. 9, 1-17.<br>
Keywords: moss, roofs<br><br>
Curtis, D. (2001) <i>A moss of the high bogs.</i> Bog Stud. 41, 200-214.<br>
Keywords: moss, bogs<br><br>""",
            (
                "Adams, B. (1970) On the growth of moss. Proc. Bot. 3, 22-30.",
                "Borg, A. & Lind, C. (1988) Moss on northern roofs. Ann. Roof. 9, 1-17.",
                "Curtis, D. (2001) A moss of the high bogs. Bog Stud. 41, 200-214.",
            ),
        ),
    ),
)

SOURCES = (OPAC, ARCHIVE, UNLINKED, DEFINITIONS, RECORDS)
