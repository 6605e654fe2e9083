"""Does a door search records of the topic? A sum of log-odds, one named part for each evidence.

The form's own words, its controls, its page, where it stands, the pages of its site met so far, the
home page, the other doors of the site, and its answers to probes. The critic supplies what a page
alone tells (`DoorEvidence`); the loop adds what the store knows of the site (`SiteEvidence`), and
judges stored forms again when that changes (decision 0026). Everything here is a function of what
it is given.
"""

from collections.abc import Iterator, Sequence
from math import exp, log, sqrt

from msgspec import Struct, structs

from leadline.core.crawl import (
    LIKELY,
    DoorAnswers,
    DoorEvidence,
    JudgedForm,
    Judgement,
    SiteEvidence,
)
from leadline.core.page import Form
from leadline.forms.probe import NO, YES
from leadline.learn.linear import logit

Part = tuple[str, float]
NO_SITE = SiteEvidence()
MOST_DOORS = 8
"""Of one site that lend evidence to each other; sites with more are portals."""
_MOST_WORDS = 8.0
"""Bound of what words may say, before their weight: single words are never sure."""
_MOST_SITE = 4.0
_MOST_OTHERS = 2.0
"""Of what another search of the site says: a portal has several databases."""
_MOST_CONTEXT = 2.0
"""Of what its page, the pages of its site and the home page say together: however much they are
about the topic, a box that says nothing may as well search articles (of the searches of
Formasaurus' sites 134 are over a database and 126 over the site's own pages). The rest has to come
from the door itself, other doors of the site, or an answer."""
_SPEAKING = 2
"""Known words from which a door says enough to speak for other doors of its site."""
_ENOUGH_PAGES = 3
"""Of a site, from which it is known whether a door stands everywhere."""
_EVERYWHERE = 0.5
"""Share of the pages of its site: the box of a site's frame is not on its odd pages."""
_PAGE_STRENGTH = 2.0
"""A door's own page counts as two pages of its site: of a portal's pages it is the one that
matters, and on a site of one topic it makes no difference."""
_HALF_SPEAKS = 20.0
"""Words from which a page speaks half as much as a long one. Of real pages (SWDE, WebKB and home
pages, four packs) cut to 5, 10, 20, 40, 80 and 120 words the log-odds hold .42, .43, .49, .53, .63
and .79 times as far as those of whole pages; a page of nothing but a search says less still."""


class EvidenceWeights(Struct, frozen=True):
    """How much each evidence adds.

    `words`, `page`, `site` and `silence` are rounded from a fit on real forms (SWDE, Formasaurus),
    each judged by the shipped packs and by eight words a domain:
    `python -m tools.critic_training.evidence FOLDER --pages 0`. There every form meets all twelve
    domains, so that one in twenty is topical; the `bias` is between that of Formasaurus by the
    packs (-1.7) and the mean of the four (-2.3), since a crawl near its topic meets more. `home`
    and `doors` are from an earlier fit on lab worlds: no real collection at hand has home pages
    beside other pages.

    `controls` and `no_word_box` tell databases from searches over a site's own pages: of 108 real
    databases at hand 16 % have three visible controls or more and 21 % no box for words, of 193
    other searches 5 % and none. Fits on two collections and webs by three makers agree on both.
    """

    bias: float = -2.0
    words: float = 1.25
    silence: float = -0.35
    """Of a door of which no word is known; 1 / (1 + known words) of it for others."""
    page: float = 1.5
    site: float = 1.2
    home: float = 0.35
    doors: float = 0.56
    records: float = 1.0
    """What `forms.holdings` says is log-odds already."""
    controls: float = 0.6
    """For each doubling of the visible controls, up to eight."""
    no_word_box: float = 1.6
    """Of a form that only has lists, and boxes for one kind of value."""
    home_door: float = -0.6
    """Of a door on the home page of its site. On webs by three makers 32, 4 and 52 % of the topic's
    doors on sites about it stand there, and 72, 14 and 100 % of the searches over articles."""
    own_page: float = 0.4
    """Of one that its home page does not show."""
    everywhere: float = -1.0
    """Of one on half of the site's pages or more. On the same webs so stand 24, 4 and 31 % of the
    topic's doors on sites about it, and 65, 50 and 17 % of the searches over articles; fits on each
    give -0.8, -2.8 and 0.2."""


