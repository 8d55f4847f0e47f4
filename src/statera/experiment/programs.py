"""Whether the programs of an experiment exist, before the first of them runs for hours."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.experiment.plan import Cell, Command, Plan


def check(plan: Plan, cells: Iterable[Cell]) -> None:
    """Look up the program of every cell, unless the command before each invocation may make it.

    Raises:
        Stop: one does not exist.

    """
    for cell in cells:
        if cell.prepare is None and _is_absent(cell.command):
            raise Stop(
                "cannot-start",
                f"{plan.benchmarks[cell.benchmark]}, {plan.variants[cell.variant].name}: "
                f"{cell.command.arguments[0]} is not found; correct the command, or name the program with its path",
            )


def _is_absent(command: Command) -> bool:
    program, variables = command.arguments[0], {**os.environ, **dict(command.environment)}
    if "{" in program:
        # It differs between invocations.
        return False
    if "/" in program:
        return not os.path.exists(os.path.join(command.directory or "", program))  # noqa: PTH110, PTH118
    return shutil.which(program, path=variables.get("PATH")) is None
