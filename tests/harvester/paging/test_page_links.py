"""Pagers as software of many kinds and years writes them, each with the page it leads to."""

from typing import NamedTuple

import pytest

from tests.harvester.paging.replies import ASKED, target_of


class Pager(NamedTuple):
    name: str
    html: str
    wanted: str | None
    at: str = ASKED
    number: int = 1


HERE = "http://a.test/search?q=whale"

PAGERS = [
    Pager(
        "a table row of the nineties, with images",
        """<table border=0><tr><td><img src="/gfx/prev_off.gif"></td>
        <td><font size=-1><b>1</b> <a href="search?q=whale&start=10">2</a>
        <a href="search?q=whale&start=20">3</a></font></td>
        <td><a href="search?q=whale&start=10"><img src="/gfx/next.gif" border=0 alt="Next"></a>
        </td></tr></table>""",
        "/search?q=whale&start=10",
    ),
    Pager(
        "an arrow image without any text",
        """<p><a href="/cgi-bin/s.pl?q=whale&pg=3"><img src="/i/arrow_left.gif"></a>
        <a href="/cgi-bin/s.pl?q=whale&pg=5"><img src="/i/arrow_right.gif"></a></p>""",
        "/cgi-bin/s.pl?q=whale&pg=5",
        "http://a.test/cgi-bin/s.pl?q=whale&pg=4",
        4,
    ),
    Pager(
        "a list of a css framework, with names for those who do not see",
        """<nav aria-label="Page navigation"><ul class="pagination">
        <li class="page-item disabled"><a class="page-link" href="#" aria-label="Previous">
        <span aria-hidden="true">&laquo;</span></a></li>
        <li class="page-item active"><a class="page-link" href="#">1</a></li>
        <li class="page-item"><a class="page-link" href="?q=whale&amp;page=2">2</a></li>
        <li class="page-item"><a class="page-link" href="?q=whale&amp;page=3">3</a></li>
        <li class="page-item"><a class="page-link" href="?q=whale&amp;page=2" aria-label="Next">
        <span aria-hidden="true">&raquo;</span></a></li></ul></nav>""",
        "/search?q=whale&page=2",
    ),
    Pager(
        "single and double arrows: the double one is the end",
        """<div><a href="?q=whale&p=1">&laquo;</a> <a href="?q=whale&p=3">&lsaquo;</a> 4
        <a href="?q=whale&p=5">&rsaquo;</a> <a href="?q=whale&p=77">&raquo;</a></div>""",
        "/search?q=whale&p=5",
        HERE + "&p=4",
        4,
    ),
    Pager(
        "the end before the next one, both as arrows",
        """<td><a href="?q=whale&p=77">&gt;&gt;</a> <a href="?q=whale&p=2">&gt;</a></td>""",
        "/search?q=whale&p=2",
    ),
    Pager(
        "an arrow with a bar is the end",
        """<div class=links>1 <a href="?q=whale&page=2">2</a> <a href="?q=whale&page=3">3</a>
        <a href="?q=whale&page=2">&gt;</a> <a href="?q=whale&page=9">&gt;|</a></div>""",
        "/search?q=whale&page=2",
    ),
    Pager(
        "numbers alone, the present one in bold",
        """<center>Result page: <a href="/r?w=whale&n=1">1</a> <b>2</b>
        <a href="/r?w=whale&n=3">3</a> <a href="/r?w=whale&n=4">4</a></center>""",
        "/r?w=whale&n=3",
        "http://a.test/r?w=whale&n=2",
        2,
    ),
    Pager(
        "numbers alone, the present one left out",
        """<p><a href="?q=whale&page=1">1</a> <a href="?q=whale&page=2">2</a>
        <a href="?q=whale&page=4">4</a></p>""",
        "/search?q=whale&page=4",
        HERE + "&page=3",
        3,
    ),
    Pager(
        "ranges of results",
        """<p><b>1-10</b> | <a href="?q=whale&from=11">11-20</a> |
        <a href="?q=whale&from=21">21-30</a></p>""",
        "/search?q=whale&from=11",
    ),
    Pager(
        "dots lead to the numbers that are not shown",
        """<tr><td><a href="?q=whale&page=8">8</a></td><td><a href="?q=whale&page=9">9</a></td>
        <td><span>10</span></td><td><a href="?q=whale&page=11">...</a></td></tr>""",
        "/search?q=whale&page=11",
        HERE + "&page=10",
        10,
    ),
    Pager(
        "the arrow leaps over the numbers",
        """<div class=paginate><strong>3</strong> <a href="?q=whale&page=4">4</a>
        <a href="?q=whale&page=5">5</a> <a href="?q=whale&page=11">다음</a></div>""",
        "/search?q=whale&page=4",
        HERE + "&page=3",
        3,
    ),
    Pager(
        "the next number is not shown, but how to count is",
        """<ul class=pager><li><a href="?q=whale&o=0">1</a><li><a href="?q=whale&o=25">2</a>
        <li class=current>3<li>…<li><a href="?q=whale&o=475">20</a></ul>""",
        "/search?q=whale&o=75",
        HERE + "&o=50",
        3,
    ),
    Pager(
        "path segments of a blog's search, older first",
        """<div class="navigation"><div class="nav-previous">
        <a href="http://a.test/page/2?s=whale">&larr; Older posts</a></div></div>""",
        "/page/2?s=whale",
        "http://a.test/?s=whale",
    ),
    Pager(
        "newer is back, older is on",
        """<div class="nav-links"><div class="nav-previous">
        <a href="http://a.test/page/3/?q=whale">Older entries</a></div><div class="nav-next">
        <a href="http://a.test/?q=whale">Newer entries &raquo;</a></div></div>""",
        "/page/3/?q=whale",
        "http://a.test/page/2/?q=whale",
        2,
    ),
    Pager(
        "files with numbers",
        """<a href="/list/whales-1.html">Zurück</a> <a href="/list/whales-3.html">Weiter</a>""",
        "/list/whales-3.html",
        "http://a.test/list/whales-2.html",
        2,
    ),
    Pager(
        "semicolons between parameters",
        """<a href="/opac?q=whale;sort=date;page=2">next results</a>""",
        "/opac?q=whale;sort=date;page=2",
        "http://a.test/opac?q=whale;sort=date",
    ),
    Pager(
        "a key instead of a number",
        """<p><a href="?q=whale&_next=7%2C12">Next page</a></p>""",
        "/search?q=whale&_next=7%2C12",
        HERE + "&_next=9%2C1",
        2,
    ),
    Pager(
        "a cursor and an arrow",
        """<div><a href="/search?q=whale&cursor=bm93">→</a></div>""",
        "/search?q=whale&cursor=bm93",
    ),
    Pager(
        "the head of the page alone",
        """</body>""",
        None,
    ),
    Pager(
        "a button that a script leads on",
        """<button type=button onclick="location.href='/search?q=whale&page=2'">Next</button>""",
        "/search?q=whale&page=2",
    ),
    Pager(
        "a link that a script follows, its address beside it",
        """<ul class=pagination><li><a rel=next href="javascript:;"
        data-href="/search?q=whale&amp;start_index=24">Volgende</a></ul>""",
        "/search?q=whale&start_index=24",
    ),
    Pager(
        "newest first: icons between what is newer and what is older",
        """<div class="list-paging"><a href="?page=1&q=whale" class="list_newer">
        <i class="fa fa-arrow-circle-left"></i></a> page 2 / 3
        <a href="?page=3&q=whale" class="list_older"><i class="fa fa-arrow-circle-right"></i></a>
        </div>""",
        "/search?page=3&q=whale",
        "http://a.test/search?page=2&q=whale",
        2,
    ),
    Pager(
        "an icon font",
        """<div class="result-pager"><a href="?q=whale&page=1"><i class="fa chevron-left"></i></a>
        2 / 9 <a href="?q=whale&page=3"><i class="fa chevron-right"></i></a></div>""",
        "/search?q=whale&page=3",
        HERE + "&page=2",
        2,
    ),
    Pager(
        "hidden on small screens, and the last of a list",
        """<ul class="pages"><li class="first hidden-xs"><a href="?q=whale&page=1">1</a></li>
        <li class="last hidden-xs"><a class="next" href="?q=whale&page=3"><i></i></a></li></ul>""",
        "/search?q=whale&page=3",
        HERE + "&page=2",
        2,
    ),
    Pager(
        "a language nobody here wrote down, with a class",
        """<ul class="pager"><li class="pager__item--next"><a href="?q=whale&page=1">Gba ọzọ</a>
        </ul>""",
        "/search?q=whale&page=1",
    ),
    Pager(
        "a page of its own for the results of a form sent by post",
        """<div class="pagenav"><b>1</b> <a href="/results/8f3a/2">2</a>
        <a href="/results/8f3a/3">3</a> <a href="/results/8f3a/2">Next &gt;</a></div>""",
        "/results/8f3a/2",
        "http://a.test/dosearch",
    ),
    Pager(
        "the number of hits in the words",
        """<b>[1-20]</b> <a href="/s?t=whale&first=21">Next 20 records</a>""",
        "/s?t=whale&first=21",
        "http://a.test/s?t=whale",
    ),
    Pager(
        "more results, by a link",
        """<div><a href="/search?q=whale&offset=20">More results</a></div>""",
        "/search?q=whale&offset=20",
    ),
    Pager(
        "unclosed tags and capital letters",
        """<P ALIGN=CENTER>PAGE <B>1</B> <A HREF="SEARCH?Q=WHALE&PAGE=2">2</A>
        <A HREF="SEARCH?Q=WHALE&PAGE=2">NEXT""",
        "/SEARCH?Q=WHALE&PAGE=2",
        "http://a.test/SEARCH?Q=WHALE",
    ),
    Pager(
        "two numbers that move together",
        """<a class="next" href="/m.mvc?Screen=S&List=24&Offset=24&q=whale">&gt;</a>""",
        "/m.mvc?Screen=S&List=24&Offset=24&q=whale",
        "http://a.test/m.mvc?Screen=S&List=0&Offset=0&q=whale",
    ),
]

