"""The ways of building each part of a page, as patterns (see `dialect`).

`~` parts a pattern where something is put in; what goes where is said by the
type each pattern is made into (see `pieces`).
"""

ROWS = {
    "ul": "<div .nav>~<ul .menu><li>~</li>\n<li>~</li></ul></div>",
    "nav": "<nav .nav>~<ul .menu><li>~</li>\n<li>~</li></ul></nav>",
    "listed": "<div .box>~<ul .list><li>~</li>\n<li>~</li></ul></div>",
    "bare list": "~<ul .list><li>~</li>\n<li>~</li></ul>",
    "filled": "<div .box>~<div .fill><ul .list><li .item>~</li>\n<li .item>~</li></ul></div></div>",
    "ordered": "<div .box>~<ol .list><li>~</li>\n<li>~</li></ol></div>",
    "nested": "<div .box><ul .menu><li .item>~<ul .list><li>~</li>\n<li>~</li></ul></li></ul>"
    "</div>",
    "nested bare": "<ul .menu><li .item>~<ul .list><li>~</li>\n<li>~</li></ul></li></ul>",
    "celled": "<table width=100% cellspacing=0 cellpadding=2>~<tr><td><div .item>~</div></td>"
    "</tr>\n<tr><td><div .item>~</div></td></tr></table>",
    "spanned": "<div .box>~<ul .list><li><span .item>~</span></li>\n<li><span .item>~</span></li>"
    "</ul></div>",
    "cells": "<table border=0 cellspacing=0 cellpadding=4 .nav>~<tr><td>~</td>\n<td>~</td></tr>"
    "</table>",
    "font cells": "<table border=0 cellspacing=1 cellpadding=3>~<tr><td bgcolor=#dddddd>"
    "<font size=2>~</font></td>\n<td bgcolor=#dddddd><font size=2>~</font></td></tr></table>",
    "rows": "<table border=0 cellspacing=0 cellpadding=2>~<tr><td>~</td></tr>\n<tr><td>~</td>"
    "</tr></table>",
    "bars": "<p>~~$bar~</p>",
    "div bars": "<div .nav>~<div .menu>~$bar~</div></div>",
    "center bars": "<center>~~$bar~</center>",
    "bracketed": "<center>~[ ~ ] [ ~ ]</center>",
    "divs": "<div .nav>~<div .menu><div .item>~</div>\n<div .item>~</div></div></div>",
    "boxed divs": "<div .box>~<div .fill><div .item>~</div>\n<div .item>~</div></div></div>",
    "flat divs": "<div .list>~<div .item>~</div>\n<div .item>~</div></div>",
    "spans": "<div .nav>~<span .item>~</span>\n<span .item>~</span></div>",
    "inner spans": "<div .nav>~<div .menu><span .item>~</span>\n<span .item>~</span></div></div>",
    "paragraphs": "<div .box>~<p>~</p>\n<p>~</p></div>",
    "run": "<p .list>~~, ~</p>",
    "breaks": "<div .box>~~<br>\n~</div>",
    "font breaks": "<p>~<font size=2>~<br>\n~</font></p>",
    "bullets": "<p>~&#149; ~<br>\n&#149; ~</p>",
    "dl": "<dl .list>~<dd>~</dd>\n<dd>~</dd></dl>",
    "dt": "<div .box>~<dl .list><dt>~</dt>\n<dt>~</dt></dl></div>",
    "crumb list": "<ol .crumbs>~<li>~</li><li>~</li></ol>",
    "crumb nav": "<nav .crumbs>~<ol><li>~</li><li>~</li></ol></nav>",
    "crumb ul": "<div .crumbs>~<ul><li>~</li><li>$arrow~</li></ul></div>",
    "crumb spans": "<div .crumbs>~<span>~</span>$arrow<span>~</span></div>",
    "crumb text": "<div .crumbs>~~$arrow~</div>",
    "crumb p": "<p .crumbs>~~$arrow~</p>",
    "crumb font": "<font size=1>~~$arrow~</font><br>",
    "crumb cell": "<table width=100% cellpadding=2 cellspacing=0>~<tr><td>~$arrow~</td></tr>"
    "</table>",
    "tag spans": "<div .tags>~<span .tag>~</span> <span .tag>~</span></div>",
    "tag list": "<div .tags>~<ul><li .tag>~</li> <li .tag>~</li></ul></div>",
    "tag run": "<div .tags>~~ ~</div>",
    "tag p": "<p>~~, ~</p>",
    "tag sizes": "<div .tags>~<font size=2>~</font> <font size=3>~</font></div>",
    "pager list": "<div .pager>~<ul><li .step>~</li><li .step>~</li></ul></div>",
    "pager nav": "<nav .pager>~<ul><li>~</li><li>~</li></ul></nav>",
    "pager spans": "<div .pager>~<span .step>~</span> <span .step>~</span></div>",
    "pager run": "<div .pager>~~ ~</div>",
    "pager table": "<table cellpadding=3 cellspacing=1 align=center>~<tr><td>~</td><td>~</td>"
    "</tr></table>",
    "pager p": "<p align=center>~~$bar~</p>",
}
"""Of links: box ~ (title) ~ between ~ end. The title stands between the first two."""

