"""Runs as observations: means of hosts, blocks and stretches of time, and how many samples each is the mean of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import observations
from statera.cluster.configuration import configuration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statera.cluster.compare import Variant
    from statera.cluster.metrics import Metric
    from statera.cluster.samples import Analysed
    from statera.settings import Limits

BENCHMARK: Final = "cluster"
WORDS: Final = observations.Words("metric", "run", "runs", "host")


def observed(
    variants: Sequence[Variant], metrics: Sequence[Metric], by: Sequence[str], limits: Limits
) -> observations.Observations:
    """Give the values of every run; a run is a source, an argument and a process of its own.

    Args:
        variants: as they were given.
        metrics: what is taken of them.
        by: the keys whose values are the variants, where labels are not.
        limits: how much there may be.

    """
    runs = [(variant.label, run) for variant in variants for run in variant.runs]
    columns = observations.Columns(
        [(str(run.summary.get("run") or label), number) for number, (label, run) in enumerate(runs)],
        list(enumerate(_configurations(runs, by))),
        [BENCHMARK],
        [_described(metric) for metric in metrics],
        [], [], [], [], [], [], [], [],
    )  # fmt: skip
    blocks: dict[str, int] = {}
    for number, (_, run) in enumerate(runs):
        for place, metric in enumerate(metrics):
            for block, mean, samples in values(run, metric):
                columns.benchmark.append(0)
                columns.metric.append(place)
                columns.context.append(number)
                columns.value.append(mean)
                columns.weight.append(samples)
                columns.block.append(None if block is None else blocks.setdefault(block, len(blocks)))
                columns.process.append(number)
    columns.blocks.extend(blocks)
    return observations.of_columns(columns, limits, WORDS)


def values(run: Analysed, metric: Metric) -> Iterator[tuple[str | None, float, int]]:
    """Give the values of a metric in their order: host or None, mean, number of samples.

    What belongs to hosts is paired by them. Of a single host, and of what all hosts report alike, the course over time
    is what tells how sure a mean is.
    """
    if metric.paired and not run.times.get(metric.key):
        # What all hosts report alike is no more sure for being reported by many.
        hosts = {} if metric.common else run.hosts.get(metric.key, {})
        yield from ((host, *mean) for host, mean in hosts.items())
    else:
        series = run.times[metric.key] if metric.paired else run.series[metric.key]
        yield from ((None, total / number, number) for total, number in series)


def _described(metric: Metric) -> tuple[str, str, str, str | None, bool]:
    # A share of a core is a time of the core in a time.
    rate = metric.unit == "%" or metric.unit.endswith("/s")
    quantity = "time" if metric.unit == "s" else "throughput" if rate else "other"
    return metric.key, metric.unit, quantity, None if metric.better == "none" else metric.better, True


def _configurations(runs: Sequence[tuple[str, Analysed]], by: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Give the keys of each run, without those in which runs of one side differ: these are one configuration."""
    every = [configuration(run.summary) for _, run in runs]
    sides = [
        tuple(stated.get(key, "") for key in by) or (label,) for (label, _), stated in zip(runs, every, strict=True)
    ]
    names = dict.fromkeys(key for stated in every for key in stated)
    kept = {key for key in names if key in by or _settled(key, sides, every)}
    # Of an unknown key the message names those that there are.
    known = kept if set(by) <= set(names) else set(names)
    return [[(key, value) for key, value in stated.items() if key in known] for stated in every]


def _settled(key: str, sides: Iterable[tuple[str, ...]], every: Iterable[dict[str, str]]) -> bool:
    """Tell whether all runs of a side state the same."""
    of: dict[tuple[str, ...], str] = {}
    return all(
        of.setdefault(side, stated.get(key, "")) == stated.get(key, "")
        for side, stated in zip(sides, every, strict=True)
    )
