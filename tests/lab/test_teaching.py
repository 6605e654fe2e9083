"""What the judges of form domains learn from."""

import numpy as np
import pytest
from tools.critic_training.fitting import Lesson, calibrate, learned
from tools.critic_training.material import Example, distinct, written_forms
from tools.critic_training.picture import confusion, confusion_svg
from tools.critic_training.real import labels
from tools.critic_training.scoring import figures
from tools.critic_training.vocabulary import own_words, telling_words
from tools.critic_training.written import LANGUAGES, draw_of_domain, draw_others, sayings

from leadline.forms.domain import DOMAINS, DomainJudge
from leadline.page.words import form_text, form_vocabulary, form_words


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_domain_speaks_every_language(domain: str) -> None:
    own = sayings(domain)
    for language in LANGUAGES:
        assert min(len(own.prompts[language]), len(own.labels[language])) >= 5
        assert own.choices[language]


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_drawn_form_says_what_it_searches(domain: str) -> None:
    own = np.array(sorted(own_words(domain)), np.int32)
    drawn = list(draw_of_domain(domain, 100, seed=5))
    says = [np.isin(form_words(one.form, one.language), own).any() for one in drawn]
    assert np.mean(says) > 0.95


def test_the_same_seed_draws_the_same_forms() -> None:
    one, again = (list(draw_of_domain("job", 5, seed=3)) for _ in range(2))
    assert one == again
    assert one != list(draw_of_domain("job", 5, seed=4))


def test_forms_of_services_are_not_searchable() -> None:
    assert not any(one.is_searchable for one in draw_others(5, 1, is_searchable=False))
    assert not any(one.domains for one in draw_others(5, 1, is_searchable=True))


@pytest.mark.parametrize("word", ["search", "go", "aspx", "lookup", "q", "the", "keywords"])
def test_what_all_forms_say_never_counts(word: str) -> None:
    assert form_vocabulary("en").word(word) not in telling_words()


@pytest.mark.parametrize("word", ["from", "make", "hotel", "isbn", "first", "anreise", "vols"])
def test_what_forms_ask_for_counts(word: str) -> None:
    assert form_vocabulary("en").word(word) in telling_words()


def test_labels_name_known_domains_and_keep_no_form() -> None:
    for name, count in (("swde", 65), ("formasaurus", 266)):
        found = labels(name)
        assert len(found) == count
        assert all(one.domains | one.doubtful <= set(DOMAINS) for one in found.values())
        assert all(not one.domains & one.doubtful for one in found.values())


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    """Every fifth of the written forms, half of them as if they were real or of the lab."""
    drawn = list(written_forms())[::5]
    sources = ("written", "written", "real", "lab")
    return [
        Example(
            distinct(form_words(one.form, one.language)),
            one.domains,
            sources[number % 4],
            f"owner {number}",
            is_searchable=one.is_searchable,
        )
        for number, one in enumerate(drawn)
    ]


def test_judges_learn_to_tell_forms_they_never_saw(examples: list[Example]) -> None:
    scores = Lesson(examples).cross_scores()
    for column, domain in enumerate(DOMAINS):
        is_own = np.array([domain in one.domains for one in examples])
        assert figures(scores[:, column] + 0.5, is_own).accuracy > 0.8


def test_what_is_shipped_scores_as_what_was_taught(examples: list[Example]) -> None:
    lesson = Lesson(examples)
    taught = lesson.teach(np.ones(len(examples), np.bool_))
    scores = taught.scores(lesson.rows)
    kept = learned(taught, calibrate(examples, scores))
    judge = DomainJudge("hotel", kept)
    column = DOMAINS.index("hotel")
    for place in range(0, len(examples), 50):
        assert judge.score(examples[place].words) == pytest.approx(scores[place, column], abs=1e-4)


def test_doubtful_forms_teach_nothing(examples: list[Example]) -> None:
    doubtful = [
        Example(one.words, one.domains, one.source, one.owner, frozenset(DOMAINS))
        for one in examples
    ]
    assert not Lesson(doubtful).is_used.any()


def test_figures_weigh_both_halves_the_same() -> None:
    chances = np.array([0.9, 0.1, 0.1, 0.1, 0.1, 0.9])
    is_own = np.array([True, True, False, False, False, False])
    found = figures(chances, is_own)
    assert (found.recall, found.false_alarms) == (0.5, 0.25)
    assert found.accuracy == pytest.approx(0.625)
    assert found.precision == pytest.approx(2 / 3)


def test_the_confusion_counts_each_form_of_one_domain_once() -> None:
    nothing = np.zeros(0, np.int32)
    forms = [
        Example(nothing, frozenset({"hotel"}), "lab", "a"),
        Example(nothing, frozenset({"hotel", "airfare"}), "lab", "b"),
        Example(nothing, frozenset(), "lab", "c"),
    ]
    chances = np.full((3, len(DOMAINS)), 0.1)
    chances[0, DOMAINS.index("hotel")] = 0.9
    counts = confusion(forms, chances)
    assert counts.sum() == 2
    assert counts[DOMAINS.index("hotel"), DOMAINS.index("hotel")] == 1
    assert counts[-1, -1] == 1


def test_the_picture_has_the_same_bytes_each_time() -> None:
    pytest.importorskip("matplotlib")
    counts = np.eye(len(DOMAINS) + 1, dtype=np.int64)
    assert confusion_svg([counts], ["one"]) == confusion_svg([counts], ["one"])


def test_names_of_controls_are_read_as_words() -> None:
    drawn = next(iter(draw_of_domain("airfare", 1, seed=1)))
    assert form_text(drawn.form).strip()
