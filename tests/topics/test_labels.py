"""What labels change: scores of forms and pages before and after, and the topic that keeps it."""

import pickle
from pathlib import Path

import pytest
from msgspec import structs

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Priority,
    StoredForm,
    Visit,
)
from leadline.core.inbox import FORM, NONE, PAGE, RIGHT, WRONG, Label
from leadline.core.page import Page
from leadline.core.url import Url, site_of
from leadline.forms.evidence import judge_evidence
from leadline.forms.searchable import open_searchable_judge
from leadline.learn.model_files import Manifest
from leadline.page import parse_page
from leadline.page.words import PageWords
from leadline.topics import KEYWORDS, KeywordTopic, TopicCritic, open_topic
from leadline.topics.cases import LabelTraining, learn_cases, rejudge_cases
from leadline.topics.judges import CorrectedTopic, load_pack, open_base_judge, open_judge
from leadline.topics.labels import (
    CorrectedCritic,
    FormSubject,
    LabelledSubject,
    PageSubject,
    correct_critic,
    cross_validate_labels,
)
from leadline.topics.pack import KIND, Pack, read_pack, write_pack
from leadline.topics.review import review_labels

BOOKS = open_topic("book")
REVIEWS = "<form action=/r id=r><label>Author <input name=a></label> reviews archive<button>Search"
SHOP = "<form action=/s id=s><label>Author <input name=a></label><label>ISBN <input name=i></label>"
END = "<button>Search books</button></form>"
TALK = "<html lang=en><title>Books</title><p>books authors novels publishers paperback"


def page_of(host: str, html: str) -> Page:
    return parse_page(f"{TALK}<p>{html}".encode(), Url(f"http://{host}.test/"))


def seen_on(host: str, html: str) -> FormSubject:
    """A form as the crawl judged it and the store keeps it."""
    page = page_of(host, html)
    judgement = TopicCritic(BOOKS).judge(page, PageWords(page))
    visit = Visit(
        CandidateId(1), page.url, site_of(page.url), "page", 0.0,
        language=page.language, relevance=judgement.relevance,
    )  # fmt: skip
    return FormSubject.of(StoredForm(judgement.forms[0], visit.site, visit.id, 0.0), visit)


def label(seen: FormSubject | PageSubject, verdict: str) -> LabelledSubject:
    what = FORM if isinstance(seen, FormSubject) else PAGE
    return Label(what, seen.subject, verdict, 0.0), seen


SHOPS = [seen_on(f"shop{number}", SHOP + END) for number in range(4)]
REVIEWED = [seen_on(f"review{number}", REVIEWS + "</button></form>") for number in range(4)]


def taught() -> CorrectedCritic:
    right = [label(seen, RIGHT) for seen in SHOPS[:3]]
    return correct_critic(BOOKS, right + [label(seen, WRONG) for seen in REVIEWED[:3]])


def test_without_labels_scores_are_those_of_the_crawl() -> None:
    critic = correct_critic(BOOKS, [])
    for seen in (*SHOPS, *REVIEWED):
        assert critic.form(seen) == pytest.approx(seen.score)


def test_a_label_moves_its_own_form_and_forms_like_it_on_other_sites() -> None:
    critic = correct_critic(BOOKS, [label(REVIEWED[0], WRONG)])
    own, alike = critic.form(REVIEWED[0]), critic.form(REVIEWED[3])
    other = SHOPS[3].score - critic.form(SHOPS[3])
    assert own < 0.6 * REVIEWED[0].score
    assert alike < 0.6 * REVIEWED[3].score
    assert other < 0.05


def test_some_labels_tell_what_is_wanted_from_what_looks_like_it() -> None:
    critic = taught()
    assert critic.form(SHOPS[3]) > 0.5 > critic.form(REVIEWED[3])
    assert "reviews" in [word for word, weight in critic.reasons(REVIEWED[3]) if weight < 0]


def test_a_label_that_was_taken_back_teaches_nothing() -> None:
    critic = correct_critic(BOOKS, [label(REVIEWED[0], NONE)])
    assert critic.form(REVIEWED[0]) == pytest.approx(REVIEWED[0].score)


def test_a_form_that_searches_nothing_may_be_called_right() -> None:
    login = seen_on("a", "<form action=/l method=post>User <input name=u>"
                    "<input type=password name=p><button>Log in</button></form>")  # fmt: skip
    assert login.score == 0
    after = correct_critic(BOOKS, [label(login, RIGHT)]).form(login)
    assert 0 < after < 0.5


def test_a_crawl_with_the_corrected_topic_gives_the_scores_of_the_dashboard() -> None:
    critic = taught()
    page = page_of("review3", REVIEWS + "</button></form>")
    (judged,) = TopicCritic(critic.topic).judge(page, PageWords(page)).forms
    assert judged.relevant == pytest.approx(critic.form(REVIEWED[3]))
    assert judged.relevant <= judged.searchable
    assert judged.why


