"""Learns from several pages of a source where its records' values stand.

Texts that vary in the same place become a slot. Places are known by three kinds of addresses; of
slots that hold the same texts the one that is most often filled, and whose values are most alike,
is kept. The text of the template before a value, the heading of its table, its property, class
and id are its labels, in this order.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set

from msgspec import Struct, structs

from leadline.core.table import Slot, Wrapper
from leadline.extraction.evidence import fits_values
from leadline.extraction.frame import find_frame, has_colon, is_like_label
from leadline.extraction.page_texts import Address, PageText, find_addresses, read_texts
from leadline.extraction.values import guess_kind, has_places
from leadline.extraction.vocabulary import find_properties, normalise_label
from leadline.page.outline import Outline

_LEAST_PAGES = 2
_LEAST_FILLED = 0.08
_SAME = 0.6
"""Share of a slot's texts that another slot holds, from which they are one."""
_MAX_NUMBERED = 8
"""Texts behind one label that are told apart by their number, when pages agree on it."""
_AGREE = 0.7
_NEAR_ROWS = 14
"""Rows of the outline between a label and its value: a few cells and wrappers."""
_MAX_SLOTS = 250
_LEAST_STRUCTURED = 0.5
"""Share of the pages that must have a property in data: data of a template are on all its pages."""
_LEAST_KNOWN = 0.8
_MOST_LINES = 3
"""Of an address below its street: a suite, the town, the country."""
_words = re.compile(r"[A-Za-z][A-Za-z_-]{2,}").findall
_prefix = re.compile(r"^\s*([^\W\d_][^:\uff1a]{0,38}?)\s*[:\uff1a]\s*(?=\S)").match
_LEAST_NAME = 0.3
_REACH = 0.25
"""Share of the page behind the name of its record over which prominence falls to a third."""
_HEADINGS = frozenset({"h1", "h2", "h3"})
_LAYOUT = frozenset(
    "content main body wrapper container left right center top bottom col column row cell box "
    "block inner outer clear clearfix section module panel text bold small large normal font "
    "data list item items table grid span div page info details detail field label value".split()
)


class SourcePage(Struct, frozen=True):
    """One page as wrappers are learned from it."""

    outline: Outline
    title: str = ""
    """Of the document."""
    structured: Mapping[str, tuple[str, ...]] = {}
    """What it says in data, by property (`extraction.structured`)."""


class _Candidate(Struct):
    """Texts of pages that share an address."""

    keys: tuple[str, ...]
    nodes: dict[int, list[int]]
    """By page the numbers of its texts."""
    is_list: bool = False
    score: float = 0.0
    label: str = ""
    agreement: float = 0.0


def learn_wrapper(source: str, pages: Sequence[SourcePage], version: int = 1) -> Wrapper:
    """The wrapper of a source; one without slots if its pages share nothing, or there is one."""
    return WrapperLearner(pages).learn(source, version)


