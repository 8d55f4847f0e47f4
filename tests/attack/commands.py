"""Command lines: verbs, files and options as users mix them, and as nobody would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mutations import ACTING, EXTREME

from statera.output import plots

if TYPE_CHECKING:
    from random import Random

KINDS = tuple(plots.KINDS)

# Option: values that make sense; None takes none. Others are mixed in below.
READING = {
    "--column": ("value=value",),
    "--strict": None,
    "--limit": ("values=1000", "line=1MiB", "keys=3", "groups=2"),
    "--no-config": None,
    "--jobs": ("1", "2", "0"),
}
SELECTION = {
    "--by": ("variant", "goos", "cpu,goos"),
    "--pair": ("block", "order", "auto"),
    "--unpaired": None,
    "--benchmark": ("*", "!Alpha", "/^A|one/"),
    "--metric": ("*", "/op|time/"),
    "--unit": ("*",),
    "--where": ("file=*",),
    "--all-metrics": None,
    "--pool": ("cpu", "block"),
    "--within": ("cpu", "goos"),
    "--factor": ("a0:x=1",),
    "--name-pattern": ("{a}-{b}",),
}
POLICY = {
    "--alpha": ("0.05", "0.001", "0.49"),
    "--margin": ("5%", "0", "sec/op=1%", "*=900%"),
    "--correction": ("auto", "none", "holm", "westfall-young", "bonferroni"),
    "--omnibus": ("quade", "friedman"),
    "--better": ("*=higher", "sec/op=none"),
    "--scale": ("auto", "difference"),
    "--seed": ("0", "18446744073709551615"),
}
VIEW = {
    "--sort": ("file", "name", "effect", "p", "worst"),
    "--colour": ("always", "never"),
    "--width": ("1", "20", "80", "400"),
    "--raw-csv": None,
}
COMPARED = {
    "--baseline": ("v1", "a1"),
    "--pairs": ("all", "baseline"),
    "--changed": None,
    "--all-rows": None,
    "--quantiles": ("5,50,95", "0,100"),
    "--fail-on": ("worse", "worse:5%", "missing", "inconclusive", "worse,missing"),
    "--accept-one-process": None,
}
INSPECTED = {
    "--aa": None,
    "--raw-csv": None,
    "--splits": ("1", "20"),
    "--cost-run": ("1", "0"),
    "--cost-iteration": ("1e-9",),
}
DRAWN = {"--theme": ("dark", "light"), "--width": ("240", "900"), "--most": ("1", "3"), "--log": None, "--linear": None}


# What options refuse, or should.
WRONG = (
    *ACTING, *EXTREME,
    "nope", ",", "=", "=5%", "%", ":::", "a:b", "{", "{a}{a}", "101", "worse:", "/(/", "/a{99999999999}/",
    "/(a+)+$/", "/(?P<x>/", "1e-300", "-1", "5,x", "99999999999999999999",
)  # fmt: skip


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


def _options(chance: Random, *tables: dict[str, tuple[str, ...] | None]) -> list[str]:
    words = []
    for table in tables:
        for option in chance.sample(sorted(table), k=min(len(table), chance.choice((0, 0, 0, 0, 1, 1, 2)))):
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
    return [*paths, *view, *_options(chance, SELECTION, POLICY, VIEW, COMPARED, READING)]


def _inspect(chance: Random, paths: list[str]) -> list[str]:
    view = ["-f", chance.choice(("terminal", "markdown", "csv", "json"))]
    return [*paths, *view, *_options(chance, SELECTION, POLICY, INSPECTED, READING)]


def _convert(chance: Random, paths: list[str]) -> list[str]:
    return [*paths, "-o", f"out{chance.choice(('.csv', '.ndjson', '.parquet', '.xlsx'))}", *_options(chance, READING)]


def _plot(chance: Random, paths: list[str]) -> list[str]:
    ending = chance.choices((".json", ".svg", ".html", ".png"), (80, 10, 8, 2))[0]
    return [chance.choice(KINDS), *paths, "-o", f"out{ending}", *_options(chance, SELECTION, POLICY, DRAWN, READING)]


def _report(chance: Random, paths: list[str]) -> list[str]:
    ending = chance.choices((".html", ".md", ".pdf"), (80, 15, 5))[0]
    return [*paths, "-o", f"out{ending}", *_options(chance, SELECTION, POLICY, READING)]
