"""How well attributes are read from real detail pages of sites that nobody wrote rules for.

    python -m tools.attribute_evaluation DATA [--held-out | --all-sites] [--verbose] [--json]

DATA holds `pages/swde.jsonl.gz` and `pages/swde-attributes.jsonl.gz`. Sites are split as
`tools/attribute_sites.json` says, which `tools.splits.choose_held_out` drew. A wrapper is learned
from the pages of one site, without labels, and reads them; scored are

- column: the column that is best for the attribute, chosen by its score (a right one exists);
- name: the column that is named as the attribute by the matching to the topic's schema.

An attribute is right on a page if the first text of the column equals one of the true values, with
entities resolved, case, blanks and accents' composition folded, and with or without the constant
label before it (`Posted: May 3`). Precision is over the pages on which the column has a text,
recall over those that have the attribute; F1 is of these two. Attributes are looked for under the
property that the vocabulary knows their name by, or one of ACCEPTED. Pairs are columns of two sites
of a vertical that were given one name. `--all-sites` matches the seven sites of each vertical
together and scores names of the held-out ones, and pairs of two sites of which one is held out. The
last line is JSON.
"""

import argparse
import gzip
import html
import json
import sys
import time
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from leadline.core.table import Wrapper
from leadline.core.url import Url
from leadline.extraction.vocabulary import find_properties
from leadline.extraction.wrapper_learning import (
    SourcePage,
    learn_wrapper,
    read_slots,
    strip_prefix,
)
from leadline.page.html_tree import parse_html
from leadline.page.outline import outline_from
from leadline.records.match_evidence import MatchWeights
from leadline.records.matching import induce_fields, match_columns, sample_slots
from leadline.records.schemas import find_schema

ACCEPTED = {
    # What SWDE calls the model of a car, a camera or the title of a book, job or film is the name
    # of the thing, and so it is called in tables.
    "model": ("name", "model"),
    "title": ("name",),
    "isbn_13": ("isbn",),
    "mpaa_rating": ("content_rating",),
    "date_posted": ("date_posted",),
    "type": ("type", "institution_type"),
    "website": ("url",),
    "manufacturer": ("manufacturer", "brand"),
    "team": ("team",),
    "phone": ("phone",),
}
HELD_OUT = json.loads((Path(__file__).parent / "attribute_sites.json").read_text())


class SiteScore(NamedTuple):
    """One attribute of one site."""

    vertical: str
    site: str
    attribute: str
    column: float
    named: float
    best: str
    """The slot of the best column, and what it was matched to."""
    found: str


class PairCounts(NamedTuple):
    """Pairs of columns of two sites that were matched, should be, and both."""

    said: int
    wanted: int
    right: int


def normalise(text: str) -> str:
    plain = unicodedata.normalize("NFKC", html.unescape(text)).casefold()
    return "".join(plain.split())


def score(texts: Sequence[str | None], gold: Sequence[Sequence[str]]) -> float:
    """The F1 of a column over pages; None where it has no text."""
    right = said = wanted = 0
    bare = iter(strip_prefix([text for text in texts if text is not None]))
    for text, values in zip(texts, gold, strict=True):
        text_without_label = next(bare) if text is not None else ""
        said += text is not None
        wanted += bool(values)
        if text is None or not values:
            continue
        shown = {normalise(text), normalise(text_without_label)}
        right += bool(shown & {normalise(value) for value in values})
    precision, recall = right / said if said else 0.0, right / wanted if wanted else 0.0
    return 2 * precision * recall / (precision + recall) if right else 0.0


