"""Where the cost lies: for each benchmark with profiles a difference flame graph, and the functions that moved most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.profiles import DESCRIBED, NOT_JUDGED
from statera.output.report.model import Cell, Column, Flame, FlameFrame, Heading, Prose, Section, Table
from statera.output.views.profiles import cells, facts, heads, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.profiles import Difference, Frame
    from statera.output.report.material import Material
    from statera.output.report.model import Block, Tone

# Narrower frames are not seen, and so many are enough.
_NARROWEST: Final = 0.002
_DEEPEST: Final = 48
_MOST: Final = 2000
_LONGEST: Final = 300


def section(material: Material) -> Section | None:
    """Show where the cost of the profiles differs."""
    return of(material.comparison.profiles, DESCRIBED) if material.comparison is not None else None


def of(found: Sequence[Difference], said_first: str = f"{NOT_JUDGED}.") -> Section | None:
    """Show these differences."""
    blocks: list[Block] = [Prose((said_first,))] if found else []
    for each in found:
        name = f"{each.benchmark}: " if each.benchmark else ""
        title = _native.printable(f"{name}{each.base.label} → {each.variant.label}")
        blocks += [Heading(title), Prose((f"{facts(each)}.",)), _flame(each, title), *_table(each)]
    return Section("profile", "Where the cost lies", tuple(blocks)) if blocks else None


def _table(found: Difference) -> list[Block]:
    notes = tuple(_native.printable(f"{line[:1].upper()}{line[1:]}.") for line in said(found))
    if not found.moved:
        return [Prose(("No function moved.", *notes))]
    first, *others = heads(found)
    columns = (Column(first), *(Column(_native.printable(each), numeric=True) for each in others))
    rows = []
    for moved in found.moved:
        tone: Tone = "" if moved.is_noise else "worse" if moved.gain > 0 else "better"
        name, part, *rest = cells(found, moved)
        keys = (moved.own[1], moved.total[1], *([] if moved.p is None else [moved.p]))
        costs = (Cell(text, key) for text, key in zip(rest, keys, strict=True))
        rows.append((Cell(name), Cell(part, found.part(moved.gain), tone=tone), *costs))
    title = f"{found.title}, in {found.base.unit}"
    return [Table(title, columns, tuple(rows), (f"Of the whole: of all {found.base.unit} of the baseline.", *notes))]


def _flame(found: Difference, title: str) -> Flame:
    noise = {each.name for each in found.functions if each.is_noise}
    frames = found.frames()
    places: dict[int, tuple[float, int]] = {}
    most = max((abs(each.own[1] - each.own[0]) for each in frames if each.name not in noise), default=0) or 1
    ends: dict[int, float] = {}
    made: list[FlameFrame] = []
    gone, deep = 0, 0
    for place in _walk(frames):
        frame = frames[place]
        above = places.get(frame.parent)
        depth = 0 if above is None else above[1] + 1
        width = frame.total[1] / found.whole[1]
        if above is not None or frame.parent < 0:
            gone += frame.total[0] if frame.total[1] == 0 else 0
            deep += frame.total[1] if depth > _DEEPEST else 0
        if (above is None and frame.parent >= 0) or width < _NARROWEST or depth > _DEEPEST or len(made) == _MOST:
            continue
        left = ends.get(frame.parent, 0.0 if above is None else above[0])
        ends[frame.parent] = left + width
        places[place] = (left, depth)
        heat = 0.0 if frame.name in noise else (frame.own[1] - frame.own[0]) / most
        made.append(FlameFrame(left, width, depth, _native.shortened(frame.name, _LONGEST), _costs(found, frame), heat))
    unit = found.base.unit
    grey = "" if found.exact else "; grey where that is not more than the noise of counting"
    caption = (
        f"Each frame is a function, below the one that called it; as wide as its {unit} in {found.variant.label}. "
        f"The colour shows how much its own {unit} changed{grey}.{_not_drawn(found, gone, deep)}"
    )
    return Flame(f"Difference flame graph of {title}", _native.printable(caption), tuple(made))


def _not_drawn(found: Difference, gone: int, deep: int) -> str:
    """Say how much lies in frames that only the baseline has, and in frames below the last row."""
    unit, (before, now) = found.base.unit, found.whole
    of_base, of_variant = f"{gone / before:.1%}", f"{deep / now:.1%}"
    said = f" Frames that only {found.base.label} has are not drawn: {of_base} of its {unit}." if gone else ""
    return said + (f" Calls below row {_DEEPEST + 1} are not drawn: {of_variant} of the {unit}." if deep else "")


def _walk(frames: Sequence[Frame]) -> list[int]:
    """Return the places of the frames as they are drawn: each after its parent, the widest first."""
    below: dict[int, list[int]] = {}
    for place, frame in enumerate(frames):
        below.setdefault(frame.parent, []).append(place)
    order, waiting = [], [-1]
    while waiting:
        place = waiting.pop()
        order += [place] if place >= 0 else []
        waiting += sorted(below.get(place, ()), key=lambda each: (frames[each].total[1], frames[each].name))
    return order


def _costs(found: Difference, frame: Frame) -> str:
    (own, own_now), (total, now) = frame.own, frame.total
    parts = (
        f"{total:,} → {now:,} {found.base.unit} ({_native.percent(found.part(now - total))} of the whole), "
        f"itself {own:,} → {own_now:,}"
    )
    return parts if total else f"new; {parts}"
