"""Harnesses that list their benchmarks and run one of them: how each is found, listed and selected, in one table."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.experiment.placeholders import filled, literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from statera.experiment.plan import Cell


RESULTS: Final = "result.json"
"""The file in ``{out}`` for a harness that writes its results to a file."""
# What may have a meaning in an expression, and how it stands for itself.
_SPECIAL: Final = re.compile(r"([^A-Za-z0-9_/ -])")
_ESCAPED: Final = r"\\\1"
_OF_PYTHON: Final = ("pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt")


class Harness(NamedTuple):
    """A harness. Its arguments follow those of the benchmark's command.

    Attributes:
        found: what a project that uses it has: names of files, and a text that one of them contains.
        lists: arguments by which it lists its benchmarks on standard output.
        row: matches a line that names one; its first group is the name.
        selects: arguments by which it runs one, templates; ``{row}`` is its name.
        quoted: writes a name as ``selects`` wants it.
        refuses: matches an argument of a command that would choose benchmarks itself; empty: there is none.
        format: of what it prints or leaves in ``{out}``.
        variables: of its environment where it runs one, templates.
        counts: whether it may end with the number of benchmarks that it lists.
        parts: takes apart the results of several rows that one process ran: its files with those of each row. A process
            then runs all rows that go on, and its start is paid once; their selections, the last argument, follow each
            other. None: a start costs less than what is measured, and each row has a process of its own.

    """

    found: tuple[tuple[str, ...], str]
    lists: tuple[str, ...]
    row: str
    selects: tuple[str, ...]
    quoted: Callable[[str], str]
    format: str
    refuses: str = ""
    variables: tuple[tuple[str, str], ...] = ()
    counts: bool = False
    parts: Callable[[bytes], dict[str, bytes]] | None = None


def _whole(row: str) -> str:
    """Return a regular expression for exactly this name, as RE2 and the C++ library understand it."""
    return f"^{_SPECIAL.sub(_ESCAPED, row)}$"


def _of_pytest(content: bytes) -> dict[str, bytes]:
    """Return the results of each test of a file of pytest-benchmark, as such a file.

    Raises:
        ValueError: it is no JSON.

    """
    document = json.loads(content)
    rows = document.get("benchmarks") if isinstance(document, dict) else None
    of_row: dict[str, list[object]] = {}
    for each in rows if isinstance(rows, list) else ():
        if isinstance(each, dict):
            of_row.setdefault(str(each.get("fullname")), []).append(each)
    return {row: json.dumps({**document, "benchmarks": own}).encode() for row, own in of_row.items()}


def _of_catch(row: str) -> str:
    """Return the name of a test as Catch2 wants it: commas, brackets and stars have a meaning."""
    return re.sub(r"([,\[\]*\\\"~])", r"\\\1", row)


HARNESSES: Final = {
    "go": Harness(
        found=(("go.mod",), ""),
        lists=("-test.list=^Benchmark",),
        row=r"(Benchmark\S*)$",
        selects=("-test.run=^$", "-test.bench={row}", "-test.count=1"),
        quoted=_whole,
        format="go",
        refuses=r"--?(test\.)?(bench|list|run)(=.*)?",
    ),
    "pytest-benchmark": Harness(
        found=(_OF_PYTHON, "pytest-benchmark"),
        # The fixtures tell benchmarks from other tests, which --benchmark-only skips no sooner than they run.
        lists=("--rootdir=.", "-p", "no:cacheprovider", "--quiet", "--setup-plan"),
        row=r"\s+(\S.*) \(fixtures used: (?:.*, )?benchmark(?:,.*)?\)",
        selects=(
            *("--rootdir=.", "-p", "no:cacheprovider", "--quiet", "--benchmark-only"),
            *(f"--benchmark-json={{out}}/{RESULTS}", "{row}"),
        ),
        quoted=str,
        format="pytest-benchmark",
        parts=_of_pytest,
        refuses=r"(.*/)?test_[^/]*\.py|.*::.*",
    ),
    "libtest": Harness(
        found=((), ""),
        lists=("--bench", "--list"),
        row=r"(\S.*): benchmark$",
        selects=("--bench", "--exact", "{row}"),
        quoted=str,
        format="libtest",
        refuses=r"--exact|--list",
    ),
    "criterion": Harness(
        found=((), ""),
        lists=("--bench", "--list"),
        row=r"(\S.*): benchmark$",
        selects=("--bench", "--exact", "--noplot", "{row}"),
        quoted=str,
        format="criterion",
        refuses=r"--exact|--list|--(save-)?baseline(=.*)?",
        # Its results, samples included, stay apart from those of other runs.
        variables=(("CRITERION_HOME", "{out}"),),
    ),
    "catch2": Harness(
        found=((), ""),
        lists=("[!benchmark]", "--list-tests"),
        row=r"  (\S.*)$",
        selects=("--reporter", "xml", "{row}"),
        quoted=_of_catch,
        format="catch2",
        # Version 2 ends so, version 3 with 0.
        counts=True,
        refuses=r"-l|--list-tests|-r|--reporter(=.*)?",
    ),
    "jmh": Harness(
        found=((), ""),
        lists=("-l",),
        row=r"([\w$]+(?:\.[\w$]+)+)$",
        # Statera starts a process for each sample, which is what a fork is for.
        selects=("{row}", "-f", "1", "-foe", "true", "-rf", "json", "-rff", f"{{out}}/{RESULTS}"),
        quoted=_whole,
        format="jmh",
        refuses=r"-l|-lp|-rff?|-f|-foe",
    ),
    "google-benchmark": Harness(
        found=((), ""),
        lists=("--benchmark_list_tests=true",),
        row=r"(\S.*)$",
        selects=("--benchmark_filter={row}", "--benchmark_format=json"),
        quoted=_whole,
        format="google-benchmark",
        refuses=r"--benchmark_(filter|format|list_tests)(=.*)?",
    ),
}


def rows_of(harness: Harness, lines: Iterable[str]) -> list[str]:
    """Return the names that a listing has, each once, in its order."""
    found = (re.match(harness.row, line.rstrip()) for line in lines)
    return list(dict.fromkeys(match[1] for match in found if match))


def uses(harness: Harness, folder: Path) -> bool:
    """Return whether a project's files say that it uses a harness."""
    files, text = harness.found
    for name in files:
        try:
            if text in (folder / name).read_text(errors="replace"):
                return True
        except OSError:
            continue
    return False


def choosing(harness: Harness, words: Iterable[str]) -> str | None:
    """Return the argument of a command that would choose benchmarks itself; None if there is none."""
    return next((each for each in words if harness.refuses and re.fullmatch(harness.refuses, each)), None)


def selecting(harness: Harness, row: str) -> tuple[str, ...]:
    """Return the arguments that run one benchmark, as templates."""
    name = literal(harness.quoted(row))
    return tuple(each.replace("{row}", name) for each in harness.selects)


def together(cells: Sequence[Cell]) -> Cell:
    """Return what runs these rows of a suite in one process."""
    first, *others = cells
    words = (*first.command.arguments, *(each.command.arguments[-1] for each in others))
    return first._replace(command=first.command._replace(arguments=words))


def parted(cells: Sequence[Cell], content: bytes) -> list[bytes | None]:
    """Return the results of each of these rows, which one process ran; None where it has none.

    Raises:
        ValueError: they cannot be read.

    """
    parts = HARNESSES[cells[0].format or ""].parts
    found = {} if parts is None else parts(content)
    return [found.get(filled(cell.command.arguments[-1], {})) for cell in cells]
