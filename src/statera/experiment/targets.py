"""The files that commands write: they must replace neither what the commands read nor what the run records."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from pathlib import Path

    from statera.experiment.plan import Plan

_NO_FILES: Final = frozenset({"discard", "capture", "inherit"})


def inputs(plan: Plan) -> list[str]:
    """Return the files that are standard input of a command."""
    return sorted({cell.input for cell in plan.cells if cell.input is not None})


def refuse_overwriting(plan: Plan, folder: Path) -> None:
    """Refuse a plan whose commands would write to an input, or into the folder of the run.

    Raises:
        Stop: a command would.

    """
    read, own = {os.path.realpath(name) for name in inputs(plan)}, os.path.realpath(folder)
    for name in sorted({cell.output for cell in plan.cells} - _NO_FILES):
        path = os.path.realpath(name)
        if path in read:
            raise outputs.input_refused(name)
        if os.path.commonpath([path, own]) == own:
            raise Stop(
                "bad-option", f"--output {name}: is in the folder of the run, which has files of its own; name another"
            )
