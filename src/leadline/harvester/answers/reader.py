"""From a reply to an answer: what one source says, in a form that all sources share.

What nonsense gets is the frame: whatever a source shows when it found nothing
is no result. Results are then the repeated structure that is not part of it.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import structs

from leadline.core.harvest import (
    BLOCKED,
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    UNCLEAR,
    Answer,
    Query,
    Record,
)
from leadline.core.page import Field, Form
from leadline.core.url import Url, is_home_page
from leadline.forms.form_data import is_typed
from leadline.harvester.answers.addresses import Keys, Search, parameters_of, shape_of
from leadline.harvester.answers.blocks import Block, Finder, known_from
from leadline.harvester.answers.choosing import find_blocks, lone_block, size_of
from leadline.harvester.answers.memory import MOST_PIECES, Memory, memory_from
from leadline.harvester.answers.record_page import record_of
from leadline.harvester.answers.records import Reading
from leadline.harvester.answers.sight import Sight
from leadline.harvester.answers.totals import learn_standing, total_of
from leadline.harvester.answers.verdicts import (
    FORBIDDEN,
    GONE,
    Verdict,
    bars_of,
    by_status,
    by_words,
    denies,
    has_form,
)
from leadline.harvester.reply import Reply, reply_from

_MOST_PLACES = 12
_MOST_SHAPES = 40
_MOST_PATHS = 40
_MOST_QUIET = 40
_MOST_NONSENSE = 4
"""Answers to nonsense that are compared; more say the same."""
_MOST_FORBIDDEN = 2
"""Queries in a row that may be forbidden each for itself: bans forbid all that follow."""
_NOTED = 200
"""Links of a page whose addresses are compared with those of other pages."""
_LEAST_ITEM_CHARS = 30
"""Of records that look like links to narrower searches: facets are shorter."""
_TAIL_BYTES = 2_000
_CUTTING = frozenset({"nodes", "depth"})
"""Caps of a page that cut its end off."""


class AnswerReader:
    """Reads the answers of one source.

    Before the first query it is best told two answers to nonsense; with one or
    none it reads on by structure and words. `read` learns too: where results
    stand, what of an address belongs to the record. What it settled it keeps,
    so that a reply read again gives the same keys.
    """

    def __init__(self, form: Form) -> None:
        self._form = form
        self._memory = Memory()

    def state(self) -> bytes:
        """All that was learned, for `restore`."""
        return self._memory.to_bytes()

    def restore(self, state: bytes) -> None:
        """Raises ValueError for bytes that are no state."""
        self._memory = memory_from(state)

    def take_nonsense(self, query: Query, reply: Reply) -> None:
        """Learn from the answer to a query that nothing matches; errors and bans teach nothing."""
        memory = self._memory
        if len(memory.said) >= _MOST_NONSENSE or by_status(reply) is not None:
            return
        sight = Sight(reply.outline, query, frozenset())
        search = self._search(query, reply)
        shown = sight.framing()
        others = Sight(reply.outline, query, memory.frame)
        self._learn_quiet(Finder(others, search.is_own))
        memory.said.append(set(sight.pieces))
        memory.frame |= set(list(shown)[: max(0, MOST_PIECES - len(memory.frame))])
        memory.statuses.add(reply.response.status)
        memory.has_form |= has_form(reply, self._form)
        memory.bars.update(bars_of(reply, reply.page.leaves))
        memory.is_closed |= _is_closed(reply)
        denying = {n for n, piece in sight.pieces.items() if denies((piece,))}
        memory.denying.append(denying)
        if denying or not find_blocks(Finder(sight, search.is_own), {}):
            learn_standing(sight, memory)
        self._learn_path(query, reply.response.url)
        self._note_links(sight, search)

    def _learn_quiet(self, finder: Finder) -> None:
        for block in finder.candidates():
            if len(self._memory.quiet) < _MOST_QUIET:
                self._memory.quiet.setdefault(block.place, 1)

    def _learn_path(self, query: Query, url: Url) -> None:
        if len(self._memory.paths) < _MOST_PATHS:
            self._memory.paths.add(_path(query, url))

    def _search(self, query: Query, reply: Reply) -> Search:
        return Search(self._form, query, reply.response.url, self._memory.paths)

    def _note_links(self, sight: Sight, search: Search) -> None:
        """See which parts of addresses change from page to page by themselves."""
        keys = self._keys()
        for anchor in sight.anchors[:_NOTED]:
            if not search.is_own(anchor.url):
                text = sight.outline.text(anchor.row)[:40]
                keys.note(f"{text} {anchor.url.partition('?')[0]}", anchor.url)

    def _keys(self) -> Keys:
        return Keys(self._memory.dropped, self._memory.met, self._memory.changes)

    def read(self, query: Query, reply: Reply) -> Answer:
        """The answer in the reply, without a way to its next page."""
        answer = self._read(query, reply)
        return structs.replace(answer, url=reply.response.url, requests=reply.response.requests)

    def _read(self, query: Query, reply: Reply) -> Answer:
        verdict = self._by_status(query, reply)
        if verdict is not None:
            return Answer(verdict[0], why=verdict[1])
        sight = Sight(reply.outline, query, self._frame(), self._steady())
        if reply.response.status in GONE:
            return self._gone(reply)
        search = self._search(query, reply)
        finder = Finder(sight, search.is_own)
        blocks = find_blocks(finder, self._memory.places)
        if self._is_nothing(sight, blocks):
            return Answer(NOTHING, why="it is what nonsense gets")
        doubt = self._doubt(sight, reply, blocks)
        if doubt is not None:
            return doubt
        if self._is_record(query, reply, blocks):
            record = record_of(sight, reply, self._keys(), self._memory.labels)
            return Answer(RECORD, (record,), why="a redirect led to a page of its own")
        if blocks:
            return self._results(query, reply, finder, search, blocks)
        return self._without_blocks(query, reply, finder, search)

    def _by_status(self, query: Query, reply: Reply) -> Verdict | None:
        """What is forbidden for one query while others are answered is that query's own fault;
        what is forbidden for one after the other is closed."""
        memory, verdict = self._memory, by_status(reply)
        if reply.response.status != FORBIDDEN or verdict is None:
            memory.forbidden.clear()
            return verdict
        if query.text not in memory.forbidden and len(memory.forbidden) <= _MOST_FORBIDDEN:
            memory.forbidden.append(query.text)
        has_answered = bool(memory.said or memory.places)
        if not has_answered or len(memory.forbidden) > _MOST_FORBIDDEN:
            return verdict
        if self._new_bars(reply, reply.page.leaves):
            return verdict
        return REFUSED, f"{verdict[1]}, while other queries are answered"

    def _without_blocks(self, query: Query, reply: Reply, finder: Finder, search: Search) -> Answer:
        sight = finder.sight
        answer = self._without_results(sight, reply)
        if answer.kind != UNCLEAR or not self._memory.said:
            return answer
        lone = lone_block(finder)
        if lone is not None:
            return self._results(query, reply, finder, search, [lone])
        return self._searched_again(query, reply, sight, search) or answer

    def _doubt(self, sight: Sight, reply: Reply, blocks: list[Block]) -> Answer | None:
        """A refusal or a ban that has lists of its own: of advice, of errors."""
        memory, response = self._memory, reply.response
        if any(block.place in memory.places for block in blocks):
            return None
        if response.hops and shape_of(response.url) in memory.shapes:
            return None
        is_linked = any(block.split.linked > 0.5 for block in blocks)
        bars = self._new_bars(reply, _beside(sight, blocks))
        is_answer = is_linked and self._is_framed(sight) and not response.hops
        if bars and not is_answer:
            return Answer(BLOCKED, why=bars[0])
        if is_linked or not blocks or response.hops:
            return None
        answer = self._without_results(sight, reply, blocks)
        return answer if answer.kind == REFUSED else None

    def _new_bars(self, reply: Reply, texts: Sequence[str]) -> list[str]:
        return [bar for bar in bars_of(reply, texts) if bar not in self._memory.bars]

    def _is_framed(self, sight: Sight) -> bool:
        """Whether the page has most of what all answers have."""
        steady = self._steady()
        return 2 * len(steady & sight.pieces.keys()) >= len(steady)

    def _searched_again(
        self, query: Query, reply: Reply, sight: Sight, search: Search
    ) -> Answer | None:
        """Results whose links all lead to the search's own address, if nothing else is there."""
        finder = Finder(sight, lambda _url: False)
        blocks = find_blocks(finder, {})
        if not blocks or size_of(finder, blocks) < _LEAST_ITEM_CHARS:
            return None
        return self._results(query, reply, finder, search, blocks)

    def _frame(self) -> set[int]:
        memory = self._memory
        if memory.said or len(memory.early) < 2:
            return memory.frame
        return memory.early[0] & memory.early[1]

    def _steady(self) -> set[int]:
        """What every answer shows."""
        memory = self._memory
        shown = memory.said or (memory.early if len(memory.early) > 1 else [set()])
        return set.intersection(*shown)

    def _gone(self, reply: Reply) -> Answer:
        status = reply.response.status
        if self._memory.said and status not in self._memory.statuses:
            return Answer(UNCLEAR, why=f"status {status}, which nonsense did not get")
        return Answer(NOTHING, why=f"status {status}")

    def _is_nothing(self, sight: Sight, blocks: list[Block]) -> bool:
        memory = self._memory
        if not memory.said:
            return False
        here = sight.pieces.keys()
        is_quiet = all(block.place in memory.quiet for block in blocks)
        denying = set.intersection(*memory.denying)
        if memory.denials is None:
            said = denying or self._steady()
            return said <= here and (not blocks or (is_quiet and bool(denying)))
        if denying & memory.denials:
            return not here.isdisjoint(denying & memory.denials)
        denied = len(memory.denials & here)
        return 2 * denied > len(memory.denials) and (not blocks or denied == len(memory.denials))

    def _is_record(self, query: Query, reply: Reply, blocks: list[Block]) -> bool:
        """Whether a redirect led away from where answers come from, to a record."""
        response, memory = reply.response, self._memory
        is_form = has_form(reply, self._form) and not memory.has_form
        if not response.hops or is_form:
            return False
        if shape_of(response.url) in memory.shapes:
            return True
        if any(block.place in memory.places for block in blocks):
            return False
        if _path(query, response.url) in memory.paths:
            return False
        own = {self._form.page.partition("?")[0], (self._form.action or "").partition("?")[0]}
        is_elsewhere = response.url.partition("?")[0] not in own and not is_home_page(response.url)
        return is_elsewhere and bool(memory.said or not blocks)

    def _results(
        self, query: Query, reply: Reply, finder: Finder, search: Search, blocks: list[Block]
    ) -> Answer:
        sight = finder.sight
        why = ""
        if self._is_cut(reply):
            blocks, why = _whole(blocks, sight), "the page is cut short"
        records = Reading(finder, search, self._memory).records(blocks)
        if not records:
            return self._without_results(sight, reply)
        taken = [range(i.first, i.end) for block in blocks for i in block.split.items]
        shown = sum(len(block.split.items) for block in blocks)
        total = total_of(sight, taken, shown, self._memory)
        self._learn_results(query, reply, sight, blocks, records)
        places = f"{len(blocks)} blocks" if len(blocks) > 1 else "a block"
        return Answer(
            RESULTS,
            tuple(records),
            total.value if total else None,
            total.is_exact if total else False,
            why=why or f"{places} of {len(records)} items{self._apart()}",
        )

    def _apart(self) -> str:
        return " that nonsense did not get" if self._memory.said else ""

    def _is_cut(self, reply: Reply) -> bool:
        body = reply.response.body.rstrip()
        if reply.outline.truncated or reply.page.truncated in _CUTTING:
            return True
        is_open = not _is_closed(reply)
        return (self._memory.is_closed and is_open) or body.rfind(b"<") > body.rfind(b">")

    def _learn_results(
        self,
        query: Query,
        reply: Reply,
        sight: Sight,
        blocks: list[Block],
        records: list[Record],
    ) -> None:
        memory = self._memory
        counts: Counter[str] = Counter()
        for block in blocks:
            counts[block.place] += len(block.split.items)
        for block in blocks:
            is_telling = counts[block.place] > 2 and len(records) > 2
            if is_telling and len(memory.places) < _MOST_PLACES:
                memory.places.setdefault(block.place, known_from(sight, block))
        for record in records:
            if record.url and len(memory.shapes) < _MOST_SHAPES:
                memory.shapes.setdefault(shape_of(record.url), 1)
        self._learn_path(query, reply.response.url)
        if memory.said:
            denials = self._steady() if memory.denials is None else memory.denials
            memory.denials = denials - sight.pieces.keys()
        elif len(memory.early) < 2 and (framing := sight.framing()) not in memory.early:
            # The same page twice would make all of it the frame.
            memory.early.append(framing)

    def _without_results(self, sight: Sight, reply: Reply, blocks: Sequence[Block] = ()) -> Answer:
        """What the page says; what stands in `blocks` is not listened to."""
        texts = _beside(sight, blocks)
        bars = self._new_bars(reply, texts)
        if bars:
            return Answer(BLOCKED, why=bars[0])
        if has_form(reply, self._form) and not self._memory.has_form:
            return Answer(REFUSED, why="it shows the form once more")
        verdict = by_words(texts)
        if verdict is not None:
            return Answer(verdict[0], why=verdict[1])
        return Answer(UNCLEAR, why="no list of results, and no word of nothing found")


