"""Words for next pages, page numbers and page sizes, in the languages that result lists use.

Written by hand; compared without case and accents. Labels are compared word by word: a label says
`next` only if all its words belong to paging, so that `next month` and `next article` do not.
"""

import re

from leadline.core.text import fold
from leadline.forms.word_patterns import matcher

_pieces = re.compile(r"[^\W\d_]+|\d+").findall


def pieces_of(text: str) -> list[str]:
    """Words and numbers of a text, folded.

    >>> pieces_of("Nächste 10 »")
    ['nachste', '10']
    """
    found: list[str] = _pieces(fold(text))
    return found


def _words(*lines: str) -> frozenset[str]:
    return frozenset(piece for line in lines for piece in pieces_of(line))


NEXT = _words(
    "next nxt forward forwards onward onwards following nextpage",
    "weiter weiterblättern nächste nächster nächsten nächstes vorwärts folgende folgenden vor",
    "suivant suivante suivants suivantes suiv prochain prochaine prochains prochaines",
    "siguiente siguientes próximo próxima próximos próximas sig adelante avanzar",
    "seguinte seguintes próx avançar",
    "successivo successiva successivi successive prossimo prossima prossimi prossime avanti succ",
    "volgende verder nästa næste neste næsta seuraava seuraavat seuraavalle eteenpäin",
    "następny następna następne następnych nast dalej",
    "další následující dále ďalší ďalšia ďalšie ďalej nasledujúca nasledujúce",
    "következő következők köv tovább előre următor următorul următoarea următoarele",
    "următoare înainte",
    "следваща следващ следващи напред следующая следующий следующие следующую след вперед вперёд",
    "далее дальше наступна наступні наступний далі вперед следећа следеће даље",
    "sljedeća sljedeće sljedeći sledeća sledeće naprijed dalje naslednja naslednji naprej",
    "επόμενη επόμενο επόμενα επομενη sonraki ileri järgmine järgmised edasi",
    "nākamā nākamais nākamie tālāk kitas kita kiti sekantis toliau",
    "següent següents pròxima endavant hurrengoa hurrengo nesaf tjetra",
    "berikutnya selanjutnya seterusnya lanjut tiếp theo sau ถัดไป ต่อไป หน้าถัดไป",
    "التالي التالية التالى הבא הבאה הבאים بعدی بعد अगला अगले आगे পরবর্তী",
    "下一页 下一頁 下页 下頁 后一页 後一頁 次 次の 次へ 次ページ 次のページ 次のページへ",
    "次頁 次を表示 進む 다음 다음페이지 다음으로",
)
"""Alone or beside words of `PAGES`."""

PREVIOUS = _words(
    "previous prev prv back backward backwards preceding prior previouspage",
    "zurück zurückblättern vorherige vorheriger vorherigen vorige voriger rückwärts",
    "précédent précédente précédents précédentes préc retour",
    "anterior anteriores ant atrás volver voltar precedente precedenti prec indietro",
    "vorig terug föregående tillbaka forrige tilbage tilbake fyrri edellinen edelliset takaisin",
    "poprzedni poprzednia poprzednie poprz wstecz předchozí předešlé zpět predchádzajúca",
    "predošlá späť előző előzőek vissza anterioara anterioare înapoi предишна предишен назад",
    "предыдущая предыдущий предыдущие предыдущую пред попередня попередні",
    "prethodna prethodne prejšnja nazaj natrag προηγούμενη προηγούμενο προηγούμενα πίσω",
    "önceki geri eelmine eelmised tagasi iepriekšējā atpakaļ ankstesnis atgal",
    "sebelumnya kembali trước ก่อนหน้า ย้อนกลับ السابق السابقة הקודם הקודמת قبلی قبل पिछला पिछले",
    "上一页 上一頁 上页 上頁 前一页 前一頁 前 前の 前へ 前ページ 前のページ 前頁 戻る",
    "이전 이전페이지",
)

LAST = _words(
    "last end final letzte letzter letzten ende schluss dernier dernière derniers fin",
    "último última últimos ultimo ultima ultimi fine laatste sista sidste siste viimeinen",
    "ostatni ostatnia koniec poslední posledná konec utolsó ultima последна последен последняя",
    "последний конец остання кінець poslednja zadnja τελευταία τέλος son viimane pēdējā paskutinis",
    "terakhir cuối สุดท้าย الأخير الأخيرة האחרון לסוף آخرین अंतिम 末页 末頁 尾页 尾頁 最后 最後",
    "最后一页 最後一頁 最後へ 最終 最終ページ 마지막 끝 맨끝",
)

