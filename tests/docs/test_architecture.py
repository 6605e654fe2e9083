"""The page on the architecture tells of what there is: packages, ports, files of guarantees."""

import ast
import re

from tools.reference.picture import BOXES

from tests.docs.blocks import DOCS, ROOT, blocks_of

PAGE = DOCS / "architecture.md"
TEXT = PAGE.read_text("utf-8")
PACKAGE = ROOT / "src" / "leadline"
NAMES = {
    path.stem
    for path in PACKAGE.iterdir()
    if (path.is_dir() or path.suffix == ".py") and not path.name.startswith("_")
}


def test_the_picture_has_every_package() -> None:
    shown = " ".join(f"{box.name} {box.what}" for box in BOXES)
    assert sorted(NAMES - set(re.findall(r"\w+", shown))) == []


def test_the_layers_told_are_the_packages() -> None:
    (layers,) = [block.code for block in blocks_of(PAGE) if block.language == "text"]
    assert set(re.findall(r"\w+", layers)) == NAMES | {"leadline_lab"}


def test_the_layers_told_are_those_that_are_checked() -> None:
    (layers,) = [block.code for block in blocks_of(PAGE) if block.language == "text"]
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (checked,) = re.findall(r"^layers = \[\n(.*?)^\]", project, re.M | re.S)
    told = [re.findall(r"\w+", line) for line in layers.splitlines()]
    assert told == [
        re.findall(r"leadline_lab|(?<=leadline\.)\w+", line) for line in checked.splitlines()
    ]


def test_every_port_is_told_of() -> None:
    ports = {
        node.name
        for path in (PACKAGE / "core").glob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and "Protocol" in map(ast.unparse, node.bases)
    }
    assert ports == set(re.findall(r"^\| `(\w+)` \| `core/", TEXT, re.M))


def test_every_file_named_is_there() -> None:
    named = re.findall(r"`([a-z_]+/[\w/.]*)`", TEXT)
    assert named
    assert [name for name in named if not _is_there(name)] == []


def _is_there(name: str) -> bool:
    return (ROOT / name).exists() or (PACKAGE / name).exists()
