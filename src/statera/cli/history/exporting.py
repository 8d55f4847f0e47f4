"""``statera history export``: the history as a table for other tools."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli import output
from statera.cli.history import shared
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

_ENDINGS = (".parquet", ".csv")


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "export",
        help="write the history as a table",
        description="Write a row for each job and series: commit, machine, median, level, and the change that begins "
        "there. Write one file, or a folder by project and month that DuckDB and others read as one table. If "
        "you write again, unchanged files stay untouched.",
    )
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("-o", "--output", metavar="FILE", help="write to this file, .parquet or .csv")
    target.add_argument("--lake", metavar="DIR", help="write Parquet to DIR/project=NAME/month=YYYY-MM")
    output.add_raw_csv(parser)
    shared.add_analysis(parser)
    parser.set_defaults(run=_export)


def _export(options: argparse.Namespace) -> int:
    from statera._native import printable  # noqa: PLC0415 - --help does without
    from statera.history import export  # noqa: PLC0415

    ending = os.path.splitext(options.output or "")[1].lower()  # noqa: PTH122
    if options.output is not None and ending not in _ENDINGS:
        raise Stop("bad-option", f"-o {options.output}: the ending must be one of {', '.join(_ENDINGS)}")
    if options.raw_csv and ending != ".csv":
        raise Stop("bad-option", "--raw-csv only changes CSV; name a file .csv with -o")
    output.check(options.output)
    folder = output.folder(options.lake) if options.output is None else None
    opened, analysis = shared.analysed(options)
    if folder is None:
        written = export.write(options.output, analysis, opened.about.project, raw=options.raw_csv)
        common.say(f"statera: {printable(options.output)}: {counted(written.rows, 'row')}")
        return 0
    written = export.write_lake(folder, analysis, opened.about.project)
    removed = f", {counted(written.removed, 'file')} removed" if written.removed else ""
    files = f"{counted(written.files, 'file')}, {written.changed} of them written{removed}"
    common.say(f"statera: {printable(os.fspath(folder))}: {counted(written.rows, 'row')} in {files}")
    return 0
