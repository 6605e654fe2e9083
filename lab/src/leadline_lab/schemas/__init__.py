"""What databases hold, domain by domain, and how their search forms speak.

Written by hand. Real labelled forms were at hand for cars, books, jobs and films only, and few of
those; attributes, labels and control names of all domains follow what public search forms of the
kind commonly ask for. German, French and Spanish are translations, not observations. Brands and
companies of travel and goods are invented.

Some domains have a second population that speaks differently: a crawler that was shown one must
find the other.
"""

from typing import Final

from leadline_lab.schema import Schema
from leadline_lab.schemas.everyday import EVERYDAY
from leadline_lab.schemas.law_and_land import LAW_AND_LAND
from leadline_lab.schemas.living import LIVING
from leadline_lab.schemas.media import MEDIA
from leadline_lab.schemas.nature_and_science import NATURE_AND_SCIENCE
from leadline_lab.schemas.notation import LANGUAGES, read_schemas
from leadline_lab.schemas.persons import PERSONS
from leadline_lab.schemas.reading import READING
from leadline_lab.schemas.shopping import SHOPPING
from leadline_lab.schemas.travel import TRAVEL
from leadline_lab.schemas.vehicles import VEHICLES

__all__ = ["BACKGROUND_SCHEMAS", "DOMAIN_OF", "LANGUAGES", "SCHEMAS", "TARGET_DOMAINS"]

_WANTED = read_schemas(TRAVEL + VEHICLES + READING + MEDIA + LIVING + SHOPPING + PERSONS)
_OTHER = read_schemas(NATURE_AND_SCIENCE + LAW_AND_LAND + EVERYDAY)

SCHEMAS: Final[dict[str, Schema]] = _WANTED | _OTHER
"""By schema name. Price and number attributes carry in `choices` the steps that forms offer."""
DOMAIN_OF: Final[dict[str, str]] = {name: schema.domain for name, schema in _WANTED.items()}
"""Schema name to target domain; background schemas are not in it."""
TARGET_DOMAINS: Final[tuple[str, ...]] = (
    "airfare", "auto", "book", "hotel", "job", "movie",
    "music", "rental", "apartment", "route", "product", "people",
)  # fmt: skip
BACKGROUND_SCHEMAS: Final[tuple[str, ...]] = tuple(_OTHER)
