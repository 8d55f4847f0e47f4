"""Parsed options → request, policy, limits and settings, and what several verbs say on standard error."""

from __future__ import annotations

import os
import sys

from statera import _native
from statera.cli.progress import hide
from statera.comparison.pairing import Factors, Request, load_machine, load_manifest, parse_factor
from statera.support.errors import Stop
from statera.support.settings import checked
from statera.support.settings.file import Settings, find_file, load, settings_words
from statera.support.settings.limits import parse_limits
from statera.support.settings.policy import parse_margins
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from typing import Any, Final

    from statera.reading.observations import Observations


MOST_BLOCKS: Final = 100_000
# Of the largest cluster that Spark may be given; beyond, a number is a mistake.
_MOST_JOBS: Final = 65_536


def set_jobs(jobs: int) -> int:
    """Set the number of threads; 0 means all cores. Freed memory goes back to the system from here on.

    Returns:
        the number of threads, at most the number of cores: more would only wait for each other.

    """
    if not 0 <= jobs <= _MOST_JOBS:
        raise Stop("bad-option", f"--jobs takes a number of threads up to {_MOST_JOBS}, 0 for all cores, not {jobs}")
    # Zero would leave the number to a variable of the environment, which may ask for any.
    threads = min(jobs or _MOST_JOBS, os.cpu_count() or 1)
    _native.set_jobs(threads)
    _native.return_freed()
    return threads if jobs else 0


def reading(options: argparse.Namespace) -> Settings:
    """Build the limits: defaults, then the settings file, then the options; the policy is that of the file."""
    path = options.config or (None if options.no_config else _found())
    of_file = load(path) if path else Settings()
    return of_file._replace(limits=parse_limits(options.limit, of_file.limits))


def settings(options: argparse.Namespace) -> Settings:
    """Build the policy: defaults, then the settings file, then the options; numbers are written as these want it."""
    _native.write_decimal_bytes(getattr(options, "si", False))
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
    hide()
    print(_native.for_terminal(text), file=sys.stderr)


def left_out(options: argparse.Namespace, observations: Observations) -> int:
    """Return the exit code for values that were left out: 2, with a message, under ``--strict``."""
    if not options.strict or not observations.left_out:
        return 0
    say(f"statera: {observations.left_out} left out, which --strict does not allow [left-out]")
    return 2


def request(options: argparse.Namespace, **more: Any) -> tuple[Request, list[str]]:
    """Build the request, and return the paths to read: those that were named, else those in the table of variants."""
    factors = _factors(options)
    paths = list(options.paths or factors.files)
    if not paths:
        raise Stop("bad-option", "nothing to read: name result files, or pass a table of them with --variants")
    return wanted(options, factors=factors, **more), paths


def wanted(options: argparse.Namespace, **more: Any) -> Request:
    """Build the request of the options of ``add_what``."""
    return Request(
        by=keys(options.by),
        pair=options.pair,
        benchmarks=tuple(options.benchmark),
        metrics=tuple(options.metric),
        units=tuple(options.unit),
        where=tuple(_where(word) for word in options.where),
        rename=tuple(options.rename),
        pool=tuple(options.pool),
        within=tuple(options.within),
        all_metrics=options.all_metrics,
        **more,
    )


def keys(word: str) -> tuple[str, ...]:
    """Parse keys with commas between them."""
    return tuple(key for key in word.split(",") if key)


def _factors(options: argparse.Namespace) -> Factors:
    factors = load_manifest(options.manifest) if options.manifest else Factors()
    given = [each for word in options.factor for each in parse_factor(word)]
    machines = [each for word in getattr(options, "machine", ()) for each in load_machine(word)]
    return factors._replace(
        of_label=(*factors.of_label, *given), of_name=tuple(options.name_pattern), of_machine=tuple(machines)
    )


def _where(word: str) -> tuple[str, str]:
    key, equals, pattern = word.partition("=")
    if not equals:
        raise Stop("bad-option", f"--where {word}: write KEY=PATTERN, for instance goos=linux")
    return key, pattern


def number_of_blocks(text: str | None) -> int:
    """Return how many blocks of a row are named; none without ``--blocks``."""
    if text is None:
        return 0
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= MOST_BLOCKS:
        raise Stop("bad-option", f"--blocks {text}: write how many, from 1 to {MOST_BLOCKS:,}, as in --blocks=20")
    return int(text)


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
