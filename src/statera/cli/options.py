"""Options that verbs share, each declared once."""

from __future__ import annotations

import os
import sys

from statera.support.errors import Stop
from statera.support.settings import Limits, checked
from statera.support.settings.file import Settings, find_file, loaded, settings_words
from statera.support.settings.limits import parse_limits
from statera.support.settings.policy import CORRECTIONS, OMNIBUS, parse_margins
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.reading.observations import Observations


# What a column of a plain table can hold.
COLUMN_ROLES = (
    "benchmark",
    "value",
    "metric",
    "unit",
    "block",
    "process",
    "better",
    "variant",
    "repetition",
    "setting",
    "count",
    "ignore",
)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options that decide how files are read."""
    group = parser.add_argument_group("reading")
    group.add_argument("--format", metavar="NAME", help="read every file as this format (detected from the content)")
    group.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=COLUMN",
        help="in plain tables, what a column holds: benchmark, value, unit, block, process, better, variant, metric (a "
        "result, or the name of the metric), repetition (of one measurement: run* for run1, run2, …), setting (it was "
        "varied), count (of the samples of a mean), or nothing of use (ignore) (repeatable)",
    )
    add_settings(group)
    group.add_argument("--strict", action="store_true", help="exit 2 if any possible result could not be read")
    group.add_argument("--jobs", type=int, default=0, metavar="N", help="number of threads (all cores)")


# Of the largest cluster that Spark may be given; beyond, a number is a mistake.
_MOST_JOBS = 65_536


def set_jobs(jobs: int) -> int:
    """Set the number of threads; 0 means all cores. Freed memory goes back to the system from here on.

    Returns:
        the number of threads, at most the number of cores: more would only wait for each other.

    """
    from statera import _native  # noqa: PLC0415 - --help does without

    if not 0 <= jobs <= _MOST_JOBS:
        raise Stop("bad-option", f"--jobs takes a number of threads up to {_MOST_JOBS}, 0 for all cores, not {jobs}")
    # Zero would leave the number to a variable of the environment, which may ask for any.
    threads = min(jobs or _MOST_JOBS, os.cpu_count() or 1)
    _native.set_jobs(threads)
    _native.return_freed()
    return threads if jobs else 0


def columns(words: list[str]) -> list[tuple[str, str]]:
    """Parse ``ROLE=COLUMN`` words."""
    pairs = []
    for word in words:
        role, equals, column = word.partition("=")
        if not equals or not role or not column:
            raise Stop("bad-option", f"--column {word}: write ROLE=COLUMN, for instance value=elapsed")
        pairs.append((role, column))
    return pairs


def add_policy(parser: argparse.ArgumentParser) -> None:
    """Add the options for thresholds and methods."""
    group = add_judging(parser)
    group.add_argument("--omnibus", choices=OMNIBUS, help="omnibus test over three or more paired variants (friedman)")
    group.add_argument(
        "--scale",
        choices=("auto", "difference"),
        help="express changes as ratios if all values are positive, or always as differences (auto)",
    )
    group.add_argument("--seed", type=int, metavar="N", help="seed of all random numbers; every result records it")


def add_mean(group: argparse._ArgumentGroup) -> None:
    """Add the change of the mean to verbs that show the rows of a comparison."""
    group.add_argument(
        "--mean", action="store_true", default=None, help="show the change of the mean of every row with its interval"
    )


def add_judging(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the thresholds by which any row is judged."""
    group = parser.add_argument_group("policy (also from [tool.statera] in pyproject.toml, or statera.toml)")
    group.add_argument(
        "--alpha", type=float, metavar="P", help="significance level: the accepted probability of a false alarm (0.05)"
    )
    group.add_argument(
        "--margin",
        action="append",
        default=[],
        metavar="[METRIC=]M",
        help="largest relative change that does not matter, for all metrics or for one: 5%% or 'sec/op=5%%' "
        "(times 2%%, counts that vary 0.1%%, others 1%%; repeatable)",
    )
    group.add_argument(
        "--correction",
        choices=CORRECTIONS,
        help="how p-values are corrected for multiple comparisons (auto: chosen from the numbers of runs, "
        "rows and variants)",
    )
    group.add_argument(
        "--better",
        action="append",
        default=[],
        metavar="METRIC=WAY",
        help="direction of a metric: lower, higher or none is better (repeatable)",
    )
    return group


def add_settings(group: argparse._ArgumentGroup) -> None:
    """Add how much may be read, and which settings file is used."""
    group.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"raise or lower a limit on the input, for instance bytes=4GiB: {', '.join(Limits._fields)} (repeatable)",
    )
    group.add_argument("--config", metavar="FILE", help="settings file (the nearest statera.toml or pyproject.toml)")
    group.add_argument("--no-config", action="store_true", help="ignore settings files")


def reading(options: argparse.Namespace) -> Settings:
    """Build the limits: defaults, then the settings file, then the options; the policy is that of the file."""
    path = options.config or (None if options.no_config else _found())
    of_file = loaded(path) if path else Settings()
    return of_file._replace(limits=parse_limits(options.limit, of_file.limits))


def settings(options: argparse.Namespace) -> Settings:
    """Build the policy: defaults, then the settings file, then the options."""
    of_file = reading(options)
    base = of_file.policy
    for name in ("alpha", "correction", "omnibus", "scale", "seed", "mean"):
        value = getattr(options, name, None)
        if value is not None:
            base = base._replace(**{name: value})
    base = parse_margins(options.margin, base)
    for word in options.better:
        pattern, equals, way = word.rpartition("=")
        if not equals:
            raise Stop("bad-option", f"--better {word}: write METRIC=lower, METRIC=higher or METRIC=none")
        base = base._replace(directions=((pattern, way), *base.directions))
    return of_file._replace(policy=checked(base))


def _found() -> str | None:
    """Find the settings file, and report the files that are not used."""
    found = find_file(".")
    for path, why in found.refused:
        say(f"statera: {path} is not used: {why}; --config {path} uses it [settings-refused]")
    return found.path


def say_settings(used: Settings) -> None:
    """Report the settings on standard error, for outputs that have no place for them."""
    words = settings_words(used)
    if words:
        say(f"statera: settings: {words}")


def say(text: str) -> None:
    """Write a message to standard error; text from strangers in it cannot control a terminal."""
    from statera._native import for_terminal  # noqa: PLC0415 - --help does without

    print(for_terminal(text), file=sys.stderr)


def left_out(options: argparse.Namespace, observations: Observations) -> int:
    """Return the exit code for values that were left out: 2, with a message, under ``--strict``."""
    if not options.strict or not observations.left_out:
        return 0
    say(f"statera: {observations.left_out} left out, which --strict does not allow [left-out]")
    return 2
