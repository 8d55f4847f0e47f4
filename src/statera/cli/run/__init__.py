"""``statera run``: run an experiment, and weigh its results."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from statera.cli import gating, output
from statera.cli import options as shared
from statera.cli.run import words

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "run",
        help="run commands in random order, and compare them",
        description="Run commands, or the experiment of a file, in rounds of random order until the difference is "
        "decided, and compare them with the first. Every result is on disk before the next command begins.",
        epilog="examples: statera run './old input' './new input'   |   statera run -r 20 -L threads 1,2,4 "
        "'./program -j {threads}'   |   statera run experiment.toml   |   statera run --resume statera-runs/RUN",
    )
    words.add(parser)
    _add_view(parser)
    gating.add(parser)
    shared.add_judging(parser)
    shared.add_settings(parser.add_argument_group("settings"))
    parser.set_defaults(run=partial(run, parser))


def _add_view(parser: argparse.ArgumentParser) -> None:
    """Add the options of the table at the end; -o names the folder of the run, so that the table goes to the screen."""
    group = parser.add_argument_group("output")
    group.add_argument(
        "-f", "--output-format", choices=output.FORMATS, metavar="FORMAT", help=", ".join(output.FORMATS)
    )
    output.add_appearance(group, output.SORTS, machine="file")
    output.add_all_rows(group)
    group.add_argument("--export-json", metavar="FILE", help="also write the times as JSON, as hyperfine does")


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Run what is asked for, and return the exit code."""
    from statera.cli.run import modes  # noqa: PLC0415 - --help does without

    return modes.chosen(options, parser.parse_args([]))(options)
