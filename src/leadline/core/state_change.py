"""Tells which GET requests would change something on a server: /delete/1, /cart/add, ?do=logout.

A crawler must be able to follow any link. Not every site keeps to the rule that GET is safe, so a
link, a detail page, a next page, a form and a redirect are judged by their URL and by the words of
the link or button before they are requested; the fetcher judges every URL once more. Commands
count where commands stand: a whole path segment, the first or last word of a short one, a
parameter's name, the value of a parameter that names an action. A word inside a long slug
(/how-to-delete-your-account) or a search (?q=delete) is text.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from urllib.parse import unquote_plus

from leadline.core import command_words as known
from leadline.core.address_words import (
    find_words,
    is_identifier,
    list_parameters,
    match_identifier,
    part_camel_case,
    split_segments,
    split_url,
    split_words,
)
from leadline.core.command_model import LEAST_SCORE, score_command
from leadline.core.command_phrases import VERBS, says_command
from leadline.core.command_phrases import WORDS as PHRASE_WORDS
from leadline.core.text import fold

_MOST_SLUG_WORDS = 3
"""Segments of more words are taken for titles: a choice by judgement, not measured."""
_MOST_ANCHOR_WORDS = 5
_MOST_ANCHOR_CHARS = 40
_MOST_UNSPACED_EXTRA = 3
"""Letters beside a command of a script without spaces; with more it is a title that speaks of it
(`削除された動画`, a video that was deleted)."""

_find_guard = re.compile("|".join(known.FORGERY_TOKENS)).search
_letters = re.compile(r"[a-z]+").findall
_number = re.compile(r"(?!(?:19|20)\d\d$)(?:\d+|[0-9a-f]{6,}|[0-9a-f-]{30,})").fullmatch
_infinitive = re.compile(
    r"[a-z]+(?:[aei]r|[aei]re|[^aeiouy]en|ovat|owac|nout|[ai]ti|mak|mek)|[а-яіїє]+(?:ть|ти)(?:ся)?"  # noqa: RUF001
).fullmatch
# Programs have underscores in their names where titles have hyphens and capitals.
_program = re.compile(r"/((?:save|resend|update|insert|toggle)_[a-z_]+)(?:[./?]|$)").search
_JOINED = frozenset(
    command + target
    for command in known.JOINED_COMMANDS.split("|")
    for target in known.JOINED_OBJECTS.split("|")
)
Commands = Mapping[tuple[str, ...], str]


def _index(table: Mapping[str, str]) -> dict[tuple[str, ...], str]:
    """From the words of a command to what it does."""
    return {
        tuple(fold(phrase).split("+")): does
        for does, phrases in table.items()
        for phrase in phrases.split()
    }


STRONG, WEAK = _index(known.STRONG), _index(known.WEAK)
IN_ACTIONS = dict.fromkeys(VERBS, "change something") | _index(known.IN_ACTIONS) | WEAK | STRONG
_SURE_TEXTS = {words: does for words, does in STRONG.items() if does != "buy or pay something"}
IN_TEXTS = _index(known.IN_TEXTS) | _SURE_TEXTS
# Folded as texts are: the marks of kana and the seats of alef are cut off on both sides.
UNSPACED = {
    "".join(find_words(fold(phrase))): does
    for does, phrases in known.UNSPACED.items()
    for phrase in phrases.split()
}
_NAMED = known.TOKEN_NAMES | known.OBJECT_NAMES | known.COMMAND_NAMES
_FIRST_WORDS = (
    frozenset(words[0] for words in IN_ACTIONS)
    | known.CARTS
    | known.ACTION_NAMES
    | known.DOING_NAMES
    | known.POLLS
)
_COMMAND_WORDS = _FIRST_WORDS | _JOINED
TEXT_VERBS = _index(known.TEXT_VERBS)
_TEXT_WORDS = (
    frozenset(word for words in (*IN_TEXTS, *TEXT_VERBS) for word in words)
    | known.AGREED_WORDS
    | PHRASE_WORDS
)
_ASSENTS = frozenset(tuple(find_words(fold(phrase.replace("+", " ")))) for phrase in known.ASSENTS)
_ASSENT_STARTS = frozenset(words[0] for words in _ASSENTS)
_MOST_ASSENT_CHARS = 20
_AGREED_STEMS = tuple(map(fold, known.AGREED_STEMS))
_LONGEST = max(map(len, IN_TEXTS))


def find_state_change(url: str, text: str = "", title: str = "", beside: str = "") -> str:
    """What a GET of the URL would change, in words, or '' when nothing speaks for it.

    `text` is the link's or button's own text; `title` its title attribute, which speaks for a link
    without words. `beside` is what stands before it, and says what a link does that only agrees to
    something (`Yes`, `Continue`). It is not asked about other links, also not about those without
    words: what is beside them is as often a neighbour's (a picture of goods beside `Add to cart`).

    >>> find_state_change("https://shop.example/cart/add?id=5")
    'change a cart (cart/add)'
    >>> find_state_change("https://example.org/how-to-delete-an-account-in-five-steps")
    ''
    """
    if does := find_change_by_words(url, text, title, beside):
        return does
    said = text if says_anything(text) else title
    if not said or len(said) > _MOST_ANCHOR_CHARS:
        return ""
    path, query, _ = _judge_url(url)
    # Of links alone: forms that search carry such tokens too, and so do pages of their answers.
    if query and _find_guard(query.lower()):
        names = (name.lower() for name, _ in list_parameters(query))
        if guard := next(filter(_find_guard, names), ""):
            return f"do something that the site guards by a token (?{guard})"
    if score_command(path, query, said) < LEAST_SCORE:
        return ""
    return f"do something to a thing ({said.strip()[:30]!r} and its address look like a command)"


def find_change_by_words(url: str, text: str = "", title: str = "", beside: str = "") -> str:
    """The same by known words alone."""
    path, _, does = _judge_url(url)
    if does:
        return does
    does = _judge_text(text, url, path) if text and len(text) <= _MOST_ANCHOR_CHARS else ""
    if not does and title and len(title) <= _MOST_ANCHOR_CHARS and not says_anything(text):
        does = _judge_text(title, url, path)
    if not does and beside and is_assent(text):
        does = _judge_agreement(beside)
    return does


def is_assent(text: str) -> bool:
    """Whether a link only agrees to something, and says nothing of what: `Yes`, `Continue`.

    >>> is_assent("Oui"), is_assent("Weiter »"), is_assent("Continue reading")
    (True, True, False)
    """
    if not text or len(text) > _MOST_ASSENT_CHARS:
        return False
    first = text.partition(" ")[0]
    # Nearly every text, in a quarter of the time.
    if first.isascii() and first.isalpha() and first.lower() not in _ASSENT_STARTS:
        return False
    return tuple(find_words(fold(text))) in _ASSENTS


class ChangeJudge:
    """The one judge of outgoing requests. Patterns (`https://example.org/cart/*`) allow what looks
    as if it changed something."""

    def __init__(
        self, allow: Collection[str] = (), find: Callable[..., str] = find_state_change
    ) -> None:
        self._allow = tuple(allow)
        self._find = find

    def why_harmful(self, url: str, text: str = "", title: str = "", beside: str = "") -> str:
        """Why asking for `url`, by a link with these words, could change something; or ''."""
        does = self._find(url, text, title, beside)
        if not does or any(fnmatchcase(url, pattern) for pattern in self._allow):
            return ""
        return f"would {does}"


def _judge_agreement(beside: str) -> str:
    """Of the words before a link that agrees: any form of a command is enough."""
    folded = fold(beside)
    words = find_words(folded)
    stem = next((word for word in words if word.startswith(_AGREED_STEMS)), "")
    found = _find_unspaced("".join(words), _MOST_BESIDE_CHARS)
    if not found and not stem:
        return ""
    return f"{found or 'change something'} ({beside.strip()[-60:]!r} beside it)"


_MOST_BESIDE_CHARS = 300


@lru_cache(maxsize=1024)
def _judge_url(url: str) -> tuple[str, str, str]:
    """Its path and query, and what the address alone says. Asked of each several times: before a
    link is followed, and by the fetcher."""
    path, query = split_url(url)
    return path, query, _judge_address(path, query) if _may_hold_command(path, query) else ""


def _may_hold_command(path: str, query: str) -> bool:
    """A quick look that lets most links pass: whether any command's word is there at all."""
    whole = f"{path}?{query}" if query else path
    if not whole.isascii() or "%" in whole:
        return True
    if not whole.islower():
        whole = part_camel_case(" ", whole).lower()
    return not _COMMAND_WORDS.isdisjoint(_letters(whole))


