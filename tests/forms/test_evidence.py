"""A sum of named evidence: what speaks for a door raises it, and nothing else is in the sum."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from leadline.core.crawl import (
    DoorAnswers,
    DoorEvidence,
    JudgedForm,
    Judgement,
    SiteEvidence,
)
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.forms.evidence import (
    add_answers,
    add_page,
    chance_of,
    judge_evidence,
    measure_doubt,
    measure_silence,
    revise_form,
    revise_judgement,
    sum_parts,
)
from leadline.forms.probe import CANNOT_TELL, NO, YES

SILENT = DoorEvidence(words=0.0, known=0, controls=1, page=0.97)
SPEAKING = DoorEvidence(words=6.0, known=9, controls=4, page=0.97)
FORM = Form(Url("http://a.test/"), Url("http://a.test/s"), "get", ())
ABOUT = SiteEvidence(pages=12, topical=11.5, home=4.0)


def judged(evidence: DoorEvidence, sign: str = "door") -> JudgedForm:
    return revise_form(JudgedForm(FORM, sign, 0.98, 0.0, evidence=evidence), SiteEvidence())


CHANCES = st.floats(0, 1)


@given(st.floats(-20, 20), st.integers(0, 300), st.integers(0, 300), CHANCES, CHANCES)
def test_the_sum_of_any_evidence_is_a_probability(
    words: float, known: int, controls: int, page: float, share: float
) -> None:
    door = DoorEvidence(words, known, controls, page)
    site = SiteEvidence(pages=10, topical=10 * share, home=words)
    assert 0 <= chance_of(sum_parts(door, site)) <= 1


@given(CHANCES, CHANCES, st.integers(1, 100))
def test_more_pages_about_the_topic_never_lower_a_door(low: float, high: float, pages: int) -> None:
    low, high = min(low, high), max(low, high)
    less, more = (SiteEvidence(pages=pages, topical=pages * share) for share in (low, high))
    # Parts are scaled, so sums may differ in their last digit.
    assert chance_of(sum_parts(SILENT, less)) <= chance_of(sum_parts(SILENT, more)) + 1e-9


def test_a_copy_of_a_box_lends_nothing_to_it() -> None:
    box, copy = judged(SPEAKING, "box"), judged(SPEAKING, "copy")
    other = structs.replace(copy, form=structs.replace(FORM, text="Find an author"))
    for lending, is_lent in ((copy, False), (other, True)):
        site = structs.replace(ABOUT, doors=(box, lending))
        parts = dict(sum_parts(SPEAKING, site, "box"))
        assert ("other searches of its site" in parts) == is_lent


def test_a_page_of_few_words_hardly_says_what_it_is_about() -> None:
    against = structs.replace(SILENT, page=0.01)
    short = structs.replace(against, silence=measure_silence(10))
    assert measure_silence(10) > 0.6
    assert measure_silence(400) < 0.05
    assert judge_evidence(against) < judge_evidence(short) < judge_evidence(SILENT)


def test_the_link_to_a_site_counts_less_the_more_its_pages_say() -> None:
    def weigh_lead(pages: int, silence: float) -> float:
        spoken = pages - pages * silence
        site = SiteEvidence(pages=pages, topical=0.1 * spoken, silence=pages * silence, lead=0.9)
        return dict(sum_parts(structs.replace(SILENT, page=0.1, silence=silence), site))[
            "link to its site"
        ]

    assert weigh_lead(1, 0.7) > weigh_lead(1, 0.0) > weigh_lead(10, 0.0) > 0


def test_a_silent_box_of_a_site_on_the_topic_counts_if_the_site_shows_records() -> None:
    records, articles = (structs.replace(SILENT, records=odds) for odds in (0.8, -0.8))
    assert chance_of(sum_parts(records, ABOUT)) > 0.6
    assert chance_of(sum_parts(articles, ABOUT)) < 0.4
    # Records alone make no topic.
    assert judge_evidence(structs.replace(records, page=0.1)) < 0.1


def test_what_pages_of_a_site_show_is_weighed_together() -> None:
    site = SiteEvidence()
    for odds in (1.5, 0.5, None):
        site = add_page(site, Judgement(0.9, records=odds))
    shown = dict(sum_parts(structs.replace(SILENT, records=-2.0), site))
    assert shown["records or articles"] == pytest.approx(1.0)


def test_a_form_that_says_what_it_searches_needs_no_site() -> None:
    assert judge_evidence(SPEAKING) > 0.9
    assert judge_evidence(structs.replace(SPEAKING, words=-6.0)) < 0.01


def test_a_site_about_the_topic_raises_its_silent_box() -> None:
    elsewhere = SiteEvidence(pages=12, topical=0.5, home=-4.0)
    about, other = (revise_form(judged(SILENT), site) for site in (ABOUT, elsewhere))
    assert about.relevant > 3 * other.relevant


def test_an_advanced_search_lends_its_topic_to_the_silent_box_of_its_site() -> None:
    site = structs.replace(ABOUT, doors=(judged(SPEAKING, "advanced"), judged(SILENT)))
    assert revise_form(judged(SILENT), site).relevant > revise_form(judged(SILENT), ABOUT).relevant


def test_a_door_lends_nothing_to_itself() -> None:
    site = structs.replace(ABOUT, doors=(judged(SPEAKING),))
    assert revise_form(judged(SPEAKING), site) == revise_form(judged(SPEAKING), ABOUT)


def test_searches_of_another_topic_speak_against_a_silent_box() -> None:
    other = judged(structs.replace(SPEAKING, words=-5.0), "flights")
    site = structs.replace(ABOUT, doors=(other,))
    assert revise_form(judged(SILENT), site).relevant < revise_form(judged(SILENT), ABOUT).relevant


@pytest.mark.parametrize(
    ("answers", "is_wanted"),
    [
        (DoorAnswers(YES, relevance=0.95, knows_topic=True, links=10, texts=20), True),
        (DoorAnswers(YES, relevance=0.5, links=10, texts=40), True),
        (DoorAnswers(YES, relevance=0.5, links=10, texts=20, prose=0.6), False),
        (DoorAnswers(YES, relevance=0.5, links=2, texts=2), False),
        (DoorAnswers(NO), False),
        (DoorAnswers(CANNOT_TELL, requests=3), False),
    ],
)
def test_answers_decide_over_a_silent_box_of_a_site_about_the_topic(
    answers: DoorAnswers, is_wanted: bool
) -> None:
    asked = revise_form(add_answers(judged(SILENT), answers), ABOUT)
    assert (asked.relevant >= 0.5) == is_wanted


def test_a_door_that_was_asked_surprises_less_in_a_crawl_that_asked_many() -> None:
    unlikely = judged(structs.replace(SILENT, page=0.3))
    first, later = measure_doubt(unlikely), measure_doubt(unlikely, asked=100)
    assert first > later > measure_doubt(judged(SPEAKING))


def test_answers_of_articles_are_none_of_records() -> None:
    records = DoorAnswers(YES, relevance=0.6, knows_topic=True, familiar=0.0, links=9, texts=20)
    for articles in ({"prose": 0.9}, {"familiar": 1.0, "prose": 0.4}):
        told = structs.replace(records, **articles)
        for answers, is_wanted in ((records, True), (told, False)):
            asked = revise_form(add_answers(judged(SILENT), answers), ABOUT)
            assert (asked.relevant >= 0.5) == is_wanted


def test_controls_show_a_database_but_not_one_of_the_topic() -> None:
    fields = DoorEvidence(words=0.0, known=20, controls=6, page=0.25, has_word_box=False)
    topical = structs.replace(fields, words=3.0, page=0.97)
    assert dict(sum_parts(fields))["its controls"] < dict(sum_parts(topical))["its controls"] / 2
    assert judge_evidence(fields) < 0.3 < 0.9 < judge_evidence(topical)


def test_a_form_without_a_box_for_words_searches_records() -> None:
    fields = structs.replace(SILENT, controls=4, has_word_box=False)
    assert revise_form(judged(fields), ABOUT).relevant > 0.8
    assert dict(sum_parts(fields))["its controls"] > dict(sum_parts(SILENT)).get("its controls", 0)


def test_a_door_of_the_home_page_is_more_often_over_the_sites_own_pages() -> None:
    own, shown = (judged(structs.replace(SILENT, is_on_home=is_home)) for is_home in (False, True))
    assert revise_form(own, ABOUT).relevant > revise_form(shown, ABOUT).relevant
    site = add_page(add_page(SiteEvidence(), Judgement(0.9, (own,))), Judgement(0.9, (shown,)))
    (met,) = site.doors
    assert met.evidence is not None
    assert met.evidence.is_on_home


def test_a_door_on_every_page_is_more_often_over_the_sites_own_pages() -> None:
    box, other = judged(SILENT, "box"), judged(SILENT, "other")
    site = add_page(SiteEvidence(), Judgement(0.9, (box, other)))
    for _ in range(3):
        site = add_page(site, Judgement(0.9, (box,)))
    assert site.seen == (4, 1)
    assert revise_form(box, site).relevant < revise_form(other, site).relevant
    # A site may have been stored before its pages were counted.
    assert add_page(structs.replace(site, seen=()), Judgement(0.9, (box,))).seen == (1, 1)


def test_a_judgement_without_evidence_stays_as_its_critic_gave_it() -> None:
    form = JudgedForm(FORM, "door", 0.9, 0.7, "a person said so")
    judgement = Judgement(0.4, (form,))
    assert revise_judgement(judgement, ABOUT) == judgement


def test_a_door_keeps_its_best_page_and_its_answers() -> None:
    first = add_answers(judged(structs.replace(SILENT, page=0.2)), DoorAnswers(NO, "same"))
    site = add_page(SiteEvidence(doors=(first,)), Judgement(0.97, (judged(SILENT),), site=2.0))
    (door,) = site.doors
    assert door.evidence is not None
    assert (door.evidence.page, door.evidence.answers) == (0.97, DoorAnswers(NO, "same"))
    assert (site.pages, site.topical, site.home) == (1, 0.97, 2.0)
    (again,) = revise_judgement(Judgement(0.97, (judged(SILENT),)), site).forms
    assert again.evidence == door.evidence


def test_every_part_of_the_sum_has_a_name_of_its_own() -> None:
    site = structs.replace(ABOUT, doors=(judged(SPEAKING, "advanced"),))
    door = structs.replace(SILENT, labels=0.3, answers=DoorAnswers(YES, relevance=0.9))
    names = [name for name, _ in sum_parts(door, site)]
    assert len(names) == len(set(names)) >= 9
