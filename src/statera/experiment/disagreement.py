"""Hosts of one run that do not agree: the change depends on the machine, and one change for all of them misleads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.comparison import pipeline
from statera.comparison.verdicts import Note
from statera.experiment import deciding
from statera.support.errors import Stop
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from pathlib import Path

    from statera import _native
    from statera.comparison.results.comparison import Comparison
    from statera.experiment.plan import Plan
    from statera.support.settings.file import Settings

# Effects that a note names.
_MOST: Final = 3
_HOST: Final = "host"


def notes(plan: Plan, path: Path, settings: Settings) -> list[Note]:
    """Name the benchmarks whose change differs between hosts by more than the noise of each, with the change on each.

    The test is that of ``--within host`` (Cochran's Q).

    Args:
        plan: what was run.
        path: the folder of the run.
        settings: by which it is judged.

    """
    if len(plan.hosts) < 2:  # noqa: PLR2004 - one agrees with itself
        return []
    try:
        request = deciding.request_of(plan)._replace(by=("variant",), within=(_HOST,))
        apart = pipeline.compare([path], request, settings)
        found = sorted(
            filter(lambda each: _depends(each, apart), apart.interactions), key=lambda each: each["p"] or 0.0
        )
    except Stop:
        # On one host alone there are results.
        return []
    if not found:
        return []
    said = listed((_said(each, apart) for each in found), _MOST, between="; ")
    total = counted(len(found), "change differs", "changes differ")
    text = f"{total} between hosts: {said}. Judge each host by itself with --by variant --within host."
    return [Note("hosts-disagree", text)]


def _depends(each: _native.Interaction, comparison: Comparison) -> bool:
    return each["p_corrected"] is not None and each["p_corrected"] <= comparison.policy.alpha


def _said(each: _native.Interaction, comparison: Comparison) -> str:
    weighing = comparison.weighing
    names = [each["benchmark"], each["metric"]]
    if comparison.labels[2:]:
        names.insert(1, each["contender"])
    changes = [
        f"{weighing.row_dict(row)['group'].removeprefix(f'{_HOST}: ')} {shown(weighing.cell(row, 'change'))}"
        for row in each["rows"]
    ]
    return f"{' '.join(map(shown, names))} ({', '.join(changes)})"
