"""Which words of links are chosen: ACHE's automatic feature selection."""

from leadline.learn.link_features import ANCHOR, AROUND, URL, LinkTerm, Terms, feature_of
from leadline.learn.link_selection import Selection, merge_counts, select_terms

COUNTS = {"job": 10, "index": 9, "search": 6, "jobsearch": 4, "usedcar": 3, "car": 2}


def term(word: str, space: int = URL, stem: str = "") -> LinkTerm:
    return LinkTerm(space, word, stem or word, feature_of(space, stem or word))


def links(counts: dict[str, int], space: int = URL) -> list[Terms]:
    """One link for each occurrence."""
    return [(term(word, space),) for word, count in counts.items() for _ in range(count)]


def test_a_frequent_url_word_counts_where_it_is_part_of_others() -> None:
    raised = merge_counts(COUNTS, 3)
    chosen = sorted(raised.items(), key=lambda pair: -pair[1])[:3]
    assert chosen == [("job", 14), ("search", 10), ("index", 9)]


def test_only_frequent_words_are_looked_for_inside_others() -> None:
    assert merge_counts(COUNTS, 3)["car"] == 2
    assert merge_counts(COUNTS, 6)["car"] == 5


def test_the_corrected_reading_chooses_after_merging() -> None:
    chosen = select_terms(links(COUNTS), Selection(kept=3, merged=3))
    assert [feature.term for feature in chosen] == ["job", "search", "index"]


def test_the_literal_reading_chooses_as_if_nothing_had_been_merged() -> None:
    chosen = select_terms(links(COUNTS), Selection(kept=3, merged=3, reading="literal"))
    assert [feature.term for feature in chosen] == ["job", "index", "search"]


def test_a_link_with_the_longer_word_has_the_shorter() -> None:
    job, search, _ = select_terms(links(COUNTS), Selection(kept=3, merged=3))
    longer = feature_of(URL, "jobsearch")
    assert longer in job.ids
    assert longer in search.ids


def test_words_outside_urls_are_not_merged() -> None:
    chosen = select_terms(links(COUNTS, ANCHOR), Selection(kept=3, merged=3))
    assert [feature.term for feature in chosen] == ["job", "index", "search"]
    assert all(len(feature.ids) == 1 for feature in chosen)


def test_frequency_is_the_number_of_links_unless_taken_literally() -> None:
    repeated: list[Terms] = [(term("go"),) * 5, (term("map"),), (term("map"),)]
    corrected = select_terms(repeated, Selection(kept=1))
    literal = select_terms(repeated, Selection(kept=1, reading="literal"))
    assert [corrected[0].term, literal[0].term] == ["map", "go"]


def test_the_literal_reading_chooses_words_and_the_corrected_one_stems() -> None:
    forms: list[Terms] = [(term("jobs", stem="job"),), (term("job"),), (term("find"),) * 1]
    assert [f.term for f in select_terms(forms, Selection(kept=1))] == ["job"]
    literal = select_terms(forms, Selection(kept=3, reading="literal"))
    assert [feature.term for feature in literal] == ["find", "job"]


def test_each_space_is_chosen_from_alone() -> None:
    mixed = [(term("find", space), term("map", URL)) for space in (ANCHOR, AROUND)]
    chosen = {(feature.space, feature.term) for feature in select_terms(mixed, Selection(kept=1))}
    assert chosen == {(URL, "map"), (ANCHOR, "find"), (AROUND, "find")}


def test_a_threshold_leaves_rare_words_out() -> None:
    frequent = {"job": 20, "index": 6, "search": 5}
    chosen = select_terms(links(frequent), Selection(has_threshold=True))
    assert [feature.term for feature in chosen] == ["job", "index"]
    few = select_terms(links({"job": 3, "index": 1}), Selection(has_threshold=True))
    assert [feature.term for feature in few] == ["job"]
