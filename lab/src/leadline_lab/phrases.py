"""Short phrases of sites: what menus, buttons and addresses say."""

from functools import lru_cache

from leadline_lab.draw import Draw
from leadline_lab.statistics import load
from leadline_lab.urn import Urn

_HAND_WEIGHT = 2
"""Of a phrase written by hand: less than one met on the three sites that make a real one count."""
_WRITTEN: dict[str, dict[str, str]] = {
    "de": {
        "navigation": "Startseite,Über uns,Kontakt,Produkte,Aktuelles,Hilfe,Übersicht,Service",
        "generic": "mehr,weiter,hier,weiterlesen,Details,alle anzeigen,zurück,hier klicken",
        "search": "Suche,Erweiterte Suche,Suchen,Detailsuche,Finden",
        "account": "Anmelden,Registrieren,Mein Konto,Warenkorb,Passwort vergessen?",
        "legal": "Impressum,Datenschutz,AGB,Nutzungsbedingungen",
    },
    "es": {
        "navigation": "Inicio,Quiénes somos,Contacto,Productos,Noticias,Ayuda,Servicios,Empresa",
        "generic": "más,leer más,aquí,siguiente,ver más,ver todo,haga clic aquí,anterior",
        "search": "Buscar,Búsqueda avanzada,Buscador,Encontrar",
        "account": "Entrar,Registrarse,Mi cuenta,Carrito,¿Olvidó su contraseña?",
        "legal": "Aviso legal,Privacidad,Condiciones de uso,Cookies",
    },
    "fr": {
        "navigation": "Accueil,Qui sommes-nous,Contact,Produits,Actualités,Aide,Services",
        "generic": "plus,lire la suite,ici,suivant,voir tout,en savoir plus,cliquez ici,retour",
        "search": "Recherche,Recherche avancée,Rechercher,Trouver",
        "account": "Connexion,Inscription,Mon compte,Panier,Mot de passe oublié ?",
        "legal": "Mentions légales,Confidentialité,Conditions générales,Cookies",
    },
    "it": {
        "navigation": "Home,Chi siamo,Contatti,Prodotti,Notizie,Aiuto,Servizi,Azienda",
        "generic": "altro,leggi tutto,qui,avanti,vedi tutti,clicca qui,indietro",
        "search": "Cerca,Ricerca avanzata,Ricerca,Trova",
        "account": "Accedi,Registrati,Il mio account,Carrello",
        "legal": "Note legali,Privacy,Condizioni d'uso,Cookie",
    },
    "nl": {
        "navigation": "Home,Over ons,Contact,Producten,Nieuws,Hulp,Diensten,Bedrijf",
        "generic": "meer,lees meer,hier,volgende,bekijk alles,klik hier,terug",
        "search": "Zoeken,Uitgebreid zoeken,Zoek,Vinden",
        "account": "Inloggen,Registreren,Mijn account,Winkelwagen",
        "legal": "Disclaimer,Privacy,Algemene voorwaarden,Cookies",
    },
    "pt": {
        "navigation": "Início,Quem somos,Contato,Produtos,Notícias,Ajuda,Serviços,Empresa",
        "generic": "mais,leia mais,aqui,próximo,ver todos,clique aqui,voltar",
        "search": "Pesquisar,Busca avançada,Buscar,Encontrar",
        "account": "Entrar,Cadastre-se,Minha conta,Carrinho",
        "legal": "Aviso legal,Privacidade,Termos de uso,Cookies",
    },
    "ru": {
        "navigation": "Главная,Каталог,Контакты,Товары,Новости,Помощь,Услуги,Магазины",
        "generic": "ещё,читать далее,здесь,далее,все,подробнее,назад",
        "search": "Поиск,Расширенный поиск,Найти",
        "account": "Вход,Регистрация,Мой кабинет,Корзина",
        "legal": "Правила,Конфиденциальность,Условия использования",
    },
}
"""By hand, for languages with few real sites."""

_PAGE_ENDINGS = frozenset("asp aspx cfm cgi do html htm jsp php pl shtml".split())
"""Of the endings met, those of pages; the others are of images and documents."""


@lru_cache(maxsize=64)
def phrases(kind: str, language: str) -> dict[str, int]:
    """Phrases of a kind with their weights; English where the language is not known."""
    real = load("anchors")["phrases"]
    if language not in _WRITTEN:
        language = "en"
    counted: dict[str, int] = dict(real.get(language, {}).get(kind, {}))
    for phrase in filter(None, _WRITTEN.get(language, {}).get(kind, "").split(",")):
        counted.setdefault(phrase, _HAND_WEIGHT)
    return counted


@lru_cache(maxsize=64)
def _urn(kind: str, language: str) -> Urn:
    return Urn(phrases(kind, language))


def navigation(language: str) -> tuple[str, ...]:
    """What menus say on many sites, the commonest first."""
    return tuple(phrases("navigation", language))


def legal(language: str) -> tuple[str, ...]:
    """What footers say on many sites, the commonest first."""
    return tuple(phrases("legal", language))


def generic_anchor(draw: Draw, language: str) -> str:
    """Says nothing about where the link leads."""
    return _urn("generic", language).pick(draw)


def search_anchor(draw: Draw, language: str) -> str:
    return _urn("search", language).pick(draw)


def account_anchor(draw: Draw, language: str) -> str:
    return _urn("account", language).pick(draw)


@lru_cache(maxsize=8)
def _url_urn(part: str) -> Urn:
    return Urn(load("urls")[part])


def path_word(draw: Draw) -> str:
    """A word met in paths of several sites."""
    return _url_urn("path_words").pick(draw)


def extension(draw: Draw) -> str:
    """How a path ends: `.html`, `/`, or '' for nothing."""
    return _endings().pick(draw)


@lru_cache(maxsize=1)
def _endings() -> Urn:
    counted = load("urls")["extensions"]
    dotted = {"." + name: n for name, n in counted.items() if name in _PAGE_ENDINGS}
    return Urn({"": counted[""], "/": counted["/"], **dotted})


def parameter(draw: Draw) -> str:
    """A name met in queries of several sites."""
    return _url_urn("parameters").pick(draw)
