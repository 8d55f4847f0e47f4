"""What an output asks of all rows it asks once, and not at each of its tables: there may be a thousand metrics."""

from collections import Counter

import pytest

import statera
from statera import _native
from statera.output.views import Layout, markdown, terminal
from support import noisy, table, write

# These look at all rows.
OF_ALL = {"answer", "family", "interactions", "omnibus", "sections", "summaries", "with_verdict"}


class Counting:
    """The compiled rows; it counts the calls by name."""

    def __init__(self, weighing, calls):
        self.weighing, self.calls = weighing, calls

    def __getattr__(self, name):
        self.calls[name] += 1
        return getattr(self.weighing, name)

    def __len__(self):
        return len(self.weighing)


def cells(metrics, variants, benchmarks, values):
    """Values of many metrics, in which every tail is slower than before."""
    for metric in range(metrics):
        for benchmark in range(benchmarks):
            for variant in range(variants):
                for number, value in enumerate(noisy(1.0, values, seed=metric * 100 + benchmark * 10 + variant)):
                    where = {"benchmark": f"B{benchmark}", "metric": f"m{metric}", "variant": f"v{variant}"}
                    yield {**where, "value": value * (2 if variant and number % 4 == 0 else 1), "unit": "s"}


def calls(folder, monkeypatch, show, *shape):
    write(folder, **{"all.csv": table(list(cells(*shape)))})
    comparison = statera.compare(folder / "all.csv", by=["variant"])
    counted = Counter()

    def of_inner(name, function):
        return lambda weighing: counted.update([name]) or function(weighing.weighing)

    with monkeypatch.context() as patch:
        for name in ("family", "interactions", "omnibus"):
            patch.setattr(_native, name, of_inner(name, getattr(_native, name)))
        comparison.weighing = Counting(comparison.weighing, counted)
        show(comparison)
    return {name: count for name, count in counted.items() if name in OF_ALL}


@pytest.mark.parametrize("show", [lambda c: terminal.page(c, Layout()), markdown.comment_on])
@pytest.mark.parametrize(
    "shape",
    [
        pytest.param((3, 1, 8), id="variants"),
        pytest.param((2, 37, 4), id="long"),
        pytest.param((2, 2, 40), id="tails"),
        pytest.param((2, 21, 1), id="suite"),
    ],
)
def test_more_metrics_are_no_more_questions_on_all_rows(tmp_path, monkeypatch, show, shape):
    few, many = (calls(tmp_path, monkeypatch, show, metrics, *shape) for metrics in (3, 6))
    assert few == many
