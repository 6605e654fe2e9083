"""What strategies learned, as tables and a picture."""

from msgspec.structs import replace

from leadline_lab.reproduction.learned import features_table, iterations_table, reverse_table
from leadline_lab.reproduction.pictures import queue_sizes
from tests.lab.reproduction.test_grading import result

WORDS = [{"term": "search", "counts": {}}, {"term": "book", "counts": {}}]


def test_the_words_of_each_iteration_are_shown() -> None:
    learned = {"iterations": [{"pages": 900, "forms": 25, "terms": {"anchor": WORDS, "url": []}}]}
    assert "| 900 | 25 | - | search, book | - |" in iterations_table(
        replace(result("one", 1, 5), learned=learned)
    )


def test_the_last_feature_sets_are_shown() -> None:
    old, new = {"site_url": [[1, "old", 2]]}, {"site_url": [[1, "book", 9]]}
    learned = {"iterations": [{"tables": old}, {"tables": new}]}
    shown = features_table(replace(result("one", 1, 5), learned=learned))
    assert "| host names | book 9 |" in shown
    assert "old" not in shown


def test_reverse_searching_is_counted() -> None:
    counts = {"asked": 3, "pages": 20, "center pages": 2, "sites": 11}
    told = replace(result("one", 1, 5), learned={"reverse": counts})
    table = reverse_table([told, result("other", 1, 5)])
    assert "| book | judge-a | 3 | 20 | 2 | 11 | 0 |" in table
    assert table.count("\n") == 2


def test_queues_are_drawn_the_same_each_time() -> None:
    learned = {"queue_sizes": [[0, 3, 0], [50, 12, 4]]}
    told = [replace(result(name, 1, 5), learned=learned) for name in ("one", "other")]
    assert queue_sizes(told) == queue_sizes(told)
    assert "sites in the high queue" in queue_sizes(told)
