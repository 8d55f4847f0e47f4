"""Hosts of one run that do not agree: the change depends on the machine, and one change for all of them misleads."""

from __future__ import annotations

from statera import _native
from statera.comparison.pairing.keys import HOST
from statera.comparison.verdicts.notes import Note
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

# Effects that a note names.
_MOST = 3


def disagreement(weighing: _native.Weighing, labels: Sequence[str], alpha: float) -> Note | None:
    """Name the benchmarks whose change differs between hosts by more than the noise of each, by Cochran's Q.

    Args:
        weighing: the rows of each host by itself.
        labels: the variants.
        alpha: the level of the tests.

    Returns:
        None if no change does.

    """
    tested = _native.interactions(weighing)
    differing = [each for each in tested if each["p_corrected"] is not None and each["p_corrected"] <= alpha]
    if not differing:
        return None
    differing.sort(key=lambda each: each["p"] or 0.0)
    said = listed((_said(each, weighing, labels) for each in differing), _MOST, between="; ")
    total = counted(len(differing), "change differs", "changes differ")
    text = f"{total} between hosts: {said}. Judge each host by itself with --by variant --within host."
    return Note("hosts-disagree", text)


def _said(each: _native.Interaction, weighing: _native.Weighing, labels: Sequence[str]) -> str:
    names = [each["benchmark"], each["metric"]]
    if labels[2:]:
        names.insert(1, each["contender"])
    changes = [
        f"{weighing.row_dict(row)['group'].removeprefix(f'{HOST}: ')} {shown(weighing.cell(row, 'change'))}"
        for row in each["rows"]
    ]
    return f"{' '.join(map(shown, names))} ({', '.join(changes)})"
