"""Shops, classified advertisements, directories."""

# ruff: noqa: E501 - markup is easier to read in its own lines and letters

from tests.harvester.answers.written.case import Said, Source

_SHOP = """<!doctype html><html lang="en"><head><title>Shop</title></head><body>
<nav class="menu"><a href="/c/garden">Garden</a><a href="/c/kitchen">Kitchen</a><a href="/c/sale">Sale</a></nav>
@@
<section class="popular"><h2>Popular now</h2><div class="card"><a href="/p/900"><img src="/i/900.jpg" alt=""></a><h3><a href="/p/900">Steel bucket</a></h3><span>$ 9.90</span></div><div class="card"><a href="/p/901"><img src="/i/901.jpg" alt=""></a><h3><a href="/p/901">Garden hose</a></h3><span>$ 19.90</span></div></section>
<footer><a href="/imprint">Imprint</a></footer></body></html>"""

_CARD = """<div class="card {extra}"><a href="/p/{n}?ref=search_{n}"><img src="/i/{n}.jpg" alt="{name}"></a><h3><a href="/p/{n}?ref=search_{n}">{name}</a></h3><span class="price">$ {price}</span><form action="/cart/add" method="post"><input type="hidden" name="id" value="{n}"><button>Add to cart</button></form></div>"""


def _cards(*rows: tuple[int, str, str]) -> str:
    return "".join(
        _CARD.format(n=n, name=name, price=price, extra=("left", "right")[place % 2])
        for place, (n, name, price) in enumerate(rows)
    )


SHOP = Source(
    "a shop of cards in rows, with facets, prices, carts and popular goods on every page",
    _SHOP,
    '<h1>Nothing found for "{q}"</h1><p>Perhaps you will like one of these.</p>',
    (
        Said(
            "pan",
            f"""<h1>pan</h1><p class="hits">26 products</p>
<aside><h4>Brand</h4><ul><li><a href="/search?q=pan&brand=acme">Acme (12)</a></li><li><a href="/search?q=pan&brand=zed">Zed (9)</a></li><li><a href="/search?q=pan&brand=ox">Ox (5)</a></li></ul></aside>
<div class="grid"><div class="row">{_cards((101, "Iron pan 24 cm", "35.00"), (102, "Pan of copper", "120.00"))}</div>
<div class="row">{_cards((103, "Cake pan", "12.50"), (104, "Pan with a lid", "44.00"))}</div>
<div class="row">{_cards((105, "Crepe pan", "18.00"), (106, "Pan rack", "27.00"))}</div></div>""",
            (
                "Iron pan 24 cm",
                "Pan of copper",
                "Cake pan",
                "Pan with a lid",
                "Crepe pan",
                "Pan rack",
            ),
            26,
        ),
        Said(
            "lid",
            f"""<h1>lid</h1><p class="hits">3 products</p>
<div class="grid"><div class="row">{_cards((104, "Pan with a lid", "44.00"), (220, "Lid of glass", "8.00"))}</div>
<div class="row">{_cards((221, "Lid holder", "6.50"))}</div></div>""",
            ("Pan with a lid", "Lid of glass", "Lid holder"),
            3,
        ),
    ),
)

CLASSIFIEDS = Source(
    "classified advertisements: whole cards that are links",
    '<html><body><div class="bar"><a href="/post">Place an advert</a></div><div class="page">@@</div></body></html>',
    '<p class="none">Your search for {q} has no hits right now.</p>',
    (
        Said(
            "bicycle",
            """<p>12 adverts</p><div class="ads">
<a class="ad" href="/ad/red-bicycle-88112"><img src="/t/88112.jpg"><div class="t">Red bicycle</div><div class="p">120 EUR</div><div class="w">Northtown</div></a>
<a class="ad" href="/ad/bicycle-for-children-88190"><img src="/t/88190.jpg"><div class="t">Bicycle for children</div><div class="p">40 EUR</div><div class="w">Eastham</div></a>
<a class="ad top" href="/ad/racing-bicycle-87001"><img src="/t/87001.jpg"><div class="t">Racing bicycle</div><div class="p">900 EUR</div><div class="w">Northtown</div></a>
</div>""",
            (
                "Red bicycle",
                "Bicycle for children",
                "Racing bicycle",
            ),
            12,
        ),
    ),
)

