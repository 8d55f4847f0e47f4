"""Drift: how much the values rose or fell while an experiment ran, as a note at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.comparison.verdicts import Note
from statera.support.wording import listed

if TYPE_CHECKING:
    from statera.comparison.results.inspection import Inspection
    from statera.experiment.plan import Order

_FEW: Final = 3
_SPARED: Final = "Rounds alternate the builds, so the drift is not a difference between them."
_CONFUSED: Final = "The builds ran one after the other, so the drift looks like a difference. Run them in random order."


def notes(inspection: Inspection, order: Order) -> list[Note]:
    """Name the rows whose values drifted over the rounds, the largest change first.

    The p-values of the rank correlations with time are corrected for the number of rows (Bonferroni).
    """
    native = inspection.native
    limit = inspection.policy.alpha / max(len(native), 1)
    drifting = [
        (native.row_dict(row), metric)
        for _, metric, rows in native.sections()
        for row in rows
        if (p := native.row_dict(row)["drift_p"]) is not None and p < limit
    ]
    if not drifting:
        return []
    drifting.sort(key=lambda each: -abs(each[0]["drift_change"]))
    return [
        Note(
            "drifted",
            f"Values drifted over the rounds: {listed((_row(inspection, *each) for each in drifting), _FEW)}. "
            + (_CONFUSED if order == "sequential" else _SPARED),
        )
    ]


def _row(inspection: Inspection, fields: dict[str, Any], metric: int) -> str:
    names = ", ".join(_native.printable(fields[name]) for name in ("benchmark", "variant", "metric"))
    change = fields["drift_change"]
    if fields["scale"] == "ratio":
        return f"{names} {_native.percent(change)}"
    return f"{names} {_native.amount(inspection.observations.native, metric, change, change)}"
