"""Options and checks that several verbs of ``statera cluster`` share."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from statera.cli import gating, output, selection
from statera.cli import options as common
from statera.cluster.logs.files import MOST_FILES
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from statera.cluster.analysis import Options
    from statera.cluster.comparison import ClusterComparison
    from statera.cluster.inputs import Earlier
    from statera.comparison.pairing import Request
    from statera.comparison.verdicts.gate import Gate


def add_analysis(parser: argparse.ArgumentParser) -> None:
    """Declare how runs are analysed."""
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--filter",
        action="append",
        metavar="FILTER",
        help="replace the run's own filters: a name (unitary), a condition ('SlotGEq 20000'), JSON, or none",
    )
    group.add_argument(
        "--mapping", metavar="NAME", help="the mapping of log lines to events: a name or a TOML file (cardano)"
    )
    add_means(group)
    group.add_argument(
        "--engine",
        choices=("duckdb", "spark"),
        default="duckdb",
        help="the engine of the analysis; with spark, executors read the logs under the same paths (this machine "
        "reads files of up to 64 MiB that they cannot open), and all machines must share OUT (duckdb)",
    )
    group.add_argument("--master", metavar="URL", help="the master of Spark: spark://HOST:7077, yarn, … (local[*])")


def add_means(group: argparse._ArgumentGroup) -> None:
    """Declare the resources of an analysis."""
    group.add_argument(
        "--memory", default="1GiB", metavar="SIZE", help="memory of the analysis, or of each executor of Spark (1GiB)"
    )
    group.add_argument(
        "--most-files",
        type=int,
        default=MOST_FILES,
        metavar="N",
        help=f"largest number of files of a run; each file takes memory ({MOST_FILES:,})",
    )
    group.add_argument("--jobs", type=int, default=0, metavar="N", help="number of threads (all cores)")


SORTS = ("report", "effect", "p", "worst")


def add_comparison(parser: argparse.ArgumentParser) -> None:
    """Declare the variants, the metrics and the policy of a comparison."""
    what = selection.add_by(parser, "what is compared with what")
    selection.add_pairs(what)
    selection.add_metrics(what)
    what.add_argument(
        "--baseline-runs",
        nargs="+",
        action="extend",
        default=[],
        metavar="RUN",
        help="earlier runs of the baseline's build: they show how much its runs differ, so that a single new run can "
        "be judged",
    )
    common.add_settings(common.add_judging(parser))


def runs(options: argparse.Namespace) -> list[str]:
    """Return every run that the options name."""
    return [*options.runs, *options.baseline_runs]


def request(options: argparse.Namespace) -> Request:
    """Return what the options compare."""
    from statera.comparison.pairing import Request  # noqa: PLC0415 - --help needs none

    return Request(
        by=selection.keys(options.by),
        metrics=tuple(options.metric),
        baseline=options.baseline,
        pairs=options.pairs,
    )


def earlier(options: argparse.Namespace) -> Earlier:
    """Return the earlier runs of the baseline's build.

    Raises:
        Stop: the variants are not those of the labels, so that these runs would belong to no baseline.

    """
    from statera.cluster.inputs import Earlier  # noqa: PLC0415 - --help does without

    if options.baseline_runs and options.by:
        raise Stop(
            "bad-option",
            "--baseline-runs adds runs to a label, and --by ignores labels: name these runs before the options instead",
        )
    return Earlier(options.baseline_runs, options.baseline)


def concluded(
    compared: ClusterComparison, options: argparse.Namespace, kind: str, asked: Gate | None, text: Callable[..., str]
) -> int:
    """Write a comparison with ``text``, and return the exit code of the gate."""
    from statera.cluster.views.comparison import Look  # noqa: PLC0415 - --help does without

    width, colour = output.width_and_colour(options)
    look = Look(options.sort, options.changed)
    code, words = gating.examined(compared.comparison, asked)
    made = text(compared, kind, look, width=width, colour=colour, raw=options.raw_csv)
    gating.written(made, options, kind, compared.settings, words)
    return code


def check(path: str | None, runs: Sequence[str], *others: str | None) -> None:
    """Refuse an output that cannot be written, is one of the ``others``, or is an input file of a run or analysis."""
    if path is not None:
        output.check(path, [*others, *inputs_among([path], runs)])


def inputs_among(paths: Sequence[str], runs: Sequence[str]) -> list[str]:
    """Return the paths that are input files of a run or analysis.

    Other files in these directories, such as an earlier report, may be overwritten.
    """
    from pathlib import Path  # noqa: PLC0415 - --help does without

    from statera.cluster.inputs import split  # noqa: PLC0415
    from statera.cluster.logs.files import is_read  # noqa: PLC0415

    places = [split(run)[1].resolve() for run in runs]
    named = [(path, Path(path).resolve()) for path in paths]
    return [path for path, target in named if is_read(target.name) and any(map(target.is_relative_to, places))]


def means(options: argparse.Namespace) -> int:
    """Check the resources of an analysis before it reads anything.

    Returns:
        the number of threads on this machine; 0 for all cores.

    """
    from statera.cli.options import set_jobs  # noqa: PLC0415 - --help does without
    from statera.cluster.engines.duckdb import size  # noqa: PLC0415

    size(options.memory)
    if options.most_files < 1:
        raise Stop("bad-option", f"--most-files takes a number of files from 1 on, not {options.most_files}")
    return set_jobs(options.jobs)


@contextmanager
def analysis(options: argparse.Namespace) -> Iterator[Options]:
    """Read the options of an analysis; a session of Spark that they request ends with the context."""
    from statera.cluster.analysis import Options  # noqa: PLC0415 - --help does without
    from statera.cluster.logs.mapping import load  # noqa: PLC0415

    threads = means(options)
    if options.mapping is not None:
        load(options.mapping)
    chosen = None if options.filter is None else tuple(options.filter)
    found = Options(filters=chosen, mapping=options.mapping, memory=options.memory, threads=threads)
    found = found._replace(most_files=options.most_files)
    if options.engine == "duckdb":
        if options.master is not None:
            raise Stop("bad-option", "--master is an option of Spark: add --engine spark")
        yield found
        return
    from statera.cluster.engines.spark.session import Session  # noqa: PLC0415 - the others do without

    with Session(options.master or "local[*]", memory=options.memory, cores=options.jobs) as session:
        yield found._replace(session=session)
