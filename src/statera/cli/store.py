"""``statera store``: keep runs under a name, list them, show and remove them."""

from __future__ import annotations

from pathlib import Path

from statera.cli import options as shared
from statera.cli import output
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.reading.store.named import Stored


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its verbs."""
    parser = verbs.add_parser(
        "store",
        help="keep runs under a name",
        description="Keep copies of runs and other results under a name. Wherever a verb takes a path, it takes such a "
        "name too: statera compare NAME NAME, statera inspect NAME. The folder is $STATERA_STORE, otherwise "
        "$XDG_DATA_HOME/statera/runs, otherwise ~/.local/share/statera/runs.",
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    adding = own.add_parser("add", help="store a copy of a run, or of result files")
    adding.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="the folder of a run, or result files")
    adding.add_argument(
        "--name", help="the name (the levels of the run's factors, or the name of the file); runs that have it stay"
    )
    adding.set_defaults(run=_add)
    own.add_parser("list", help="list the stored runs").set_defaults(run=_list)
    for verb, run, what in (
        ("show", _show, "show a summary of the runs under a name, as statera inspect does"),
        ("remove", _remove, "remove the runs under a name"),
    ):
        one = own.add_parser(verb, help=what)
        one.add_argument("name", metavar="NAME", help="a name, for all of its runs; NAME/2 for the second")
        one.set_defaults(run=run)


def _add(options: argparse.Namespace) -> int:
    from statera.reading.store import named  # noqa: PLC0415 - --help does without

    stored = named.add(options.paths, options.name or _name(options.paths))
    shared.say(f"statera: stored as {stored.name} in {stored.folder}")
    return 0


def _name(paths: list[Path]) -> str:
    """Return the name of results that were given none: the levels of the run's factors, or the first file's name."""
    from statera.comparison.pairing.variants import label_arguments  # noqa: PLC0415 - --help does without
    from statera.reading.store import manifest, named, run_folder  # noqa: PLC0415

    if len(paths) == 1 and run_folder.is_run(paths[0]):
        return named.name_of(manifest.levels(manifest.read(paths[0] / manifest.NAME)))
    return named.name_of(label_arguments([(None, paths[0].resolve().name)])[0])


def _list(_options: argparse.Namespace) -> int:
    from statera._native import printable  # noqa: PLC0415 - --help does without
    from statera.reading.store import named  # noqa: PLC0415

    rows = [(each.name, str(len(each.runs)), _contents(each)) for each in named.every()]
    if not rows:
        shared.say(f"statera: no run is stored in {named.store()}; statera store add PATH stores one")
        return 0
    rows.insert(0, ("name", "runs", "contents"))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = (f"{printable(name):{widths[0]}}  {runs:>{widths[1]}}  {printable(what)}" for name, runs, what in rows)
    output.write("\n".join(lines) + "\n", None)
    return 0


def _contents(stored: Stored) -> str:
    """Describe the last run under a name."""
    from statera.reading.store import manifest, run_folder  # noqa: PLC0415 - --help does without

    run = stored.runs[-1]
    if not run_folder.is_run(run):
        return counted(sum(path.is_file() for path in run.rglob("*")), "file")
    try:
        held = manifest.read(run / manifest.NAME)
    except Stop as stop:
        return f"damaged ({stop.code})"
    return f"{', '.join(manifest.variants(held))}; {held.created}"


def _show(options: argparse.Namespace) -> int:
    from statera.cli import inspect, parser  # noqa: PLC0415 - the parser holds this verb
    from statera.reading.store import named  # noqa: PLC0415

    stored = named.wanted(options.name)
    label = stored.name.partition("/")[0]
    return inspect.run(parser("inspect").parse_args(["inspect", "--", f"{label}={stored.folder}"]))


def _remove(options: argparse.Namespace) -> int:
    from statera.reading.store import named  # noqa: PLC0415 - --help does without

    stored = named.wanted(options.name)
    named.remove(stored)
    shared.say(f"statera: removed {stored.name} ({counted(len(stored.runs), 'run')})")
    return 0
