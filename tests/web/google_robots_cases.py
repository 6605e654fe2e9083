"""Cases after those of Google's open-source robots.txt parser, written down from memory.

Each case: the file, the agent, the URL, whether it may be asked for (also RFC 9309, 2 and 5).
"""

FOO = "FooBot"
E = "http://foo.bar"

_THREE = """user-agent: FooBot
disallow: /
allow: /x/y
"""
_GROUPS = """allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
"""
_GROUPS_WITH_OTHER_RULES = """User-agent: BarBot
Sitemap: https://foo.bar/sitemap
User-agent: *
Disallow: /
"""
_UPPER, _LOWER, _CAMEL = (
    "USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /\n",
    "user-agent: FooBot\nallow: /x/\ndisallow: /\n",
    "uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /\n",
)
_AGENTS = [
    f"User-Agent: {name}\nAllow: /x/\nDisallow: /\n" for name in ("FOO BAR", "foo bar", "FoO bAr")
]
_GLOBAL = "user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /\n"
_ONLY_SPECIFIC = """user-agent: FooBot
allow: /
user-agent: BarBot
disallow: /
user-agent: BazBot
disallow: /
"""
_TOO_LONG = f"user-agent: FooBot\ndisallow: /\nallow: /x/{'a' * 900}/qux\n"

