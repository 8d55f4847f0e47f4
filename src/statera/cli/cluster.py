"""``statera cluster``: from the logs of every host of a cluster to what a run says, and to runs compared."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from statera.cli import output

if TYPE_CHECKING:
    import argparse

    from statera.cluster.analysis import Options


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its own verbs."""
    parser = verbs.add_parser(
        "cluster",
        help="analyse the logs of a cluster's hosts, and compare runs",
        description="Read the logs of every host of a run, find its chain, measure forging, propagation, resources.",
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    _add_analyse(own)
    _add_compare(own)
    _add_drills(own)
    _add_times(own)


def _add_analyse(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "analyse",
        aliases=["analyze"],
        help="analyse runs: summary.json, blocks.csv and tables",
        description="Analyse runs. One run goes to OUT; several each to OUT/NAME, and all together to OUT/pooled.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="directories of runs")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="OUT", help="directory of the results")
    _add_analysis(parser)
    parser.set_defaults(run=_analyse)


def _add_analysis(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--filter",
        action="append",
        metavar="FILTER",
        help="in place of the run's own filters; a name (unitary), a condition ('SlotGEq 20000'), JSON, or none",
    )
    group.add_argument("--mapping", default="cardano", metavar="NAME", help="which lines are which events (cardano)")
    _add_means(group)


def _add_means(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--memory", default="1GiB", metavar="SIZE", help="what the analysis may take (1GiB)")
    group.add_argument("--jobs", type=int, default=0, metavar="N", help="threads to use (default: all cores)")


def _add_compare(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "compare",
        help="compare runs with a baseline: values, changes, intervals, verdicts",
        description="Compare runs with the first. A run is its directory, or that of its analysis, which is faster. "
        "LABEL=PATH names it; paths of one label are several runs of one configuration.",
    )
    parser.add_argument("runs", nargs="+", metavar="[LABEL=]RUN", help="the baseline first")
    output.add_view(parser, ("report",))
    group = parser.add_argument_group("policy")
    group.add_argument("--alpha", type=float, metavar="P", help="accepted probability of a false alarm (0.05)")
    _add_analysis(parser)
    parser.set_defaults(run=_compare)


def _add_drills(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    words = {
        "block": ("what every host logged of a block", "WHICH", "beginning of a hash, or a slot"),
        "host": ("what a host logged, forged and used", "NAME", "name of a host"),
        "errors": ("everything that was not used, with file and line", "", ""),
    }
    for name, (text, argument, about) in words.items():
        parser = verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        parser.add_argument("analysis", type=Path, metavar="OUT", help="directory of an analysed run")
        if argument:
            parser.add_argument("which", metavar=argument, help=about)
        output.add_view(parser, ("report",))
        parser.set_defaults(run=_drill, drill=name)


def _add_times(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
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
    group = parser.add_argument_group("analysis")
    group.add_argument("--alpha", type=float, metavar="P", help="accepted probability of a false alarm (0.05)")
    _add_means(group)
    parser.set_defaults(run=_times)


def _options(options: argparse.Namespace) -> Options:
    from statera.cli.options import set_jobs  # noqa: PLC0415 - --help does without
    from statera.cluster.analysis import Options  # noqa: PLC0415

    set_jobs(options.jobs)
    chosen = None if options.filter is None else tuple(options.filter)
    return Options(filters=chosen, mapping=options.mapping, memory=options.memory, threads=options.jobs)


def _analyse(options: argparse.Namespace) -> int:
    from statera import _native  # noqa: PLC0415 - --help does without
    from statera.cluster.analysis import analyse_all  # noqa: PLC0415

    with output.Progress("reading", [str(run) for run in options.runs]):
        found = analyse_all(options.runs, options.output, _options(options))
    for name, folder in found.items():
        print(f"statera: {_native.printable(name)}: {_native.printable(str(folder))}/summary.json", file=sys.stderr)
    return 0


def _compare(options: argparse.Namespace) -> int:
    from statera.cluster.comparing import compare_paths  # noqa: PLC0415 - --help does without
    from statera.cluster.views import text  # noqa: PLC0415
    from statera.settings import Policy, checked  # noqa: PLC0415

    kind = output.kind(options)
    policy = Policy() if options.alpha is None else checked(Policy(alpha=options.alpha))
    comparison = compare_paths(options.runs, _options(options), policy)
    if kind == "terminal":
        width, colour = output.width_and_colour(options)
        written = text.terminal(comparison, width=width, colour=colour)
    else:
        written = {"markdown": text.markdown, "csv": text.comma, "json": text.json}[kind](comparison)
    output.write(written, options.output)
    return 0


def _times(options: argparse.Namespace) -> int:
    from statera.cli.options import set_jobs  # noqa: PLC0415 - --help does without
    from statera.cluster.compare import ClusterComparison  # noqa: PLC0415
    from statera.cluster.times.compare import of_paths  # noqa: PLC0415
    from statera.cluster.views import timed  # noqa: PLC0415
    from statera.settings import Policy, checked  # noqa: PLC0415

    kind = output.kind(options)
    set_jobs(options.jobs)
    policy = Policy() if options.alpha is None else checked(Policy(alpha=options.alpha))
    found = of_paths(
        options.runs,
        options.mapping,
        policy,
        memory=options.memory,
        threads=options.jobs,
        slowest=max(0, options.slowest),
    )
    if isinstance(found, ClusterComparison):
        width, colour = output.width_and_colour(options)
        written = timed.compared(found, kind, width=width, colour=colour)
    else:
        written = timed.one_run(found, kind)
    output.write(written, options.output)
    return 0


def _drill(options: argparse.Namespace) -> int:
    from statera.cluster import drill  # noqa: PLC0415 - --help does without
    from statera.cluster.views import drilled  # noqa: PLC0415

    kind = output.kind(options)
    if options.drill == "errors":
        found = drill.errors(options.analysis)
    else:
        found = getattr(drill, options.drill)(options.analysis, options.which)
    output.write(drilled.text(found, kind), options.output)
    return 0