def says_anything(text: str) -> bool:
    """Whether a link has words of its own: `x`, `+1`, a star and a heart are none."""
    # Nearly all begin with two letters.
    if len(text) > 1 and text[:2].isalpha():
        return True
    return any(len(word) > 1 and not word.isdigit() for word in find_words(text))


def _judge_address(path: str, query: str) -> str:
    segments = split_segments(path)
    if (called := _program(path)) is not None:
        return f"save or send something ({called[1]})"
    pairs = list_parameters(query)
    names = [name.lower() for name, _ in pairs]
    has_token = not known.TOKEN_NAMES.isdisjoint(names)
    is_for_something = has_token or any(name in _NAMED or name.endswith("id") for name in names)
    is_switched = any(fold(value) in known.FLAG_VALUES for _, value in pairs)
    does = _judge_path(
        segments,
        has_object=is_for_something or is_switched,
        has_token=has_token,
        is_folder=path.endswith("/"),
    )
    if does:
        return does
    is_poll = any(not known.POLLS.isdisjoint(words) for words in (*segments, names))
    if is_poll and (answer := next(filter(known.POLL_ANSWERS.__contains__, names), "")):
        return f"change a rating or vote (?{answer})"
    has_id = is_for_something or any(map(is_identifier, segments))
    is_cart = any(not known.CARTS.isdisjoint(words) for words in segments)
    return _judge_query(pairs, has_object=has_id, has_token=has_token, is_cart=is_cart)