CASES: list[tuple[str, str, str, bool]] = [
    # An empty file, an empty agent, an empty URL.
    ("", FOO, E + "/", True),
    (_THREE, FOO, E + "/x/y", True),
    (_THREE, FOO, E + "/x/z", False),
    # Lines without a colon, and lines that are none.
    ("user-agent: FooBot\ndisallow: /\n", FOO, E + "/x/y", False),
    ("foo: FooBot\nbar: /\n", FOO, E + "/x/y", True),
    ("user-agent FooBot\ndisallow /\n", FOO, E + "/x/y", False),
    # Groups.
    (_GROUPS, FOO, E + "/x/b", True),
    (_GROUPS, FOO, E + "/z/d", True),
    (_GROUPS, FOO, E + "/y/c", False),
    (_GROUPS, "BarBot", E + "/y/c", True),
    (_GROUPS, "BarBot", E + "/w/a", True),
    (_GROUPS, "BarBot", E + "/z/d", False),
    (_GROUPS, "BazBot", E + "/z/d", True),
    (_GROUPS, FOO, E + "/foo/bar/", False),
    (_GROUPS, "BarBot", E + "/foo/bar/", False),
    (_GROUPS, "BazBot", E + "/foo/bar/", False),
    (_GROUPS_WITH_OTHER_RULES, FOO, E + "/", False),
    (_GROUPS_WITH_OTHER_RULES, "BarBot", E + "/", False),
    # Names of lines and agents, whatever their case.
    *[(text, FOO, E + "/x/y", True) for text in (_UPPER, _LOWER, _CAMEL)],
    *[(text, FOO, E + "/a/b", False) for text in (_UPPER, _LOWER, _CAMEL)],
    *[(text, agent, E + "/x/y", True) for text in _AGENTS for agent in ("Foo", "foo")],
    *[(text, agent, E + "/a/b", False) for text in _AGENTS for agent in ("Foo", "foo")],
    # An agent is taken up to its first space, and after that up to a version.
    (
        "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n",
        "Foo",
        E + "/x/y",
        True,
    ),
    ("User-agent: FooBot/1.2\nDisallow: /x\n", FOO, E + "/x/y", False),
    ("User-agent: FooBot/1.2 (+http://foo.bar)\nDisallow: /x\n", FOO, E + "/x/y", False),
    # The group for all counts when no other is meant.
    ("", FOO, E + "/x/y", True),
    (_GLOBAL, FOO, E + "/x/y", False),
    (_GLOBAL, "BarBot", E + "/x/y", True),
    (_ONLY_SPECIFIC, "QuxBot", E + "/x/y", True),
    # Values are case-sensitive.
    ("user-agent: FooBot\ndisallow: /x/\n", FOO, E + "/x/y", False),
    ("user-agent: FooBot\ndisallow: /X/\n", FOO, E + "/x/y", True),
    # The longest match wins; of equal ones, allow.
    ("user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/\n", FOO, E + "/x/page.html", False),
    ("user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", FOO, E + "/x/page.html", True),
    ("user-agent: FooBot\nallow: /x/page.html\ndisallow: /x/\n", FOO, E + "/x/", False),
    ("user-agent: FooBot\ndisallow: \nallow: \n", FOO, E + "/x/page.html", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /\n", FOO, E + "/x/page.html", True),
    ("user-agent: FooBot\ndisallow: /x\nallow: /x/\n", FOO, E + "/x", False),
    ("user-agent: FooBot\ndisallow: /x\nallow: /x/\n", FOO, E + "/x/", True),
    (
        "user-agent: FooBot\ndisallow: /x/page.html\nallow: /x/page.html\n",
        FOO,
        E + "/x/page.html",
        True,
    ),
    ("user-agent: FooBot\nallow: /page\ndisallow: /*.html\n", FOO, E + "/page.html", False),
    ("user-agent: FooBot\nallow: /page\ndisallow: /*.html\n", FOO, E + "/page", True),
    ("user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n", FOO, E + "/x/page.html", True),
    ("user-agent: FooBot\nallow: /x/page.\ndisallow: /*.html\n", FOO, E + "/x/y.html", False),
    ("user-agent: *\ndisallow: /x/\nuser-agent: FooBot\ndisallow: /y/\n", FOO, E + "/x/page", True),
    (
        "user-agent: *\ndisallow: /x/\nuser-agent: FooBot\ndisallow: /y/\n",
        FOO,
        E + "/y/page",
        False,
    ),
    # Octets outside ASCII are compared escaped.
    (
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par\n",
        FOO,
        E + "/foo/bar?qux=taz&baz=http://foo.bar?tar&par",
        True,
    ),
    ("User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/ツ\n", FOO, E + "/foo/bar/%E3%83%84", True),
    (
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%E3%83%84\n",
        FOO,
        E + "/foo/bar/%E3%83%84",
        True,
    ),
    (
        "User-agent: FooBot\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n",
        FOO,
        E + "/foo/bar/%62%61%7A",
        True,
    ),
    # Special characters.
    (
        "User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n",
        FOO,
        E + "/foo/bar/quz",
        False,
    ),
    ("User-agent: FooBot\nDisallow: /foo/bar/quz\nAllow: /foo/*/qux\n", FOO, E + "/foo/quz", True),
    ("User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n", FOO, E + "/foo/bar", False),
    (
        "User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n",
        FOO,
        E + "/foo/bar/qux",
        True,
    ),
    ("User-agent: FooBot\nDisallow: /foo/bar$\nAllow: /foo/bar/qux\n", FOO, E + "/foo/bar/", True),
    (
        "User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n",
        FOO,
        E + "/foo/bar",
        True,
    ),
    (
        "User-agent: FooBot\n# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /\n",
        FOO,
        E + "/foo/quz",
        False,
    ),
    # A byte order mark before the first line; one in the middle is part of a name.
    ("\ufeffUser-Agent: foo\nAllow: /AnyValue\nDisallow: /\n", "foo", E + "/AnyValue", True),
    ("\ufeffUser-Agent: foo\nAllow: /AnyValue\nDisallow: /\n", "foo", E + "/x", False),
    # Line ends of all kinds.
    ("User-Agent: foo\r\nAllow: /x\r\nDisallow: /\r\n", "foo", E + "/y", False),
    ("User-Agent: foo\rAllow: /x\rDisallow: /\r", "foo", E + "/y", False),
    ("User-Agent: foo\rAllow: /x\rDisallow: /\r", "foo", E + "/x", True),
    # What Google's own documentation shows.
    ("user-agent: FooBot\ndisallow: /\nallow: /fish\n", FOO, E + "/bar", False),
    ("user-agent: FooBot\ndisallow: /\nallow: /fish\n", FOO, E + "/fishheads/yummy.html", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /fish\n", FOO, E + "/Fish.asp", False),
    ("user-agent: FooBot\ndisallow: /\nallow: /fish*\n", FOO, E + "/fish.html", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /fish*\n", FOO, E + "/catfish", False),
    ("user-agent: FooBot\ndisallow: /\nallow: /fish/\n", FOO, E + "/fish/salmon.htm", True),
    ("user-agent: FooBot\ndisallow: /\nallow: /fish/\n", FOO, E + "/fish.html", False),
    (
        "user-agent: FooBot\ndisallow: /\nallow: /*.php\n",
        FOO,
        E + "/folder/any.php.file.html",
        True,
    ),
    ("user-agent: FooBot\ndisallow: /\nallow: /*.php\n", FOO, E + "/windows.PHP", False),
    ("user-agent: FooBot\ndisallow: /\nallow: /*.php$\n", FOO, E + "/filename.php", True),
    (
        "user-agent: FooBot\ndisallow: /\nallow: /*.php$\n",
        FOO,
        E + "/filename.php?parameters",
        False,
    ),
    ("user-agent: FooBot\ndisallow: /\nallow: /*.php$\n", FOO, E + "/filename.php5", False),
    (
        "user-agent: FooBot\ndisallow: /\nallow: /fish*.php\n",
        FOO,
        E + "/fishheads/catfish.php?parameters",
        True,
    ),
    ("user-agent: FooBot\nallow: /p\ndisallow: /\n", FOO, E + "/page", True),
    ("user-agent: FooBot\nallow: /folder\ndisallow: /folder\n", FOO, E + "/folder/page", True),
    ("user-agent: FooBot\nallow: /$\ndisallow: /\n", FOO, E + "/", True),
    ("user-agent: FooBot\nallow: /$\ndisallow: /\n", FOO, E + "/page.html", False),
    (_TOO_LONG, FOO, f"{E}/x/{'a' * 900}/qux", True),
    (_TOO_LONG, FOO, f"{E}/x/y", False),
]
