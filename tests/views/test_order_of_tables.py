"""Tables of metrics stand in one order everywhere: first those with a worse row, then times and rates."""

import re

import pytest

import statera
from statera.output.views import Layout
from statera.output.views.terminal import page
from support import go, noisy


@pytest.fixture
def sizes_only(tmp_path):
    """Give a comparison in which times get better and memory gets worse; the number of allocations stays."""
    for name, time, memory in (("old", 100, 64), ("new", 80, 80)):
        cases = {
            f"Case{n}": {
                "ns/op": noisy(time + n, seed=time + n),
                "B/op": [memory if n else 64] * 12,
                "allocs/op": [2] * 12,
            }
            for n in range(20)
        }
        (tmp_path / name).write_text(go(cases))
    return statera.compare(tmp_path / "old", tmp_path / "new")


def tables(shown):
    return re.findall(r"^(\S+/op) ", shown, re.MULTILINE)


def test_every_output_has_it(sizes_only, tmp_path):
    worst = ["B/op", "sec/op", "allocs/op"]
    assert tables(page(sizes_only, Layout())) == worst
    assert tables(page(sizes_only, Layout(sort="file"))) == ["sec/op", "B/op", "allocs/op"]
    assert re.findall(r"<summary><b>(\S+/op)</b>", sizes_only.to_markdown()) == worst
    sizes_only.report(tmp_path / "page.html")
    assert re.findall(r"<h3 [^>]*>(\S+/op)</h3>", (tmp_path / "page.html").read_text()) == worst


def test_levels_keep_their_order(tmp_path):
    for name, factor in (("old", 1), ("new", 1.5)):
        cases = {f"Sort/threads={n}": noisy(100 * (factor if n == 4 else 1), seed=n) for n in (1, 2, 4)}
        (tmp_path / name).write_text(go(cases))
    shown = page(statera.compare(tmp_path / "old", tmp_path / "new", within=["threads"]), Layout())
    assert re.findall(r"^threads: (\d)", shown, re.MULTILINE) == ["1", "2", "4"]
