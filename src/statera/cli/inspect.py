"""``statera inspect``: whether benchmarks are fit to be compared, and how often a build differs from itself."""

from __future__ import annotations

from statera.cli import arguments, output
from statera.cli.streams import silence
from statera.comparison import pipeline
from statera.output import views
from statera.output.views.texts import observation_lines
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.comparison.results.inspection import Inspection

# More would never end.
_MOST_SPLITS = 1_000_000


def inspect(options: argparse.Namespace) -> int:
    """Inspect, write, and return the exit code."""
    arguments.set_jobs(options.jobs)
    kind = "toml" if options.propose else output.kind(options)
    if options.propose and not options.aa:
        raise Stop("bad-option", "--propose writes what an A/A test measures. Add --aa")
    if options.propose and options.output_format:
        raise Stop("bad-option", "--propose writes lines of TOML. Leave out -f")
    if not 1 <= options.splits <= _MOST_SPLITS:
        raise Stop("bad-option", f"--splits takes a number from 1 to {_MOST_SPLITS}, not {options.splits}")
    request, paths = arguments.request(options)
    settings = arguments.settings(options)
    output.check(options.output, [*paths, options.manifest, settings.file])
    inspection = arguments.with_columns(
        lambda roles: pipeline.inspect(
            paths,
            request,
            settings,
            costs=(options.cost_run, options.cost_iteration),
            splits=options.splits if options.aa else None,
            format=options.format,
            columns=roles,
        ),
        options,
        settings,
        asks=True,
    )
    text = shown(inspection, kind, options)
    try:
        output.write(text, options.output, kind)
    except BrokenPipeError:
        silence()
    if kind in {"csv", "toml"}:
        arguments.say_settings(settings)
    return _code(inspection, options)


def shown(inspection: Inspection, kind: str, options: argparse.Namespace) -> str:
    """Return an inspection in an output format."""
    width, colour = output.width_and_colour(options) if kind == "terminal" else (None, False)
    return views.inspection_as(inspection, kind, views.Layout(width, colour, options.sort, raw=options.raw_csv))


def _code(inspection: Inspection, options: argparse.Namespace) -> int:
    observations = inspection.observations
    said = observations.left_out or observations.counted_apart
    if said and (options.output is not None or options.output_format not in {None, "terminal"}):
        # Outputs for machines state it inside; whoever watches hears it too.
        for line in observation_lines(observations):
            arguments.say(f"statera: {line}")
    return arguments.left_out(options, observations)
