"""What Google's open-source robots.txt parser is published to do, restated in files of our own.

Each of its tests (robots_test.cc) is a row of `CASES`: its name, then files, each with paths that
may and that must not be asked for, and by whom. Its integrity tests are in test_robots.py.
"""

from typing import NamedTuple


class Expectation(NamedTuple):
    """What a file says to one agent."""

    text: str
    agent: str = "snailbot"
    allowed: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


def group(*rules: str, agent: str = "snailbot") -> str:
    return "".join(f"{line}\n" for line in (f"user-agent: {agent}", *rules))


ALL_FORBIDDEN = group("disallow: /")
_THREE_GROUPS = """allow: /attic/shelf/

user-agent: snailbot
disallow: /
allow: /east/
user-agent: newtbot
disallow: /
allow: /west/


allow: /south/
user-agent: toadbot

user-agent: snailbot
allow: /north/
disallow: /
"""
_OPEN_TO_ALL = group("allow: /", agent="*") + group("disallow: /")
_NAMED_ONLY = (
    group("allow: /") + group("disallow: /", agent="newtbot") + group("disallow: /", agent="t")
)
_FOR_TWO = group("disallow: /hall/", agent="*") + group("disallow: /yard/")
_ROOM = 8 * 2083
"""Bytes of a line that are read."""


def long_path(rule: str, letter: str) -> str:
    """As long as a line holds behind the name of its rule."""
    return "/q/" + letter * (_ROOM - len(rule) - 8)


def only(pattern: str) -> str:
    return group("disallow: /", f"allow: {pattern}")


_ODD = "/list/page?sort=up&from=http://other.example?kind&more"

