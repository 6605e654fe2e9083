"""What a world should be like, row by row, with the real figure where there is one.

Bounds come from what surveys and papers report, or from the design of the lab. Rows without
bounds are there to be read beside the others.
"""

from collections.abc import Iterator

from msgspec import Struct, structs

from leadline_lab.calibration.sites import KINDS, real_mix
from leadline_lab.calibration.traps import TRAPS
from leadline_lab.profile import DEPTHS, Profile
from leadline_lab.sites.domains import DOMAINS, TOGETHER
from leadline_lab.statistics import load

_AROUND_DEPTH = 0.03
_FEW_POINTS = 0.05
"""Between a classifier's accuracy on lab pages and on real ones."""
_TRAP_SLACK = 0.25
"""Of a trap's share of sites that chance may add or take away."""
_MIDDLE = 8
"""Of 17 quantiles, the median."""


class Target(Struct, frozen=True):
    """One row of the report."""

    key: str
    name: str
    low: float | None = None
    high: float | None = None
    unit: str = ""
    """`%` for shares."""
    real: float | None = None
    wanted: str = ""
    """The target in words, where bounds alone do not say it."""
    group: str = ""


def targets(profile: Profile) -> list[Target]:
    """All rows, in the order of the report."""
    return [
        structs.replace(row, group=group)
        for group, rows in (
            ("Links", _links()),
            ("Sites", _sites(profile)),
            ("Search forms", _search_forms(profile)),
            ("Depth of search forms", _depths()),
            ("Forms that search nothing", _other_forms()),
            ("Topics", _topics()),
            ("Anchors and URLs", _anchors(profile)),
            ("Traps", _traps(profile)),
            ("Services", _services()),
            ("Databases", _databases()),
            ("Language", _language()),
            ("Room to search", _room()),
        )
        for row in rows
    ]


def _links() -> Iterator[Target]:
    shapes, real = load("shapes")["page"], load("real")["pages"]
    yield Target("site_in_degree_exponent", "exponent of site in-degrees", 1.8, 2.4,
                 wanted="heavy tail, about 2.1")  # fmt: skip
    yield Target("page_in_degree_exponent", "exponent of page in-degrees inside sites", 1.8, 2.4,
                 wanted="heavy tail, about 2.1")  # fmt: skip
    yield Target("top_site_link_share", "links between sites that lead to one site", 0, 0.02, "%")
    yield Target("links_p10", "links on a page, tenth percentile")
    yield Target("links_median", "links on a page, median", real=shapes["links"][_MIDDLE])
    yield Target("links_p90", "links on a page, ninetieth percentile")
    yield Target("links_max", "links on a page, most in the sample", 0, 500)
    yield Target("template_links_median", "of them repeated over the site, median", 20, 60)
    yield Target("template_links_mean", "of them repeated over the site, mean")
    yield Target("content_links_mean", "other links, mean", 4, 14, wanted="about 7 in 2002")
    yield Target("content_inner_links_mean", "other links inside the site, mean")
    yield Target("external_share", "links that leave their site", 0.02, 0.12, "%",
                 real["modern"]["external_links_per_mille"] / 1000)  # fmt: skip
    yield Target("external_links_median", "links of a page that leave its site, median",
                 real=shapes["external_links"][_MIDDLE])  # fmt: skip
    yield Target("external_sites_median", "other sites a site links to, median")
    yield Target("external_sites_mean", "other sites a site links to, mean")


def _sites(profile: Profile) -> Iterator[Target]:
    shapes = load("shapes")["page"]
    yield Target("sites", "sites")
    yield Target("pages", "pages without those of traps")
    yield Target("site_pages_median", "pages of a site, median", 35, 80, wanted="about 50")
    yield Target("site_pages_p90", "pages of a site, ninetieth percentile")
    yield Target("site_pages_p99", "pages of a site, 99th percentile")
    yield Target("site_pages_max", "pages of a site, most", 10_000)
    yield Target("pages_in_largest_hundredth", "pages on the largest hundredth of sites", unit="%")
    yield Target("words_median", "words of a page, median", real=shapes["words"][_MIDDLE])
    yield Target("english_pages", "pages in English", *_near(profile.english / 1000, 0.05), "%")
    yield Target("languages", "languages with more than 0.5 % of pages", 4)
    yield Target("families", "families of templates seen", 30)
    yield Target("skeletons", "different skeletons of home pages seen", 30)
    yield Target("hub_share", "sites that are hubs", 0.01, 0.03, "%")
    yield Target("hub_links_median", "outward links on a hub's page, median", 20, 200)
    yield Target("hub_links_p5", "outward links on a hub's page, fifth percentile")
    yield Target("hub_links_max", "outward links on a hub's page, most", 60, 220)
    yield Target("hub_20_to_200", "hub pages with 20 to 200 outward links", 0.9, 1, "%")