def read_sites(
    folder: Path, *, held_out: bool | None
) -> dict[tuple[str, str], list[tuple[dict[str, Any], dict[str, list[str]]]]]:
    """Pages with their true attributes, by vertical and site; without `held_out` of all sites."""
    gold = {}
    with gzip.open(folder / "pages" / "swde-attributes.jsonl.gz") as stream:
        for line in stream:
            row = json.loads(line)
            gold[row["site"], row["url"]] = row["attributes"]
    sites: dict[tuple[str, str], list[tuple[dict[str, Any], dict[str, list[str]]]]]
    sites = defaultdict(list)
    with gzip.open(folder / "pages" / "swde.jsonl.gz") as stream:
        for line in stream:
            page = json.loads(line)
            if held_out is None or is_held_out(page["vertical"], page["site"]) == held_out:
                attributes = gold.get((page["site"], page["url"]), {})
                sites[page["vertical"], page["site"]].append((page, attributes))
    return dict(sites)


def is_held_out(vertical: str, site: str) -> bool:
    return site in HELD_OUT.get(vertical, ())


class SiteReading(NamedTuple):
    """What a site's wrapper reads from its pages."""

    site: str
    wrapper: Wrapper
    pages: list[dict[str, list[str]]]
    """By page the texts of each slot."""
    gold: list[dict[str, list[str]]]
    seconds: float

    def rate(self, attribute: str) -> dict[str, float]:
        """The F1 of each slot for an attribute."""
        gold = [truth.get(attribute, []) for truth in self.gold]
        rated = {}
        for slot in self.wrapper.slots:
            texts = [next(iter(got.get(slot.name, ())), None) for got in self.pages]
            rated[slot.name] = score(texts, gold)
        return rated


def read_site(
    site: str, pages: Sequence[tuple[dict[str, Any], dict[str, list[str]]]]
) -> SiteReading:
    """Learns a wrapper from all pages of a site and reads them with it."""
    sources = []
    for page, _ in pages:
        tree = parse_html(page["html"].encode("utf-8", "replace"), "text/html; charset=utf-8")
        title = tree.tree.css_first("title")
        sources.append(
            SourcePage(outline_from(tree, Url(page["url"])), title.text() if title else "")
        )
    start = time.process_time()
    wrapper = learn_wrapper(site, sources)
    seconds = time.process_time() - start
    read = [read_slots(wrapper, source) for source in sources]
    return SiteReading(site, wrapper, read, [truth for _, truth in pages], seconds)


def evaluate_vertical(
    vertical: str,
    readings: Sequence[SiteReading],
    topic: str,
    weights: MatchWeights | None = None,
    scored: Collection[str] = (),
) -> tuple[list[SiteScore], PairCounts]:
    """The scores of all sites of a vertical, whose columns are matched together; with `scored` of
    these sites alone, and of pairs with one of them."""
    samples = [one for got in readings for one in sample_slots(got.wrapper, got.pages)]
    schema = induce_fields(samples, find_schema(topic), weights)
    named: dict[tuple[str, str], str] = {}
    for (site, place), match in match_columns(samples, schema.fields, weights=weights).items():
        named[site, match.field.name] = place
    scores = []
    truth: dict[tuple[str, str], set[str]] = {}
    attributes = sorted({name for got in readings for page in got.gold for name in page})
    for got in readings:
        for attribute in attributes:
            if not any(attribute in page for page in got.gold):
                continue
            rated = got.rate(attribute)
            best = max(rated, key=lambda name: rated[name], default="")
            truth[got.site, attribute] = {
                slot for slot, f1 in rated.items() if f1 >= max(0.5, 0.9 * rated[best])
            }
            wanted = properties_of(attribute)
            found = next(
                (named[got.site, name] for name in wanted if (got.site, name) in named), ""
            )
            scores.append(
                SiteScore(
                    vertical,
                    got.site,
                    attribute,
                    column=rated.get(best, 0.0),
                    named=rated.get(found, 0.0),
                    best=best,
                    found=found,
                )
            )
    if scored:
        scores = [one for one in scores if one.site in scored]
    return scores, count_pairs([got.site for got in readings], named, truth, scored)


