"""Reads the text of a robots.txt as Google's open-source parser does. No I/O.

RFC 9309 with what webmasters are known to write: misspelt keys, missing colons, versions behind
product names, partial byte order marks, UTF-16. Where the standard leaves a choice, the reading
that forbids more is taken.
"""

import codecs
import math
import re
from typing import NamedTuple

_LINE_BYTES = 8 * 2083 - 1
"""Of a line that are read: eight times the longest URL that browsers took."""
_BOMS = (
    # Before UTF-16: the mark of UTF-32 begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_AGENT, _ALLOW, _DISALLOW, _SITEMAP, _DELAY = "agent", "allow", "disallow", "sitemap", "delay"
_KEYS = (
    *((name, _AGENT) for name in ("user-agent", "useragent", "user agent")),
    ("allow", _ALLOW),
    # As they are met.
    *(
        (name, _DISALLOW)
        for name in ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
    ),
    *((name, _SITEMAP) for name in ("sitemap", "site-map")),
    *((name, _DELAY) for name in ("crawl-delay", "crawldelay", "crawl delay")),
)
_split_lines = re.compile(rb"\r\n|\r|\n").split
_find_token = re.compile(r"[A-Za-z_-]*").match
_find_escapes = re.compile(r"%([0-9A-Fa-f]{2})").sub
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class RobotsRule(NamedTuple):
    """A pattern of a group; the longest that matches decides, of equal ones the one that allows."""

    pattern: str
    length: int
    is_allowed: bool


class RobotsText:
    """What a robots.txt says to one agent. Made from any bytes; reading never fails.

    The groups that name the agent's product token count, all together; if there are none, those
    for `*`.
    """

    __slots__ = ("_rules", "crawl_delay_s", "sitemaps")

    def __init__(self, body: bytes, agent: str) -> None:
        parts = _GroupReader(agent)
        for line in _split_lines(decode_robots(body)):
            parts.read(line[:_LINE_BYTES].decode("utf-8", errors="surrogateescape"))
        rules, self.crawl_delay_s = parts.choose()
        # The first that matches decides.
        self._rules = sorted(rules, key=lambda rule: (-rule.length, not rule.is_allowed))
        self.sitemaps = tuple(parts.sitemaps)

    def allow(self, path: str) -> bool:
        """Whether a path with its query, escaped as in a URL, may be asked for."""
        plain = path
        if "%" in path:
            path = _find_escapes(lambda found: found[0].upper(), path)
            plain = _find_escapes(_unescape, path)
        for rule in self._rules:
            is_match = match_pattern(path, rule.pattern)
            if not is_match and not rule.is_allowed and plain != path:
                is_match = match_pattern(plain, rule.pattern)
            if is_match:
                return rule.is_allowed
        return True


class _GroupReader:
    """Reads line by line.

    `_is_named` and `_is_for_all` say whom the open group is meant for; agent lines that follow each
    other open one group, and the first agent line after a rule opens the next.
    """

    def __init__(self, agent: str) -> None:
        self.sitemaps: list[str] = []
        self._agent = agent.lower()
        self._named: list[RobotsRule] = []
        self._for_all: list[RobotsRule] = []
        self._delays_s = [0.0, 0.0]
        """For all, and for the agent."""
        self._is_named = self._is_for_all = self._has_rules = False
        self._was_named = False

    def read(self, line: str) -> None:
        key, value = split_line(line)
        if key == _AGENT:
            self._open_group(value)
        elif key in (_ALLOW, _DISALLOW) and (self._is_named or self._is_for_all):
            self._has_rules = True
            rules = make_rules(value, is_allowed=key == _ALLOW)
            self._named += rules if self._is_named else ()
            self._for_all += rules if self._is_for_all else ()
        elif key == _DELAY:
            self._read_delay(value)
        elif key == _SITEMAP:
            self.sitemaps.append(value)

    def choose(self) -> tuple[list[RobotsRule], float]:
        """The rules that count, and the Crawl-delay."""
        rules = self._named if self._was_named else self._for_all
        return rules, self._delays_s[self._was_named]

    def _open_group(self, value: str) -> None:
        if self._has_rules:
            self._is_named = self._is_for_all = self._has_rules = False
        if value.startswith("*") and (len(value) == 1 or value[1].isspace()):
            self._is_for_all = True
            return
        # What follows the product token, a version or a comment, is not part of it.
        token = _find_token(value)
        if token and token[0] and token[0].lower() == self._agent:
            self._is_named = self._was_named = True

    def _read_delay(self, value: str) -> None:
        try:
            delay_s = float(value)
        except ValueError:
            return
        if math.isfinite(delay_s) and delay_s > 0:
            for at, is_meant in enumerate((self._is_for_all, self._is_named)):
                if is_meant:
                    self._delays_s[at] = max(self._delays_s[at], delay_s)


def decode_robots(body: bytes) -> bytes:
    """The text in UTF-8 without a byte order mark.

    The standard wants UTF-8; editors of some systems write UTF-16, and what they forbid is meant.

    >>> decode_robots("Disallow: /".encode("utf-16"))
    b'Disallow: /'
    """
    charset = next((name for mark, name in _BOMS if body.startswith(mark)), "")
    if not charset:
        # Without a mark: of ASCII text in UTF-16 every other byte is zero.
        head = body[:64]
        most, zeros = len(head) // 4, (head[0::2].count(0), head[1::2].count(0))
        charset = "utf-16-be" if zeros[0] > most else "utf-16-le" if zeros[1] > most else ""
    if charset:
        text = body.decode(charset, errors="replace").removeprefix("\ufeff")
        return text.encode("utf-8", errors="replace")
    # Tools that cut bytes leave a part of the mark.
    for size in (3, 2, 1):
        if body.startswith(codecs.BOM_UTF8[:size]):
            return body[size:]
    return body


def split_line(line: str) -> tuple[str, str]:
    """The kind of a line and its value; '' and '' for lines that say nothing.

    >>> split_line("Disalow /x  # not here"), split_line("user-agent Foo Bar")
    (('disallow', '/x'), ('', ''))
    """
    text = line.partition("#")[0].strip(" \t\v\f\0")
    name, colon, value = text.partition(":")
    if not colon:
        # It is obvious what is meant by `disallow /x`, and not by three words.
        words = text.split()
        if len(words) != 2:
            return "", ""
        name, value = words
    name = name.strip().lower()
    kind = next((kind for key, kind in _KEYS if name.startswith(key)), "")
    return (kind, value.strip()) if kind else ("", "")


def make_rules(value: str, *, is_allowed: bool) -> list[RobotsRule]:
    """The rules that a line stands for; none for an empty value, which forbids and allows nothing.

    Escapes of characters that need none match them only when they forbid: the standard takes both
    spellings for the same, Google's parser does not.
    """
    pattern = escape_pattern(value)
    if not pattern:
        return []
    patterns = [pattern]
    if is_allowed:
        # The index page of a folder is the folder.
        folder, slash, page = pattern.rpartition("/")
        if slash and page.startswith("index.htm"):
            patterns.append(f"{folder}/$")
    else:
        plain = _find_escapes(_unescape, pattern)
        patterns += [plain] if plain != pattern else []
    return [RobotsRule(one, len(one), is_allowed) for one in patterns]


def escape_pattern(value: str) -> str:
    """Octets outside ASCII escaped, escapes in upper case.

    >>> escape_pattern("/\\xe1/%aa")
    '/%C3%A1/%AA'
    """
    if not value.isascii():
        octets = value.encode("utf-8", errors="surrogateescape")
        value = "".join(chr(octet) if octet < 0x80 else f"%{octet:02X}" for octet in octets)
    return _find_escapes(lambda found: found[0].upper(), value)


def match_pattern(path: str, pattern: str) -> bool:
    """Whether a path begins as the pattern says: `*` stands for anything, a last `$` for the end.

    >>> match_pattern("/a/b.php?x", "/*.php"), match_pattern("/a/b.php?x", "/*.php$")
    (True, False)
    """
    # Most patterns.
    if "*" not in pattern and "$" not in pattern:
        return path.startswith(pattern)
    is_whole = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    last = others.pop() if is_whole and others else None
    for part in others:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if last is not None:
        return len(path) - len(last) >= at and path.endswith(last)
    return not is_whole or at == len(path)


def _unescape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else found[0]
