"""Checks commands of shell blocks without running them: that each would be understood."""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from cyclopts import CycloptsError

from leadline.config import load_config, parse_pairs
from leadline.errors import ConfigError
from leadline.ui.cli.app import app
from leadline_lab.experiments.many_makers import NAME as MANY_MAKERS
from leadline_lab.experiments.plan import EXPERIMENTS
from leadline_lab.harvests.plan import HARVESTS
from tests.docs.blocks import ROOT

_OTHERS = {
    ".", "cd", "cp", "curl", "git", "head", "jq", "kill", "mkdir", "mv", "nice", "nohup", "pip",
    "python3", "sqlite3", "systemctl",
}  # fmt: skip
"""Programs that are not ours: their words are taken as they are."""
_SEPARATORS = {"|", "&&", "||", ";", "&", "(", ")"}
_MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
_PROJECT = (ROOT / "pyproject.toml").read_text("utf-8")


def faults_of(code: str) -> list[str]:
    """What is wrong with the commands of a block, in words."""
    return [
        f"{' '.join(words)}: {fault}" for words in commands_of(code) if (fault := _fault(words))
    ]


def commands_of(code: str) -> Iterator[list[str]]:
    """Each command as its words, those in `$(...)` too; assignments and redirections left out."""
    lines = code.replace("\\\n", " ").splitlines()
    for line in lines:
        for inner in re.findall(r"\$\(([^()]*)\)", line):
            yield from commands_of(inner)
        tokens = shlex.shlex(line, posix=True, punctuation_chars=True)
        tokens.whitespace_split = True
        for is_separator, words in groupby(tokens, _SEPARATORS.__contains__):
            command = list(_bare(words))
            if command and not is_separator:
                yield command


def _bare(words: Iterator[str]) -> Iterator[str]:
    before_command = True
    for word in words:
        if word in {">", ">>", "<"}:
            next(words)
        elif before_command and re.fullmatch(r"[A-Z_]+=.*", word):
            continue
        else:
            before_command = False
            yield word


def _fault(words: list[str]) -> str:
    first, rest = words[0], words[1:]
    if first == "leadline":
        return _fault_of_ours(rest)
    if first == "make":
        return _fault_of_make(rest)
    if Path(first).name == "python" or (first == "python3" and rest[:1] != ["-m"]):
        return _fault_of_python(rest)
    if first in _OTHERS or first.startswith("$"):
        return _fault_of_extras(rest)
    return f"no known program {first!r}"


def _fault_of_ours(words: list[str]) -> str:
    try:
        command, bound, *_ = app.parse_args(words, print_error=False, exit_on_error=False)
    except CycloptsError as error:
        return str(error)
    if words[:2] == ["lab", "run"] and words[2] not in {*EXPERIMENTS, *HARVESTS, MANY_MAKERS}:
        return "no such experiment"
    return _fault_of_settings(command.__name__, bound.arguments)


def _fault_of_settings(command: str, arguments: dict[str, object]) -> str:
    """Whether what is set by name exists, with the strategy or policy that is named."""
    options = arguments.get("options")
    # A model is a folder that the reader will have: a shipped one stands for it.
    pairs = [re.sub("(?<=^strategy.model=).+", "hotel", p) for p in getattr(options, "set_", ())]
    named = {
        "strategy.name": getattr(options, "strategy", None),
        "harvest.policy": getattr(options, "policy", None),
    }
    flags = {name: value for name, value in named.items() if value}
    try:
        load_config(settings={**flags, **parse_pairs(pairs)})
    except ConfigError as error:
        return f"{command}: {error}"
    return ""


def _fault_of_make(targets: list[str]) -> str:
    plain = _MAKEFILE.replace("$(VENV)", ".venv")
    names = [target for target in targets if "=" not in target]
    missing = [name for name in names if not re.search(rf"^{re.escape(name)}:", plain, re.M)]
    return f"no such target: {missing}" if missing else ""


def _fault_of_python(words: list[str]) -> str:
    if words[:1] == ["-m"]:
        return _fault_of_module(words[1], words[2:])
    path = ROOT / words[0] if words else ROOT
    if not path.is_file():
        return f"no such file {words[:1]}"
    return _fault_of_options(path.read_text("utf-8"), words[1:])


def _fault_of_module(name: str, words: list[str]) -> str:
    if name.partition(".")[0] not in {"leadline", "bench"}:
        return ""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return f"no module {name}"
    main = Path(spec.origin).with_name("__main__.py")
    origin = main if spec.submodule_search_locations else Path(spec.origin)
    return _fault_of_options(origin.read_text("utf-8"), words)


def _fault_of_options(source: str, words: list[str]) -> str:
    """A script's options stand in its source as they are typed."""
    options = [word for word in words if word.startswith("--")]
    missing = [option for option in options if f'"{option}"' not in source]
    return f"no such options: {missing}" if missing else ""


def _fault_of_extras(words: list[str]) -> str:
    named = re.findall(r"(?:leadline|\.)\[([\w,]+)\]", " ".join(words))
    extras = [extra for names in named for extra in names.split(",")]
    missing = [extra for extra in extras if f"\n{extra} = [" not in _PROJECT]
    return f"no such extras: {missing}" if missing else ""
