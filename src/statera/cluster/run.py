"""A run of a chain: the logs of its hosts, and its description."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statera.cluster import description
from statera.cluster.logs.host_logs import Logs, check, find
from statera.cluster.logs.log_files import MOST_FILES

if TYPE_CHECKING:
    from pathlib import Path

    from statera.cluster.description import Timing
    from statera.support.errors import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Logs):
    """A run of a chain, with the description in its own files.

    Attributes:
        timing: the start of the system and the lengths of slots and epochs.
        facts: identifier, batch, profile, era, ghcVersion, analysisDate, systemStart (as written), securityParam,
                activeSlotsCoeff, maxBlockBodySize; null if the description has none.
            components: for each of ``COMPONENTS`` its ``version`` and ``commit``, null if unknown.
            workload: for each of ``WORKLOAD`` its value, null if unknown.
            filters: the filters as written (conditions or names); null if the description has none.

    """

    timing: Timing
    facts: dict[str, Any]
    components: dict[str, dict[str, Any]]
    workload: dict[str, Any]
    filters: list[Any] | None


def open_run(path: Path, most_files: int = MOST_FILES) -> Run:
    """Find the logs and the description of a run of a chain in its directory.

    Raises:
        Stop: the directory does not exist, has no usable description, no host, or more files than ``most_files``.

    """
    check(path)
    warnings: list[Problem] = []
    described = description.described(path, warnings)
    logs = find(path, described, warnings, most_files)
    return Run(
        path=path,
        hosts=logs.hosts,
        files=logs.files,
        ignored=logs.ignored,
        warnings=logs.warnings,
        timing=description.timing(path, described),
        facts=description.facts(path, described),
        components=description.components(described),
        workload=description.workload(described),
        filters=description.filters(path, described),
    )
