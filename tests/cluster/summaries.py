"""The least summaries that analyses could have written."""

from statera.cluster.metrics import METRICS

_METRIC = {"n": 0, **dict.fromkeys(("mean", "median", "stddev", "min", "max", "quantiles"))}


def plain(**parts):
    """A summary of a run in which nothing was measured; ``parts`` replace its own."""
    return {
        "spec": 1,
        "run": "run",
        "manifest": {
            "machines": 0, "blocksAnalysed": 0, "blocksRejected": 0, "slotsAnalysed": None, "runTime": None,
            "components": {}, "workload": {},
        },
        "timing": {"slotLength": 1.0, "epochLength": 100},
        "metrics": {metric.key: dict(_METRIC) for metric in METRICS},
        "chain": {
            "length": 0, "base": None, "tip": None, "dropped": None, "unknownForger": 0, "missing": 0,
            "abandoned": [], "rejectedBy": {}, "duplicateForge": 0,
        },
        "observations": {},
        "hosts": {},
        "ignoredHosts": [],
        "filters": [],
        "warnings": [],
    } | parts  # fmt: skip


def pooled(*names):
    """A summary of runs together in which nothing was measured."""
    metrics = {metric.key: _METRIC | {"runs": {"coefficientOfVariation": None}} for metric in METRICS}
    return {"spec": 1, "runs": list(names), "manifest": {}, "metrics": metrics, "observations": {}, "warnings": []}
