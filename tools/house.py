"""Measures how easy the code is to live in, of one tree or of two side by side.

python tools/house.py                        this tree
python tools/house.py --old PATH             another checkout beside it, in one table
python tools/house.py --package forms        one package, with what to look at
python tools/house.py --no-runs              without the crawl, the harvest and the import

The last line printed is one JSON object of the figures.
"""

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SMALL_LINES = 80
CRAWL_PAGES, HARVEST_REQUESTS = 40, 30
WORLD = ("--profile", "demo", "--seed", "1")
TOPIC = "hotel"
# A bare participle or gerund does not say what a call does. Counted: names of one word with these
# endings, and irregular ones; not ordinary words that only look alike.
_PARTICIPLE = re.compile(
    r"_?(?:[a-z]+(?:ed|ing|own)|told|held|sold|said|paid|laid|sought|brought|taught|thought|caught"
    r"|seen|been|given|taken|written|chosen|hidden|kept|left|met|meant|made|found|bound|put|gone|done"
    r"|sent|spent|built|lost|sorted|read)"
)
_ORDINARY = {
    "feed",
    "seed",
    "need",
    "speed",
    "embed",
    "down",
    "own",
    "string",
    "ring",
    "ping",
    "put",
    "read",
    "thing",
    "nothing",
    "exceed",
    "proceed",
    "shed",
    "spread",
    "setting",
    "heading",
}


class Module(NamedTuple):
    """One parsed file of the package."""

    name: str
    path: Path
    lines: int
    comments: int
    tree: ast.Module


def read_modules(source: Path, package: str = "leadline") -> list[Module]:
    """Every module that is installed."""
    modules = []
    for path in sorted((source / package).rglob("*.py")):
        text = path.read_text("utf-8")
        name = ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")
        comments = sum(line.lstrip().startswith("#") for line in text.splitlines())
        modules.append(Module(name, path, text.count("\n"), comments, ast.parse(text)))
    return modules


def list_imports(module: Module, names: set[str]) -> set[str]:
    """The modules of ours that it imports."""
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & names
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = {f"{node.module}.{alias.name}" for alias in node.names} & names
            found |= below or ({node.module} & names)
    return found - {module.name}


def list_functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(
        "property" in ast.unparse(one) or "setter" in ast.unparse(one)
        for one in function.decorator_list
    )


def is_participle(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    name = function.name
    return (
        bool(_PARTICIPLE.fullmatch(name))
        and name.lstrip("_") not in _ORDINARY
        and not is_property(function)
    )


class Findings(NamedTuple):
    """What a reader stumbles over, by name."""

    small: list[str]
    """Modules of at most SMALL_LINES lines that one other module imports."""
    repeated: dict[str, list[str]]
    """Class names that stand for several classes."""
    participles: list[str]
    once: list[str]
    """Private functions that are called in one place."""
    long: list[str]
    """Modules over 500 lines, functions over 60."""


def find_stumbling_blocks(modules: Sequence[Module]) -> Findings:
    names = {module.name for module in modules}
    importers: Counter[str] = Counter()
    classes: dict[str, list[str]] = defaultdict(list)
    participles, once, long = [], [], []
    for module in modules:
        importers.update(list_imports(module, names))
        called = Counter(
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Name | ast.Attribute)
        )
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(module.name)
        for function in list_functions(module.tree):
            where = f"{module.name}.{function.name}"
            if is_participle(function):
                participles.append(where)
            if (
                function.name.startswith("_")
                and not function.name.endswith("__")
                and called[function.name] == 1
            ):
                once.append(where)
            if (function.end_lineno or 0) - function.lineno >= 60:
                long.append(where)
        if module.lines > 500:
            long.append(module.name)
    small = [
        module.name
        for module in modules
        if module.lines <= SMALL_LINES
        and importers[module.name] == 1
        and module.path.name != "__init__.py"
    ]
    repeated = {name: where for name, where in sorted(classes.items()) if len(where) > 1}
    return Findings(small, repeated, participles, once, long)


def measure_code(modules: Sequence[Module]) -> dict[str, float]:
    """Counts over the installed package."""
    blocks = find_stumbling_blocks(modules)
    public = sum(
        not name.startswith("_")
        for module in modules
        for node in module.tree.body
        for name in _defined_names(node)
    )
    functions = [function for module in modules for function in list_functions(module.tree)]
    private = sum(f.name.startswith("_") and not f.name.endswith("__") for f in functions)
    lines = sum(module.lines for module in modules)
    return {
        "lines": lines,
        "modules": len(modules),
        "classes": sum(isinstance(n, ast.ClassDef) for m in modules for n in ast.walk(m.tree)),
        "public_names": public,
        "functions": len(functions),
        "small_modules_with_one_importer": len(blocks.small),
        "class_names_used_twice": len(blocks.repeated),
        "bare_participle_functions": len(blocks.participles),
        "private_functions": private,
        "private_functions_called_once": len(blocks.once),
        "comments_per_100_lines": round(100 * sum(m.comments for m in modules) / max(lines, 1), 2),
    }


def _defined_names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target.id for target in targets if isinstance(target, ast.Name)]


