"""A bookshop, a library, a wiki and classified ads, by software that others wrote, about a topic.

Filled with well-known books and films and with made-up ads for cars; which door is the right one is
known from the software. For `test_topical.py`, and for a look at what a crawl accepts.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from tests.software.application import find_python, insert, installed
from tests.software.serving import free_port, serving

BOOKS = (
    "Moby-Dick|Herman Melville|Novel", "Middlemarch|George Eliot|Novel",
    "Emma|Jane Austen|Novel", "Dracula|Bram Stoker|Horror", "Walden|Henry David Thoreau|Essays",
    "The Time Machine|H. G. Wells|Science fiction", "Frankenstein|Mary Shelley|Horror",
    "Jane Eyre|Charlotte Brontë|Novel", "Treasure Island|Robert Louis Stevenson|Adventure",
    "Leaves of Grass|Walt Whitman|Poetry", "The Moonstone|Wilkie Collins|Mystery",
    "Wuthering Heights|Emily Brontë|Novel", "Dubliners|James Joyce|Stories",
    "The Jungle Book|Rudyard Kipling|Stories", "Evelina|Fanny Burney|Novel",
    "Bleak House|Charles Dickens|Novel", "Candide|Voltaire|Satire", "Faust|Goethe|Drama",
    "The Odyssey|Homer|Poetry", "Don Quixote|Miguel de Cervantes|Novel",
    "War and Peace|Leo Tolstoy|Novel", "The Trial|Franz Kafka|Novel",
    "Madame Bovary|Gustave Flaubert|Novel", "Germinal|Émile Zola|Novel",
)  # fmt: skip
FILMS = (
    "Casablanca|Michael Curtiz|1942", "Metropolis|Fritz Lang|1927", "Vertigo|Alfred Hitchcock|1958",
    "Rashomon|Akira Kurosawa|1950", "Citizen Kane|Orson Welles|1941",
    "The Kid|Charlie Chaplin|1921",
    "Nosferatu|F. W. Murnau|1922", "M|Fritz Lang|1931", "Psycho|Alfred Hitchcock|1960",
    "City Lights|Charlie Chaplin|1931", "The General|Buster Keaton|1926",
    "La Strada|Federico Fellini|1954", "Ikiru|Akira Kurosawa|1952", "Sunrise|F. W. Murnau|1927",
    "Notorious|Alfred Hitchcock|1946", "Laura|Otto Preminger|1944",
)  # fmt: skip
CARS = tuple(
    f"{make}|{year}|{fuel}|{1000 * (year - 1990)}"
    for make in ("Volkswagen Golf", "Toyota Corolla", "Ford Focus", "Opel Astra", "Honda Civic")
    for year, fuel in ((2008, "petrol"), (2013, "diesel"), (2019, "hybrid"))
)


_COMMON = """
SECRET_KEY = NEVERCACHE_KEY = "known to everyone"
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "site.db"}}
ALLOWED_HOSTS = ["127.0.0.1"]
SITE_ID = 1
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
"""
_SHOP_SETTINGS = """
import locale
from mezzanine.utils.conf import set_dynamic_settings
# Prices need a locale with money, which not every machine has.
SHOP_CURRENCY_LOCALE = "C.UTF-8"
known = locale.localeconv
locale.localeconv = lambda: known() | {"frac_digits": 2, "int_frac_digits": 2}
SEARCH_MODEL_CHOICES = ("shop.Product", "pages.Page")
SITE_TITLE = "Old Books"
SITE_TAGLINE = "novels, poetry and stories"
USE_MODELTRANSLATION = False
ROOT_URLCONF = "shop_urls"
AUTHENTICATION_BACKENDS = ["mezzanine.core.auth_backends.MezzanineBackend"]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "APP_DIRS": True,
    "OPTIONS": {
        "context_processors": [
            "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
            "django.template.context_processors.request",
            "django.template.context_processors.static",
            "mezzanine.conf.context_processors.settings",
            "mezzanine.pages.context_processors.page",
        ],
        "builtins": ["mezzanine.template.loader_tags"],
    },
}]
INSTALLED_APPS = [
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
    "django.contrib.redirects", "django.contrib.sessions", "django.contrib.sites",
    "django.contrib.sitemaps", "django.contrib.messages", "django.contrib.staticfiles",
    "mezzanine.boot", "mezzanine.conf", "mezzanine.core", "mezzanine.generic", "mezzanine.pages",
    "cartridge.shop",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "cartridge.shop.middleware.ShopMiddleware",
    "mezzanine.core.request.CurrentRequestMiddleware",
    "mezzanine.pages.middleware.PageMiddleware",
]
PACKAGE_NAME_FILEBROWSER = "filebrowser_safe"
PACKAGE_NAME_GRAPPELLI = "grappelli_safe"
OPTIONAL_APPS = [PACKAGE_NAME_FILEBROWSER, PACKAGE_NAME_GRAPPELLI]
set_dynamic_settings(globals())
"""
_SHOP_URLS = """
from django.contrib import admin
from django.urls import include, path
from mezzanine.pages.views import page
admin.autodiscover()
urlpatterns = [
    path("admin/", include(admin.site.urls)),
    path("shop/", include("cartridge.shop.urls")),
    path("", page, {"slug": "/"}, name="home"),
    path("", include("mezzanine.urls")),
]
"""
_RUN_SHOP = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
import django
from django.core.management import call_command
django.setup()
call_command("migrate", verbosity=0)
from cartridge.shop.models import Category, Product
home = Category.objects.create(
    title="Old books", slug="/", content="<p>Novels, poetry and stories by known authors.</p>"
)
genres = {}
for number, row in enumerate(json.load(open("rows.json"))):
    title, author, genre = row.split("|")
    if genre not in genres:
        genres[genre] = Category.objects.create(title=genre)
    book = Product.objects.create(
        title=f"{title}, by {author}", sku=str(number), available=True, unit_price=9,
        content=f"<p>{genre} by the author {author}. Paperback book, in English.</p>",
    )
    book.variations.create(sku=str(number), unit_price=9, default=True, num_in_stock=5)
    book.categories.add(home, genres[genre])
call_command("runserver", sys.argv[1], use_reloader=False)
"""
_SETTINGS = """
MEDIA_ROOT = "media"
LOGIN_URL = "/login/"
ROOT_URLCONF = "wiki_urls"
MIDDLEWARE = [
    "run_sites.choose_site",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.request",
        "django.contrib.auth.context_processors.auth",
        "django.contrib.messages.context_processors.messages",
        "django_classified.context_processors.common_values",
        "sekizai.context_processors.sekizai",
    ]},
}]
DCF_SITE_NAME = "Used cars"
DCF_SITE_DESCRIPTION = "Cars for sale"
INSTALLED_APPS = [
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
    "django.contrib.sessions", "django.contrib.messages", "django.contrib.sites",
    "django.contrib.staticfiles", "django.contrib.flatpages", "django.contrib.sitemaps",
    "django.contrib.humanize", "sorl.thumbnail", "django_classified",
    "django_nyt.apps.DjangoNytConfig", "mptt", "sekizai", "wiki.apps.WikiConfig",
]


class Unmigrated:
    def __contains__(self, name):
        return True

    def __getitem__(self, name):
        return None


MIGRATION_MODULES = Unmigrated()
"""
_URLS = {
    "classifieds": """
from django.http import HttpResponse
from django.urls import include, path


def log_in(request):
    form = "<form method=post><input name=username><input name=password type=password>"
    return HttpResponse(form + "<button>Log in</button></form>")


urlpatterns = [
    path("login/", log_in, name="login"),
    path("", include("django_classified.urls", namespace="django_classified")),
]
""",
    "wiki": """
from django.urls import include, path
urlpatterns = [path("", include("wiki.urls"))]
""",
}
_RUN = r"""
import json, os, threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
import django


def choose_site(get_response):
    def answer(request):
        request.urlconf = request.META["urls"]
        return get_response(request)
    return answer


def fill(rows):
    from django.contrib.auth import get_user_model
    from django.contrib.sites.models import Site
    Site.objects.get_or_create(id=1, defaults={"domain": "127.0.0.1", "name": "site"})
    user = get_user_model().objects.create(username="dealer", email="dealer@example.org")
    fill_classifieds([row.split("|") for row in rows["classifieds"]], user)
    fill_wiki([row.split("|") for row in rows["wiki"]])


def fill_classifieds(rows, user):
    from django_classified.models import Area, Group, Item, Section
    area = Area.objects.create(slug="berlin", title="Berlin")
    section = Section.objects.create(title="Cars")
    for make, year, fuel, price in rows:
        brand = make.split()[0]
        group, _ = Group.objects.get_or_create(title=f"{brand} cars", section=section)
        Item.objects.create(
            user=user, group=group, area=area, title=f"{make}, {year}, {fuel}", price=price,
            description=f"Used car from a dealer: {make}, model year {year}, {fuel} engine, manual "
            "gearbox, low mileage, new tyres, one owner.",
        )


def fill_wiki(rows):
    from django.utils.text import slugify
    from wiki.models import URLPath
    links = "".join(f"- [{title}](/{slugify(title)}/)\n" for title, _, _ in rows)
    home = "Movies, their directors, actors and years.\n\n" + links
    root = URLPath.create_root(title="Films", content=home)
    for title, director, year in rows:
        text = (
            f"{title} is a movie directed by {director}, released in {year}. The film stars famous "
            "actors; its screenplay, cast and cinematography are described here."
        )
        URLPath.create_urlpath(root, slugify(title), title=title, content=text)


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main():
    from django.core.handlers.wsgi import WSGIHandler
    from django.core.management import call_command
    django.setup()
    call_command("migrate", run_syncdb=True, verbosity=0)
    given = json.load(open("site.json"))
    fill(given["rows"])
    answer = WSGIHandler()
    for name, port in given["ports"].items():
        server = Server(("127.0.0.1", port), Quiet)
        own = {"urls": f"{name}_urls"}
        server.set_app(lambda environ, start, own=own: answer(environ | own, start))
        threading.Thread(target=server.serve_forever).start()


if __name__ == "__main__":
    main()
"""
_CATALOGUE = """
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT, genre TEXT);
"""