def _judge_path(
    segments: Sequence[tuple[str, ...]], *, has_object: bool, has_token: bool, is_folder: bool
) -> str:
    """`has_object`: a parameter says what a command would be for."""
    if 0 < len(segments) <= 2 and segments[-1] in known.VOTES and not is_folder:
        return f"change a rating or vote ({segments[-1][0]})"
    for place, words in enumerate(segments):
        before, after = segments[:place], segments[place + 1 :]
        is_about = before and not after and before[-1][-1] in known.TEXT_FOLDERS
        is_aimed = has_token or any(map(is_identifier, after[:2])) or (not after and has_object)
        is_document = not is_aimed and any(one[-1] in known.DOCUMENT_FOLDERS for one in before)
        if words[0] in known.TITLE_WORDS or is_document or (is_about and not has_token):
            continue
        does = _judge_segment(
            words, before, is_aimed=is_aimed, is_last=not after, has_token=has_token
        )
        if does:
            return f"{does} ({'/'.join('-'.join(one) for one in (*before[-1:], words))})"
    return ""


def _judge_segment(
    words: tuple[str, ...],
    before: Sequence[tuple[str, ...]],
    *,
    is_aimed: bool,
    is_last: bool,
    has_token: bool,
) -> str:
    """`is_aimed`: an id follows, or a parameter says what the command would be for."""
    if len(words) > _MOST_SLUG_WORDS + 1:
        return ""
    if len(words) == 1 and has_token:
        return IN_ACTIONS.get(words, "")
    does = (
        _find_unspaced("".join(words)) or _find_command(words, STRONG) or _find_cart(words, before)
    )
    if does:
        return does
    if is_aimed and words[0] in known.FIRST_WORDS:  # /verify-email/ab12cd34, /saveRating.php?id=3
        return IN_ACTIONS[words[:1]]
    # `reset-database`, `empty-trash`: a weak command with its object is no ordinary word.
    if words[0] in ("reset", "clear", "empty", "drop") and words[-1] in _STORED:
        return "delete something"
    if len(words) > 1:
        is_done = is_last and is_aimed and words[-1] in known.DATA_WORDS  # bug_note_add.php?id=3
        is_done |= is_last and is_aimed and bool(before) and _is_number(before[-1])
        if is_aimed and len(words) == _PAIR and words[1] in known.COMMAND_OBJECTS:
            return IN_ACTIONS.get(words[:1], "")  # lockThread.do?tid=5
        return IN_ACTIONS.get(words[-1:], "") or IN_ACTIONS.get(words[:1], "") if is_done else ""
    return _judge_word(words[0], before, is_aimed=is_aimed, is_last=is_last)


