"""Addresses on an answer: which lead back into the search, and which parts identify a record."""

import base64
import re
from collections import Counter
from collections.abc import Collection, Sequence
from urllib.parse import unquote, unquote_plus

from leadline.core.harvest import Query
from leadline.core.page import Form
from leadline.core.url import SESSION, TRACKING, Url, origin_of, path_of

_MAX_PARAMETERS = 40
_MAX_SEGMENTS = 20
_MAX_DECISIONS = 200
_MIN_TOKEN_CHARS = 16
"""Fewer letters and digits name things; sessions and signatures have more."""
_MAX_REMEMBERED = 500
"""Things whose address is remembered, to be compared with another one."""
_MIN_CHANGES = 3
"""Records whose address must change in one part before that part is dropped: two records that
look alike must not be enough."""
_MIN_DIFFERENT = 0.9
"""Share of addresses that must still differ without a part for it to be dropped."""
_MAX_WRAPPER_CHARS = 4_000
_is_address = re.compile(
    r"(?:https?:)?//[^\s/?#]+\.[^\s/?#.]{2,}(?:[/?#]\S*)?$", re.IGNORECASE
).match
_holds_address = re.compile(r"https?(?::|%3a)|ahr0c|=(?://|%2f%2f)").search
_path_session = re.compile(r";[A-Za-z_.]*(?:sess|sid)[A-Za-z_.]*=[^/?;]*", re.IGNORECASE)
_pairs = re.compile(r"[^&;]+").findall
_numeric = re.compile(r"-?\d{1,12}").fullmatch
_marked_address = re.compile(r"/[^/?]*[*,;|-](https?(?::|%3a)(?:/|%2f){2}.+)", re.IGNORECASE).search
_digits = re.compile(r"\d+")
_spaces = re.compile(r"[\s_+-]+")


def unwrap_redirect(url: str) -> str:
    """Where an address that counts clicks leads: the absolute address of another host that it holds
    in a parameter, or encoded in a segment of its path; '' for any other address.

    >>> unwrap_redirect("https://find.test/url?q=http%3A%2F%2Fa.test%2Fbook&sa=U")
    'http://a.test/book'
    >>> unwrap_redirect("https://r.find.test/x/RU=https%3a%2f%2fa.test%2fb%2f7/RK=2")
    'https://a.test/b/7'
    >>> unwrap_redirect("https://find.test/go?u=a1aHR0cHM6Ly9hLnRlc3QvYm9vay83")
    'https://a.test/book/7'
    >>> unwrap_redirect("http://find.test/go?http://a.test/book?n=7")
    'http://a.test/book?n=7'
    >>> unwrap_redirect("http://r.find.test/S=7/R=2/*-http://a.test/book?n=7")
    'http://a.test/book?n=7'
    """
    lowered = url[:_MAX_WRAPPER_CHARS].lower()
    if not _holds_address(lowered[8:]):
        return ""
    head, _, tail = url.partition("?")
    host = origin_of(head + "/")
    values = [pair.partition("=")[2] for pair in _pairs(tail)[:_MAX_PARAMETERS]]
    # `/go?http://a.test/`: a parameter without a name.
    values.append(tail)
    # A query inside a parameter is encoded; in a path too, else it is an archive's own address.
    values += [part.rpartition("=")[2] for part in head[len(host) :].split("/") if "%3" in part]
    # A sign stands before an address that is not encoded; before an archive's own, a slash.
    if marked := _marked_address(url[:_MAX_WRAPPER_CHARS]):
        values.append(marked[1])
    for value in values:
        for plain in (unquote(value), _decode_base64(value)):
            if _is_address(plain) and origin_of(f"{plain}/").partition("//")[2] not in host:
                return plain
    return ""


def _decode_base64(value: str) -> str:
    """An address in base64, with a letter or two before it; '' for anything else."""
    start = value.find("aHR0c", 0, 8)
    if start < 0:
        return ""
    coded = unquote(value[start:]).rstrip("=")
    try:
        return base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return ""