MEGAS = {
    "lists": "<div .nav>~<ul .menu><li>~<ul .sub><li>~</li>\n<li>~</li></ul>~</li>\n<li>~</li>"
    "</ul></div>",
    "nav lists": "<nav .nav>~<ul .menu><li>~<ul .sub><li>~</li>\n<li>~</li></ul>~</li>\n<li>~"
    "</li></ul></nav>",
    "panels": "<div .nav>~<ul .menu><li>~<div .sub><ul><li>~</li>\n<li>~</li></ul></div>~</li>\n"
    "<li>~</li></ul></div>",
    "columns": "<div .nav>~<div .group><div .cap>~</div><ul .sub><li>~</li>\n<li>~</li></ul><div>"
    "~</div></div>\n<div .group><div .cap>~</div></div></div>",
    "stacks": "<div .nav>~<div .group><div .item>~</div>\n<div .sub>~</div>\n<div .sub>~</div>"
    "<div>~</div></div>\n<div .group><div .item>~</div></div></div>",
    "cells": "<table border=0 cellpadding=4 cellspacing=0 .nav>~<tr><td valign=top>~<br>\n~<br>\n"
    "~<br>~</td>\n<td valign=top>~</td></tr></table>",
    "font cells": "<table border=0 cellpadding=4 cellspacing=0>~<tr><td valign=top><b>~</b><br>"
    "<font size=2>~<br>\n~</font><b>~</b></td>\n<td valign=top><b>~</b></td></tr></table>",
    "dl": "<div .nav>~<dl .menu><dt>~</dt><dd>~</dd>\n<dd>~</dd><dt>~</dt>\n<dt>~</dt></dl></div>",
    "nested dl": "<dl .nav>~<dt>~</dt><dd><ul><li>~</li>\n<li>~</li></ul></dd><dt>~</dt>\n<dt>~"
    "</dt></dl>",
    "lines": "<p>~<b>~</b>: ~, ~<b>~</b><br>\n<b>~</b></p>",
    "boxes": "<div .cols>~<div .col><div .item>~</div><ul .sub><li>~</li>\n<li>~</li></ul><div>~"
    "</div></div>\n<div .col><div .item>~</div></div></div>",
}
"""Of grouped links: box ~ first ~ below ~ between ~ after below ~ next ~ end."""

FEET = {
    "columns": "<div .cols>~<div .col><ul><li>~</li>\n<li>~</li></ul></div>\n<div .col><ul><li>~"
    "</li></ul></div></div>",
    "nested": "<ul .cols>~<li .col><ul><li>~</li>\n<li>~</li></ul></li>\n<li .col><ul><li>~</li>"
    "</ul></li></ul>",
    "sections": "<section .cols>~<ul><li>~</li>\n<li>~</li></ul>\n<ul><li>~</li></ul></section>",
    "stacks": "<div .cols>~<div .col>~<br>\n~</div>\n<div .col>~</div></div>",
    "table": "<table border=0 cellpadding=6>~<tr><td valign=top>~<br>\n~</td>\n<td valign=top>~"
    "</td></tr></table>",
    "lists": "<table>~<tr><td><ul><li>~</li>\n<li>~</li></ul></td>\n<td><ul><li>~</li></ul></td>"
    "</tr></table>",
    "line": "<div .list>~~$bar~$bar~</div>",
    "paragraph": "<p align=center>~~$bar~<br>\n~</p>",
    "small": "<p>~<small>~$bar~<br>\n~</small></p>",
    "list": "<ul .list>~<li>~</li>\n<li>~</li>\n<li>~</li></ul>",
    "spans": "<div .list>~<span>~</span> <span>~</span>\n<span>~</span></div>",
    "font": "<center>~<font size=1>~$bar~<br>\n~</font></center>",
}
"""Of footer links: box ~ (title) ~ between ~ between columns ~ end."""

PROSES = {
    "p": "<p>~</p>\n<p>~</p>",
    "div": "<div .story><p>~</p>\n<p>~</p></div>",
    "divs": "<div .story><div .text>~</div>\n<div .text>~</div></div>",
    "breaks": "<div .story>~<br><br>\n~</div>",
    "font": "<p><font size=2 face=Arial>~</font></p>\n<p><font size=2 face=Arial>~</font></p>",
    "cell": "<table width=100% cellpadding=4><tr><td>~<br><br>\n~</td></tr></table>",
    "justified": "<p align=justify>~</p>\n<p align=justify>~</p>",
    "spanned": "<div .story><p><span>~</span></p>\n<p><span>~</span></p></div>",
    "plain": "<p>~\n<p>~</p>",
}
"""Of paragraphs: start ~ between ~ end."""

