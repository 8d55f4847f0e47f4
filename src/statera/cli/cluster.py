"""``statera cluster``: analyse the logs of a cluster's hosts, compare runs, report them, and look up log lines."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from statera import _native
from statera.cli import arguments, gate, output
from statera.cli.options import SORTS_OF_CLUSTERS
from statera.cluster import drill_down
from statera.cluster.analysis import POOLED, Options, analyse_all, published
from statera.cluster.comparison import ClusterComparison, alone, lost_logs
from statera.cluster.comparison import compare as compare_runs
from statera.cluster.engine import size
from statera.cluster.inputs import Earlier, changes_of, compare_paths, opened, split
from statera.cluster.logs.files import is_read
from statera.cluster.logs.mapping import load
from statera.cluster.samples import load_summary
from statera.cluster.views import analysis
from statera.cluster.views import analysis as analysis_view
from statera.cluster.views import comparison as comparison_view
from statera.cluster.views.comparison import Look
from statera.comparison.pairing import Request
from statera.support.errors import Stop
from statera.support.files import addresses, hadoop
from statera.support.wording import several

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from statera.comparison.verdicts.gate import Gate
    from statera.output.report import Options as Styled
    from statera.output.report.model import Document
    from statera.support.settings.file import Settings


def _runs(options: argparse.Namespace) -> list[str]:
    """Return every run that the options name."""
    return [*options.runs, *options.baseline_runs]


def _request(options: argparse.Namespace) -> Request:
    """Return what the options compare."""
    return Request(
        by=arguments.keys(options.by),
        metrics=tuple(options.metric),
        baseline=options.baseline,
        pairs=options.pairs,
    )


def _earlier(options: argparse.Namespace) -> Earlier:
    """Return the earlier runs of the baseline's build.

    Raises ``Stop`` if the variants are not those of the labels, so that these runs would belong to no baseline.
    """
    if options.baseline_runs and options.by:
        raise Stop(
            "bad-option",
            "--baseline-runs adds runs to a label, and --by ignores labels: name these runs before the options instead",
        )
    return Earlier(options.baseline_runs, options.baseline)


def examined(compared: ClusterComparison, asked: Gate | None) -> tuple[int, list[str]]:
    """Return the exit code of the gate, and its message as lines.

    A percentile that got worse fails it, too. Logs that a build lost leave it without an answer.
    """
    code, words = gate.examined(compared.comparison, asked)
    if not code and compared.tails is not None:
        of_tails, said = gate.examined(compared.tails, asked)
        if of_tails == 1:
            cells = [cell for row in compared.rows for of_pair in row.percentiles for cell in of_pair]
            names = [_native.printable(cell.name) for cell in cells if cell.changed]
            return of_tails, [f"statera: no mean fails the gate, but percentiles do. Changed: {several(names)}", *said]
    if asked is not None and not code and (lost := lost_logs(compared)):
        return 2, [f"statera: the gate has no answer: {lost} [unread-results]", *words]
    return code, words


def _concluded(
    compared: ClusterComparison, options: argparse.Namespace, kind: str, asked: Gate | None, text: Callable[..., str]
) -> int:
    """Write a comparison with ``text``, and return the exit code of the gate."""
    width, colour = output.width_and_colour(options)
    look = Look(options.sort, options.changed)
    code, words = examined(compared, asked)
    made = text(compared, kind, look, width=width, colour=colour, raw=options.raw_csv)
    gate.written(made, options, kind, compared.settings, words)
    return code


def _check(path: str | None, runs: Sequence[str], *others: str | None) -> None:
    """Refuse an output that cannot be written, is one of the ``others``, or is an input file of a run or analysis."""
    if path is not None:
        output.check(path, [*others, *_inputs_among([path], runs)])


def _inputs_among(paths: Sequence[str], runs: Sequence[str]) -> list[str]:
    """Return the paths that are input files of a run or analysis.

    Other files in these directories, such as an earlier report, may be overwritten.
    """
    places = [split(run)[1].resolve() for run in runs]
    named = [(path, Path(path).resolve()) for path in paths]
    return [path for path, target in named if is_read(target.name) and any(map(target.is_relative_to, places))]


def _means(options: argparse.Namespace) -> int:
    """Check the resources of an analysis before it reads anything.

    Returns:
        the number of threads on this machine; 0 for all cores.
    """
    size(options.memory)
    if options.most_files < 1:
        raise Stop("bad-option", f"--most-files takes a number of files from 1 on, not {options.most_files}")
    return arguments.set_jobs(options.jobs)


def _engine(options: argparse.Namespace) -> str:
    """Return the engine: as requested, or the one that pays.

    Spark shares reading among machines; on one machine it costs a start and gains nothing.
    """
    if options.engine == "auto":
        return "duckdb" if options.master is None else "spark"
    if options.engine == "duckdb" and options.master is not None:
        raise Stop("bad-option", "--master is an option of Spark: leave --engine duckdb out")
    return str(options.engine)


@contextmanager
def _analysis(options: argparse.Namespace) -> Iterator[Options]:
    """Read the options of an analysis; a session of Spark that they request ends with the context."""
    threads = _means(options)
    if options.mapping is not None:
        load(options.mapping)
    chosen = tuple(options.filter) or None
    found = Options(filters=chosen, mapping=options.mapping, memory=options.memory, threads=threads)
    found = found._replace(most_files=options.most_files)
    if _engine(options) == "duckdb":
        yield found
        return

    from statera.cluster.logs.spark import Session  # noqa: PLC0415 - pyspark is large, and optional

    with Session(options.master or "local[*]", memory=options.memory, cores=options.jobs) as session:
        yield found._replace(session=session)


def analyse(options: argparse.Namespace) -> None:
    """Analyse runs, and write their results."""
    spark, word = _engine(options) == "spark", addresses.local(options.output)
    target = hadoop.place(word) if spark and addresses.scheme(word) else Path(output.folder(word))
    runs = [hadoop.place(run, remote=spark) for run in options.runs]
    with _analysis(options) as chosen:
        wanted = chosen._replace(
            raw_csv=options.raw_csv, locks=not options.unlocked, correct_clocks=options.correct_clocks
        )
        with published(target, runs, options.most_files) as folder:
            found = analyse_all(runs, folder, wanted)
            summaries = {name: load_summary(own) for name, own in found.items()}
            pooled = load_summary(folder / POOLED) if len(found) > 1 else None
        width, colour = output.terminal()
        made = analysis_view.text(
            summaries, pooled, target, width=width, colour=colour, correct_clocks=options.correct_clocks
        )
    output.write(made, None)


def compare(options: argparse.Namespace) -> int:
    """Compare runs, and return the exit code of the gate."""
    kind = output.kind(options, documents=True)
    asked, settings = gate.parsed(options), arguments.settings(options)
    _check(options.output, _runs(options), settings.file)
    earlier = _earlier(options)
    if kind in output.DOCUMENTS:
        return _write_comparison(options, kind, settings, asked)
    with _analysis(options) as chosen:
        compared = compare_paths(options.runs, chosen, settings, _request(options), earlier)
    return _concluded(compared, options, kind, asked, comparison_view.compared)


def block(options: argparse.Namespace) -> None:
    """Show what every host logged of a block."""
    _drilled(options, lambda: drill_down.block(Path(options.analysis), options.which))


def host(options: argparse.Namespace) -> None:
    """Show what a host logged, forged and used."""
    _drilled(options, lambda: drill_down.host(Path(options.analysis), options.which))


def errors(options: argparse.Namespace) -> None:
    """Show everything that was not used."""
    _drilled(options, lambda: drill_down.errors(Path(options.analysis)))


def _drilled(options: argparse.Namespace, find: Callable[[], list[drill_down.Listing]]) -> None:
    kind = output.kind(options)
    addresses.refuse(options.analysis)
    _check(options.output, [options.analysis])
    output.write(analysis.listings(find(), kind, raw=options.raw_csv), options.output, kind)


def report(options: argparse.Namespace) -> None:
    """Analyse the runs that are not analysed yet, and write the report."""
    from statera.cli.report import check, check_places  # noqa: PLC0415 - other verbs do without reports: a fifth of their time
    from statera.output.report import said, writers  # noqa: PLC0415 - as above

    check(options)
    settings = arguments.settings(options)
    check_places(options, [*_inputs_among(options.output, _runs(options)), settings.file])

    def write(document: Document) -> None:
        for path in options.output:
            writers.write(document, path, picture_base=options.picture_base)

    with writers.announced(map(writers.kind_of, options.output)):
        _with_document(options, settings, said(options.title, options.notes), write, compares=False)


def _write_comparison(options: argparse.Namespace, kind: str, settings: Settings, asked: Gate | None) -> int:
    """Write the report of ``compare -f html``, or of a file with such an ending; return the exit code of the gate."""
    from statera.output.report import said, writers  # noqa: PLC0415 - as above

    if options.output is None and kind == "pdf":
        raise Stop("bad-option", "-f pdf: name the file with -o")
    if options.changed or options.sort != SORTS_OF_CLUSTERS[0]:
        raise Stop(
            "bad-option", f"--sort and --changed apply to tables only: a report ({kind}) has every row in its own order"
        )

    def write(document: Document) -> None:
        if options.output is None:
            output.write(writers.page(document), None, kind)
        else:
            writers.write(document, options.output, kind)

    with writers.announced([kind]):
        made = _with_document(options, settings, said(), write, compares=True)
    code, words = examined(made, asked)
    for line in words:
        arguments.say(line)
    return code


def _with_document(
    options: argparse.Namespace, settings: Settings, noted: Styled, write: Callable[[Document], None], *, compares: bool
) -> ClusterComparison:
    """Build the document, and write it before the temporary tables of the runs are removed."""
    from statera.cli.report import command  # noqa: PLC0415 - as above
    from statera.cluster.report import document  # noqa: PLC0415
    from statera.cluster.report.material import Material  # noqa: PLC0415
    from statera.output.report.material import date_of, stated_date  # noqa: PLC0415

    stated, earlier = stated_date(), _earlier(options)
    with (
        _analysis(options) as chosen,
        opened(options.runs, chosen, earlier) as given,
    ):
        several = compares or options.by or len(given) > 1
        made = (
            compare_runs(given, settings, _request(options)) if several else alone(given[0], settings, options.metric)
        )
        dated = noted._replace(date=date_of(changes_of(given)))
        write(document(Material(made, command(), f"{stated:%Y-%m-%d}" if stated else ""), dated))
    return made