def _search_forms(profile: Profile) -> Iterator[Target]:
    real = load("real")["pages"]
    yield Target("searchable_per_page", "different search forms per page", 0.015, 0.035, "%",
                 wanted="about 2.5 %")  # fmt: skip
    yield Target("pages_with_search", "random pages that show a search form", unit="%",
                 real=real["webkb"]["with_searchable_form_per_mille"] / 1000)  # fmt: skip
    yield Target("pages_with_database", "random pages that show one of a database", unit="%")
    yield Target("pages_with_search_by_rule", "the same by the rule of thumb", unit="%",
                 real=real["modern"]["with_searchable_form_per_mille"] / 1000)  # fmt: skip
    for name, text in (("min", "least"), ("mean", "mean"), ("max", "most")):
        yield Target(f"relevant_share_{name}", f"search forms of one domain among all, {text}",
                     unit="%")  # fmt: skip
    for name, text in (("min", "least"), ("mean", "mean"), ("max", "most")):
        yield Target(f"topic_relevant_share_{name}",
                     f"the same on sites about the domain, {text}", unit="%")  # fmt: skip
    yield Target("interfaces_per_deep_site", "search forms of a site with databases", 3.8, 4.6,
                 wanted="4.2")  # fmt: skip
    yield Target("databases_per_deep_site", "databases of such a site", 1.35, 1.55,
                 wanted="1.4 to 1.5")  # fmt: skip
    yield Target("scripted_share", "forms that need scripts",
                 *_near(profile.scripted / 1000, 0.02), "%")  # fmt: skip
    methods = load("fields")["kinds"]["search"]["methods"]
    yield Target("post_share", "search forms sent by POST", 0.01, 0.3, "%",
                 methods["post"] / sum(methods.values()), wanted="a small share")  # fmt: skip
    for group in TOGETHER:
        low, high = (0.3, 0.6) if "airfare" in group.schemas else (None, None)
        text = f"sites of a domain that have another of {group.name}"
        yield Target(f"together_{group.name}", text, low, high, "%")
    yield Target("bookstores", "bookstores, seeded")
    yield Target("libraries", "libraries, never seeded")
    yield Target("libraries_per_bookstore", "libraries per bookstore", 1.2)
    yield Target("unseeded_populations", "populations never seeded", 1)
    yield Target("seeds_of_unseeded", "seeds out of them", 0, 0)


def _depths() -> Iterator[Target]:
    for at, depth in enumerate(DEPTHS):
        near = _near(depth / 1000, _AROUND_DEPTH)
        text = f"planned at depth {at}"
        yield Target(f"depth_{at}", text, *near, "%", wanted=f"{depth / 10:g} %")
    for at, depth in enumerate(DEPTHS):
        near = _near(depth / 1000, 2 * _AROUND_DEPTH)
        text = f"found at depth {at} by crawling sites"
        yield Target(f"walked_depth_{at}", text, *near, "%", wanted=f"{depth / 10:g} %")
    yield Target("walked_differs", "found at another depth than planned", 0, 0.1, "%")
    yield Target("walked_shallower", "of them nearer than planned", unit="%")
    yield Target("walked_never_met", "never met though all was crawled", 0, 0.02, "%")
    yield Target("walked_cut", "not met within the limit of pages", unit="%")
    yield Target("walked_beyond_5", "found beyond depth 5", 0, 0, "%")
    yield Target("databases_within_3", "databases within 3 links", 0.90, 0.98, "%", wanted="94 %")
    yield Target("sites_within_3", "sites whose nearest form is within 3 links", 0.88, 0.98, "%",
                 wanted="91.6 %")  # fmt: skip


def _other_forms() -> Iterator[Target]:
    yield Target("other_forms_mean", "different ones of a site, mean", 1, 3)
    yield Target("other_forms_1_to_3", "sites that show 1 to 3", 0.8, 1, "%")
    real = real_mix()
    for kind in KINDS:
        yield Target(f"form_{kind}", f"{kind} among them", unit="%", real=real[kind])
    yield Target("form_mix_apart", "of the mix that is unlike the real one", 0, 0.25, "%")


