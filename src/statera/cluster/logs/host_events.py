"""What the reader stores of every host: its tables of events, the names of its files, its counts of lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from statera.cluster.logs.counts import Counts
from statera.cluster.logs.directories import directory_name
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

EVENTS = "events"
_OF_FILES = frozenset({"troubles", "changed"})


class Logged(NamedTuple):
    """A host's events on disk.

    Attributes:
        files: the names of its log files below the run directory.
        counts: the counts of its lines.
        tables: the Parquet files by table.
        mapping: the digest of the mapping by which they were read.

    """

    files: tuple[str, ...]
    counts: Counts
    tables: dict[str, Path]
    mapping: str


def logged_hosts(analysis: Path, hosts: Iterable[str]) -> dict[str, Logged]:
    """Find the stored events of the hosts of an analysed run; a host without logs has none.

    Raises:
        Stop: the records of a host cannot be read.

    """
    found = {}
    for host in hosts:
        directory = analysis / EVENTS / directory_name(host)
        try:
            record = json.loads((directory / "host.json").read_bytes())
            mapping = str(record["key"][1])
            files = tuple(name for name, *_ in record["key"][2])
            counts = Counts.of({key: value for key, value in record["counts"].items() if key not in _OF_FILES})
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise Stop("not-analysed", f"{directory}: cannot be read ({error}); analyse the run again") from None
        found[host] = Logged(files, counts, {table.stem: table for table in directory.glob("*.parquet")}, mapping)
    return found
