"""``statera cluster times``: times between two events of the same key, in the logs of any system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import gating, output
from statera.cli import options as common
from statera.cli.cluster import shared
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse

_MOST_SLOWEST = 100_000


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "times",
        help="measure times between two events of the same key, in the logs of any system",
        description="Measure the times that a mapping defines in the logs of any system: from one event to another "
        "of the same key across hosts. Several runs are compared with the first; LABEL=PATH labels a run.",
    )
    parser.add_argument("runs", nargs="+", metavar="[LABEL=]RUN", help="directories of logs, the baseline first")
    parser.add_argument(
        "--mapping", required=True, metavar="FILE", help="the mapping of log lines to events and times, a TOML file"
    )
    parser.add_argument(
        "--slowest", type=int, default=5, metavar="N", help="number of the longest times to list, for a single run (5)"
    )
    output.add_changed(output.add_view(parser, shared.SORTS))
    shared.add_comparison(parser)
    gating.add(parser)
    shared.add_means(parser.add_argument_group("analysis"))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measure the times that the mapping defines, and write them."""
    from statera.cluster.comparison import ClusterComparison  # noqa: PLC0415 - --help does without
    from statera.cluster.times import of_paths  # noqa: PLC0415
    from statera.cluster.views import times  # noqa: PLC0415

    kind = output.kind(options)
    gate, settings = gating.gate(options), common.settings(options)
    shared.check(options.output, shared.runs(options), options.mapping, settings.file)
    if not 0 <= options.slowest <= _MOST_SLOWEST:
        raise Stop("bad-option", f"--slowest takes a number from 0 to {_MOST_SLOWEST}, not {options.slowest}")
    if len(options.runs) == 1 and (gate is not None or options.changed or options.sort != shared.SORTS[0]):
        raise Stop(
            "bad-option",
            "--fail-on, --sort and --changed apply to a comparison: name two runs or more, the baseline first",
        )
    threads = shared.means(options)
    with output.Progress("reading"):
        found = of_paths(
            options.runs,
            options.mapping,
            settings,
            shared.request(options),
            shared.earlier(options),
            memory=options.memory,
            threads=threads,
            slowest=options.slowest,
            most_files=options.most_files,
        )
    if isinstance(found, ClusterComparison):
        return shared.concluded(found, options, kind, gate, times.compared)
    output.write(times.one_run(found, kind, raw=options.raw_csv), options.output, kind)
    return 0
