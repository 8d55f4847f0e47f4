"""Shared parts of pictures of changes: choosing, counting and naming the rows of a comparison."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import CHANGES, LOSSES, VERDICTS
from statera.output.plots import frame
from statera.support.errors import Stop
from statera.support.wording import counted, form, listed, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Point = tuple[float, float]

    from statera.comparison.results.comparison import Comparison
    from statera.output.plots.frame import Options
    from statera.output.plots.raw_values import Samples

_PAIR = 2
_TOLD = 5  # the most rows that the alternative text tells
_HEIGHT = 12  # pixels per line of text
# Possible positions of a name: the offset of its left end, in parts of its width, and of its upper end.
_SIDES: dict[str, tuple[Callable[[float], float], int]] = {
    "right": (lambda _: 7.0, -6),
    "left": (lambda wide: -7.0 - wide, -6),
    "above": (lambda wide: -wide / 2, -19),
    "below": (lambda wide: -wide / 2, 7),
}
_MARKS: dict[str, dict[str, Any]] = {
    "right": {"align": "left", "dx": 7, "baseline": "middle"},
    "left": {"align": "right", "dx": -7, "baseline": "middle"},
    "above": {"align": "center", "dy": -7, "baseline": "bottom"},
    "below": {"align": "center", "dy": 7, "baseline": "top"},
}


class Effect(NamedTuple):
    """A row of a comparison: its indices, and its fields under the names of ``Row``."""

    row: int
    group: int
    metric: int
    base: int
    contender: int
    benchmark: int
    fields: dict[str, Any]

    @property
    def verdict(self) -> str:
        """The code of the verdict."""
        return str(self.fields["verdict"])


def effects(comparison: Comparison, samples: Samples, options: Options) -> list[Effect]:
    """Return the rows of the drawn metric, including rows with one side only.

    Raises ``Stop`` if nothing is left to draw.
    """
    metric = frame.first_metric(samples, options)
    number = {name: place for place, name in enumerate(samples.benchmarks)}
    found = []
    for group, of, base, contender, rows in comparison.weighing.sections():
        if of != metric or (options.groups and group not in options.groups):
            continue
        for index in rows:
            fields = comparison.weighing.row_dict(index)
            found.append(Effect(index, group, of, base, contender, number[fields["benchmark"]], fields))
    chosen = set(options.benchmarks)
    found = [effect for effect in found if not chosen or effect.benchmark in chosen]
    if not found:
        raise Stop("nothing-to-draw", "no comparison matches the request")
    return found


# What is said of benchmarks that one side lacks, altogether or at a level.
_ONE_SIDED: Final = {
    ("missing", None): ("is gone", "are gone"),
    ("missing", "at-level"): ("is missing at some levels", "are missing at some levels"),
    ("new", None): ("is new", "are new"),
    ("new", "at-level"): ("is new at some levels", "are new at some levels"),
}


def two_sided(found: Iterable[Effect]) -> tuple[list[Effect], list[str]]:
    """Return the rows whose change can be drawn, and describe how many have one side only or an infinite change.

    Raises ``Stop`` if there is no such row.
    """
    every = list(found)
    kept = [effect for effect in every if effect.fields["change"] is not None]
    said = []
    one_sided = set()
    for (verdict, reason), (one, several) in _ONE_SIDED.items():
        lost = {each.benchmark for each in every if each.verdict == verdict and each.fields["reason"] == reason}
        said += [f"{counted(len(lost), 'benchmark')} {form(len(lost), one, several)}"] if lost else []
        one_sided |= lost
    beyond = len({effect.benchmark for effect in every} - {effect.benchmark for effect in kept} - one_sided)
    said += [f"{counted(beyond, 'benchmark')} left out: the change is too large to compute"] if beyond > 0 else []
    if not kept:
        raise Stop("nothing-to-draw", "no benchmark has values in both builds and a finite change")
    return kept, said


def limited(
    comparison: Comparison, found: list[Effect], most: int, *, whole: bool = False
) -> tuple[list[Effect], list[str]]:
    """Keep whole benchmarks with ``most`` rows at most, or ``most`` benchmarks if ``whole``, and describe the rest.

    The worst take up to two thirds of the room, so that a picture never lacks what the answer names; then come the
    other verdicts of a change, the largest first. The kept rows are ordered from the worst to the best, with the rows
    of a benchmark together.
    """
    of: dict[int, list[Effect]] = {}
    for effect in found:
        of.setdefault(effect.benchmark, []).append(effect)
    harm = {benchmark: max(harm_of(comparison, row) for row in rows) for benchmark, rows in of.items()}
    worse = sorted(
        (each for each in of if any(row.verdict in LOSSES for row in of[each])), key=lambda each: -harm[each]
    )

    def weight(benchmark: int) -> tuple[bool, float]:
        rows = of[benchmark]
        return min(row.verdict not in CHANGES for row in rows), -max(_size(row) for row in rows)

    rows = {benchmark: 1 if whole else len(each) for benchmark, each in of.items()}
    first = _fitting(worse, rows, 2 * most / 3)
    others = sorted(set(of).difference(worse), key=weight)
    kept = _fitting([*first, *others, *worse[len(first) :]], rows, most)
    kept.sort(key=lambda benchmark: -harm[benchmark])
    which = "the worst and the largest changes" if worse else "the largest changes"
    said = [f"{len(kept)} of {counted(len(of), 'benchmark')}, {which}"] if len(kept) < len(of) else []
    return [effect for benchmark in kept for effect in of[benchmark]], said


def _fitting(benchmarks: Iterable[int], rows: Mapping[int, int], most: float) -> list[int]:
    """Return the first benchmarks whose rows are at most so many; at least one."""
    kept: list[int] = []
    taken = 0
    for benchmark in benchmarks:
        taken += rows[benchmark]
        if kept and taken > most:
            break
        kept.append(benchmark)
    return kept


def harm_of(comparison: Comparison, effect: Effect) -> float:
    """Return how much worse a row is; negative if it is better."""
    harm = comparison.weighing.harm(effect.row)
    return harm if math.isfinite(harm) else 0.0


def _size(effect: Effect) -> float:
    """Return the size of a change; for ratios, half and double have the same size."""
    change = effect.fields["change"]
    if effect.fields["scale"] != "ratio":
        return abs(float(change))
    return abs(math.log1p(change)) if change > -1 else math.inf


def title(words: str, said: Iterable[str], width: int) -> dict[str, Any]:
    """Return the title of a picture with names at its left; the title begins above them."""
    return {**frame.title(words, said, width), "frame": "bounds"}


def panel_title(name: str, seen: str, width: int) -> dict[str, Any]:
    """Return the title of a panel: its name, if it has one, and what it shows."""
    below = frame.wrapped(seen, width, 11)
    if not name:
        return {"text": below, "style": "remark", "offset": 6}
    return {**frame.panel_title(name, width), "subtitle": below}


def side_by_side(specs: list[dict[str, Any]], columns: int) -> dict[str, Any]:
    """Place panels side by side, also a single one, which then keeps its own title."""
    return {"concat": specs, "columns": columns}


def tally(comparison: Comparison, found: Iterable[Effect]) -> str:
    """Write the counts of verdicts, the worst first: ``2 slower, 7 no clear change, 11 faster``."""
    of = _of_verdicts(found)
    words = {code: comparison.word(rows) for code, rows in of.items()}
    words |= {code: form(len(of[code]), word, "differ") for code, word in words.items() if word == "differs"}
    return ", ".join(f"{len(of[code]):,} {words[code]}" for code in VERDICTS if code in of)


def words(comparison: Comparison, found: Iterable[Effect]) -> dict[str, str]:
    """Return the word of each verdict that occurs."""
    return {code: comparison.word(rows) for code, rows in _of_verdicts(found).items()}


def _of_verdicts(found: Iterable[Effect]) -> dict[str, list[int]]:
    of: dict[str, list[int]] = {}
    for effect in found:
        of.setdefault(effect.verdict, []).append(effect.row)
    return of


def finding(comparison: Comparison, samples: Samples, found: Sequence[Effect]) -> str:
    """State what a picture shows: the one benchmark that moved with its change, or the counts with the worst one."""
    moved = [effect for effect in found if effect.verdict in CHANGES]
    if not moved:
        return tally(comparison, found)
    worst = max(moved, key=lambda effect: harm_of(comparison, effect))
    place = place_name(samples, worst, found)
    name = " ".join(part for part in (frame.name(samples.benchmarks[worst.benchmark]), place) if part)
    size, word = shown(comparison.weighing.cell(worst.row, "change")), comparison.word([worst.row])
    if len(moved) == 1 or len(found) == 1:
        return f"{name} is {size.lstrip('+−')} {word}" if size[:1] in {"+", "−"} else f"{name} is {word}: {size}"
    first, *others = tally(comparison, found).split(", ")
    which = "worst " if sum(effect.verdict in LOSSES for effect in found) > 1 else ""
    return ", ".join([f"{first} ({which}{name} {size})" if worst.verdict in LOSSES else first, *others])


def versus(samples: Samples, found: Sequence[Effect]) -> str:
    """Write the variants: ``new against old``, or ``3 variants against old``."""
    bases, contenders = {effect.base for effect in found}, {effect.contender for effect in found}
    one = frame.name(samples.labels[found[0].contender])
    subject = one if len(contenders) == 1 else f"{len(contenders)} variants"
    return f"{subject} against {frame.name(samples.labels[found[0].base]) if len(bases) == 1 else 'each other'}"


def place_name(samples: Samples, effect: Effect, found: Sequence[Effect]) -> str:
    """Write what distinguishes a row within its benchmark: contender, baseline and group, if there are several."""
    words = []
    if len({each.contender for each in found}) > 1 or len({each.base for each in found}) > 1:
        words.append(frame.whole(samples.labels[effect.contender]))
    if len({each.base for each in found}) > 1:
        words.append(f"against {frame.whole(samples.labels[effect.base])}")
    if len({each.group for each in found}) > 1:
        words.append(f"· {frame.whole(samples.groups[effect.group])}" if words else samples.groups[effect.group])
    return frame.whole(" ".join(words))


def written(comparison: Comparison, effect: Effect) -> dict[str, Any]:
    """Return the tooltip of a row, with texts as in the tables."""
    cell = comparison.weighing.cell
    keys = ("benchmark", "baseline", "contender", "change", "interval", "n")
    told = {key: shown(cell(effect.row, key)) for key in keys}
    told |= {"verdict": effect.verdict, "judged": shown(cell(effect.row, "verdict"))}
    return {**told, "variant": frame.whole(comparison.labels[effect.contender])}


def change(comparison: Comparison, effect: Effect, *, interval: bool = True) -> str:
    """Write the change of a row, with its interval where it has one."""
    change, at = comparison.weighing.cells(effect.row, ("brief", "interval"))
    if not interval or not at:
        return shown(change)
    # An interval without a width repeats the change: "−54.5% (exact)".
    return shown(at if change and at.startswith(change) else f"{change or ''} {at}".strip())


TOOLTIP = [
    {"field": key, "title": "verdict" if key == "judged" else key}
    for key in ("benchmark", "variant", "baseline", "contender", "change", "interval", "n", "judged")
]


def told(comparison: Comparison, found: Sequence[Effect]) -> str:
    """Write the first rows with their numbers, for the alternative text."""
    said = []
    for effect in found[:_TOLD]:
        of = written(comparison, effect)
        place = [frame.name(of["benchmark"])]
        place += [frame.name(of["variant"])] if len(comparison.labels) > _PAIR else []
        place += (
            [frame.name(comparison.arrangement.groups[effect.group])] if len(comparison.arrangement.groups) > 1 else []
        )
        said.append(f"{' '.join(place)} {change(comparison, effect)}, {comparison.word([effect.row])}")
    return listed(said, _TOLD, between="; ", last="; and ", total=len(found))


def placed(
    named: Sequence[dict[str, Any]],
    spots: Sequence[Point],
    points: Sequence[Point],
    width: int,
    height: int,
    *,
    beyond: int = 0,
) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Place names beside points; return the text marks with the rows of each.

    ``named`` are rows with a ``label``, the most important first, and ``spots`` their positions, in pixels from the
    upper left corner; ``points`` are those of all points. Names may extend beyond the right edge of the panel by
    ``beyond`` pixels.
    """
    taken: list[tuple[float, float, float, float]] = []
    found: dict[str, list[dict[str, Any]]] = {}
    for row, (across, down) in zip(named, spots, strict=True):
        wide = _native.columns(row["label"]) * (frame.GLYPH - 0.4)
        # Try positions away from the diagonal first.
        first = "left" if across < height - down else "right"
        for side in (first, *(side for side in _SIDES if side != first)):
            left, top = _SIDES[side]
            box = across + left(wide), down + top, across + left(wide) + wide, down + top + _HEIGHT
            inside = box[0] >= 0 and box[2] <= width + beyond and box[1] >= 0 and box[3] <= height
            free = not any(box[0] - 3 < a < box[2] + 3 and box[1] - 3 < b < box[3] + 3 for a, b in points)
            if inside and free and all(_are_apart(box, other) for other in taken):
                taken.append(box)
                found.setdefault(side, []).append(row)
                break
    return [({"type": "text", "style": "remark", **_MARKS[side]}, rows) for side, rows in found.items()]


def _are_apart(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