def parameters_of(url: str) -> dict[str, str]:
    """The first value of each parameter."""
    found: dict[str, str] = {}
    for pair in _pairs(url.partition("?")[2])[:_MAX_PARAMETERS]:
        name, _, value = pair.partition("=")
        found.setdefault(unquote_plus(name), unquote_plus(value))
    return found


def split_address(url: str) -> dict[str, str]:
    """The parts of an address: parameters by name, path segments by `/` and their position; what
    is deeper than _MAX_SEGMENTS is one part, because parts are weighed against each other."""
    path = path_of(Url(url)).partition("?")[0]
    parts = path.split("/", _MAX_SEGMENTS)[1:]
    segments = {f"/{n}": unquote_plus(part) for n, part in enumerate(parts) if part}
    return {**segments, **parameters_of(url)}


def shape_of(url: str) -> str:
    """The address without what differs between things of one kind."""
    bare = _path_session.sub("", url)
    head, _, tail = bare.partition("?")
    folder, _, last = head[len(origin_of(head)) :].rpartition("/")
    name = "#" if not _digits.sub("", last) else _digits.sub("#", last) if "." in last else "*"
    names = sorted({pair.partition("=")[0] for pair in _pairs(tail)})
    return f"{origin_of(head)}{_digits.sub('#', folder)}/{name if last else ''}?{'&'.join(names)}"


class SearchAddresses:
    """Recognises addresses that belong to the search itself: pages, orders, narrower answers."""

    def __init__(
        self, form: Form, query: Query, url: Url, paths: Collection[str] = frozenset()
    ) -> None:
        """`paths`: where answers to other queries came from, in small letters: a path that stays
        the same does not name what was asked, though it may hold the word."""
        self._own = {_bare(url)} | ({_bare(form.action)} if form.action else set())
        self._controls = {field.name for field in form.fields if field.kind != "hidden"}
        hidden = {f.name: f.value for f in form.fields if f.kind == "hidden" and f.value}
        given = {name: value for name, value in parameters_of(url).items() if value}
        self.state = {**hidden, **given, **dict(query.values)}
        """Names and values of the request, as far as they are known."""
        self._known = self._controls | self.state.keys()
        self._values = [value for _, value in query.values if value]
        self.asked = [value for value in self._values if len(value) > 1]
        self._fixed = {
            name: value
            for name, value in {**hidden, **given}.items()
            if name not in self._controls and not is_token(value) and not _numeric(value)
        }
        path = unquote_plus(_bare(url)).casefold()
        # Whole words of the path alone: `12` is no query in `127.0.0.1`, nor in `/items/127`.
        said = unquote_plus(path_of(url).partition("?")[0]).casefold()
        is_named = any(_holds_words(said, value.casefold()) for value in self.asked)
        is_named = is_named and path not in paths
        self._named = _bare(url) if is_named else ""

    def is_own(self, url: Url) -> bool:
        """Whether the address asks the source once more."""
        bare = _bare(url)
        if self._named and bare.startswith(self._named):
            return True
        if bare not in self._own:
            return False
        said = parameters_of(url)
        if not said:
            return True
        if self._controls.isdisjoint(said):
            # Without a control it must repeat the whole request.
            is_repeated = all(name in said for name, value in self.state.items() if value)
            if not (self._fixed and is_repeated):
                return False
        # Another value of one fixed parameter narrows the search (`cat=2`); a parameter that the
        # request does not know beside it shows a thing (`view=record&id=7`).
        changed = [n for n, value in self._fixed.items() if said.get(n, value) != value]
        return not changed or (len(changed) == 1 and said.keys() <= self._known)

    def is_repeated_in(self, url: Url) -> bool:
        """Whether a parameter of the address is what was asked."""
        said = parameters_of(url).values() if "?" in url else ()
        return any(_is_same(value, asked) for value in said for asked in self._values)


def _holds_words(text: str, words: str) -> bool:
    return re.search(rf"(?<![^\W_]){re.escape(words)}(?![^\W_])", text) is not None


