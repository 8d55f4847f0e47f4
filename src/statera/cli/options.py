"""Options that verbs share, each declared once."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from statera.errors import Stop
from statera.settings import Limits, checked
from statera.settings.policy import CORRECTIONS, OMNIBUS, parse_limits, parse_margins
from statera.settings.provenance import Settings, find_file, loaded, settings_words

if TYPE_CHECKING:
    import argparse

    from statera.observations import Observations


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add what decides how files are read."""
    group = parser.add_argument_group("reading")
    group.add_argument(
        "--format", metavar="NAME", help="read every file as this format instead of telling it by content"
    )
    group.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=COLUMN",
        help="plain tables: the column of a benchmark, metric, unit, value, block, process, better, variant",
    )
    group.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"how much may be read: {', '.join(Limits._fields)}; bytes=4GiB (repeatable)",
    )
    group.add_argument(
        "--config", metavar="FILE", help="settings to use instead of the nearest statera.toml or pyproject.toml"
    )
    group.add_argument("--no-config", action="store_true", help="use no settings file")
    group.add_argument("--strict", action="store_true", help="exit 2 when anything that could be a result was left out")
    group.add_argument("--jobs", type=int, default=0, metavar="N", help="threads to use (default: all cores)")


# Of the largest cluster that Spark may be given; beyond, a number is a mistake.
_MOST_JOBS = 65_536


def set_jobs(jobs: int) -> int:
    """Say how many threads may be used; 0 is all cores.

    Returns:
        how many threads of this machine that is: more than it has cores would only wait for each other.

    """
    from statera import _native  # noqa: PLC0415 - --help does without

    if not 0 <= jobs <= _MOST_JOBS:
        raise Stop("bad-option", f"--jobs takes a number of threads up to {_MOST_JOBS}, 0 for all cores, not {jobs}")
    # Zero would leave the number to a variable of the environment, which may ask for any.
    threads = min(jobs or _MOST_JOBS, os.cpu_count() or 1)
    _native.set_jobs(threads)
    return threads if jobs else 0


def columns(words: list[str]) -> list[tuple[str, str]]:
    """Read ``ROLE=COLUMN`` words."""
    pairs = []
    for word in words:
        role, equals, column = word.partition("=")
        if not equals or not role or not column:
            raise Stop("bad-option", f"--column {word}: write ROLE=COLUMN, for instance value=elapsed")
        pairs.append((role, column))
    return pairs


def add_policy(parser: argparse.ArgumentParser) -> None:
    """Add the thresholds and methods."""
    group = parser.add_argument_group("policy (also from [tool.statera] in pyproject.toml, or statera.toml)")
    group.add_argument("--alpha", type=float, metavar="P", help="accepted probability of a false alarm (0.05)")
    group.add_argument(
        "--margin",
        action="append",
        default=[],
        metavar="[METRIC=]M",
        help="change too small to matter: 5%% or 'sec/op=5%%' (time 2%%, varying counts 0.1%%, else 1%%; repeatable)",
    )
    group.add_argument(
        "--correction",
        choices=CORRECTIONS,
        help="of the p-values of all rows (auto: by the numbers of runs, rows and variants)",
    )
    group.add_argument("--omnibus", choices=OMNIBUS, help="test over three or more paired variants (friedman)")
    group.add_argument(
        "--better",
        action="append",
        default=[],
        metavar="METRIC=WAY",
        help="which way a metric is better: lower, higher or none (repeatable)",
    )
    group.add_argument(
        "--scale", choices=("auto", "difference"), help="ratios where all values are positive, or differences"
    )
    group.add_argument("--seed", type=int, metavar="N", help="of everything random; results state it")


def reading(options: argparse.Namespace) -> Settings:
    """Build the limits: defaults, then the settings file, then the options; the policy is that of the file."""
    path = options.config or (None if options.no_config else _found())
    of_file = loaded(path) if path else Settings()
    return of_file._replace(limits=parse_limits(options.limit, of_file.limits))


def settings(options: argparse.Namespace) -> Settings:
    """Build the policy: defaults, then the settings file, then the options."""
    of_file = reading(options)
    base = of_file.policy
    for name in ("alpha", "correction", "omnibus", "scale", "seed"):
        value = getattr(options, name)
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
    """Find the settings file, and name those that are not used."""
    found = find_file(".")
    for path, why in found.refused:
        say(f"statera: {path} is not used: {why}; --config {path} uses it [settings-refused]")
    return found.path


def say_settings(used: Settings) -> None:
    """Name settings on standard error, where an output has no place for them."""
    words = settings_words(used)
    if words:
        say(f"statera: settings: {words}")


def say(text: str) -> None:
    """Write to standard error what people should know; nothing that a stranger wrote in it controls a terminal."""
    from statera._native import for_terminal  # noqa: PLC0415 - --help does without

    print(for_terminal(text), file=sys.stderr)


def left_out(options: argparse.Namespace, observations: Observations) -> int:
    """Give the exit code of what was left out: 2, and a word why, where ``--strict`` allows none."""
    if not options.strict or not observations.left_out:
        return 0
    say(f"statera: {observations.left_out} left out, and --strict allows none [left-out]")
    return 2
