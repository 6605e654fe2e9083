"""Sites one by one: sizes, languages, URLs, templates, forms that search nothing, hubs."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from leadline.core.url import path_of, site_of
from leadline.forms.searchable import apply_rule
from leadline_lab.calibration.degrees import is_external
from leadline_lab.calibration.topicality import hub_pages
from leadline_lab.calibration.view import Findings, Seen, View, mean, quantile, share
from leadline_lab.sites.domains import DOMAINS
from leadline_lab.statistics import load

_OTHERS = 3
_MOSTLY = 0.6
_TOP = 5
KINDS = ("login", "registration", "newsletter", "contact", "order", "recovery", "other")
"""Of forms that are no searches, as the real ones are counted."""
_NOT_ANSWERING = frozenset({"dead", "failing"})
_words = re.compile(r"[a-z]{3,}").findall


def measure_sizes(view: View) -> Findings:
    sizes = sorted(plan.pages for plan in view.plans)
    largest = np.argsort(view.world.census.sizes)[-_TOP:].tolist()
    figures = {
        "site_pages_median": quantile(sizes, 0.5),
        "site_pages_p90": quantile(sizes, 0.9),
        "site_pages_p99": quantile(sizes, 0.99),
        "site_pages_max": float(max(view.plan(site).pages for site in largest)),
        "pages_in_largest_hundredth": share(sum(sizes[-len(sizes) // 100 :]), sum(sizes)),
    }
    steps = [quantile(sizes, at / 100) for at in range(101)]
    return Findings(figures, {"site_pages": steps})


def measure_sites(view: View) -> Findings:
    """A sample of sites, of each the home page, the fixed pages and some others."""
    draw = view.draw("site pages")
    opaque, forms, families, skeletons = 0, [], set(), set()
    kinds: Counter[str] = Counter()
    chosen = view.sites(view.effort.sites, "sites", without=_NOT_ANSWERING)
    for site in chosen:
        plan = view.plan(site)
        rest = [draw.below(plan.pages) for _ in range(_OTHERS)]
        numbers = dict.fromkeys((*range(plan.first_special), plan.pages - 1, *rest))
        pages = [seen for seen in (view.read(site, n) for n in numbers) if seen]
        opaque += _is_opaque(pages)
        families.add(view.world.estate(site).template.family.number)
        skeletons.add(_skeleton(pages[0]))
        met = _other_forms(view, pages)
        forms.append(len(met))
        kinds.update(met)
    figures = {
        "opaque_sites": share(opaque, len(chosen)),
        "families": float(len(families)),
        "skeletons": float(len(skeletons)),
        "other_forms_mean": mean(forms),
        "other_forms_1_to_3": share(sum(1 <= n <= 3 for n in forms), len(forms)),
    }
    return Findings(figures | _mix(kinds))


def _is_opaque(pages: Sequence[Seen]) -> bool:
    """Whether most links inside the site have the same words in their URLs."""
    paths = {
        path_of(link.target).lower()
        for seen in pages
        for link in seen.page.links
        if not is_external(seen, link.target) and path_of(link.target) != "/"
    }
    rows = [set(_words(path)) for path in paths]
    counts = Counter(word for row in rows for word in row)
    usual = {word for word, n in counts.items() if n > _MOSTLY * len(rows)}
    return sum(row <= usual for row in rows) > _MOSTLY * len(rows)


def _skeleton(seen: Seen) -> tuple[str, ...]:
    """The different ways from the body to a link, class names left out."""
    paths = (re.sub(r"[.#][^/]*", "", link.tag_path) for link in seen.page.links)
    return tuple(dict.fromkeys(paths))


def _other_forms(view: View, pages: Sequence[Seen]) -> list[str]:
    """Kinds of the site's different forms that search nothing."""
    found: dict[int, str] = {}
    for seen in pages:
        for form in seen.page.forms:
            located = view.world.locate(form.action) if form.action else None
            if located and located.route and located.route.kind == "sent":
                number = located.route.number
                kind = located.estate.other_forms[number]
                found[number] = kind if kind in KINDS else "other"
    return list(found.values())


def _mix(kinds: Counter[str]) -> dict[str, float]:
    """Shares of kinds, and half the sum of their differences from the real ones."""
    mix = {kind: share(kinds[kind], kinds.total()) for kind in KINDS}
    real = real_mix()
    apart = sum(abs(mix[kind] - real[kind]) for kind in KINDS) / 2
    return {f"form_{kind}": value for kind, value in mix.items()} | {"form_mix_apart": apart}


def real_mix() -> dict[str, float]:
    """Shares of kinds of forms by the hosts that have them."""
    hosts = load("fields")["hosts_with"]
    return {kind: hosts[kind] / sum(hosts[other] for other in KINDS) for kind in KINDS}


def measure_pages(view: View, pages: Sequence[Seen]) -> Findings:
    """`pages` are a uniform sample of pages."""
    shown = [[view.truth.form(form) for form in seen.page.forms] for seen in pages]
    opened = [[bool(view.truth.interface(n).schema) for n in row if n is not None] for row in shown]
    believed = [any(apply_rule(f)[0] >= 0.5 for f in seen.page.forms) for seen in pages]
    languages = Counter(seen.page.language for seen in pages)
    kinds = Counter(view.truth.page(seen.page.url).topic in DOMAINS for seen in pages)
    figures = {
        "pages_with_search": share(sum(len(row) > 0 for row in opened), len(opened)),
        "pages_with_database": share(sum(any(row) for row in opened), len(opened)),
        "pages_with_search_by_rule": share(sum(believed), len(believed)),
        "forms_per_page": mean([len(row) for row in shown]),
        "words_median": quantile([len(seen.page.text.split()) for seen in pages], 0.5),
        "english_pages": share(languages["en"], len(pages)),
        "languages": float(sum(n > len(pages) / 200 for n in languages.values())),
        "pages_of_target_topics": share(kinds[True], len(pages)),
        "hosts_seen": float(len({site_of(seen.page.url) for seen in pages})),
    }
    return Findings(figures)


def measure_hubs(view: View) -> Findings:
    census = view.world.census
    hubs = sum(p.sites for p in census.populations if p.kind == "hub")
    pages = hub_pages(view, "hubs", min(view.effort.sites // 2, 120))
    links = [sum(is_external(seen, k.target) for k in seen.page.links) for seen in pages]
    figures = {
        "hub_share": hubs / census.sites,
        "hub_links_median": quantile(links, 0.5),
        "hub_links_p5": quantile(links, 0.05),
        "hub_links_p95": quantile(links, 0.95),
        "hub_links_max": float(max(links)),
        "hub_20_to_200": share(sum(20 <= n <= 200 for n in links), len(links)),
    }
    return Findings(figures)


def measure_topics(view: View) -> Findings:
    topics = view.world.census.topics
    wanted = sum(name in DOMAINS for name in topics)
    figures = {"target_topics": float(wanted), "background_topics": float(len(topics) - wanted)}
    return Findings(figures)
