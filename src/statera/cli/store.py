"""``statera store``: keep runs under a name, list them, show and remove them."""

from __future__ import annotations

from pathlib import Path

from statera._native import printable
from statera.cli import arguments, inspect, output
from statera.cli.words import with_defaults
from statera.comparison.pairing.variants import label_arguments
from statera.reading.store import named, run_folder
from statera.support import stages
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.reading.store.named import Stored


def add(options: argparse.Namespace) -> None:
    """Store a copy of a run, or of result files."""
    paths = [Path(path) for path in options.paths]
    stages.enter("copying")
    stored = named.add(paths, options.name or _name(paths))
    arguments.say(f"statera: stored as {stored.name} in {stored.folder}")


def _name(paths: list[Path]) -> str:
    """Return the name of results that were given none: the levels of the run's factors, or the first file's name."""
    if len(paths) == 1 and run_folder.is_run(paths[0]):
        return named.name_of(run_folder.levels(run_folder.read(paths[0] / run_folder.NAME)))
    return named.name_of(label_arguments([(None, paths[0].resolve().name)])[0])


def list_runs(_: argparse.Namespace) -> None:
    """List the stored runs."""
    rows = [(each.name, str(len(each.runs)), _contents(each)) for each in named.every()]
    if not rows:
        arguments.say(f"statera: no run is stored in {named.store()}; statera store add PATH stores one")
        return
    rows.insert(0, ("name", "runs", "contents"))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = (f"{printable(name):{widths[0]}}  {runs:>{widths[1]}}  {printable(what)}" for name, runs, what in rows)
    output.write("\n".join(lines) + "\n", None)


def _contents(stored: Stored) -> str:
    """Describe the last run under a name."""
    run = stored.runs[-1]
    if not run_folder.is_run(run):
        return counted(sum(path.is_file() for path in run.rglob("*")), "file")
    try:
        held = run_folder.read(run / run_folder.NAME)
    except Stop as stop:
        return f"damaged ({stop.code})"
    return f"{', '.join(run_folder.variants(held))}; {held.created}"


def show(options: argparse.Namespace) -> int:
    """Inspect the runs under a name."""
    stored = named.wanted(options.name)
    label = stored.name.partition("/")[0]
    return inspect.inspect(with_defaults("inspect", paths=[f"{label}={stored.folder}"]))


def remove(options: argparse.Namespace) -> None:
    """Remove the runs under a name."""
    stored = named.wanted(options.name)
    named.remove(stored)
    arguments.say(f"statera: removed {stored.name} ({counted(len(stored.runs), 'run')})")