ENDS = [
    Pager(
        "a disabled next link", '<li class="next disabled"><a href="?q=whale&page=2">Next</a>', None
    ),
    Pager("said to be disabled", '<a aria-disabled=true href="?q=whale&page=2">Next</a>', None),
    Pager("a next that goes nowhere", '<a class=next href="#">Next</a>', None),
    Pager("loading by a script", '<a class="more" href="#more">Load more</a>', None),
    Pager("a script", '<a href="javascript:nextPage()">Next</a>', None),
    Pager(
        "only the way back", '<a href="?q=whale">Previous</a> <b>2</b>', None, HERE + "&page=2", 2
    ),
    Pager(
        "the last of the numbers",
        """<p><a href="?q=whale&page=1">1</a> <a href="?q=whale&page=2">2</a> <b>3</b></p>""",
        None,
        HERE + "&page=3",
        3,
    ),
    Pager(
        "the last page, the present one left out",
        """<p><a href="?q=whale&page=1">Back</a> <a href="?q=whale&page=1">1</a>
        <a href="?q=whale&page=2">2</a></p>""",
        None,
        HERE + "&page=3",
        3,
    ),
    Pager("the next article", '<p><a rel=next href="/2020/05/squid">Next article</a>', None),
    Pager("a title beside an arrow", '<a rel="next" href="/2020/05/squid">The squid →</a>', None),
    Pager("the next item", '<a href="/item/4">Next item &gt;</a>', None),
    Pager("the next month", '<a href="/search?q=whale&month=6">Next month &raquo;</a>', None),
    Pager("the next step", '<a href="/search?q=whale&step=2">Next step</a>', None),
    Pager("read more", '<a href="/item/4">Read more &raquo;</a>', None),
    Pager(
        "a menu that opens to the right",
        '<li><a href="/books">Books</a> <a href="/b">&rsaquo;</a>',
        None,
    ),
    Pager(
        "crumbs", '<a href="/">Home</a> &raquo; <a href="/search">Search</a> &raquo; whale', None
    ),
    Pager(
        "a carousel",
        """<div class=carousel><a class="control prev" href="#c" data-slide="prev">&lsaquo;</a>
        <a class="control next" href="#c" data-slide="next">&rsaquo;</a></div>""",
        None,
    ),
    Pager(
        "a calendar",
        "<table class=cal>"
        + "".join(
            "<tr>" + "".join(f'<td><a href="/events?d={d}">{d}</a>' for d in range(w, w + 7))
            for w in (1, 8, 15, 22)
        )
        + "</table>",
        None,
    ),
    Pager(
        "page sizes",
        """Per page: <a href="?q=whale&rows=10">10</a> <a href="?q=whale&rows=20">20</a>
        <a href="?q=whale&rows=50">50</a>""",
        None,
        HERE + "&page=9",
        9,
    ),
    Pager(
        "years",
        """<a href="?q=whale&y=2019">2019</a> 2020 <a href="?q=whale&y=2021">2021</a>""",
        None,
    ),
    Pager(
        "letters of the alphabet",
        """<a href="?l=A">A</a> <a href="?l=B">B</a> <a href="?l=C">C</a>""",
        None,
    ),
    Pager(
        "pagers of single items",
        "".join(
            f'<p><a href="/thread/{n}">Whales {n}</a> [<a href="/thread/{n}?page=2">2</a>'
            f' <a href="/thread/{n}?page=3">3</a>]</p>'
            for n in (7, 8, 9)
        ),
        None,
    ),
    Pager(
        "stars to give",
        "".join(
            f'<p class=rate><a href="/rate?i={i}&n=1">1</a> <a href="/rate?i={i}&n=2">2</a>'
            f'<a href="/rate?i={i}&n=3">3</a></p>'
            for i in (7, 8)
        ),
        None,
    ),
    Pager("another site", '<a href="http://b.test/search?q=whale&page=2">Next</a>', None),
    Pager("sorting", '<a href="?q=whale&sort=price">Price &#9650;</a>', None),
    Pager(
        "older texts than the newest", '<a href="/page/2">Older posts</a>', None, "http://a.test/"
    ),
    Pager("the end alone", '<a href="?q=whale&page=9">Last &raquo;</a>', None),
]


