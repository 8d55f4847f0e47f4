"""What each section says, and that it stands only where there is something to say."""

import hashlib
import re
from pathlib import Path

import pytest
from looks import compared
from material import blocks, by_title, cells, factorial, of, pair, section, suite, texts

import statera
from statera.output import report
from statera.output.report import markdown, model, questions
from statera.output.report.sections.summary import sentences
from statera.output.views import Layout, json, terminal
from statera.support.settings import Policy
from statera.support.wording import shown
from support import ROOT, go, noisy, write


@pytest.fixture
def two(tmp_path):
    return of(pair(tmp_path))


@pytest.fixture
def crossed(tmp_path):
    return of(factorial(tmp_path), by=("build",), within=("cc",))


def test_sections_stand_in_order(two):
    keys = [each.key for each in two[1].sections]
    assert keys == [
        "summary",
        "suspects",
        "results",
        *(["distribution"] if "distribution" in keys else []),
        "quality",
        "method",
        "manifest",
        "dictionary",
        "reproduction",
    ]


def test_the_summary_tells_the_worst_first_with_numbers_and_intervals(two):
    material, document = two
    items = [item for found in blocks(document, "summary", "Items") if found.findings for item in found.items]
    assert [item.tone for item in items][:3] == ["worse", "missing", "better"]
    weighing = material.comparison.weighing
    worse = next(row for row in range(len(material.comparison)) if weighing.row_dict(row)["verdict"] == "worse")
    for column in ("benchmark", "change", "interval", "p"):
        assert weighing.cell(worse, column) in items[0].text
    assert items[0].text.startswith("Slow is slower: sec/op +")
    assert items[1].text == "Gone is gone from new."
    assert items[2].text.startswith("Fast is faster: sec/op −")
    assert "1 benchmark unchanged: " in texts(document, "summary")


def test_sentences_on_single_rows_are_folded_because_the_banner_draws_them(two):
    _, document = two
    banner, fold, *others = section(document, "summary").blocks
    assert fold.drawn_above
    assert fold.title == "In sentences: 3 findings"
    assert {lead.link for lead in banner.leads} == {item.link for item in fold.blocks[0].items}
    assert not any(item.link for block in others if isinstance(block, model.Items) for item in block.items)
    # Markdown has no drawing.
    assert "Slow is slower: sec/op" in markdown.report(document).partition("<details>")[0]


def test_a_summary_without_changes_says_so(tmp_path):
    same = {"A": [1.0] * 4, "B": [2.0] * 4}
    paths = write(tmp_path, **{"a.txt": go(same, unit="allocs/op"), "b.txt": go(same, unit="allocs/op")})
    assert "2 benchmarks unchanged: " in texts(of(paths)[1], "summary")


def test_a_benchmark_has_more_and_is_not_more(tmp_path):
    old, new = (go({"A": {"allocs/op": [count] * 8}}) for count in (0.0, 1.0))
    material, _ = of(write(tmp_path, old=old, new=new))
    assert sentences(material.comparison)[0].text.startswith("A has more: allocs/op +1")


def test_many_changes_are_counted(tmp_path):
    document = of(suite(tmp_path, 40, runs=8), metrics=("sec/op",))[1]
    items = [item.text for found in blocks(document, "summary", "Items") for item in found.items]
    assert sum(text.startswith("Case") for text in items) == 12
    assert any("And 28 more are slower." in text for text in items)


def test_reasons_of_what_is_unclear_count_benchmarks_and_not_rows(tmp_path):
    sides = [
        go(
            {
                f"Case{n}": {k: noisy(100, 6, seed=s + n + len(k), spread=0.1) for k in ("ns/op", "widgets")}
                for n in range(9)
            }
        )
        for s in (1, 500)
    ]
    material, document = of(write(tmp_path, old=sides[0], new=sides[1]))
    (said,) = re.findall(r"(\d+) benchmarks show no clear change \((.*)\)", texts(document, "summary"))
    rows = [row for row in material.comparison if row.verdict == "inconclusive"]
    assert int(said[0]) == len({row.benchmark for row in rows}) < len(rows)
    assert sum(map(int, re.findall(r"(?:^|, )(\d+) ", said[1]))) == int(said[0])