def read_answer_page(
    body: bytes | str, url: str, content_type: str = "", query: str | Query | None = None
) -> Answer:
    """The answer that a single page is, without a form or other answers to compare it with.

    Any bytes, any URL and any content type are read; nothing is raised. A body that is a `str`
    was decoded before: its charset is not looked for. `query` is what was typed, if it is known;
    without it, it is read from the address by the names of the page's own search form.
    """
    return read_single_answer(reply_from(body, url, content_type), query)


def read_single_answer(reply: Reply, query: str | Query | None = None) -> Answer:
    """`read_answer_page` for a page that was parsed before."""
    form, asked = _guess_search(reply, query)
    reader = AnswerReader(form)
    # The form was taken from this page: that the page shows it does not mean a refusal.
    reader._memory.has_form = True
    return reader.read(asked, reply)


def _guess_search(reply: Reply, query: str | Query | None) -> tuple[Form, Query]:
    """The search form of a page and what was asked, from the page and its address alone."""
    url = reply.response.url
    said = {name: value for name, value in parameters_of(url).items() if value}
    path = url.partition("?")[0]

    def fits(form: Form) -> tuple[int, bool]:
        names = {field.name for field in form.fields}
        return len(names & said.keys()), (form.action or "").partition("?")[0] == path

    form = max(reply.page.forms, key=fits, default=None)
    if form is None or not any(fits(form)):
        # No form of this page leads here: the address alone says what belongs to the search.
        kinds = {name: "text" if value == query else "hidden" for name, value in said.items()}
        fields = tuple(Field(name, kind, value=said[name]) for name, kind in kinds.items())
        form = Form(url, Url(path), "get", fields)
    if isinstance(query, Query):
        return form, query
    typed = [field.name for field in form.fields if is_typed(field) and field.name]
    if query is None:
        return form, Query(tuple(sorted((name, said[name]) for name in {*typed} & said.keys())))
    holding = [name for name, value in said.items() if value == query]
    return form, Query((((holding or typed or ["q"])[0], query),) if query else ())


def _beside(sight: Sight, blocks: Sequence[Block]) -> list[str]:
    """Fresh texts outside the items of blocks."""
    spans = [(block.split.items[0].first, block.split.items[-1].end) for block in blocks]
    return sight.fresh_texts(spans)


def _path(query: Query, url: Url) -> str:
    path = url.partition("?")[0].casefold()
    for _, value in query.values:
        if value:
            path = path.replace(value.casefold(), "*")
    return path


def _is_closed(reply: Reply) -> bool:
    return b"</html" in reply.response.body[-_TAIL_BYTES:].lower()


def _whole(blocks: list[Block], sight: Sight) -> list[Block]:
    """Without the item that the cut went through."""
    last = max(blocks, key=lambda block: block.row)
    if sight.outline.ends[last.row] < len(sight.outline):
        return blocks
    items = last.split.items[:-1]
    kept = [block for block in blocks if block is not last]
    split = structs.replace(last.split, items=items)
    return [*kept, structs.replace(last, split=split)] if items else kept
