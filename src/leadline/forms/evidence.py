"""Does a door search records of the topic? A sum of log-odds, one named part for each evidence.

The form's own words, its controls, its page, the pages of its site met so far, the home page, the
other doors of the site, what doors of this crawl turned out to be, and its answers to probes. The
critic supplies what a page alone tells (`DoorEvidence`); the loop adds what the store knows of the
site (`SiteEvidence`) and of the crawl (`DoorTally`), and judges stored forms again when that
changes (decision 0026). Everything here is a function of what it is given.
"""

from collections.abc import Iterator, Sequence
from math import exp, log, sqrt

from msgspec import Struct, structs

from leadline.core.crawl import (
    LIKELY,
    DoorAnswers,
    DoorEvidence,
    DoorTally,
    JudgedForm,
    Judgement,
    SiteEvidence,
)
from leadline.forms.probe import NO, YES
from leadline.learn.linear import logit

Part = tuple[str, float]
NO_SITE = SiteEvidence()
NO_TALLY = DoorTally()
MOST_DOORS = 8
"""Of one site that lend evidence to each other; sites with more are portals."""
_MOST_WORDS = 8.0
"""Bound of what words may say, before their weight: single words are never sure."""
_MOST_SITE = 4.0
_MOST_CONTEXT = 2.0
"""Of what its page, the pages of its site and the home page say together: however much they are
about the topic, a box that says nothing may as well search articles (of the searches of
Formasaurus' sites 134 are over a database and 126 over the site's own pages). The rest has to come
from the door itself, other doors of the site, or an answer."""
_SPEAKING = 2
"""Known words from which a door says enough to speak for other doors of its site."""
_PAGE_STRENGTH = 2.0
"""A door's own page counts as two pages of its site: of a portal's pages it is the one that
matters, and on a site of one topic it makes no difference."""


class EvidenceWeights(Struct, frozen=True):
    """How much each evidence adds.

    `words`, `page`, `site` and `silence` are rounded from a fit on real forms (SWDE, Formasaurus),
    each judged by the shipped packs and by eight words a domain:
    `python -m tools.critic_training.evidence FOLDER --pages 0`. There every form meets all twelve
    domains, so that one in twenty is topical; the `bias` is that of Formasaurus by the packs
    (-1.7) and not the mean of the four (-2.3), since a crawl near its topic meets more. Controls
    said nothing there. `home` and `doors` are from an earlier
    fit on lab worlds: no real collection at hand has home pages beside other pages.
    """

    bias: float = -1.7
    words: float = 1.25
    silence: float = -0.35
    """Of a door of which no word is known; 1 / (1 + known words) of it for others."""
    page: float = 1.5
    site: float = 1.2
    home: float = 0.35
    doors: float = 0.56
    records: float = 1.0
    """What `forms.holdings` says is log-odds already."""
    controls: float = 0.0
    """For each doubling of the visible controls, up to eight."""


WEIGHTS = EvidenceWeights()
_SILENT_SHARE, _SILENT_STRENGTH = 0.2, 3.0
"""Doors that say nothing on sites about the topic: the share that searches its records, and how
many answers that is worth, from the earlier fit with lab worlds. Its sources differ by a standard
deviation of some 1.6 in log-odds, about that of a Beta distribution of this strength: three answers
weigh as much as all of them, since on real sites such boxes search the records, in the lab not."""

_SILENT_DEVIATION = 1.8
"""A little more than the sources differ by, since they are few."""


class AnswerWeights(Struct, frozen=True):
    """What answers add to the log-odds. Set, not fitted: 3.5 takes a silent box of a site about the
    topic from one in ten across one half, and none takes a form whose own words are sure across
    it. To be replaced when probes of real sites have been counted."""

    topical_database: float = 3.5
    """Words bring what nonsense does not, and it is about the topic."""
    other_database: float = -2.5
    """The same, about something else."""
    no_database: float = -5.0
    unclear: float = -3.0
    """It was asked, and what it showed did not depend on the word. A form that could not be asked
    says nothing either way."""


