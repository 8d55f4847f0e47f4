"""The formats that can be read, as the compiled readers know them."""

from __future__ import annotations

from typing import NamedTuple

from statera import _native


class Format(NamedTuple):
    """A format: the name that ``--format`` takes and what detection looks for."""

    name: str
    sign: str


def known() -> list[Format]:
    """List the formats that carry results."""
    return [Format(name, sign) for name, sign, has_results in _native.formats() if has_results]


# What formats with pairing keys of their own call them.
_BLOCKS = {"ledger-ops": "slot", "ledger-ops-json": "slot"}

# Harnesses whose values are means over many iterations, so that none says how long it took to measure.
_AVERAGED = {"go", "nanobench-json", "nanobench-csv", "bench_bitcoin"}


def values_are_times(formats: set[str]) -> bool:
    """Tell whether a time in these formats is how long its iteration took."""
    return not formats & _AVERAGED


def block_name(formats: set[str]) -> str:
    """Name the pairing key of these formats: ``slot``, or ``block`` where they share no word for it."""
    names = {_BLOCKS[name] for name in formats if name in _BLOCKS}
    return names.pop() if len(names) == 1 else "block"
