"""The same profile and seed, the same bytes, on any machine and any Python."""

from leadline_lab.determinism import figures_of, fingerprint, run_fingerprint

WORLD = "small", 1
EXPECTED = {
    "world": "0ea8b7b2b1b429d7a00c13c341073584",
    "run": "ac441e872e3ee2c442cb9e1e15f06c07",
}
CHANGED = (
    "The world of (small, 1) is not what it was. If nobody meant to change it, something here "
    "depends on the machine, the Python or the order of a set. If it was changed on purpose, run "
    "`leadline lab fingerprint` and put its `world` and `run` into EXPECTED."
)


def test_the_world_is_the_same_bytes_as_ever() -> None:
    assert fingerprint(*WORLD) == EXPECTED["world"], CHANGED


def test_a_crawl_of_it_is_the_same_as_ever() -> None:
    assert run_fingerprint(*WORLD) == EXPECTED["run"], CHANGED


def test_another_seed_is_another_world() -> None:
    assert fingerprint("small", 1, pages=5) != fingerprint("small", 2, pages=5)


def test_digests_come_with_what_made_them() -> None:
    assert figures_of(*WORLD, pages=3).keys() >= {"world", "run", "python", "platform", "numpy"}