FIRST = _words(
    "first begin beginning start erste erster ersten anfang premier première premiers début",
    "primero primera primeros inicio primeiro primeira início primo prima inizio eerste första",
    "første ensimmäinen pierwsza pierwszy początek první začátek prvá první első първа първи",
    "первая первый начало перша початок prva πρώτη αρχή ilk esimene pirmā pirmas pertama đầu",
    "แรก الأول الأولى הראשון لأولى اولین पहला 首页 首頁 第一页 第一頁 最初 最初へ 先頭 先頭へ",
    "처음 맨처음",
)

PAGES = _words(
    "page pages pg p result results hit hits record records match matches entries listings",
    "items documents titles rows batch set search the to of go show view see a from and goto",
    "seite seiten treffer ergebnis ergebnisse einträge datensätze zur zu der die den bis von",
    "résultat résultats réponses notices fiches la le les de du à vers aller",
    "página páginas resultado resultados registros fichas ir a al los las el da o os as para",
    "pagina pagine risultato risultati schede vai alla i gli naar resultaten treffers",
    "sida sidan sidor träffar resultat side sider treff poster til till sivu sivut sivulle tulosta",
    "strona strony stronę wyniki wyników rekordy do stránka stránku strana stranu výsledky záznamy",
    "oldal oldalra találat találatok pagini rezultate rezultatele страница страници резултати",
    "страницу страницы стр результаты результатов записи на к сторінка сторінку результати",
    "stranica stranicu rezultati stran σελίδα σελίδες αποτελέσματα sayfa sayfaya sonuç sonuçlar",
    "lehekülg leht tulemust lapa lapu puslapis rezultatai pàgina resultats halaman hasil trang",
    "kết quả หน้า ผลลัพธ์ الصفحة صفحة النتائج نتائج עמוד דף תוצאות לדף לעמוד صفحه نتایج पृष्ठ परिणाम",
    "页 頁 条 條 结果 結果 件 ページ ページへ を の へ を見る 見る 表示 検索結果",
    "페이지 결과 개 으로 puslapį העמוד",
)
"""What may stand beside the words for next, previous, first and last."""

MORE = _words(
    "more further additional load mehr weitere weiteren weiterer plus davantage autres más otros",
    "mais outros altri altre ulteriori meer fler flere lisää więcej więcej více další viac több",
    "még továbbiak mai multe още ещё еще показать більше ще više več περισσότερα daha fazla",
    "rohkem vairāk daugiau més lebih thêm เพิ่มเติม المزيد עוד بیشتر और 更多 加载 もっと",
    "더보기 더 보기",
)
"""`More results`: the next page, if the link leads to one."""

OLDER = _words(
    "older earlier ältere älteren anciens anciennes antiguas antiguos antigas antigos vecchi",
    "meno recenti ouder oudere äldre ældre eldre vanhemmat starsze starší régebbi старые старее",
    "старіші daha eski παλαιότερα 以前 過去 古い 이전글 旧",
)
NEWER = _words(
    "newer neuere neueren récents récentes recientes nuevas nuevos recentes novas novos recenti",
    "nuovi nieuwer nieuwere nyare nyere uudemmat nowsze novější újabb новые новее новіші yeni",
    "νεότερα 新しい 更新",
)
DATED = PAGES | _words(
    "posts post articles article messages message news stories story comments plus más mais più",
    "beiträge einträge artikel nachrichten meldungen billets publications entradas artículos",
    "noticias postagens notícias articoli notizie berichten artikelen inlägg indlæg innlegg",
    "wpisy wpis příspěvky články bejegyzések записи новости статьи дописи yazilar kayitlar",
    "καταχωρήσεις αναρτήσεις 記事 文章 글",
)
"""What lists that run from the newest to the oldest hold."""

PAGER_CLASSES = _words(
    "pager pagers pagination paginate paginator paginated paging pages pagenav pagenavi pagelinks",
    "pagelink pagenumbers pagenumber pageno pagebar pagelist pagesnav pagin pageturn",
    "pagecontrols pageselector navpages resultnav resultsnav searchnav pgn paginacion",
    "paginierung seitennavigation blätterleiste seiten seitenzahlen paginazione stronicowanie",
)
"""Classes and ids of elements that hold the links to the pages of a list."""

POSITION_NAMES = frozenset(
    "page pages pg p pn pno pp pagina paginas pagine seite sida side sivu strona strana stranka "
    "oldal sayfa pageno pagenum pagenumber pagenr paged pageindex pageid curpage currentpage "
    "cpage ipage npage gotopage start startrow startrecord startindex startat startrank offset "
    "skip from fromrow first firstrow firstrecord begin index idx pos position row rec record "
    "after afterkey cursor since sinceid last lastid lastkey next nextpage nextkey token "
    "continuation jump o b pstart recstart hitstart searchstart scroll marker before until".split()
)
"""Names of parameters and path pieces that say where in an answer a page begins."""

