"""What a crawl gathers about its sites to judge their forms by, and the questions it asks them.

Evidence of a site is loaded with its lease and saved when the lease ends, so that it moves between
the workers of a team with the site. When it changes what an earlier form of the site is worth, the
stored form is judged again.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct, structs

from leadline.core.crawl import (
    LIKELY,
    Candidate,
    DoorAnswers,
    Event,
    JudgedForm,
    SiteEvidence,
)
from leadline.core.page import Page
from leadline.core.ports import Critic, Fetcher
from leadline.core.store import Store
from leadline.core.url import Site, site_of
from leadline.crawler.reading import PageReading
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import FetchError, LeaseOverError
from leadline.forms.evidence import (
    add_answers,
    add_page,
    measure_doubt,
    revise_form,
    revise_judgement,
    revise_site,
)
from leadline.forms.probe import CANNOT_TELL, YES, ProbeAnswer
from leadline.forms.question import (
    MOST_QUERIES,
    NOTHING_ASKED,
    DoorQuestion,
    QuestionFindings,
    QuestionWords,
    measure_prose,
)
from leadline.forms.settings import SubmitSettings
from leadline.forms.submit import SubmissionRefusal, prepare, why_refused
from leadline.harvester.session.source import FormSubmitter
from leadline.page import parse_page
from leadline.page.words import PageWords

_MOST_SITES = 20_000
"""Whose evidence stays in memory, a few kilobytes each; others are read from the store again."""
_MATERIAL = 0.1
"""Change of a probability from which a stored form is written again."""
_UNSAVED = 1.25
"""Growth of the pages of a site from which their number is written again."""
_DOUBTFUL = 0.05
"""Probability of being wrong about a form from which it may be asked."""
_MUCH_PROSE = 0.3
"""Share of running text from which an answer shows articles, whose words records do not hold."""
_MOST_SHARE = 0.05
"""Of a crawl's requests that may go into questions."""
_MOST_CREDIT = 30
"""Requests that may be spent before pages have earned them: what the first doors answer teaches
how to judge all others, and a site that was left is not met again."""
_SMALL_CRAWL = 30
"""Pages from which a crawl may ask one form, though that may be up to a tenth of its requests: from
60 pages on a question is within `_MOST_SHARE`, and no second one begins before pages earned it."""
_FIRST_WORTH = 30.0
"""Requests that a form costs, before it is known of this crawl."""
_POST_WORTH = 0.5
"""Of asking by POST, which no page can be taken back from the archive for: GET comes first."""
_SCARCE_DOUBT = 0.35
"""Doubt from which a form is asked when nearly all earned requests are spent, and in proportion
before: what is left is for those that an answer is most likely to change."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(SiteEvidence).decode


class EvidenceKeeper:
    """Site evidence by site, and how many doors this process asked."""

    def __init__(self, store: Store, calls: StoreCalls, *, is_alone: bool) -> None:
        """`is_alone`: no other worker changes what is in memory."""
        self._store = store
        self._calls = calls
        self._is_alone = is_alone
        self._sites: OrderedDict[Site, SiteEvidence] = OrderedDict()
        self._stored: dict[Site, dict[str, float]] = {}
        """What the store says of the forms of sites on lease."""
        self._saved: dict[Site, SiteEvidence] = {}
        """As it is in the store, of sites that are in memory."""
        self.asked = 0

    async def open(self, site: Site) -> None:
        """Have the evidence of a site that is leased at hand."""
        found = self._sites.get(site) if self._is_alone else None
        if found is None:
            saved = await self._calls(lambda: self._store.load(_key(site)))
            found = _decode(saved) if saved else SiteEvidence()
            self._saved[site] = found
        self._sites[site] = found
        self._sites.move_to_end(site)
        self._stored[site] = {form.signature: form.relevant for form in found.doors}
        if len(self._sites) > _MOST_SITES:
            gone, _ = self._sites.popitem(last=False)
            self._saved.pop(gone, None)

    def of(self, site: Site) -> SiteEvidence:
        return self._sites.get(site, SiteEvidence())

    async def follow_lead(self, candidate: Candidate, critic: Critic) -> None:
        """What the link that first leads to a site says of it counts until its pages speak: the
        words of the link and around it, and as far as they are few the page that it stands on."""
        known = self.of(candidate.site)
        parent = candidate.parent
        if known.pages or known.lead or parent is None or candidate.depth:
            return
        visit = await self._calls(lambda: self._store.reader.visit(parent))
        if visit is None or visit.site == candidate.site:
            return
        before, _, after = candidate.around.partition("\t")
        link = Page(candidate.url, "", (before, candidate.anchor, after), (), (), visit.language)
        said = critic.judge(link, PageWords(link))
        lead = (1 - said.silence) * said.relevance + said.silence * visit.relevance
        self._sites[candidate.site] = structs.replace(known, lead=lead)

    def judge(self, site: Site, reading: PageReading) -> tuple[SiteEvidence, PageReading]:
        """The page with its forms as the site makes them look, and the site after it."""
        evidence = revise_site(add_page(self.of(site), reading.judgement))
        judgement = revise_judgement(reading.judgement, evidence)
        return evidence, structs.replace(reading, judgement=judgement)

    def keep(self, site: Site, evidence: SiteEvidence) -> None:
        """The page counts."""
        self._sites[site] = evidence

    def keep_answers(self, site: Site, form: JudgedForm, answers: DoorAnswers) -> JudgedForm:
        """The form as its answers make it look; it is not asked again."""
        evidence = self.of(site)
        asked = revise_form(add_answers(form, answers), evidence)
        doors = tuple(asked if one.signature == form.signature else one for one in evidence.doors)
        self._sites[site] = structs.replace(evidence, doors=doors)
        # One that could not be asked tells nothing of others.
        self.asked += answers.requests > 0
        return asked

    async def close(self, site: Site, labelled: Callable[[str], bool]) -> list[JudgedForm]:
        """The lease is delivered: save what is known, judge its stored forms again; which were."""
        evidence, stored = self.of(site), self._stored.pop(site, {})
        if not evidence.doors:
            return []
        if not self._is_alone or _is_worth_saving(self._saved.get(site), evidence):
            await self._calls(lambda: self._store.save(_key(site), _encode(evidence)))
            self._saved[site] = evidence
        changed = {
            form.signature: form
            for form in evidence.doors
            if not labelled(form.signature) and _is_material(stored.get(form.signature), form)
        }
        if changed:
            await self._calls(lambda: self._store.links.rejudge_forms(changed))
        return list(changed.values())


def _is_worth_saving(saved: SiteEvidence | None, evidence: SiteEvidence) -> bool:
    """Whether a crawl that is cut off now would miss more than the count of the last pages. Other
    workers need that too, but what one process has in memory it does not read from its store."""
    if saved is None or evidence.pages > _UNSAVED * saved.pages or evidence.home != saved.home:
        return True
    is_known = len(evidence.doors) == len(saved.doors)
    return not is_known or any(
        now.evidence != before.evidence
        for now, before in zip(evidence.doors, saved.doors, strict=True)
    )


def _is_material(before: float | None, form: JudgedForm) -> bool:
    has_answers = form.evidence is not None and form.evidence.answers is not None
    if before is None:
        return has_answers
    is_across = (before >= LIKELY) != (form.relevant >= LIKELY)
    return is_across or abs(before - form.relevant) >= _MATERIAL


def _key(site: Site) -> str:
    return f"site evidence:{site}"


class QuestionTerms(Struct, frozen=True):
    """How forms are asked."""

    words: tuple[str, ...] = ()
    """Of the topic, tried before the page's own."""
    submit: SubmitSettings = SubmitSettings()
    pages: int | None = None
    """That the crawl may fetch at most."""

    @property
    def credit(self) -> float:
        """Requests for questions before any page was read: half of what all pages will earn, and
        in a small crawl one question."""
        if self.pages is None:
            return _MOST_CREDIT
        first = MOST_QUERIES if self.pages >= _SMALL_CRAWL else 0
        return min(_MOST_CREDIT, max(first, _MOST_SHARE * self.pages / 2))


