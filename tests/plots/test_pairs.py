import pytest
from looks import HOSTILE, compared, data, is_drawn, is_harmless

import statera
from statera.output import plots
from statera.output.plots.effects import placed
from statera.support.errors import Stop
from support import table


def paired(folder, blocks, change=0.9):
    paths = []
    for label, factor in (("old", 1), ("new", change)):
        path = folder / f"{label}.csv"
        path.write_text(
            table(
                [
                    {"benchmark": "a", "metric": "time", "unit": "s", "value": value * factor, "block": name}
                    for name, value in blocks.items()
                ]
            )
        )
        paths.append(f"{label}={path}")
    return statera.compare(*paths)


def points(picture):
    return {row["name"]: (row["before"], row["after"]) for row in data(picture.spec) if "name" in row}


def test_few_blocks_are_lines_from_old_to_new(tmp_path):
    blocks = {f"k{i}": 1.0 + i for i in range(6)}
    picture = plots.draw("pairs", paired(tmp_path, blocks))
    assert points(picture) == {name: pytest.approx((value, value * 0.9)) for name, value in blocks.items()}
    assert picture.marks == {"panels": 1, "points": 6}
    assert "Each line is a block" in str(picture.spec["title"])
    is_drawn(picture)


def test_many_blocks_are_points_and_outliers_are_named(tmp_path):
    blocks = {f"k{i}": 1.0 + i + (i % 3) / 10 for i in range(40)}
    comparison = paired(tmp_path, blocks)
    rows = (tmp_path / "new.csv").read_text().splitlines()
    cells = rows[8].split(",")
    cells[3] = str(float(cells[3]) * 5)
    rows[8] = ",".join(cells)
    (tmp_path / "new.csv").write_text("\n".join(rows) + "\n")
    comparison = statera.compare(tmp_path / "old.csv", tmp_path / "new.csv")
    picture = plots.draw("pairs", comparison)
    labels = [row["label"] for row in data(picture.spec) if "label" in row]
    assert labels == ["k7"]
    assert picture.marks["points"] == 40
    is_drawn(picture)


def test_without_blocks_it_is_said(tmp_path):
    comparison = compared(tmp_path, old={"a": [1, 2, 3]}, new={"a": [2, 3, 4]})
    with pytest.raises(Stop, match="scatter"):
        plots.draw("pairs", comparison)


def test_a_logarithmic_axis_says_what_it_cannot_hold(tmp_path):
    comparison = paired(tmp_path, {"zero": 0.0, "k1": 1.0, "k2": 2.0, "k3": 300.0})
    log = plots.draw("pairs", comparison, log=True)
    assert log.marks["points"] == 3
    assert any(remark.startswith("1 point of zero or below") for remark in log.remarks)
    is_drawn(log)


def test_block_names_are_text(tmp_path):
    names = [name for name in HOSTILE if "\n" not in name]
    picture = plots.draw("pairs", paired(tmp_path, {name: 1.0 + i for i, name in enumerate(names)}))
    assert picture.marks["points"] == len(names)
    is_harmless(picture, names)
    is_drawn(picture)


def test_names_never_lie_upon_points_or_each_other():
    spots = [(50.0, 50.0), (52.0, 52.0), (150.0, 20.0)]
    named = [{"label": f"name {i}"} for i in range(3)]
    found = placed(named, spots, spots, 200, 200)
    shown = [row["label"] for _, rows in found for row in rows]
    assert len(shown) == len(set(shown)) <= 3
    assert "name 0" in shown
    assert "name 2" in shown


def test_names_leave_a_panel_only_where_they_may():
    def side(beyond):
        [(mark, _)] = placed([{"label": "a name"}], [(190.0, 100.0)], [(190.0, 100.0)], 200, 200, beyond=beyond)
        return mark["align"]

    assert (side(60), side(0)) == ("left", "right")
