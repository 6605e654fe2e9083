"""Laws every critic obeys. A new critic is tested by being in CRITICS."""

from random import Random

import pytest
from msgspec import structs

from leadline.core.crawl import Judgement
from leadline.core.page import Page
from leadline.page.words import PageWords
from leadline.plugins import NoSettings
from leadline.testing import LawBrokenError, check_critic
from leadline.testing.critic_laws import draw_page
from leadline.topics import CRITICS, BaseCritic, make_critic


@pytest.mark.parametrize("name", sorted(CRITICS))
def test_a_critic_keeps_all_laws(name: str) -> None:
    check_critic(lambda topic: make_critic(name, topic))


def test_a_critic_of_ones_own_keeps_the_laws_by_its_base() -> None:
    check_critic(lambda topic: BaseCritic(NoSettings(), topic))


class Moody(BaseCritic):
    """Remembers how many pages it saw."""

    seen = 0

    def judge_page(self, page: Page, words: PageWords) -> float:  # noqa: ARG002
        self.seen += 1
        return 1 / self.seen


class Boastful(BaseCritic):
    """Calls forms relevant that are not searchable."""

    def judge(self, page: Page, words: PageWords) -> Judgement:
        said = super().judge(page, words)
        return structs.replace(
            said,
            forms=tuple(structs.replace(one, searchable=0.1, relevant=1.0) for one in said.forms),
        )


class Blind(BaseCritic):
    """Sees no forms."""

    def judge(self, page: Page, words: PageWords) -> Judgement:
        return Judgement(self.judge_page(page, words))


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (Moody, "judged as before"),
        (Boastful, "relevant is from 0 to searchable"),
        (Blind, "each distinct form of the page is judged once"),
    ],
)
def test_one_that_breaks_a_law_is_told_which(kind: type[BaseCritic], law: str) -> None:
    with pytest.raises(LawBrokenError, match=law):
        check_critic(lambda topic: kind(NoSettings(), topic))


def test_the_pages_of_the_laws_have_forms_and_none() -> None:
    pages = [draw_page(Random(seed)) for seed in range(50)]
    assert {bool(page.forms) for page in pages} == {True, False}
