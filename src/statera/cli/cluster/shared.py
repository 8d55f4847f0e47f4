"""Options of an analysis, which several verbs of ``statera cluster`` take."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from statera.cli import gating, output, selection
from statera.cli import options as common
from statera.errors import Stop
from statera.logs.log_files import MOST_FILES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from statera.cluster.analysis import Options
    from statera.cluster.compare import ClusterComparison
    from statera.pairing import Request
    from statera.verdicts.gate import Gate


def add_analysis(parser: argparse.ArgumentParser) -> None:
    """Declare how runs are analysed."""
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--filter",
        action="append",
        metavar="FILTER",
        help="in place of the run's own filters; a name (unitary), a condition ('SlotGEq 20000'), JSON, or none",
    )
    group.add_argument("--mapping", metavar="NAME", help="which lines are which events: a name or a file (cardano)")
    add_means(group)
    group.add_argument(
        "--engine",
        choices=("duckdb", "spark"),
        default="duckdb",
        help="what runs the analysis; Spark reads files that its executors can open by the same path, and reads "
        "others here up to 64 MiB each; OUT must be shared by all machines (duckdb)",
    )
    group.add_argument("--master", metavar="URL", help="where Spark runs: spark://HOST:7077, yarn, … (local[*])")


def add_means(group: argparse._ArgumentGroup) -> None:
    """Declare what an analysis may take."""
    group.add_argument(
        "--memory", default="1GiB", metavar="SIZE", help="what the analysis, or each executor of Spark, may take (1GiB)"
    )
    group.add_argument(
        "--most-files",
        type=int,
        default=MOST_FILES,
        metavar="N",
        help=f"files that a run may have: each takes memory, whatever it holds ({MOST_FILES:,})",
    )
    group.add_argument("--jobs", type=int, default=0, metavar="N", help="threads to use (default: all cores)")


SORTS = ("report", "effect", "p", "worst")


def add_comparison(parser: argparse.ArgumentParser) -> None:
    """Declare what is compared with what, and how changes are judged."""
    what = selection.add_by(parser, "what is compared with what")
    selection.add_pairs(what)
    selection.add_metrics(what)
    common.add_settings(common.add_judging(parser))


def request(options: argparse.Namespace) -> Request:
    """Say what is compared with what."""
    from statera.pairing import Request  # noqa: PLC0415 - --help needs none

    return Request(
        by=selection.keys(options.by),
        metrics=tuple(options.metric),
        baseline=options.baseline,
        pairs=options.pairs,
    )


def concluded(
    compared: ClusterComparison, options: argparse.Namespace, kind: str, asked: Gate | None, text: Callable[..., str]
) -> int:
    """Write a comparison by ``text``, and give the exit code of the gate."""
    from statera.cluster.views.compared import Look  # noqa: PLC0415 - --help does without

    width, colour = output.width_and_colour(options)
    look = Look(options.sort, options.changed)
    code, words = gating.examined(compared.comparison, asked) if compared.comparison is not None else (0, [])
    made = text(compared, kind, look, width=width, colour=colour, raw=options.raw_csv)
    gating.written(made, options, kind, compared.settings, words)
    return code


def check(path: str | None, runs: Sequence[str], *others: str | None) -> None:
    """Refuse a file that cannot be written, is one of the ``others``, or is read with a run or analysis."""
    if path is not None:
        output.check(path, [*others, *inputs_among([path], runs)])


def inputs_among(paths: Sequence[str], runs: Sequence[str]) -> list[str]:
    """Give the files that are read with a run or analysis.

    Not every file of these is: a report that stands beside a run is no input of the next one.
    """
    from pathlib import Path  # noqa: PLC0415 - --help does without

    from statera.cluster.inputs import split  # noqa: PLC0415
    from statera.logs.log_names import is_read  # noqa: PLC0415

    places = [split(run)[1].resolve() for run in runs]
    named = [(path, Path(path).resolve()) for path in paths]
    return [path for path, target in named if is_read(target.name) and any(map(target.is_relative_to, places))]


def means(options: argparse.Namespace) -> int:
    """Check what an analysis may take, before anything is read.

    Returns:
        how many threads of this machine it may use; 0: all cores.

    """
    from statera.cli.options import set_jobs  # noqa: PLC0415 - --help does without
    from statera.engines.memory import size  # noqa: PLC0415

    size(options.memory)
    if options.most_files < 1:
        raise Stop("bad-option", f"--most-files takes a number of files from 1 on, not {options.most_files}")
    return set_jobs(options.jobs)


@contextmanager
def analysis(options: argparse.Namespace) -> Iterator[Options]:
    """Read the options of an analysis; a Spark that they ask for runs until the end."""
    from statera.cluster.analysis import Options  # noqa: PLC0415 - --help does without
    from statera.logs.mapping import load  # noqa: PLC0415

    threads = means(options)
    if options.mapping is not None:
        load(options.mapping)
    chosen = None if options.filter is None else tuple(options.filter)
    found = Options(filters=chosen, mapping=options.mapping, memory=options.memory, threads=threads)
    found = found._replace(most_files=options.most_files)
    if options.engine == "duckdb":
        if options.master is not None:
            raise Stop("bad-option", "--master says where Spark runs: it takes --engine spark")
        yield found
        return
    from statera.engines.spark.session import Session  # noqa: PLC0415 - the others do without

    with Session(options.master or "local[*]", memory=options.memory, cores=options.jobs) as session:
        yield found._replace(session=session)