def _judge_word(
    word: str, before: Sequence[tuple[str, ...]], *, is_aimed: bool, is_last: bool
) -> str:
    """Of a segment that is one word, and not a command wherever it stands."""
    is_after_id = (
        bool(before) and (is_last or is_aimed) and _is_number(before[-1]) and len(word) > 1
    )
    is_control = is_last and any(not known.CONTROL_FOLDERS.isdisjoint(one) for one in before)
    if is_after_id or is_control:  # /comment/5/report, /admin/cache/clear
        return IN_ACTIONS.get((word,), "")
    if is_aimed:
        return WEAK.get((word,), "") or ("change something" if word in _JOINED else "")
    if is_last and len(before) > 1 and word in known.LAST_WORDS:  # /users/anna/follow
        return IN_ACTIONS.get((word,), "")
    return ""


def _find_cart(words: tuple[str, ...], before: Sequence[tuple[str, ...]]) -> str:
    """A list that the site keeps for its visitor, and what is done to it: cart/add, addToBag."""
    near = {words[0], words[-1]}
    is_cart = not known.CARTS.isdisjoint(near) or any(
        not known.CARTS.isdisjoint(one) for one in before[-2:]
    )
    return "change a cart" if is_cart and not known.CART_COMMANDS.isdisjoint(near) else ""


def _is_number(words: Sequence[str]) -> bool:
    """As `is_identifier`, but for years (/2020/report) and for codes (/cs101/assign)."""
    return is_identifier(words) and _number(words[0]) is not None


_PAIR = 2
_STORED = frozenset(
    "database db data all everything cache account table index history log logs trash".split()
)


def _find_command(words: tuple[str, ...], commands: Commands) -> str:
    """A command at the beginning or the end of a short phrase."""
    if len(words) > _MOST_SLUG_WORDS and words not in commands:
        return ""
    for length in range(min(_LONGEST, len(words)), 0, -1):
        does = commands.get(words[:length]) or commands.get(words[-length:])
        if does:
            return does
    return ""


def _find_unspaced(text: str, most: int = 100) -> str:
    """A command of a script without spaces, in a text with at most so many other letters."""
    if text.isascii():
        return ""
    return next(
        (does for word, does in UNSPACED.items() if word in text and len(text) <= len(word) + most),
        "",
    )


def _judge_query(
    pairs: Sequence[tuple[str, str]], *, has_object: bool, has_token: bool, is_cart: bool
) -> str:
    """`has_object`: something in the address says what a command would be for."""
    for name, value in pairs:
        words = split_words(name)
        if not words or name.lower() in known.SEARCH_NAMES:
            continue
        values = split_words(value) if len(value) <= _MOST_ANCHOR_CHARS else ()
        does = _judge_parameter(words, values, has_object=has_object)
        if not does and is_cart and words[0] in known.CART_COMMANDS:
            does = "change a cart"
        if not does and has_token and len(values) == 1:
            does = WEAK.get(values, "")
        if does:
            return f"{does} (?{name}={value[:20]})"
    return ""


def _judge_parameter(words: tuple[str, ...], values: tuple[str, ...], *, has_object: bool) -> str:
    name = words[-1]
    if name in known.ACTION_NAMES:
        return _judge_action(name, values)
    if words[0] == "sql":
        return "change the system"
    if name.endswith("id"):
        return ""
    if len(words) == 1 and name in known.MODE_NAMES:
        if name == "step" and not known.LAST_STEPS.isdisjoint(values):
            return "buy or pay something"
        return STRONG.get(values, "") or (WEAK.get(values, "") if has_object else "")
    if len(words) > _MOST_SLUG_WORDS:
        return ""
    does = _find_command(words, STRONG) or _find_unspaced("".join(words)) or _find_cart(words, ())
    if does or len(words) != 1 or len(values) != 1:
        return does
    return _judge_switch(name, values[0], has_object=has_object)


