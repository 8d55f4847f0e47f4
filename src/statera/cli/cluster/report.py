"""``statera cluster report``: the report of a run, or of a comparison of runs, as HTML, PDF or Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import documents, gating, output
from statera.cli import options as common
from statera.cli.cluster import shared
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from statera.cluster.comparison import ClusterComparison
    from statera.comparison.verdicts.gate import Gate
    from statera.output.report import Options
    from statera.output.report.model import Document
    from statera.support.settings.file import Settings


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "report",
        help="write a report of a run or of a comparison of runs: HTML, PDF, Markdown",
        description="Write a report: the answer, what changed with its charts, every metric with its change, interval "
        "and verdict, charts, chain and hosts, method, data dictionary, manifest. Several runs are compared with the "
        "first. RUN is the directory of a run's logs, or that of its analysis, which is faster.",
        epilog="examples: statera cluster report RUN -o report.html   |   statera cluster report old=RUNS/a new=RUNS/b "
        "-o report.html -o report.pdf -o report.md",
    )
    parser.add_argument("runs", nargs="+", metavar="[LABEL=]RUN", help="the baseline first")
    documents.add(parser, "results")
    shared.add_comparison(parser)
    shared.add_analysis(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Analyse the runs that are not analysed yet, and write the report."""
    from statera.output.report import said, writers  # noqa: PLC0415 - --help does without

    documents.check(options)
    settings = common.settings(options)
    documents.check_places(options, [*shared.inputs_among(options.output, shared.runs(options)), settings.file])

    def write(document: Document) -> None:
        for path in options.output:
            writers.write(document, path, picture_base=options.picture_base)

    with writers.announced(map(writers.kind_of, options.output)):
        _with_document(options, settings, said(options.title, options.notes), write, compares=False)
    return 0


def write_comparison(options: argparse.Namespace, kind: str, settings: Settings, gate: Gate | None) -> int:
    """Write the report of ``compare -f html``, or of a file with such an ending; return the exit code of the gate."""
    from statera.output.report import said, writers  # noqa: PLC0415 - --help does without

    if options.output is None and kind == "pdf":
        raise Stop("bad-option", "-f pdf: name the file with -o")
    if options.changed or options.sort != shared.SORTS[0]:
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
    code, words = gating.examined(made.comparison, gate)
    for line in words:
        common.say(line)
    return code


def _with_document(
    options: argparse.Namespace, settings: Settings, said: Options, write: Callable[[Document], None], *, compares: bool
) -> ClusterComparison:
    """Build the document, and write it before the temporary tables of the runs are removed."""
    from statera.cluster.comparison import alone, compare  # noqa: PLC0415
    from statera.cluster.inputs import changes_of, opened  # noqa: PLC0415
    from statera.cluster.report import document  # noqa: PLC0415
    from statera.cluster.report.material import Material  # noqa: PLC0415
    from statera.output.report import dates  # noqa: PLC0415

    stated, earlier = dates.stated_date(), shared.earlier(options)
    with (
        output.Progress("reading"),
        shared.analysis(options) as chosen,
        opened(options.runs, chosen, earlier) as given,
    ):
        several = compares or options.by or len(given) > 1
        made = (
            compare(given, settings, shared.request(options)) if several else alone(given[0], settings, options.metric)
        )
        dated = said._replace(date=dates.date_of(changes_of(given)))
        write(document(Material(made, documents.command(), f"{stated:%Y-%m-%d}" if stated else ""), dated))
    return made