CASES: dict[str, list[Expectation]] = {
    "GoogleOnly_SystemTest": [
        Expectation("", allowed=("/",)),
        Expectation(ALL_FORBIDDEN, "", allowed=("/",)),
        Expectation(ALL_FORBIDDEN, forbidden=("/",)),
        Expectation("", "", allowed=("/",)),
    ],
    "ID_LineSyntax_Line": [
        Expectation(ALL_FORBIDDEN, forbidden=("/hall/door",)),
        Expectation("colour: snailbot\nsize: /\n", allowed=("/hall/door",)),
        Expectation("user-agent snailbot\ndisallow /\n", forbidden=("/hall/door",)),
    ],
    "ID_LineSyntax_Groups": [
        Expectation(
            _THREE_GROUPS,
            allowed=("/east/1", "/north/4"),
            forbidden=("/west/2", "/attic/shelf/"),
        ),
        Expectation(
            _THREE_GROUPS,
            "newtbot",
            allowed=("/west/2", "/south/3"),
            forbidden=("/north/4", "/attic/shelf/"),
        ),
        Expectation(_THREE_GROUPS, "toadbot", ("/north/4",), ("/attic/shelf/",)),
    ],
    # Lines of other kinds do not end a group of agents.
    "ID_LineSyntax_Groups_OtherRules": [
        Expectation(
            f"User-agent: newtbot\n{other}\nUser-agent: *\nDisallow: /\n", agent, (), ("/hall",)
        )
        for other in ("Sitemap: https://a.example/map", "Colour: blue")
        for agent in ("snailbot", "newtbot")
    ],
    "ID_REPLineNamesCaseInsensitive": [
        Expectation(text, allowed=("/hall/1",), forbidden=("/yard/1",))
        for text in (
            "USER-AGENT: snailbot\nALLOW: /hall/\nDISALLOW: /\n",
            "user-agent: snailbot\nallow: /hall/\ndisallow: /\n",
            "uSER-agENT: snailbot\naLLow: /hall/\nDISallOW: /\n",
        )
    ],
    "ID_UserAgentValueCaseInsensitive": [
        Expectation(
            f"User-Agent: {named}\nAllow: /hall/\nDisallow: /\n", agent, ("/hall/1",), ("/yard/1",)
        )
        for named in ("SNAIL SHELL", "snail shell", "SnAiL shElL")
        for agent in ("Snail", "snail")
    ],
    "GoogleOnly_AcceptUserAgentUpToFirstSpace": [
        Expectation(
            "User-Agent: *\nDisallow: /\nUser-Agent: Snail Shell\nAllow: /hall/\nDisallow: /\n",
            agent,
            *((("/hall/1",), ()) if agent == "Snail" else ((), ("/hall/1",))),
        )
        for agent in ("Snail", "Snail Shell")
    ],
    "ID_GlobalGroups_Secondary": [
        Expectation("", allowed=("/hall/1",)),
        Expectation(_OPEN_TO_ALL, forbidden=("/hall/1",)),
        Expectation(_OPEN_TO_ALL, "newtbot", allowed=("/hall/1",)),
        Expectation(_NAMED_ONLY, "owlbot", allowed=("/hall/1",)),
    ],
    "ID_AllowDisallow_Value_CaseSensitive": [
        Expectation(group("disallow: /hall/"), forbidden=("/hall/1",)),
        Expectation(group("disallow: /HALL/"), allowed=("/hall/1",)),
    ],
    "ID_LongestMatch": [
        Expectation(group("disallow: /q/door.html", "allow: /q/"), forbidden=("/q/door.html",)),
        Expectation(
            group("allow: /q/door.html", "disallow: /q/"), "snailbot", ("/q/door.html",), ("/q/",)
        ),
        Expectation(group("disallow: ", "allow: "), allowed=("/q/door.html",)),
        Expectation(group("disallow: /", "allow: /"), allowed=("/q/door.html",)),
        Expectation(group("disallow: /q", "allow: /q/"), "snailbot", ("/q/",), ("/q",)),
        Expectation(
            group("disallow: /q/door.html", "allow: /q/door.html"), allowed=("/q/door.html",)
        ),
        Expectation(
            group("allow: /door", "disallow: /*.html"), "snailbot", ("/door",), ("/door.html",)
        ),
        Expectation(
            group("allow: /q/door.", "disallow: /*.html"),
            "snailbot",
            ("/q/door.html",),
            ("/q/wall.html",),
        ),
        Expectation(_FOR_TWO, "snailbot", ("/hall/1",), ("/yard/1",)),
    ],
    "ID_Encoding": [
        Expectation(only(_ODD), allowed=(_ODD,)),
        Expectation(only("/list/ッ"), "snailbot", ("/list/%E3%83%83",), ("/list/ッ",)),
        Expectation(only("/list/%E3%83%83"), "snailbot", ("/list/%E3%83%83",), ("/list/ッ",)),
        Expectation(only("/list/%64%6F%67"), "snailbot", ("/list/%64%6F%67",), ("/list/dog",)),
    ],
    "ID_SpecialCharacters": [
        Expectation(
            group("disallow: /hall/east/wall", "allow: /hall/*/door"),
            "snailbot",
            ("/hall/wall", "/hall//wall", "/hall/west/wall"),
            ("/hall/east/wall",),
        ),
        Expectation(
            group("disallow: /hall/east$", "allow: /hall/east/door"),
            "snailbot",
            ("/hall/east/door", "/hall/east/", "/hall/east/wall"),
            ("/hall/east",),
        ),
        Expectation(
            group("# disallow: /", "disallow: /hall/wall#door", "allow: /"),
            "snailbot",
            ("/hall/east",),
            ("/hall/wall",),
        ),
    ],
    "GoogleOnly_IndexHTMLisDirectory": [
        Expectation(
            group("allow: /open/index.html", "disallow: /", agent="*"),
            "snailbot",
            ("/open/", "/open/index.html"),
            ("/open/index.htm", "/elsewhere"),
        )
    ],
    "GoogleOnly_LineTooLong": [
        Expectation(
            group(f"disallow: {long_path('disallow', 'k')}{'k' * 20}/end"),
            "snailbot",
            ("/other",),
            (f"{long_path('disallow', 'k')}{'k' * 20}/other",),
        ),
        Expectation(
            group(
                "disallow: /",
                *(f"allow: {long_path('allow', letter)}{letter * 20}/end" for letter in "km"),
            ),
            "snailbot",
            (
                f"{long_path('allow', 'k')}{'k' * 20}/end",
                f"{long_path('allow', 'm')}{'m' * 20}/other",
            ),
            ("/",),
        ),
    ],
    "GoogleOnly_DocumentationChecks": [
        *(
            Expectation(
                only(pattern),
                "snailbot",
                (
                    *("/bird", "/bird.html", "/bird/wren.html", "/birdsong"),
                    *("/birdsong/loud.html", "/bird.html?id=any"),
                ),
                ("/tree", "/Bird.asp", "/songbird", "/?id=bird"),
            )
            for pattern in ("/bird", "/bird*")
        ),
        Expectation(
            only("/bird/"),
            "snailbot",
            ("/bird/", "/bird/wren", "/bird/?wren", "/bird/wren.html", "/bird/?id=any"),
            ("/tree", "/bird", "/bird.html", "/Bird/Wren.html"),
        ),
        Expectation(
            only("/*.php"),
            "snailbot",
            (
                *("/file.php", "/box/file.php", "/box/file.php?all", "//box/any.php.file.html"),
                *("/file.php/", "/list?f=file.php/"),
            ),
            ("/tree", "/php/", "/list?php", "/upper.PHP"),
        ),
        Expectation(
            only("/*.php$"),
            "snailbot",
            ("/file.php", "/box/file.php"),
            (
                *("/tree", "/file.php?all", "/file.php/", "/file.php5", "/php/", "/file?php"),
                *("/bbbphpbbb", "//upper.PHP"),
            ),
        ),
        Expectation(
            only("/bird*.php"),
            "snailbot",
            ("/bird.php", "/birdsong/songbird.php?all"),
            ("/tree", "/Bird.PHP"),
        ),
        Expectation(group("allow: /d", "disallow: /"), allowed=("/door",)),
        Expectation(group("allow: /box", "disallow: /box"), allowed=("/box/door",)),
        Expectation(group("allow: /door", "disallow: /*.htm"), forbidden=("/door.htm",)),
        Expectation(group("allow: /$", "disallow: /"), "snailbot", ("/",), ("/door.html",)),
    ],
}
