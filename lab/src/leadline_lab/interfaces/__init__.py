"""Forms in front of databases, and the forms that stand beside them.

Each is a function of a key. How often forms are sent by POST, lack a button, have hidden controls
or labels follows counts on real pages labelled by people; where nothing was counted, it is said
to be by design.
"""

from leadline_lab.interfaces.other import OTHER_FORMS, OTHER_KINDS, other_form
from leadline_lab.interfaces.search import STYLES, SearchForm, search_form, site_search

__all__ = [
    "OTHER_FORMS",
    "OTHER_KINDS",
    "STYLES",
    "SearchForm",
    "other_form",
    "search_form",
    "site_search",
]
