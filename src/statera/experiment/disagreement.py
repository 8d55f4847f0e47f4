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


def apart(plan: Plan, path: Path, settings: Settings) -> Comparison | None:
    """Compare each host by itself if a change differs between hosts by more than the noise of each; None if none does.

    The test is that of ``--within host`` (Cochran's Q).

    Args:
        plan: what was run.
        path: the folder of the run.
        settings: by which it is judged.

    """
    if len(plan.hosts) < 2:  # noqa: PLR2004 - one agrees with itself
        return None
    try:
        request = deciding.request_of(plan)._replace(by=("variant",), within=(_HOST,))
        found = pipeline.compare([path], request, settings)
        return found if any(_depends(each, found) for each in found.interactions) else None
    except Stop:
        # On one host alone there are results.
        return None


def note(found: Comparison) -> Note:
    """Name the benchmarks whose change differs between hosts, with the change on each."""
    differing = [each for each in found.interactions if _depends(each, found)]
    differing.sort(key=lambda each: each["p"] or 0.0)
    said = listed((_said(each, found) for each in differing), _MOST, between="; ")
    total = counted(len(differing), "change differs", "changes differ")
    text = f"{total} between hosts: {said}. Judge each host by itself with --by variant --within host."
    return Note("hosts-disagree", text)


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