@pytest.mark.parametrize("pager", PAGERS, ids=lambda pager: pager.name)
def test_the_next_page_is_found(pager: Pager) -> None:
    assert target_of(pager.html, pager.at, number=pager.number) == pager.wanted


@pytest.mark.parametrize("pager", ENDS, ids=lambda pager: pager.name)
def test_what_is_no_next_page_is_not_taken_for_one(pager: Pager) -> None:
    assert target_of(pager.html, pager.at, number=pager.number) is None


NEXT = (
    "Next", "Next page", "next &gt;&gt;", "Next 10 hits", "Weiter", "Nächste Seite", "Suivant",
    "Page suivante", "Siguiente", "Próxima página", "Seguinte", "Successiva", "Pagina successiva",
    "Volgende", "Volgende pagina", "Nästa", "Næste", "Neste side", "Seuraava", "Następna",
    "Następna strona", "Další", "Ďalšia", "Következő", "Următoarea", "Следваща", "Следующая",
    "Следующая страница", "Вперед", "Далее", "Наступна", "Sljedeća", "Επόμενη", "Sonraki",
    "Järgmine", "Nākamā", "Kitas", "Següent", "Berikutnya", "Tiếp theo", "ถัดไป", "التالي",
    "הבא", "صفحه بعد", "अगला", "下一页", "下一頁", "次へ", "次のページ", "次の20件",
    "다음", "다음 페이지",
)  # fmt: skip
PREVIOUS = (
    "Previous", "« Prev", "Zurück", "Vorherige Seite", "Précédent", "Anterior", "Precedente",
    "Vorige", "Föregående", "Forrige", "Edellinen", "Poprzednia", "Předchozí", "Előző",
    "Предыдущая", "Назад", "Προηγούμενη", "Önceki", "السابق", "הקודם", "上一页", "前へ", "이전",
)  # fmt: skip


@pytest.mark.parametrize("word", NEXT)
def test_next_is_understood_in_many_languages(word: str) -> None:
    assert target_of(f'<a href="/search?q=whale&x=ab">{word}</a>') == "/search?q=whale&x=ab"


@pytest.mark.parametrize("word", PREVIOUS)
def test_previous_is_not_next_in_any(word: str) -> None:
    assert target_of(f'<a href="/search?q=whale&x=ab">{word}</a>') is None