def test_machines_that_differ_are_told_beside_the_findings(two):
    assert "machine" in texts(two[1], "summary")
    (row,) = cells(by_title(two[1], "manifest", "What differs"))
    assert row["key"] == "cpu"
    assert row["new"] == "other"
    assert "machine" in row["remark"]


def test_the_manifest_names_variants_files_and_what_they_share(two):
    document = two[1]
    variants = cells(by_title(document, "manifest", "Variants"))
    assert [(row["variant"], row["role"], row["files"], row["values"]) for row in variants] == [
        ("old", "baseline", "1", "100"),
        ("new", "contender", "1", "100"),
    ]
    files = cells(by_title(document, "manifest", "Files"))
    assert [(row["file"], row["variant"], row["format"]) for row in files] == [
        ("old.txt", "old", "go"),
        ("new.txt", "new", "go"),
    ]
    shared = {row["key"]: row["value"] for row in cells(by_title(document, "manifest", "What all"))}
    assert shared == {"goos": "linux", "pkg": "example.com/x"}


def test_the_method_names_tests_correction_and_margins_with_reasons(two, crossed):
    text = texts(two[1], "method")
    assert "Mann-Whitney" in text
    assert "Benjamini-Hochberg" in text
    assert "alpha 0.05" in text
    assert "Paired by block" in texts(crossed[1], "method")
    assert "the same block" in texts(crossed[1], "method")
    (margin,) = cells(by_title(two[1], "method", "Margins"))
    assert (margin["metric"], margin["better"], margin["margin"]) == ("sec/op", "lower", "2.00%")


def test_assumptions_are_checked_by_the_inspection(crossed):
    material, document = crossed
    rows = cells(by_title(document, "method", "Shapiro-Wilk"))
    assert len(rows) == len(material.inspection) == 4
    first = material.inspection[0]
    assert rows[0]["normality"] == f"W {first.normality:.5g}"


def test_every_row_stands_in_the_results_as_the_terminal_shows_it_the_worst_first(two):
    material, document = two
    found = cells(by_title(document, "results", "sec/op"))
    weighing = material.comparison.weighing
    order = weighing.order([*range(len(weighing))], "worst", changed=False)
    assert [row["benchmark"] for row in found] == [weighing.cell(row, "benchmark") for row in order]
    for index, row in zip(order, found, strict=True):
        assert row["change"] == shown(weighing.cell(index, "change"))
        assert row["95 % interval"] == shown(weighing.cell(index, "interval"))
        assert row["old"] == shown(weighing.cell(index, "baseline")).removesuffix(" ± ?")
        assert weighing.cell(index, "verdict").startswith(row["verdict"])
    text = terminal.page(material.comparison, Layout(every=True))
    assert all(row["change"] in text for row in found)


def test_numbers_are_sorted_by_what_they_are(two):
    found = by_title(two[1], "results", "sec/op")
    weighing = two[0].comparison.weighing
    place = [column.name for column in found.columns].index("change")
    order = weighing.order([*range(len(weighing))], "worst", changed=False)
    for index, row in zip(order, found.rows, strict=True):
        assert row[place].key == weighing.row_dict(index)["change"]


def test_factors_are_asked_every_way(crossed):
    material, document = crossed
    assert [question.words for question in material.questions] == [
        "By build, at each cc",
        "By cc, at each build",
        "Every combination of build and cc against base/8",
    ]
    own, other, whole = (question.comparison for question in material.questions)
    assert own.labels == ["base", "split"]
    assert other.labels == ["8", "9"]
    assert whole.labels[0] == "base/8"
    assert len(whole) == 3
    text = texts(document, "summary")
    assert "replay is slower at cc: 8: value +" in text
    assert "Every combination of build and cc against base/8: " in text
    assert "Does the effect of build depend on cc?" in text
    assert "yes" in text


