"""Answers in other languages, encodings and ways to write numbers."""

# ruff: noqa: E501, RUF001 - markup is easier to read in its own lines and letters

from tests.harvester.answers.written.case import Said, Source

GERMAN = Source(
    "a German catalogue with a thousand's point and labelled lines",
    '<html lang="de"><body><div id="kopf"><a href="/">Startseite</a> <a href="/hilfe">Hilfe</a></div>@@</body></html>',
    "<p>Ihre Suche nach <em>{q}</em> ergab leider keine Treffer.</p>",
    (
        Said(
            "wald",
            """<p>1.234 Treffer für <em>wald</em></p><p>Treffer 1 bis 3</p><div class="liste">
<div class="treffer"><span class="nr">1.</span> <a href="/titel?id=550">Der Wald im Winter</a><br>Verfasser: Huber, Karl<br>Jahr: 1951</div>
<div class="treffer"><span class="nr">2.</span> <a href="/titel?id=551">Wald und Wild</a><br>Verfasser: Maier, Eva<br>Jahr: 1967</div>
<div class="treffer"><span class="nr">3.</span> <a href="/titel?id=600">Vom Wald leben</a><br>Verfasser: Huber, Karl<br>Jahr: 1988</div>
</div><p><a href="/search?q=wald&amp;ab=4">weiter</a></p>""",
            ("Der Wald im Winter", "Wald und Wild", "Vom Wald leben"),
            1234,
        ),
    ),
)

FRENCH = Source(
    "a French archive in Latin-1 with a blank in its numbers",
    "<html lang=fr><body><table><tr><td><a href=/>Accueil</a></td><td><a href=/plan>Plan du site</a></td></tr></table>@@</body></html>",
    "<p>Aucun résultat pour « {q} ».</p>",
    (
        Said(
            "église",
            """<p>12 345 résultats pour « église »</p><table class=liste>
<tr><th>Cote</th><th>Intitulé</th><th>Date</th></tr>
<tr><td>1 J 12</td><td><a href="fiche.php?n=12">Plan de l'église haute</a></td><td>1744</td></tr>
<tr><td>1 J 13</td><td><a href="fiche.php?n=13">Église et cimetière</a></td><td>1790</td></tr>
<tr><td>2 E 7</td><td><a href="fiche.php?n=907">Comptes de l'église</a></td><td>1801</td></tr></table>""",
            ("Plan de l'église haute", "Église et cimetière", "Comptes de l'église"),
            12345,
        ),
    ),
    encoding="iso-8859-1",
)

JAPANESE = Source(
    "a Japanese book search",
    '<html lang="ja"><body><div class="menu"><a href="/">ホーム</a><a href="/new">新着</a></div>@@</body></html>',
    "<p>「{q}」に一致する本は見つかりませんでした。</p>",
    (
        Said(
            "山",
            """<p>「山」の検索結果 全 87 件中 1～3 件を表示</p><ul>
<li><a href="/book/1021">山の音</a><div>著者：川端</div></li>
<li><a href="/book/1150">青い山脈</a><div>著者：石坂</div></li>
<li><a href="/book/1201">山月記</a><div>著者：中島</div></li></ul>""",
            ("山の音", "青い山脈", "山月記"),
            87,
        ),
    ),
)

RUSSIAN = Source(
    "a Russian library in windows-1251",
    '<html><body><p><a href="/">Главная</a> | <a href="/info">О библиотеке</a></p>@@</body></html>',
    "<p>По запросу «{q}» ничего не найдено.</p>",
    (
        Said(
            "зима",
            """<p>Найдено записей: 48. Страница 1 из 16.</p>
<p><b>1.</b> <a href="/rec/501">Зима в лесу</a><br>Автор: Петров И.<br>1954</p>
<p><b>2.</b> <a href="/rec/502">Долгая зима</a><br>Автор: Соколова А.<br>1961</p>
<p><b>3.</b> <a href="/rec/510">Зима и лето</a><br>Автор: Петров И.<br>1978</p>""",
            ("Зима в лесу", "Долгая зима", "Зима и лето"),
            48,
        ),
    ),
    encoding="windows-1251",
)

CHINESE = Source(
    "a Chinese archive",
    '<html lang="zh"><body><h1>檔案</h1>@@</body></html>',
    "<p>没有找到与“{q}”相关的记录</p>",
    (
        Said(
            "铁路",
            """<p>共 123 条记录</p><table><tr><th>题名</th><th>年份</th></tr>
<tr><td><a href="/a/1">铁路管理局文件</a></td><td>1931</td></tr>
<tr><td><a href="/a/2">南方铁路图</a></td><td>1936</td></tr>
<tr><td><a href="/a/5">铁路工人名册</a></td><td>1947</td></tr></table>""",
            ("铁路管理局文件", "南方铁路图", "铁路工人名册"),
            123,
        ),
    ),
)

SPANISH = Source(
    "a Spanish museum with an estimate and a status 404 for nothing",
    "<html lang=es><body><div><a href=/>Museo</a> <a href=/visita>Visita</a></div>@@</body></html>",
    "<p>No hay resultados para {q}.</p>",
    (
        Said(
            "barro",
            """<p>Más de 2300 piezas</p><section>
<article><h2><a href="/pieza/3">Jarra de barro</a></h2><p>Siglo XVI</p></article>
<article><h2><a href="/pieza/4">Plato de barro</a></h2><p>Siglo XVII</p></article>
<article><h2><a href="/pieza/9">Figura de barro</a></h2><p>Siglo XV</p></article></section>""",
            ("Jarra de barro", "Plato de barro", "Figura de barro"),
            2300,
            is_exact=False,
        ),
        Said("hierro", "<p>No hay resultados para hierro.</p>", kind="nothing", status=404),
    ),
    status=404,
)

SOURCES = (GERMAN, FRENCH, JAPANESE, RUSSIAN, CHINESE, SPANISH)
