"""The appendix: the data dictionary, the manifest of the runs, and how to make the report again."""

from __future__ import annotations

import hashlib
import re
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.analysis import BLOCKS, SUMMARY
from statera.cluster.logs.events import logged_hosts
from statera.cluster.metrics import METRICS
from statera.cluster.observations import FILTERS
from statera.cluster.report.cells import count, shown
from statera.cluster.report.chain import HOSTS_FILE
from statera.cluster.report.material import runs
from statera.cluster.views import comparison
from statera.output.report.material import versions
from statera.output.report.model import Attachment, Cell, Code, Column, Heading, Prose, Section, Table
from statera.support.files import csv_json
from statera.support.files.names import as_text
from statera.support.wording import several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.metrics import Metric
    from statera.cluster.observations import Fact
    from statera.cluster.report.material import Material, ReportedRun
    from statera.output.report.model import Block


DICTIONARY: Final = "6 Data dictionary"
GROUPS = ("Block propagation metrics", "Cluster performance metrics")


def group(metric: Metric) -> str:
    """Return the group of a metric: the propagation of blocks, or the performance of the cluster."""
    of_blocks = metric.section in {"2.2", "2.3", "2.4", "2.5"} or metric.key.startswith("x")
    return GROUPS[0] if of_blocks else GROUPS[1]


def dictionary(material: Material) -> Section:
    """Build the section: every metric, by group and key."""
    del material
    lead = (
        "summary.json, the tables of the analysis and the attached files name a metric by its key. The column “one "
        "value per” shows what each value belongs to. Where logs lack data, there is no value."
    )
    blocks: list[Block] = [Prose((lead,))]
    for name in GROUPS:
        metrics = sorted((metric for metric in METRICS if group(metric) == name), key=lambda metric: metric.key)
        blocks += [Heading(name), _table(name, metrics)]
    return Section("dictionary", DICTIONARY, tuple(blocks))


def _table(name: str, metrics: Sequence[Metric]) -> Table:
    heads = tuple(Column(head) for head in ("metric (key)", "meaning", "unit", "one value per", "better"))
    rows = tuple(
        (
            Cell(f"{metric.title} ({metric.key})"),
            Cell(metric.meaning),
            Cell(metric.unit),
            Cell(metric.population),
            Cell({"lower": "lower", "higher": "higher"}.get(metric.better, "neither")),
        )
        for metric in metrics
    )
    return Table(name, heads, rows)


MANIFEST: Final = "7 Manifest"
# Section 2.7 shows the filters in full.
_LONGEST_FILTERS: Final = 40


def manifest(material: Material) -> Section:
    """Build the table of all rows; differences from the baseline are highlighted."""
    heads = [Column("of the run"), *(Column(shown(variant.label)) for variant in material.comparison.variants)]
    if material.compares:
        heads.append(Column("note"))
    notes = ["A dash means that the run does not state the value. Dates and times are in UTC."]
    if any(len(variant.runs) > 1 for variant in material.comparison.variants):
        notes.append("For several runs of one configuration the table shows every value, or the range of many counts.")
    table = Table(
        "Manifest",
        tuple(heads),
        tuple(_manifest_row(fact, compares=material.compares) for fact in material.manifest),
        (*notes,),
    )
    table = table.without_empty()
    said = [_difference(material)] if material.compares else []
    return Section("manifest", MANIFEST, (Prose((*said,)), table))


def _manifest_row(fact: Fact, *, compares: bool) -> tuple[Cell, ...]:
    cells = [
        Cell(
            shown(text) if fact.title != FILTERS else _native.shortened(shown(text), _LONGEST_FILTERS),
            tone="changed" if differs else "",
        )
        for text, differs in zip(fact.cells, fact.differs, strict=True)
    ]
    said = "differs" if any(fact.differs) else "not stated by all" if fact.partly else ""
    remark = [Cell(said)] if compares else []
    return (Cell(fact.title), *cells, *remark)


def _difference(material: Material) -> str:
    found = material.differing
    if not found:
        return "All versions, workloads, filters and machines that the runs state are the same."
    return f"The runs differ in: {several(found, most=len(found))}. Any of these may cause a change."


# Tables of blocks up to this total size are attached, so that the report can still be sent by mail.
_MOST_BYTES: Final = 3_000_000
_OTHER: Final = re.compile("[^A-Za-z0-9._-]+")
_NAME: Final = 40

REPRODUCTION: Final = "8 Reproduction"


def reproduction(material: Material) -> Section:
    """Build the section: how to make this report again."""
    blocks: list[Block] = []
    if material.command:
        blocks += [Prose(("The command of this report:",)), Code(_native.printable(material.command))]
    rows = tuple((Cell(name), Cell(_native.printable(value))) for name, value in [*versions(), *_engine()])
    blocks.append(Table("Versions", (Column("what"), Column("version")), rows))
    each = list(runs(material))
    blocks += [_runs_table(each), Heading("Files of this report"), *_attachments(material, each)]
    return Section("reproduction", REPRODUCTION, tuple(blocks))


def _engine() -> list[tuple[str, str]]:
    try:
        return [("duckdb", version("duckdb"))]
    except PackageNotFoundError:
        return []


def _runs_table(each: Sequence[ReportedRun]) -> Table:
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


def _attachments(material: Material, each: Sequence[ReportedRun]) -> Iterator[Block]:
    if material.compares:
        yield _file("comparison.csv", comparison.comma(material.comparison), "every row of the tables, numbers in full")
        yield _file("comparison.json", comparison.json(material.comparison), "the same, with the manifests")
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


def _slug(number: int, one: ReportedRun) -> str:
    """Return a safe part of a file name from the name of a run."""
    plain = _OTHER.sub("-", one.name)[:_NAME].strip(".-")
    return f"{number}-{plain}" if plain else str(number)


def _file(name: str, content: str, what: str) -> Attachment:
    kind = "application/json" if name.endswith(".json") else "text/csv"
    return Attachment(name, content.encode(errors="replace"), kind, what)


def _hosts(each: Sequence[ReportedRun]) -> str:
    rows: list[tuple[object, ...]] = []
    for one in each:
        logged = logged_hosts(one.run.path, one.summary["hosts"])
        for host, counts in one.summary["hosts"].items():
            files = "; ".join(logged[host].files) if host in logged else ""
            rows = rows or [("run", "host", *counts, "files")]
            rows.append((one.name, host, *counts.values(), files))
    return csv_json.comma_separated(rows)
