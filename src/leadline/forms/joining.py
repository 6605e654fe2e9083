"""Form and page together: the form's words decide, and the page lends weight."""

from math import exp, log

from msgspec import Struct

_SURE = 1e-4
"""Chances are kept this far from 0 and 1: no judge is surer than one in ten thousand."""


class Joint(Struct, frozen=True):
    """Weights of a logistic rule over what the form says and the log-odds of the page's chance.

    Silence is 1 / (1 + known words of the form): 1 for a box that says nothing, towards 0 for a
    form that says much.
    """

    bias: float
    form: float
    page: float
    silence: float

    def chance(self, form_chance: float, page_chance: float, words_in_form: int) -> float:
        """From the chance of the form by its words."""
        return self.of_score(log_odds(form_chance), page_chance, words_in_form)

    def of_score(self, form_score: float, page_chance: float, words_in_form: int) -> float:
        """The same from a score that is no chance."""
        score = self.bias + self.silence / (1 + words_in_form)
        score += self.form * form_score + self.page * log_odds(page_chance)
        return 1.0 / (1.0 + exp(-score))


def log_odds(chance: float) -> float:
    """Never infinite."""
    chance = min(max(chance, _SURE), 1 - _SURE)
    return log(chance / (1 - chance))


EVEN = Joint(bias=0.76, form=1.07, page=0.71, silence=2.4)
"""Where every other search form is of the domain: what a silent box is denied by its own judge is
given back if its page is about the domain."""
MET = Joint(bias=-2.13, form=0.91, page=0.28, silence=-1.26)
"""As crawls meet forms: nearly all pages are about the domain, and most of their boxes search the
site's own pages. All three: `python -m tools.critic_training.joining FOLDER`."""


TAUGHT = Joint(bias=-2.74, form=36.9, page=0.22, silence=0.0)
"""As crawls meet forms, for a topic that only pages have taught: its judge of pages scores the form
(`LogOdds.score`), whose few words make scores small."""


def joined(form_chance: float, page_chance: float, words_in_form: int, mix: Joint = MET) -> float:
    """Chance that a search form is of a domain, from that of its words (`DomainJudge.judge`, with
    the count of known ones) and that of its page being about the domain."""
    return mix.chance(form_chance, page_chance, words_in_form)
