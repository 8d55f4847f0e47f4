"""Runs as observations: means of hosts, blocks and stretches of time, each with its number of samples.

What was run, and the keys by which runs differ, come from their manifests.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.cluster.logs.events import instant
from statera.cluster.numbers import amount
from statera.cluster.run import COMPONENTS, WORKLOAD
from statera.reading import observations

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from statera.cluster.metrics import Metric
    from statera.cluster.samples import Analysed
    from statera.support.settings import Limits

_SET: Final = {"machines": "Machines", "filtersApplied": "Number of filters applied"}
_MEASURED: Final = {
    "logObjectsEmittedPerHost": "Log objects emitted per host",
    "logObjectsAnalysedPerHost": "Log objects analysed per host",
    "totalLogObjectsAnalysed": "Total log objects analysed",
    "hostRunTime": "Host run time, s",
    "hostLogLineRate": "Host log line rate, Hz",
    "runTime": "Run time, s",
    "analysedRunDuration": "Analysed run duration, s",
    "runTimeEfficiency": "Run time efficiency",
    "nodeStartSpread": "Node start spread, s",
    "nodeStopSpread": "Node stop spread, s",
    "slotsAnalysed": "Slots analysed",
    "blocksAnalysed": "Blocks analysed",
    "blocksRejected": "Blocks rejected",
}
_SHOWN_COMMIT: Final = 7
# If a configuration has more runs than these, only the smallest and the largest count are shown.
_LISTED: Final = 3
NONE: Final = "-"
FILTERS: Final = "Filters"


class Fact(NamedTuple):
    """A row of the manifest."""

    title: str  # the name of the fact
    cells: tuple[str, ...]  # for each variant the values that its runs state, all that occur
    chosen: bool  # whether it is a choice of the experimenter, so that compared runs should state the same value

    @property
    def differs(self) -> tuple[bool, ...]:
        """Return for each variant whether it states another value than the first; always False unless chosen."""
        return tuple(self.chosen and NONE not in {cell, self.cells[0]} and cell != self.cells[0] for cell in self.cells)

    @property
    def partly(self) -> bool:
        """Return whether some variants state the fact and others do not; False for facts that are not chosen."""
        return self.chosen and self.known and NONE in self.cells

    @property
    def known(self) -> bool:
        """Return whether any variant states the fact."""
        return any(cell != NONE for cell in self.cells)


def facts(variants: Sequence[Sequence[dict[str, Any]]], today: str = "") -> list[Fact]:
    """Return all rows of the summaries of each variant's runs; ``today`` dates an analysis that states no date."""
    return [
        Fact(title, tuple(_joined([value(one) for one in runs]) for runs in variants), chosen)
        for title, value, chosen in _rows(today)
    ]


def _rows(today: str) -> Iterable[tuple[str, Callable[[dict[str, Any]], object], bool]]:
    yield "Analysis date", lambda one: one["manifest"].get("analysisDate") or today or None, False
    yield "Cluster system start date", lambda one: start(one)[0], False
    yield "Cluster system start time", lambda one: start(one)[1], False
    for key, title in {"identifier": "Identifier", "runBatch": "Run batch"}.items():
        yield title, _value(key), False
    yield "Profile", _value("profile"), True
    yield "GHC version", _value("ghcVersion"), True
    for name in COMPONENTS:
        yield f"{name} version", _component(name, "version"), True
    for name in COMPONENTS:
        yield f"{name} git", _component(name, "commit"), True
    yield "Era", _value("era"), True
    for key, title in WORKLOAD.items():
        yield title, _value(key, "workload"), True
    yield FILTERS, lambda one: "; ".join(one.get("filters") or ()) or "none", True
    for key, title in _SET.items():
        yield title, _value(key), True
    for key, title in _MEASURED.items():
        yield title, _value(key), False


def _value(key: str, group: str = "") -> Callable[[dict[str, Any]], object]:
    def of(summary: dict[str, Any]) -> object:
        manifest = summary["manifest"]
        return ((manifest.get(group) or {}) if group else manifest).get(key)

    return of


def _component(name: str, key: str) -> Callable[[dict[str, Any]], object]:
    def of(summary: dict[str, Any]) -> object:
        value = ((summary["manifest"].get("components") or {}).get(name) or {}).get(key)
        return str(value)[:_SHOWN_COMMIT] if key == "commit" and value is not None else value

    return of


def start(summary: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return date and time of the system start, UTC; a text that is not a time is returned as the date."""
    stated = summary["manifest"].get("clusterSystemStart")
    at = _native.log_time(stated) if isinstance(stated, str) else None
    if at is None:
        return (None if stated is None else str(stated)), None
    day, _, time = instant(at).partition(" ")
    whole, _, rest = time.partition(".")
    rest = rest.rstrip("0")
    return day, f"{whole}.{rest}" if rest else whole


def _joined(values: Sequence[object]) -> str:
    known = [value for value in values if value is not None]
    numbers = [value for value in known if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = dict.fromkeys(map(_text, known))
    if len(texts) > 1 and len(numbers) == len(known):
        # Repeat equal numbers of several runs, so that no run looks missing.
        each = len(numbers) <= _LISTED
        return ", ".join(map(_text, numbers)) if each else f"{_text(min(numbers))} to {_text(max(numbers))}"
    return ", ".join(texts) or NONE


def _text(value: object) -> str:
    if isinstance(value, float):
        text = amount(value, 6)
        return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
    return _json_text(value)


def _json_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


_OF_MANIFEST: Final = ("identifier", "runBatch", "profile", "ghcVersion", "era", "machines")


def configuration(summary: dict[str, Any]) -> dict[str, str]:
    """Return the keys of a run's summary that have a value.

    ``cardano-node`` and other names of components are their versions, ``cardano-node.commit`` is a commit.
    """
    manifest = summary["manifest"]
    stated: dict[str, Any] = {key: manifest.get(key) for key in _OF_MANIFEST}
    stated |= manifest.get("workload") or {}
    for name, component in (manifest.get("components") or {}).items():
        stated |= {name: component.get("version"), f"{name}.commit": component.get("commit")}
    stated["filters"] = "; ".join(summary.get("filters") or ()) or None
    return {key: _json_text(value) for key, value in stated.items() if value is not None}


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

    ``by`` has the configuration keys whose values make the variants; if it is empty, the labels make them. With
    ``percentiles``, each as the key of its metric and its name, it is these instead of the means, each a benchmark of
    its own.
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