def test_labels_of_earlier_trainings_count_and_later_ones_overrule_them() -> None:
    again = correct_critic(taught().topic, [label(SHOPS[3], RIGHT)])
    assert len(again.topic.cases) == 7
    assert again.form(REVIEWED[3]) < 0.5
    back = correct_critic(again.topic, [label(seen, RIGHT) for seen in REVIEWED])
    assert len(back.topic.cases) == 8
    assert back.form(REVIEWED[3]) > 0.5


def test_figures_come_from_labels_of_other_sites() -> None:
    labels = [label(seen, RIGHT) for seen in SHOPS] + [label(seen, WRONG) for seen in REVIEWED]
    scores = cross_validate_labels(BOOKS, labels)
    assert [score >= 0.5 for score in scores] == [True] * 4 + [False] * 4
    found = review_labels(correct_critic(BOOKS, labels).topic.cases)
    assert (found.labels, found.right, found.sites, found.after) == (8, 4, 8, 1)
    assert found.before <= found.after
    assert cross_validate_labels(BOOKS, labels[:1]) == pytest.approx([SHOPS[0].score])


def read_page(number: int, words: str) -> PageSubject:
    page = parse_page(f"{TALK} {words}".encode(), Url(f"http://p{number}.test/"))
    return PageSubject.read(page.url, BOOKS.relevance(PageWords(page)), page)


def test_pages_are_corrected_by_their_words() -> None:
    unwanted = [read_page(number, "antiquarian auction bids lots") for number in range(4)]
    wanted = [read_page(10 + number, "library shelves lending readers") for number in range(4)]
    labels = [label(one, WRONG) for one in unwanted[:3]] + [label(one, RIGHT) for one in wanted[:3]]
    critic = correct_critic(BOOKS, labels)
    assert critic.page(unwanted[3]) < 0.5 < critic.page(wanted[3])
    assert "auction" in dict(
        critic.topic.page_reasons(unwanted[3].whole or PageWords(page_of("a", "")))
    )


def test_a_page_without_text_is_known_by_title_and_link() -> None:
    visit = Visit(
        CandidateId(1), Url("http://a.test/x"), site_of(Url("http://a.test/x")), "page", 0.0,
        title="Antiquarian auction", language="en", relevance=0.8,
    )  # fmt: skip
    link = Candidate(visit.url, visit.site, Priority(0, 0.0), anchor="auction", around="old\tbids")
    seen = PageSubject.of(visit, link)
    assert {"auction", "bids"} <= set(seen.spelled.values())
    assert correct_critic(BOOKS, []).page(seen) == 0.8
    critic = correct_critic(BOOKS, [label(seen, WRONG)])
    assert critic.page(seen) < 0.6
    crawled = structs.replace(seen, score=critic.page(seen))
    assert correct_critic(critic.topic, []).page(crawled) == pytest.approx(crawled.score)


def own_books() -> Pack:
    critic = taught().topic
    pack = structs.replace(load_pack("book"), name="my-books", parent="book")
    return structs.replace(pack, taught=LabelTraining(critic.cases, critic.learned, critic.spelled))


def test_what_labels_taught_is_kept_with_the_topic(tmp_path: Path) -> None:
    write_pack(tmp_path / "my-books", own_books(), Manifest(KIND, (), ""))
    topic = open_judge(read_pack(tmp_path / "my-books")[0])
    assert isinstance(topic, CorrectedTopic)
    assert topic.name == "my-books"
    now = CorrectedCritic(topic, open_searchable_judge(), topic.learned)
    before = taught()
    for seen in (*SHOPS, *REVIEWED):
        assert now.form(seen) == pytest.approx(before.form(seen), abs=1e-5)
    learned = learn_cases(topic.cases)
    assert learned.form.weights == pytest.approx(topic.learned.form.weights, abs=1e-5)
    assert "reviews" in [word for word, _ in own_books().taught.strongest()[:5]]


def test_a_shipped_topic_has_learned_from_no_label() -> None:
    assert open_base_judge(load_pack("book")).name == "book"
    assert not load_pack("book").taught.cases


def test_a_list_of_words_is_corrected_as_well() -> None:
    topic = KeywordTopic("book", KEYWORDS["book"])
    critic = correct_critic(topic, [label(seen, WRONG) for seen in REVIEWED])
    assert critic.form(REVIEWED[3]) < correct_critic(topic, []).form(REVIEWED[3])
    again = rejudge_cases(critic.topic.cases, BOOKS)
    assert again[0].topical == judge_evidence(
        BOOKS.find_evidence(again[0].words, again[0].page_chance)
    )


def test_the_corrected_critic_goes_to_other_processes() -> None:
    copy = pickle.loads(pickle.dumps(taught()))
    assert copy.form(REVIEWED[3]) == taught().form(REVIEWED[3])


def test_a_form_without_words_is_judged_all_the_same() -> None:
    bare = seen_on("bare", "<form action=/b><input name=q><button></button></form>")
    assert 0 <= taught().form(bare) <= 1