class WrapperLearner:
    """All that is known of the pages while a wrapper is learned."""

    def __init__(self, pages: Sequence[SourcePage]) -> None:
        self.pages = pages
        self.texts = [read_texts(page.outline) for page in pages]
        self.frame = find_frame(self.texts)
        self.addresses = [find_addresses(texts, self.frame) for texts in self.texts]

    def learn(self, source: str, version: int) -> Wrapper:
        candidates = self._find_candidates()
        for candidate in candidates:
            self._rate(candidate)
        kept = self._join_templates(self._choose(candidates))
        name = self._find_name(kept)
        slots = [self._make_slot(number, candidate) for number, candidate in enumerate(kept)]
        slots = self._rate_nearness(_mark_name(slots, name), kept, name)
        slots = [
            structs.replace(slot, further=self._find_further(number, kept))
            for number, slot in enumerate(slots)
        ]
        slots = self._add_structured(slots, kept)
        filled = [
            sum(bool(candidate.nodes.get(page)) for candidate in kept) / max(1, len(kept))
            for page in range(len(self.pages))
        ]
        fit = sorted(filled)[len(filled) // 2] if filled else 0.0
        return Wrapper(
            source, version, len(self.pages), tuple(sorted(self.frame)), tuple(slots), round(fit, 3)
        )

    def _find_candidates(self) -> list[_Candidate]:
        found: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        after: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for page, addresses in enumerate(self.addresses):
            for number, address in enumerate(addresses):
                if address is None:
                    continue
                after[address.after][page].append(number)
                found[f"p{address.path:x}"][page].append(number)
                found[f"s{address.spot:x}"][page].append(number)
        candidates = [_Candidate((key,), dict(nodes)) for key, nodes in found.items()]
        for mark, nodes in after.items():
            candidates += _split_numbered(mark, dict(nodes))
        least = max(_LEAST_PAGES, _LEAST_FILLED * len(self.pages))
        return [candidate for candidate in candidates if len(candidate.nodes) >= least]

    def _rate(self, candidate: _Candidate) -> None:
        """How good a column the texts make: on many pages, behind the same label, varying."""
        labels: Counter[str] = Counter()
        texts: Counter[str] = Counter()
        for page, numbers in candidate.nodes.items():
            first = numbers[0]
            labels[self._label_before(page, first)] += 1
            texts[self.texts[page][first].text] += 1
        pages = len(candidate.nodes)
        label, most = labels.most_common(1)[0]
        candidate.label, candidate.agreement = label, most / pages
        filled = pages / len(self.pages)
        varied = min(1.0, (len(texts) - 1) / max(1, min(pages - 1, 6)))
        kind = candidate.keys[0][0]
        prior = {"a": 1.0, "p": 0.93, "s": 0.9}[kind]
        candidate.score = (
            filled * (0.35 + 0.65 * candidate.agreement) * prior * (0.5 + 0.5 * varied)
        )
        if len(texts) == 1:
            candidate.score = 0.0

    def _label_before(self, page: int, number: int) -> str:
        """The text of the template before a value, if nothing else stands between."""
        address = self.addresses[page][number]
        if address is None or address.anchor < 0:
            return ""
        anchor = self.texts[page][address.anchor]
        if not is_like_label(anchor.text):
            return ""
        # What one can follow is named by its link, and names nothing else.
        outline = self.pages[page].outline
        is_link = outline.tags[outline.parents[anchor.row]] in ("a", "button")
        return "" if is_link and not has_colon(anchor.text) else anchor.text

    def _label_behind(self, page: int, number: int) -> str:
        """A role in brackets behind the value: `Ann Smith (Author)`."""
        texts = self.texts[page]
        after = texts[number + 1] if number + 1 < len(texts) else None
        if after is None or after.mark not in self.frame or after.row > texts[number].row + 4:
            return ""
        text = after.text.strip()
        return text.strip("() ") if text[:1] + text[-1:] == "()" and is_like_label(text) else ""

    def _choose(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """The best candidates of those that hold the same texts."""
        candidates = [candidate for candidate in candidates if candidate.score > 0]
        candidates.sort(key=lambda candidate: (-candidate.score, candidate.keys))
        holders: dict[tuple[int, int], list[int]] = defaultdict(list)
        kept: list[_Candidate] = []
        for candidate in candidates:
            firsts = [(page, numbers[0]) for page, numbers in candidate.nodes.items()]
            held = Counter(holder for node in firsts for holder in holders.get(node, ()))
            most = max(held.values(), default=0)
            if most >= _SAME * len(firsts):
                continue
            for node in firsts:
                holders[node].append(len(kept))
            kept.append(candidate)
            if len(kept) >= _MAX_SLOTS:
                break
        return sorted(kept, key=self._document_order)

    def _join_templates(self, kept: list[_Candidate]) -> list[_Candidate]:
        """Slots with the same label on different pages are one: a site may have several templates,
        or cells before the value that only some pages have."""
        joined: list[_Candidate] = []
        by_label: dict[str, list[_Candidate]] = defaultdict(list)
        for candidate in sorted(kept, key=lambda one: -one.score):
            label = normalise_label(candidate.label)
            is_sure = bool(label) and candidate.agreement >= _AGREE and not candidate.is_list
            others = by_label[label] if is_sure and self._is_first(candidate) else []
            other = next(
                (one for one in others if not one.nodes.keys() & candidate.nodes.keys()), None
            )
            if other is not None:
                other.nodes |= candidate.nodes
                other.keys += candidate.keys
                continue
            if is_sure and self._is_first(candidate):
                by_label[label].append(candidate)
            joined.append(candidate)
        return sorted(joined, key=self._document_order)

    def _is_first(self, candidate: _Candidate) -> bool:
        """Whether it is what directly follows the label, mostly."""
        firsts = sum(
            self.texts[page][numbers[0] - 1].mark in self.frame if numbers[0] else False
            for page, numbers in candidate.nodes.items()
        )
        return firsts >= _AGREE * len(candidate.nodes)

    def _document_order(self, candidate: _Candidate) -> float:
        places = [
            self.texts[page][numbers[0]].row / max(1, len(self.pages[page].outline))
            for page, numbers in candidate.nodes.items()
        ]
        return sum(places) / len(places)

    def _make_slot(self, number: int, candidate: _Candidate) -> Slot:
        firsts = [(page, numbers[0]) for page, numbers in sorted(candidate.nodes.items())]
        texts = [self.texts[page][first].text for page, first in firsts]
        prefix = find_prefix(texts)
        bare = strip_prefix(texts)
        labels = self._labels(firsts, prefix)
        filled = len(firsts) / len(self.pages)
        known = max(
            (
                max(find_properties(label.lstrip("@.")).values(), default=0.0)
                for label in labels[:2]
            ),
            default=0.0,
        )
        distinct = len(set(texts)) / len(texts)
        prominence = 0.4 * filled + 0.3 * known + 0.3 * min(1.0, 2 * distinct)
        shown = labels[0].lstrip("@.") if labels else "value"
        where = f"after {candidate.label!r}" if candidate.label else "by its place"
        return Slot(
            name=f"{number:03} {shown}"[:60],
            keys=candidate.keys,
            kind=guess_kind(bare),
            labels=tuple(labels),
            is_list=candidate.is_list,
            filled=round(filled, 3),
            prominence=round(prominence, 3),
            why=f"{where} on {len(firsts)} of {len(self.pages)} pages",
            examples=tuple(dict.fromkeys(texts))[:5],
        )

    def _labels(self, firsts: Sequence[tuple[int, int]], prefix: str) -> list[str]:
        found = [prefix] if prefix else []
        near: Counter[str] = Counter()
        headings: Counter[str] = Counter()
        weak: Counter[str] = Counter()
        for page, number in firsts:
            outline, text = self.pages[page].outline, self.texts[page][number]
            address = self.addresses[page][number]
            label = self._label_before(page, number)
            if address and label:
                distance = text.row - self.texts[page][address.anchor].row
                if distance <= _NEAR_ROWS and address.number == 0:
                    near[label] += 1
            behind = self._label_behind(page, number)
            if behind:
                headings[behind] += 1
            heading = _heading_of(outline, text.row)
            if heading:
                headings[heading] += 1
            weak.update(_weak_labels(outline, text.row))
        least = 0.4 * len(firsts)
        for counts in (headings, near):
            found += [label.strip(" :\uff1a") for label, n in counts.most_common(2) if n >= least]
        found += [label for label, n in weak.most_common(6) if n >= least]
        return list(dict.fromkeys(label for label in found if label))

    def _add_structured(self, slots: list[Slot], kept: Sequence[_Candidate]) -> list[Slot]:
        """The slots, of which those that show what data say have the property for a label; then
        one for each known property that is shown in no slot and varies."""
        names = Counter(name for page in self.pages for name in page.structured)
        shown = [
            {page: _plain(self.texts[page][numbers[0]].text) for page, numbers in one.nodes.items()}
            for one in kept
        ]
        least = max(_LEAST_PAGES, _LEAST_STRUCTURED * len(self.pages))
        found = list(slots)
        for name, pages in sorted(names.items()):
            said = {
                number: page.structured[name]
                for number, page in enumerate(self.pages)
                if page.structured.get(name)
            }
            if pages < least or len(set(said.values())) < 2:
                continue  # What all pages say speaks of their site.
            agreed = [
                sum(page in said and text in map(_plain, said[page]) for page, text in own.items())
                for own in shown
            ]
            best = max(range(len(agreed)), key=lambda number: agreed[number], default=-1)
            if best >= 0 and agreed[best] >= _AGREE * len(said):
                labels = tuple(dict.fromkeys((f"@{name}", *found[best].labels)))
                found[best] = structs.replace(found[best], labels=labels)
            elif max(find_properties(name).values(), default=0.0) >= _LEAST_KNOWN:
                texts = [texts[0] for texts in said.values()]
                found.append(
                    Slot(
                        name=f"@{name}",
                        keys=(f"j{name}",),
                        kind=guess_kind(texts),
                        labels=(f"@{name}",),
                        is_list=sum(len(one) > 1 for one in said.values()) > 0.3 * len(said),
                        filled=round(len(said) / len(self.pages), 3),
                        prominence=0.9,
                        why=f"said in data on {len(said)} of {len(self.pages)} pages",
                        examples=tuple(dict.fromkeys(texts))[:5],
                    )
                )
        return found

    def _find_further(self, number: int, kept: Sequence[_Candidate]) -> tuple[tuple[str, ...], ...]:
        """The keys of the lines below a street that belong to its address."""
        candidate = kept[number]
        firsts = {page: numbers[0] for page, numbers in candidate.nodes.items()}
        texts = [self.texts[page][first].text for page, first in firsts.items()]
        if candidate.is_list or fits_values("address", texts) < _AGREE:
            return ()
        found: list[tuple[str, ...]] = []
        for other in kept[number + 1 : number + 1 + _MOST_LINES]:
            below = [
                self.texts[page][other.nodes[page][0]].text
                for page, first in firsts.items()
                if page in other.nodes and other.nodes[page][0] == first + len(found) + 1
            ]
            is_next = len(below) >= _AGREE * len(firsts)
            if not is_next or not has_places(below):
                break
            found.append(other.keys)
        return tuple(found)

    def _find_name(self, kept: list[_Candidate]) -> int:
        """The slot that names the record, -1 for none. Pages that do not have it, being built
        otherwise, add the slot that names theirs."""
        pages = set(range(len(self.pages)))
        best, score = self._best_name(kept, pages)
        if best < 0 or score < _LEAST_NAME:
            return -1
        name = kept[best]
        for _ in range(3):
            left = pages - name.nodes.keys()
            if len(left) < _LEAST_PAGES:
                break
            apart = [
                one for one in kept if one is not name and not one.nodes.keys() & name.nodes.keys()
            ]
            more, score = self._best_name(apart, left)
            if more < 0 or score < _LEAST_NAME:
                break
            name.nodes |= apart[more].nodes
            name.keys += apart[more].keys
            kept.remove(apart[more])
        return next(number for number, one in enumerate(kept) if one is name)

    def _best_name(self, kept: Sequence[_Candidate], pages: Set[int]) -> tuple[int, float]:
        scores = [self._name_score(candidate, pages) for candidate in kept]
        best = max(range(len(scores)), key=lambda number: scores[number], default=-1)
        return best, scores[best] if best >= 0 else 0.0

    def _name_score(self, candidate: _Candidate, pages: Set[int]) -> float:
        """How much of the documents' titles a slot is: a page's title names its record."""
        total = 0.0
        texts = set()
        mine = candidate.nodes.keys() & pages
        for page in mine:
            found = self.texts[page][candidate.nodes[page][0]]
            text = " ".join(found.text.casefold().split())
            title = " ".join(self.pages[page].title.casefold().split())
            texts.add(text)
            is_heading = _is_heading(self.pages[page].outline, found.row)
            if len(text) > 1 and text in title:
                total += min(1.0, 0.3 + len(text) / max(1, len(title))) + 0.4 * is_heading
            elif is_heading and len(text) > 2:
                # A heading names the record where the titles of all pages say the same.
                shared = set(text.split()) & set(title.split())
                total += max(_LEAST_NAME, 0.8 * len(shared) / max(1, len(text.split())))
        # What many pages share names a kind of thing.
        varied = min(1.0, len(texts) / max(1, 0.5 * len(mine)))
        # `Nurse at St. Mary's`: titles also have what a label says to be something else.
        meant = find_properties(candidate.label) if candidate.label else {}
        is_other = max(meant.values(), default=0.0) > meant.get("name", 0.0) + 0.3
        return varied * total / max(1, len(pages)) * (0.4 if is_other else 1.0)

    def _rate_nearness(
        self, slots: list[Slot], kept: Sequence[_Candidate], name: int
    ) -> list[Slot]:
        """Slots with a prominence that falls with the distance from the record's name: what is
        said of other records stands further off."""
        if name < 0:
            return slots
        home = self._document_order(kept[name])
        found = []
        for number, (slot, candidate) in enumerate(zip(slots, kept, strict=True)):
            away = self._document_order(candidate) - home
            nearness = math.exp(-abs(away) / (_REACH if away >= 0 else _REACH / 3))
            share = 1.0 if number == name else 0.5 * slot.prominence + 0.5 * nearness
            found.append(structs.replace(slot, prominence=round(share, 3)))
        return found


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _split_numbered(mark: int, nodes: Mapping[int, list[int]]) -> list[_Candidate]:
    """Texts behind one label: each by its number where pages agree how many there are, else all as
    a list."""
    counts = Counter(map(len, nodes.values()))
    number, pages = counts.most_common(1)[0]
    if number <= _MAX_NUMBERED and pages >= _AGREE * len(nodes):
        return [
            _Candidate(
                (f"a{mark:x}/{n}",), {p: [got[n]] for p, got in nodes.items() if len(got) > n}
            )
            for n in range(number)
        ]
    return [_Candidate((f"a{mark:x}",), dict(nodes), is_list=True)]


def find_prefix(texts: Sequence[str]) -> str:
    """What stands before a colon in most of the texts: `Posted` of `Posted: May 3`."""
    counts = Counter(found[1] for text in texts if (found := _prefix(text)))
    if not counts:
        return ""
    said, times = counts.most_common(1)[0]
    return said if times >= 0.6 * len(texts) and times > 1 else ""


def strip_prefix(texts: Sequence[str]) -> list[str]:
    """The texts without a label that most of them begin with."""
    prefix = find_prefix(texts)
    if not prefix:
        return list(texts)
    found = (_prefix(text) for text in texts)
    return [
        text[one.end() :] if one and one[1] == prefix else text
        for text, one in zip(texts, found, strict=True)
    ]


def _heading_of(outline: Outline, row: int) -> str:
    """What heads the column or the row of a table cell, or the term of a definition."""
    cell = outline.parents[row]
    for _ in range(4):
        if cell <= 0 or outline.tags[cell] in ("td", "dd"):
            break
        cell = outline.parents[cell]
    if cell <= 0 or outline.tags[cell] != "td":
        return ""
    table_row = outline.parents[cell]
    body = outline.parents[table_row]
    if outline.tags[table_row] != "tr" or body < 0:
        return ""
    column = sum(1 for other in outline.children(table_row) if other < cell)
    table = body if outline.tags[body] == "table" else outline.parents[body]
    if outline.tags[table] != "table":
        return ""
    first = next(iter(outline.within(table, "tr")[:1]), None)
    if first is None or first == table_row:
        return ""
    heads = list(outline.children(first))
    if column < len(heads) and outline.tags[heads[column]] == "th" and len(heads) > 2:
        text = outline.text(heads[column])
        return text if is_like_label(text) else ""
    return ""


def _weak_labels(outline: Outline, row: int) -> list[str]:
    """Properties, then words of classes and ids, from the text's element up."""
    found: list[str] = []
    element = outline.parents[row]
    for _ in range(3):
        if element <= 0:
            break
        attributes = outline.attributes[element]
        if said := attributes.get("itemprop") or attributes.get("property"):
            found.append(f"@{said}")
        for name in (attributes.get("id", ""), attributes.get("class", "")):
            for word in name.split():
                parts = [part for part in _words(word) if part.lower() not in _LAYOUT]
                if parts and len(word) < 40:
                    found.append("." + " ".join(parts))
        element = outline.parents[element]
    return list(dict.fromkeys(found))


def _is_heading(outline: Outline, row: int) -> bool:
    element = outline.parents[row]
    for _ in range(3):
        if element <= 0:
            return False
        if outline.tags[element] in _HEADINGS:
            return True
        element = outline.parents[element]
    return False


def _mark_name(slots: list[Slot], best: int) -> list[Slot]:
    """The slots with the one that names the record labelled so."""
    if best < 0:
        return slots
    slot = slots[best]
    labels = tuple(dict.fromkeys((NAME_LABEL, *slot.labels)))
    slots[best] = structs.replace(
        slot, labels=labels, prominence=1.0, why=f"{slot.why}; what the titles of the documents say"
    )
    return slots


NAME_LABEL = "@name"


def read_slots(wrapper: Wrapper, page: SourcePage) -> dict[str, list[str]]:
    """The texts of a page by the slot they stand in."""
    texts = read_texts(page.outline)
    addresses = find_addresses(texts, frozenset(wrapper.frame))
    by_key = _index(texts, addresses)
    for name, said in page.structured.items():
        by_key[f"j{name}"] = list(said)
    found: dict[str, list[str]] = {}
    for slot in wrapper.slots:
        got = next((by_key[key] for key in slot.keys if key in by_key), None)
        if got:
            lines = (
                next((by_key[key] for key in keys if key in by_key), []) for keys in slot.further
            )
            below = [line[0] for line in lines if line]
            found[slot.name] = got if slot.is_list else [got[0], *below]
    return found


def _index(texts: Sequence[PageText], addresses: Sequence[Address | None]) -> dict[str, list[str]]:
    by_key: dict[str, list[str]] = defaultdict(list)
    for text, address in zip(texts, addresses, strict=True):
        if address is not None:
            by_key[f"p{address.path:x}"].append(text.text)
            by_key[f"s{address.spot:x}"].append(text.text)
            by_key[f"a{address.after:x}"].append(text.text)
            by_key[f"a{address.after:x}/{address.number}"].append(text.text)
    return by_key
