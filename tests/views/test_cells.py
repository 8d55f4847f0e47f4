"""Tables of very many rows: their cells cost about as much memory as their text."""

import tracemalloc

import statera
from statera.output.views import Layout, inspection
from support import table, write

ROWS = 4000


def test_cells_are_kept_in_order_also_over_several_pieces(monkeypatch):
    monkeypatch.setattr(inspection, "_PIECE", 3)
    column = inspection.Cells(["head"])
    column.add(["", "b", "漢字漢字", ""])
    assert list(column) == ["head", "", "b", "漢字漢字", ""]
    assert column.width == 8
    column.add(["wider than all"])
    assert column.width == 14
    assert list(column.each(str.upper))[-1] == "WIDER THAN ALL"


def test_an_inspection_of_many_rows_takes_little_more_memory_than_its_text(tmp_path, monkeypatch):
    monkeypatch.setattr(inspection, "_PIECE", 64)
    rows = [{"benchmark": f"b{number}", "value": number % 89 + 1} for number in range(ROWS)]
    write(tmp_path, **{"all.csv": table(rows)})
    inspected = statera.inspect(tmp_path / "all.csv")
    look = Layout(sort="defects")
    tracemalloc.start()
    try:
        text = inspection.page(inspected, look)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(text.splitlines()) > ROWS
    # With an object for each cell it is thirteen times as much.
    assert peak < 6 * len(text)
