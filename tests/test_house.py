"""The code stays easy to live in: one class for one name, plain names, whole modules."""

from tools.house import ROOT, find_stumbling_blocks, read_modules

BLOCKS = find_stumbling_blocks(read_modules(ROOT / "src"))


def test_a_class_name_stands_for_one_class() -> None:
    assert BLOCKS.repeated == {}
