"""Searching a site: from a submitted form to the page that answers it."""

from functools import lru_cache
from urllib.parse import parse_qsl

from msgspec import Struct

from leadline.core.http import Request
from leadline_lab.databases.answer import respond
from leadline_lab.databases.index import Indexes
from leadline_lab.databases.lexicon import Lexicon
from leadline_lab.databases.pages import record_page
from leadline_lab.databases.records import key_of_record, number_of_key
from leadline_lab.draw import Draw, key_of
from leadline_lab.language import topic_urn
from leadline_lab.markup.model import Anchor, Block, Heading, Item, Listing, PageModel, Prose
from leadline_lab.schemas import DOMAIN_OF
from leadline_lab.sites.estate import Estate

_MAX_PARAMETERS = 60
_OWN_RESULTS = 8


class Answered(Struct, frozen=True):
    """What a site says to a query."""

    status: int
    location: str
    model: PageModel


@lru_cache(maxsize=64)
def lexicon_of(topic: str) -> Lexicon:
    return Lexicon(topic_urn(topic).take)


class Searches:
    """Answers queries; keeps the indexes of sources asked lately."""

    def __init__(self) -> None:
        self._indexes = Indexes()

    def answer(
        self, estate: Estate, number: int, request: Request, query: str, now: float
    ) -> Answered:
        """What the form of an interface gets back."""
        parameters = _parameters(request, query)
        interface = estate.plan.interfaces[number]
        if not interface.schema:
            return _own_pages(estate, number, parameters)
        source = estate.source(interface.database)
        index = self._indexes.of(source, lexicon_of(_topic(estate, interface.schema)))
        form = estate.search_forms[number]
        answer = respond(
            index,
            form.bound_by(parameters),
            parameters,
            action=estate.paths.action(number),
            record_url=lambda record: estate.paths.record(
                interface.database, key_of_record(source, record)
            ),
            now=now,
            settings=form.settings,
        )
        blocks: tuple[Block, ...] = answer.blocks
        if answer.asks_again:
            blocks = (*blocks, estate.shown(number, now))
        return Answered(answer.status, answer.location, PageModel(estate.name, blocks))

    def record(self, estate: Estate, database: int, name: str) -> PageModel | None:
        """The page of a record; None when there is none of that name."""
        if not 0 <= database < estate.databases:
            return None
        source = estate.source(database)
        number = number_of_key(source, name)
        if number is None or not source.behaviour.has_details:
            return None
        lexicon = find_lexicon(estate, database)
        title, blocks = record_page(
            source,
            lexicon,
            number,
            lambda record: estate.paths.record(database, key_of_record(source, record)),
        )
        return PageModel(f"{title} - {estate.name}", blocks)


def find_lexicon(estate: Estate, database: int) -> Lexicon:
    """The words that the records of one of a site's databases are made of."""
    return lexicon_of(_topic(estate, estate.schema_of(database)))


def _topic(estate: Estate, schema: str) -> str:
    """Whose words the records are made of."""
    return DOMAIN_OF.get(schema) or estate.plan.population.topic


def _parameters(request: Request, query: str) -> dict[str, str]:
    """First values of what was sent, the body's before the query's."""
    texts = [query]
    if request.method == "POST":
        texts.insert(0, request.body.decode("utf-8", "replace"))
    found: dict[str, str] = {}
    for text in texts:
        pairs = parse_qsl(text[:20_000], keep_blank_values=True)
        for name, value in pairs[:_MAX_PARAMETERS]:
            found.setdefault(name, value)
    return found


def _own_pages(estate: Estate, number: int, parameters: dict[str, str]) -> Answered:
    """A search over the site's own pages: some of them, whatever is asked."""
    plan = estate.plan
    box = next(iter(estate.search_forms[number].bound))
    text = parameters.get(box, "")[:200]
    draw = Draw(key_of(plan.key, "own search", text.lower()))
    blocks: tuple[Block, ...] = (Heading(text or estate.name, 1), Prose((("0",),)))
    items = plan.pages - plan.first_item
    if text and items:
        numbers = [plan.first_item + draw.below(items) for _ in range(draw.below(_OWN_RESULTS))]
        places = [plan.place(number) for number in dict.fromkeys(numbers)]
        paths = estate.paths
        listed = [Item(Anchor(paths.page(place), paths.item_name(place))) for place in places]
        blocks = (Heading(text, 1), Listing(tuple(listed)))
    return Answered(200, "", PageModel(estate.name, blocks))
