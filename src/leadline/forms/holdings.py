"""Does a site's search search records, or articles? What the page of a search box tells.

A box that says nothing searches the records on a site that keeps records, and its articles on a
site that writes them. Prices, words of catalogues and declared things speak for records; long
texts, authors, addresses made of dates and headlines, and feeds for articles. Table rows, numbers
and queries in addresses, and headlines as links said nothing beside these. A linear model over
real search forms of 2010 and 2025 (`python -m tools.critic_training.holdings FOLDER`).
"""

import re
from collections.abc import Sequence
from math import log1p
from typing import NamedTuple

from leadline.core.page import Page
from leadline.core.url import Url, path_of, site_of
from leadline.page.words import split_words

_MOST_LINKS, _MOST_LEAVES = 300, 1_500
"""Looked at: a page's first ones tell what the others are."""
_LONG_LEAF, _LONG_SLUG = 25, 4
"""In words: a sentence or two of running text, the address made of a headline."""
_SHORT_LEAF_CHARS = 40
_RECORD_TYPES = frozenset(
    "Product ProductGroup Offer AggregateOffer OfferCatalog Book JobPosting Event MusicEvent "
    "Vehicle Car Dataset DataCatalog LocalBusiness Store Hotel LodgingBusiness Restaurant Recipe "
    "Movie TVSeries MusicAlbum MusicRecording Apartment House Residence Accommodation "
    "RealEstateListing Place Course Museum Library SoftwareApplication VideoGame ScholarlyArticle "
    "Legislation Flight Trip ItemList og:product og:book og:video.movie og:music.album "
    "og:product.group og:place".split()
)
_ARTICLE_TYPES = frozenset(
    "Article BlogPosting NewsArticle Blog TechArticle Report ReportageNewsArticle "
    "OpinionNewsArticle LiveBlogPosting DiscussionForumPosting NewsMediaOrganization QAPage "
    "FAQPage og:article og:blog".split()
)
_CATALOGUE_WORDS = frozenset(
    # English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Swedish, Danish,
    # Turkish, Russian; of scripts without blanks whole labels.
    "catalog catalogue catalogues collection collections database databases records holdings "
    "listings inventory archives registry directory results items products cart basket katalog "
    "sammlung sammlungen datenbank datenbanken bestand warenkorb verzeichnis treffer produkte "
    "base données panier produits annuaire résultats catálogo colección colecciones "
    "registros resultados productos carrito inventario catalogo collezione collezioni risultati "
    "prodotti carrello elenco coleção coleções produtos carrinho collectie collecties winkelwagen "
    "producten zoekresultaten kolekcja kolekcje baza rejestr wyniki produkty koszyk wykaz "
    "databáze sbírka sbírky rejstřík výsledky košík samling samlingar databas register resultat "
    "varukorg produkter kurv indkøbskurv koleksiyon veritabanı kayıt kayıtlar sonuçlar ürünler "  # noqa: RUF001
    "sepet каталог коллекция коллекции база реестр записи результаты товары корзина "
    "カタログ 商品 一覧 検索結果 件 目录 商品 结果".split()
)
_ARTICLE_WORDS = frozenset(
    "blog blogs news posted post posts comments comment reply article articles editorial opinion "
    "author authors read newsletter stories story magazin nachrichten beitrag beiträge artikel "
    "kommentare weiterlesen autor actualités nouvelles commentaires lire publié auteur entrada "
    "entradas noticias comentarios leer publicado articoli notizie commenti leggi pubblicato "
    "autore notícias comentários postado leia nieuws reacties bericht berichten aktualności wpis "
    "wpisy komentarze czytaj články aktuality komentáře číst nyheter kommentarer inlägg nyheder "
    "indlæg haberler yorum yorumlar yazı yazılar devamını новости статьи статья комментарии блог "  # noqa: RUF001
    "читать автор ニュース ブログ 記事 新闻 博客 文章 评论".split()
)
_NAMED_WORDS = _CATALOGUE_WORDS | _ARTICLE_WORDS
_is_price = re.compile(
    r"(?:[$€£¥₹₽]|\b(?:USD|EUR|GBP|CHF|PLN|Rs)\.?)\s?\d"
    r"|\d\s?(?:€|£|₽|¥|zł|Kč|руб|円|元|kr\b|EUR\b|USD\b|CHF\b)"  # noqa: RUF001
).search
_ASCII_CURRENCIES = ("$", "USD", "EUR", "GBP", "CHF", "PLN", "Rs", "kr")
_CURRENCIES = (*_ASCII_CURRENCIES, "€", "£", "¥", "₹", "₽", "zł", "Kč", "руб", "円", "元")  # noqa: RUF001
"""One of them stands in every price."""
_is_dated = re.compile(r"/(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-]|$)").search

_LONG_TEXTS = "long texts"

WEIGHTS = {
    "declares records": 1.418,
    "declares articles": -0.577,
    "article elements": -0.224,
    "time elements": -0.294,
    "a feed": -0.2,
    "an author": -0.198,
    "a generator": -0.877,
    "prices": 0.493,
    "dated links": -1.69,
    "headlines as addresses": -1.217,
    _LONG_TEXTS: -0.738,
    "words of catalogues": 0.295,
    "words of articles": -0.332,
}
INTERCEPT = 1.035
"""Both as the command prints them; at 0 the collections' mean pages have even odds."""
_ENOUGH = 0.45
"""What has to speak for records before it counts. Of the real boxes without words of a topic, by
collection, .67 and .62 of those over a database have it, and .12 and .07 of those over articles; of
17 on pages that say nothing at all 9 are over a database. Between this and where articles are
likelier, a page cannot tell."""
_MOST = 2.0
"""Of either kind: evidence of one page is never surer than seven to one."""

