"""The catalogue of every code that an output can show: what it means, why it exists, what to do.

There is one module per kind: words of the table, problems of reading, warnings on rows, verdicts with their reasons,
notes on the comparison, errors that end a command, marks of an experiment's rounds, the codes of
clusters, and those of folders of runs, of histories and of servers.
"""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.cluster import CLUSTER
from statera.comparison.verdicts.catalogue.columns import BELOW, COLUMNS
from statera.comparison.verdicts.catalogue.defects import DEFECTS
from statera.comparison.verdicts.catalogue.entry import Entry
from statera.comparison.verdicts.catalogue.errors import STOPS
from statera.comparison.verdicts.catalogue.experiments import EXPERIMENTS
from statera.comparison.verdicts.catalogue.histories import HISTORIES
from statera.comparison.verdicts.catalogue.machine import AFTER_A_RUN, MARKS, VERIFIED
from statera.comparison.verdicts.catalogue.notes import REMARKS
from statera.comparison.verdicts.catalogue.outcomes import OUTCOMES
from statera.comparison.verdicts.catalogue.problems import PROBLEMS
from statera.comparison.verdicts.catalogue.runs import RUNS
from statera.comparison.verdicts.catalogue.servers import SERVERS
from statera.comparison.verdicts.catalogue.warnings import RIDERS

__all__ = ["CATALOGUE", "Entry"]

CATALOGUE: Final[dict[str, Entry]] = {
    **COLUMNS,
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
    **HISTORIES,
    **SERVERS,
}
