"""The whole read path of an answer without its sockets: what a crawl and a harvest do to a body."""

from collections.abc import Callable
from itertools import islice

import msgspec
from msgspec import structs

from leadline.core.crawl import Budget, Candidate, CandidateId, Lease, Priority, SiteState
from leadline.core.harvest import Query, Trail
from leadline.core.http import Request, Response
from leadline.core.page import Field, Form
from leadline.core.state_change import find_state_change
from leadline.core.url import Url, canonical, site_of
from leadline.crawler.decisions import (
    CrawlPlan,
    Decider,
    NewForms,
    PageFacts,
    SitePause,
    make_visit,
)
from leadline.crawler.links import LinkRules, Scope, distinct_links
from leadline.crawler.reading import PageReading, hash_text
from leadline.forms.field_roles import find_ranges, find_roles
from leadline.forms.probe import ProbeAnswer, judge_answers, plan_probe
from leadline.forms.signature import group_look_alikes
from leadline.forms.submit import choose_button, prepare
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.answers.records import read_detail_cells
from leadline.harvester.paging.next_page import find_next_page, find_url_pattern
from leadline.harvester.paging.page_size import find_larger_size, find_largest_size
from leadline.harvester.reply import reply_of
from leadline.harvester.survey.describe import describe_form
from leadline.harvester.survey.site_words import choose_page_to_read, collect_site_words
from leadline.page.parse import parse_page
from leadline.page.words import PageWords
from leadline.strategies import make_strategy
from leadline.topics import TopicCritic, open_topic
from leadline.web.cookies import CookieJar
from leadline.web.exchange import find_redirect
from leadline.web.politeness import parse_retry_after
from leadline.web.robots import RobotsRules
from leadline.web.settings import RobotsSettings, WebSettings
from leadline.web.sitemaps import is_sitemap_index, read_sitemap
from leadline.web.unpack import BombError, UnpackError, unpack
from tests.adversary.families import Body

URL = Url("http://a.example/search?q=word&page=2")
QUERY = Query((("q", "word"),))
FORM = Form(URL, Url("http://a.example/search"), "get", (Field("q", "text"),))
_MOST_FORMS = 20
"""Forms of a page that are described for a harvest, which takes one at a time."""
_WEB, _ROBOTS = WebSettings(), RobotsSettings()


class ReadPath:
    """Reads bodies as a crawl and a harvest would. Holds what both learn from page to page."""

    def __init__(self) -> None:
        self._critic = TopicCritic(open_topic("book", ()))
        scope = Scope()
        rules = LinkRules(scope.why_not, why_harmful=scope.why_harmful)
        plan = CrawlPlan("forms", Budget(), rules)
        self._decider = Decider(plan, make_strategy("sitewise"))
        self._encode = msgspec.msgpack.Encoder().encode

    @property
    def ways(self) -> dict[str, Callable[[Body], object]]:
        """All that may be done to a body."""
        return {
            "crawl": self.crawl,
            "harvest": self.harvest,
            "robots": self.read_robots,
            "sitemap": self.read_sitemap,
            "headers": self.read_headers,
        }

    def unpack(self, body: Body) -> bytes:
        """As the fetcher does; nothing for what it refuses."""
        try:
            return unpack(body.data, body.encoding, _WEB.max_unpacked_bytes)
        except (UnpackError, BombError):
            return b""

    def crawl(self, body: Body) -> bytes:
        """Parse, judge, describe and rank its links, and what a store would be given."""
        page = parse_page(self.unpack(body), URL, body.content_type)
        words = PageWords(page)
        judgement = self._critic.judge(page, words)
        reading = PageReading(page, judgement, hash_text(page), words)
        lease = Lease(CandidateId(1), Candidate(URL, site_of(URL), Priority(0, 1.0)))
        response = Response(URL, 200, (("content-type", body.content_type),), b"", 0.0)
        targets = distinct_links(page.links)
        facts = PageFacts((False,) * len(targets), NewForms(), 0, targets=targets)
        site = SiteState(site_of(URL))
        decision = self._decider.decide_page(
            lease, make_visit(lease, response), reading, facts, site, SitePause(0.0, 1.0)
        )
        if decision.view is not None:
            self._decider.strategy.learn(decision.view, decision.visit)
        for link in page.links:
            self._decider.plan.rules.why_harmful(link.target, link.anchor, link.title)
        return self._encode((decision.visit, decision.found, decision.forms))

    def harvest(self, body: Body) -> bytes:
        """Read it as an answer after nonsense, as the first answer, as a further page, as the page
        of a record and as the page of a form."""
        headers = (("content-type", body.content_type), ("link", f"<{URL}&page=3>; rel=next"))
        response = Response(URL, 200, headers, self.unpack(body), 0.0)
        reply = reply_of(response)
        taught, untaught = AnswerReader(FORM), AnswerReader(FORM)
        nothing = reply_of(structs.replace(response, body=b"<body><p>nothing found"))
        taught.take_nonsense(Query((("q", "xqzzk"),)), nothing)
        answers = [reader.read(QUERY, reply) for reader in (taught, taught, untaught)]
        taught.take_nonsense(QUERY, reply)
        asked = Request(URL)
        turn = find_next_page(reply, QUERY, asked, Trail())
        find_url_pattern(reply, QUERY, asked, Trail(number=2))
        find_larger_size(reply, QUERY, asked)
        cells = read_detail_cells(reply)
        forms = reply.page.forms
        for form in forms[:_MOST_FORMS]:
            find_largest_size(form)
            roles = find_roles(form)
            find_ranges(form, roles)
            describe_form(form, reply.page)
            choose_button(form)
            prepare(form, {field.name: "word" for field in form.fields[:1]}, 1.0)
            plan_probe(form, ("word", "other"))
        group_look_alikes(forms[:_MOST_FORMS])
        choose_page_to_read(FORM, [reply.page], [URL])
        collect_site_words(FORM, [nothing.page, reply.page])
        queries = plan_probe(FORM, ("word", "other"))
        judge_answers([ProbeAnswer(query, 200, reply.page) for query in queries])
        return self._encode((answers, turn, cells, taught.state()))

    def read_robots(self, body: Body) -> list[bool]:
        """The first bytes of it, as many as are read of a robots.txt."""
        rules = RobotsRules(self.unpack(body)[: _ROBOTS.max_bytes], "leadline", 0.0)
        urls = ("http://a.example/" + "a" * 1_500, URL, "http://a.example/" + "a/" * 500)
        return [rules.allow(Url(url)) for url in urls]

    def read_sitemap(self, body: Body) -> tuple[list[Url], bool]:
        """As a sitemap."""
        plain = self.unpack(body)
        return read_sitemap(plain), is_sitemap_index(plain)

    def read_headers(self, body: Body) -> list[object]:
        """Its lines as the values of headers and as addresses."""
        lines = self.unpack(body)[:200_000].decode("latin-1").splitlines() or [""]
        found: list[object] = []
        jar = CookieJar(lambda: 0.0)
        longest = _WEB.max_header_bytes
        for line in islice(lines, _WEB.max_headers):
            value = line[:longest]
            jar.take(site_of(URL), [value])
            headers = (("location", value), ("retry-after", value), ("content-type", value))
            response = Response(URL, 302, headers, b"", 0.0)
            target = canonical(find_redirect(response) or "", URL)
            found += [target, parse_retry_after(value, 0.0), jar.header(site_of(URL), True)]
            found.append(find_state_change(target or "", value))
            parse_page(b"<p>text", URL, value)
        return found
