"""The databases behind the forms: records, indexes, answers."""

from leadline_lab.databases.answer import Answer, respond
from leadline_lab.databases.gate import hidden_controls, hidden_values, names_of
from leadline_lab.databases.index import Index, Indexes
from leadline_lab.databases.kinds import Behaviour, Habits, Source, behaviour, grid, held, indexed
from leadline_lab.databases.lexicon import Lexicon
from leadline_lab.databases.pages import record_page
from leadline_lab.databases.query import EVERYWHERE, Bound, Query, read_query
from leadline_lab.databases.reach import reachable
from leadline_lab.databases.records import (
    Record,
    key_of_record,
    number_of_key,
    record,
    records,
    type_of,
)
from leadline_lab.databases.truth import Postings, values_of

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