SIGNS = {
    "declares records": 1,
    "declares articles": -1,
    "article elements": -1,
    "time elements": -1,
    "a feed": -1,
    "an author": -1,
    "a generator": -1,
    "prices": 1,
    "dated links": -1,
    "headlines as addresses": -1,
    _LONG_TEXTS: -1,
    "words of catalogues": 1,
    "words of articles": -1,
}
"""What each may speak for. A fit on some hundred forms may not turn it round."""


class _HeldTexts(NamedTuple):
    """Of a page, apart by length."""

    short: list[str]
    long: list[str]
    plain: str
    """Short ones in ASCII, which are split six times as quickly as others."""
    other: str


def describe_holdings(page: Page) -> dict[str, float]:
    """What a page says of what its site holds, each between 0 and about 5."""
    texts = _read_texts(page)
    return {**_describe_most(page, texts), _LONG_TEXTS: _measure_long_texts(texts)}


def _read_texts(page: Page) -> _HeldTexts:
    leaves = list(filter(None, page.leaves[:_MOST_LEAVES]))
    short = [leaf for leaf in leaves if len(leaf) <= _SHORT_LEAF_CHARS]
    long = [leaf for leaf in leaves if len(leaf) > _SHORT_LEAF_CHARS]
    plain, other = " ".join(short), ""
    if not plain.isascii():
        plain = " ".join([leaf for leaf in short if leaf.isascii()])
        other = " ".join([leaf for leaf in short if not leaf.isascii()])
    return _HeldTexts(short, long, plain, other)


def _describe_most(page: Page, texts: _HeldTexts) -> dict[str, float]:
    """All but the share of long texts."""
    marks, site = page.marks, site_of(page.url)
    own = (f"http://{site}/", f"https://{site}/")
    targets = [link.target for link in page.links[:_MOST_LINKS]]
    targets = [target for target in targets if target.startswith(own)]
    words = split_words(texts.plain)
    if texts.other:
        words += split_words(texts.other)
    named = list(filter(_NAMED_WORDS.__contains__, words))
    of_catalogues = sum([word in _CATALOGUE_WORDS for word in named])
    has_currency = _has_currency(texts.plain, texts.other)
    return {
        "declares records": float(not _RECORD_TYPES.isdisjoint(marks.types)),
        "declares articles": float(not _ARTICLE_TYPES.isdisjoint(marks.types)),
        "article elements": log1p(marks.articles),
        "time elements": log1p(marks.times),
        "a feed": float(marks.has_feed),
        "an author": float(marks.names_author),
        "a generator": float(marks.names_generator),
        "prices": log1p(_count_prices(texts.short) if has_currency else 0),
        "dated links": _share(_count_dated(targets), targets),
        "headlines as addresses": _share(_count_headlines(targets), targets),
        "words of catalogues": log1p(of_catalogues),
        "words of articles": log1p(len(named) - of_catalogues),
    }


def _measure_long_texts(texts: _HeldTexts) -> float:
    """The share of a page's words that stand in long texts, in words as blanks tell; a short leaf
    has too few of them to be a long text."""
    sizes = [leaf.count(" ") + 1 for leaf in texts.long]
    size = sum(sizes) + sum([text.count(" ") + 1 for text in (texts.plain, texts.other) if text])
    return sum([count for count in sizes if count >= _LONG_LEAF]) / max(1, size)


def _share(count: int, whole: Sequence[object]) -> float:
    return count / max(1, len(whole))


# Pages of every crawl pass here: each of these first looks at what costs least.


def _has_currency(plain: str, other: str) -> bool:
    """Whether any price can stand in a text in ASCII or in another: most pages show none, and
    looking for so many words in a page takes a twentieth of matching the pattern to every text."""
    is_plain = any(currency in plain for currency in _ASCII_CURRENCIES)
    return is_plain or (bool(other) and any(currency in other for currency in _CURRENCIES))


def _count_prices(leaves: Sequence[str]) -> int:
    return sum([_is_price(leaf) is not None for leaf in leaves])


def _count_dated(targets: Sequence[Url]) -> int:
    whole = " ".join(targets)
    if "/19" not in whole and "/20" not in whole:
        return 0
    likely = [target for target in targets if "/19" in target or "/20" in target]
    return sum([_is_dated(path_of(target)) is not None for target in likely])


def _count_headlines(targets: Sequence[Url]) -> int:
    likely = [one for one in targets if one.count("-") + one.count("_") >= _LONG_SLUG]
    last = [one.partition("?")[0].rstrip("/").rpartition("/")[2] for one in map(path_of, likely)]
    return sum([one.count("-") + one.count("_") >= _LONG_SLUG for one in last])


def weigh_holdings(page: Page) -> float:
    """Log-odds that a search box on the page searches records, from even odds; 0 where the page
    cannot tell."""
    texts = _read_texts(page)
    found = _describe_most(page, texts)
    parts = [WEIGHTS[name] * share for name, share in found.items()]
    odds = INTERCEPT + sum(parts)
    # That a page has no mark of articles is no sign of records.
    records = sum([part for part in parts if part > 0])
    least = odds + WEIGHTS[_LONG_TEXTS]
    # Long texts speak against records, by no more than this: where that would change nothing, as
    # on most pages, they are not counted.
    if least < 0 or (least < records and records >= _ENOUGH):
        odds += WEIGHTS[_LONG_TEXTS] * _measure_long_texts(texts)
    records = min(odds, records)
    if records >= _ENOUGH:
        return min(_MOST, records)
    return max(-_MOST, min(0.0, odds))