WEIGHTS = EvidenceWeights()
_CRAWL_DEVIATION = 1.6
"""By which webs and topics differ in what their doors turn out to be, in log-odds: that of the
sources that the weights were fitted on. Before any door was asked, nothing is known of it."""
_OWN_WORDS = 8.0
"""Known words from which a door hangs on itself as much as on its page and site."""
_ASKED_ENOUGH = 10.0
"""Doors asked from which it is known about how often such doors surprise."""


class AnswerWeights(Struct, frozen=True):
    """What answers add to the log-odds.

    From fits on the answers of some 600 doors of webs by three makers, each by itself and each left
    out in turn (`python -m tools.critic_training.answers` for two of them), set between them by
    what replays accept (`python -m tools.door_replay`). Links and texts beside them speak for
    records with all three; prose speaks against them but in the lab, where records have long
    descriptions.
    """

    found: float = -2.0
    """A word brings what nonsense does not; the rest tells what that is."""
    knows_topic: float = 1.1
    """It is one of the topic, and not a common one."""
    links: float = 0.35
    """For each doubling of the links that it brings: articles about one word are few."""
    texts_per_link: float = 2.0
    """For each doubling of the texts beside each link: records show several fields."""
    nothing: float = -0.7
    """Words and nonsense get the same: mostly, the words were none that the records hold."""
    unclear: float = -1.5
    """It was asked, and what it showed did not depend on the word. A form that could not be asked
    says nothing either way."""
    relevance: float = 0.3
    """For each log-odds of what a word brought being about the topic, between -3 and 3: searches
    over a topical site's articles bring as much of the topic as its records do."""
    familiar: float = -2.0
    """If all that a word brought is linked elsewhere on the site: its articles."""
    prose: float = -5.0
    """For the share of running text in what a word brought, up to 0.8."""


ANSWERS = AnswerWeights()
_MOST_RELEVANCE, _MOST_PROSE = 3.0, 0.8
_MOST_DOUBLINGS = 5.0, 3.0
"""Of links, and of texts for each link."""


def sum_parts(
    door: DoorEvidence,
    site: SiteEvidence = NO_SITE,
    sign: str = "",
    weights: EvidenceWeights = WEIGHTS,
) -> tuple[Part, ...]:
    """The named parts of the log-odds that the door searches records of the topic.

    `sign` is the door's own signature: it lends nothing to itself.
    """
    about = [
        ("its words", weights.words * _clamp(door.words, _MOST_WORDS)),
        *_site_parts(door, site, sign, weights),
    ]
    parts = [
        ("search forms in general", weights.bias),
        *about,
        ("how little it says", weights.silence * silence_of(door)),
        # Controls tell databases, of whatever topic: they count as far as this one may be meant.
        ("its controls", _weigh_controls(door, weights) * chance_of(about)),
        ("where it stands", _weigh_place(door, site, sign, weights)),
        ("records or articles", weights.records * _weigh_records(door, site)),
        ("labels", door.labels),
    ]
    if door.answers is not None:
        parts += weigh_answers(door.answers)
    return tuple([part for part in parts if part[1]])


def _site_parts(
    door: DoorEvidence, site: SiteEvidence, sign: str, weights: EvidenceWeights
) -> list[Part]:
    own = 1.0 - door.silence
    # Before any page of the site is counted, the door's own page stands for it.
    pages = site.pages - site.silence if site.pages else own
    topical = (site.topical if site.pages else own * door.page) + _PAGE_STRENGTH * own * door.page
    pages += _PAGE_STRENGTH * own
    odds = _page_odds(door.page, own)
    whole = logit((topical + 0.5) / (pages + 1))
    found = [
        ("its page", weights.page * odds),
        ("pages of its site", weights.site * (whole - odds)),
    ]
    if site.lead:
        # As one more page that is about the topic: the more pages of the site speak, the less it
        # adds. No link speaks against a site.
        led = logit((topical + site.lead + 0.5) / (pages + site.lead + 1))
        found.append(("link to its site", weights.site * (led - whole)))
    if site.home is not None:
        found.append(("home page of its site", weights.home * _clamp(site.home, _MOST_SITE)))
    context = sum([weight for _, weight in found])
    if context > _MOST_CONTEXT:
        # In proportion, so that each still tells what it is worth.
        part = _MOST_CONTEXT / context
        found = [(name, part * weight) for name, weight in found]
    own_form = next((one.form for one in site.doors if one.signature == sign), None)
    said = [
        one.evidence.words
        for one in site.doors
        if one.signature != sign
        and one.evidence is not None
        and _is_speaking(one.evidence)
        and not (one.evidence.words == door.words and own_form and _is_copy(one.form, own_form))
    ]
    if said:
        weight = weights.doors * _clamp(max(said), _MOST_OTHERS)
        found.append(("other searches of its site", weight))
    return found


