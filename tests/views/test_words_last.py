"""Cells carry values and words are made last: no written text is taken apart, whatever names and units hold."""

import io
import json

import polars as pl
import pytest

import statera
from statera.output.views import Layout
from statera.output.views.terminal import page
from support import go, noisy, write


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def strange(tmp_path):
    """One metric whose unit holds the sign that stands between a median and how far its interval reaches."""
    sides = {
        label: lines(
            {"benchmark": "X", "metric": "m", "unit": "a ± b", "better": "lower", "value": value}
            for value in noisy(centre, 12, seed=seed)
        )
        for label, centre, seed in (("old", 100, 1), ("new", 150, 2))
    }
    return statera.compare(*write(tmp_path, **sides))


def test_a_finding_names_whole_values_whatever_their_unit_is(strange):
    (finding,) = [line for line in strange.findings if "X" in line]
    assert finding.count("a ± b") == 2


def test_a_cell_has_its_value_alone_or_with_its_interval(strange):
    cell = strange.weighing.cell
    assert cell(0, "baseline").startswith(cell(0, "baseline_centre") + " ± ")


def test_a_row_of_one_side_has_no_cells_of_the_other(tmp_path):
    (old, new) = write(tmp_path, old=go({"X": noisy(1), "Gone": noisy(1)}), new=go({"X": noisy(1)}))
    weighing = statera.compare(old, new).weighing
    (gone,) = weighing.with_verdict(["missing"])
    assert [weighing.cell(gone, name) for name in ("contender", "contender_centre", "change", "interval", "p")] == [
        None
    ] * 5
    frame = pl.DataFrame(statera.compare(old, new)).row(gone, named=True)
    assert (frame["reason"], frame["method"], frame["change"]) == (None, None, None)


def test_levels_are_named_whole_where_effects_are_compared(tmp_path):
    rows = [
        {"benchmark": "X", "way": way, "level": level, "value": value * factor}
        for way, factor in (("table", 1), ("swar", 2))
        for level in ("m, x: 2", "n")
        for value in noisy(1, 8, seed=factor)
    ]
    (path,) = write(tmp_path, all=lines(rows))
    text = page(statera.compare(path, by="way", within=["level"]), Layout(every=True))
    answer = next(line for line in text.splitlines() if line.startswith(("  swar", "  table")))
    assert "at m, x: 2" in answer
    assert "at n" in answer


def test_csv_and_data_frames_agree_in_names_order_and_absence(strange):
    frame = pl.DataFrame(strange)
    assert pl.read_csv(io.StringIO(strange.to_csv())).columns == frame.columns
    assert list(json.loads(strange.to_json())["rows"][0]) == frame.columns