# Runs in a process of its own, on the tree that is measured: counts what is called, in all threads.
_TRACED = """
import json, sys, threading
try:
    from leadline.ui.cli.app import run
except ModuleNotFoundError:  # the first house has one module
    from leadline.ui.cli import run
import leadline
package = leadline.__file__.rpartition("/")[0]
called = set()
def note(frame, event, argument):
    if event == "call" and frame.f_code.co_filename.startswith(package):
        called.add(frame.f_code)
threading.setprofile(note)
sys.setprofile(note)
code = run(json.loads(sys.argv[1]))
sys.setprofile(None)
# Flag 1 marks functions: bodies of classes and modules, which run on import, lack it.
named = {c for c in called if c.co_flags & 1 and not c.co_name.startswith("<")}
files = {c.co_filename for c in named}
print(json.dumps({"exit": code, "functions": len(named), "files": len(files)}))
"""
_IMPORTED = """
import json, sys, time
began = time.process_time()
import leadline
leadline.crawl
print(json.dumps({"import_cpu_s": round(time.process_time() - began, 3),
                  "import_modules": sum(m.split(".")[0] == "leadline" for m in sys.modules)}))
"""


def run_python(tree: Path, code: str, *arguments: str) -> dict[str, float]:
    """Run code on a tree; the JSON object of its last line."""
    paths = [str(tree / "src"), str(tree / "lab" / "src")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=scratch,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise SystemExit(f"{tree}: {done.stderr[-2000:]}")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


@contextmanager
def serve_lab() -> Iterator[tuple[int, list[str]]]:
    """The lab's web over HTTP: its port, and seeds of TOPIC."""
    command = [sys.executable, "-m", "leadline.ui.cli", "lab"]
    seeds = subprocess.run(
        [*command, "seeds", TOPIC, *WORLD], capture_output=True, text=True, check=True
    ).stdout.split()
    server = subprocess.Popen(
        [*command, "serve", *WORLD, "--port", "0", "--json"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["address"]
        yield int(address.rpartition(":")[2]), seeds
    finally:
        server.terminate()
        server.wait()


FORM = "http://www.kufiso.example/reservations.jsp"


def trace_runs(tree: Path, port: int, seeds: Sequence[str]) -> dict[str, float]:
    """Files and functions of ours that a small crawl and a small harvest run through."""
    resolve = f'web.resolve={{"*" = "127.0.0.1:{port}"}}'
    way = ["--set", resolve, "--set", "web.allow_private=true", "--delay", "0"]
    crawl = ["crawl", TOPIC, "--pages", str(CRAWL_PAGES), "--store", "a.leadline", "-q", *way]
    crawled = run_python(tree, _TRACED, json.dumps([*crawl, "--seeds", *seeds]))
    harvest = [
        "harvest",
        FORM,
        "b.leadline",
        "-q",
        "--budget-requests",
        str(HARVEST_REQUESTS),
        *way,
    ]
    harvested = run_python(tree, _TRACED, json.dumps(harvest))
    return {
        "crawl_exit": crawled["exit"],
        "crawl_files": crawled["files"],
        "crawl_functions": crawled["functions"],
        "harvest_exit": harvested["exit"],
        "harvest_files": harvested["files"],
        "harvest_functions": harvested["functions"],
    }


def measure_import(tree: Path) -> dict[str, float]:
    """CPU seconds of `import leadline; leadline.crawl`, the best of five, files compiled before."""
    runs = [run_python(tree, _IMPORTED) for _ in range(6)][1:]
    return min(runs, key=lambda run: run["import_cpu_s"])


def print_package(modules: Sequence[Module], package: str) -> None:
    """What to look at in one package; names are compared with the whole tree's."""
    prefix = f"leadline.{package}"
    blocks = find_stumbling_blocks(modules)

    def is_ours(name: str) -> bool:
        return name == prefix or name.startswith(f"{prefix}.")

    for title, names in (
        ("small modules with one importer", blocks.small),
        ("bare participles", blocks.participles),
        ("too long", blocks.long),
        ("private functions called once", blocks.once),
    ):
        ours = [name for name in names if is_ours(name)]
        print(f"{title}: {len(ours)}")
        print("".join(f"  {name}\n" for name in ours), end="")
    print("class names used twice:")
    for name, where in blocks.repeated.items():
        if any(map(is_ours, where)):
            print(f"  {name}: {', '.join(where)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--old", type=Path, help="another checkout, to compare with")
    parser.add_argument("--package", help="one package: list what to look at")
    parser.add_argument("--no-runs", action="store_true", help="count only")
    options = parser.parse_args()
    if options.package:
        modules = read_modules(ROOT / "src")
        print_package(modules, options.package)
        prefix = f"leadline.{options.package}"
        print(
            json.dumps(
                measure_code(
                    [m for m in modules if m.name == prefix or m.name.startswith(f"{prefix}.")]
                )
            )
        )
        return
    trees = ({"old": options.old.resolve()} if options.old else {}) | {"new": ROOT}
    figures = {name: measure_code(read_modules(tree / "src")) for name, tree in trees.items()}
    if not options.no_runs:
        with serve_lab() as (port, seeds):
            for name, tree in trees.items():
                figures[name] |= trace_runs(tree, port, seeds) | measure_import(tree)
    for key in figures["new"]:
        print(f"{key:36}" + "".join(f"{figures[name][key]:>12}" for name in trees))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
