"""Whole pages as patterns: where name, header, aside, main part and footer stand, and their looks.

`[B]` is the site's name, `[H]` its header, `[M]` the main part, `[F]` the footer; the aside stands
at `[L]`, `[R]` or `[N]` (left, right, below), built by the second pattern of a layout around `[A]`.
"""

LAYOUTS = {
    "fonts": (
        "<center><table width=96% border=0 cellpadding=4 cellspacing=0><tr><td bgcolor=$color>"
        "<font size=5 color=#ffffff>[B]</font></td></tr></table>\n[H]\n"
        "<table width=96% border=0 cellpadding=6 cellspacing=0><tr>[L]<td valign=top>[M]</td>[R]"
        "</tr></table>\n[N]<hr size=1>[F]</center>",
        "<td width=$width valign=top bgcolor=#eeeeee>[A]</td>",
        "<table width=96%><tr><td>[A]</td></tr></table>",
    ),
    "nested fonts": (
        "<table width=100% border=0 cellpadding=0 cellspacing=0><tr><td><table width=100% border=0 "
        "cellpadding=5><tr><td><font size=6 face=Times>[B]</font></td><td align=right>[H]</td></tr>"
        "</table></td></tr>\n<tr><td><table width=100% border=0 cellpadding=8><tr>[L]"
        "<td valign=top bgcolor=#ffffff>[M]</td>[R]</tr></table>[N]</td></tr>\n<tr><td>[F]</td>"
        "</tr>"
        "</table>",
        "<td width=$width valign=top bgcolor=#e8e8f0><table cellpadding=3><tr><td>[A]</td></tr>"
        "</table></td>",
        "<table cellpadding=3><tr><td>[A]</td></tr></table>",
    ),
    "spacers": (
        "<table width=760 border=0 cellpadding=0 cellspacing=0 align=center><tr><td colspan=3>"
        "<img src=/i/0.gif width=760 height=8 alt=></td></tr>\n<tr><td colspan=3 bgcolor=$color>"
        "<font color=#ffffff size=4>&nbsp;[B]</font></td></tr>\n<tr><td colspan=3>[H]</td></tr>\n"
        "<tr>[L]<td width=560 valign=top><img src=/i/0.gif width=560 height=1 alt=><br>[M]</td>[R]"
        "</tr>\n<tr><td colspan=3>[N]<img src=/i/0.gif width=1 height=12 alt=><br>[F]</td></tr>"
        "</table>",
        "<td width=$width valign=top><img src=/i/0.gif width=130 height=1 alt=><br>[A]</td>",
        "<div>[A]</div>",
    ),
    "center": (
        "<center><h1>[B]</h1>\n[H]</center>\n<hr>\n[L][M]\n[R][N]<hr>\n[F]",
        "<table align=right border=1 cellpadding=5 width=$width><tr><td>[A]</td></tr></table>",
        "<hr>[A]",
    ),
    "plain": ("<h2>[B]</h2>\n[H]\n<hr>[L]\n[M]\n<hr>\n[R][N][F]", "[A]<hr>", "[A]"),
    "cells": (
        "<div .page><table width=100% cellspacing=0 cellpadding=0><tr><td><div .head>"
        "<div .brand>[B]</div>[H]</div></td></tr></table>\n<table width=100% cellspacing=0 "
        "cellpadding=0 .middle><tr>[L]<td valign=top .main><div .fill>[M]</div></td>[R]</tr>"
        "</table>"
        "\n[N]<div .foot>[F]</div></div>",
        "<td width=200 valign=top .aside><div .fill>[A]</div></td>",
        "<div .aside>[A]</div>",
    ),
    "three cells": (
        "<table .page align=center width=920><tr><td colspan=2 .head><div .brand>[B]</div>[H]</td>"
        "</tr>\n<tr>[L]<td valign=top .main><table width=100%><tr><td><div .inner>[M]</div></td>"
        "</tr></table></td>[R]</tr>\n<tr><td colspan=2 .foot>[N][F]</td></tr></table>",
        "<td width=190 valign=top .aside><table width=100%><tr><td>[A]</td></tr></table></td>",
        "<div .aside>[A]</div>",
    ),
    "soup": (
        "<div .page><div .head><div .inner><div .brand>[B]</div>[H]</div></div>\n<div .middle>[L]"
        "<div .main><div .inner>[M]</div></div>[R]</div>\n[N]<div .foot><div .inner>[F]</div></div>"
        "</div>",
        "<div .aside><div .inner>[A]</div></div>",
        "<div .aside>[A]</div>",
    ),
    "thin soup": (
        "<div .page><div .head><h1 .brand>[B]</h1>[H]</div>\n<div .middle>[L]<div .main>[M]"
        "</div>[R]"
        "</div>\n[N]<div .foot>[F]</div></div>",
        "<div .aside>[A]</div>",
        "<div .aside>[A]</div>",
    ),
    "deep soup": (
        "<div .page><div .inner><div .fill><div .head><div .inner><span .brand>[B]</span>[H]</div>"
        "</div>\n<div .middle><div .inner>[L]<div .main><div .inner><div .fill>[M]</div></div>"
        "</div>"
        "[R]</div></div>\n[N]<div .foot><div .inner>[F]</div></div></div></div></div>",
        "<div .aside><div .inner><div .fill>[A]</div></div></div>",
        "<div .aside><div .inner>[A]</div></div>",
    ),
    "regions": (
        "<div .page><div .head><div .group><div .brand>[B]</div></div><div .group>[H]</div></div>\n"
        "<div .middle>[L]<div .main><div .group><div .fill>[M]</div></div></div>[R]</div>\n"
        "<div .foot><div .group>[N][F]</div></div></div>",
        "<div .aside><div .group>[A]</div></div>",
        "<div .box>[A]</div>",
    ),
    "shell": (
        "<div .page><div .inner><div .head><p .brand>[B]</p>[H]</div></div>\n<div .inner>"
        "<div .middle>[L]<div .main>[M]</div>[R]</div></div>\n<div .inner><div .foot>[N][F]</div>"
        "</div></div>",
        "<div .aside><div .box>[A]</div></div>",
        "<div .box>[A]</div>",
    ),
    "rows": (
        "<div .head><div .page><div .cols><div .brand>[B]</div><div>[H]</div></div></div></div>\n"
        "<div .page><div .middle>[L]<div .main>[M]</div>[R]</div></div>\n<div .foot><div .page>"
        "<div .cols>[N][F]</div></div></div>",
        "<div .aside>[A]</div>",
        "<div .box>[A]</div>",
    ),
    "wide rows": (
        "<div .page><div .cols><div .head><span .brand>[B]</span> [H]</div></div>\n<div .middle>[L]"
        "<div .main><div .cols><div .inner>[M]</div></div></div>[R]</div>\n<div .cols>"
        "<div .foot>[N][F]</div></div></div>",
        "<div .aside><div .cols><div .inner>[A]</div></div></div>",
        "<div .inner>[A]</div>",
    ),
    "semantic": (
        "<header .head><div .brand>[B]</div>[H]</header>\n<div .middle>[L]<main .main>[M]</main>[R]"
        "</div>\n[N]<footer .foot>[F]</footer>",
        "<aside .aside>[A]</aside>",
        "<aside>[A]</aside>",
    ),
    "held semantic": (
        "<div .page><header .head><div .inner><h1 .brand>[B]</h1>[H]</div></header>\n"
        "<section .middle>[L]<main .main><div .inner>[M]</div></main>[R]</section>\n[N]"
        "<footer .foot><div .inner>[F]</div></footer></div>",
        "<aside .aside><div .inner>[A]</div></aside>",
        "<section>[A]</section>",
    ),
    "app": (
        "<div .page><header .head><div .brand>[B]</div><div>[H]</div></header>\n<div .middle>[L]"
        "<main .main><div .inner><div .fill>[M]</div></div></main>[R]</div>\n<div .foot>"
        "<div .inner>[N][F]</div></div></div>",
        "<div .aside><div .inner>[A]</div></div>",
        "<div .inner>[A]</div>",
    ),
}
"""Name: page, aside beside, aside below."""