def test_effects_that_depend_on_nothing_are_counted_and_folded(tmp_path):
    for build, size in (("base", 100), ("split", 120)):
        for level in "89":
            rows = {name: noisy(size * k, 12, seed=k + size + int(level)) for k, name in enumerate("ABC", 1)}
            (tmp_path / f"{build}-{level}.txt").write_text(go(rows, config={"cc": level, "build": build}))
    document = of(sorted(map(str, tmp_path.iterdir())), by=("build",), within=("cc",))[1]
    (said,) = (each for each in blocks(document, "summary", "Prose") if "depend on" in each.paragraphs[0])
    assert said.paragraphs[0].endswith("Not shown for any of 3 effects.")
    titles = [each.title for each in blocks(document, "summary", "Fold")]
    assert titles[-1] == "The effects at each level"


def test_where_nothing_changed_pictures_are_folded_and_quantiles_are_counted(tmp_path):
    sides = {f"{seed}.txt": go({n: noisy(100, 20, seed=seed + k) for k, n in enumerate("ABC")}) for seed in (10, 90)}
    document = of(write(tmp_path, **sides))[1]
    assert "All 3 rows: shown to differ at no quantile." in texts(document, "summary")
    kinds = [type(block).__name__ for block in section(document, "results").blocks]
    assert "Fold" in kinds
    assert "Figure" not in kinds


def test_an_unmeasured_combination_leaves_out_what_cannot_be_asked(tmp_path):
    (path,) = factorial(tmp_path)
    lines = Path(path).read_text().splitlines()
    Path(path).write_text("\n".join(line for line in lines if not line.endswith("base,8")) + "\n")
    material, document = of([path], by=("cc",), within=("build",))
    assert len(material.questions) >= 1
    assert "Nothing was measured of 8 at build: base." in by_title(document, "manifest", "Variants").notes


def test_distribution_effects_have_one_table_of_quantiles_and_the_changes_of_every_question(crossed):
    material, document = crossed
    found = material.comparison.distribution()
    table = by_title(document, "distribution", "Quantiles of value")
    rows = cells(table)
    assert [(row["level"], row["variant"]) for row in rows] == [
        ("cc: 8", "base"),
        ("cc: 8", "split"),
        ("cc: 9", "base"),
        ("cc: 9", "split"),
    ]
    assert [column.name for column in table.columns][2:6] == ["n", "median", "IQR", "10%"]
    assert [cell.key for cell in table.rows[1][5:]] == [*found.quantiles[1].at]
    # Levels of a factor are compared with the first: another compiler is slower at every quantile.
    assert [cell.heat for cell in table.rows[0][5:]] == [0.0] * 9
    assert all(cell.heat > 0 for cell in table.rows[2][5:])
    titles = [each.title for each in blocks(document, "distribution", "Table")]
    assert titles.count("Change of value at each quantile") == 3
    (row, points) = next(iter(found.shifts.items()))
    change = by_title(document, "distribution", "Change of value")
    levels = {column.name: cell for column, cell in zip(change.columns, change.rows[0], strict=True)}
    middle = next(point for point in points if point.level == 0.5)
    assert levels["50%"].key == middle.change
    assert levels["50%"].text.endswith("*") == (middle.low > 0 or middle.high < 0)
    assert "split against base at cc: 9: lower at" in texts(document, "summary")
    assert material.comparison.weighing.row_dict(row)["group"] == "cc: 8"


def test_few_values_have_no_quantiles_unless_asked(tmp_path):
    paths = suite(tmp_path, 2)
    assert "distribution" not in [each.key for each in of(paths)[1].sections]
    asked = of(paths, quantiles=(0.5,))[1]
    assert by_title(asked, "distribution", "Quantiles")
    folds = [each.title for each in blocks(asked, "distribution", "Fold")]
    assert (folds != [], "Bands of the changes in numbers" in folds) == (True, False)


def test_data_quality_is_the_inspections(two):
    material, document = two
    (found,) = [each for each in blocks(document, "quality", "Table") if "each sample alone" in each.title]
    assert len(found.rows) == len(material.inspection)
    assert any("as " not in row["verdict"] for row in cells(found))
    assert material.inspection.findings[0] in texts(document, "quality")


def test_what_was_left_out_is_told_with_its_place(tmp_path):
    old, new = pair(tmp_path)
    Path(new).write_text(Path(new).read_text() + "BenchmarkSlow 1 x ns/op\n")
    document = of([old, new])[1]
    assert "left out" in texts(document, "summary")
    (row,) = cells(by_title(document, "quality", "Problems"))
    assert row["place"].startswith("new.txt:")


