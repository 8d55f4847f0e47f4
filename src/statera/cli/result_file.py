"""``--result``: the result file of a comparison, also of one that fails."""

from __future__ import annotations

from pathlib import Path

from statera.cli import output
from statera.comparison.verdicts.gate import examine, in_words
from statera.comparison.weighing.self_test import self_test
from statera.output.views import result
from statera.output.views.result import Ran
from statera.reading.store import run_folder
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts.gate import Gate
    from statera.comparison.weighing.self_test import SelfTest

_SPLITS: Final = 200


def failed(path: str, stop: Stop, arguments: Sequence[str]) -> None:
    """Write the reason why nothing can be compared to the result file."""
    output.write(result.failed(stop, _ran(arguments)), path)


def write(path: str, comparison: Comparison, gate: Gate | None, arguments: Sequence[str]) -> None:
    """Write the result file of a comparison."""
    gated = None
    if gate is not None:
        # Each host of a run too, where they disagree.
        each = [examine(gate, of) for of in (comparison, comparison.apart) if of is not None]
        deciding = next(filter(lambda found: found.code, each), each[0])
        gated = result.Gated(in_words(gate), len(deciding.failing) + len(deciding.suites), deciding.refusal_code)
    noise = _noise(comparison)
    output.write(result.document(comparison, gated, noise, _ran(arguments)), path)


def _ran(arguments: Sequence[str]) -> Ran | None:
    """Return the run that the only argument names; None if it is of other results."""
    folder = Path(arguments[0])
    if len(arguments) != 1 or not run_folder.is_run(folder):
        return None
    try:
        return Ran(run_folder.read(folder / run_folder.NAME), run_folder.replay(folder))
    except Stop:
        return None


def _noise(comparison: Comparison) -> SelfTest | None:
    """Compare the baseline with itself; None if it is paired by keys that it lacks."""
    arrangement = comparison.arrangement
    of = arrangement.assignment
    baseline = of._replace(
        variant_of_context=[0 if variant == 0 else None for variant in of.variant_of_context],
        variants=1,
        pairs=[],
        files_are_runs=of.files_are_runs[:1],
    )
    named = {"labels": comparison.labels[:1], "groups": arrangement.groups}
    try:
        return self_test(comparison.observations, baseline, comparison.policy, _SPLITS, **named)
    except Stop:
        return None
