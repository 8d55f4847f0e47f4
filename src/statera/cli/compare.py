"""``statera compare``: weigh variants against the first."""

from __future__ import annotations

from statera.cli import gating, output, result_file, selection
from statera.cli import options as shared
from statera.output import views
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts.gate import Gate

DECILES = "5,10,20,30,40,50,60,70,80,90,95"


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "compare",
        help="compare builds with a baseline",
        description="Compare variants with a baseline, the first one. A variant is a file, a folder, a quoted "
        "pattern or - (standard input). LABEL=PATH names it; several files with the same label are its runs.",
        epilog="examples: statera compare old.txt new.txt   |   statera compare 'results/*.json' --by toolchain   |   "
        "statera compare main=a.txt pr=b.txt --fail-on worse:5% -f markdown",
    )
    parser.add_argument("paths", nargs="*", metavar="[LABEL=]PATH", help="the baseline first")
    what = selection.add_what(parser, "what is compared with what")
    selection.add_pairs(what)
    what.add_argument(
        "--apart",
        action="store_true",
        help="compare what each benchmark did apart from what all of them share, such as a slow machine; not with "
        "--fail-on, because a change of everything is then gone",
    )
    selection.add_factors(parser)
    view = output.add_view(parser, output.SORTS, machine="file")
    output.add_changed(view)
    output.add_all_rows(view)
    shared.add_mean(view)
    view.add_argument(
        "--quantiles",
        nargs="?",
        const=DECILES,
        metavar="LIST",
        help="show the quantiles of every variant and the shift function, for instance --quantiles=5,50,95 "
        f"({DECILES})",
    )
    view.add_argument(
        "--result",
        metavar="FILE",
        help="also write the result as numbers for statera report comment, and why if nothing can be compared",
    )
    gating.add(parser)
    shared.add_policy(parser)
    shared.add_reading(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Compare, write, and return the exit code."""
    from statera.comparison import pipeline  # noqa: PLC0415 - --help does without

    shared.set_jobs(options.jobs)
    kind = output.kind(options)
    if kind == "csv" and options.quantiles is not None:
        raise Stop("bad-option", "--quantiles adds tables, which CSV does not hold; use -f json, or leave it out")
    gate = gating.gate(options)
    if options.apart and gate is not None:
        raise Stop(
            "bad-option",
            "--apart takes a change of all benchmarks out, which --fail-on must see; leave out one of them",
        )
    request, paths = selection.request(
        options,
        baseline=options.baseline,
        pairs=options.pairs,
        quantiles=levels(options.quantiles),
        own_parts=options.apart,
    )
    settings = shared.settings(options)
    for path in (options.output, options.result):
        output.check(path, [*paths, options.manifest, settings.file])
    with output.Progress("reading"), result_file.failing(options.result, paths):
        comparison = pipeline.compare(
            paths, request, settings, format=options.format, columns=shared.columns(options.column)
        )
        text = shown(comparison, kind, options)
    if options.result is not None:
        result_file.write(options.result, comparison, gate, paths)
    code, words = _code(comparison, gate, options)
    gating.written(text, options, kind, settings, words)
    return shared.left_out(options, comparison.observations) or code


def levels(text: str | None) -> tuple[float, ...]:
    """Parse quantile levels such as ``5,50,95``; an empty text gives none."""
    if text is None:
        return ()
    try:
        levels = tuple(float(word.strip().rstrip("%")) / 100 for word in text.split(","))
    except ValueError:
        levels = (-1.0,)
    if not all(0 <= level <= 1 for level in levels):
        raise Stop("bad-option", f"--quantiles {text}: write per cent with commas between, as in --quantiles=5,50,95")
    return levels


def shown(comparison: Comparison, kind: str, options: argparse.Namespace) -> str:
    """Return a comparison in an output format."""
    width, colour = output.width_and_colour(options) if kind == "terminal" else (None, False)
    layout = views.Layout(width, colour, options.sort or "", options.changed, options.all_rows, options.raw_csv)
    return views.comparison_as(comparison, kind, layout)


def _code(comparison: Comparison, gate: Gate | None, options: argparse.Namespace) -> tuple[int, list[str]]:
    """Return the exit code and the messages for standard error."""
    observations = comparison.observations
    words = []
    said = observations.left_out or observations.counted_apart
    if said and (options.output is not None or options.output_format not in {None, "terminal"}):
        from statera.output.views.terminal import observation_lines  # noqa: PLC0415

        # Outputs for machines state it inside; whoever watches hears it too.
        words += [f"statera: {line}" for line in observation_lines(observations)]
    code, found = gating.examined(comparison, gate)
    return code, words + found
