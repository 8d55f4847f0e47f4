"""Command lines: verbs, files and options as users mix them, and as nobody would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mutations import ACTING, EXTREME

from statera.cli import verbs
from statera.cli.options import FLAG, OPTIONS, SET
from statera.output import plots

if TYPE_CHECKING:
    from random import Random

KINDS = tuple(plots.KINDS)

# Values that make sense; other options have those of their choices, or none. Wrong ones are mixed in below.
VALUES = {
    "--column": ("value=value",),
    "--limit": ("values=1000", "line=1MiB", "keys=3", "groups=2"),
    "--jobs": ("1", "2", "0"),
    "--by": ("variant", "goos", "cpu,goos"),
    "--pair": ("block", "order", "auto"),
    "--benchmark": ("*", "!Alpha", "/^A|one/"),
    "--metric": ("*", "/op|time/"),
    "--unit": ("*",),
    "--where": ("file=*",),
    "--rename": ("Alpha=Beta",),
    "--pool": ("cpu", "block"),
    "--within": ("cpu", "goos"),
    "--factor": ("a0:x=1",),
    "--name-pattern": ("{a}-{b}",),
    "--alpha": ("0.05", "0.001", "0.49"),
    "--margin": ("5%", "0", "sec/op=1%", "*=900%"),
    "--better": ("*=higher", "sec/op=none"),
    "--seed": ("0", "18446744073709551615"),
    "--width": ("1", "20", "80", "240", "900"),
    "--baseline": ("v1", "a1"),
    "--quantiles": ("5,50,95", "0,100"),
    "--fail-on": ("worse", "worse:5%", "missing", "inconclusive", "worse,missing"),
    "--splits": ("1", "20"),
    "--cost-run": ("1", "0"),
    "--cost-iteration": ("1e-9",),
    "--most": ("1", "3"),
    "--zoom": ("1", "0.5"),
    "--title": ("Title", "<b>"),
    "--picture-base": ("https://example.org/p",),
}
# The files that it writes and the settings that it reads are chosen below.
LEFT_OUT = {"--output", "--output-format", "--result", "--config", "--variants", "--format", "--notes"}


def options_of(verb: str) -> dict[str, tuple[str, ...] | None]:
    """Give every option that a verb takes, with values; None takes none."""
    found: dict[str, tuple[str, ...] | None] = {}
    for key in verbs.found(verb.split())[0].keys:
        option = OPTIONS[key]
        if option.is_argument or option.flag in LEFT_OUT:
            continue
        choices = option.choices if isinstance(option.choices, tuple) else ()
        takes = option.kind not in {FLAG, SET}
        found[option.flag] = VALUES.get(option.flag) or choices or WRONG[:1] if takes else None
    return found


# What options refuse, or should.
WRONG = (
    *ACTING, *EXTREME,
    "nope", ",", "=", "=5%", "%", ":::", "a:b", "{", "{a}{a}", "101", "worse:", "/(/", "/a{99999999999}/",
    "/(a+)+$/", "/(?P<x>/", "1e-300", "-1", "5,x", "99999999999999999999",
)  # fmt: skip


OF = {verb: options_of(verb) for verb in ("compare", "inspect", "convert", "plot", "report")}


def command(chance: Random, files: list[str]) -> list[str]:
    """Make up a command line over some of the files; outputs stay in the current folder."""
    verb = chance.choices(("compare", "inspect", "convert", "plot", "report", "explain"), (60, 16, 10, 8, 2, 1))[0]
    made = {"compare": _compare, "inspect": _inspect, "convert": _convert, "plot": _plot, "report": _report}
    if verb == "explain":
        return ["explain", chance.choice((*ACTING, "worse", "drift", "nope"))]
    return [verb, *made[verb](chance, _arguments(chance, files, 1 if verb in {"inspect", "convert"} else 2))]


def _arguments(chance: Random, files: list[str], usual: int) -> list[str]:
    count = usual if chance.random() < 0.85 else chance.choice((0, 1, 2, 3))
    chosen = files[:count] if chance.random() < 0.9 else [chance.choice(files) for _ in range(count)]
    if chance.random() < 0.4:
        # A label is what stands before the first equals sign, and holds no slash.
        label = chance.choice(("a", "b", "old", *ACTING)).translate({0: "0", ord("/"): "_", ord("="): "_"})
        chosen = [f"{label}{number}={name}" for number, name in enumerate(chosen)]
    if chance.random() < 0.03:
        chosen.append(chance.choice(("absent", ".", "*.txt", "-", "[", "**")))
    return chosen


def _options(chance: Random, table: dict[str, tuple[str, ...] | None]) -> list[str]:
    words = []
    for option in chance.sample(sorted(table), k=chance.choice((0, 0, 0, 1, 1, 2, 3))):
        values = table[option]
        if values is None:
            words.append(option)
        elif chance.random() < 0.93:
            words.append(f"{option}={chance.choice(values)}")
        else:
            words.append(f"{option}={chance.choice(WRONG)}".replace("\0", "0"))
    return words


def _compare(chance: Random, paths: list[str]) -> list[str]:
    if paths and paths[0].endswith(".csv") and chance.random() < 0.7:
        paths = [*paths, "--by=variant"]
    view = ["-f", chance.choice(("terminal", "markdown", "csv", "json"))]
    return [*paths, *view, *_options(chance, OF["compare"])]


def _inspect(chance: Random, paths: list[str]) -> list[str]:
    view = ["-f", chance.choice(("terminal", "markdown", "csv", "json"))]
    return [*paths, *view, *_options(chance, OF["inspect"])]


def _convert(chance: Random, paths: list[str]) -> list[str]:
    return [
        *paths,
        "-o",
        f"out{chance.choice(('.csv', '.ndjson', '.parquet', '.xlsx'))}",
        *_options(chance, OF["convert"]),
    ]


def _plot(chance: Random, paths: list[str]) -> list[str]:
    ending = chance.choices((".json", ".svg", ".html", ".png"), (80, 10, 8, 2))[0]
    return [chance.choice(KINDS), *paths, "-o", f"out{ending}", *_options(chance, OF["plot"])]


def _report(chance: Random, paths: list[str]) -> list[str]:
    ending = chance.choices((".html", ".md", ".pdf"), (80, 15, 5))[0]
    return [*paths, "-o", f"out{ending}", *_options(chance, OF["report"])]
