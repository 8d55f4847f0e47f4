"""Suites: each benchmark that a harness lists becomes one of the plan, which leaves the rounds when it is decided.

The harness is asked before the run, in each variant's build: the plan of a run states all that it measures.
"""

from __future__ import annotations

import os
import secrets
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera.experiment.builds import make_all
from statera.experiment.course import Course
from statera.experiment.harnesses import HARNESSES, rows_of, selecting
from statera.experiment.launcher import VARIABLE, Invocation, Launcher
from statera.experiment.placeholders import SERVED
from statera.experiment.progress import Display
from statera.experiment.services import with_values
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.experiment.plan import Cell, Plan

# Seconds for a list, unless the plan allows invocations less.
_PATIENCE: Final = 120.0
_MOST_BYTES: Final = 1 << 24
_FEW: Final = 5
_SHOWN: Final = 400
_MOST_CODE: Final = 255


def expanded(plan: Plan) -> Plan:
    """Return a plan in which each benchmark that a harness lists is one of its own.

    Its builds are made for that. A plan without a harness stays as it is.

    Raises:
        Stop: a harness cannot be asked, or lists nothing that all variants have.

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