def _is_copy(one: Form, other: Form) -> bool:
    """Whether a form says what the other says, to another address, as the box of a wiki does that
    searches below each page: it has nothing of its own to tell."""
    return (
        one.text == other.text
        and one.method == other.method
        and [field.name for field in one.fields] == [field.name for field in other.fields]
    )


def _weigh_controls(door: DoorEvidence, weights: EvidenceWeights) -> float:
    known = weights.controls * min(log(max(door.controls, 1), 2), 3.0)
    return known + (0.0 if door.has_word_box else weights.no_word_box)


def _weigh_place(
    door: DoorEvidence, site: SiteEvidence, sign: str, weights: EvidenceWeights
) -> float:
    """Nothing before the home page, or enough pages, were read."""
    place = weights.home_door if door.is_on_home else 0.0
    if not door.is_on_home and site.home is not None:
        place = weights.own_page
    if site.pages < _ENOUGH_PAGES:
        return place
    seen = next(
        (n for one, n in zip(site.doors, site.seen, strict=False) if one.signature == sign), 0
    )
    return place + weights.everywhere * (seen >= _EVERYWHERE * site.pages)


def _weigh_records(door: DoorEvidence, site: SiteEvidence) -> float:
    """Of all pages of the site with a search; a door's own page stands for them before any."""
    return site.records / site.shown if site.shown else door.records


def _is_speaking(door: DoorEvidence) -> bool:
    return door.known >= _SPEAKING


def _page_odds(chance: float, speaks: float = 1.0) -> float:
    """Of one page, which proves little: as of a Beta distribution with a prior of one half."""
    strength = _PAGE_STRENGTH * speaks
    return logit((strength * chance + 0.5) / (strength + 1))


def measure_silence(words: int) -> float:
    """How far a page of so many words says nothing, so that what it is about stays open."""
    return _HALF_SPEAKS / (_HALF_SPEAKS + words)


def silence_of(door: DoorEvidence) -> float:
    """1 for a box that says nothing, towards 0 for a form that says much."""
    return 1.0 / (1 + door.known)


def _hang_on_context(door: DoorEvidence) -> float:
    """How far page and site decide: 1 for a box that says nothing, less for a form with words."""
    return _OWN_WORDS / (_OWN_WORDS + door.known)


def weigh_answers(answers: DoorAnswers | None) -> tuple[Part, ...]:
    """What they add to the log-odds, by name."""
    if answers is None:
        return ()
    if answers.database == NO:
        return (("its answers", ANSWERS.nothing),)
    if answers.database != YES:
        return (("its answers", ANSWERS.unclear),) if answers.requests else ()
    return tuple(_weigh_finds(answers))


def _weigh_finds(answers: DoorAnswers) -> Iterator[Part]:
    knows = ANSWERS.knows_topic if answers.knows_topic else 0.0
    links = min(log(1 + answers.links, 2), _MOST_DOUBLINGS[0])
    texts = min(log(max(1.0, answers.texts / max(1, answers.links)), 2), _MOST_DOUBLINGS[1])
    yield "its answers", ANSWERS.found + knows + ANSWERS.links * links
    yield "fields in its answers", ANSWERS.texts_per_link * texts
    if answers.relevance is not None:
        odds = _clamp(logit(answers.relevance), _MOST_RELEVANCE)
        yield "what its answers are about", ANSWERS.relevance * odds
    yield "known links in its answers", ANSWERS.familiar * (answers.familiar or 0.0)
    yield "running text in its answers", ANSWERS.prose * min(answers.prose, _MOST_PROSE)


