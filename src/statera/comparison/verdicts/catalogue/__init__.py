"""The catalogue of every code that an output can show: what it means, why it exists, what to do.

There is one module per kind: words of the table, problems of reading, warnings on rows, verdicts with their reasons,
notes on the comparison, errors that end a command, marks of an experiment's rounds, the codes of
clusters, and those of folders of runs, of histories and of servers.
"""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.cluster import CLUSTER
from statera.comparison.verdicts.catalogue.comparisons import BELOW, BESIDE, COLUMNS, DEFECTS, OUTCOMES, REMARKS, RIDERS
from statera.comparison.verdicts.catalogue.entry import Entry
from statera.comparison.verdicts.catalogue.errors import PROBLEMS, STOPS
from statera.comparison.verdicts.catalogue.experiments import AFTER_A_RUN, EXPERIMENTS, MARKS, RUNS, VERIFIED
from statera.comparison.verdicts.catalogue.histories import HISTORIES, SERIES, SERVERS

__all__ = ["ALIASES", "CATALOGUE", "Entry"]

CATALOGUE: Final[dict[str, Entry]] = {
    **COLUMNS,
    **BESIDE,
    **BELOW,
    **OUTCOMES,
    **RIDERS,
    **DEFECTS,
    **REMARKS,
    **PROBLEMS,
    **STOPS,
    **MARKS,
    **AFTER_A_RUN,
    **VERIFIED,
    **CLUSTER,
    **RUNS,
    **EXPERIMENTS,
    **SERIES,
    **HISTORIES,
    **SERVERS,
}

ALIASES: Final[dict[str, str]] = {
    # The words of verdicts, which depend on what a metric measures.
    "slower": "worse",
    "faster": "better",
    **dict.fromkeys(("more", "less", "lower", "higher"), "verdicts"),
    "tail-slower": "tail-worse",
    "tail-faster": "tail-better",
    **dict.fromkeys(("tail-more", "tail-less", "tail-lower", "tail-higher"), "tail-worse"),
    **dict.fromkeys(("less-steady", "steadier", "spread-changed", "tail-changed"), "shape-changed"),
    **dict.fromkeys(("no-clear-change", "unclear-in-part"), "inconclusive"),
    "unchanged": "equivalent",
    "not-judged": "one-value",
    "gone": "missing",
    # The headings of tables.
    "old": "old-and-new",
    "change": "typical-change",
    "runs": "n",
    "±": "half-width",
    "shows": "detects",
    **dict.fromkeys(("b", "b/op", "allocs", "allocs/op"), "columns-of-metrics"),
    **dict.fromkeys(("from", "to", "size", "change-at", "may-begin"), "begins-at"),
    "what-changed": "alert",
    **dict.fromkeys(("jobs", "last-change"), "course"),
    **dict.fromkeys(("state", "acknowledged", "fixed", "wontfix", "expected", "below-margin"), "states"),
    **dict.fromkeys(("pair", "pairs", "round"), "block"),
    **dict.fromkeys(("quantiles", "band"), "shift-function"),
    **dict.fromkeys(("disturbed", "rounds-disturbed"), "rounds-marked"),
}
"""The words that tables show for codes and columns."""
