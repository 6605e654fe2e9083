"""What a page marks as advertisements: by labels, by headings of blocks, by addresses that count
clicks on them. Laws of many countries demand the marks; no list of advertisers is kept."""

import re

from leadline.core.url import Url
from leadline.page.outline import TEXT, Outline

_is_ad_address = re.compile(
    r"^https?://(?:[^/?]*\.)?(?:ads?|adclick|adserver|doubleclick|googleadservices)[.-]"
    r"|^[^?]*/(?:acl(?:ic)?k|adclick|adredir|ad_click|sponsored-click)\b|[?&]adurl=",
    re.IGNORECASE,
).search
_LABELS = frozenset(
    "ad|ads|advert|advertisement|sponsored|promoted|anzeige|gesponsert|werbung|annonce|sponsorisé|"
    "publicité|anuncio|patrocinado|publicidad|advertentie|gesponsord|annuncio|sponsorizzato|"
    "anúncio|реклама|reklama|reklam|annons|广告|廣告|広告|광고".split("|")
)
_is_heading = re.compile(
    r"(?:sponsor(?:ed)?|paid|promoted)\s?(?:results?|links?|listings?|sites?|match(?:es)?|ads?)"
    r"|(?:ads?|advertisements?)(?: (?:by|from|for|related)\b.*)?|advertising"
    r"|anzeigen?|gesponserte (?:links?|ergebnisse)|annonces?(?: (?:commerciales|google))?"
    r"|liens (?:commerciaux|sponsorisés)|(?:enlaces|resultados|links|vínculos) patrocinados"
    r"|anuncios(?: .*)?|annunci(?: .*)?|(?:link|risultati) sponsorizzati|gesponsorde \w+"
    r"|sponsrade \w+|annonser|linki sponsorowane|спонсорские \w+|рекламные \w+"
    r"|スポンサー(?:リンク|サーチ)?|推广(?:链接)?|贊助商?(?:連結|網站)?|스폰서 ?링크|파워링크"
).fullmatch
_has_stem = re.compile(
    r"sponsor|^ads? |advertis|anzeige|annonce|annonser|anunci|annunci|patrocinad|paid |promoted |"
    r"commerciaux|sponsrade|спонсор|реклам|スポンサー|推广|贊助|스폰서|파워링크"
).search
_aside = re.compile(r"\s*[(\[].*$")
_MAX_LABEL_CHARS = 40
_MAX_SCOPE = 0.5
"""Of a page's rows: a heading whose scope is larger stands over a banner alone."""
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})


def is_advertisement_address(url: Url) -> bool:
    return bool(_is_ad_address(url))


def is_advertisement_label(text: str) -> bool:
    """Whether a text is the mark of one advertisement and nothing else.

    >>> is_advertisement_label("Ad ·"), is_advertisement_label("Ad hoc")
    (True, False)
    """
    return len(text) < _MAX_LABEL_CHARS and text.casefold().strip(" ·:()[]") in _LABELS


def is_advertisement_heading(text: str) -> bool:
    """Whether a text names what follows as advertisements.

    >>> is_advertisement_heading("SPONSOR RESULTS"), is_advertisement_heading("Results")
    (True, False)
    """
    if len(text) > _MAX_LABEL_CHARS:
        return False
    plain = text.casefold().strip(" ·:()[]-")
    # Most texts are neither: one search settles them.
    return plain in _LABELS or bool(_has_stem(plain) and _is_heading(_aside.sub("", plain).strip()))


def find_advertised(outline: Outline) -> bytearray:
    """Rows that stand under a heading of advertisements: what follows it in the smallest element
    that holds more than the heading, up to the next heading."""
    advertised = bytearray(len(outline))
    ends, parents, tags = outline.ends, outline.parents, outline.tags
    for row, tag in enumerate(tags):
        if tag != TEXT or not is_advertisement_heading(outline.texts[row]):
            continue
        at = row
        while parents[at] > 0 and not _holds_text(outline, parents[at], at):
            at = parents[at]
        above = parents[at]
        if above < 0:
            continue
        first, end = ends[at], ends[above]
        following = (r for r in range(first, end) if tags[r] in _HEADINGS and parents[r] == above)
        end = next(following, end)
        if end - first <= _MAX_SCOPE * len(outline):
            advertised[first:end] = b"\1" * (end - first)
    return advertised


def _holds_text(outline: Outline, row: int, inner: int) -> bool:
    """Whether an element shows something beside one that it holds."""
    before, after = outline.texts[row:inner], outline.texts[outline.ends[inner] : outline.ends[row]]
    return any(before) or any(after)
