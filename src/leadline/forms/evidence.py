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
_SPEAKING = 2
"""Known words from which a door says enough to speak for other doors of its site."""
_PAGE_STRENGTH = 2.0
"""A door's own page counts as two pages of its site: of a portal's pages it is the one that
matters, and on a site of one topic it makes no difference."""


class EvidenceWeights(Struct, frozen=True):
    """How much each evidence adds.

    Fitted on ten sources that count alike, by a first version of what
    `python -m tools.critic_training.evidence` does, which has yet to confirm them: real sites
    (SWDE), real home pages (Formasaurus), five lab profiles, and three with topics taught by ten
    pages. Every source has a bias and a silence of its own in the fit, so that the others are
    free of its mixture of forms; the values here are their means, which the crawl's own tally
    then moves. docs/critics.md has the figures for each source left out in turn.
    """

    bias: float = -2.96
    words: float = 1.14
    silence: float = -1.41
    """Of a door of which no word is known; 1 / (1 + known words) of it for others."""
    page: float = 0.07
    site: float = 0.35
    home: float = 0.35
    doors: float = 0.56
    controls: float = 0.21
    """For each doubling of the visible controls, up to eight."""


WEIGHTS = EvidenceWeights()
_SHARE, _SHARE_STRENGTH = 0.22, 20.0
"""Of the doors of the fit about a quarter is of the topic (mean over its sources). The strength is
set: the doors of a crawl that weigh as much; over the sources the bias varies little with it."""
_SILENT_SHARE, _SILENT_STRENGTH = 0.2, 3.0
"""The same of doors that say nothing on sites about the topic. The sources differ by a standard
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
    no_database: float = -3.5
    unclear: float = -0.7


ANSWERS = AnswerWeights()


def sum_parts(
    door: DoorEvidence, site: SiteEvidence = NO_SITE, tally: DoorTally = NO_TALLY, sign: str = ""
) -> tuple[Part, ...]:
    """The named parts of the log-odds that the door searches records of the topic.

    `sign` is the door's own signature: it lends nothing to itself.
    """
    parts = (
        ("search forms in general", WEIGHTS.bias),
        ("its words", WEIGHTS.words * _bound(door.words, _MOST_WORDS)),
        ("how little it says", WEIGHTS.silence * silence_of(door)),
        ("its controls", WEIGHTS.controls * min(log(max(door.controls, 1), 2), 3.0)),
        ("its page", WEIGHTS.page * _page_odds(door.page)),
        *_site_parts(door, site, sign),
        ("doors met so far", _share_part(tally)),
        ("silent doors asked so far", silence_of(door) * _silent_part(tally)),
        ("labels", door.labels),
        ("its answers", weigh_answers(door.answers)),
    )
    return tuple((name, weight) for name, weight in parts if weight)


def _site_parts(door: DoorEvidence, site: SiteEvidence, sign: str) -> Iterator[Part]:
    # Before any page of the site is counted, the door's own page stands for it.
    pages, topical = max(site.pages, 1), site.topical if site.pages else door.page
    whole = logit((_PAGE_STRENGTH * door.page + topical + 0.5) / (_PAGE_STRENGTH + pages + 1))
    yield "pages of its site", WEIGHTS.site * (whole - _page_odds(door.page))
    if site.home is not None:
        yield "home page of its site", WEIGHTS.home * _bound(site.home, _MOST_SITE)
    others = [one for one in site.doors if one.signature != sign and one.evidence is not None]
    said = [one.evidence.words for one in others if one.evidence and _is_speaking(one.evidence)]
    if said:
        yield "other searches of its site", WEIGHTS.doors * _bound(max(said), _MOST_SITE)


def _is_speaking(door: DoorEvidence) -> bool:
    return door.known >= _SPEAKING


def _page_odds(chance: float) -> float:
    """Of one page, which proves little: as of a Beta distribution with a prior of one half."""
    return logit((_PAGE_STRENGTH * chance + 0.5) / (_PAGE_STRENGTH + 1))


def silence_of(door: DoorEvidence) -> float:
    """1 for a box that says nothing, towards 0 for a form that says much."""
    return 1.0 / (1 + door.known)


def _share_part(tally: DoorTally) -> float:
    mean = (_SHARE * _SHARE_STRENGTH + tally.topical) / (_SHARE_STRENGTH + tally.met)
    return logit(mean) - logit(_SHARE) if tally.met else 0.0


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
        return ANSWERS.unclear
    if answers.relevance is None:
        return 0.0
    share = answers.relevance
    return share * ANSWERS.topical_database + (1 - share) * ANSWERS.other_database


def chance_of(parts: Sequence[Part]) -> float:
    """The probability that the log-odds of all parts come to."""
    return 1.0 / (1.0 + exp(-_bound(sum(weight for _, weight in parts), 40.0)))


def judge_evidence(door: DoorEvidence) -> float:
    """The probability by what form and page say alone."""
    return chance_of(sum_parts(door))


def revise_form(judged: JudgedForm, site: SiteEvidence, tally: DoorTally = NO_TALLY) -> JudgedForm:
    """The form as it is judged with what is known of its site and the crawl by now."""
    if judged.evidence is None:
        return judged
    parts = sum_parts(judged.evidence, site, tally, judged.signature)
    return structs.replace(judged, relevant=judged.searchable * chance_of(parts), parts=parts)


def revise_judgement(judgement: Judgement, site: SiteEvidence, tally: DoorTally) -> Judgement:
    """All forms of a page revised. `site` knows this page and its forms already."""
    if not any(form.evidence for form in judgement.forms):
        return judgement
    known = {form.signature: form for form in site.doors}
    # Of a form that was met before, the better page and the answers count.
    forms = [
        structs.replace(form, evidence=known[form.signature].evidence)
        if form.evidence and form.signature in known
        else form
        for form in judgement.forms
    ]
    revised = tuple(revise_form(form, site, tally) for form in forms)
    return structs.replace(judgement, forms=revised)


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
    if form.evidence is None or form.evidence.answers is None:
        return tally
    share, is_topical = silence_of(form.evidence), form.relevant >= LIKELY
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
