"""Anchor texts: what links of real pages say, by kind and language."""

import re
from pathlib import Path
from typing import Any

from leadline.page.words import text_at_offset
from tools.lab_statistics import sources
from tools.lab_statistics.modern import Modern
from tools.lab_statistics.spread import Spread, per_mille, quantiles

_MAX_WORDS = 4
_MAX_CHARS = 40
_MOST = 400
_brands = re.compile(r"facebook|google|twitter|youtube|linkedin|yahoo|amazon", re.I).search

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for kind, words in (
        (
            "legal",
            "privacy|terms|legal|copyright|cookies?|disclaimer|imprint|impressum|datenschutz|agb"
            "|mentions|conditions|confidentialité|cgv|privacidad|aviso|правила|конфиденциальности",
        ),
        (
            "account",
            "log ?in|log ?out|sign ?(?:in|up|out)|register|registration|account|cart|basket"
            "|checkout|wish ?list|password|anmelden|registrieren|warenkorb|konto|connexion"
            "|inscription|panier|compte|inscrire|connecter|войти|вход|регистрация|корзина|entrar|registrarse"
            "|carrito|cuenta|accedi|registrati|carrello",
        ),
        (
            "search",
            "search|find|finder|browse|advanced|lookup|suche|suchen|erweiterte|recherche|rechercher"
            "|buscar|búsqueda|поиск|найти|cerca|ricerca",
        ),
        (
            "generic",
            "more|here|next|previous|prev|last|first|back|top|view|details?|see|show|read|click|go"
            "|continue|all|up|mehr|weiter|zurück|alle|hier|plus|suite|suivant|précédent|voir|ici|más"
            "|siguiente|anterior|ver|ещё|еще|далее|подробнее|все|назад|altro|avanti|leggi",
        ),
        (
            "navigation",
            "home|about|contact|help|faq|news|blog|sitemap|site map|support|services?|products?"
            "|forums?|careers|jobs|advertise|press|events|feedback|partners|company|store|shop|rss|links"
            "|gallery|community|downloads?|startseite|über|kontakt|hilfe|accueil|propos|aide"
            "|contacto|inicio|nosotros|ayuda|главная|контакты|новости|помощь|контакт"
            "|chi siamo|contatti",
        ),
    )
)
"""Tried in this order; what fits none is no phrase of navigation."""


def kind_of(text: str) -> str:
    """Which part a short anchor plays, '' for one that names its target."""
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), "")


def count_anchors(folder: Path) -> dict[str, Any]:
    by_language: dict[str, Spread] = {}
    lengths: list[int] = []
    links = silent = generic = 0
    for real in Modern(folder):
        spread = by_language.setdefault(sources.spoken(real.page) or "en", Spread())
        texts = [" ".join(link.anchor.split()) for link in real.page.links]
        spread.add(real.owner, (text for text in texts if _is_phrase(text)))
        lengths += [len(text.split()) for text in texts if text]
        links += len(texts)
        silent += sum(not text_at_offset(real.page, link, 0) for link in real.page.links)
        generic += sum(kind_of(text) == "generic" for text in texts if _is_phrase(text))
    return {
        "links": links,
        "without_text_per_mille": per_mille(silent, links),
        "generic_per_mille": per_mille(generic, links),
        "words_per_anchor": quantiles(lengths),
        "phrases": {language: _sorted_out(spread) for language, spread in _enough(by_language)},
    }


def _enough(spreads: dict[str, Spread]) -> list[tuple[str, Spread]]:
    return [(name, spreads[name]) for name in ("de", "en", "es", "fr", "ru") if name in spreads]


def _sorted_out(spread: Spread) -> dict[str, dict[str, int]]:
    kinds: dict[str, dict[str, int]] = {kind: {} for kind, _ in _KINDS}
    for text, count in spread.met_by(3, 4_000).items():
        kind = kind_of(text)
        if kind and len(kinds[kind]) < _MOST:
            kinds[kind][text] = count
    return {kind: kinds[kind] for kind in sorted(kinds)}


def _is_phrase(text: str) -> bool:
    """Short, and free of numbers and addresses."""
    if not 2 <= len(text) <= _MAX_CHARS or len(text.split()) > _MAX_WORDS:
        return False
    is_plain = not any(c.isdigit() or c in "@/\\{}<>[]|" for c in text)
    return is_plain and not _brands(text)
