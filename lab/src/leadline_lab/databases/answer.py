"""What a database answers to a request. Never fails, whatever the parameters."""

from collections.abc import Mapping

from msgspec import Struct

from leadline_lab.databases.gate import Names, is_let_in, names_of
from leadline_lab.databases.index import Index
from leadline_lab.databases.kinds import Source
from leadline_lab.databases.pages import (
    RecordUrl,
    facets_of,
    heading_of,
    listing_of,
    sentence,
    suggestions,
    total_of,
)
from leadline_lab.databases.paging import Turner, received, size_links, window_of
from leadline_lab.databases.phrases import Speech
from leadline_lab.databases.query import Bound, Query, read_query
from leadline_lab.databases.ranking import ranked, sorted_by
from leadline_lab.draw import key_of
from leadline_lab.markup.model import Block


class Answer(Struct, frozen=True):
    """The main part of a result page, and the truth about it."""

    status: int
    location: str = ""
    """Where a redirect leads; '' for none."""
    blocks: tuple[Block, ...] = ()
    matched: int = 0
    """Records that match, before the cap. Never on the page as such."""
    shown: tuple[int, ...] = ()
    """Their numbers on this page, in order; of a redirect the one it leads to."""
    asks_again: bool = False
    """The page shows the form once more, with hidden controls of this moment."""


def respond(
    index: Index,
    bound: Bound,
    parameters: Mapping[str, str],
    *,
    action: str,
    record_url: RecordUrl,
    now: float,
    settings: Mapping[str, str] | None = None,
) -> Answer:
    """Answers a form's request.

    `action` is the form's address without parameters; `settings` names controls
    that arrange the answer: `sort` or `size`.
    """
    source = index.source
    names = names_of(source, {*bound})
    asked = received(source, parameters)
    query = read_query(source, bound, asked)
    refusal = _refusal(source, {*bound, *(settings or ())}, asked, now)
    refusal = refusal or _objection(source, query)
    if refusal:
        return refusal
    wanted = _arranged(source, names, asked, settings or {})
    matched = len(index.matches(query))
    rows = sorted_by(index, ranked(index, query, now), wanted.get(names.sort, ""))
    window = window_of(source, names, wanted, rows)
    shown = tuple(rows[window.start : window.end].tolist())
    if not matched:
        return _empty(index, query, record_url)
    if not shown:
        over = Speech(source.key, source.language).say("over")
        return Answer(200, blocks=(heading_of(source, query), sentence(over)), matched=matched)
    if matched == 1 and source.behaviour.redirects_single and source.behaviour.has_details:
        return Answer(302, record_url(shown[0]), matched=1, shown=shown)
    turner = Turner(source, names, wanted, action, now)
    blocks: list[Block] = [heading_of(source, query), total_of(source, query, matched, window)]
    if source.behaviour.has_facets:
        blocks += facets_of(index, bound, rows, turner)
    if source.behaviour.is_size_choosable:
        blocks.append(size_links(turner))
    blocks.append(listing_of(source, index.lexicon, shown, record_url))
    blocks += turner.blocks(window, rows)
    return Answer(200, blocks=tuple(blocks), matched=matched, shown=shown)


def _arranged(
    source: Source, names: Names, asked: Mapping[str, str], settings: Mapping[str, str]
) -> dict[str, str]:
    """What was asked for, with the form's own settings under the source's names.

    A page size counts only where the form or the source lets it be chosen."""
    own = {"sort": names.sort, "size": names.size}
    wanted = dict(asked)
    if not source.behaviour.is_size_choosable and "size" not in settings.values():
        wanted.pop(names.size, None)
    for control, role in settings.items():
        if role in own and own[role] not in wanted and control in asked:
            wanted[own[role]] = asked[control]
    return wanted


def _refusal(
    source: Source, controls: set[str], asked: Mapping[str, str], now: float
) -> Answer | None:
    """For a request that does not come from the source's form as it is at this moment."""
    behaviour = source.behaviour
    speech = Speech(source.key, source.language)
    names = names_of(source, controls)
    known = {*controls, *(getattr(names, field) for field in names.__struct_fields__)}
    if behaviour.refuses_unknown and any(name not in known for name in asked):
        return Answer(400, blocks=(sentence(speech.say("bad")),))
    if is_let_in(source, asked, now):
        return None
    said = (sentence(speech.say("refused")),)
    if behaviour.token_s and behaviour.refusal == "forbidden":
        return Answer(403, blocks=said)
    return Answer(200, blocks=said, asks_again=True)


def _objection(source: Source, query: Query) -> Answer | None:
    """For a query that the source does not look up."""
    behaviour = source.behaviour
    say = Speech(source.key, source.language).say
    if query.has_keywords and query.keyword_letters < behaviour.min_length:
        said = sentence(say("short", behaviour.min_length))
        return Answer(200, blocks=(said,), asks_again=True)
    if not query.is_empty or behaviour.empty_query == "all":
        return None
    if behaviour.empty_query == "error":
        return Answer(200, blocks=(sentence(say("blank")),), asks_again=True)
    return Answer(200, blocks=(sentence(say("none", "")),))


def _empty(index: Index, query: Query, record_url: RecordUrl) -> Answer:
    source = index.source
    said = sentence(Speech(source.key, source.language).say("none", query.text))
    blocks: tuple[Block, ...] = (heading_of(source, query), said)
    if source.behaviour.empty_answer == "suggestions":
        key = key_of(source.key, "suggestions", query.text)
        return Answer(200, blocks=(*blocks, suggestions(index, key, record_url)))
    return Answer(404 if source.behaviour.empty_answer == "missing" else 200, blocks=blocks)
