"""What forms say of their topic's words, against the fields of all other domains' forms."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from msgspec import structs

from leadline.core.page import Page
from leadline.forms.searchable import searchable_judge
from leadline.learn.naive_bayes import places_among
from leadline.page.words import PageWords, WordIds, Words, form_vocabulary
from leadline.topics.background import Background
from leadline.topics.calibrating import calibrated
from leadline.topics.examples import left_out_scores, odds_from, space_of
from leadline.topics.kinship import resembling
from leadline.topics.pack import Example, Pack
from leadline.topics.spelling import spelling
from leadline.topics.vocabulary import written

_LIKELY = 0.5
_FEWEST = 2
"""Forms of fewer sites teach nothing that their pages do not."""
_SIZES = (4, 8, 16)
"""Words of the forms that are made of the first fields of a domain."""


def with_forms(
    pack: Pack,
    forms: Sequence[Example],
    background: Background,
    spelled: Mapping[int, str] | None = None,
) -> Pack:
    """The pack, knowing these forms as well; too few of them are kept for another time."""
    pack = structs.replace(pack, examples=(*pack.examples, *forms))
    if len({form.owner for form in forms}) < _FEWEST:
        return pack
    beside = background.without(resembling([form.ids for form in forms], background))
    known = [structs.replace(form, ids=_known(form.ids, beside)) for form in forms]
    space = space_of(known, beside)
    odds = odds_from(known, space)
    off_topic = [odds.score(ids) for ids in _other_forms(beside.domains)]
    platt = calibrated(left_out_scores(known, space), off_topic)
    words = spelling(odds.words, background, spelled or {})
    return structs.replace(pack, forms=odds, form_spelled=words, form=platt)


def search_forms(page: Page, words: PageWords, owner: str) -> list[Example]:
    """The page's forms that search something, to be learned from."""
    judged = searchable_judge().judge_all(page.forms)
    return [
        Example(words.form(number), owner, is_form=True)
        for number, (chance, _) in enumerate(judged)
        if chance >= _LIKELY
    ]


def _known(ids: WordIds, background: Background) -> WordIds:
    """The words that pages are judged by: forms have stop words too, of which nothing is known."""
    _, is_known = places_among(background.words, ids)
    return np.asarray(ids[is_known], np.int32)


def _other_forms(domains: Sequence[str]) -> Iterator[WordIds]:
    for domain in domains:
        for language, fields in written(domain).fields.items():
            for size in _SIZES:
                yield Words([" ".join(fields[:size])], form_vocabulary(language)).ids