def chance_of(parts: Sequence[Part]) -> float:
    """The probability that the log-odds of all parts come to."""
    return 1.0 / (1.0 + exp(-_clamp(sum([weight for _, weight in parts]), 40.0)))


def judge_evidence(door: DoorEvidence) -> float:
    """The probability by what form and page say alone."""
    return chance_of(sum_parts(door))


def revise_form(judged: JudgedForm, site: SiteEvidence) -> JudgedForm:
    """The form as it is judged with what is known of its site and the crawl by now."""
    if judged.evidence is None:
        return judged
    parts = sum_parts(judged.evidence, site, judged.signature)
    return structs.replace(judged, relevant=judged.searchable * chance_of(parts), parts=parts)


def revise_site(site: SiteEvidence) -> SiteEvidence:
    """The site with all its doors as they are judged by now."""
    if not site.doors:
        return site
    doors = tuple([revise_form(form, site) for form in site.doors])
    return structs.replace(site, doors=doors)


def revise_judgement(judgement: Judgement, site: SiteEvidence) -> Judgement:
    """All forms of a page revised. `site` is revised, and knows this page and its forms already."""
    if not judgement.forms or all(form.evidence is None for form in judgement.forms):
        return judgement
    known = {form.signature: form for form in site.doors}
    revised = []
    for form in judgement.forms:
        door = known.get(form.signature)
        if form.evidence is None or door is None:
            revised.append(revise_form(form, site))
            continue
        # Of a form that was met before, the better page and the answers count.
        chance = form.searchable * chance_of(door.parts)
        revised.append(
            structs.replace(form, evidence=door.evidence, relevant=chance, parts=door.parts)
        )
    return structs.replace(judgement, forms=tuple(revised))


def add_page(site: SiteEvidence, judgement: Judgement) -> SiteEvidence:
    """The site with a page of it that was judged, and with the search forms on it."""
    doors = {form.signature: form for form in site.doors}
    seen = dict(zip(doors, site.seen, strict=False))
    for form in judgement.forms:
        if form.evidence is None or form.searchable < LIKELY:
            continue
        known = doors.get(form.signature)
        seen[form.signature] = seen.get(form.signature, 0) + 1
        if known is None and len(doors) < MOST_DOORS:
            doors[form.signature] = form
        elif known is not None and known.evidence and _is_more(form.evidence, known.evidence):
            more = max(form.evidence, known.evidence, key=lambda one: one.page)
            better = structs.replace(
                known.evidence,
                page=more.page,
                silence=more.silence,
                is_on_home=form.evidence.is_on_home or known.evidence.is_on_home,
            )
            doors[form.signature] = structs.replace(known, evidence=better)
    return structs.replace(
        site,
        pages=site.pages + 1,
        topical=site.topical + judgement.relevance * (1.0 - judgement.silence),
        silence=site.silence + judgement.silence,
        home=site.home if judgement.site is None else judgement.site,
        doors=tuple(doors.values()),
        shown=site.shown + (judgement.records is not None),
        records=site.records + (judgement.records or 0.0),
        seen=tuple(seen.get(sign, 1) for sign in doors),
    )


def _is_more(now: DoorEvidence, before: DoorEvidence) -> bool:
    """Whether another page that shows the door says more of it."""
    return now.page > before.page or (now.is_on_home and not before.is_on_home)


def add_answers(form: JudgedForm, answers: DoorAnswers) -> JudgedForm:
    """The form with what it answered."""
    if form.evidence is None:
        return form
    return structs.replace(form, evidence=structs.replace(form.evidence, answers=answers))


def measure_doubt(form: JudgedForm, asked: int = 0) -> float:
    """The probability that the verdict on a form is wrong, as far as it may be: by one standard
    deviation of what is not known of the doors of this web, which is less the more were asked."""
    if form.evidence is None:
        return 0.0
    unknown = _CRAWL_DEVIATION * _hang_on_context(form.evidence)
    unknown /= sqrt(1 + asked / _ASKED_ENOUGH)
    odds = sum(weight for _, weight in form.parts)
    hopeful = form.searchable * chance_of([("", odds + unknown)])
    return min(hopeful, 1 - form.relevant)


def _clamp(value: float, most: float) -> float:
    return most if value > most else max(-most, value)