def _judge_switch(name: str, value: str, *, has_object: bool) -> str:
    """Of one word with a value of one word: `?vote=up`, `?like=1`, `?rate=5` of something, which
    are weak commands that are switched on."""
    if value in known.DIRECTIONS:
        return IN_ACTIONS.get((name,), "")
    is_switched = value in known.FLAG_VALUES
    if name in known.DOING_NAMES and (is_switched or value.isdigit()):
        return "approve, confirm or cancel something"
    if is_switched:
        return WEAK.get((name,), "") or (IN_ACTIONS.get((name,), "") if has_object else "")
    return WEAK.get((name,), "") if has_object and value.isdigit() else ""


def _judge_action(name: str, values: tuple[str, ...]) -> str:
    does = _find_command(values, IN_ACTIONS) or _find_unspaced("".join(values))
    if does or not _JOINED.isdisjoint(values):
        return does or "change something"
    if len(values) > _MOST_SLUG_WORDS:  # ?action=ADD_TO_COMPARE_LIST
        starts = (values[:length] for length in range(_LONGEST, 0, -1))
        return next((STRONG[start] for start in starts if start in STRONG), "")
    # An empty command line waits for one; `?cmd=view` names a page, as many sites do.
    return "change the system" if name in known.COMMAND_NAMES and not values else ""


def _judge_text(text: str, url: str, path: str) -> str:
    """A link or button whose whole text is a command, or begins with one that is beyond doubt."""
    if text.isascii() and text.count(" ") >= _MOST_ANCHOR_WORDS:
        return ""
    words = split_words(text)
    if not words or (len(words) > _MOST_ANCHOR_WORDS and text.isascii()):
        return ""
    if text.isascii() and _TEXT_WORDS.isdisjoint(words):
        # Nearly every text.
        does = _find_infinitive(words, path)
        return f"{does} ({text.strip()!r})" if does else ""
    does = _SURE_TEXTS.get(words, "") or _find_unspaced("".join(words), _MOST_UNSPACED_EXTRA)
    if not does and not _is_title(path):
        does = (
            _find_unspaced_end(words, url, path)
            or _find_phrase(words, url, path)
            or IN_TEXTS.get(words, "")
            or _find_beginning(words)
            or _find_agreement(words, path)
            or _find_verb(words, url, path)
            or _find_infinitive(words, path)
        )
    return f"{does} ({text.strip()[:30]!r})" if does else ""


def _find_beginning(words: tuple[str, ...]) -> str:
    """`Delete this post`, `Zur Merkliste hinzufügen`: short words begin titles too (`Del Rey`), and
    what is taken from a filter widens a search."""
    if words[-1].startswith(_FILTERS):
        return ""
    for length in range(min(_LONGEST, len(words) - 1), 0, -1):
        ends = (words[:length], words[-length:]) if len(words) <= _MOST_SLUG_WORDS else ()
        for part in ends or (words[:length],):
            if length > 1 or len(part[0]) > _MOST_TITLE_LETTERS:
                does = _SURE_TEXTS.get(part, "")
                if does:
                    return does
    return ""


_FILTERS = ("filter", "filtr", "фильтр")
_MOST_TITLE_LETTERS = 4


def _find_unspaced_end(words: tuple[str, ...], url: str, path: str) -> str:
    """`スレッドをロック`, `حذف الحساب نهائيا`: a command at an end of a short text
    in a script of its own, where the address names a thing. Titles of things begin and end so too,
    but without an id they are not aimed at anything."""
    if all(map(str.isascii, words)) or not _names_thing(url, path):
        return ""
    ends = ("".join(words[:1]), "".join(words[:2]), "".join(words[-2:]), words[-1])
    if len(words) > 1:
        return next((UNSPACED[end] for end in ends if end in UNSPACED), "")
    if len(words[0]) > _MOST_UNSPACED_LETTERS:
        return ""
    return next((does for word, does in UNSPACED.items() if words[0].endswith(word)), "")


