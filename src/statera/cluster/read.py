"""From the logs of a run to its events on disk, one directory a host; what is there already is used again."""

from __future__ import annotations

import errno
import json
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.cluster import mapping as mappings
from statera.cluster.counts import Counts
from statera.cluster.places import directory_name, replace
from statera.cluster.run import Run, open_run
from statera.errors import Problem, Stop

if TYPE_CHECKING:
    from statera.cluster.layout import LogFile

# Raised whenever the same bytes would give other events.
_VERSION = 1


@dataclass(frozen=True, slots=True)
class HostEvents:
    """The events of a host.

    Every table has the columns ``host`` (text), ``event`` (text), ``at`` (ns since the Unix epoch), ``file`` (number
    in ``files``), ``line`` (counted from 1) and ``seq`` (reading order within the host), and those of the mapping.

    Attributes:
        host: its name.
        tables: for each table of the mapping its Parquet file; empty for a host without any log file.
        files: the names of its log files below the run directory.
        counts: what became of its lines.
        reused: whether the events were on disk already.

    """

    host: str
    tables: dict[str, Path]
    files: tuple[str, ...]
    counts: Counts
    reused: bool = False

    @property
    def live(self) -> bool:
        """Whether it has at least one log object."""
        return self.counts.emitted > 0


@dataclass(frozen=True, slots=True)
class RunEvents:
    """The events of a run.

    Attributes:
        run: its description.
        mapping: how its lines became events.
        hosts: the whole cluster, also hosts without logs, in the order of ``run.hosts``.
        warnings: of the run and of its hosts.

    """

    run: Run
    mapping: mappings.Mapping
    hosts: tuple[HostEvents, ...]
    warnings: tuple[Problem, ...]

    def tables(self, name: str) -> list[Path]:
        """Give the Parquet files of a table, one a host that has logs."""
        return [host.tables[name] for host in self.hosts if name in host.tables]


def read_run(path: Path, out: Path, mapping: str | Path = mappings.DEFAULT) -> RunEvents:
    """Read every host of a run, or find its events of an earlier time in ``out``/events/.

    Raises:
        Stop: the run has no usable description or host, or ``out`` cannot be written (a full disk).

    """
    raise NotImplementedError
