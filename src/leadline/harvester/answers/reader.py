"""From a reply to an answer: what one source says, in a form that all sources share.

What nonsense gets is the frame: whatever a source shows when it found nothing is no result. Results
are then the repeated structure that is not part of it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import structs

from leadline.core.harvest import (
    BLOCKED,
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    SAME_AS_NONSENSE,
    UNCLEAR,
    Answer,
    Query,
    Record,
)
from leadline.core.page import Form
from leadline.core.url import Url, is_home_page
from leadline.harvester.answers.answer_kind import (
    FORBIDDEN,
    GONE,
    find_barriers,
    has_form,
    judge_status,
    judge_words,
    says_nothing_found,
)
from leadline.harvester.answers.answer_page import AnswerPage
from leadline.harvester.answers.block_candidates import BlockFinder, ResultBlock
from leadline.harvester.answers.block_scorer import BlockScorer
from leadline.harvester.answers.data_records import (
    DataList,
    DataRecordReader,
    choose_list,
    find_data_total,
    find_error,
    find_html,
    find_lists,
)
from leadline.harvester.answers.data_tree import find_script_data, read_data
from leadline.harvester.answers.item_splitter import EACH, learn_format
from leadline.harvester.answers.reader_memory import (
    MAX_FRAME,
    MAX_LISTED,
    ListFormat,
    ReaderMemory,
    restore_memory,
)
from leadline.harvester.answers.record_keys import (
    RecordKeyRules,
    SearchAddresses,
    shape_of,
)
from leadline.harvester.answers.records import RecordReader, read_record_page
from leadline.harvester.answers.result_blocks import are_results, find_blocks, find_single_block
from leadline.harvester.answers.totals import find_total, learn_constant_numbers
from leadline.harvester.reply import Reply, reply_of
from leadline.page.html_tree import decode

_MAX_PLACES = 12
_MAX_SHAPES = 40
_MAX_PATHS = 40
_MAX_NONSENSE_PLACES = 40
_LINKED = 0.5
"""Share of a list's items that must lead somewhere to be records, perhaps."""
_STILL_THERE = 0.5
"""Share of a list on answers to nonsense that pages of results must show, too, to be a menu."""
_MIN_LISTED = 6
"""Digests of a list that nonsense gets: three records with a link and a text each."""
_MAX_NONSENSE = 4
"""Answers to nonsense that are compared; more say the same."""
_MAX_FORBIDDEN = 2
"""Queries in a row that may be forbidden each for itself: bans forbid all that follow."""
_MAX_NOTED = 200
"""Links of a page whose addresses are compared with those of other pages."""
_MIN_ITEM_CHARS = 30
"""Of records that look like links to narrower searches: facets are shorter."""
_MIN_STATE_ITEMS = 3
"""Of a list in a script: shorter ones are settings as often as results."""
_MIN_GOOD_ITEMS = 2
_PAGE_SHARE = 0.6
"""Of the text of data that is one piece of a page: what is around it are commands to a script."""
_END_BYTES = 2_000
"""End of a body that is searched for its end tag."""
_CUTTING = frozenset({"nodes", "depth"})
"""Caps of a page that cut its end off."""


