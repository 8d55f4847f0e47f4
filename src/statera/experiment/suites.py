"""Suites: each benchmark that a harness lists becomes one of the plan, which leaves the rounds when it is decided.

The harness is asked before the run, in each variant's build: the plan of a run states all that it measures.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.experiment.builds import make_all
from statera.experiment.course import Course
from statera.experiment.launcher import VARIABLE, Invocation, Launcher
from statera.experiment.progress import Display
from statera.experiment.services import with_values
from statera.experiment.words import SERVED, filled, literal
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from statera.experiment.plan import Cell, Plan

RESULTS: Final = "result.json"
"""The file in ``{out}`` for a harness that writes its results to a file."""
# What may have a meaning in an expression, and how it stands for itself.
_SPECIAL: Final = re.compile(r"([^A-Za-z0-9_/ -])")
_ESCAPED: Final = r"\\\1"
_OF_PYTHON: Final = ("pyproject.toml", "setup.cfg", "tox.ini", "requirements.txt", "requirements-dev.txt")


class Harness(NamedTuple):
    """A harness. Its arguments follow those of the benchmark's command."""

    # what a project that uses it has: names of files, and a text that one of them contains
    found: tuple[tuple[str, ...], str]
    lists: tuple[str, ...]  # arguments by which it lists its benchmarks on standard output
    row: str  # matches a line that names one; its first group is the name
    selects: tuple[str, ...]  # arguments by which it runs one, templates; ``{row}`` is its name
    quoted: Callable[[str], str]  # writes a name as ``selects`` wants it
    format: str  # of what it prints or leaves in ``{out}``
    refuses: str = ""  # matches an argument of a command that would choose benchmarks itself; empty: there is none
    variables: tuple[tuple[str, str], ...] = ()  # of its environment where it runs one, templates
    counts: bool = False  # whether it may end with the number of benchmarks that it lists
    # takes apart the results of several rows that one process ran: its files with those of each row. A process then
    # runs all rows that go on, and its start is paid once; their selections, the last argument, follow each other.
    # None: a start costs less than what is measured, and each row has a process of its own.
    parts: Callable[[bytes], dict[str, bytes]] | None = None


def _whole(row: str) -> str:
    """Return a regular expression for exactly this name, as RE2 and the C++ library understand it."""
    return f"^{_SPECIAL.sub(_ESCAPED, row)}$"


def _of_pytest(content: bytes) -> dict[str, bytes]:
    """Return the results of each test of a file of pytest-benchmark, as such a file.

    Raises ``ValueError`` if it is no JSON.
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

    Raises ``ValueError`` if they cannot be read.
    """
    parts = HARNESSES[cells[0].format or ""].parts
    found = {} if parts is None else parts(content)
    return [found.get(filled(cell.command.arguments[-1], {})) for cell in cells]


# Seconds for a list, unless the plan allows invocations less.
_PATIENCE: Final = 120.0
_MOST_BYTES: Final = 1 << 24
_FEW: Final = 5
_SHOWN: Final = 400
_MOST_CODE: Final = 255


def expanded(plan: Plan) -> Plan:
    """Return a plan in which each benchmark that a harness lists is one of its own.

    Its builds are made for that. A plan without a harness stays as it is.

    Raises ``Stop`` if a harness cannot be asked, or lists nothing that all variants have.
    """
    if not any(cell.harness for cell in plan.cells):
        return plan
    display = Display(plan, list)
    course, identity = Course(plan), secrets.token_hex(16)
    with Launcher() as starter:
        failed = make_all(plan, course, starter.run, identity=identity, display=display, record=course.add)
        rows: dict[int, list[str]] = {}
        for number in range(len(plan.benchmarks)):
            cells = [cell for cell in plan.cells if cell.benchmark == number and cell.harness]
            asked = {cell.variant: _listed(plan, cell, starter, identity) for cell in cells if _key(cell) not in failed}
            if cells:
                rows[number] = _common(plan, number, asked, display)
    return _with_rows(plan, rows)