def _find_phrase(words: tuple[str, ...], url: str, path: str) -> str:
    """A verb with its object, or one that needs none, where the address names a thing."""
    return "change something" if says_command(words) and _names_thing(url, path) else ""


def _names_thing(url: str, path: str) -> bool:
    """Whether an address has an id or a query."""
    return "?" in url or any(map(match_identifier, find_words(path.lower())))


_MOST_UNSPACED_LETTERS = 14


def _find_agreement(words: tuple[str, ...], path: str) -> str:
    """One word that is also a segment of the address: `Block`, /block/user/91."""
    if len(words) > 1 or words[0] not in known.AGREED_WORDS:
        return ""
    parts = path.lower().split("/")
    if words == ("save",) and (parts[-1],) in IN_ACTIONS:
        return "save or send something"
    is_there = words[0] in parts[1:-1] or (len(parts) > _MOST_SLUG_WORDS and parts[-1] == words[0])
    return IN_ACTIONS[words] if is_there else ""


def _find_verb(words: tuple[str, ...], url: str, path: str) -> str:
    """A verb at the beginning or the end of a text, where the address names a thing."""
    if len(words) > _MOST_VERB_WORDS or words[0].startswith(_FILTERS):
        return ""
    does = TEXT_VERBS.get(words, "")
    for length in (2, 1):
        for part in (words[:length], words[-length:]):
            is_noun = part != words[:length] and part[0] in known.FIRST_TEXT_VERBS
            # Short words begin titles, and names end with them (`Tom`, `LAN`).
            is_short = sum(map(len, part)) <= _MOST_TITLE_LETTERS and part[0].isascii()
            if not is_noun and not is_short:
                does = does or TEXT_VERBS.get(part, "")
    if not does or words[-1].startswith(_FILTERS):
        return ""
    if _names_thing(url, path):
        return does
    # `Restart`, /service/nginx/restart: what people do by themselves has pages of that name, but
    # not below a thing: `Seguir`, /usuarios/anna/seguir.
    last = split_words(unquote_plus(path).rpartition("/")[2])
    depth = path.count("/")
    if depth < 2 or set(words).isdisjoint(last):
        return ""
    is_below_thing = depth > 2 and words == last
    return does if is_below_thing or does in _BY_CONTROL else ""


def _find_infinitive(words: tuple[str, ...], path: str) -> str:
    """Any verb that is done to the thing before it, in languages whose infinitives have an ending
    of their own: `Épingler`, /sujet/51/epingler. The words of the link have to agree, because names
    of pages end like that too; 0.02 % of real links do."""
    # Most addresses name no thing there, which most of them tell without being decoded.
    is_plain = path.isascii() and "%" not in path
    if is_plain and not _number(path.rpartition("/")[0].rpartition("/")[2].lower()):
        return ""
    head, _, last = fold(unquote_plus(path)).rpartition("/")
    is_verb = len(last) > _MOST_TITLE_LETTERS and _infinitive(last) is not None
    if not is_verb or last in known.NO_INFINITIVES or not _number(head.rpartition("/")[2]):
        return ""
    is_there = any(word[:_AGREED_LETTERS] == last[:_AGREED_LETTERS] for word in words)
    return f"do something to {head.rpartition('/')[2]}" if is_there else ""


_AGREED_LETTERS = 4
_MOST_VERB_WORDS = 4
_BY_CONTROL = ("change the system", "approve, confirm or cancel something")


def _is_title(path: str) -> bool:
    """Whether the address names a text: its last segment has more words than commands have, or
    stands in a folder of texts."""
    folder, _, last = path.rstrip("/").rpartition("/")
    if folder.rpartition("/")[2].lower() in known.TEXT_FOLDERS:
        return True
    return last.count("-") + last.count("_") + last.count("+") >= _MOST_SLUG_WORDS