ANSWERS = AnswerWeights()


def sum_parts(
    door: DoorEvidence,
    site: SiteEvidence = NO_SITE,
    tally: DoorTally = NO_TALLY,
    sign: str = "",
    weights: EvidenceWeights = WEIGHTS,
) -> tuple[Part, ...]:
    """The named parts of the log-odds that the door searches records of the topic.

    `sign` is the door's own signature: it lends nothing to itself.
    """
    parts = (
        ("search forms in general", weights.bias),
        ("its words", weights.words * _bound(door.words, _MOST_WORDS)),
        ("how little it says", weights.silence * silence_of(door)),
        ("its controls", weights.controls * min(log(max(door.controls, 1), 2), 3.0)),
        *_site_parts(door, site, sign, weights),
        ("records or articles", weights.records * _weigh_records(door, site)),
        ("silent doors asked so far", silence_of(door) * _silent_part(tally)),
        ("labels", door.labels),
        ("its answers", weigh_answers(door.answers)),
    )
    return tuple((name, weight) for name, weight in parts if weight)


def _site_parts(
    door: DoorEvidence, site: SiteEvidence, sign: str, weights: EvidenceWeights
) -> Iterator[Part]:
    # Before any page of the site is counted, the door's own page stands for it.
    pages, topical = max(site.pages, 1), site.topical if site.pages else door.page
    whole = logit((_PAGE_STRENGTH * door.page + topical + 0.5) / (_PAGE_STRENGTH + pages + 1))
    found = [
        ("its page", weights.page * _page_odds(door.page)),
        ("pages of its site", weights.site * (whole - _page_odds(door.page))),
    ]
    if site.home is not None:
        found.append(("home page of its site", weights.home * _bound(site.home, _MOST_SITE)))
    context = sum(weight for _, weight in found)
    # The parts in proportion, so that each still tells what it is worth.
    part = min(1.0, _MOST_CONTEXT / context) if context > 0 else 1.0
    yield from ((name, part * weight) for name, weight in found)
    others = [one for one in site.doors if one.signature != sign and one.evidence is not None]
    said = [one.evidence.words for one in others if one.evidence and _is_speaking(one.evidence)]
    if said:
        yield "other searches of its site", weights.doors * _bound(max(said), _MOST_SITE)


def _weigh_records(door: DoorEvidence, site: SiteEvidence) -> float:
    """Of all pages of the site with a search; a door's own page stands for them before any."""
    return site.records / site.shown if site.shown else door.records


def _is_speaking(door: DoorEvidence) -> bool:
    return door.known >= _SPEAKING


def _page_odds(chance: float) -> float:
    """Of one page, which proves little: as of a Beta distribution with a prior of one half."""
    return logit((_PAGE_STRENGTH * chance + 0.5) / (_PAGE_STRENGTH + 1))


def silence_of(door: DoorEvidence) -> float:
    """1 for a box that says nothing, towards 0 for a form that says much."""
    return 1.0 / (1 + door.known)


def _silent_part(tally: DoorTally) -> float:
    mean = (_SILENT_SHARE * _SILENT_STRENGTH + tally.confirmed) / (_SILENT_STRENGTH + tally.asked)
    return logit(mean) - logit(_SILENT_SHARE) if tally.asked else 0.0


def weigh_answers(answers: DoorAnswers | None) -> float:
    """What they add to the log-odds."""
    if answers is None:
        return 0.0
    if answers.database == NO:
        return ANSWERS.no_database
    if answers.database != YES:
        return ANSWERS.unclear if answers.requests else 0.0
    if answers.relevance is None:
        return 0.0
    share = answers.relevance
    return share * ANSWERS.topical_database + (1 - share) * ANSWERS.other_database


