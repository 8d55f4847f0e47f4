"""The self-test of an experiment: the baseline runs a second time, as a variant of its own.

Whatever differs between the two comes from the machine, the order or the layout, and not from the program.
"""

from __future__ import annotations

from itertools import chain, count
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.codes import CHANGES
from statera.comparison.verdicts import Note
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.plan import Cell, Plan, Variant

_FEW: Final = 3


def with_self_test(plan: Plan) -> Plan:
    """Add the baseline a second time, as the last variant; a plan that has it already stays as it is."""
    if plan.self_test:
        return plan
    again = _again(plan.variants)
    cells: list[Cell] = []
    for number in range(len(plan.benchmarks)):
        own = [cell for cell in plan.cells if cell.benchmark == number]
        cells += own + [cell._replace(variant=len(plan.variants)) for cell in own if cell.variant == 0]
    return plan._replace(variants=(*plan.variants, again), cells=tuple(cells), self_test=True)


def again(plan: Plan) -> str | None:
    """Return the name of the baseline's second series if it runs beside other variants.

    A run need not wait until the baseline is shown to equal itself, which may take many more rounds than its question.
    """
    return plan.variants[-1].name if plan.self_test and plan.variants[2:] else None


def _again(variants: Sequence[Variant]) -> Variant:
    """Return the baseline under another name and another level of its first factor, so that no view pools the two."""
    baseline = variants[0]
    taken = {variant.name for variant in variants} | {level for variant in variants for _, level in variant.levels}
    (factor, level), *others = baseline.levels or [("", "")]
    words = chain([" (again)"], (f" (again {number})" for number in count(2)))
    word = next(word for word in words if not {baseline.name + word, level + word} & taken)
    levels = ((factor, level + word), *others) if baseline.levels else ()
    return baseline._replace(name=baseline.name + word, levels=levels)


def notes(comparison: Comparison, plan: Plan) -> list[Note]:
    """Say what the baseline against itself shows about the machine; nothing if the plan has no self-test."""
    if not plan.self_test:
        return []
    weighing, again = comparison.weighing, plan.variants[-1].name
    rows = [row for row in range(len(weighing)) if weighing.row_dict(row)["contender"] == again]
    judged = [row for row in rows if weighing.row_dict(row)["change"] is not None]
    if not judged:
        return []
    name = _native.printable(plan.variants[0].name)
    different = [row for row in judged if weighing.row_dict(row)["verdict"] in CHANGES]
    changes = _changes(weighing, different or judged)
    if not different:
        agrees = (
            f"{name} does not differ from itself in {counted(len(judged), 'comparison')}, as it should. The largest "
            "change:"
        )
        return [Note("self-test-agrees", f"{agrees} {next(changes)}.")]
    differs = f"{name} differs from itself in {counted(len(different), 'comparison')}: {listed(changes, _FEW)}"
    why = "Differences of this size between other builds may come from this machine, too."
    return [Note("self-test-differs", f"{differs}. {why}")]


def _changes(weighing: _native.Weighing, rows: list[int]) -> Iterator[str]:
    """Write the change of each row, the largest first."""
    for row in weighing.order(rows, "effect", changed=False):
        names = ", ".join(_native.printable(str(weighing.row_dict(row)[field])) for field in ("benchmark", "metric"))
        cells = weighing.cells(row, ("change", "interval"))
        yield f"{names} {' '.join(cell for cell in cells if cell)}"
