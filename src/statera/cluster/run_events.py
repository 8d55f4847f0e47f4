"""The events of a run of a chain, read from the logs of its hosts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from statera.cluster.logs import mapping as mappings
from statera.cluster.logs.log_files import MOST_FILES
from statera.cluster.logs.read import Events, read_hosts, read_logs
from statera.cluster.run import open_run

if TYPE_CHECKING:
    from pathlib import Path

    from statera.cluster.logs.read import Reader
    from statera.cluster.run import Run


@dataclass(frozen=True, slots=True)
class RunEvents(Events):
    """The events of a run of a chain.

    Attributes:
        run: the run, with its description.

    """

    run: Run


def read_run(
    path: Path,
    out: Path,
    mapping: str | Path = mappings.DEFAULT,
    reader: Reader = read_hosts,
    most_files: int = MOST_FILES,
) -> RunEvents:
    """Read every host of a run, or use its events of an earlier analysis in ``out``/events/.

    Raises:
        Stop: the run has no usable description or host, or ``out`` cannot be written (a full disk).

    """
    plan = mappings.load(mapping)
    run = open_run(path, most_files)
    read = read_logs(run, out, plan, reader)
    return RunEvents(read.mapping, read.hosts, read.warnings, run)
