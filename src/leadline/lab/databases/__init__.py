"""The databases behind the forms: records, indexes, answers."""

from leadline.lab.databases.answer import Answer, respond
from leadline.lab.databases.gate import hidden_controls, hidden_values, names_of
from leadline.lab.databases.index import Index, Indexes
from leadline.lab.databases.kinds import Behaviour, Habits, Source, behaviour, grid, held, indexed
from leadline.lab.databases.lexicon import Lexicon
from leadline.lab.databases.pages import record_page
from leadline.lab.databases.query import EVERYWHERE, Bound, Query, read_query
from leadline.lab.databases.reach import reachable
from leadline.lab.databases.records import (
    Record,
    key_of_record,
    number_of_key,
    record,
    records,
    type_of,
)
from leadline.lab.databases.truth import Postings, values_of

__all__ = [
    "EVERYWHERE",
    "Answer",
    "Behaviour",
    "Bound",
    "Habits",
    "Index",
    "Indexes",
    "Lexicon",
    "Postings",
    "Query",
    "Record",
    "Source",
    "behaviour",
    "grid",
    "held",
    "hidden_controls",
    "hidden_values",
    "indexed",
    "key_of_record",
    "names_of",
    "number_of_key",
    "reachable",
    "read_query",
    "record",
    "record_page",
    "records",
    "respond",
    "type_of",
    "values_of",
]
