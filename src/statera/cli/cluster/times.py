"""``statera cluster times``: times from one event to another of the same key, in the logs of any system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import output
from statera.cli.cluster import shared
from statera.errors import Stop

if TYPE_CHECKING:
    import argparse

_MOST_SLOWEST = 100_000


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "times",
        help="logs of any system: times from one event to another of the same key across hosts",
        description="Time what a mapping defines in the logs of any system: from one event to another of the same key "
        "across hosts. One run: its times; several: the first is the baseline, LABEL=PATH names a run.",
    )
    parser.add_argument("runs", nargs="+", metavar="[LABEL=]RUN", help="directories of logs, the baseline first")
    parser.add_argument("--mapping", required=True, metavar="FILE", help="TOML: which lines are which events")
    parser.add_argument("--slowest", type=int, default=5, metavar="N", help="of one run, so many of the longest (5)")
    output.add_view(parser, ("report",))
    shared.add_policy(parser)
    shared.add_means(parser.add_argument_group("analysis"))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Time what the mapping defines, and write."""
    from statera.cluster.compare import ClusterComparison  # noqa: PLC0415 - --help does without
    from statera.cluster.times.compare import of_paths  # noqa: PLC0415
    from statera.cluster.views import timed  # noqa: PLC0415

    kind = output.kind(options)
    shared.check(options.output, options.runs, options.mapping)
    if not 0 <= options.slowest <= _MOST_SLOWEST:
        raise Stop("bad-option", f"--slowest takes a number from 0 to {_MOST_SLOWEST}, not {options.slowest}")
    threads = shared.means(options)
    found = of_paths(
        options.runs,
        options.mapping,
        shared.policy(options),
        memory=options.memory,
        threads=threads,
        slowest=options.slowest,
        most_files=options.most_files,
    )
    if isinstance(found, ClusterComparison):
        width, colour = output.width_and_colour(options)
        written = timed.compared(found, kind, width=width, colour=colour, raw=options.raw_csv)
    else:
        written = timed.one_run(found, kind, raw=options.raw_csv)
    output.write(written, options.output, kind)
    return 0