class DoorQuestions:
    """Asks forms of which the critic is unsure: a word of the topic, nonsense, a common word.

    Only on the leased site, through the gate, by GET before POST, and only while what an answer may
    be worth is more than its requests: an accepted form is worth the requests that one has cost the
    crawl so far. Words that databases of this crawl answered to are asked for first.
    """

    def __init__(
        self,
        store: Store,
        calls: StoreCalls,
        fetcher: Fetcher,
        keeper: EvidenceKeeper,
        worker: str,
        now: Callable[[], float],
        terms: QuestionTerms,
    ) -> None:
        self._store, self._calls, self._worker = store, calls, worker
        self._keeper = keeper
        self._now = now
        self._terms = terms
        self._submitter = FormSubmitter(fetcher, store.note, now)
        self._words = QuestionWords(terms.words)
        self._visits = 0
        self._forms = 0
        self.requests = 0
        """Spent by this worker."""

    def count_visit(self, new_forms: int) -> None:
        """A page was read, which brought so many relevant forms."""
        self._visits += 1
        self._forms += new_forms

    def choose(self, site: Site, judged: Sequence[JudgedForm]) -> JudgedForm | None:
        """Of the forms of a page the one that is most worth asking; None if none is."""
        earned = max(self._terms.credit, _MOST_SHARE * (self._visits + self.requests))
        if earned - self.requests < MOST_QUERIES:
            return None
        asked = self._keeper.asked
        # What is sure is the most: it needs no look at what it may be sent.
        doors = self._keeper.of(site).doors
        doubtful = [one for one in doors if measure_doubt(one, asked) > _DOUBTFUL]
        if not doubtful:
            return None
        # As the page just read has them: what hidden fields carry may have grown old.
        shown = {one.signature: one.form for one in judged}
        here = [
            structs.replace(one, form=shown[one.signature])
            for one in doubtful
            if one.signature in shown
        ]
        found = [one for one in here if self._is_open(site, one)]
        least = _SCARCE_DOUBT * self.requests / earned
        worth = (_FIRST_WORTH + self._visits) / (1 + self._forms)
        gains = {
            one.signature: worth
            * measure_doubt(one, asked)
            * (1.0 if one.form.method == "get" else _POST_WORTH)
            for one in found
        }
        best = max(found, key=lambda one: gains[one.signature], default=None)
        if best is None or measure_doubt(best, asked) < least:
            return None
        return best if gains[best.signature] > MOST_QUERIES else None

    def _is_open(self, site: Site, judged: JudgedForm) -> bool:
        form, evidence = judged.form, judged.evidence
        return (
            evidence is not None
            and evidence.answers is None
            and form.action is not None
            and site_of(form.action) == site
            and not why_refused(form, judged.searchable, self._terms.submit)
        )

    async def ask(self, site: Site, judged: JudgedForm, page: Page, critic: Critic) -> JudgedForm:
        """The form with its answers. Raises LeaseOverError."""
        answers = await self._send(judged, page, critic)
        asked = self._keeper.keep_answers(site, judged, answers)
        detail = f"{answers.database}: {answers.why}; relevant {asked.relevant:.2f}"
        event = Event(self._now(), "question", judged.signature, detail)
        await self._calls(lambda: self._store.note(event))
        return asked

    async def _send(self, judged: JudgedForm, page: Page, critic: Critic) -> DoorAnswers:
        form = judged.form
        words = self._words.choose(page, form)
        question = DoorQuestion(form, page, *words)
        spent = 0
        try:
            while (query := question.next_query()) is not None:
                decision = prepare(form, query.values, judged.searchable, self._terms.submit)
                if isinstance(decision, SubmissionRefusal):
                    return DoorAnswers(CANNOT_TELL, decision.why, requests=spent)
                response = await self._submitter.submit(decision)
                if response is None:
                    return DoorAnswers(CANNOT_TELL, "it was not sent", requests=spent)
                spent += response.requests
                reply = parse_page(response.body, response.url, response.header("content-type"))
                question.take(ProbeAnswer(query, response.status, reply))
        except LeaseOverError:
            raise
        except FetchError as error:
            spent += error.requests
            return DoorAnswers(CANNOT_TELL, f"no answer: {error.reason}", requests=spent)
        finally:
            self.requests += spent
            if spent:
                await self._calls(lambda: self._store.run.spend(self._worker, spent))
        findings = question.read_findings()
        if findings is NOTHING_ASKED:
            return DoorAnswers(findings.database, findings.why, requests=spent)
        for word, is_found in zip(words, findings.found, strict=False):
            self._words.note(word, is_found=is_found)
        answers = await self._read_answers(findings, critic, spent)
        is_listing = (answers.familiar or 0.0) < LIKELY and answers.prose < _MUCH_PROSE
        if findings.database == YES and is_listing:
            self._words.hear(findings.leaves)
        return answers

    async def _read_answers(
        self, findings: QuestionFindings, critic: Critic, spent: int
    ) -> DoorAnswers:
        page = findings.page
        if page is None:
            return DoorAnswers(findings.database, findings.why, requests=spent)
        site = site_of(page.url)
        own = [url for url in findings.targets if site_of(url) == site]
        known = await self._calls(lambda: self._store.pages.are_known(own)) if own else []
        return DoorAnswers(
            *(findings.database, findings.why, _judge_text(page, findings.leaves, critic)),
            requests=spent,
            knows_topic=findings.knows_topic,
            familiar=sum(known) / len(own) if own else None,
            prose=measure_prose(findings.leaves),
            links=len(findings.targets),
            texts=len(findings.leaves),
        )


def _judge_text(page: Page, leaves: Sequence[str], critic: Critic) -> float | None:
    """How far what a word brought is about the topic, without the frame of the site's pages."""
    if not leaves:
        return None
    bare = structs.replace(page, leaves=tuple(leaves), title="", description="", links=(), forms=())
    return critic.judge(bare, PageWords(bare)).relevance
