"""Options that select variants, pairs, benchmarks and metrics; several verbs share them."""

from __future__ import annotations

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from statera.comparison.pairing import Factors, Request


def add_by(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Add the options that select variants."""
    group = parser.add_argument_group(title)
    group.add_argument(
        "--by",
        default="",
        metavar="KEY[,KEY]",
        help="compare the values of this configuration key, factor or part of names ('size' in 'Encode/size=64'); with "
        "several keys, their combinations",
    )
    return group


def add_pairs(group: argparse._ArgumentGroup) -> None:
    """Add which variants are compared with each other."""
    group.add_argument("--baseline", metavar="LABEL", help="label of the baseline (the first variant)")
    group.add_argument(
        "--pairs",
        choices=("baseline", "all"),
        default="baseline",
        help="compare each variant with the baseline, or all pairs (baseline)",
    )


def add_metrics(group: argparse._ArgumentGroup) -> None:
    """Add which metrics are looked at."""
    group.add_argument(
        "--metric",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only metrics whose name matches: '*alloc*', /regex/ or '!exclude' (repeatable)",
    )


def add_what(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """Add the options that select variants, pairs, benchmarks and metrics."""
    group = add_by(parser, title)
    pairs = group.add_mutually_exclusive_group()
    pairs.add_argument(
        "--pair",
        default="auto",
        metavar="KEY",
        help="pair samples by this configuration key, by 'block' or by 'order' (by block if the format has blocks)",
    )
    pairs.add_argument(
        "--unpaired",
        action="store_const",
        const="unpaired",
        dest="pair",
        help="treat samples as independent even if they could be paired",
    )
    group.add_argument(
        "--benchmark",
        action="append",
        default=[],
        metavar="PATTERN",
        help="only benchmarks with this name or, if there is none, with this text in their name; or '*link*', /regex/, "
        "'!exclude' (repeatable)",
    )
    add_metrics(group)
    group.add_argument(
        "--rename",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="benchmark OLD of a build is NEW of another (repeatable)",
    )
    group.add_argument(
        "--unit", action="append", default=[], metavar="PATTERN", help="only matching units (repeatable)"
    )
    group.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="KEY=PATTERN",
        help="only results whose configuration key, or file, matches (repeatable)",
    )
    group.add_argument(
        "--all-metrics", action="store_true", help="include the metrics that the format marks as secondary"
    )
    group.add_argument(
        "--pool",
        action="append",
        default=[],
        metavar="KEY",
        help="combine the values of this configuration key instead of comparing them separately (repeatable)",
    )
    group.add_argument(
        "--within",
        action="append",
        default=[],
        metavar="KEY",
        help="compare separately at each level of this key or factor (repeatable)",
    )
    return group


def add_factors(parser: argparse.ArgumentParser) -> None:
    """Add the options that assign factors to files."""
    group = parser.add_argument_group("factors that the files do not state")
    group.add_argument(
        "--factor",
        action="append",
        default=[],
        metavar="LABEL:KEY=VALUE",
        help="set a factor of the files with this label (repeatable)",
    )
    group.add_argument(
        "--variants",
        dest="manifest",
        metavar="FILE",
        help="CSV or TOML table of variants: one column 'file' or 'label', the other columns are factors; its "
        "files are read if no PATH is given",
    )
    group.add_argument(
        "--name-pattern",
        action="append",
        default=[],
        metavar="PATTERN",
        help="read factors from file names, for instance '{rev}-{ghc}-from' (repeatable)",
    )


def request(options: argparse.Namespace, **more: Any) -> tuple[Request, list[str]]:
    """Build the request, and return the paths to read: those that were named, else those in the table of variants."""
    factors = _factors(options)
    paths = list(options.paths or factors.files)
    if not paths:
        raise Stop("bad-option", "nothing to read: name result files, or pass a table of them with --variants")
    return wanted(options, factors=factors, **more), paths


def wanted(options: argparse.Namespace, **more: Any) -> Request:
    """Build the request of the options of ``add_what``."""
    from statera.comparison.pairing import Request  # noqa: PLC0415 - --help needs none

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
    from statera.comparison.pairing import Factors, load_manifest, parse_factor  # noqa: PLC0415 - --help needs none

    factors = load_manifest(options.manifest) if options.manifest else Factors()
    given = [each for word in options.factor for each in parse_factor(word)]
    return factors._replace(of_label=(*factors.of_label, *given), of_name=tuple(options.name_pattern))


def _where(word: str) -> tuple[str, str]:
    key, equals, pattern = word.partition("=")
    if not equals:
        raise Stop("bad-option", f"--where {word}: write KEY=PATTERN, for instance goos=linux")
    return key, pattern
