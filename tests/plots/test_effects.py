"""What holds of every picture of changes."""

import pytest
from looks import compared, data, fits_the_schema, is_drawn, write

import statera
from statera.comparison.codes import JUDGED
from statera.output import plots
from statera.output.plots import COMPARES
from statera.support.errors import Stop
from support import noisy

# Pictures of rows; those of blocks need paired ones, which tests/plots/test_pairs.py has.
KINDS = sorted(COMPARES - {"pairs"})


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    sizes = (1, 2, 4, 8)
    tables = {
        label: {f"f/n={n}": noisy(n * (1 + i / 3), 25, seed=10 * i + n) for n in sizes}
        for i, label in enumerate(("old", "new", "newer"))
    }
    return compared(tmp_path_factory.mktemp("sizes"), **tables)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (900, "light")])
def test_it_fits_the_schema_and_is_drawn_at_any_width(comparison, kind, width, theme):
    picture = plots.draw(kind, comparison, width=width)
    fits_the_schema(picture)
    is_drawn(picture, [theme])
    assert "NaN" not in picture.json()
    assert picture.kind == kind
    assert picture.title
    assert picture.alt.startswith(picture.title)


@pytest.mark.parametrize("kind", sorted(COMPARES))
def test_what_was_not_compared_is_refused(tmp_path, comparison, kind):
    with pytest.raises(Stop, match="compares variants"):
        plots.draw(kind, statera.inspect(write(tmp_path, "old", [("a", value) for value in (1, 2, 3)])))
    with pytest.raises(Stop, match="the request"):
        plots.draw(kind, comparison, benchmarks=[999])


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"speedup", "shift"}))
def test_one_benchmark_that_is_asked_for_is_drawn_alone(comparison, kind):
    if kind == "scaling":
        return  # of one benchmark there is no line
    drawn = {row["benchmark"] for row in data(plots.draw(kind, comparison, benchmarks=[2]).spec) if "benchmark" in row}
    assert drawn <= {"f/n=4"}


@pytest.mark.parametrize("kind", ["forest", "heatmap"])
def test_the_title_counts_the_verdicts(comparison, kind):
    counts = {word: len(comparison.with_verdict(word)) for word in JUDGED}
    title = plots.draw(kind, comparison).title
    for word, count in counts.items():
        assert (f"{count} {word}" in title) == (count > 0)