def count_pairs(
    sites: Sequence[str],
    named: Mapping[tuple[str, str], str],
    truth: Mapping[tuple[str, str], set[str]],
    scored: Collection[str] = (),
) -> PairCounts:
    """Of pairs of columns of two sites: those matched as one field of which at least one holds a
    known attribute, those that truly hold the same one, and both."""
    attributes = sorted({attribute for _, attribute in truth})
    fields = sorted({field for _, field in named})
    said = wanted = right = 0
    for one, other in combinations(sites, 2):
        if scored and one not in scored and other not in scored:
            continue
        wanted += sum(
            bool(truth.get((one, name)) and truth.get((other, name))) for name in attributes
        )
        for field in fields:
            first, second = named.get((one, field), ""), named.get((other, field), "")
            if not first or not second:
                continue
            holds = [
                (first in truth.get((one, name), ()), second in truth.get((other, name), ()))
                for name in attributes
                if truth.get((one, name)) and truth.get((other, name))
            ]
            said += any(a or b for a, b in holds)
            right += any(a and b for a, b in holds)
    return PairCounts(said, wanted, right)


def properties_of(attribute: str) -> tuple[str, ...]:
    """What an attribute of SWDE is called here."""
    if attribute in ACCEPTED:
        return ACCEPTED[attribute]
    known = find_properties(attribute.replace("_", " "))
    return tuple(sorted(known, key=lambda name: -known[name])[:1])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--all-sites", action="store_true", help="the held-out ones among the rest")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument(
        "--unknown-topic", action="store_true", help="name columns without the topic's schema"
    )
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    by_vertical: dict[str, list[SiteReading]] = defaultdict(list)
    wanted = None if given.all_sites else given.held_out
    for (vertical, site), pages in sorted(read_sites(given.data, held_out=wanted).items()):
        by_vertical[vertical].append(read_site(site, pages))
    scores: list[SiteScore] = []
    pairs = []
    for vertical, readings in by_vertical.items():
        topic = "unknown" if given.unknown_topic else vertical
        scored = HELD_OUT[vertical] if given.all_sites else ()
        found, counts = evaluate_vertical(vertical, readings, topic, scored=scored)
        scores += found
        pairs.append(counts)
        if given.verbose:
            _print(vertical, readings, found)
    seconds = [got.seconds for readings in by_vertical.values() for got in readings]
    print(json.dumps(summarise(scores, seconds, pairs)))
    return 0


def _print(vertical: str, readings: Sequence[SiteReading], scores: Sequence[SiteScore]) -> None:
    for got in readings:
        print(f"{vertical} {got.site}: {len(got.wrapper.slots)} slots, {got.seconds:.2f} s")
        for one in scores:
            if one.site == got.site:
                flag = "" if one.named > 0.8 else "  <--"
                print(
                    f"    {one.attribute:17} {one.column:.2f} {one.named:.2f}"
                    f"  {one.best!r} / {one.found!r}{flag}"
                )


def summarise(
    scores: Sequence[SiteScore], seconds: Sequence[float], pairs: Sequence[PairCounts]
) -> dict[str, Any]:
    by_attribute: dict[str, list[SiteScore]] = defaultdict(list)
    for one in scores:
        by_attribute[f"{one.vertical}.{one.attribute}"].append(one)
    return {
        "attributes": {
            name: [
                round(fmean(one.column for one in found), 3),
                round(fmean(one.named for one in found), 3),
            ]
            for name, found in sorted(by_attribute.items())
        },
        "column": round(fmean(one.column for one in scores), 4),
        "name": round(fmean(one.named for one in scores), 4),
        "pairs_precision": round(
            fmean(one.right / one.said if one.said else 0.0 for one in pairs), 3
        ),
        "pairs_recall": round(
            fmean(one.right / one.wanted if one.wanted else 0.0 for one in pairs), 3
        ),
        "sites": len(seconds),
        "seconds_a_source": round(max(seconds), 2),
    }


if __name__ == "__main__":
    sys.exit(main())