def _bare(url: str) -> str:
    return _path_session.sub("", url.partition("?")[0]).rstrip("/")


def is_token(value: str) -> bool:
    """Whether a value is random: long, of letters and digits both.

    >>> is_token("8f3a9c0e77d1b2a4"), is_token("a-long-title-of-a-book")
    (True, False)
    """
    if len(value) < _MIN_TOKEN_CHARS or not value.replace("-", "").replace("_", "").isalnum():
        return False
    figures = sum(letter.isdigit() for letter in value)
    return figures >= len(value) // 8 and (figures < len(value) or len(value) > _MIN_TOKEN_CHARS)


_Row = tuple[dict[str, str], int]
"""An address by its parts, and the sum of their hashes: what is left of it without some parts is
told by their difference, because each part is tried against every address of a list."""


class RecordKeyRules:
    """Cuts from record addresses what does not belong to the record.

    A part of addresses is judged once, on the first list that shows it, and keeps its judgement:
    the same address has the same key ever after. Only a part that was seen to change for one and
    the same record is judged again, and only for more evidence than there is that it tells records
    apart.
    """

    def __init__(
        self,
        dropped: dict[str, bool],
        met: dict[str, str],
        changes: dict[str, int],
        telling: dict[str, int] | None = None,
    ) -> None:
        """The rules of one page; what they learn is kept in the mappings."""
        self.dropped = dropped
        """By part: whether keys go without it."""
        self.met = met
        """Things met to their address, to see which parts change by themselves."""
        self.changes = changes
        """By part: how often it alone had changed."""
        self.telling = {} if telling is None else telling
        """By part: how many records it alone told apart, of those shown together."""
        self._here: dict[str, str] = {}
        """Things met on this page: two that look alike are two, and no change."""

    def key(self, url: Url) -> str:
        """The address without echo of the query, session, position and tracking."""
        bare = _path_session.sub("", url)
        head, mark, tail = bare.partition("?")
        if any(name.startswith("/") and is_gone for name, is_gone in self.dropped.items()):
            origin = origin_of(head + "/")
            segments = head[len(origin) + 1 :].split("/")
            left = (s for n, s in enumerate(segments) if not self.dropped.get(f"/{n}"))
            head = f"{origin}/{'/'.join(left)}"
        if not mark:
            return head
        pairs = [pair for pair in _pairs(tail) if not self._is_dropped(pair)]
        return f"{head}?{'&'.join(pairs)}" if pairs else head

    def _is_dropped(self, pair: str) -> bool:
        name = unquote_plus(pair.partition("=")[0])
        decided = self.dropped.get(name)
        return _is_of_visitor(name) if decided is None else decided

    def judge(self, urls: Sequence[Url], search: SearchAddresses, others: Sequence[Url]) -> None:
        """Decides on the parts of these records' addresses that were not met before.

        `others` are the remaining links of the page.
        """
        rows = [_make_row(url) for url in dict.fromkeys(urls)]
        if len(rows) < 2:
            return
        self._learn_telling(rows)
        counts = Counter(name for row, _ in rows for name in row)
        # Parts that few addresses have can tell little, and may be endless.
        common = counts.most_common(_MAX_DECISIONS)
        fresh = [name for name, _ in common if name not in self.dropped]
        if not fresh or len(self.dropped) > _MAX_DECISIONS:
            return
        paging = {name for url in others if search.is_own(url) for name in parameters_of(url)}
        gone = {name for name, is_gone in self.dropped.items() if is_gone}
        for name in fresh:
            column = [row.get(name, "") for row, _ in rows]
            if _is_suspect(name, column, search, paging):
                # Dropped only if addresses that differ still do without it.
                without = gone | {name}
                if _count_different(rows, without) >= _MIN_DIFFERENT * len(rows):
                    gone.add(name)
        self.dropped.update((name, name in gone) for name in fresh)

    def _learn_telling(self, rows: Sequence[_Row]) -> None:
        """Counts, for each part, the records of a list that nothing else tells apart; what was
        dropped for less evidence than that comes back."""
        gone = {name for name, is_gone in self.dropped.items() if is_gone or _is_of_visitor(name)}
        most = _MIN_DIFFERENT * len(rows)
        counts = Counter(name for row, _ in rows for name in row)
        for name, count in counts.items():
            # Rows without it are alike: what few rows have tells few apart, and may be endless.
            if count + 1 < most or _is_of_visitor(name):
                continue
            if len({row.get(name) for row, _ in rows}) < most:
                continue
            apart, alike = (
                _count_different(rows, gone - {name}),
                _count_different(rows, gone | {name}),
            )
            if apart < most or alike >= most:
                continue
            if name in self.telling or len(self.telling) < _MAX_DECISIONS:
                self.telling[name] = self.telling.get(name, 0) + apart - alike
            if self.telling.get(name, 0) > self.changes.get(name, 0) and self.dropped.get(name):
                self.dropped[name] = False

    def note(self, thing: str, url: Url) -> None:
        """Remembers that a thing, recognised by what it shows, was met at an address.

        A part that differs between two addresses of one thing is dropped if it is the only one to
        differ, and does so for more things than it told apart where they were shown together.
        """
        if self._here.setdefault(thing, url) != url:
            return
        known = self.met.pop(thing, None)
        self.met[thing] = url
        if len(self.met) > _MAX_REMEMBERED:
            del self.met[next(iter(self.met))]
        if known is None or self.key(Url(known)) == self.key(url):
            return
        one, other = split_address(known), split_address(url)
        changed = [n for n in {**one, **other} if one.get(n) != other.get(n)]
        changed = [name for name in changed if not self.dropped.get(name)]
        # Path segments name things, and a part that is all there is to an address does too.
        if len(changed) == 1 and not changed[0].startswith("/") and len(one) > 1:
            self.changes[changed[0]] = self.changes.get(changed[0], 0) + 1
            least = max(_MIN_CHANGES, self.telling.get(changed[0], 0) + 1)
            if self.changes[changed[0]] >= least:
                self.dropped[changed[0]] = True