class AnswerReader:
    """Reads the answers of one source.

    Before the first query it is best given two answers to nonsense; with one or none it reads by
    structure and words. `read` learns too: where results stand, and which parts of an address
    belong to the record. What was decided stays, so a reply read again gives the same keys.
    """

    def __init__(
        self,
        form: Form,
        *,
        is_form_expected: bool = False,
        scorer: BlockScorer | None = None,
    ) -> None:
        """`is_form_expected`: answers show the form, so one that does is no refusal. Answers to
        nonsense tell that too. `scorer` of blocks: the one that ships if there is none."""
        self._form = form
        self._scorer = scorer
        self._memory = ReaderMemory(has_form=is_form_expected)

    def state(self) -> bytes:
        """All that was learned, for `restore`."""
        return self._memory.to_bytes()

    def restore(self, state: bytes) -> None:
        """Raises ValueError for bytes that are no state."""
        self._memory = restore_memory(state)

    def take_nonsense(self, query: Query, reply: Reply) -> None:
        """Learns from the answer to a query that nothing matches; errors and bans teach nothing."""
        memory = self._memory
        if len(memory.nonsense_texts) >= _MAX_NONSENSE or judge_status(reply) is not None:
            return
        tree = read_data(reply.response.body, reply.response.header("content-type"))
        for one in find_lists(tree) if tree is not None else ():
            # What nonsense gets too is a menu; an empty list is where results will be.
            if one.items and len(memory.nonsense_places) < _MAX_NONSENSE_PLACES:
                memory.nonsense_places.setdefault(one.place, 1)
        page = AnswerPage(reply.outline, query, frozenset())
        search = self._search(query, reply)
        digests = page.digests()
        self._learn_lists(query, reply, page, search)
        memory.nonsense_texts.append(set(page.texts))
        memory.frame |= set(list(digests)[: max(0, MAX_FRAME - len(memory.frame))])
        memory.nonsense_statuses.add(reply.response.status)
        memory.has_form |= has_form(reply, self._form)
        memory.barriers.update(find_barriers(reply, reply.page.leaves))
        memory.is_closed |= _is_closed(reply)
        denying = {n for n, text in page.texts.items() if says_nothing_found(text)}
        memory.denying_texts.append(denying)
        if denying or not find_blocks(BlockFinder(page, search.is_own, self._scorer), {}):
            learn_constant_numbers(page, memory)
        self._learn_path(query, reply.response.url)
        # Links that the frame repeats show which parts of addresses change by themselves.
        keys = self._keys()
        for link in page.links[:_MAX_NOTED]:
            if not search.is_own(link.url):
                text = page.outline.text(link.row)[:40]
                keys.note(f"{text} {link.url.partition('?')[0]}", link.url)

    def _learn_lists(
        self, query: Query, reply: Reply, page: AnswerPage, search: SearchAddresses
    ) -> None:
        """Learns what an answer to nonsense lists."""
        memory = self._memory
        # Blocks that this answer has and earlier ones to nonsense had not: news, random offers.
        beyond_frame = AnswerPage(reply.outline, query, memory.frame)
        for block in BlockFinder(beyond_frame, search.is_own, self._scorer).candidates():
            if len(memory.nonsense_places) < _MAX_NONSENSE_PLACES:
                memory.nonsense_places.setdefault(block.place, 1)
            kept = sum(map(len, memory.nonsense_items.values()))
            if block.split.linked > _LINKED and kept < MAX_LISTED:
                items = memory.nonsense_items.setdefault(block.place, set())
                for item in block.split.items:
                    items |= page.digests_between(item.first, item.end)

    def _learn_path(self, query: Query, url: Url) -> None:
        if len(self._memory.paths) < _MAX_PATHS:
            self._memory.paths.add(_path(query, url))

    def _search(self, query: Query, reply: Reply) -> SearchAddresses:
        return SearchAddresses(self._form, query, reply.response.url, self._memory.paths)

    def _keys(self) -> RecordKeyRules:
        memory = self._memory
        return RecordKeyRules(memory.dropped, memory.met, memory.changes, memory.telling)

    def read(self, query: Query, reply: Reply) -> Answer:
        """The answer in the reply, without its next page."""
        answer = self._read(query, reply)
        return structs.replace(answer, url=reply.response.url, requests=reply.response.requests)

    def _read(self, query: Query, reply: Reply) -> Answer:
        judged = self._judge_status(query, reply)
        if judged is not None:
            return Answer(judged[0], why=judged[1])
        memory, status = self._memory, reply.response.status
        if status in GONE:
            if memory.nonsense_texts and status not in memory.nonsense_statuses:
                return Answer(UNCLEAR, why=f"status {status}, which nonsense did not get")
            return Answer(NOTHING, why=f"status {status}")
        tree = read_data(reply.response.body, reply.response.header("content-type"))
        if tree is not None:
            return self._read_data(query, reply, tree)
        page = AnswerPage(
            reply.outline,
            query,
            self._frame(),
            self._common_texts(),
            is_framed=bool(memory.nonsense_texts),
        )
        search = self._search(query, reply)
        finder = BlockFinder(page, search.is_own, self._scorer)
        blocks = find_blocks(finder, memory.places)
        if self._is_nothing(page, blocks):
            lists_same = self._lists_what_nonsense_gets(page)
            same = SAME_AS_NONSENSE if lists_same else "the same answer as to a nonsense word"
            return Answer(NOTHING, why=same)
        doubt = self._doubt_blocks(finder, reply, blocks)
        if doubt is not None:
            return doubt
        if self._is_record(query, reply, blocks):
            record = read_record_page(page, reply, self._keys(), memory.labels)
            return Answer(RECORD, (record,), why="a redirect led to a page of its own")
        if blocks:
            return self._read_results(query, reply, finder, search, blocks)
        answer = self._read_without_blocks(query, reply, finder, search)
        if answer.kind == UNCLEAR:
            # Pages that a script fills carry their records in it.
            return self._read_scripts(reply) or answer
        return answer

    def _read_scripts(self, reply: Reply) -> Answer | None:
        """The records that the scripts of a page hold; None if there are none."""
        text = decode(reply.response.body, reply.response.header("content-type"))
        lists = [one for tree in find_script_data(text) for one in find_lists(tree)]
        chosen = choose_list(lists, self._memory.places)
        if chosen is None or len(chosen.items) < _MIN_STATE_ITEMS:
            return None
        records = DataRecordReader(reply.outline.join, self._keys().key).read(chosen)
        if 2 * sum(record.url is not None for record in records) < len(records):
            # Settings and translations lead nowhere.
            return None
        why = f"a list of {len(records)} items in a script"
        return Answer(RESULTS, tuple(records), why=why)

    def _read_data(self, query: Query, reply: Reply, tree: Any) -> Answer:
        """An answer that is data; if it has no list, the piece of a page that it may hold: a script
        would put it into the page that it runs on."""
        lists = find_lists(tree)
        inner, share = find_html(tree)
        chosen = choose_list(lists, self._memory.places) if share > _PAGE_SHARE else None
        # One record may well be mostly its own text; of several each has some.
        if share > _PAGE_SHARE and (chosen is None or len(chosen.items) > 1):
            answer = self._read_inner_page(query, reply, inner)
            if answer.kind == RESULTS and len(answer.records) > 1:
                return answer
        answer = self._read_tree(reply, tree, lists)
        if not inner or answer.kind not in (UNCLEAR, NOTHING):
            return answer
        return self._read_inner_page(query, reply, inner)

    def _read_inner_page(self, query: Query, reply: Reply, inner: str) -> Answer:
        headers = (("content-type", "text/html; charset=utf-8"),)
        body = inner.encode("utf-8", "replace")
        return self._read(
            query, reply_of(structs.replace(reply.response, body=body, headers=headers))
        )

    def _read_tree(self, reply: Reply, tree: Any, lists: Sequence[DataList]) -> Answer:
        """The list of results in the data."""
        memory = self._memory
        fresh = [one for one in lists if one.place not in memory.nonsense_places]
        chosen = choose_list(fresh, memory.places)
        reader = DataRecordReader(reply.outline.join, self._keys().key)
        records = reader.read(chosen) if chosen else []
        if chosen is None or not records:
            error = find_error(tree)
            if error:
                return Answer(REFUSED, why=f"it says {error!r}")
            if any(not one.items for one in fresh) or memory.places:
                return Answer(NOTHING, why="its lists are empty")
            if not fresh and choose_list(lists, memory.places) is not None:
                return Answer(NOTHING, why=SAME_AS_NONSENSE)
            return Answer(UNCLEAR, why="no list of results in the data")
        if len(records) > 1 and len(memory.places) < _MAX_PLACES:
            memory.places.setdefault(chosen.place, ListFormat(EACH, ()))
        for record in records:
            if record.url and len(memory.shapes) < _MAX_SHAPES:
                memory.shapes.setdefault(shape_of(record.url), 1)
        total = find_data_total(tree, len(records))
        why = f"a list of {len(records)} items at {chosen.path.strip('.') or 'the top'}"
        return Answer(RESULTS, tuple(records), total, total is not None, why=why)

    def _judge_status(self, query: Query, reply: Reply) -> tuple[str, str] | None:
        """What is forbidden for one query while others are answered is that query's own fault;
        what is forbidden for one after the other is closed."""
        memory, judged = self._memory, judge_status(reply)
        if reply.response.status != FORBIDDEN or judged is None:
            memory.forbidden.clear()
            return judged
        if query.text not in memory.forbidden and len(memory.forbidden) <= _MAX_FORBIDDEN:
            memory.forbidden.append(query.text)
        has_answered = bool(memory.nonsense_texts or memory.places)
        if not has_answered or len(memory.forbidden) > _MAX_FORBIDDEN:
            return judged
        if self._new_barriers(reply, reply.page.leaves):
            return judged
        return REFUSED, f"{judged[1]}, while other queries are answered"

    def _read_without_blocks(
        self, query: Query, reply: Reply, finder: BlockFinder, search: SearchAddresses
    ) -> Answer:
        answer = self._read_without_results(finder.page, reply)
        if answer.kind != UNCLEAR or not self._memory.nonsense_texts:
            return answer
        single = find_single_block(finder)
        if single is not None:
            return self._read_results(query, reply, finder, search, [single])
        # Results whose links all lead to the search's own address, if nothing else is there.
        finder = BlockFinder(finder.page, lambda _url: False, self._scorer)
        blocks = find_blocks(finder, {})
        if not blocks or finder.chars_per_item(blocks) < _MIN_ITEM_CHARS:
            return answer
        return self._read_results(query, reply, finder, search, blocks)

    def _doubt_blocks(
        self, finder: BlockFinder, reply: Reply, blocks: list[ResultBlock]
    ) -> Answer | None:
        """A refusal or a ban that has lists of its own: of advice, of errors."""
        memory, response, page = self._memory, reply.response, finder.page
        if any(block.place in memory.places for block in blocks):
            return None
        if response.hops and shape_of(response.url) in memory.shapes:
            return None
        is_linked = any(block.split.linked > 0.5 for block in blocks)
        count = sum(len(block.split.items) for block in blocks)
        if count >= _MIN_GOOD_ITEMS and are_results(finder, blocks, is_linked=is_linked):
            return None
        barriers = self._new_barriers(reply, _texts_beside(page, blocks))
        # An answer has most of what all answers have.
        common = self._common_texts()
        is_framed = 2 * len(common & page.texts.keys()) >= len(common)
        if barriers and not (is_linked and is_framed and not response.hops):
            return Answer(BLOCKED, why=barriers[0])
        if is_linked or not blocks or response.hops:
            return None
        answer = self._read_without_results(page, reply, blocks)
        return answer if answer.kind == REFUSED else None

    def _new_barriers(self, reply: Reply, texts: Sequence[str]) -> list[str]:
        return [bar for bar in find_barriers(reply, texts) if bar not in self._memory.barriers]

    def _frame(self) -> set[int]:
        memory = self._memory
        if memory.nonsense_texts or len(memory.early_texts) < 2:
            return memory.frame
        return memory.early_texts[0] & memory.early_texts[1]

    def _common_texts(self) -> set[int]:
        """What every answer shows."""
        memory = self._memory
        early = memory.early_texts if len(memory.early_texts) > 1 else [set()]
        return set.intersection(*(memory.nonsense_texts or early))

    def _is_nothing(self, page: AnswerPage, blocks: list[ResultBlock]) -> bool:
        memory = self._memory
        if not memory.nonsense_texts:
            return False
        here = page.texts.keys()
        denying = set.intersection(*memory.denying_texts)
        if not memory.denials:
            # No list was seen yet, or lists show all that nonsense gets: the page must say all of
            # that, and may have only the lists that nonsense gets.
            has_all = (denying or self._common_texts()) <= here
            is_known = all(block.place in memory.nonsense_places for block in blocks)
            return has_all and (not blocks or (is_known and bool(denying)))
        # Sentences that deny, and that no list of results had, decide alone.
        if denying & memory.denials:
            return not here.isdisjoint(denying & memory.denials)
        denied = len(memory.denials & here)
        return 2 * denied > len(memory.denials) and (not blocks or denied == len(memory.denials))

    def _lists_what_nonsense_gets(self, page: AnswerPage) -> bool:
        """Whether the page has records that answers to nonsense have too, and says in no word that
        it found nothing."""
        memory = self._memory
        if any(memory.denying_texts):
            return False
        here = page.digests_between(0, len(page.outline))
        return any(
            len(listed) >= _MIN_LISTED and len(listed & here) > _STILL_THERE * len(listed)
            for listed in memory.nonsense_items.values()
        )

    def _is_record(self, query: Query, reply: Reply, blocks: list[ResultBlock]) -> bool:
        """Whether a redirect led away from where answers come from, to a record."""
        url, memory = reply.response.url, self._memory
        if not reply.response.hops or (has_form(reply, self._form) and not memory.has_form):
            return False
        if shape_of(url) in memory.shapes:
            return True
        if any(block.place in memory.places for block in blocks):
            return False
        if _path(query, url) in memory.paths:
            return False
        own = {self._form.page.partition("?")[0], (self._form.action or "").partition("?")[0]}
        is_elsewhere = url.partition("?")[0] not in own and not is_home_page(url)
        return is_elsewhere and bool(memory.nonsense_texts or not blocks)

    def _read_results(
        self,
        query: Query,
        reply: Reply,
        finder: BlockFinder,
        search: SearchAddresses,
        blocks: list[ResultBlock],
    ) -> Answer:
        page = finder.page
        is_cut = self._is_cut(reply)
        if is_cut:
            blocks = _without_last_item(blocks, page)
        records = RecordReader(finder, search, self._memory).read(blocks)
        if not records:
            return self._read_without_results(page, reply)
        taken = [range(i.first, i.end) for block in blocks for i in block.split.items]
        total = find_total(page, taken, len(taken), self._memory)
        self._learn_results(query, reply, page, blocks, records)
        places = f"{len(blocks)} blocks" if len(blocks) > 1 else "a block"
        apart = " that nonsense did not get" if self._memory.nonsense_texts else ""
        return Answer(
            RESULTS,
            tuple(records),
            total.value if total else None,
            total.is_exact if total else False,
            why="the page is cut short" if is_cut else f"{places} of {len(records)} items{apart}",
        )

    def _is_cut(self, reply: Reply) -> bool:
        if reply.outline.truncated or reply.page.truncated in _CUTTING:
            return True
        if self._memory.is_closed and not _is_closed(reply):
            return True
        body = reply.response.body.rstrip()
        return body.rfind(b"<") > body.rfind(b">")

    def _learn_results(
        self,
        query: Query,
        reply: Reply,
        page: AnswerPage,
        blocks: list[ResultBlock],
        records: list[Record],
    ) -> None:
        memory = self._memory
        counts: Counter[str] = Counter()
        for block in blocks:
            counts[block.place] += len(block.split.items)
        for block in blocks:
            # One or two items say too little of how the next ones look.
            is_telling = counts[block.place] > 2 and len(records) > 2
            if is_telling and len(memory.places) < _MAX_PLACES:
                memory.places.setdefault(block.place, learn_format(page, block.split))
        self._free_listed(page, blocks)
        for record in records:
            if record.url and len(memory.shapes) < _MAX_SHAPES:
                memory.shapes.setdefault(shape_of(record.url), 1)
        self._learn_path(query, reply.response.url)
        if memory.nonsense_texts:
            # What a list of results says too is no denial.
            denials = self._common_texts() if memory.denials is None else memory.denials
            memory.denials = denials - page.texts.keys()
        elif len(memory.early_texts) < 2 and (digests := page.digests()) not in memory.early_texts:
            # The same page twice would make all of it the frame.
            memory.early_texts.append(digests)

    def _free_listed(self, page: AnswerPage, blocks: Sequence[ResultBlock]) -> None:
        """Takes out of the frame what answers to nonsense list where results stand: sources that
        find nothing show their latest records instead. A menu that stays is none of these."""
        memory = self._memory
        for place in {block.place for block in blocks} & memory.nonsense_items.keys():
            listed = memory.nonsense_items[place]
            shown = page.digests_between(0, len(page.outline))
            if len(listed & shown) < _STILL_THERE * len(listed):
                memory.frame -= memory.nonsense_items.pop(place)

    def _read_without_results(
        self, page: AnswerPage, reply: Reply, blocks: Sequence[ResultBlock] = ()
    ) -> Answer:
        """By what the page says outside `blocks`."""
        texts = _texts_beside(page, blocks)
        barriers = self._new_barriers(reply, texts)
        if barriers:
            return Answer(BLOCKED, why=barriers[0])
        if has_form(reply, self._form) and not self._memory.has_form:
            return Answer(REFUSED, why="it shows the form once more")
        judged = judge_words(texts)
        if judged is not None:
            return Answer(judged[0], why=judged[1])
        return Answer(UNCLEAR, why="no list of results, and no word of nothing found")


def _texts_beside(page: AnswerPage, blocks: Sequence[ResultBlock]) -> list[str]:
    """Fresh texts outside the items of blocks."""
    spans = [(block.split.items[0].first, block.split.items[-1].end) for block in blocks]
    return page.fresh_texts(spans)


def _path(query: Query, url: Url) -> str:
    path = url.partition("?")[0].casefold()
    for _, value in query.values:
        if value:
            path = path.replace(value.casefold(), "*")
    return path


def _is_closed(reply: Reply) -> bool:
    return b"</html" in reply.response.body[-_END_BYTES:].lower()


def _without_last_item(blocks: list[ResultBlock], page: AnswerPage) -> list[ResultBlock]:
    """Without the item that the cut went through."""
    last = max(blocks, key=lambda block: block.row)
    if page.outline.ends[last.row] < len(page.outline):
        return blocks
    items = last.split.items[:-1]
    others = [block for block in blocks if block is not last]
    split = structs.replace(last.split, items=items)
    return [*others, structs.replace(last, split=split)] if items else others
