"""What the reader left on disk of every host: its tables of events, the names of its files, its counts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from statera.cluster.counts import Counts
from statera.errors import Stop

if TYPE_CHECKING:
    from pathlib import Path

EVENTS = "events"


class Logged(NamedTuple):
    """A host's events on disk.

    Attributes:
        files: the names of its log files below the run directory.
        counts: what became of its lines.
        tables: the Parquet files by table.

    """

    files: tuple[str, ...]
    counts: Counts
    tables: dict[str, Path]


def logged_hosts(analysis: Path) -> dict[str, Logged]:
    """Find the events of every host below an analysed run.

    Raises:
        Stop: they are not there.

    """
    found: dict[str, Logged] = {}
    try:
        for path in sorted((analysis / EVENTS).glob("*/host.json")):
            document = json.loads(path.read_bytes())
            tables = {table.stem: table for table in path.parent.glob("*.parquet")}
            found[document["host"]] = Logged(
                tuple(file["name"] for file in document["files"]), Counts.of(document["counts"]), tables
            )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Stop("not-analysed", f"{analysis / EVENTS}: cannot be read ({error}); analyse the run again") from None
    return found
