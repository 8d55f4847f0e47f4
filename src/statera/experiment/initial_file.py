"""The experiment file to begin with, for the project in a folder."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from statera.experiment.suites import HARNESSES, uses
from statera.support.files.names import as_text


class _Project(NamedTuple):
    """A kind of project."""

    build: str  # the table ``[build]``; empty: there is none
    benchmark: str  # the table ``[[benchmark]]``. ``@NAME@`` is the name of the program.


_GO: Final = _Project(
    """\
# -c makes the test binary of one package. Name another one in place of the dot. -trimpath leaves out the path of the
# tree, so that the same code gives the same bytes.
command = ["go", "test", "-c", "-trimpath", "-o", "{build}/bench", "."]
""",
    """\
# Every benchmark of the package is one of the experiment, and ends when it is decided. --only chooses some.
harness = "go"
command = ["{build}/bench"]
""",
)
_CARGO: Final = _Project(
    """\
command = ["cargo", "build", "--release", "--locked", "--target-dir", "{build}"]
artefacts = ["release/@NAME@"]
""",
    """\
command = ["{build}/release/@NAME@"]
""",
)
_DUNE: Final = _Project(
    """\
command = ["dune", "build", "--release", "--build-dir", "{build}"]
# Name the programs: dune writes a log beside them, which differs each time.
artefacts = ["default/bin/main.exe"]
""",
    """\
command = ["{build}/default/bin/main.exe"]
""",
)
_CMAKE: Final = _Project(
    """\
command = { shell = 'cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release && cmake --build "$build"' }
artefacts = ["@NAME@"]
""",
    """\
command = ["{build}/@NAME@"]
""",
)
_OTHER: Final = _Project(
    """\
# In place of a list, { shell = "…" } is a text for a shell; placeholders are its variables: $build.
command = ["cc", "-O2", "main.c", "-o", "{build}/program"]
""",
    """\
command = ["{build}/program"]
""",
)
_PYTEST: Final = _Project(
    "",
    """\
# Every benchmark that pytest-benchmark lists is one of the experiment, and ends when it is decided; --only chooses.
harness = "pytest-benchmark"
command = ["python3", "-m", "pytest"]
directory = "{source}"
env = { PYTHONPATH = "{source}:{source}/src" }
""",
)
_KINDS: Final = {"go.mod": _GO, "Cargo.toml": _CARGO, "dune-project": _DUNE, "CMakeLists.txt": _CMAKE}
FACTOR: Final = "rev"
_TEXT: Final = """\
# An experiment: `statera run experiment.toml` builds, measures and compares its variants.
# `statera run experiment.toml --list` shows them; docs/experiment.md explains each key.

# A number of rounds, or "until decided", or "width 1%".
rounds = "until decided"

# Every combination of levels is a variant. The first one is the baseline.
[factors]
# Commits, tags or branches; "." is the tree as it is, with changes that are not committed.
rev = ["HEAD", "."]

# Each revision gets its own tree.
[source]
git = "."
revision = "{rev}"

@BUILD@[[benchmark]]
name = "@NAME@"
@BENCHMARK@"""


_BUILD: Final = """\
# Runs in the tree, and writes to {build}. What is built once is used again.
[build]
@BUILD@
"""


def is_known(folder: str | Path) -> bool:
    """Return whether a folder has a project whose file needs no edits: Go, Cargo, dune, CMake or pytest-benchmark."""
    return _kind(Path(folder).absolute()) is not _OTHER


def _kind(place: Path) -> _Project:
    kind = next((project for file, project in _KINDS.items() if (place / file).is_file()), _OTHER)
    return _PYTEST if kind is _OTHER and uses(HARNESSES["pytest-benchmark"], place) else kind


def initial(folder: str | Path) -> str:
    """Return the text of an experiment file for a Go, Cargo, dune, CMake or pytest project, or any other."""
    place = Path(folder).absolute()
    kind = _kind(place)
    name = _name(place)
    build, benchmark = (_filled(text, NAME=_quoted(name).replace("{", "{{").replace("}", "}}")) for text in kind)
    built = _BUILD.replace("@BUILD@", build) if build else ""
    return _filled(_TEXT, NAME=_quoted(name), BUILD=built, BENCHMARK=benchmark)


def _filled(text: str, **values: str) -> str:
    return re.sub("@([A-Z]+)@", lambda found: values[found[1]], text)


def _name(folder: Path) -> str:
    """Return the name of the program: as the project states it, or that of the folder."""
    return _in_cargo(folder / "Cargo.toml") or _in_cmake(folder / "CMakeLists.txt") or as_text(folder.name) or "program"


def _in_cargo(path: Path) -> str:
    try:
        name = tomllib.loads(path.read_text())["package"]["name"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return name if isinstance(name, str) else ""


def _in_cmake(path: Path) -> str:
    try:
        found = re.search(r"add_executable\s*\(\s*([\w.+-]+)", path.read_text(), re.IGNORECASE)
    except (OSError, ValueError):
        return ""
    return found[1] if found else ""


def _quoted(name: str) -> str:
    """Write a name as it is within quotes."""
    return json.dumps(name, ensure_ascii=False)[1:-1]
