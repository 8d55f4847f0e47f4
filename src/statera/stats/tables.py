"""Runs a procedure on many groups on all cores: groups are rows of arrays, or groups of rows of a table."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.stats import one_sample, p_values, series, several_samples
from statera.stats.calls import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

MODULES: Final = (one_sample, several_samples, series, p_values)


def grid(procedure: str | Callable[..., object], *samples: object, **options: object) -> _native.Table:
    """Run a procedure on each row of two-dimensional arrays; row i of every array is a sample of group i.

    Args:
        procedure: a function of statera.stats, or its name.
        samples: arrays of 64-bit floats, one per sample of the procedure.
        options: the options of the procedure.

    Raises:
        ValueError: the arrays differ in their numbers of rows, a value is not finite, or the procedure does not have
            an option.
    """
    name, settings = _asked(procedure, options)
    named = [(f"sample {number}", rows(values, f"sample {number}")) for number, values in enumerate(samples, 1)]
    return _native.grid(name, named, settings)


def batch(
    procedure: str | Callable[..., object],
    table: object,
    value: str,
    *,
    by: str | Sequence[str],
    sample: str | None = None,
    samples: Sequence[object] = (),
    **options: object,
) -> _native.Table:
    """Run a procedure on each group of the rows of a table.

    Rows with equal values in every column of ``by`` are a group, in any order; a null is a key like any other. Groups
    are returned in the order of their first appearance. The order of the rows of each sample defines pairs and blocks.

    Args:
        procedure: a function of statera.stats, or its name.
        table: anything that exports Arrow (a polars, pyarrow or pandas table, a DuckDB relation), or a mapping from
            names to columns: Arrow columns, arrays, or sequences of numbers or texts.
        value: the column of values.
        by: the column or columns whose values identify a group.
        sample: the column that names the sample of a value; for variance_components the run within its group.
        samples: the names of samples, the baseline first; by default in the order of their first appearance.
        options: the options of the procedure.

    Returns:
        A table that exports Arrow: the columns of ``by``, then those of the result, a row per group. ``table["p"]`` is
        one column: a memoryview of floats (NaN for None), or a list of texts.

    Raises:
        ValueError: a column is missing, a value is null or not finite, a sample is not in ``samples`` or sizes do not
            match, or the procedure does not have an option.
    """
    name, settings = _asked(procedure, options)
    keys = [by] if isinstance(by, str) else list(by)
    needed = [value, *keys, *([] if sample is None else [sample])]
    given = _columns(table, needed) if hasattr(table, "keys") and not hasattr(table, "__arrow_c_stream__") else table
    return _native.batch(name, given, value, keys, sample, [_label(label) for label in samples], settings)


def _label(label: object) -> str:
    """Write a label as the compiled part does: numbers as floats, booleans in lower case."""
    if isinstance(label, bool):
        return str(label).lower()
    return str(label)


def _asked(procedure: str | Callable[..., object], options: dict[str, object]) -> tuple[str, dict[str, object]]:
    """Return the name of a procedure, and its options with the defaults of its call."""
    name = procedure if isinstance(procedure, str) else procedure.__name__
    if name not in _native.procedure_names():
        known = ", ".join(_native.procedure_names())
        raise ValueError(f"{name} does not run on many groups; these procedures do: {known}")
    function: Any = next(getattr(module, name) for module in MODULES if hasattr(module, name))
    code = function.__code__
    known = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    for option in options:
        if option not in known:
            there = f"has {', '.join(known)}" if known else "has none"
            raise ValueError(f"{name} has no option {option}; it {there}")
    return name, {**(function.__kwdefaults__ or {}), **options}


def _columns(table: Any, needed: Iterable[str]) -> Mapping[str, object]:
    missing = [name for name in needed if name not in table]
    if missing:
        raise ValueError(f"there is no column {missing[0]!r}; the columns are {', '.join(map(repr, table.keys()))}")
    return {name: _column(table[name], name) for name in dict.fromkeys(needed)}


def _column(values: Any, name: str) -> object:
    """Convert a column for the compiled part."""
    if hasattr(values, "__arrow_c_array__"):
        return values
    if hasattr(values, "combine_chunks"):
        return values.combine_chunks()
    if hasattr(values, "to_frame"):
        return values.to_frame(name=name)
    try:
        view = memoryview(values)
    except (TypeError, ValueError, BufferError):
        return list(values)
    if view.ndim != 1:
        raise ValueError(f"column {name!r} has {view.ndim} dimensions, and a column has one")
    if view.format == "d":
        return values
    return array("d", values) if view.format in {"f", "e"} else list(values)