def test_the_dictionary_has_every_metric_that_was_read(tmp_path):
    document = of(suite(tmp_path, 3), metrics=("sec/op",))[1]
    rows = {row["metric"]: row for row in cells(by_title(document, "dictionary", "Metrics"))}
    assert set(rows) == {"sec/op", "B/op", "allocs/op"}
    assert rows["sec/op"]["used"] == "compared"
    assert rows["B/op"]["used"] == "read only"
    assert (rows["B/op"]["unit"], rows["B/op"]["better"], rows["B/op"]["format"]) == ("B", "lower", "go")
    assert rows["allocs/op"]["meaning"] == "allocations by one operation"


def test_the_dictionary_says_what_the_keys_mean_that_formats_know(tmp_path):
    texts = {name: go({"X": noisy(100)}, config={"goos": "linux", "mine": "1"}) for name in ("a", "b")}
    document = of(write(tmp_path, **texts))[1]
    rows = cells(by_title(document, "dictionary", "Configuration keys"))
    assert [row["key"] for row in rows] == ["goos"]
    assert rows[0]["says"] == "environment"
    assert rows[0]["meaning"] == "operating system for which the program was built"


def test_the_dictionary_knows_what_sandmarks_metrics_mean():
    document = of([str(path) for path in sorted((ROOT / "tests/cases/sandmark-suite").glob("*.bench"))])[1]
    rows = {row["metric"]: row for row in cells(by_title(document, "dictionary", "Metrics"))}
    assert rows["time_secs"]["meaning"] == "elapsed time of the program"
    assert rows["maxrss"]["meaning"] == "largest resident memory"


def test_reproduction_states_command_versions_seed_hashes_and_policy(tmp_path):
    paths = pair(tmp_path)
    document = of(paths, command="statera report a b", policy=Policy(alpha=0.01, margins=(("*", 0.05),)))[1]
    assert blocks(document, "reproduction", "Code")[0].text == "statera report a b"
    assert str(Policy().seed) in texts(document, "reproduction")
    versions = {row["what"]: row["version"] for row in cells(by_title(document, "reproduction", "Versions"))}
    assert versions["statera"] == statera.__version__
    for path, row in zip(paths, cells(by_title(document, "reproduction", "Inputs")), strict=True):
        assert row["SHA-256"] == hashlib.sha256(Path(path).read_bytes()).hexdigest()
    policy = {row["setting"]: row for row in cells(by_title(document, "reproduction", "Policy"))}
    assert policy["alpha"]["remark"] == "not the default, 0.05"
    assert policy["margins"]["value"] == "* = 0.05"
    assert policy["seed"]["remark"] == ""


def test_attachments_hold_the_rows(two):
    material, document = two
    held = {each.name: each.content.decode() for each in document.attachments}
    assert held["rows.csv"] == json.comparison_table(material.comparison)
    assert held["inspection.csv"] == json.inspection_table(material.inspection)


def test_one_variant_is_an_inspection(tmp_path):
    old, _ = pair(tmp_path)
    material, document = of([old])
    assert material.reason is None
    assert document.title == "Benchmark inspection"
    keys = [each.key for each in document.sections]
    assert "results" not in keys
    assert keys[0] == "summary"
    answer = material.inspection.findings[0].rstrip(".")
    assert answer in texts(document, "summary")
    assert answer not in texts(document, "quality")


def test_nothing_comparable_is_said(tmp_path):
    material, document = of(pair(tmp_path), benchmarks=("NoSuch",))
    assert material.reason is not None
    assert document.title == "Nothing to compare"
    assert "Nothing could be compared: --benchmark NoSuch: no benchmark has such a name" in texts(document, "summary")
    assert section(document, "reproduction")


def test_no_shared_benchmark_is_said(tmp_path):
    paths = write(tmp_path, **{"a.txt": go({"A": noisy(1)}), "b.txt": go({"B": noisy(1)})})
    text = texts(of(paths)[1], "summary")
    assert "Nothing could be compared: the builds have no benchmark in common: A in the baseline, B in" in text
    assert "A is gone from b." in text


