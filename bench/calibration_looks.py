"""The tables of docs/calibration.md about experiments that look at their results several times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibration_tables import markdown, repetitions, rows_of

if TYPE_CHECKING:
    from calibration_tables import Cells, Share

# What is run and the noise in per cent, with its heading.
UNCHANGED = {
    ("one benchmark", "2"): "one benchmark, noise 2 %",
    ("one benchmark", "10"): "10 %",
    ("one benchmark, time and cpu", "10"): "time and cpu, 10 %",
    ("20 benchmarks", "10"): "twenty, 10 %",
}
CHANGED = {
    ("one benchmark", "2"): "one benchmark, noise 2 %",
    ("one benchmark, time and cpu", "2"): "time and cpu, 2 %",
    ("one benchmark", "5"): "one benchmark, 5 %",
}
# The same at the whole of alpha, which statera does not do.
WHOLE = "looks-width-whole"
WIDTH = {
    ("one benchmark", "1"): "noise 1 %",
    ("one benchmark", "1.5"): "1.5 %",
    ("one benchmark", "2"): "2 %",
}


def machines(cells: Cells, table: str) -> list[str]:
    return list(dict.fromkeys(row.partition(": ")[0] for row in rows_of(cells, table)))


def unchanged(cells: Cells) -> list[str]:
    return [
        *_grid(cells, "looks", "any", "% with any false alarm", UNCHANGED),
        *_grid(cells, "looks", "held", "% of intervals at the end that hold the change", UNCHANGED),
        f"Of one benchmark: {repetitions(_of(cells, many=False), 'looks', 0.05)[0]}",
        f"Of twenty: {repetitions(_of(cells, many=True), 'looks', 0.05)[0]}",
        "",
    ]


def changed(cells: Cells) -> list[str]:
    columns = list(CHANGED)
    rows = [
        [
            machine,
            *(
                f"{_cell(cells, 'looks-changed', machine, column, 'rounds').value:.1f} "
                f"({_cell(cells, 'looks-changed', machine, column, 'any').percent})"
                for column in columns
            ),
            *(_cell(cells, "looks-changed", machine, column, "held").percent for column in columns),
        ]
        for machine in machines(cells, "looks-changed")
    ]
    head = ["5 % slower: mean rounds (% found)", *CHANGED.values(), *(f"% held: {words}" for words in CHANGED.values())]
    return [*markdown(head, rows), *repetitions(cells, "looks-changed", 0.05)]


def width(cells: Cells) -> list[str]:
    rows = [
        [
            machine,
            level,
            *(
                f"{_cell(cells, table, machine, column, 'held').percent} "
                f"({_cell(cells, table, machine, column, 'rounds').value:.0f})"
                for column in WIDTH
            ),
        ]
        for machine in machines(cells, "looks-width")
        for table, level in (("looks-width", "three fifths"), (WHOLE, "all"))
    ]
    head = ["width of 2 %: % of intervals that hold the change (mean rounds)", "of alpha", *WIDTH.values()]
    return [*markdown(head, rows), *repetitions(cells, "looks-width", 0.05)]


def _of(cells: Cells, *, many: bool) -> Cells:
    return {key: share for key, share in cells.items() if ("20 benchmarks" in key[1]) == many}


def _cell(cells: Cells, table: str, machine: str, column: tuple[str, str], counted: str) -> Share:
    what, sd = column
    return cells[table, f"{machine}: {what}", sd, counted]


def _grid(cells: Cells, table: str, counted: str, head: str, columns: dict[tuple[str, str], str]) -> list[str]:
    rows = [
        [machine, *(_cell(cells, table, machine, column, counted).percent for column in columns)]
        for machine in machines(cells, table)
    ]
    return markdown([head, *columns.values()], rows)
