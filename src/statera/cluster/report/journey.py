"""Where the time of a block went: from the start of its slot until the last host adopted it, in every variant.

The legs of a block add up to its time to the last adoption. Only blocks of which every leg is known count, so that the
means add up, too. The slowest blocks are shown with the host that adopted last, whose steps are their critical path.
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster.numbers import RowUnit, percent, suited
from statera.cluster.report.cells import count, number, shown
from statera.cluster.samples import open_tables
from statera.output.plots import frame
from statera.output.plots.picture import NARROW, Picture
from statera.output.report.model import Cell, Column, Fold, Heading, Prose, Table
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.observations import Variant
    from statera.cluster.samples import Analysed
    from statera.output.report.model import Block, Figure

TITLE: Final = "Where the time of a block went"
_WIDTH: Final = 860
_SLOWEST: Final = 3
_ROW: Final = 34
_MARGINS: Final = 50
# Names take at most this share of the width.
_NAMES: Final = 3
# The end of each leg, in s since the slot began, as SQL over the table of blocks.
_FORGED: Final = " + ".join(
    f"forger_{phase}" for phase in ("start", "blk_ctx", "lgr_state", "lgr_view", "lead", "ticked", "mem_snap", "forge")
)
_ENDS: Final = {
    "forge loop starts": "forger_start",
    "forging": _FORGED,
    "to the first notice": "peer_notice_first",
    "to the first fetch": "peer_fetch_first",
    "to half of the hosts": "adoption_50",
    "to all hosts": "adoption_100",
}
_LEGS: Final = tuple(_ENDS)


class Journey(NamedTuple):
    """The mean legs of the blocks of a variant."""

    label: str
    blocks: int  # the blocks of which all legs are known, of all runs
    legs: tuple[float, ...]  # in s, in the order of ``_LEGS``; the mean of the runs' means


def journeys(variants: Sequence[Variant]) -> list[Journey]:
    """Return the legs of each variant that has whole blocks."""
    return [found for found in map(_journey, variants) if found is not None]


def blocks(found: Sequence[Journey], variants: Sequence[Variant], figure: Figure) -> list[Block]:
    """Return the legs as a picture and a table, and the slowest blocks."""
    slow = [table for table in map(_slowest, variants) if table is not None]
    numbers = ", ".join(f"{counted(each.blocks, 'block')} of {shown(each.label)}" for each in found)
    said = (
        "From the start of its slot until the last host adopted a block, in legs that add up: the means of the runs' "
        f"means, over the blocks of which every leg is known, {numbers}."
    )
    return [Heading(TITLE), Prose((said,)), figure, _table(found), Fold("The slowest blocks", tuple(slow))]


def _journey(variant: Variant) -> Journey | None:
    runs = [found for found in map(_mean_legs, variant.runs) if found[0]]
    if not runs:
        return None
    ends = [fmean(run[1][place] for run in runs) for place in range(len(_LEGS))]
    legs = tuple(end - before for end, before in zip(ends, [0.0, *ends], strict=False))
    return Journey(variant.label, sum(run[0] for run in runs), legs)


def _mean_legs(run: Analysed) -> tuple[int, list[float]]:
    """Return the number of whole blocks of a run, and the mean end of each leg."""
    means = ", ".join(f"avg({end})" for end in _ENDS.values())
    known = " AND ".join(f"({end}) IS NOT NULL" for end in _ENDS.values())
    with open_tables(run.path, "blocks") as engine:
        [(number_of, *ends)] = engine.rows(f"SELECT count(*), {means} FROM blocks WHERE accepted AND {known}")
    return int(number_of), list(ends)


def _table(found: Sequence[Journey]) -> Table:
    base, *others = found
    unit = suited("s", [leg for each in found for leg in (*each.legs, sum(each.legs))])
    heads = [Column(f"leg{unit.words and ','}{unit.words}"), Column(shown(base.label), numeric=True)]
    for other in others:
        heads += [Column(shown(other.label), numeric=True), Column("Δ", numeric=True), Column("Δ%", numeric=True)]
    rows = [_row(name, [each.legs[place] for each in found], unit) for place, name in enumerate(_LEGS)]
    rows.append(_row("in all", [sum(each.legs) for each in found], unit))
    return Table("The legs of a block", tuple(heads), tuple(rows))


def _row(name: str, values: Sequence[float], unit: RowUnit) -> tuple[Cell, ...]:
    before, *after = values
    cells = [Cell(name), number(before, unit.amount(before))]
    for value in after:
        of = 100 * (value - before) / abs(before) if before else None
        cells += [number(value, unit.amount(value)), number(value - before, unit.difference(value - before))]
        cells.append(number(of, "-" if of is None else percent(of)))
    return tuple(cells)


_QUERY: Final = f"""
WITH slow AS (
    SELECT b.block, b.slot, b.forger, {_FORGED} AS forged, max(a.adoption) AS whole
    FROM blocks AS b JOIN adoptions AS a ON a.block = b.block WHERE b.accepted GROUP BY ALL
    ORDER BY whole DESC, b.slot LIMIT {_SLOWEST}
)
SELECT s.slot, f.name, s.forged, h.name, o.notice, o.request, o.fetching, o.adoption, s.whole
FROM slow AS s JOIN adoptions AS a ON a.block = s.block AND a.adoption = s.whole
JOIN hosts AS h ON h.host = a.host LEFT JOIN hosts AS f ON f.host = s.forger
LEFT JOIN observations AS o ON o.block = s.block AND o.host = a.host
QUALIFY row_number() OVER (PARTITION BY s.block ORDER BY a.host) = 1
ORDER BY s.whole DESC, s.slot
"""


def _slowest(variant: Variant) -> Table | None:
    """Show the slowest blocks of each run of a variant; None if no block was adopted."""
    rows: list[tuple[Cell, ...]] = []
    for run in variant.runs:
        with open_tables(run.path, "blocks", "adoptions", "observations", "hosts") as engine:
            rows += [_of_block(str(run.summary.get("run") or ""), *one) for one in engine.rows(_QUERY)]
    if not rows:
        return None
    heads = (
        Column("run"), Column("slot", numeric=True), Column("forged by"), Column("forged, ms", numeric=True),
        Column("adopted last by"), Column("noticed, ms", numeric=True), Column("+ request", numeric=True),
        Column("+ fetch", numeric=True), Column("+ adoption", numeric=True), Column("in all, ms", numeric=True),
    )  # fmt: skip
    note = "Times since the slot began; request, fetch and adoption are what the last host took for each step."
    return Table(f"The slowest blocks of {shown(variant.label)}", heads, tuple(rows), (note,))


def _of_block(
    run: str, slot: int, forger: str | None, forged: float, last: str, *steps: float | None
) -> tuple[Cell, ...]:
    """Return the cells of a block; ``steps`` are those of the host that adopted it last, and the whole time, in s."""

    def ms(value: float | None) -> Cell:
        return number(value, "-" if value is None else f"{value * 1e3:,.1f}")

    return (
        Cell(shown(run)), count(slot), Cell(shown(forger or "-")), ms(forged), Cell(shown(last)), *map(ms, steps),
    )  # fmt: skip


def picture(found: Sequence[Journey], width: int = _WIDTH) -> Picture:
    """Draw the legs of each variant as one bar; a leg below zero, of clocks that differ, has no width."""
    unit = suited("s", [sum(each.legs) for each in found])
    labels, beside, said = frame.fitting([each.label for each in found], width / _NAMES)
    rows: list[dict[str, Any]] = []
    for place, each in enumerate(found):
        start = 0.0
        for leg, time in enumerate(each.legs):
            end = start + max(time, 0.0)
            words = f"{_LEGS[leg]}: {unit.amount(time)}{unit.words}"
            rows.append({"build": labels[place], "place": place, "leg": leg, "x": start / unit.size,
                         "x2": end / unit.size, "words": words})  # fmt: skip
            start = end
    legend = {"type": "symbol", "values": list(range(len(_LEGS))), "title": None, "symbolType": "square",
              "labelExpr": f"{list(_LEGS)!r}[datum.value]", "orient": "top", "direction": "horizontal",
              "columns": 6 if width > NARROW else 2}  # fmt: skip
    colour = {"field": "leg", "type": "quantitative", "legend": legend,
              "scale": {"domain": [0, len(_LEGS) - 1], "range": "ramp"}}  # fmt: skip
    spec = {
        "title": frame.title(TITLE, said, width),
        "data": {"values": rows},
        "width": width - beside - _MARGINS,
        "height": _ROW * len(found),
        "mark": {"type": "bar", "stroke": None},
        "encoding": {
            "x": {
                "field": "x",
                "type": "quantitative",
                "title": f"since the slot began{unit.words and ','}{unit.words}",
            },
            "x2": {"field": "x2"},
            "y": {"field": "build", "type": "nominal", "sort": labels, "title": None},
            "color": colour,
            "tooltip": [{"field": "build", "type": "nominal"}, {"field": "words", "type": "nominal", "title": "leg"}],
        },
    }
    told = [", ".join(f"{_LEGS[leg]} {unit.amount(time)}" for leg, time in enumerate(each.legs)) for each in found]
    alt = "; ".join(f"{frame.name(each.label)}: {legs}{unit.words}" for each, legs in zip(found, told, strict=True))
    again = (lambda other: picture(found, other)) if width > NARROW else None
    return Picture("journey", TITLE, alt, spec, {"legs": len(rows)}, redrawn=again)
