"""The post-query check: asks a form nonsense and words, one at a time, and compares."""

from collections.abc import Sequence

from msgspec import structs

from leadline.core.page import Form
from leadline.errors import FetchError
from leadline.forms.probe import CANNOT_TELL, ProbeAnswer, ProbeVerdict, judge_answers, plan_probe
from leadline.forms.query import is_query_field_certain
from leadline.forms.settings import SubmitSettings
from leadline.forms.submit import SearchableChance, SubmissionRefusal, prepare
from leadline.harvester.session.submitting import Submitter
from leadline.page import parse_page

_DEFAULTS = SubmitSettings()


def is_uncertain(searchable: float, settings: SubmitSettings = _DEFAULTS) -> bool:
    """Whether a form is worth asking: sure enough to be filled, not sure enough to be believed."""
    return settings.min_searchable <= searchable < settings.certain


async def probe(
    form: Form,
    words: Sequence[str],
    searchable: SearchableChance,
    submitter: Submitter,
    settings: SubmitSettings = _DEFAULTS,
) -> ProbeVerdict:
    """Whether there is a database behind the form; four submissions, fewer when one fails.

    `words` are two or more that such a database would know. A dry run tells nothing.
    """
    asked = plan_probe(form, words)
    answers: list[ProbeAnswer] = []
    spent = 0
    for query in asked:
        decision = prepare(form, query.values, searchable, settings)
        try:
            response = await submitter.submit(decision)
        except FetchError as error:
            why = f"no answer to {query.text!r}: {error.reason}"
            return ProbeVerdict(CANNOT_TELL, why, spent + error.requests)
        if isinstance(decision, SubmissionRefusal):
            return ProbeVerdict(CANNOT_TELL, f"not sent: {decision.why}", spent)
        if response is not None:
            spent += response.requests
            page = parse_page(response.body, response.url, response.header("content-type"))
            answers.append(ProbeAnswer(query, response.status, page))
    if not asked:
        return ProbeVerdict(
            CANNOT_TELL, "there is nothing to type words into, or there are too few words"
        )
    verdict = judge_answers(answers, is_sure=is_query_field_certain(form))
    return structs.replace(verdict, requests=spent)
