"""``statera report``: the comparison as a document that people read: HTML, PDF, Markdown."""

from __future__ import annotations

from statera.cli import documents, output, selection
from statera.cli import options as shared
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.output.report.material import Material


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "report",
        help="write a report: findings, pictures, tables, method, data",
        description="Compare as statera compare does, and write a report: findings in sentences, what was measured, "
        "the method, every row, the distributions, the quality of the data. With one variant, report an inspection.",
        epilog="examples: statera report old.txt new.txt -o report.html -o report.pdf   |   "
        "statera report --variants runs.csv --by branch --within ghc -o report.html --notes notes.md",
    )
    parser.add_argument("paths", nargs="*", metavar="[LABEL=]PATH", help="the baseline first")
    what = selection.add_what(parser, "what is compared with what")
    selection.add_pairs(what)
    what.add_argument(
        "--inspect", action="store_true", help="do not compare; inspect each variant and draw every benchmark"
    )
    selection.add_factors(parser)
    view = documents.add(parser, "method")
    view.add_argument(
        "--quantiles", nargs="?", const="", metavar="LIST", help="levels of the quantile tables, for instance 5,50,95"
    )
    shared.add_mean(view)
    view.add_argument(
        "--atlas",
        action="store_true",
        help="add the histogram, density and Q-Q plot of every benchmark (a report of one variant always has them)",
    )
    shared.add_policy(parser)
    shared.add_reading(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare, write, and return the exit code: 2 if nothing could be compared, which the report states."""
    from statera.output.report import writers  # noqa: PLC0415 - --help does without

    documents.check(options)
    with writers.announced(map(writers.kind_of, options.output)):
        return _reported(options)


def _reported(options: argparse.Namespace) -> int:
    from statera.cli.compare import DECILES, levels  # noqa: PLC0415
    from statera.output.report import (  # noqa: PLC0415
        dated,
        dates,
        questions,
        said,
        writers,
    )

    shared.set_jobs(options.jobs)
    asked = DECILES if options.quantiles == "" else options.quantiles
    request, paths = selection.request(options, baseline=options.baseline, pairs=options.pairs, quantiles=levels(asked))
    settings = shared.settings(options)
    documents.check_places(options, [*paths, options.manifest, settings.file])
    noted = said(options.title, options.notes)
    dates.stated_date()
    with output.Progress("reading"):
        material = questions.gather(
            paths,
            request,
            settings,
            alone=options.inspect,
            command=documents.command(),
            format=options.format,
            columns=shared.columns(options.column),
        )
        document = dated(material._replace(atlas=options.atlas), noted)
        for path in options.output:
            writers.write(document, path, picture_base=options.picture_base)
    return _code(material, options)


def _code(material: Material, options: argparse.Namespace) -> int:
    from statera.output.views.terminal import observation_lines  # noqa: PLC0415

    observations = material.observations
    if observations.left_out or observations.counted_apart:
        for line in observation_lines(observations):
            shared.say(f"statera: {line}")
    if material.reason is not None:
        shared.say(f"statera: {material.reason} [{material.reason.code}]; the report says so")
        return 2
    return shared.left_out(options, observations)