CURSOR_NAMES = frozenset(
    "after afterkey cursor since sinceid last lastid lastkey max next token continuation marker "
    "before until scroll".split()
)
"""Those of them that name the last record seen, not a number."""

SIZE_LABEL = matcher(
    r"per ?page|per ?pg|page ?size|page ?length|(?:results|hits|items|rows|records|entries|titles)"
    r" ?(?:per|/|on) ?(?:page|screen)|(?:results|hits|items|rows|records|entries) ?(?:to )?(?:show",
    r"shown|displayed|display)\b|(?:show|display|list|view) (?:me )?(?:results|hits|items|rows",
    r"records|entries)\b|number of (?:results|hits|items|rows|records|entries|matches)\b",
    r"max(?:imum)? ?(?:results|hits|rows|records|items|matches)|\bhits ?count|result ?count",
    r"(?:pro|je) seite|seiten ?grosse|(?:treffer|ergebnisse|eintrage|anzahl) (?:pro|je|auf)",
    r"trefferzahl|anzahl (?:der )?(?:treffer|ergebnisse|eintrage)|par page|resultats par",
    r"nombre de (?:resultats|reponses|notices)|por pagina|resultados por|registros por",
    r"mostrar \d*\s*(?:resultados|registros)|per pagina|risultati per|elementi per|resultaten per",
    r"aantal (?:resultaten|per)|per sida|traffar per|pr\.? side|per side|sivulla|sivua kohti",
    r"tulosta (?:per )?sivu|na stron[ei]|wynikow na|na strank|na stranu|vysledku na",
    r"zaznamu na|oldalankent|talalat oldal|pe pagina|rezultate pe|на страниц|на сторинц",
    r"на сторінц|po stranici|na strani|αποτελεσματα .{0,5}σελιδα|sayfa basina|sayfada|lehekuljel",
    r"puslapyje|per halaman|moi trang|ต่อหน้า|لكل صفحة|في الصفحة|בעמוד|در صفحه|प्रति पृष्ठ",
    r"每页|每頁|ページあたり|件ずつ|表示件数|件表示|페이지당|개씩",
)
"""In labels, and in the text beside a row of numbers."""

SIZE_NAME = matcher(
    r"\b(?:per ?page|perpage|page ?size|pagesize|ipp|rpp|epp|hpp|ppp|results ?per|rows ?per",
    r"items ?per|hits ?per|per ?pagina|page ?length|page ?limit|results? ?size|result ?count",
    r"num ?results?|nb ?results?|nresults|max ?(?:results?|hits|rows|records)|maxresults|hits ?max",
    r"num ?(?:hits|rows|rec|records|items|per)|pp|psize|list ?size|view ?size|display ?(?:num",
    r"count|size)|results ?shown|page ?count|count ?per|limit ?per|records ?per|trefferpro ?seite",
    r"pro ?seite|par ?page|por ?pagina|page ?items|show ?(?:num|count|rows|entries))\b",
)
"""In names of controls and parameters that certainly hold a page size."""

PERHAPS_SIZE_NAME = matcher(
    r"^(?:rows|limit|show|num|count|size|n|nb|max|display|hits|results|items|entries|records",
    r"number|length|amount|step|take|top|anzahl|treffer|nombre|cantidad|quantidade|numero|aantal",
    r"view|listing|list|len)$",
)
"""In names of controls and parameters that hold a page size if their numbers look like sizes."""

NOT_SIZE = matcher(
    r"\broom|guest|adult|child|person|people|night|\bdays?\b|week|month|year|jahr|annee|\bano\b",
    r"price|preis|prix|precio|\bcost|radius|distance|umkreis|\bkm\b|mile|within|\bage\b|\balter\b|\bbed",
    r"bath|seat|door|size ?(?:shoe|cloth)|screen ?size|font|quantity|qty|menge|zimmer|chambre",
    r"habitacion|rating|stars?\b|sterne|weight|height|width|mileage|salary|\brent\b|\barea\b|sqm|sqft",
    r"\$|€|£|¥|₽|kg\b|\bcm\b|\bm2\b|inch|%|percent|minute|hour|stunde|heure|hora\b|points|score",
    r"volume|issue|floor|etage|capacity|power|\bps\b|\bhp\b|engine|speed|carat|copies|edition",
)
"""Beside numbers that count other things."""

ALL_RESULTS = frozenset(
    "all alle alles tout tous toutes todo todos todas tutti tutte allt alla kaikki wszystkie vse "
    "vsechny osszes все всі всички όλα hepsi tumu kõik visi semua tatca ทั้งหมด الكل הכל همه सभी "
    "全部 全て すべて 전체".split()
)
