"""The medians and averages of the runs of a benchmark, and tests of their normality."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera import stats
from statera.output.plots.raw_values import samples as samples_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.output.plots.raw_values import Floats, Samples, Series, Source

MEDIANS, AVERAGES, VALUES = "medians of the runs", "averages of the runs", "values"
SHAPIRO_WILK, ANDERSON_DARLING = "W", "A²"
_LEAST = 3  # least number of values for a test of normality


class Shape(NamedTuple):
    """A sample with its test of normality.

    Attributes:
        series: the series of the values.
        of: ``MEDIANS``, ``AVERAGES`` or ``VALUES``.
        values: one value per run, or all values, in the metric's base unit and in the order of measurement.
        letter: the symbol of the statistic, ``W`` (Shapiro-Wilk) or ``A²`` (Anderson-Darling, above 5,000 values).
        statistic, p: the result of the test; None if there are too few values or all are equal.

    """

    series: Series
    of: str
    values: Floats
    letter: str
    statistic: float | None
    p: float | None


class Share(NamedTuple):
    """Counts of samples of one kind: tested, accepted as normal, and ``large`` (above 5,000 values)."""

    of: str
    tested: int
    normal: int
    large: int


def shapes(source: Source, metric: int | None = None) -> list[Shape]:
    """Return the samples of every series, or of one metric's.

    If runs are known and any has several values, a series yields two samples: the medians and the averages of its
    runs; otherwise one, its values.
    """
    samples = samples_of(source)
    wanted = [each for each in samples.series if metric is None or each.metric == metric]
    nested = [each for each in wanted if _has_runs(samples, each)]
    centres = {of: _of_runs(samples, nested, name) for of, name in ((MEDIANS, "median"), (AVERAGES, "mean"))}
    found: list[tuple[Series, str, Floats]] = []
    for series in wanted:
        if series in centres[MEDIANS]:
            found += [(series, of, centres[of][series]) for of in (MEDIANS, AVERAGES)]
        else:
            found.append((series, VALUES, samples.values(series)))
    return _tested(found)


def shares(shapes: Iterable[Shape], alpha: float) -> list[Share]:
    """Count the samples of each kind that are accepted as normal at ``alpha``."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    for each in shapes:
        if each.p is not None:
            found.setdefault(each.of, []).append((each.p >= alpha, each.letter != SHAPIRO_WILK))
    return [
        Share(of, len(each), sum(p for p, _ in each), sum(large for _, large in each)) for of, each in found.items()
    ]


def _has_runs(samples: Samples, series: Series) -> bool:
    """Return whether a series has several runs, some with several values, and every value belongs to a run."""
    run = samples.column("run", series)
    starts = len(set(run.tolist()))
    return starts > 1 and bool((run >= 0).all()) and starts < len(run)


def _of_runs(samples: Samples, nested: list[Series], procedure: str) -> dict[Series, Floats]:
    """Run a procedure on each run of each series; return its estimates in the order of the runs."""
    import numpy as np  # noqa: PLC0415 - optional

    if not nested:
        return {}
    table = {
        "value": np.concatenate([samples.values(each) for each in nested]),
        "series": np.repeat(np.arange(len(nested)), [each.stop - each.start for each in nested]),
        "run": np.concatenate([samples.column("run", each) for each in nested]),
    }
    found = stats.batch(procedure, table, "value", by=["series", "run"])
    numbers, estimates = np.asarray(found["series"]), np.asarray(found["estimate"])
    return {each: estimates[numbers == place] for place, each in enumerate(nested)}


def _tested(found: list[tuple[Series, str, Floats]]) -> list[Shape]:
    import numpy as np  # noqa: PLC0415

    fit = [place for place, (_, _, values) in enumerate(found) if len(values) >= _LEAST]
    tests: dict[int, tuple[str, float, float]] = {}
    if fit:
        table = {
            "value": np.concatenate([found[place][2] for place in fit]),
            "sample": np.repeat(fit, [len(found[place][2]) for place in fit]),
        }
        made = stats.batch("normality", table, "value", by="sample")
        columns = (made[name] for name in ("sample", "method", "statistic", "p"))
        tests = {place: (method, w, p) for place, method, w, p in zip(*columns, strict=True)}
    shapes = []
    for place, (series, of, values) in enumerate(found):
        method, statistic, p = tests.get(place, ("", float("nan"), float("nan")))
        letter = ANDERSON_DARLING if method == "anderson-darling" else SHAPIRO_WILK
        shapes.append(Shape(series, of, values, letter, _number(statistic), _number(p)))
    return shapes


def _number(value: float) -> float | None:
    return None if value != value else value  # noqa: PLR0124 - not a number
