"""A bookshop, a library, a wiki and classified ads, by software that others wrote, about a topic.

Filled with well-known books and films and with made-up ads for cars; which door is the right one is
known from the software. For `test_topical.py`, and for a look at what a crawl accepts.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from msgspec import Struct

from tests.software.application import find_python, installed, run
from tests.software.serving import Served, free_port, serving
from tests.software.text_servers import serving_wiki

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


class TopicalSite(Struct, frozen=True):
    """One that runs."""

    served: Served
    topic: str
    """A shipped one, which its records are about."""
    right: frozenset[str]
    """Paths of its searches over the records."""


StartSite = Callable[[Path], AbstractContextManager[TopicalSite]]

_DJANGO = """
SECRET_KEY = "known to everyone"
DEBUG = True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "site.db"}}
ALLOWED_HOSTS = ["127.0.0.1"]
SITE_ID = 1
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = "media"
ROOT_URLCONF = "urls"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
MIDDLEWARE = [
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
    ]},
}]
COMMON_APPS = [
    "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
    "django.contrib.sessions", "django.contrib.messages", "django.contrib.sites",
    "django.contrib.staticfiles", "django.contrib.flatpages", "django.contrib.sitemaps",
    "django.contrib.humanize",
]


class Unmigrated:
    def __contains__(self, name):
        return True

    def __getitem__(self, name):
        return None


MIGRATION_MODULES = Unmigrated()
"""
_MANAGE = """
import os, sys
from django.core.management import execute_from_command_line
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
execute_from_command_line(sys.argv)
"""
_OSCAR = """
from oscar.defaults import *
MIDDLEWARE += ["oscar.apps.basket.middleware.BasketMiddleware"]
AUTHENTICATION_BACKENDS = ["oscar.apps.customer.auth_backends.EmailBackend"]
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
OSCAR_SHOP_NAME = "Old Books"
OSCAR_SHOP_TAGLINE = "novels, poetry and stories"
OSCAR_DEFAULT_CURRENCY = "EUR"
TEMPLATES[0]["OPTIONS"]["context_processors"] += [
    "oscar.apps.search.context_processors.search_form",
    "oscar.apps.checkout.context_processors.checkout",
    "oscar.apps.communication.notifications.context_processors.notifications",
    "oscar.core.context_processors.metadata",
]
OSCAR_PARTS = [
    "analytics", "checkout", "address", "shipping", "catalogue", "catalogue.reviews",
    "communication", "partner", "basket", "payment", "offer", "order", "customer", "search",
    "voucher", "wishlists", "dashboard", "dashboard.reports", "dashboard.users",
    "dashboard.orders", "dashboard.catalogue", "dashboard.offers", "dashboard.partners",
    "dashboard.pages", "dashboard.ranges", "dashboard.reviews", "dashboard.vouchers",
    "dashboard.communications", "dashboard.shipping",
]


def config_of(part):
    words = [word.title() for word in part.split(".")]
    # `catalogue.reviews` is CatalogueReviews, but `dashboard.users` UsersDashboard.
    name = "".join(reversed(words) if words[0] == "Dashboard" else words)
    return f"oscar.apps.{part}.apps.{name}Config"


INSTALLED_APPS = COMMON_APPS + ["oscar.config.Shop"] + [config_of(part) for part in OSCAR_PARTS] + [
    "widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2",
]
"""
_OSCAR_URLS = """
from django.apps import apps
from django.urls import include, path
urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
"""
_OSCAR_FILL = """
import json, django
django.setup()
from django.contrib.sites.models import Site
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.apps.catalogue.models import Product, ProductClass
from oscar.apps.partner.models import Partner, StockRecord
Site.objects.get_or_create(id=1, defaults={"domain": "127.0.0.1", "name": "books"})
kind = ProductClass.objects.create(name="Book", track_stock=False)
partner = Partner.objects.create(name="Publisher")
for number, row in enumerate(json.load(open("rows.json"))):
    title, author, genre = row.split("|")
    book = Product.objects.create(
        product_class=kind, title=f"{title}, by {author}", upc=f"isbn-{number}",
        description=f"{genre} by the author {author}. Paperback book, published in English.",
    )
    book.categories.add(create_from_breadcrumbs(f"Books > {genre}"))
    StockRecord.objects.create(product=book, partner=partner, partner_sku=str(number), price=9)
