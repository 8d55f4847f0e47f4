"""``statera cluster``: analyse the logs of a cluster's hosts, compare runs, and look up log lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from statera.cli import gating, output
from statera.cli import options as common
from statera.cli.cluster import report, shared, times

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its verbs."""
    parser = verbs.add_parser(
        "cluster",
        help="analyse the logs of a cluster's hosts, and compare runs",
        description="Read the logs of every host of a run, find the chain that the hosts built, and measure forging, "
        "propagation and resources.",
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    _add_analyse(own)
    _add_compare(own)
    report.add(own)
    _add_drills(own)
    times.add(own)


def _add_analyse(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "analyse",
        aliases=["analyze"],
        help="analyse runs: summary.json, blocks.csv and tables",
        description="Analyse runs. The results of one run are written to OUT; those of several runs to OUT/NAME each, "
        "and those of all runs together to OUT/pooled.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="directories of runs")
    parser.add_argument(
        "-o", "--output", required=True, type=output.folder, metavar="OUT", help="directory of the results"
    )
    output.add_raw_csv(parser)
    shared.add_analysis(parser)
    parser.add_argument(
        "--unlocked",
        action="store_true",
        help="do without a lock if the file system of OUT has none; make sure that nothing else writes to OUT",
    )
    parser.set_defaults(run=_analyse)


def _add_compare(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = verbs.add_parser(
        "compare",
        help="compare runs with a baseline: values, changes, intervals, verdicts",
        description="Compare runs with the first one. RUN is the directory of a run's logs, or that of its analysis, "
        "which is faster. LABEL=PATH labels a run; paths with the same label are several runs of one configuration.",
    )
    parser.add_argument("runs", nargs="+", metavar="[LABEL=]RUN", help="the baseline first")
    output.add_changed(output.add_view(parser, shared.SORTS, (*output.FORMATS, *output.DOCUMENTS)))
    shared.add_comparison(parser)
    gating.add(parser)
    shared.add_analysis(parser)
    parser.set_defaults(run=_compare)


def _add_drills(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    words = {
        "block": ("what every host logged of a block", "WHICH", "the beginning of the block's hash, or its slot"),
        "host": ("what a host logged, forged and used", "NAME", "the name of the host"),
        "errors": ("everything that was not used, with file and line", "", ""),
    }
    for name, (text, argument, about) in words.items():
        parser = verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        parser.add_argument("analysis", type=Path, metavar="OUT", help="the directory of an analysis")
        if argument:
            parser.add_argument("which", metavar=argument, help=about)
        output.add_target(parser)
        parser.set_defaults(run=_drill, drill=name)


def _analyse(options: argparse.Namespace) -> int:
    from statera.cluster.analysis import POOLED, analyse_all  # noqa: PLC0415 - --help does without
    from statera.cluster.samples import load_summary  # noqa: PLC0415
    from statera.cluster.views import analysis  # noqa: PLC0415

    with output.Progress("reading"), shared.analysis(options) as chosen:
        wanted = chosen._replace(raw_csv=options.raw_csv, locks=not options.unlocked)
        found = analyse_all(options.runs, options.output, wanted)
    summaries = {name: load_summary(folder) for name, folder in found.items()}
    pooled = load_summary(options.output / POOLED) if len(found) > 1 else None
    width, colour = output.terminal()
    output.write(analysis.text(summaries, pooled, options.output, width=width, colour=colour), None)
    return 0


def _compare(options: argparse.Namespace) -> int:
    from statera.cluster.inputs import compare_paths  # noqa: PLC0415 - --help does without
    from statera.cluster.views import comparison as text  # noqa: PLC0415

    kind = output.kind(options, documents=True)
    gate, settings = gating.gate(options), common.settings(options)
    shared.check(options.output, shared.runs(options), settings.file)
    earlier = shared.earlier(options)
    if kind in output.DOCUMENTS:
        return report.write_comparison(options, kind, settings, gate)
    with output.Progress("reading"), shared.analysis(options) as chosen:
        compared = compare_paths(options.runs, chosen, settings, shared.request(options), earlier)
    return shared.concluded(compared, options, kind, gate, text.compared)


def _drill(options: argparse.Namespace) -> int:
    from statera.cluster import drill_down  # noqa: PLC0415 - --help does without
    from statera.cluster.views import drill_down as drilled  # noqa: PLC0415

    kind = output.kind(options)
    shared.check(options.output, [str(options.analysis)])
    if options.drill == "errors":
        found = drill_down.errors(options.analysis)
    else:
        found = getattr(drill_down, options.drill)(options.analysis, options.which)
    output.write(drilled.text(found, kind, raw=options.raw_csv), options.output, kind)
    return 0
