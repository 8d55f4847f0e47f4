"""``statera inspect``: whether benchmarks are fit to be compared, and how often a build differs from itself."""

from __future__ import annotations

from statera.cli import options as shared
from statera.cli import output, selection
from statera.cli.streams import silence
from statera.output import views
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.comparison.results.inspection import Inspection

SORTS = ("defects", "file", "name")


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "inspect",
        help="check whether benchmarks are fit to be compared",
        description="Examine each benchmark of each variant by itself: spread, normality, modes, drift, warm-up, and "
        "the smallest change that this number of runs can detect. With --aa, compare one build with itself.",
        epilog="examples: statera inspect new.txt   |   statera inspect runs/ --cost-run 2   |   "
        "statera inspect --aa new.txt new-again.txt",
    )
    parser.add_argument("paths", nargs="*", metavar="[LABEL=]PATH", help="results; one is enough")
    selection.add_what(parser, "what is inspected")
    selection.add_factors(parser)
    plan = parser.add_argument_group("costs")
    plan.add_argument(
        "--cost-run", type=float, metavar="SECONDS", help="time that a run takes before its first iteration"
    )
    plan.add_argument(
        "--cost-iteration",
        type=float,
        metavar="SECONDS",
        help="time that an iteration takes (its typical value, if the metric is a time)",
    )
    test = parser.add_argument_group("self-test")
    test.add_argument(
        "--aa",
        action="store_true",
        help="A/A test: all results come from one build; split them many times and compare the halves",
    )
    test.add_argument("--splits", type=int, default=200, metavar="N", help="maximum number of splits (200)")
    test.add_argument(
        "--propose",
        action="store_true",
        help="with --aa: write how much sessions differ, and the noise floor of each metric, as lines of statera.toml, "
        "and nothing else",
    )
    output.add_view(parser, SORTS)
    shared.add_policy(parser)
    shared.add_reading(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Inspect, write, and return the exit code."""
    from statera.comparison import pipeline  # noqa: PLC0415 - --help does without

    shared.set_jobs(options.jobs)
    kind = "toml" if options.propose else output.kind(options)
    if options.propose and not options.aa:
        raise Stop("bad-option", "--propose writes what an A/A test measures; add --aa")
    if options.propose and options.output_format:
        raise Stop("bad-option", "--propose writes lines of TOML; leave out -f")
    if not 1 <= options.splits <= 1_000_000:  # noqa: PLR2004 - more would never end
        raise Stop("bad-option", f"--splits takes a number from 1 to 1000000, not {options.splits}")
    request, paths = selection.request(options)
    settings = shared.settings(options)
    output.check(options.output, [*paths, options.manifest, settings.file])
    with output.Progress("reading"):
        inspection = pipeline.inspect(
            paths,
            request,
            settings,
            costs=(options.cost_run, options.cost_iteration),
            splits=options.splits if options.aa else None,
            format=options.format,
            columns=shared.columns(options.column),
        )
        text = shown(inspection, kind, options)
    try:
        output.write(text, options.output, kind)
    except BrokenPipeError:
        silence()
    if kind in {"csv", "toml"}:
        shared.say_settings(settings)
    return _code(inspection, options)


def shown(inspection: Inspection, kind: str, options: argparse.Namespace) -> str:
    """Return an inspection in an output format."""
    width, colour = output.width_and_colour(options) if kind == "terminal" else (None, False)
    return views.inspection_as(inspection, kind, views.Layout(width, colour, options.sort, raw=options.raw_csv))


def _code(inspection: Inspection, options: argparse.Namespace) -> int:
    observations = inspection.observations
    said = observations.left_out or observations.counted_apart
    if said and (options.output is not None or options.output_format not in {None, "terminal"}):
        from statera.output.views.terminal import observation_lines  # noqa: PLC0415

        # Outputs for machines state it inside; whoever watches hears it too.
        for line in observation_lines(observations):
            shared.say(f"statera: {line}")
    return shared.left_out(options, observations)