def _key(cell: Cell) -> tuple[int, int]:
    return cell.benchmark, cell.variant


def _listed(plan: Plan, cell: Cell, starter: Launcher, identity: str) -> list[str]:
    """Ask a harness for its benchmarks."""
    harness = HARNESSES[cell.harness or ""]
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        command = with_values(cell.command, {"out": folder, "round": "0", **dict.fromkeys(SERVED, "0")})
        output, errors = Path(folder, "output"), Path(folder, "errors")
        variables = {**os.environ, **dict(command.environment), VARIABLE: identity}
        outcome = starter.run(
            Invocation(
                arguments=(*command.arguments, *harness.lists),
                environment=tuple(variables.items()),
                directory=command.directory or str(Path.cwd()),
                output=str(output),
                errors=str(errors),
                captured=_MOST_BYTES,
                timeout=min(_PATIENCE, plan.machine.timeout or _PATIENCE),
            )
        )
        name = ", ".join(plan.names(cell))
        printed = output.read_text(errors="replace") if output.exists() else ""
        found = rows_of(harness, printed.splitlines())
        has_counted = harness.counts and outcome.failure == "exit" and outcome.exit == min(len(found), _MOST_CODE)
        if outcome.failure is not None and not has_counted:
            said = printed + (errors.read_text(errors="replace") if errors.exists() else "")
            end = f": {said[-_SHOWN:].strip()}" if said.strip() else ""
            raise Stop("no-suite", f"{name}: {cell.harness} cannot list its benchmarks: {outcome.message}{end}")
    if not found:
        words = shlex.join((*command.arguments, *harness.lists))
        raise Stop("no-suite", f"{name}: {cell.harness} lists no benchmark. See what this prints: {words}")
    return found


def _common(plan: Plan, number: int, asked: dict[int, list[str]], display: Display) -> list[str]:
    """Return the rows that all variants have, and name the others."""
    suite = plan.benchmarks[number]
    if not asked:
        raise Stop("nothing-to-run", f"{suite}: no build is left that could list its benchmarks")
    every = list(dict.fromkeys(row for rows in asked.values() for row in rows))
    common = [row for row in every if all(row in rows for rows in asked.values())]
    lacking = [row for row in every if row not in common]
    if lacking:
        display.say(f"{suite}: not all variants have {listed(lacking, _FEW)}, so that nothing can be compared there")
    if not common:
        raise Stop("no-suite", f"{suite}: no benchmark is in all variants")
    return common


def _with_rows(plan: Plan, rows: dict[int, list[str]]) -> Plan:
    names: list[str] = []
    cells: list[Cell] = []
    plain = [name for number, name in enumerate(plan.benchmarks) if number not in rows]
    every = [*plain, *(row for of in rows.values() for row in of)]
    for number, suite in enumerate(plan.benchmarks):
        own = [cell for cell in plan.cells if cell.benchmark == number]
        for row in rows.get(number, [suite]):
            # Two suites may have a benchmark of the same name.
            names.append(row if every.count(row) == 1 else f"{suite}: {row}")
            cells += (_selected(cell, row, suite)._replace(benchmark=len(names) - 1) for cell in own)
    _refuse_repeated(names)
    return plan._replace(benchmarks=tuple(names), cells=tuple(cells))


def _selected(cell: Cell, row: str, suite: str) -> Cell:
    if cell.harness is None:
        return cell
    harness = HARNESSES[cell.harness]
    command = cell.command._replace(
        arguments=(*cell.command.arguments, *selecting(harness, row)),
        environment=(*cell.command.environment, *harness.variables),
    )
    # What a service did is known of a process, not of a row.
    shared = suite if harness.parts is not None and not cell.services else None
    return cell._replace(command=command, harness=None, format=harness.format, output="capture", suite=shared)


def _refuse_repeated(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise Stop("no-suite", f"two benchmarks are named {name!r}. Rename the suite")
        seen.add(name)
