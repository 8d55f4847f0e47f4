"""The claims about verdicts and intervals, and whether the simulation confirms them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from calibration_looks import WHOLE
from calibration_tables import columns_of, counted_in, holds_from, markdown, rows_of, within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration_tables import Cells, Share

ALPHA = 0.05
# The part of it that tails and spreads take.
TAILS = 0.1 * ALPHA
# Among hundreds of cells, one in twenty deviates by more than two standard errors by chance, one in 700 by more than
# three.
ERRORS = 3.0


def table(cells: Cells) -> list[str]:
    rows = [[what, "yes" if met else "**no**", how] for what, met, how in _claims(cells)]
    return markdown(["what is asked for", "met", "found"], rows)


def _claims(cells: Cells) -> Iterator[tuple[str, bool, str]]:
    for words, name, counted, columns in (
        ("a benchmark by itself is called changed in at most 5 %", "alone", "alarms", "runs"),
        ("a suite of 50 has any false alarm in at most 5 %", "suite", "any", "runs"),
        ("three variants: any pair is called changed in at most 5 %", "three", "any", "runs"),
        ("three variants of 50 benchmarks: any in at most 5 %", "three-of-fifty", "any", "runs"),
        ("iterations inside processes: changed in at most 5 %", "nested", "known", "processes"),
    ):
        found = {(row, n): s for (t, row, n, c), s in cells.items() if t == name and c == counted}
        independent = {key: share for key, share in found.items() if not key[0].startswith("AR")}
        yield (words, *_at_most(independent, columns))
    called = [share for (t, _, _, c), share in cells.items() if (t, c) == ("processes", "called")]
    alarms = sum(share.count for share in called)
    yield ("one process per build is never better or worse", alarms == 0, f"{alarms} of {sum(s.of for s in called):,}")
    found = {(row, n): share for (t, row, n, _), share in cells.items() if t == "prediction" and row == "normal"}
    yield ("one new run against several, normal: changed in at most 5 %", *_at_most(found, "runs"))
    yield ("intervals of the typical change hold it as often as their level says", *_covered(cells, "change", "level"))
    yield ("so do intervals of a median", *_covered(cells, "median", "median level"))
    bands = [share for key, share in cells.items() if key[0] == "bands"]
    shares = [share.value for share in bands]
    yield ("bands of the shift function hold in 93.5 to 97 %", within(bands), _range(shares))
    for name, words in (("bootstrap", "bootstrap"), ("series", "bootstrap by blocks")):
        for counted in counted_in(cells, name):
            least = holds_from(cells, name, counted)
            where = f"from {least} values on; withheld below" if least != "-" else "at no size tried"
            yield (f"{words}, {counted}: 93.5 to 97 %", least != "-", where)
    yield ("the interval of a suite's mean change holds it in at least 95 %", *_means(cells))
    yield _tails(cells)
    yield _hidden(cells)
    yield from _dependence(cells)
    yield from _neighbours(cells)
    yield from _looks(cells)
    yield _never_falls(cells)
    yield _advice(cells)
    yield _warm_up(cells)
    steady = {(row, n): s for (t, row, n, c), s in cells.items() if t == "change-points" and c == "0"}
    yield ("a steady series of 50 values or more shows a change point in at most 5 %", *_at_most(steady, "values"))
    yield ("an unchanged row of normal or lognormal noise carries each warning in at most 2 %", *_warned(cells))
    for noise, share in (("normal", 0.9), ("heavy-tailed", 1.0)):
        pairs = _beside_welch(cells, noise)
        met = all(ours > share * theirs for ours, theirs in pairs)
        ratios = ", ".join(f"{ours / theirs:.2f}" for ours, theirs in pairs)
        more = "more than" if share == 1.0 else f"at least {share} of"
        yield (f"a single 5 % at 20 + 20 runs, {noise} noise: {more} the power of Welch's t", met, f"{ratios} of it")


def _at_most(found: dict[tuple[str, str], Share], columns: str) -> tuple[bool, str]:
    (row, n), worst = max(found.items(), key=lambda item: item[1].value)
    met = all(share.value <= ALPHA + ERRORS * share.error(ALPHA) for share in found.values())
    return met, f"at most {worst.percent} ± {100 * worst.error(ALPHA):.1f} ({row}, {n} {columns})"


def _covered(cells: Cells, held: str, level: str) -> tuple[bool, str]:
    worst, where, met = 1.0, "", True
    for row in rows_of(cells, "coverage"):
        for n in columns_of(cells, "coverage"):
            attained, share = (cells["coverage", row, n, counted] for counted in (level, held))
            if attained.count == 0:
                continue
            met &= share.value >= attained.value - ERRORS * share.error(attained.value)
            if share.value - attained.value < worst:
                worst, where = share.value - attained.value, f"{share.percent} for {attained.percent} % ({row}, {n})"
    return met, f"at worst {where}"


def _range(shares: list[float]) -> str:
    return f"{100 * min(shares):.1f} to {100 * max(shares):.1f} %"


def _means(cells: Cells) -> tuple[bool, str]:
    """Return the number of runs from which there is an interval, and its worst coverage."""
    found = {(row, n): share for (t, row, n, _), share in cells.items() if t == "mean" and share.of}
    (row, n), worst = min(found.items(), key=lambda item: item[1].value)
    met = all(share.value >= 1 - ALPHA - ERRORS * share.error(ALPHA) for share in found.values())
    return met, f"at worst {worst.percent} % ({row}, {n} runs); withheld below {min(int(n) for _, n in found)} runs"


def _tails(cells: Cells) -> tuple[str, bool, str]:
    """Return how often a tail or a spread is called in a suite of which nothing changed, bursts included."""
    found = {(row, n): s for (t, row, n, c), s in cells.items() if t == "tails" and c == "tail or spread"}
    (row, n), worst = max(found.items(), key=lambda item: item[1].value)
    met = all(share.value <= TAILS + ERRORS * share.error(TAILS) for share in found.values())
    words = "a suite of 50 has any false alarm of a tail or spread in at most 0.5 %"
    return (words, met, f"at most {worst.percent} ± {100 * worst.error(TAILS):.1f} ({row}, {n} runs)")


def _hidden(cells: Cells) -> tuple[str, bool, str]:
    """Return how often a row is equivalent although 15 % of its runs take twice as long."""
    row = "15 % at ×2, before none"
    shares = {n: cells["tails-found", row, n, "equivalent"] for n in columns_of(cells, "tails-found")}
    found = ", ".join(f"{share.percent} % at {n}" for n, share in shares.items())
    met = all(share.value <= 0.25 for share in shares.values()) and shares["40"].value <= 0.1
    return ("15 % of the runs at twice the time: equivalent in at most 25 %, at 40 runs in 10 %", met, found)


def _dependence(cells: Cells) -> Iterator[tuple[str, bool, str]]:
    """Return the false alarms of values that depend on the one before, where they are promised their level."""
    suites = {(row, n): s for (t, row, n, c), s in cells.items() if (t, c) == ("dependent-suite", "any")}
    whole = {key: share for key, share in suites.items() if "half" not in key[0] and int(key[1]) >= 8}
    words = "values that depend on the one before, 8 runs on: a suite of 50 has any false alarm in at most 5 %"
    yield (words, *_at_most(whole, "runs"))
    alone = [cells["dependent-alone", "AR(1) 0.5", n, "any"] for n in ("20", "50")]
    most = 0.07
    met = all(share.value <= most + ERRORS * share.error(most) for share in alone)
    yield ("a benchmark by itself with AR(1) 0.5 at 20 and 50 runs: at most 7 %", met, _range([s.value for s in alone]))


def _neighbours(cells: Cells) -> Iterator[tuple[str, bool, str]]:
    for counted, words in (("run", "a run of another row"), ("row", "another row")):
        found = {(row, n): s for (t, row, n, c), s in cells.items() if (t, c) == ("neighbours", counted)}
        worst = max(share.value for share in found.values())
        most = 0.01
        met = all(share.value <= most + ERRORS * share.error(most) for share in found.values())
        yield (f"{words} less changes a verdict in at most 1 % of suites", met, f"at most {100 * worst:.1f} %")


def _looks(cells: Cells) -> Iterator[tuple[str, bool, str]]:
    """Return the false alarms and the coverage of experiments that end when they are decided, and their rounds."""
    found = {(row, sd): s for (t, row, sd, c), s in cells.items() if (t, c) == ("looks", "any")}
    words = "an experiment that ends when it is decided, of up to 20 benchmarks: any false alarm in at most 5 %"
    yield (words, *_at_most(found, "% noise"))
    held = {
        (row, t, sd): s for (t, row, sd, c), s in cells.items() if t.startswith("looks") and c == "held" and t != WHOLE
    }
    (row, _, _), worst = min(held.items(), key=lambda item: item[1].value)
    met = all(share.value >= 1 - ALPHA - ERRORS * share.error(ALPHA) for share in held.values())
    yield ("its intervals at the end hold the change in at least 95 %", met, f"at worst {worst.percent} % ({row})")
    rounds = cells["looks-changed", "normal: one benchmark", "2", "rounds"].value
    yield ("it decides 5 % at 2 % normal noise in at most 12 rounds on average", rounds <= 12, f"{rounds:.1f} rounds")


def _never_falls(cells: Cells) -> tuple[str, bool, str]:
    """Return the largest loss of power from one number of runs to the next."""
    losses = []
    for row in rows_of(cells, "among-many"):
        if row.endswith("| default"):
            found = [cells["among-many", row, n, "found"].value for n in columns_of(cells, "among-many")]
            losses += [before - after for before, after in pairwise(found)]
    return (
        "power never falls by more than 2 points as runs are added",
        max(losses) <= 0.02,
        f"{100 * max(losses):.1f}",
    )


def _advice(cells: Cells) -> tuple[str, bool, str]:
    """Return how often the runs needed find a change of the margin, from pilots of four runs on."""
    found = [s for (t, _, n, counted), s in cells.items() if t == "advice" and counted == "found" and int(n) >= 4]
    shares = [share.value for share in found]
    return ("the runs needed find a change of the margin in 75 to 92 %", within(found, 0.75, 0.92), _range(shares))


def _warm_up(cells: Cells) -> tuple[str, bool, str]:
    """Return how often a warm-up is reported where at most one expert sees one."""
    seen = [s for (t, row, *_), s in cells.items() if t == "warm-up" and row != "warm-up to both"]
    worst = max(share.value for share in seen)
    return (
        "a warm-up is reported in at most 15 % of the runs without one",
        worst <= 0.15,
        f"at most {100 * worst:.1f} %",
    )


def _warned(cells: Cells) -> tuple[bool, str]:
    """Return the largest share of rows with a warning about their values or medians."""
    rows = ("normal", "lognormal")
    found = {(c, row, n): s for (t, row, n, c), s in cells.items() if t == "warnings" and row in rows}
    (warning, row, n), worst = max(found.items(), key=lambda item: item[1].value)
    most = 0.02
    met = all(share.value <= most + ERRORS * share.error(most) for share in found.values())
    return met, f"at most {worst.percent} ± {100 * worst.error(most):.1f} ({warning}, {row}, {n} runs)"


def _beside_welch(cells: Cells, noise: str) -> list[tuple[float, float]]:
    rows = [row for row in rows_of(cells, "beside-welch") if row.startswith(noise)]
    names = ("statera: found", "Welch: found")
    both = [tuple(cells["beside-welch", row, "20", name].value for name in names) for row in rows]
    return [(ours, theirs) for ours, theirs in both]