class TopicalSite(Struct, frozen=True):
    """One that runs."""

    url: str
    topic: str
    """A shipped one, which its records are about."""
    right: frozenset[str]
    """Paths of its searches over the records."""


@contextmanager
def bookshop(folder: Path) -> Iterator[TopicalSite]:
    """Cartridge, a shop on Mezzanine; one box with a list of what to search on every page."""
    python, port = find_python("cartridge"), free_port()
    files = {
        "settings.py": _COMMON + _SHOP_SETTINGS,
        "shop_urls.py": _SHOP_URLS,
        "rows.json": json.dumps(BOOKS),
        "run_shop.py": _RUN_SHOP,
    }
    write(folder, files)
    address = f"127.0.0.1:{port}"
    with serving([python, "run_shop.py", address], folder, port, {}) as served:
        yield TopicalSite(served.url, "book", frozenset({"/search/"}))


@contextmanager
def classifieds_and_wiki(folder: Path) -> Iterator[tuple[TopicalSite, TopicalSite]]:
    """Django Classified, with an area to set and a search with several fields; django-wiki, with
    one box on every page.

    Two sites of one process with one database: most of what each takes to start is Django.
    """
    python = find_python("django_classified")
    ports = {"classifieds": free_port(), "wiki": free_port()}
    rows = {"classifieds": CARS, "wiki": FILMS}
    files = {
        "settings.py": _COMMON + _SETTINGS,
        **{f"{name}_urls.py": urls for name, urls in _URLS.items()},
        "site.json": json.dumps({"ports": ports, "rows": rows}),
        "run_sites.py": _RUN,
    }
    write(folder, files)
    # The last port to open tells that both are open.
    with serving([python, "run_sites.py"], folder, ports["wiki"], {}):
        ads, films = (f"http://127.0.0.1:{port}" for port in ports.values())
        yield (
            TopicalSite(ads, "auto", frozenset({"/search/"})),
            TopicalSite(films, "movie", frozenset({"/_search/"})),
        )


def write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


@contextmanager
def library(folder: Path) -> Iterator[TopicalSite]:
    """A library's catalogue in Datasette: filters, and a box for SQL."""
    program, port = installed("datasette"), free_port()
    database = folder / "library.db"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(_CATALOGUE)
    rows = [row.split("|") for row in BOOKS]
    books = [{"title": one, "author": two, "genre": three} for one, two, three in rows]
    insert(database, "books", books)
    command = [program, "serve", "--host", "127.0.0.1", "--port", str(port), database]
    with serving(command, folder, port, {}) as served:
        yield TopicalSite(served.url, "book", frozenset({"/library/books"}))
