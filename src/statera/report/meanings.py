"""Meanings of metrics, by the names that harnesses give them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.observations import Metric

_LEDGER: Final = {
    "totalTime": "time to replay the block: header and body, mutator and garbage collector",
    "mut": "time of the mutator, that is, of the program itself",
    "gc": "time of the garbage collector",
    "majGcCount": "major collections during the block",
    "minGcCount": "minor collections during the block",
    "allocatedBytes": "memory allocated during the block",
    "mut_forecast": "mutator time to forecast the ledger view for the header",
    "mut_headerTick": "mutator time to advance the header state to the slot",
    "mut_headerApply": "mutator time to apply the header",
    "mut_blockTick": "mutator time to advance the ledger state to the slot",
    "mut_blockApply": "mutator time to apply the block's body",
}
_GO: Final = {
    "sec/op": "time of one operation, the mean over the iterations of a run",
    "B/op": "bytes allocated by one operation",
    "allocs/op": "allocations by one operation",
    "B/s": "bytes processed a second",
}
_SANDMARK: Final = {
    "time": "elapsed time of the program",
    "user_time": "processor time in the program",
    "sys_time": "processor time in the system for the program",
    "maxrss": "largest resident memory",
    "codesize": "size of the code",
    "max_latency": "longest pause",
    "mean_latency": "mean pause",
    "time elapsed": "elapsed time of the program",
}
_HYPERFINE: Final = {
    "time": "elapsed time of one run of the command",
    "memory": "largest resident memory of a run",
    "user (mean)": "mean processor time in the program",
    "system (mean)": "mean processor time in the system for the program",
}
_BY_FORMAT: Final = {
    "ledger-ops": _LEDGER,
    "ledger-ops-json": _LEDGER,
    "go": _GO,
    "hyperfine": _HYPERFINE,
    "sandmark": _SANDMARK,
    "sandmark-pausetimes": _SANDMARK,
    "sandmark-perfstat": _SANDMARK,
}
_BY_QUANTITY: Final = {
    "time": "a time",
    "bytes": "an amount of memory",
    "count": "a count",
    "throughput": "a rate",
}


def meaning(formats: Sequence[str], metric: Metric) -> str:
    """Return the meaning of a metric from its formats; else the kind of its quantity; empty if both are unknown."""
    for name in formats:
        if words := _BY_FORMAT.get(name, {}).get(metric.name):
            return words
    return _BY_QUANTITY.get(metric.quantity, "")
