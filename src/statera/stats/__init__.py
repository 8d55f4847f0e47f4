"""The statistical procedures of comparisons as functions, for plain sequences, arrays and tables.

A sample is a one-dimensional sequence of finite numbers in any unit: a list, an array, a column of a table. ``grid``
takes two-dimensional arrays with a sample in each row, ``batch`` the groups of a table. Estimates and intervals are in
the unit of the values, unless the function says otherwise. Results are frozen dataclasses (``statera.stats.results``);
a field that does not apply is None. A ``ValueError`` names the sample, the fault and the remedy. docs/stats has a page
for each procedure: its definition, when to use it, its source and an example.

>>> from statera import stats
>>> stats.mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]).p
0.007936507936507936

A procedure is in the module of what it takes: ``one_sample.py``, ``several_samples.py``, ``series.py``
(values in their order) and ``p_values.py`` (corrections, and the runs that tests need). ``calls.py`` hands samples to
the compiled part, which computes everything; ``results.py`` has the classes of results, and ``tables.py`` runs a
procedure on many groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statera._native import Table
    from statera.stats.one_sample import (
        anderson_darling,
        bandwidth,
        block_bootstrap,
        bootstrap,
        density,
        dip,
        geometric_mean,
        harrell_davis,
        mean,
        median,
        modes,
        moments,
        normality,
        quantile,
        quantiles,
        shapiro_wilk,
        trimmed_mean,
    )
    from statera.stats.p_values import adjust, detectable, least_runs, runs_for, westfall_young
    from statera.stats.series import (
        autocorrelation,
        change_points,
        drift,
        outliers,
        segments,
        timer_resolution,
        warm_up,
    )
    from statera.stats.several_samples import (
        brunner_munzel,
        friedman,
        hodges_lehmann,
        kruskal_wallis,
        mann_whitney,
        quade,
        shift_function,
        sign_test,
        signed_rank,
        tost,
        variance_components,
        welch,
    )
    from statera.stats.tables import batch, grid

__all__ = [
    "Table", "adjust", "anderson_darling", "autocorrelation", "bandwidth", "batch", "block_bootstrap", "bootstrap",
    "brunner_munzel", "change_points", "density", "detectable", "dip", "drift", "friedman", "geometric_mean", "grid",
    "harrell_davis", "hodges_lehmann", "kruskal_wallis", "least_runs", "mann_whitney", "mean", "median", "modes",
    "moments", "normality", "outliers", "quade", "quantile", "quantiles", "runs_for", "segments", "shapiro_wilk",
    "shift_function", "sign_test", "signed_rank", "timer_resolution", "tost", "trimmed_mean", "variance_components",
    "warm_up", "welch", "westfall_young",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import the procedures when one of them is first used: a comparison needs none."""
    if name not in __all__:
        raise AttributeError(f"module 'statera.stats' has no attribute {name!r}")
    from statera import _native  # noqa: PLC0415
    from statera.stats import tables  # noqa: PLC0415

    found = next(getattr(home, name) for home in (tables, *tables.MODULES, _native) if hasattr(home, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names."""
    return sorted([*globals(), *__all__])
