"""Parsed options → request, policy, limits, settings and roles of columns, and what several verbs say."""

from __future__ import annotations

import os
import sys

from statera import _native
from statera.cli.ending import READS_WITH
from statera.cli.options import DOCUMENTS, FORMATS, OPTIONS
from statera.cli.progress import hide, paused
from statera.comparison.pairing import Factors, Request, load_machine, load_manifest, parse_factor
from statera.reading import formats
from statera.support.errors import Stop
from statera.support.settings import checked
from statera.support.settings.file import Settings, find_file, load, settings_words
from statera.support.settings.limits import parse_limits
from statera.support.settings.policy import parse_margins
from statera.support.typed import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    from statera.comparison.results.comparison import Comparison
    from statera.reading.observations import Observations

    Roles = list[tuple[str, str]]

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
    _refuse_of_outputs(options)
    path = options.config or (None if options.no_config else _found())
    of_file = load(path, _is_option) if path else Settings()
    return of_file._replace(limits=parse_limits(options.limit, of_file.limits))


def _refuse_of_outputs(options: argparse.Namespace) -> None:
    """Refuse the format of an output where that of the results is stated."""
    format = getattr(options, "format", None)
    meant = dict.fromkeys(FORMATS, f"-f {format}") if hasattr(options, "output_format") else {}
    meant |= dict.fromkeys(DOCUMENTS, f"statera report -o FILE.{format}")
    if format in meant and not formats.is_known(format):
        raise Stop("no-such-format", f"--format {format}: no results have this format; did you mean {meant[format]}?")


def _is_option(flag: str) -> bool:
    return any(each.flag == flag for each in OPTIONS.values())


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


def no_blocks(text: str | None, comparisons: Iterable[Comparison]) -> list[str]:
    """Return what to say if ``--blocks`` was given and no row has blocks."""
    if text is None or any(comparison.changed_blocks(1) for comparison in comparisons):
        return []
    return ["statera: --blocks names none, because no row with a ratio is paired. --pair KEY pairs values"]


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


T = TypeVar("T")


def said(options: argparse.Namespace) -> Roles:
    """Parse the ``ROLE=COLUMN`` words of ``--column``."""
    pairs = []
    for word in options.column:
        role, equals, column = word.partition("=")
        if not equals or not role or not column:
            raise Stop("bad-option", f"--column {word}: write ROLE=COLUMN, for instance value=elapsed")
        pairs.append((role, column))
    return pairs


def with_columns(
    read: Callable[[Roles], T], options: argparse.Namespace, settings: Settings, *, asks: bool = False
) -> T:
    """Read with the roles of the options; where a table needs others, with those of ``[columns]`` in the settings.

    ``read`` raises a Stop that has the question of a table, which ``asks`` lets somebody on a terminal answer.
    """
    roles = said(options)
    try:
        return read(roles)
    except Stop as stop:
        _, found, rest = str(stop).partition(f"\n{READS_WITH} ")
        if not found:
            raise
        named = {name for _, name in roles}
        more = [pair for pair in settings.columns if pair[1] not in named]
        of_settings = bool(more)
        if not more and asks:
            more = _answered(str(stop), rest.partition("\n")[0])
        # Standard input cannot be read twice.
        if not more or _has_standard_input(options):
            raise
    try:
        return read([*roles, *more])
    except Stop as stop:
        if not of_settings:
            raise
        raise Stop(stop.code, f"{stop}\nThe roles are those of [columns] in {settings.file}.") from None


def _has_standard_input(options: argparse.Namespace) -> bool:
    given = vars(options)
    words = given.get("paths") or given.get("inputs") or ()
    return any(word.rpartition("=")[2] == "-" for word in words)


def _answered(question: str, proposal: str) -> Roles:
    """Ask whether to read a table as it is proposed; no roles if nobody can answer, or says no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return []
    import shlex  # noqa: PLC0415 - only where somebody answers

    words = [word.partition("=") for word in shlex.split(proposal) if word != "--column"]
    if any(word == "--format" for word, _, _ in words):
        return []
    for end in ("\nOtherwise:", "\nIf it is no such table:"):
        question = question.partition(end)[0]
    with paused():
        say(f"statera: {question}")
        print("Read it so? [Y/n] ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline().strip().lower()
    if answer not in {"", "y", "yes"}:
        return []
    roles = [(role, name) for role, _, name in words]
    say("To keep the answer, add to statera.toml:\n" + _table(roles))
    return roles


def _table(roles: Roles) -> str:
    import json  # noqa: PLC0415 - as above

    names: dict[str, list[str]] = {}
    for role, name in roles:
        names.setdefault(role, []).append(name)
    written = (f"{role} = {json.dumps(of, ensure_ascii=False)}" for role, of in names.items())
    return "\n".join(["[columns]", *written])