"""
_CLASSIFIED = """
INSTALLED_APPS = COMMON_APPS + ["sorl.thumbnail", "django_classified"]
MIDDLEWARE += ["django.contrib.flatpages.middleware.FlatpageFallbackMiddleware"]
TEMPLATES[0]["OPTIONS"]["context_processors"] += [
    "django_classified.context_processors.common_values",
]
DCF_SITE_NAME = "Used cars"
DCF_SITE_DESCRIPTION = "Cars for sale"
LOGIN_URL = "/login/"
"""
_CLASSIFIED_URLS = """
from django.contrib.auth.views import LoginView
from django.urls import include, path
urlpatterns = [
    path("login/", LoginView.as_view(template_name="login.html"), name="login"),
    path("", include("django_classified.urls", namespace="django_classified")),
]
"""
_CLASSIFIED_FILL = """
import json, django
django.setup()
from django.contrib.auth.models import User
from django.contrib.sites.models import Site
from django_classified.models import Area, Group, Item, Section
Site.objects.get_or_create(id=1, defaults={"domain": "127.0.0.1", "name": "cars"})
user = User.objects.create(username="dealer", email="dealer@example.org")
area = Area.objects.create(slug="berlin", title="Berlin")
section = Section.objects.create(title="Cars")
for row in json.load(open("rows.json")):
    make, year, fuel, price = row.split("|")
    brand = make.split()[0]
    group, _ = Group.objects.get_or_create(title=f"{brand} cars", section=section)
    Item.objects.create(
        user=user, group=group, area=area, title=f"{make}, {year}, {fuel}", price=price,
        description=f"Used car from a dealer: {make}, model year {year}, {fuel} engine, manual "
        "gearbox, low mileage, new tyres, one owner.",
    )
"""
_LOGIN = "<form method=post>{% csrf_token %}{{ form.as_p }}<button>Log in</button></form>"
_CALIBRE_FILL = """
import json, sys, uuid
sys.path.insert(0, sys.argv[1])
from sqlalchemy import create_engine, text
from cps import db
engine = create_engine("sqlite:///library/metadata.db")
# The program attaches the library as a schema of its own; here it is the whole database.
engine = engine.execution_options(schema_translate_map={"calibre": None})
db.Base.metadata.create_all(engine)
with engine.begin() as link:
    def put(statement, **values):
        link.execute(text(statement), values)
    link.execute(text("CREATE TABLE IF NOT EXISTS library_id (id INTEGER PRIMARY KEY, uuid TEXT)"))
    put("INSERT INTO library_id VALUES (1, :u)", u=str(uuid.uuid4()))
    genres = {}
    for number, row in enumerate(json.load(open("rows.json")), start=1):
        title, author, genre = row.split("|")
        put(
            "INSERT INTO books (id, title, sort, author_sort, timestamp, pubdate, series_index, "
            "last_modified, path, has_cover, uuid) "
            "VALUES (:n, :t, :t, :a, :d, :d, 1, :d, :p, 0, :u)",
            n=number, t=title, a=author, d="2020-01-01 00:00:00", p=f"{number}",
            u=str(uuid.uuid4()),
        )
        values = {"n": number, "a": author}
        put("INSERT INTO authors (id, name, sort, link) VALUES (:n, :a, :a, '')", **values)
        put("INSERT INTO books_authors_link (book, author) VALUES (:n, :n)", n=number)
        if genre not in genres:
            genres[genre] = len(genres) + 1
            put("INSERT INTO tags (id, name) VALUES (:n, :g)", n=genres[genre], g=genre)
        put("INSERT INTO books_tags_link (book, tag) VALUES (:n, :g)", n=number, g=genres[genre])
        put(
            "INSERT INTO comments (book, text) VALUES (:n, :c)",
            n=number, c=f"{genre} by the author {author}: a book for all readers.",
        )
