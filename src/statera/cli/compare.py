"""``statera compare``: weigh variants against the first."""

from __future__ import annotations

from statera.cli import arguments, gate, output
from statera.comparison import pipeline
from statera.comparison.codes import chosen
from statera.output import views
from statera.output.views.texts import observation_lines
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts.gate import Gate


def compare(options: argparse.Namespace) -> int:
    """Compare, write, and return the exit code."""
    arguments.set_jobs(options.jobs)
    kind = output.kind(options)
    if kind == "csv" and options.quantiles is not None:
        raise Stop("bad-option", "--quantiles adds tables, which CSV does not hold. Use -f json, or leave it out")
    if kind == "csv" and options.blocks is not None:
        raise Stop("bad-option", "--blocks adds tables, which CSV does not hold. Use -f json, or leave it out")
    only(options)
    asked = gate.parsed(options)
    if options.apart and asked is not None:
        raise Stop(
            "bad-option",
            "--apart takes a change of all benchmarks out, which --fail-on must see. Leave out one of them",
        )
    request, paths = arguments.request(
        options,
        baseline=options.baseline,
        pairs=options.pairs,
        quantiles=arguments.levels(options.quantiles),
        blocks=arguments.number_of_blocks(options.blocks),
        own=options.apart,
    )
    settings = arguments.settings(options)
    for path in (options.output, options.result):
        output.check(path, [*paths, options.manifest, settings.file])
    try:
        comparison = arguments.with_columns(
            lambda roles: pipeline.compare(paths, request, settings, format=options.format, columns=roles),
            options,
            settings,
            asks=True,
        )
        text = shown(comparison, kind, options)
    except Stop as stop:
        _state(stop, options.result, paths)
        from statera.cli import profiles  # noqa: PLC0415 - only where nothing can be judged

        if profiles.asked(paths, options.format):
            return profiles.compare(options, paths)
        raise
    if options.result is not None:
        from statera.cli import result_file  # noqa: PLC0415 - it loads the store, which few comparisons need

        result_file.write(options.result, comparison, asked, paths)
    code, words = _code(comparison, asked, options)
    gate.written(text, options, kind, settings, words)
    return arguments.left_out(options, comparison.observations) or code


def only(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the verdicts whose rows are shown; none for all."""
    return chosen(options.only) if options.only else ()


def shown(comparison: Comparison, kind: str, options: argparse.Namespace) -> str:
    """Return a comparison in an output format."""
    width, colour = output.width_and_colour(options) if kind == "terminal" else (None, False)
    layout = views.Layout(
        width,
        colour,
        options.sort or "",
        options.changed,
        options.all_rows,
        options.raw_csv,
        height=output.height(options) if kind == "terminal" else 0,
        notes=options.all_notes,
        method=options.method,
        only=only(options),
    )
    return views.comparison_as(comparison, kind, layout)


def _state(stop: Stop, path: str | None, paths: list[str]) -> None:
    """Let the result file state why nothing can be compared, if there is one."""
    if path is not None:
        from statera.cli import result_file  # noqa: PLC0415 - as above

        result_file.failed(path, stop, paths)


def _code(comparison: Comparison, asked: Gate | None, options: argparse.Namespace) -> tuple[int, list[str]]:
    """Return the exit code and the messages for standard error."""
    observations = comparison.observations
    words = arguments.no_blocks(options.blocks, [comparison])
    said = observations.left_out or observations.counted_apart
    if said and (options.output is not None or options.output_format not in {None, "terminal"}):
        # Outputs for machines state it inside; whoever watches hears it too.
        words += [f"statera: {line}" for line in observation_lines(observations)]
    code, found = gate.examined(comparison, asked)
    return code, words + found
