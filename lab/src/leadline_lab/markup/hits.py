"""The ways of building listings and forms, as patterns (see `catalogue`)."""

LISTINGS = {
    "table": "<table .hits>~<tr><th>~</th><th>~</th></tr>\n~<tr>~<td>~~<div .text>~</div>~</td>~~"
    "<td>~~: ~</td>~~</tr>\n~</table>",
    "lined table": "<table border=1 cellpadding=4 cellspacing=0>~<tr><th>~</th><th>~</th></tr>\n~"
    "<tr>~<td>~~<br>~~</td>~~<td>~<b>~:</b> ~</td>~~</tr>\n~</table>",
    "font table": "<table width=100% cellpadding=3 cellspacing=1>~<tr><td><b>~</b></td><td><b>~"
    "</b></td></tr>\n~<tr bgcolor=#f0f0f0>~<td><font size=2>~~<br>~~</font></td>~~<td>"
    "<font size=2>~~: ~</font></td>~~</tr>\n~</table>",
    "parted table": "<table .hits>~<thead><tr><th>~</th><th>~</th></tr></thead>\n~<tr .hit>~<td>"
    "<div .name>~</div>~<p>~</p>~</td>~~<td>~<span .key>~</span> ~</td>~~</tr>\n~</table>",
    "spread table": "<table border=0 cellspacing=0 cellpadding=5>~~~~<tr>~<td valign=top><b>~</b>"
    "~<br>~~<br>~~~<i>~:</i> ~ ~~</td></tr>\n~</table>",
    "list": "<ul .hits>~~~~<li .hit>~~~<br>~~~<br><small>~~~: ~ ~</small>~</li>\n~</ul>",
    "plain list": "<ul>~~~~<li>~~~ - ~~~<br>~~~: ~ ~~</li>\n~</ul>",
    "headed list": "<ul .hits>~~~~<li .hit>~<h3 .name>~</h3>~<p .text>~</p>~~<div .meta>~<span>~"
    "~: ~</span> ~</div>~</li>\n~</ul>",
    "boxed list": "<div .hits><ul>~~~~<li .hit>~<div .name>~</div>~<div .text>~</div>~~<ul .meta>"
    "~<li>~~: ~</li>~</ul>~</li>\n~</ul></div>",
    "ordered list": "<ol .hits>~~~~<li>~<b>~</b>~<br>~~~<br><small>~~~: ~ ~</small>~</li>\n~</ol>",
    "cards": "<div .hits>~~~~<div .hit>~<div .name>~</div>~<div .text>~</div>~~<div .meta>~<span>"
    "~<b>~</b> ~</span> ~</div>~</div>\n~</div>",
    "headed cards": "<div .hits>~~~~<div .hit><div .fill>~<h3 .name>~</h3>~<p>~</p>~~<ul .meta>~"
    "<li>~~: ~</li>~</ul>~</div></div>\n~</div>",
    "rowed cards": "<div .hits><div .cols>~~~~<div .col><div .hit>~<div .name>~</div>~<div .text>"
    "~</div>~~<div .meta>~<div .fact>~<span .key>~</span> ~</div>~</div>~</div></div>\n~</div>"
    "</div>",
    "spanned cards": "<div .hits>~~~~<div .hit>~<span .name>~</span>~ <span .text>~</span>~~"
    "<div .meta>~<span>~~: ~</span> ~</div>~</div>\n~</div>",
    "articles": "<section .hits>~~~~<article .hit>~<h2 .name>~</h2>~<p .text>~</p>~~"
    "<footer .meta>~<span>~~: ~</span> ~</footer>~</article>\n~</section>",
    "headed articles": "<div .hits>~~~~<article .hit>~<header><h3>~</h3></header>~<div .text>~"
    "</div>~~<dl .meta>~<dd>~<b>~:</b> ~</dd>~</dl>~</article>\n~</div>",
    "paragraphs": "<div .hits>~~~~<p .hit>~~~<br>~~~<br>~~<i>~:</i> ~ ~~</p>\n~</div>",
    "font paragraphs": "~~~~<p>~<font size=3>~</font>~<br><font size=2>~</font>~~<br>"
    "<font size=2 color=#666666>~~~: ~ ~</font>~</p>\n~",
    "definitions": "<dl .hits>~~~~~<dt>~</dt>~<dd .text>~</dd>~~<dd .meta>~<span>~~: ~</span> ~"
    "</dd>~\n~</dl>",
    "plain definitions": "<dl>~~~~~<dt><b>~</b></dt>~<dd>~</dd>~~<dd>~~<i>~:</i> ~ ~</dd>~\n~</dl>",
    "preformatted": "<pre>~~~~~~~\n    ~~~\n    ~~~: ~  ~~\n\n~</pre>",
    "spaced preformatted": "<pre>~~~~* ~~~   ~~~\n  ~~~ = ~  ~~\n~</pre>",
}
"""Of things: box ~ head row ~ between ~ end of head ~ each ~ name ~ after name ~ text ~ after text
~ after both ~ facts ~ fact ~ (key) ~ after key ~ after fact ~ after facts ~ after each ~ end.
The title stands after the box; a pattern without a head row names each fact."""

