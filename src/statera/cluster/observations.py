"""Runs as observations: means of hosts, blocks and stretches of time, each with its number of samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.manifest import configuration
from statera.reading import observations

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from statera.cluster.metrics import Metric
    from statera.cluster.samples import Analysed
    from statera.support.settings import Limits


class Variant(NamedTuple):
    """One or several runs of one configuration."""

    label: str  # the name
    runs: tuple[Analysed, ...]  # the analysed runs
    paths: tuple[Path, ...] = ()  # the path of each run: its directory of logs or that of its analysis

    def run_name(self, run: int) -> str:
        """Return what a run is called: its path without folders, or the name that its summary states."""
        return self.paths[run].name if self.paths else str(self.runs[run].summary.get("run") or run + 1)


BENCHMARK: Final = "cluster"
MEAN: Final = ""
PERCENTILES: Final = {"p50": "0.5", "p95": "0.95", "p99": "0.99"}
"""The percentiles that are compared across runs, each with its level as the summary writes it."""
WORDS: Final = observations.Words("metric", "run", "runs", "host")


def observed(
    variants: Sequence[Variant],
    metrics: Sequence[Metric],
    by: Sequence[str],
    limits: Limits,
    percentiles: Collection[tuple[str, str]] = (),
) -> observations.Observations:
    """Return the values of every run; each run is a source, an argument and a process of its own.

    With ``percentiles`` it is these instead of the means, each a benchmark of its own.

    Args:
        variants: the variants by label.
        metrics: the metrics to take.
        by: the configuration keys whose values make the variants; the labels make them if it is empty.
        limits: the limits on the number of values and names.
        percentiles: the percentiles to take instead of the means, each as the key of its metric and its name.

    """
    runs = [(variant.label, run) for variant in variants for run in variant.runs]
    columns = observations.Columns(
        [(str(run.summary.get("run") or label), number) for number, (label, run) in enumerate(runs)],
        list(enumerate(_configurations(runs, by))),
        [BENCHMARK, *(f"{BENCHMARK}/{percentile}" for percentile in PERCENTILES)],
        [
            (metric.key, metric.unit, quantity(metric), None if metric.better == "none" else metric.better, True)
            for metric in metrics
        ],
        [], [], [], [], [], [], [], [],
    )  # fmt: skip
    blocks: dict[str, int] = {}
    for number, (_, run) in enumerate(runs):
        for place, metric in enumerate(metrics):
            found = [] if percentiles else [(0, *value) for value in values(run, metric)]
            for benchmark, percentile in enumerate(PERCENTILES, 1):
                whole = stated(run, metric, percentile) if (metric.key, percentile) in percentiles else None
                found += [] if whole is None else [(benchmark, None, whole, 1)]
            for benchmark, block, value, samples in found:
                columns.benchmark.append(benchmark)
                columns.metric.append(place)
                columns.context.append(number)
                columns.value.append(value)
                columns.weight.append(samples)
                columns.block.append(None if block is None else blocks.setdefault(block, len(blocks)))
                columns.process.append(number)
    columns.blocks.extend(blocks)
    return observations.of_columns(columns, limits, WORDS)


def stated(run: Analysed, metric: Metric, percentile: str = MEAN) -> float | None:
    """Return the mean or a percentile of all values of a run; None without values."""
    of = run.summary["metrics"][metric.key]
    found: float | None = of["mean"] if percentile == MEAN else (of["quantiles"] or {}).get(PERCENTILES[percentile])
    return found


def values(run: Analysed, metric: Metric) -> Iterator[tuple[str | None, float, int]]:
    """Yield the values of a metric in order: host or None, mean, number of samples.

    Values of hosts are paired by host. With a single host the values are means of stretches of time. A metric of the
    whole run has a single value.
    """
    if metric.of_run:
        whole = run.summary["metrics"][metric.key]
        if whole["mean"] is not None:
            yield None, whole["mean"], whole["n"]
    elif metric.paired and not run.times.get(metric.key):
        yield from ((host, *mean) for host, mean in run.hosts.get(metric.key, {}).items())
    else:
        series = run.times[metric.key] if metric.paired else run.series[metric.key]
        yield from ((None, total / number, number) for total, number in series)


def quantity(metric: Metric) -> str:
    """Return the dimension of a metric, as of ``statera.reading.observations.Metric``."""
    # A share of a core is CPU time per time: a rate.
    rate = metric.unit == "%" or metric.unit.endswith("/s")
    return "time" if metric.unit == "s" else "throughput" if rate else "other"


def _configurations(runs: Sequence[tuple[str, Analysed]], by: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return the keys of each run without those that differ within a side: a side is one configuration."""
    every = [configuration(run.summary) for _, run in runs]
    sides = [
        tuple(stated.get(key, "") for key in by) or (label,) for (label, _), stated in zip(runs, every, strict=True)
    ]
    names = dict.fromkeys(key for stated in every for key in stated)
    kept = {key for key in names if key in by or _settled(key, sides, every)}
    # The message about an unknown key lists all keys.
    known = kept if set(by) <= set(names) else set(names)
    return [[(key, value) for key, value in stated.items() if key in known] for stated in every]


def _settled(key: str, sides: Iterable[tuple[str, ...]], every: Iterable[dict[str, str]]) -> bool:
    """Check whether all runs of each side state the same value."""
    of: dict[tuple[str, ...], str] = {}
    return all(
        of.setdefault(side, stated.get(key, "")) == stated.get(key, "")
        for side, stated in zip(sides, every, strict=True)
    )
