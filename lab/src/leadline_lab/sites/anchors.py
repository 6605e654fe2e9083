"""What links say: the truth, nothing, or something else."""

from leadline_lab.draw import Draw
from leadline_lab.markup.model import Anchor
from leadline_lab.phrases import generic_anchor, search_anchor
from leadline_lab.profile import Profile
from leadline_lab.schema import Schema, said
from leadline_lab.sites.naming import title

_GATE = {
    "en": ("{many}", "Browse {many}", "All {many}", "{many} online", "Our {many}", "{one} services",
           "{one} finder", "Resources", "Services", "Online catalogue"),
    "de": ("{many}", "Alle {many}", "{many} online", "Angebote", "Dienste"),
    "fr": ("{many}", "Tous les {many}", "Nos {many}", "Services", "Ressources"),
    "es": ("{many}", "Todos los {many}", "Nuestros {many}", "Servicios", "Recursos"),
}  # fmt: skip
_SEARCH = {
    "en": ("Search {many}", "Find a {one}", "{one} search", "Advanced search", "{one} database",
           "Search our {many}", "Search", "More search options"),
    "de": ("{many} suchen", "Suche", "Erweiterte Suche", "{one} finden"),
    "fr": ("Recherche", "Recherche avancée", "Trouver {one}", "Chercher {many}"),
    "es": ("Buscar {many}", "Búsqueda avanzada", "Buscar", "Encontrar {one}"),
}  # fmt: skip
_NAMES: dict[str, dict[str, str]] = {
    "en": {
        "home": "Home", "about": "About us", "contact": "Contact", "login": "Log in",
        "register": "Register", "help": "Help", "terms": "Terms of use", "privacy": "Privacy",
        "sitemap": "Site map", "cart": "Your basket", "faq": "FAQ", "press": "Press",
        "partners": "Partners", "next": "Next", "related": "See also",
    },
    "de": {
        "home": "Startseite", "about": "Über uns", "contact": "Kontakt", "login": "Anmelden",
        "register": "Registrieren", "help": "Hilfe", "terms": "AGB", "privacy": "Datenschutz",
        "sitemap": "Übersicht", "cart": "Warenkorb", "faq": "Häufige Fragen", "press": "Presse",
        "partners": "Partner", "next": "Weiter", "related": "Siehe auch",
    },
    "fr": {
        "home": "Accueil", "about": "À propos", "contact": "Contact", "login": "Connexion",
        "register": "Inscription", "help": "Aide", "terms": "Conditions",
        "privacy": "Confidentialité", "sitemap": "Plan du site", "cart": "Panier", "faq": "FAQ",
        "press": "Presse", "partners": "Partenaires", "next": "Suivant", "related": "Voir aussi",
    },
    "es": {
        "home": "Inicio", "about": "Quiénes somos", "contact": "Contacto", "login": "Entrar",
        "register": "Registro", "help": "Ayuda", "terms": "Condiciones", "privacy": "Privacidad",
        "sitemap": "Mapa del sitio", "cart": "Cesta", "faq": "Preguntas", "press": "Prensa",
        "partners": "Socios", "next": "Siguiente", "related": "Ver también",
    },
}  # fmt: skip


def page_name(language: str, name: str) -> str:
    """What a site calls one of its fixed pages."""
    return _NAMES.get(language, _NAMES["en"])[name]


def styled(draw: Draw, profile: Profile, href: str, said: str, wrong: str, language: str) -> Anchor:
    """An anchor that says `said`, nothing, or `wrong`."""
    turn = draw.below(1000)
    if turn < profile.informative:
        return Anchor(href, said)
    if turn >= profile.informative + profile.generic:
        return Anchor(href, wrong)
    if turn & 1 and turn % 3 == 0:
        return Anchor(href, "", image="image" if turn & 2 else "")
    return Anchor(href, generic_anchor(draw, language))


def search_text(draw: Draw, schema: Schema, language: str, level: int) -> str:
    """What a telling link to a search form says, or one `level` pages before it."""
    if level == 0:
        turn = draw.below(10)
        if turn < 4:
            return draw.pick(said(schema.prompts, language))
        if turn < 5:
            return search_anchor(draw, language)
    patterns = (_GATE if level else _SEARCH).get(language) or _SEARCH["en"]
    one = draw.pick(said(schema.one, language))
    many = draw.pick(said(schema.many, language))
    text = draw.pick(patterns).format(one=one, many=many)
    return text[:1].upper() + text[1:]


def wrong_text(draw: Draw, words: tuple[str, ...]) -> str:
    """Something the page behind the link is not about."""
    return title(words, draw.number())