"""


@contextmanager
def bookshop(folder: Path) -> Iterator[TopicalSite]:
    """Oscar, a shop; one box on every page."""
    python = find_python("oscar")
    with _run_django(python, folder, (_OSCAR, _OSCAR_URLS, _OSCAR_FILL), BOOKS) as served:
        yield TopicalSite(served, "book", frozenset({"/search/"}))


@contextmanager
def classifieds(folder: Path) -> Iterator[TopicalSite]:
    """Django Classified: an area to set, and a search with several fields."""
    python = find_python("django_classified")
    (folder / "templates").mkdir()
    (folder / "templates" / "login.html").write_text(_LOGIN, encoding="utf-8")
    settings = _CLASSIFIED + 'TEMPLATES[0]["DIRS"] = ["templates"]\n'
    parts = settings, _CLASSIFIED_URLS, _CLASSIFIED_FILL
    with _run_django(python, folder, parts, CARS) as served:
        yield TopicalSite(served, "auto", frozenset({"/search/"}))


@contextmanager
def _run_django(
    python: Path, folder: Path, parts: tuple[str, str, str], rows: tuple[str, ...]
) -> Iterator[Served]:
    """`parts` are settings, addresses, and a script that fills the database."""
    port = free_port()
    settings, urls, fill = parts
    files = {"settings.py": _DJANGO + settings, "urls.py": urls, "manage.py": _MANAGE}
    for name, text in {**files, "fill.py": fill, "rows.json": json.dumps(rows)}.items():
        (folder / name).write_text(text, encoding="utf-8")
    run([python, "manage.py", "migrate", "--run-syncdb", "--verbosity", "0"], folder)
    run([python, "fill.py"], folder, DJANGO_SETTINGS_MODULE="settings")
    command = [python, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
    with serving(command, folder, port, {}) as served:
        yield served


@contextmanager
def library(folder: Path) -> Iterator[TopicalSite]:
    """Calibre-Web: a box on every page, and an advanced search by POST."""
    python, program, port = find_python("calibreweb"), installed("cps"), free_port()
    (folder / "library").mkdir()
    (folder / "rows.json").write_text(json.dumps(BOOKS), encoding="utf-8")
    (folder / "fill.py").write_text(_CALIBRE_FILL, encoding="utf-8")
    where = "import calibreweb; print(list(calibreweb.__path__)[0])"
    package = run([python, "-c", where], folder).strip()
    run([python, "fill.py", package], folder, CALIBRE_DBPATH=str(folder))
    own = {"CALIBRE_DBPATH": str(folder), "CALIBRE_PORT": str(port), "HOME": str(folder)}
    # The first run makes the settings, the second one reads what is set in them.
    with serving([program, "-p", folder / "app.db"], folder, port, own):
        pass
    with closing(sqlite3.connect(folder / "app.db")) as link, link:
        link.execute(
            "UPDATE settings SET config_calibre_dir = ?, config_anonbrowse = 1, config_port = ?",
            (str(folder / "library"), port),
        )
    with serving([program, "-p", folder / "app.db"], folder, port, own) as served:
        yield TopicalSite(served, "book", frozenset({"/search", "/advsearch"}))


@contextmanager
def wiki(folder: Path) -> Iterator[TopicalSite]:
    """An Otter Wiki about films; a POST form with a token."""
    program = find_python("otterwiki").with_name("flask")
    links = "".join(f"- [[{row.split('|')[0]}]]\n" for row in FILMS)
    home = "# Films\n\nMovies, their directors, actors and years.\n\n" + links
    pages = [("home.md", home.encode())]
    for row in FILMS:
        title, director, year = row.split("|")
        text = (
            f"# {title}\n\n{title} is a movie directed by {director}, released in {year}. The film "
            "stars famous actors; its screenplay, cast and cinematography are described here.\n"
        )
        pages.append((f"{title.lower()}.md", text.encode()))
    with serving_wiki(program, folder, pages) as served:
        yield TopicalSite(served, "movie", frozenset({"/-/search"}))


SITES: dict[str, StartSite] = {
    "bookshop": bookshop,
    "library": library,
    "wiki": wiki,
    "classifieds": classifieds,
}