def chance_of(parts: Sequence[Part]) -> float:
    """The probability that the log-odds of all parts come to."""
    return 1.0 / (1.0 + exp(-_bound(sum([weight for _, weight in parts]), 40.0)))


def judge_evidence(door: DoorEvidence) -> float:
    """The probability by what form and page say alone."""
    return chance_of(sum_parts(door))


def revise_form(judged: JudgedForm, site: SiteEvidence, tally: DoorTally = NO_TALLY) -> JudgedForm:
    """The form as it is judged with what is known of its site and the crawl by now."""
    if judged.evidence is None:
        return judged
    parts = sum_parts(judged.evidence, site, tally, judged.signature)
    return structs.replace(judged, relevant=judged.searchable * chance_of(parts), parts=parts)


def revise_site(site: SiteEvidence, tally: DoorTally) -> SiteEvidence:
    """The site with all its doors as they are judged by now."""
    if not site.doors:
        return site
    doors = tuple([revise_form(form, site, tally) for form in site.doors])
    return structs.replace(site, doors=doors)


def revise_judgement(judgement: Judgement, site: SiteEvidence, tally: DoorTally) -> Judgement:
    """All forms of a page revised. `site` is revised, and knows this page and its forms already."""
    if not judgement.forms or all(form.evidence is None for form in judgement.forms):
        return judgement
    known = {form.signature: form for form in site.doors}
    revised = []
    for form in judgement.forms:
        door = known.get(form.signature)
        if form.evidence is None or door is None:
            revised.append(revise_form(form, site, tally))
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
    for form in judgement.forms:
        if form.evidence is None or form.searchable < LIKELY:
            continue
        known = doors.get(form.signature)
        if known is None and len(doors) < MOST_DOORS:
            doors[form.signature] = form
        elif known is not None and known.evidence and form.evidence.page > known.evidence.page:
            better = structs.replace(known.evidence, page=form.evidence.page)
            doors[form.signature] = structs.replace(known, evidence=better)
    return structs.replace(
        site,
        pages=site.pages + 1,
        topical=site.topical + judgement.relevance,
        home=site.home if judgement.site is None else judgement.site,
        doors=tuple(doors.values()),
        shown=site.shown + (judgement.records is not None),
        records=site.records + (judgement.records or 0.0),
    )


def add_answers(form: JudgedForm, answers: DoorAnswers) -> JudgedForm:
    """The form with what it answered."""
    if form.evidence is None:
        return form
    return structs.replace(form, evidence=structs.replace(form.evidence, answers=answers))


def count_door(tally: DoorTally, form: JudgedForm) -> DoorTally:
    """The tally with a search form that was not met before."""
    return structs.replace(tally, met=tally.met + 1, topical=tally.topical + form.relevant)


def count_answers(tally: DoorTally, form: JudgedForm) -> DoorTally:
    """The tally with a form that was asked: what silent ones are, only answers tell."""
    answers = form.evidence.answers if form.evidence is not None else None
    # One that could not be asked tells nothing of others.
    if form.evidence is None or answers is None or not answers.requests:
        return tally
    is_topical = answers.database == YES and (answers.relevance or 0.0) >= LIKELY
    share = silence_of(form.evidence)
    return structs.replace(
        tally, asked=tally.asked + share, confirmed=tally.confirmed + share * is_topical
    )


def measure_doubt(form: JudgedForm, tally: DoorTally) -> float:
    """The probability that the verdict on a form is wrong, as far as it may be: for silent doors
    by one standard deviation of what is not known of them in this crawl. So the first ones are
    asked, and from their answers it is known whether others are worth it."""
    if form.evidence is None:
        return 0.0
    unknown = _SILENT_DEVIATION * silence_of(form.evidence) / sqrt(1 + tally.asked)
    odds = sum(weight for _, weight in form.parts)
    hopeful = form.searchable * chance_of([("", odds + unknown)])
    return min(hopeful, 1 - form.relevant)


def _bound(value: float, most: float) -> float:
    return max(-most, min(most, value))
