"""The statistical procedures of comparisons as functions, for plain sequences, arrays and tables.

A sample is a one-dimensional sequence of finite numbers in any unit: a list, an array, a column of a table. ``grid``
takes two-dimensional arrays with a sample in each row, ``batch`` the groups of a table. Estimates and intervals are in
the unit of the values, unless the function says otherwise. Results are frozen dataclasses (``statera.stats.results``);
a field that does not apply is None. A ``ValueError`` names the sample, the fault and the remedy. docs/stats has a page
for each procedure: its definition, when to use it, its source and an example.

>>> from statera import stats
>>> stats.mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]).p
0.007936507936507936
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statera._native import Table
    from statera.stats.procedures.adjust import adjust, westfall_young
    from statera.stats.procedures.bootstrap import block_bootstrap, bootstrap
    from statera.stats.procedures.brunner_munzel import brunner_munzel
    from statera.stats.procedures.centre import geometric_mean, mean, median, trimmed_mean
    from statera.stats.procedures.change_points import change_points
    from statera.stats.procedures.density import bandwidth, density
    from statera.stats.procedures.friedman import friedman
    from statera.stats.procedures.hodges_lehmann import hodges_lehmann
    from statera.stats.procedures.kruskal_wallis import kruskal_wallis
    from statera.stats.procedures.mann_whitney import mann_whitney
    from statera.stats.procedures.normality import anderson_darling, normality, shapiro_wilk
    from statera.stats.procedures.order import (
        autocorrelation,
        drift,
        outliers,
        segments,
        timer_resolution,
        warm_up,
    )
    from statera.stats.procedures.power import detectable, least_runs, runs_for
    from statera.stats.procedures.quade import quade
    from statera.stats.procedures.quantiles import harrell_davis, quantile, quantiles
    from statera.stats.procedures.shape import dip, modes, moments
    from statera.stats.procedures.shift_function import shift_function
    from statera.stats.procedures.sign_test import sign_test
    from statera.stats.procedures.signed_rank import signed_rank
    from statera.stats.procedures.tost import tost
    from statera.stats.procedures.variance_components import variance_components
    from statera.stats.procedures.welch import welch
    from statera.stats.tables import batch, grid

# The module of each name, imported on first use: a comparison needs none of them.
_HOMES = {
    "adjust": "procedures.adjust",
    "anderson_darling": "procedures.normality",
    "autocorrelation": "procedures.order",
    "bandwidth": "procedures.density",
    "batch": "tables",
    "block_bootstrap": "procedures.bootstrap",
    "bootstrap": "procedures.bootstrap",
    "brunner_munzel": "procedures.brunner_munzel",
    "change_points": "procedures.change_points",
    "density": "procedures.density",
    "detectable": "procedures.power",
    "dip": "procedures.shape",
    "drift": "procedures.order",
    "friedman": "procedures.friedman",
    "geometric_mean": "procedures.centre",
    "grid": "tables",
    "harrell_davis": "procedures.quantiles",
    "hodges_lehmann": "procedures.hodges_lehmann",
    "kruskal_wallis": "procedures.kruskal_wallis",
    "least_runs": "procedures.power",
    "mann_whitney": "procedures.mann_whitney",
    "mean": "procedures.centre",
    "median": "procedures.centre",
    "modes": "procedures.shape",
    "moments": "procedures.shape",
    "normality": "procedures.normality",
    "outliers": "procedures.order",
    "quade": "procedures.quade",
    "quantile": "procedures.quantiles",
    "quantiles": "procedures.quantiles",
    "runs_for": "procedures.power",
    "segments": "procedures.order",
    "shapiro_wilk": "procedures.normality",
    "shift_function": "procedures.shift_function",
    "sign_test": "procedures.sign_test",
    "signed_rank": "procedures.signed_rank",
    "timer_resolution": "procedures.order",
    "tost": "procedures.tost",
    "trimmed_mean": "procedures.centre",
    "variance_components": "procedures.variance_components",
    "warm_up": "procedures.order",
    "welch": "procedures.welch",
    "westfall_young": "procedures.adjust",
}

__all__ = [
    "Table",
    "adjust",
    "anderson_darling",
    "autocorrelation",
    "bandwidth",
    "batch",
    "block_bootstrap",
    "bootstrap",
    "brunner_munzel",
    "change_points",
    "density",
    "detectable",
    "dip",
    "drift",
    "friedman",
    "geometric_mean",
    "grid",
    "harrell_davis",
    "hodges_lehmann",
    "kruskal_wallis",
    "least_runs",
    "mann_whitney",
    "mean",
    "median",
    "modes",
    "moments",
    "normality",
    "outliers",
    "quade",
    "quantile",
    "quantiles",
    "runs_for",
    "segments",
    "shapiro_wilk",
    "shift_function",
    "sign_test",
    "signed_rank",
    "timer_resolution",
    "tost",
    "trimmed_mean",
    "variance_components",
    "warm_up",
    "welch",
    "westfall_young",
]


def __getattr__(name: str) -> object:
    """Import a procedure on first use."""
    if name == "Table":
        from statera._native import Table  # noqa: PLC0415

        return Table
    if name not in _HOMES:
        raise AttributeError(f"module 'statera.stats' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    found = getattr(import_module(f"statera.stats.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names."""
    return sorted([*globals(), *__all__])