def _topics() -> Iterator[Target]:
    yield Target("target_topics", "target domains", 8)
    yield Target("background_topics", "background topics", 30)
    yield Target("locality_min", "linked sites of one topic, least topic", 0.3, 0.9, "%")
    yield Target("locality_mean", "linked sites of one topic, mean", 0.3, 0.9, "%")
    yield Target("locality_max", "linked sites of one topic, most topic", 0.3, 0.9, "%")
    for domain in DOMAINS:
        yield Target(f"locality_{domain}", f"the same, {domain}", 0.3, 0.9, "%")
    for hop in range(1, 5):
        yield Target(f"hop_{hop}", f"same topic after {hop} link{'s'[: hop > 1]}", unit="%")
    yield Target("hop_chance", "same topic by chance", unit="%")
    yield Target("hop_falls", "it falls from link to link", 1, 1)
    yield Target("siblings_near", "links side by side that lead to one topic", unit="%")
    yield Target("siblings_far", "links 15 apart that do", unit="%")
    yield Target("siblings_gain", "more of the former", 0.02, None, "%")
    yield Target("hub_siblings_near", "outward links of hubs side by side", unit="%")
    yield Target("hub_siblings_far", "outward links of hubs 15 apart", unit="%")
    yield Target("hub_siblings_gain", "more of the former", 0.02, None, "%")
    yield Target("cosine_kin", "cosine of the words of kin domains")
    yield Target("cosine_others", "cosine of the words of other domains")
    yield Target("cosine_gain", "more for kin", 0.01)


def _anchors(profile: Profile) -> Iterator[Target]:
    real = load("anchors")
    silent = (real["without_text_per_mille"] + real["generic_per_mille"]) / 1000
    yield Target("anchor_informative", "content links that tell", 0.5, 0.7, "%")
    yield Target("anchor_generic", "content links that say nothing", 0.2, 0.3, "%", silent)
    yield Target("anchor_deceptive", "content links that mislead", 0.05, 0.15, "%")
    for group, text in (("inner", "inside a site"), ("outer", "to other sites")):
        for kind in ("informative", "generic", "deceptive"):
            yield Target(f"anchor_{group}_{kind}", f"{kind} {text}", unit="%")
    yield Target("opaque_sites", "sites with opaque URLs",
                 *_near(profile.opaque / 1000, 0.07), "%")  # fmt: skip


def _traps(profile: Profile) -> Iterator[Target]:
    for name in TRAPS:
        planned = getattr(profile.traps, name) / 1000
        yield Target(f"trap_{name}", f"sites with {name}",
                     *_near(planned, _TRAP_SLACK * planned + 0.002), "%")  # fmt: skip
        yield Target(f"proof_{name}", f"{name} caught a visitor on those tried", 1, 1, "%")


def _services() -> Iterator[Target]:
    for name, text in (("backlinks", "back-link"), ("search", "search")):
        yield Target(f"{name}_recall", f"recall of the {text} service", 0.3, 0.5, "%")
        yield Target(f"{name}_most", f"most results of the {text} service", 1, 20)
        yield Target(f"{name}_stale", f"stale results of the {text} service", 0.05, 0.15, "%",
                     wanted="10 %")  # fmt: skip


def _databases() -> Iterator[Target]:
    yield Target("records_min", "records of a database, least", 1_000)
    yield Target("records_median", "records of a database, median")
    yield Target("records_max", "records of a database, most", 300_000, 1_000_000)
    for name in ("semantics", "cap", "ranking", "layout", "paging", "total", "empty_answer"):
        yield Target(f"ways_{name}", f"kinds of {name.replace('_', ' ')} met, of all", 1, 1, "%")
    yield Target("limited_index_share", "field-limited indexes", unit="%")
    yield Target("capped_share", "databases with a result cap", unit="%")
    yield Target("empty_with_200_share", "empty answers with status 200", unit="%")
    yield Target("islands_share", "databases with islands of records", unit="%")
    yield Target("token_or_state_share", "forms with hidden state or tokens", unit="%")


def _language() -> Iterator[Target]:
    real = load("real")
    rows = (
        ("swde", "four verticals", real["swde"]["accuracy"]),
        ("swde_one_site", "four verticals, one site trained", real["swde"]["one_site_accuracy"]),
        ("webkb", "classes of WebKB", real["webkb"]["accuracy"]),
        ("webkb_without_campus", "the same without `campus`",
         real["webkb_without_campus"]["accuracy"]),
    )  # fmt: skip
    for key, name, accuracy in rows:
        yield Target(f"{key}_accuracy", f"accuracy on {name}, whole pages",
                     *_near(accuracy, _FEW_POINTS), "%", accuracy)  # fmt: skip
        yield Target(f"{key}_words_alone", f"accuracy on {name}, running words alone", unit="%",
                     real=accuracy)  # fmt: skip


def _room() -> Iterator[Target]:
    yield Target("reachable_sites", "sites that can be reached", 0.8, 1, "%")
    yield Target("room_forms_min", "reachable relevant forms, least domain", 5_000)
    yield Target("room_sites_min", "their sites, least domain", 2_000)
    for domain in DOMAINS:
        yield Target(f"room_forms_{domain}", f"reachable forms, {domain}", 5_000)
        yield Target(f"room_sites_{domain}", f"their sites, {domain}", 2_000)


def _near(value: float, slack: float) -> tuple[float, float]:
    return max(0.0, value - slack), min(1.0, value + slack)
