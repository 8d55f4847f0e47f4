"""The noise floors of a self-test as lines of a settings file."""

from __future__ import annotations

import json
import math
from glob import escape

from statera.errors import Stop
from statera.typed import TYPE_CHECKING
from statera.wording import conjoined, counted

if TYPE_CHECKING:
    from statera.results.inspection import Inspection

# A floor of 3.14159 % is written as 3.15 %: rounded up, so that it still covers the noise.
_DIGITS = 10_000


def text(inspection: Inspection) -> str:
    """Write ``margin = "noise"`` and a table of the noise floor of each metric; Stop if none can be measured."""
    tested = inspection.self_test
    if tested is None:
        raise LookupError("the inspection has no self-test")
    if not tested.advises:
        raise Stop(
            "too-few-processes",
            f"the results state no more than {counted(tested.processes, 'process', 'processes')}, and a noise floor "
            "takes four or more: pass a file for each process, or a table with a column `process`",
        )
    floors: dict[str, float] = {}
    for metric in tested.metrics:
        if metric.rows and metric.floor is not None:
            floors[metric.metric] = max(floors.get(metric.metric, 0.0), metric.floor)
    if not floors:
        raise Stop("nothing-to-compare", "no metric has rows that vary, so there is no noise floor")
    labels = conjoined([json.dumps(label) for label in inspection.labels])
    head = f"# Measured by `statera inspect --aa` of {labels}: 95 % of the changes of one build are smaller."
    lines = [f'{json.dumps(escape(name))} = "{_percent(floor)}"' for name, floor in floors.items()]
    return "\n".join([head, 'margin = "noise"', "", "[noise]", *lines, ""])


def _percent(floor: float) -> str:
    return f"{100 * math.ceil(floor * _DIGITS) / _DIGITS:.6g}%"
