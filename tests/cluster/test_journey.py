"""Where the time of a block went, held against the blocks themselves."""

import csv
from itertools import pairwise
from statistics import fmean

import pytest

from statera.cluster.observations import Variant
from statera.cluster.report import journey
from statera.cluster.samples import load
from statera.output.report.model import Figure

_PHASES = ("Start", "BlkCtx", "LgrState", "LgrView", "Lead", "Ticked", "MemSnap", "Forge")


@pytest.fixture
def found(analysed):
    """The variants of the example, one run each, and what is shown of them."""
    variants = [Variant(name, (load(analysed(name)),)) for name in ("base-1", "slower-1")]
    return variants, journey.journeys(variants)


def test_the_legs_of_whole_blocks_add_up(analysed, found):
    for name, one in zip(("base-1", "slower-1"), found[1], strict=True):
        with (analysed(name) / "blocks.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["accepted"] == "1"]
        forged = [f"cdfForger{phase}" for phase in _PHASES]
        ends = ("cdfPeerNoticeFirst", "cdfPeerFetchFirst", "cdf0.50", "cdf1.00")
        whole = [row for row in rows if all(row[key] for key in (*forged, *ends))]
        assert one.blocks == len(whole) > 10
        means = [fmean(float(row[key]) for row in whole) for key in ends]
        loop = fmean(float(row["cdfForgerStart"]) for row in whole)
        made = fmean(sum(float(row[key]) for key in forged) for row in whole)
        expected = [loop, made - loop, means[0] - made, *(b - a for a, b in pairwise(means))]
        assert one.legs == pytest.approx(expected, rel=1e-9)
        assert sum(one.legs) == pytest.approx(means[-1], rel=1e-9)


def test_the_slowest_blocks_have_the_host_that_adopted_last(analysed, found):
    variants, each = found
    figure = Figure(None, "", "")
    [*_, fold] = journey.blocks(each, variants, figure)
    for name, table in zip(("base-1", "slower-1"), fold.blocks, strict=True):
        with (analysed(name) / "blocks.csv").open() as file:
            rows = [row for row in csv.DictReader(file) if row["accepted"] == "1" and row["cdf1.00"]]
        slowest = sorted(rows, key=lambda row: -float(row["cdf1.00"]))[:3]
        assert [cell[1].text for cell in table.rows] == [row["slot"] for row in slowest]
        assert [cell[-1].key for cell in table.rows] == pytest.approx([float(row["cdf1.00"]) for row in slowest])
        for cells in table.rows:
            steps = [cell.key for cell in cells[5:9]]
            assert sum(steps) == pytest.approx(cells[-1].key, abs=1e-6)


def test_the_picture_holds_every_leg_at_any_width(found):
    picture = journey.picture(found[1])
    assert picture.marks == {"legs": 12}
    for drawn in (picture, picture.redrawn(340)):
        ends = [row["x2"] for row in drawn.spec["data"]["values"] if row["leg"] == 5]
        assert ends == pytest.approx([1e3 * sum(each.legs) for each in found[1]])
    assert picture.redrawn(340).svg().startswith("<svg")
    assert "to the first fetch" in picture.alt