DOCTYPES = {
    "none": "",
    "32": '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n',
    "loose": '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n',
    "xhtml": '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">\n',
    "strict": '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n',
    "html5": "<!DOCTYPE html>\n",
}

_ITEMS = (
    ".$(menu) li,.$(tags) li,.$(pager) li,.$(crumbs) li{display:inline-block;margin:0 .8em 0 0}"
    ".$(menu) li ul{padding:0;font-size:85%}.$(aside) .$(menu) li{display:block}"
    ".$(head) .$(item){display:inline-block;margin-right:1em}"
    ".$(brand){font-size:22px;font-weight:bold;margin:4px 0}.$(group){vertical-align:top}"
    ".$(heading){font-size:20px;margin:8px 0}.$(cap){font-weight:bold}"
)
STYLES = {
    "none": "",
    "old": "body,td{font-family:Verdana,Arial,sans-serif;font-size:12px}a{color:$(color)}",
    "float": "body{margin:0;font:13px/1.5 Arial,sans-serif;background:#ddd}"
    ".$(page){width:960px;margin:0 auto;background:#fff}.$(head){padding:8px;"
    "border-bottom:3px solid $(color)}.$(main){padding:8px;width:690px;"
    "float:left}.$(aside){width:220px;padding:8px;"
    "float:left}.$(foot){clear:both;padding:8px;background:#eee}.$(hit){margin:6px 0;border-top:"
    "1px solid #ccc}.$(menu) .$(group),.$(nav) .$(group){display:inline-block}" + _ITEMS,
    "flex": "*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;color:#222}"
    ".$(page){max-width:1140px;margin:0 auto}.$(head){padding:12px;background:$(color);color:#fff}"
    ".$(head) a{color:#fff}.$(middle){display:flex;gap:20px;padding:12px}.$(main){flex:3}"
    ".$(aside){flex:1}.$(foot){padding:12px;background:#f1f1f1}.$(hit){padding:10px;margin:8px 0;"
    "border:1px solid #ddd;border-radius:4px}.$(cols){display:flex;flex-wrap:wrap;gap:16px}"
    ".$(nav)>.$(group){display:inline-block;margin-right:16px}.$(field){margin:6px 0}" + _ITEMS,
}
"""Style sheets; `$(slot)` is the first class of that slot."""

SCRIPTS = (
    "",
    "var $prefix={n:0,on:function(){this.n++}};",
    "window.$prefix=window.$prefix||[];$prefix.push(['page',1]);",
    "function $prefix(u){window.open(u,'w','width=400,height=300');return false}",
    "document.documentElement.className+=' js';",
)
COMMENTS = ("", "<!-- $prefix start -->\n", "<!-- begin content -->\n", "<!-- /$prefix -->\n")
