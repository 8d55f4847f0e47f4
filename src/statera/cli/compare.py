"""``statera compare``: weigh variants against the first."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from statera.cli import options as shared
from statera.cli.options import silence
from statera.errors import Stop

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from statera.comparison import Comparison
    from statera.pairing import Factors
    from statera.verdicts.gate import Gate

FORMATS = ("terminal", "markdown", "csv", "json")
SORTS = ("file", "name", "effect", "p", "worst")
_ENDINGS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".csv": "csv",
    ".json": "json",
    ".txt": "terminal",
    "": "terminal",
}
_LARGE = 32 << 20
_DECILES = "5,10,20,30,40,50,60,70,80,90,95"


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "compare",
        help="weigh builds against a baseline",
        description="Weigh variants against the first. A variant is a file, a folder, a quoted pattern or - (standard "
        "input); label=path names it; a label given several times is one variant, each of its files a run.",
        epilog="examples: statera compare old.txt new.txt   |   statera compare 'results/*.json' --by toolchain   |   "
        "statera compare main=a.txt pr=b.txt --fail-on worse:5% -f markdown",
    )
    parser.add_argument("variants", nargs="*", metavar="[LABEL=]PATH", help="the baseline first")
    _add_what(parser)
    _add_factors(parser)
    _add_view(parser)
    gate = parser.add_argument_group("gate")
    gate.add_argument(
        "--fail-on",
        metavar="WHAT",
        help="exit 1 on worse[:MARGIN][,missing][,inconclusive]; with a margin the whole interval must lie beyond it",
    )
    gate.add_argument(
        "--accept-one-process",
        action="store_true",
        help="let the gate count rows measured by one process a side",
    )
    shared.add_policy(parser)
    shared.add_reading(parser)
    parser.set_defaults(run=run)


def _add_what(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is compared with what")
    group.add_argument(
        "--by",
        default="",
        metavar="KEY[,KEY]",
        help="the variants are the values of this configuration key or factor; of several, their combinations",
    )
    group.add_argument("--baseline", metavar="LABEL", help="the variant that the others are compared with (the first)")
    pairs = group.add_mutually_exclusive_group()
    pairs.add_argument(
        "--pair", default="auto", metavar="KEY", help="pair by this configuration key, by block or by order"
    )
    pairs.add_argument("--unpaired", action="store_const", const="unpaired", dest="pair", help="use no pairing")
    group.add_argument(
        "--benchmark", action="append", default=[], metavar="PATTERN", help="'*link*', /regex/, '!exclude'"
    )
    group.add_argument("--metric", action="append", default=[], metavar="PATTERN", help="likewise, for metrics")
    group.add_argument("--unit", action="append", default=[], metavar="PATTERN", help="likewise, for units")
    group.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="KEY=PATTERN",
        help="likewise, for configuration keys or file",
    )
    group.add_argument("--all-metrics", action="store_true", help="compare also what the format counts as secondary")
    group.add_argument("--pool", action="append", default=[], metavar="KEY", help="pool over this configuration key")
    group.add_argument(
        "--within", action="append", default=[], metavar="KEY", help="compare at each level of this key or factor apart"
    )
    group.add_argument(
        "--pairs", choices=("baseline", "all"), default="baseline", help="compare with the baseline, or all pairs"
    )


def _add_factors(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("factors that the files do not state")
    group.add_argument(
        "--factor", action="append", default=[], metavar="LABEL:KEY=VALUE", help="of the files with this label"
    )
    group.add_argument(
        "--variants",
        dest="manifest",
        metavar="FILE",
        help="a CSV or TOML table: a column file (or label), the others factors; without PATHs its files are read",
    )
    group.add_argument(
        "--name-pattern",
        action="append",
        default=[],
        metavar="PATTERN",
        help="factors in file names: '{rev}-{ghc}-from'",
    )


def _add_view(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("-f", "--output-format", choices=FORMATS, metavar="FORMAT", help=", ".join(FORMATS))
    group.add_argument("-o", "--output", metavar="FILE", help="write to a file; its ending tells the format")
    group.add_argument("--sort", choices=SORTS, default="file", help="order of the rows (file)")
    group.add_argument("--changed", action="store_true", help="show only rows that changed; the verdicts stay the same")
    group.add_argument(
        "--colour",
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour verdicts (auto)",
    )
    group.add_argument(
        "--quantiles",
        nargs="?",
        const=_DECILES,
        metavar="LIST",
        help=f"show quantiles of every variant and the shift function: --quantiles=5,50,95 ({_DECILES})",
    )
    group.add_argument("--width", type=int, metavar="N", help="columns of the table (the terminal's)")


def run(options: argparse.Namespace) -> int:
    """Compare, write, and give the exit code."""
    from statera import pipeline  # noqa: PLC0415 - --help needs neither
    from statera.pairing import Request  # noqa: PLC0415

    shared.set_jobs(options.jobs)
    if options.width is not None and options.width < 1:
        raise Stop("bad-option", f"--width takes a number of columns from 1 on, not {options.width}")
    gate = _gate(options)
    factors = _factors(options)
    paths = options.variants or factors.files
    if not paths:
        raise Stop("bad-option", "nothing to read: name results, or give a table of them with --variants")
    request = Request(
        by=tuple(key for key in options.by.split(",") if key),
        baseline=options.baseline,
        pair=options.pair,
        benchmarks=tuple(options.benchmark),
        metrics=tuple(options.metric),
        units=tuple(options.unit),
        where=tuple(_where(word) for word in options.where),
        pool=tuple(options.pool),
        within=tuple(options.within),
        all_metrics=options.all_metrics,
        pairs=options.pairs,
        factors=factors,
        quantiles=_levels(options.quantiles),
    )
    policy = shared.policy(options)
    kind = options.output_format or _by_ending(options.output)
    with _Progress(paths):
        comparison = pipeline.compare(
            paths, request, policy, format=options.format, columns=shared.columns(options.column)
        )
        text = _text(comparison, kind, options)
    code, words = _code(comparison, gate, options)
    # Whoever reads the table may close the pipe early; what the gate found holds all the same.
    try:
        _write(text, options.output)
    except BrokenPipeError:
        silence()
    for line in words:
        print(line, file=sys.stderr)
    return code


def _factors(options: argparse.Namespace) -> Factors:
    from statera.pairing import Factors, load_manifest, parse_factor  # noqa: PLC0415 - --help needs none

    factors = load_manifest(options.manifest) if options.manifest else Factors()
    given = [each for word in options.factor for each in parse_factor(word)]
    return factors._replace(of_label=(*factors.of_label, *given), of_name=tuple(options.name_pattern))


def _levels(text: str | None) -> tuple[float, ...]:
    if text is None:
        return ()
    try:
        levels = tuple(float(word.strip().rstrip("%")) / 100 for word in text.split(","))
    except ValueError:
        levels = (-1.0,)
    if not all(0 <= level <= 1 for level in levels):
        raise Stop("bad-option", f"--quantiles {text}: write per cent with commas between, as in --quantiles=5,50,95")
    return levels


def _where(word: str) -> tuple[str, str]:
    key, equals, pattern = word.partition("=")
    if not equals:
        raise Stop("bad-option", f"--where {word}: write KEY=PATTERN, for instance goos=linux")
    return key, pattern


def _by_ending(path: str | None) -> str:
    ending = os.path.splitext(path or "")[1].lower()  # noqa: PTH122 - pathlib costs a tenth of a small comparison
    if ending not in _ENDINGS:
        known = ", ".join(ending for ending in _ENDINGS if ending)
        raise Stop("bad-option", f"-o {path}: no output has this ending ({known}); name the format with -f")
    return _ENDINGS[ending]


def _text(comparison: Comparison, kind: str, options: argparse.Namespace) -> str:
    if kind == "markdown":
        return comparison.to_markdown()
    if kind == "csv":
        from statera.views import csv  # noqa: PLC0415

        return csv.text(comparison, options.sort, changed=options.changed)
    if kind == "json":
        from statera.views import json  # noqa: PLC0415

        return json.text(comparison, options.sort, changed=options.changed)
    from statera.views import terminal  # noqa: PLC0415

    to_terminal = options.output is None and sys.stdout.isatty()
    colour = options.colour == "always" or (
        options.colour == "auto" and to_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    width = options.width or (_columns() if to_terminal else None)
    return terminal.text(comparison, terminal.Look(width, colour, options.sort, options.changed))


def _columns() -> int | None:
    try:
        return int(os.environ.get("COLUMNS", "")) or None
    except ValueError:
        return os.get_terminal_size().columns


def _write(text: str, path: str | None) -> None:
    try:
        _write_to(text, path)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Stop("cannot-write", f"{path or 'standard output'}: {error.strerror}") from None


def _write_to(text: str, path: str | None) -> None:
    if path is None:
        # A name may hold what the terminal's encoding lacks; it is then written as an escape.
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    with open(path, "w", encoding="utf-8", newline="\n") as file:  # noqa: PTH123
        file.write(text)


def _gate(options: argparse.Namespace) -> Gate | None:
    if options.fail_on is None:
        return None
    from statera.verdicts.gate import parse_gate  # noqa: PLC0415 - only where there is a gate

    return parse_gate(options.fail_on, accept_one_process=options.accept_one_process)


def _code(comparison: Comparison, gate: Gate | None, options: argparse.Namespace) -> tuple[int, list[str]]:
    """Give the exit code and what is said beside the output."""
    observations = comparison.observations
    words = []
    code = 0
    if observations.left_out and (options.output is not None or options.output_format not in {None, "terminal"}):
        from statera.views.terminal import reading_lines  # noqa: PLC0415

        # Outputs for machines state it inside; whoever watches hears it too.
        words += [f"statera: {line}" for line in reading_lines(comparison)]
    if gate is not None:
        from statera.verdicts.gate import examine, message  # noqa: PLC0415 - only where there is a gate

        result = examine(gate, comparison.weighing)
        words += message(gate, result, comparison.weighing)
        code = 1 if result.failing else 0
    if options.strict and observations.left_out:
        words.append(f"statera: {observations.left_out} left out, and --strict allows none [left-out]")
        code = 2
    return code, words


class _Progress:
    """A word on standard error while much is read, taken away again when done."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._shown = sys.stderr.isatty() and _size(arguments) > _LARGE
        self._bytes = _size(arguments) if self._shown else 0

    def __enter__(self) -> None:
        if self._shown:
            print(f"statera: weighing {self._bytes / 1e6:,.0f} MB …", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _size(arguments: Sequence[str]) -> int:
    total = 0
    for argument in arguments:
        path = argument if os.path.exists(argument) else argument.partition("=")[2]  # noqa: PTH110
        if os.path.isfile(path):  # noqa: PTH113
            total += os.path.getsize(path)  # noqa: PTH202
        elif os.path.isdir(path):  # noqa: PTH112
            total += sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(path) for name in names)  # noqa: PTH118, PTH202
    return total