FORMS = {
    "cells": "<table border=0 cellpadding=3>~<tr><td colspan=2><b>~</b></td></tr>\n~<tr>~<td>~"
    "</td><td>~~<td></td><td>~</td></tr>\n~<tr><td></td><td>~</td></tr>~</table>",
    "right cells": "<table width=100% .form>~<tr><td colspan=2>~</td></tr>\n~<tr>~"
    "<td align=right>~:</td><td>~~<td>&nbsp;</td><td>~</td></tr>\n~<tr><td colspan=2>~</td></tr>~"
    "</table>",
    "font cells": "<table bgcolor=#eeeeee cellspacing=0 cellpadding=3>~<tr><td colspan=2>"
    "<font size=3><b>~</b></font></td></tr>\n~<tr>~<td><font size=2>~</font></td><td>~~<td></td>"
    "<td>~</td></tr>\n~<tr><td colspan=2 align=center>~</td></tr>~</table>",
    "label cells": "<table .form>~<tr><th colspan=2>~</th></tr>\n~<tr .field>~<th><label for=@id>"
    "~</label></th><td>~~<td></td><td>~</td></tr>\n~<tr><td></td><td .buttons>~</td></tr>~</table>",
    "for": "<div .form>~<h3>~</h3>~<div .field>~<label for=@id>~</label> ~~~</div>\n~"
    "<div .buttons>~</div>~</div>",
    "for paragraphs": "~<p>~</p>~<p>~<label for=@id>~:</label> ~~~</p>\n~<p>~</p>~",
    "for list": "<ul .form>~<li .cap>~</li>~<li .field>~<label for=@id .label>~</label> ~~~"
    "</li>\n~<li .buttons>~</li>~</ul>",
    "for rows": "<div .form>~<div .cap>~</div>~<div .field>~<div .label><label for=@id>~</label>"
    "</div><div .input>~~<div .input>~</div></div>\n~<div .buttons>~</div>~</div>",
    "wrap": "<div .form>~<p .cap>~</p>~<div>~<label .field>~ ~</label>~~</div>\n~<div .buttons>~"
    "</div>~</div>",
    "wrap blocks": "<section .form>~<h2>~</h2>~<div .field>~<label><span>~</span> ~</label>~~"
    "</div>\n~<div .buttons>~</div>~</section>",
    "wrap paragraphs": "~<h3>~</h3>~<p>~<label>~<br>~</label>~~</p>\n~<p>~</p>~",
    "break": "~<b>~</b><br>\n~~~:<br>~~~<br>\n~~<br>~",
    "font break": "~<p><font size=3><b>~</b></font></p>\n~~<font size=2>~</font><br>~~~<br>\n~~~",
    "paragraphs": "~<p><strong>~</strong></p>\n~<p>~~ ~~~</p>\n~<p>~</p>~",
    "placeholder": "<div .form>~<h3>~</h3>~<div .field>~<span .label>~</span> ~~~</div>\n~"
    "<div .buttons>~</div>~</div>",
    "placeholder line": "~<p>~</p>~~<span>~</span> ~~~\n~~~",
    "above": "<div .form>~<div .heading>~</div>~<div .field>~<div .label>~</div><div .input>~~"
    "<div .input>~</div></div>\n~<div .buttons>~</div>~</div>",
    "fieldset": "<fieldset .form>~<legend>~</legend>~<div .field>~<label for=@id>~</label> ~~~"
    "</div>\n~<div .buttons>~</div>~</fieldset>",
    "fieldset breaks": "<fieldset>~<legend>~</legend>~~~:<br>~~~<br>\n~<p>~</p>~</fieldset>",
    "definitions": "<dl .form>~<dt .cap>~</dt>~~<dt><label for=@id>~</label></dt><dd>~~<dd>~"
    "</dd>\n~<dd>~</dd>~</dl>",
    "inline": "~<b>~</b> ~~~ ~~~ ~~~",
    "inline spans": "<div .form>~<span .cap>~</span> ~<span .field>~~ ~~~</span> ~<span>~</span>~"
    "</div>",
    "inline wrap": "<div .form>~<span .cap>~</span> ~~<label>~ ~</label>~~ ~~~</div>",
    "inline cells": "<table cellpadding=0 cellspacing=2>~<tr><td>~</td></tr>~<tr>~<td>~</td><td>~"
    "~<td></td><td>~</td></tr>~<tr><td></td><td>~</td></tr>~</table>",
    "inline placeholder": "~<p>~</p>~~<span>~</span> ~~~ ~~~",
}
"""Of forms: start ~ (legend) ~ after legend ~ row ~ (label) ~ after label ~ after control ~ instead
of a label ~ after row ~ (buttons) ~ after buttons ~ end. `@id` is the id of the control."""
