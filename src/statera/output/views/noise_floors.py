"""What a self-test measured of a build, as lines of a settings file: how sessions differ, and the noise floors."""

from __future__ import annotations

import json
import math
from glob import escape

from statera.comparison.verdicts.inspection import PAIR, percent_up, proposed_session, sessions_words
from statera.output.views import PLAIN
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import conjoined, counted

if TYPE_CHECKING:
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.weighing.self_test import SelfTest, Sessions
    from statera.output.views import Layout

# A floor of 3.14159 % is written as 3.15 %: rounded up, so that it still covers the noise.
_DIGITS = 10_000


def settings_file(inspection: Inspection, _: Layout = PLAIN) -> str:
    """Write ``session``, ``margin = "noise"`` and the noise floor of each metric; Stop if none can be measured."""
    tested = inspection.self_test
    if tested is None:
        raise LookupError("the inspection has no self-test")
    lines = _session(tested.sessions) if tested.sessions else []
    try:
        lines += _floors(tested, inspection.labels)
    except Stop as stop:
        if not lines:
            raise
        lines.append(f"# No noise floors: {stop}")
    return "\n".join([*lines, ""])


def _session(found: Sessions) -> list[str]:
    lines = [f"# {sessions_words(found)}", f"# The bound has {_degrees(found)}."]
    if not found.certain:
        lines.append("# The line keeps the default, unless the bound is smaller or the estimate larger.")
    return [*lines, f'session = "{percent_up(proposed_session(found))}"', ""]


def _degrees(found: Sessions) -> str:
    why = "each benchmark moves by itself"
    if found.together:
        why = "the benchmarks of a session move together"
    if found.sessions == PAIR:
        why = "two sessions cannot show that benchmarks move by themselves"
    return f"{counted(found.degrees, 'degree')} of freedom: {why}"


def _floors(tested: SelfTest, labels: list[str]) -> list[str]:
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
    named = conjoined([json.dumps(label) for label in labels])
    head = f"# Measured by `statera inspect --aa` of {named}: 95 % of the changes of one build are smaller."
    lines = [f'{json.dumps(escape(name))} = "{_percent(floor)}"' for name, floor in floors.items()]
    return [head, 'margin = "noise"', "", "[noise]", *lines]


def _percent(floor: float) -> str:
    return f"{100 * math.ceil(floor * _DIGITS) / _DIGITS:.6g}%"