ORDERS = Source(
    "a parts list with an order form in every row",
    "<html><body><h1>Parts</h1>@@</body></html>",
    "<p>No parts with {q}.</p>",
    (
        Said(
            "bolt",
            """<table><tr><td><b>Part</b></td><td><b>Price</b></td><td><b>Order</b></td></tr>
<tr><td><a href="part.php?no=B7">Bolt M7</a></td><td>0.20</td><td><form action=order.php method=post><input type=hidden name=no value=B7><input name=n size=2 value=1><input type=submit value=Order></form></td></tr>
<tr><td><a href="part.php?no=B8">Bolt M8</a></td><td>0.25</td><td><form action=order.php method=post><input type=hidden name=no value=B8><input name=n size=2 value=1><input type=submit value=Order></form></td></tr>
<tr><td><a href="part.php?no=B9">Bolt M9</a></td><td>0.30</td><td><form action=order.php method=post><input type=hidden name=no value=B9><input name=n size=2 value=1><input type=submit value=Order></form></td></tr>
</table>""",
            ("Bolt M7", "Bolt M8", "Bolt M9"),
        ),
    ),
)

DIRECTORY = Source(
    "a directory of companies, parted by rules, details linked by a word",
    "<html><body><center><a href=/>Directory</a></center>@@</body></html>",
    "<p>There are no companies for {q} in our directory.</p>",
    (
        Said(
            "paint",
            """<p>3 companies found</p><hr>
<p><b>Amber Paint Works</b><br>12 Dock Road, Harbourside<br>Tel. 555 0101<br><a href="company?id=8">More</a></p><hr>
<p><b>Brush &amp; Sons Paint</b><br>1 High Street, Midton<br>Tel. 555 0199<br><a href="company?id=31">More</a></p><hr>
<p><b>The Paint Cellar</b><br>77 Low Street, Midton<br>Tel. 555 0142<br><a href="company?id=44">More</a></p><hr>""",
            ("Amber Paint Works", "Brush & Sons Paint", "The Paint Cellar"),
            3,
        ),
    ),
)

GROUPED = Source(
    "two kinds of results under headings",
    "<html><body><div id=head>Town guide</div><div id=body>@@</div></body></html>",
    "<p>No places and no events for {q}</p>",
    (
        Said(
            "garden",
            """<h2>Places (2)</h2><ul class="hits"><li><a href="/place/4">Botanical garden</a> <span>South Hill</span></li><li><a href="/place/9">Rose garden</a> <span>Castle</span></li></ul>
<h2>Events (3)</h2><ul class="hits"><li><a href="/event/71">Garden fair</a> <span>2 May</span></li><li><a href="/event/72">Concert in the garden</a> <span>9 May</span></li><li><a href="/event/80">Garden tour</a> <span>1 June</span></li></ul>""",
            (
                "Botanical garden",
                "Rose garden",
                "Garden fair",
                "Concert in the garden",
                "Garden tour",
            ),
        ),
    ),
)

SUGGESTING = Source(
    "a source that shows other things when it found nothing",
    "<html><body><h1>Recipes</h1>@@</body></html>",
    """<p>0 recipes for {q}</p><h2>Try one of these</h2><ul class="list"><li><a href="/r/{q}1">Soup of {q} day</a><p>Good in winter.</p></li><li><a href="/r/{q}2">Bread</a><p>Takes an hour.</p></li><li><a href="/r/{q}3">Salad</a><p>Quickly made.</p></li></ul>""",
    (
        Said(
            "plum",
            """<p>3 recipes for plum</p><ul class="list"><li><a href="/r/31">Plum cake</a><p>Needs ripe fruit.</p></li><li><a href="/r/32">Plum jam</a><p>Keeps for a year.</p></li><li><a href="/r/33">Duck with plum</a><p>For a feast.</p></li></ul>""",
            ("Plum cake", "Plum jam", "Duck with plum"),
            3,
        ),
        Said(
            "gravel",
            """<p>0 recipes for gravel</p><h2>Try one of these</h2><ul class="list"><li><a href="/r/77">Pancakes</a><p>For breakfast.</p></li><li><a href="/r/78">Stew</a><p>For many.</p></li><li><a href="/r/79">Rice</a><p>Plain.</p></li></ul>""",
            kind="nothing",
        ),
    ),
)

SOURCES = (SHOP, CLASSIFIEDS, ORDERS, DIRECTORY, GROUPED, SUGGESTING)