def test_a_big_suite_says_its_limits(tmp_path):
    document = of(suite(tmp_path, 1200, runs=4))[1]
    found = by_title(document, "results", "sec/op")
    assert (len(found.rows), found.total, found.full) == (1000, 1200, "rows.csv")
    held = next(each for each in document.attachments if each.name == "rows.csv")
    assert held.content.count(b"\n") == 3 * 1200 + 1


def test_several_variants_can_be_inspected_side_by_side(tmp_path):
    made = questions.gather(pair(tmp_path), alone=True)
    document = report.document(made)
    assert (made.questions, made.reason, document.title) == ((), None, "Benchmark inspection")
    drawn = [figure.picture.kind for figure in document.figures]
    assert "atlas" in drawn


def test_a_suite_of_single_values_names_its_ends_and_has_no_columns_of_dashes(tmp_path):
    document = of(suite(tmp_path, 6, runs=1), metrics=("sec/op",))[1]
    assert "Not judged (one value per build), largest changes for the worse: Case" in texts(document, "summary")
    found = by_title(document, "results", "sec/op")
    assert [column.name for column in found.columns] == ["benchmark", "verdict", "change", "old", "new", "n"]
    assert not document.figures or "trace" not in {figure.picture.kind for figure in document.figures}


def test_a_benchmark_that_several_variants_miss_has_one_sentence(tmp_path):
    both = {"kept": [1.0, 1.1, 1.2, 1.3], "gone": [2.0, 2.1, 2.2, 2.3]}
    one = {"kept": [1.0, 1.1, 1.2, 1.3]}
    comparison = compared(tmp_path, old=both, new=one, newer=one)
    texts = [item.text for item in sentences(comparison)]
    assert [text for text in texts if " from " in text] == ["gone is gone from new and newer."]


def test_the_rows_have_the_headings_of_the_terminal(two):
    material, document = two
    headings = [material.comparison.weighing.heading(name) for name in ("change", "interval", "p", "n")]
    assert headings == ["change", "95 % interval", "p (corrected)", "n"]
    assert any(
        set(headings) <= {column.name for column in table.columns} for table in blocks(document, "results", "Table")
    )


def matrices(document):
    tables = (block for block in section(document, "results").blocks if isinstance(block, model.Table))
    return [table for table in tables if table.title.startswith("Each variant against each")]


def test_three_variants_have_a_matrix_whose_cells_are_the_changes_of_all_pairs(tmp_path):
    sizes = {"a.txt": 100, "b.txt": 120, "c.txt": 121}
    made = {name: go({"A": noisy(size, 12, seed=size)}) for name, size in sizes.items()}
    material, document = of(write(tmp_path, **made))
    (table,) = matrices(document)
    assert [column.name for column in table.columns] == ["against", "a", "b"]
    first, second = table.rows
    assert (first[0].text, second[0].text, first[2].text) == ("b", "c", "")
    assert first[1].tone == second[1].tone == "worse"
    assert first[1].heat > 0
    # b and c are too alike to differ.
    own = {(row.baseline, row.contender): place for place, row in enumerate(material.every_pair)}
    told = material.every_pair.weighing.cell
    assert second[2].key == material.every_pair[own["b", "c"]].change
    assert abs(second[2].heat) < 0.2
    assert (first[1].below, second[2].below) == (told(own["a", "b"], "p"), told(own["b", "c"], "p"))
    assert first[1].text == material.comparison.weighing.cell(0, "change")


def test_factors_have_a_matrix_of_their_combinations(tmp_path):
    document = of(factorial(tmp_path), by=("build",), within=("cc",))[1]
    (table,) = matrices(document)
    assert [column.name for column in table.columns] == ["against", "base/8", "base/9", "split/8"]


def test_two_variants_and_many_benchmarks_have_no_matrix(tmp_path):
    two = {name: go({"A": noisy(100, 12, seed=seed)}) for seed, name in enumerate(("a.txt", "b.txt"))}
    assert not matrices(of(write(tmp_path, **two))[1])
    many = {f"{name}.txt": go({f"Case{n}": noisy(100, 4, seed=n) for n in range(20)}) for name in "abc"}
    assert not matrices(of(write(tmp_path, **many))[1])
