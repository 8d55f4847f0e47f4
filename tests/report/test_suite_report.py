"""The suite as a whole: its figures are those of the comparison, and nothing is judged."""

import pytest
from material import blocks, by_title, cells, of, texts

import statera
from statera.output.views.texts import mean_words, quantile_words
from support import ROOT, go, write

CASE = ROOT / "tests/cases/sandmark-suite"


@pytest.fixture(scope="module")
def made():
    return of(sorted(CASE.glob("*.bench")))


def test_quantiles_and_means_are_those_of_the_comparison(made):
    material, document = made
    rows = cells(by_title(document, "suite", "Quantiles of change over the suite"))
    sections = [each for each in material.comparison.sections() if each.summary["quantiles"] is not None]
    assert len(rows) == len(sections) > 0
    for row, section in zip(rows, sections, strict=True):
        assert [row[name] for name, _ in quantile_words(section.summary)] == [
            w for _, w in quantile_words(section.summary)
        ]
        assert f"{row['geometric mean']} of {row['over']}" == mean_words(section.summary)


def test_worst_offenders_are_the_largest_changes_of_the_comparison(made):
    material, document = made
    comparison = material.comparison
    for section in comparison.sections():
        name = comparison.observations.metrics[section.metric].name
        changes = {comparison[row].benchmark: comparison[row].change for row in section.rows}
        known = {benchmark: change for benchmark, change in changes.items() if change is not None}
        worst = sorted((b for b in known if known[b] > 0), key=lambda b: -known[b])[:10]
        title = f"Worst offenders: {name}"
        tables = [t for t in blocks(document, "suite", "Table") if t.title == title]
        if comparison.arrangement.assignment.rule(section.metric).better == "lower" and worst:
            assert [row["benchmark"] for row in cells(tables[0])] == worst
            assert [row[1].key for row in tables[0].rows] == [known[b] for b in worst]


def test_it_says_why_the_mean_of_single_values_has_no_interval(made):
    text = texts(made[1], "suite")
    assert "The geometric mean has no interval" in text
    assert "described and not judged" in texts(made[1], "summary")
    assert not any(
        "[" in row["geometric mean"] for row in cells(by_title(made[1], "suite", "Quantiles of change over"))
    )


def test_its_bars_show_every_metric_once(made):
    figures = blocks(made[1], "suite", "Figure")
    assert {each.picture.kind for each in figures} == {"suite"}
    assert len({each.caption for each in figures}) == len(figures)
    assert not any(each.picture.kind == "suite" for each in blocks(made[1], "results", "Figure"))


def test_the_banner_draws_the_worst_and_the_best_and_names_their_metric_once(made):
    (banner,) = blocks(made[1], "summary", "Banner")
    changes = [float(lead.text.rstrip("%").replace("−", "-")) for lead in banner.leads]
    assert changes == sorted(changes, reverse=True)
    assert changes[0] > 0 > changes[-1]
    assert banner.axis.startswith("the 4 worst and the 4 best of ")
    assert not any(", " in lead.name for lead in banner.leads)


def test_without_a_direction_nothing_is_worst(tmp_path):
    sides = {
        side: go({f"B{n}": [factor * (n + 1.0)] for n in range(4)}, unit="widgets")
        for side, factor in (("a.txt", 1), ("b.txt", 2))
    }
    document = of(write(tmp_path, **sides))[1]
    titles = [each.title for each in blocks(document, "suite", "Table")]
    assert "Largest rises: widgets" in titles
    assert not any("Worst" in title for title in titles)


def test_benchmarks_with_several_values_have_no_such_section(pair):
    assert "suite" not in {each.key for each in of(pair)[1].sections}
    assert statera.compare(*pair).sections()


def test_the_worst_of_a_suite_stand_beside_their_other_metrics(tmp_path):
    def side(factor):
        return go({f"Case{n}": {"ns/op": [100 + n * factor], "cycles": [1000 + 10 * n * factor]} for n in range(1, 9)})

    document = of(write(tmp_path, **{"old.txt": side(1), "new.txt": side(3)}), metrics=("sec/op", "cycles"))[1]
    worst = by_title(document, "suite", "Worst offenders: sec/op")
    assert cells(worst)[0]["benchmark"] == "Case8"
    assert cells(worst)[0]["cycles"] == "+14.8%"
    assert worst.rows[0][0].link == "row-Case8-sec-op"
