"""Section on reproduction: the command, the versions, the runs, and the attached files."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.analysis import BLOCKS, SUMMARY
from statera.cluster.logs.host_events import logged_hosts
from statera.cluster.report.chain import HOSTS_FILE
from statera.cluster.report.material import runs
from statera.cluster.report.wording import count, shown
from statera.cluster.views import text
from statera.output.report.material import versions
from statera.output.report.model import Attachment, Cell, Code, Column, Heading, Prose, Section, Table
from statera.support.files import csv_json
from statera.support.files.names import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.report.material import Material, One
    from statera.output.report.model import Block

# Tables of blocks up to this total size are attached, so that the report can still be sent by mail.
_MOST_BYTES: Final = 3_000_000
_OTHER: Final = re.compile("[^A-Za-z0-9._-]+")
_NAME: Final = 40

TITLE: Final = "8 Reproduction"


def section(material: Material) -> Section:
    """Build the section: how to make this report again."""
    blocks: list[Block] = []
    if material.command:
        blocks += [Prose(("The command of this report:",)), Code(_native.printable(material.command))]
    rows = tuple((Cell(name), Cell(_native.printable(value))) for name, value in [*versions(), *_engine()])
    blocks.append(Table("Versions", (Column("what"), Column("version")), rows))
    each = list(runs(material))
    blocks += [_runs(each), Heading("Files of this report"), *_attachments(material, each)]
    return Section("reproduction", TITLE, tuple(blocks))


def _engine() -> list[tuple[str, str]]:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - only where it is asked for

    try:
        return [("duckdb", version("duckdb"))]
    except PackageNotFoundError:
        return []


def _runs(each: Sequence[One]) -> Table:
    rows = []
    for one in each:
        hosts = logged_hosts(one.run.path, one.summary["hosts"])
        digest = hashlib.sha256((one.run.path / SUMMARY).read_bytes()).hexdigest()
        rows.append(
            (
                Cell(shown(one.name)),
                Cell(_native.printable(as_text(str(one.path)))),
                count(sum(len(host.files) for host in hosts.values())),
                count(sum(host["lines"] for host in one.summary["hosts"].values())),
                Cell(shown("; ".join(one.summary.get("filters") or ()) or "none")),
                Cell(digest),
            )
        )
    heads = (
        Column("run"), Column("directory"), Column("log files", numeric=True), Column("lines", numeric=True),
        Column("filters"), Column("SHA-256 of summary.json"),
    )  # fmt: skip
    note = "The same logs, filters and version of statera result in the same bytes of summary.json."
    return Table("Runs", heads, tuple(rows), (note,))


def _attachments(material: Material, each: Sequence[One]) -> Iterator[Block]:
    if material.compares:
        yield _file("comparison.csv", text.comma(material.comparison), "every row of the tables, numbers in full")
        yield _file("comparison.json", text.json(material.comparison), "the same, with the manifests")
    for number, one in enumerate(each, 1):
        summary = (one.run.path / SUMMARY).read_text(encoding="utf-8")
        yield _file(f"summary-{_slug(number, one)}.json", summary, f"everything that was measured of {shown(one.name)}")
    yield _file(HOSTS_FILE, _hosts(each), "lines, slots, blocks and log files of every host")
    room = _MOST_BYTES
    for number, one in enumerate(each, 1):
        path = one.run.path / BLOCKS
        size = path.stat().st_size if path.is_file() else 0
        room -= size
        if room < 0:
            yield Prose((f"{BLOCKS} of {shown(one.name)} is too large to be attached.",))
        elif size:
            blocks = path.read_text(encoding="utf-8", errors="replace")
            yield _file(
                f"blocks-{_slug(number, one)}.csv", blocks, f"the main chain of {shown(one.name)}, block by block"
            )


def _slug(number: int, one: One) -> str:
    """Return a safe part of a file name from the name of a run."""
    plain = _OTHER.sub("-", one.name)[:_NAME].strip(".-")
    return f"{number}-{plain}" if plain else str(number)


def _file(name: str, content: str, what: str) -> Attachment:
    kind = "application/json" if name.endswith(".json") else "text/csv"
    return Attachment(name, content.encode(errors="replace"), kind, what)


def _hosts(each: Sequence[One]) -> str:
    rows: list[tuple[object, ...]] = []
    for one in each:
        logged = logged_hosts(one.run.path, one.summary["hosts"])
        for host, counts in one.summary["hosts"].items():
            files = "; ".join(logged[host].files) if host in logged else ""
            rows = rows or [("run", "host", *counts, "files")]
            rows.append((one.name, host, *counts.values(), files))
    return csv_json.comma_separated(rows)
