"""A topic taught by a handful of pages, and what is said about it."""

import numpy as np
import pytest

from leadline.forms.evidence import judge_evidence
from leadline.page.words import PageWords
from leadline.topics.background import Background, shipped_background
from leadline.topics.judges import BayesTopic, page_ids
from leadline.topics.pack import Example
from leadline.topics.review import review_topic
from leadline.topics.training import add_forms, collect_spellings, learn_pack, teach_topic
from tests.topics.pages import court_page, words

PAGES = [court_page(number) for number in range(10)]
OTHERS = (
    "Cheap flights and hotel rooms near the beach, book your holiday with our airline. ",
    "Recipes for soups, cakes and salads with fresh vegetables from the market garden. ",
    "The football team won the match after extra time in front of a large crowd. ",
)


@pytest.fixture(scope="module")
def background() -> Background:
    return shipped_background()


@pytest.fixture(scope="module")
def taught(background: Background) -> BayesTopic:
    return teach_topic("court", [PageWords(page) for page in PAGES], background)


def examples(count: int, owner: str = "") -> list[Example]:
    return [
        Example(page_ids(PageWords(page)), owner or str(number))
        for number, page in enumerate(PAGES[:count])
    ]


def test_ten_pages_teach_a_topic(taught: BayesTopic) -> None:
    unseen = [court_page(number) for number in range(20, 30)]
    assert all(taught.relevance(PageWords(page)) > 0.5 for page in unseen)
    assert all(taught.relevance(words(text * 3)) < 0.5 for text in OTHERS)
    assert taught.relevance(words("")) < 0.5


def test_teaching_is_the_same_each_time(background: Background, taught: BayesTopic) -> None:
    again = teach_topic("court", [PageWords(page) for page in PAGES], background)
    assert np.array_equal(again.pack.odds.weights, taught.pack.odds.weights)
    assert again.pack.page == taught.pack.page


def test_the_words_that_decide_can_be_read(background: Background) -> None:
    pack = learn_pack("court", examples(10), background, collect_spellings(PAGES))
    strongest = [word for word, _ in pack.strongest[:20]]
    assert {"docket", "defendant", "plaintiff"} <= set(strongest)
    assert "?" not in pack.spelled
    assert set(pack.queries) <= {word for word, _ in pack.strongest}


def test_pages_of_one_site_count_as_one(background: Background) -> None:
    alone = learn_pack("court", examples(10, "court.test"), background)
    many = learn_pack("court", examples(10), background)
    assert alone.odds.weights.max() < many.odds.weights.max()
    assert "only 1 sites" in " ".join(review_topic(alone, background).warnings)


def test_pages_that_are_not_about_it_are_heard(background: Background) -> None:
    weather = "court weather tennis forecast rain wind tennis court players umpire serve. "
    other = [
        Example(page_ids(words(weather * (2 + number))), f"tennis{number}", is_about=False)
        for number in range(4)
    ]
    plain = BayesTopic(learn_pack("court", examples(10), background))
    corrected = BayesTopic(learn_pack("court", [*examples(10), *other], background))
    assert corrected.relevance(words(weather * 3)) < plain.relevance(words(weather * 3))
    assert corrected.relevance(PageWords(court_page(25))) > 0.5


def test_a_review_tells_recall_and_false_alarms(background: Background) -> None:
    found = review_topic(learn_pack("court", examples(10), background), background)
    assert found.recall >= 0.9
    assert found.false_alarms <= 0.05
    assert found.sites == 10
    assert found.alike == ()
    assert found.warnings == []


def test_too_little_to_learn_from_is_said(background: Background) -> None:
    warnings = review_topic(learn_pack("court", examples(2), background), background).warnings
    assert any("only 2 sites" in warning for warning in warnings)


def test_nothing_to_learn_from_is_refused(background: Background) -> None:
    with pytest.raises(ValueError, match="at least one page"):
        learn_pack("court", [], background)


def test_a_shipped_topic_is_recognised_in_the_examples(background: Background) -> None:
    text = "hotel rooms guests night breakfast suite resort stay reservation check-in spa lobby "
    pages = [Example(page_ids(words(text * (2 + n % 3))), str(n)) for n in range(6)]
    found = review_topic(learn_pack("inns", pages, background), background)
    assert "hotel" in found.alike
    assert any("shipped topic 'hotel'" in warning for warning in found.warnings)


def test_forms_teach_what_forms_ask_for(background: Background) -> None:
    texts = [
        "docket number judge county case party filing date",
        "case number party name court attorney judge",
        "county court docket case type filing party judge",
    ]
    forms = [Example(words(text).body, str(number)) for number, text in enumerate(texts)]
    pack = add_forms(learn_pack("court", examples(10), background), forms, background)
    topic = BayesTopic(pack)
    asked = words("party name case number county judge").body
    flights = words("departure airport return date adults children cabin").body
    wanted, other = (topic.find_evidence(one, 0.5) for one in (asked, flights))
    assert wanted.words > other.words
    assert judge_evidence(other) < 0.5
    assert not len(
        add_forms(learn_pack("court", examples(10), background), forms[:1], background).forms.words
    )
