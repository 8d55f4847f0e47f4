"""The catalogue of every code that an output can show: what it means, why it exists, what to do.

There is one module per kind: words of the table, problems of reading, warnings on rows, verdicts with their reasons,
notes on the comparison, errors that end a command, marks of an experiment's rounds, the codes of
clusters, and those of folders of runs, of histories and of servers.
"""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.cluster import CLUSTER
from statera.verdicts.catalogue.columns import BELOW, COLUMNS
from statera.verdicts.catalogue.defects import DEFECTS
from statera.verdicts.catalogue.entry import Entry
from statera.verdicts.catalogue.errors import STOPS
from statera.verdicts.catalogue.experiments import EXPERIMENTS
from statera.verdicts.catalogue.histories import HISTORIES
from statera.verdicts.catalogue.machine import AFTER_A_RUN, MARKS, VERIFIED
from statera.verdicts.catalogue.notes import REMARKS
from statera.verdicts.catalogue.outcomes import OUTCOMES
from statera.verdicts.catalogue.problems import PROBLEMS
from statera.verdicts.catalogue.runs import RUNS
from statera.verdicts.catalogue.servers import SERVERS
from statera.verdicts.catalogue.warnings import RIDERS

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
