"""Names of events that a processor or the kernel counts, and what counts instructions where the processor does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statera.experiment import callgrind, check
from statera.experiment.launcher import COUNTERS
from statera.support.wording import listed, suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.experiment.host import System

# The executable that starts commands knows the same ones (`crates/runner/src/counters.rs`).
_GENERIC: Final = (
    *("cpu-cycles", "branch-instructions", "bus-cycles", "ref-cycles", "cpu-clock"),
    *("stalled-cycles-frontend", "stalled-cycles-backend", "alignment-faults", "emulation-faults"),
)
_GROUP: Final = "memory.peak"
"""The peak of a control group that holds the command and all that it starts, cached files included, in bytes."""
_CACHE: Final = r"(L1-dcache|L1-icache|LLC|dTLB|iTLB|branch|node)-(load|store|prefetch)(s|es|-misses)"
_RAW: Final = r"r[0-9a-fA-F]{1,16}"
_PATTERN: Final = re.compile(
    rf"(?:{'|'.join((*COUNTERS, *_GENERIC, _CACHE, _RAW))})(?::[uk]{{1,2}})?|{re.escape(_GROUP)}"
)
PATTERN: Final = rf"^({'|'.join((*COUNTERS, *_GENERIC, callgrind.NAME, _CACHE, _RAW))})(:[uk]{{1,2}})?$|^memory[.]peak$"
"""What a schema says of a name."""
WORDS: Final = (
    f"{', '.join((*COUNTERS, callgrind.NAME, _GROUP))}, or another name of perf such as L1-dcache-load-misses or r01c4"
)
# Every invocation records these anyway.
_RECORDED: Final = frozenset({"minor-faults", "major-faults", "faults", "cs", "migrations"})


def is_event(name: object) -> bool:
    """Return whether an event has this name; whether the machine counts it is another question."""
    return isinstance(name, str) and (name == callgrind.NAME or bool(_PATTERN.fullmatch(name)))


def unknown(name: str) -> str:
    """Say that no event has this name, and which are near."""
    if name in _RECORDED:
        return "every run records faults and switches anyway: --all-metrics shows them"
    known = (*COUNTERS, *_GENERIC, _GROUP, "L1-dcache-loads", "L1-dcache-load-misses", "LLC-loads", "LLC-load-misses")
    return f"no event has this name{suggestion(name, known) or f'; there are {WORDS}'}"


def possible(names: Sequence[str], system: System) -> tuple[tuple[str, ...], str]:
    """Return what is counted here, and a sentence if that is something else than was asked for.

    Where nobody may read the counters of the processor, callgrind counts instructions. Other events then have no count,
    and the reason stands in their place.
    """
    replaced = [name for name in names if name.partition(":")[0] == "instructions"]
    if not replaced or check.can_count(system) or callgrind.missing() is not None:
        return tuple(names), ""
    others = [name for name in names if name not in replaced and name != callgrind.NAME]
    words = f"this machine counts no {listed(replaced)}: callgrind counts instructions instead"
    return (*others, callgrind.NAME), words
