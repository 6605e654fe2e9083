"""Host names: a made-up name that carries the site's permuted number, and often a word."""

from functools import lru_cache

from leadline_lab.draw import Draw, Shuffle, key_of
from leadline_lab.sites.census import Census

_CONSONANTS = "bdfghklmnprstvwz"
_VOWELS = "aeiou"
_SYLLABLES = [a + b for a in _CONSONANTS for b in _VOWELS]
_NUMBER_OF = {syllable: number for number, syllable in enumerate(_SYLLABLES)}
_SPEAKING = 480
"""Per mille of hosts with a word of their topic."""
_VAGUE = ("online", "world", "web", "net", "info", "direct", "central", "one", "point", "go")
_ENDINGS = (".test", ".test", ".test", ".example")
"""Reserved by RFC 2606, so that no request of a lab can ever reach anybody."""
MIRROR = "mirror."


class Hosts:
    """Names of sites, and sites of names."""

    def __init__(self, census: Census, key: int) -> None:
        self._census = census
        self._key = key_of(key, "hosts")
        self._syllables = 3 if census.sites <= len(_SYLLABLES) ** 3 else 4
        self._shuffle = Shuffle(key_of(key, "host numbers"), len(_SYLLABLES) ** self._syllables)
        self.host = lru_cache(maxsize=100_000)(self._host)
        self.site = lru_cache(maxsize=100_000)(self._site)
        self.title = lru_cache(maxsize=100_000)(self._title)

    def name(self, site: int) -> str:
        """The made-up part alone."""
        number = self._shuffle.at(site)
        parts = []
        for _ in range(self._syllables):
            number, place = divmod(number, len(_SYLLABLES))
            parts.append(_SYLLABLES[place])
        return "".join(parts)

    def _title(self, site: int) -> str:
        """What the site calls itself."""
        name = self.name(site).capitalize()
        draw = Draw(key_of(self._key, "title", site))
        words = self._census.population(site).host_words
        return f"{name} {draw.pick(words).capitalize()}" if draw.chance(700) else name

    def _host(self, site: int) -> str:
        draw = Draw(key_of(self._key, site))
        name = self.name(site)
        words = self._census.population(site).host_words
        word = draw.pick(words) if words and draw.chance(_SPEAKING) else ""
        if not word and draw.chance(350):
            word = draw.pick(_VAGUE)
        form = draw.below(4)
        if not word:
            label = name
        elif form == 0:
            label = f"{word}-{name}"
        elif form == 1:
            label = f"{name}-{word}"
        else:
            label = name + word
        www = "www." if draw.chance(550) else ""
        return f"{www}{label}{draw.pick(_ENDINGS)}"

    def _site(self, host: str) -> int | None:
        """The site of a host or of its mirror; None for a name that nobody has."""
        bare = host.removeprefix(MIRROR)
        label = bare.removeprefix("www.").rpartition(".")[0]
        width = 2 * self._syllables
        for name in (label[:width], label[-width:]):
            site = self._decode(name)
            if site is not None and self.host(site) == bare:
                return site
        return None

    def _decode(self, name: str) -> int | None:
        number = 0
        for start in range(len(name) - 2, -1, -2):
            place = _NUMBER_OF.get(name[start : start + 2])
            if place is None:
                return None
            number = number * len(_SYLLABLES) + place
        if number >= self._shuffle.size:
            return None
        site = self._shuffle.back(number)
        return site if site < self._census.sites else None
