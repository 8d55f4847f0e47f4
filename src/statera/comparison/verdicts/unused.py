"""Patterns of a request that select nothing: a mistyped name must not look like a choice."""

from __future__ import annotations

from statera import _native
from statera.comparison.verdicts.notes import Note
from statera.support.patterns import matcher, nearest, selects, tidy_metric
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.pairing import Request
    from statera.reading.observations import Observations
    from statera.support.settings.provenance import Settings


def on_patterns(observations: Observations, request: Request, settings: Settings) -> list[Note]:
    """Name the patterns of benchmarks and metrics that none has, each with the nearest names.

    Those of a settings file are for all results of a project, and not looked at.
    """
    metrics = [metric.name for metric in observations.metrics]
    given = [("--metric", pattern) for pattern in request.metrics]
    if settings.file is None:
        given += [("--better", pattern) for pattern, _ in settings.policy.directions]
        given += [("--margin", pattern) for pattern, _ in settings.policy.margins]
    # There can be very many names.
    benchmarks = observations.benchmarks if request.benchmarks else []
    idle = [_note("--benchmark", each, benchmarks) for each in request.benchmarks if not selects(each, benchmarks)]
    return idle + [_note(option, each, metrics) for option, each in given if not _of_metric(each, metrics)]


def _of_metric(pattern: str, metrics: Sequence[str]) -> bool:
    bare = pattern.removeprefix("!")
    return any(map(matcher([bare, tidy_metric(bare)]), metrics))


def _note(option: str, pattern: str, names: Sequence[str]) -> Note:
    near = nearest(pattern.strip("!/*"), names)
    return Note("pattern-unused", f"{option} {_native.printable(pattern)} selects nothing; the nearest: {near}")
