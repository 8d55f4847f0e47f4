"""A line of a table is a benchmark: other metrics and levels are its columns, and what is worse comes first."""

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


def test_more_memory_is_told_beside_the_time_and_before_what_is_faster(sizes_only, tmp_path):
    told = page(sizes_only, Layout())
    assert told.startswith("19 MORE B/op (worst Case1 +25.0%)   1 faster\n")
    assert "unchanged in allocs/op" in told
    assert told.index("Case1 ") < told.index("Case2 ")
    assert re.search(r"^Case1 .*−\d\d\.\d%.*\+25%  more B/op$", told, re.MULTILINE)
    assert re.search(
        r"\*\*\+25%\*\* \| \*\*more B/op\*\* \|$", sizes_only.to_markdown().replace("\u00a0", " "), re.MULTILINE
    )
    sizes_only.report(tmp_path / "page.html")
    assert re.findall(r"<h3 [^>]*>(\S+/op)</h3>", (tmp_path / "page.html").read_text()) == [
        "B/op",
        "sec/op",
        "allocs/op",
    ]


def test_levels_are_columns(tmp_path):
    for name, factor in (("old", 1), ("new", 1.5)):
        cases = {f"Sort/threads={n}": noisy(100 * (factor if n == 4 else 1), seed=n) for n in (1, 2, 4)}
        (tmp_path / name).write_text(go(cases))
    comparison = statera.compare(tmp_path / "old", tmp_path / "new", within=["threads"])
    shown = page(comparison, Layout(every=True))
    assert re.findall(r"^(\d)  +\d+", shown, re.MULTILINE) == ["4", "1", "2"]
    assert "| `Sort` | `4` |" in comparison.to_markdown()