def _make_row(url: str) -> _Row:
    parts = split_address(url)
    return parts, sum(map(hash, parts.items()))


def _count_different(rows: Sequence[_Row], without: Collection[str]) -> int:
    """How many addresses are left that differ when parts are left out."""
    return len(
        {
            total - sum(hash((name, row[name])) for name in without if name in row)
            for row, total in rows
        }
    )


def _is_of_visitor(name: str) -> bool:
    return name.lower() in TRACKING or name.lower() in SESSION


def _is_suspect(
    name: str, column: Sequence[str], search: SearchAddresses, paging: Collection[str]
) -> bool:
    """Whether a part seems to come from the visitor, the request or the place in the list."""
    if _is_of_visitor(name):
        return True
    if all(value == column[0] for value in column):
        return _is_of_request(name, column[0], search, paging)
    # Segments that differ between records name them.
    if name.startswith("/"):
        return False
    return _counts_up(column) or all(is_token(value) for value in column if value)


def _is_of_request(name: str, value: str, search: SearchAddresses, paging: Collection[str]) -> bool:
    """Whether what all records of a list share comes from the request and not from them."""
    if name.startswith("/"):
        return any(_is_same(value, asked) for asked in search.asked)
    said = search.state.get(name)
    if is_token(value) or (said and _is_same(value, said)):
        return True
    # `page=1` in all addresses, as in those of the pager.
    if name in paging and _numeric(value):
        return True
    return any(len(v) > 2 and v.casefold() in value.casefold() for v in search.asked)


def _is_same(one: str, other: str) -> bool:
    return _spaces.sub(" ", one).casefold() == _spaces.sub(" ", other).casefold()


def _counts_up(column: Sequence[str]) -> bool:
    """Whether the values are the positions of their rows, as a first page counts them."""
    if len(column) < 3 or not all(map(_numeric, column)):
        return False
    first = int(column[0])
    return first in (0, 1) and all(
        int(value) == first + position for position, value in enumerate(column)
    )