HEADINGS = {
    "tags": "<h1>~</h1>~<h2>~</h2>~<h3>~</h3>",
    "classed": "<h1 .heading>~</h1>~<h2 .heading>~</h2>~<h3 .cap>~</h3>",
    "wrapped": "<div .heading><h1>~</h1></div>~<div .heading><h2>~</h2></div>~<h4>~</h4>",
    "low": "<h2>~</h2>~<h3>~</h3>~<h4>~</h4>",
    "centered": "<center><h1>~</h1></center>~<center><h2>~</h2></center>~<h3>~</h3>",
    "font": "<p><font size=5><b>~</b></font></p>~<p><font size=4><b>~</b></font></p>~<p><b>~</b>"
    "</p>",
    "bold": "<b><font size=4 color=$color>~</font></b><br>~<b><font size=3>~</font></b><br>~<b>~"
    "</b><br>",
    "divs": "<div .heading>~</div>~<div .cap>~</div>~<div .cap>~</div>",
    "spans": "<div .heading><span>~</span></div>~<div .cap><span>~</span></div>~<p><strong>~"
    "</strong></p>",
    "bar": "<table width=100% cellspacing=0 cellpadding=3><tr><td bgcolor=#cccccc><b>~</b></td>"
    "</tr></table>~<p><b>~</b></p>~<p><i>~</i></p>",
}
"""Of headings of three levels: start ~ end each."""

TITLES = {
    "h3": "<h3 .cap>~</h3>",
    "h4": "<h4>~</h4>",
    "h2": "<h2 .cap>~</h2>",
    "div": "<div .cap>~</div>",
    "bold": "<b>~</b><br>",
    "strong": "<strong>~</strong> ",
    "font": "<font size=2 color=$color><b>~</b></font><br>",
    "span": "<span .cap>~</span> ",
}
"""Of the title of a box: start ~ end."""

BLOCKS = {
    "none": "~\n",
    "box": "<div .box>~</div>\n",
    "double": "<div .box><div .fill>~</div></div>\n",
    "section": "<section .box>~</section>\n",
    "article": "<article .box><div .fill>~</div></article>\n",
    "cell": "<table width=100% cellspacing=0 cellpadding=3><tr><td>~</td></tr></table>\n",
    "deep": "<div .box><div .fill><div .group>~</div></div></div>\n",
}
"""Around each block: start ~ end."""

FACTS = {
    "table": "<table .specs><tr><th>~</th><td>~</td></tr>\n<tr><th>~</td></tr></table>",
    "cells": "<table border=1 cellpadding=3 cellspacing=0><tr><td><b>~</b></td><td>~</td></tr>\n"
    "<tr><td><b>~</td></tr></table>",
    "font cells": "<table cellpadding=2><tr><td align=right><font size=2>~</font></td><td>~</td>"
    "</tr>\n<tr><td align=right><font size=2>~</td></tr></table>",
    "dl": "<dl .specs><dt>~</dt><dd>~</dd>\n<dt>~</dd></dl>",
    "ul": "<ul .specs><li><b>~:</b> ~</li>\n<li><b>~</li></ul>",
    "spans": "<ul .specs><li><span .key>~</span> <span>~</span></li>\n<li><span .key>~</span>"
    "</li></ul>",
    "divs": "<div .specs><div .fact><span .key>~</span> <span>~</span></div>\n<div .fact>"
    "<span .key>~</span></div></div>",
    "columns": "<div .specs><div .fact><div .key>~</div><div>~</div></div>\n<div .fact><div .key>"
    "~</div></div></div>",
    "lines": "<p><b>~:</b> ~<br>\n<b>~</p>",
}
"""Of names and values: start ~ between both ~ between pairs ~ end."""

GRIDS = {
    "plain": "<table .grid>~<tr><th>~</th><th>~</th></tr>\n~<tr><td>~</td><td>~</td></tr>\n<tr>"
    "<td>~</td></tr></table>",
    "lined": "<table border=1 cellpadding=3 cellspacing=0>~<tr><th>~</th><th>~</th></tr>\n~<tr>"
    "<td>~</td><td>~</td></tr>\n<tr><td>~</td></tr></table>",
    "parted": "<table .grid>~<thead><tr><th>~</th><th>~</th></tr></thead>\n~<tbody><tr><td>~</td>"
    "<td>~</td></tr>\n<tr><td>~</td></tr></tbody></table>",
    "inner": "<div .grid><table>~<tr><th>~</th><th>~</th></tr>\n~<tr><td><div>~</div></td><td>"
    "<div>~</div></td></tr>\n<tr><td><div>~</div></td></tr></table></div>",
}
"""Of tables: start ~ head ~ between ~ end of head ~ first cell ~ between ~ next row ~ end."""
