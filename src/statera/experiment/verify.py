"""``statera run --verify``: whether the worst differences of a finished run stand when they are measured anew.

The rows that got worse run again, alone, on cores of their own, with counters, and in builds at another path, whose
length moves the program's data in memory. What comes from other work, from layout or from chance does not come again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import GAINS, LOSSES
from statera.comparison.verdicts import Note
from statera.experiment import stopping
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.plan import Plan

MOST: Final = 3
"""So many rows are verified, the worst first."""
_REFUTED: Final = ("equivalent", *GAINS)

# Group, benchmark, metric and contender of a row.
_Names = tuple[str, str, str, str]


class Suspect(NamedTuple):
    """A row that got worse in the first run.

    Attributes:
        program: the plan's benchmark.
        group, benchmark, metric, contender: the row's names.
        change: its typical change with the interval, as the table shows it.

    """

    program: str
    group: str
    benchmark: str
    metric: str
    contender: str
    change: str

    @property
    def name(self) -> str:
        """Name the row in a sentence."""
        return ", ".join(_native.printable(each) for each in (self.benchmark, self.contender, self.metric))


def suspects(comparison: Comparison, plan: Plan, most: int = MOST) -> list[Suspect]:
    """Return the rows that got worse in typical value or tail, the worst first.

    Raises:
        Stop: there are none.

    """
    weighing = comparison.weighing
    rows = weighing.order(weighing.with_verdict([*LOSSES]), "effect", False)  # noqa: FBT003
    programs = stopping.programs(comparison)
    found: list[Suspect] = []
    for row in rows[:most]:
        fields = weighing.row_dict(row)
        group = comparison.arrangement.groups.index(fields["group"])
        names = programs[fields["benchmark"], group] & set(plan.benchmarks)
        found += [Suspect(name, *_names(fields), _change(weighing, row)) for name in sorted(names)[:1]]
    if not found:
        raise Stop("nothing-to-verify", "no row of this run is worse than the baseline, so there is nothing to verify")
    return found


def _change(weighing: _native.Weighing, row: int) -> str:
    verdict = weighing.row_dict(row)["verdict"]
    columns = ("tail",) if verdict == "tail-worse" else ("change", "interval")
    return " ".join(cell for cell in (weighing.cell(row, column) for column in columns) if cell)


def notes(found: Sequence[Suspect], comparison: Comparison, counts: Comparison | None = None) -> list[Note]:
    """Say of each row whether its difference stands in the new run, and what its instructions did.

    Args:
        found: the rows of the first run.
        comparison: the new run.
        counts: its counts of instructions, if there are any.

    """
    rows, counted = _rows(comparison), {} if counts is None else _rows(counts)
    return [_note(each, rows, counted) for each in found]


def _rows(comparison: Comparison) -> dict[_Names, tuple[str, str]]:
    """Return verdict and change of each row."""
    weighing = comparison.weighing
    rows = ((row, weighing.row_dict(row)) for row in range(len(weighing)))
    return {_names(fields): (fields["verdict"], _change(weighing, row)) for row, fields in rows}


def _names(fields: dict[str, Any]) -> _Names:
    return fields["group"], fields["benchmark"], fields["metric"], fields["contender"]


def _note(suspect: Suspect, rows: dict[_Names, tuple[str, str]], counted: dict[_Names, tuple[str, str]]) -> Note:
    names = (suspect.group, suspect.benchmark, suspect.metric, suspect.contender)
    if names not in rows:
        return Note("verify-undecided", f"{suspect.name}: was {suspect.change}, and has no values in the new run")
    verdict, now = rows[names]
    end = f"(was {suspect.change}){_instructions(suspect, counted)}"
    if verdict in LOSSES:
        return Note("verify-stands", f"{suspect.name} stands: {now} again {end}")
    if verdict in _REFUTED:
        return Note("verify-does-not-stand", f"{suspect.name} does not stand: {now} now {end}")
    return Note("verify-undecided", f"{suspect.name} is undecided: {now} now {end}")


def _instructions(suspect: Suspect, counted: dict[_Names, tuple[str, str]]) -> str:
    """Return what became of the instructions of a row, or of the program that printed its values."""
    for (_, benchmark, metric, contender), (_, change) in counted.items():
        if contender == suspect.contender and benchmark in {suspect.benchmark, suspect.program}:
            return f"; {metric}: {change or 'unchanged'}"
    return ""
