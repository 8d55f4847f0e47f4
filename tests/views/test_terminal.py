import re

import pytest

import statera
from statera.comparison.verdicts.catalogue.comparisons import COLUMNS
from statera.output.views import Layout, inspection
from statera.output.views.terminal import page
from statera.support.settings import Policy
from support import compare, go, noisy, table


@pytest.fixture
def comparison(tmp_path):
    wide = "Größe/漢字漢字漢字/with/a/very/long/name/that/goes/on/and/on/and/on"
    old = {wide: noisy(1e6), "Short": noisy(5), "Mid": noisy(70_000)}
    new = {wide: noisy(2e6, seed=2), "Short": noisy(5, seed=3), "Mid": noisy(60_000, seed=4)}
    return compare(tmp_path, go(old), go(new))


def columns(line):
    return sum(2 if "\u2e80" <= char <= "\u9fff" else 1 for char in line)


def rows(shown):
    block = next(block for block in shown.split("\n\n") if block.startswith("sec/op"))
    return [line for line in block.splitlines() if not line.startswith(("geometric mean", "verdicts"))]


def test_no_line_of_a_table_is_wider_than_the_terminal(comparison):
    for width in (50, 70, 90, 110):
        assert max(map(columns, rows(page(comparison, Layout(width=width))))) <= width


def test_names_lose_their_middle_and_keep_both_ends(comparison):
    line = rows(page(comparison, Layout(width=80)))[1]
    name = line.split("  ")[0]
    assert name.startswith("Größe")
    assert "…" in name


def test_the_verdict_stays_when_columns_are_given_up(comparison):
    lines = rows(page(comparison, Layout(width=50)))
    assert "verdict" in lines[0]
    assert "worse" in lines[1]


def test_columns_stand_under_their_headings(comparison):
    lines = rows(page(comparison, Layout()))
    at = columns(lines[0][: lines[0].index("verdict")])
    for line in lines[1:]:
        verdict = re.search(r"(better|worse|equivalent|inconclusive)", line)
        assert columns(line[: verdict.start()]) == at


def test_a_value_is_shown_with_the_prefix_that_reads_best(tmp_path):
    for unit, value, shown in (
        ("s", 0.0000012345, "1.235 µs"),
        ("s", 552, "9.200 min"),
        ("s", 59.5, "59.50 s"),
        ("ms", 3, "3.000 ms"),
        ("B", 6_167_242, "5.882 MiB"),
        ("MB/s", 1.5, "1.431 MiB/s"),
        ("count", 133_896, "133.9 k"),
        ("furlongs", 17, "17 furlongs"),
        ("s", 0, "0 s"),
    ):
        side = table([{"benchmark": "X", "value": repr(value), "unit": unit}])
        assert compare(tmp_path, side, side).weighing.cell(0, "baseline") == shown


def test_a_change_is_shown_in_per_cent_and_from_tenfold_on_as_a_factor(tmp_path):
    for factor, shown in (
        (1, "0%"),
        (1.01, "+1.00%"),
        (0.5, "-50.0%"),
        (3, "+200%"),
        (9.9, "+890%"),
        (10, "×10"),
        (29.25, "×29.2"),
        (0.001, "-99.9%"),
    ):
        old, new = (table([{"benchmark": "X", "value": repr(v), "unit": "s"}]) for v in (1, factor))
        assert compare(tmp_path, old, new).weighing.cell(0, "change") == shown


def test_a_thousandfold_improvement_is_not_shown_as_all_or_nothing(tmp_path):
    old, new = (table([{"benchmark": "X", "value": v, "unit": "s"}]) for v in (1, 0.00001))
    assert compare(tmp_path, old, new).weighing.cell(0, "change") != "-100%"


def test_every_footnote_that_a_row_refers_to_stands_below(tmp_path):
    others = {name: noisy(100, 20, seed=seed) for seed, name in enumerate("ABCD")}
    old, new = {"X": [*noisy(100, 19), 300], **others}, {"X": [100 + i for i in range(20)], **others}
    result = compare(tmp_path, go(old), go(new))
    shown = page(result, Layout())
    marks = set(re.findall(r"[¹²³⁴⁵⁶⁷⁸⁹]", shown.split("Method:")[0]))
    notes = set(re.findall(r"^([¹²³⁴⁵⁶⁷⁸⁹]) .*\[[a-z-]+\]$", shown, re.MULTILINE))
    assert marks == notes != set()


def test_prose_is_folded_between_words_and_loses_none(pair, run):
    wide = run("compare", *pair)
    narrow = run("compare", *pair, "--width", 60)
    assert max(map(len, narrow.out.splitlines())) <= 60
    closing = wide.out[wide.out.index("Method:") :]
    assert " ".join(narrow.out[narrow.out.index("Method:") :].split()) == " ".join(closing.split())


def test_the_heading_of_p_says_whether_it_is_corrected(tmp_path):
    values = {"A": noisy(100), "B": noisy(200)}
    for correction, heading in (("auto", "p (corrected)"), ("holm", "p (corrected)"), ("none", "p")):
        found = compare(tmp_path, go(values), go(values), policy=Policy(correction=correction))
        assert heading in re.split(r"  +", rows(page(found, Layout()))[0])
        assert f"<th>{heading}</th>" in found._repr_html_()


def test_the_heading_of_an_interval_states_its_level_in_full(tmp_path):
    for alpha, heading in ((0.05, "95%"), (0.1, "90%"), (0.0005, "99.95%")):
        found = compare(tmp_path, go({"A": noisy(100)}), go({"A": noisy(100, seed=2)}), policy=Policy(alpha=alpha))
        assert f"{heading} interval" in rows(page(found, Layout()))[0]


def test_one_line_names_the_columns_that_explain_knows(comparison):
    named = re.search(
        r"^Explain a column: statera explain ([\w-]+) \(or (.*)\)\nRead ", page(comparison, Layout()), re.MULTILINE
    )
    assert {named[1], *named[2].split(", ")} == set(COLUMNS)


def test_tests_over_all_variants_stand_in_the_order_of_the_rows(tmp_path):
    for name, factor in zip("abc", (1.0, 1.02, 1.5), strict=True):
        times = {
            "Same": noisy(100, seed=ord(name)),
            "Faster": noisy(100 / factor, seed=ord(name)),
            "Slower": noisy(100 * factor, seed=ord(name)),
        }
        (tmp_path / name).write_text(go(times))
    comparison = statera.compare(*(tmp_path / name for name in "abc"))

    def tested(sort):
        told = page(comparison, Layout(sort=sort)).split("all 3 variants: sec/op")[1].split("\n\n")[0]
        return [line.split()[0] for line in told.splitlines()[1:]]

    assert tested("worst") == ["Slower", "Faster", "Same"]
    assert tested("name") == ["Faster", "Same", "Slower"]
    assert tested("gain") == ["Faster", "Same", "Slower"]
    fold = comparison.to_markdown().split("<b>All 3 variants: sec/op</b>")[1]
    assert [line.split()[1] for line in fold.splitlines() if " Kruskal-Wallis " in line] == tested("worst")


def many_variants(folder, benchmarks):
    for name, factor in zip("abc", (1.0, 1.02, 1.5), strict=True):
        times = {f"{'deep/' * 12}case={n}": noisy(100 * factor, seed=n + ord(name)) for n in range(benchmarks)}
        (folder / name).write_text(go(times))
    return statera.compare(*(folder / name for name in "abc"))


def test_of_many_tests_over_all_variants_a_screen_is_shown(tmp_path):
    comparison = many_variants(tmp_path, 50)
    told = page(comparison, Layout(80))
    assert told.count("Kruskal-Wallis") == 30
    assert "\nnot shown: 20 tests over all variants; --all-rows shows them\n" in told
    assert max(len(line) for line in told.splitlines() if "Kruskal-Wallis" in line) <= 80
    assert page(comparison, Layout(80, every=True)).count("Kruskal-Wallis") == 50


def test_an_inspection_on_a_narrow_terminal_keeps_medians_and_names_apart(tmp_path):
    drifting = {f"{'deep/' * 5}case={n}": [100 + n + i for i in range(20)] for n in range(6)}
    (tmp_path / "a").write_text(go(drifting))
    told = inspection.page(statera.inspect(tmp_path / "a"), Layout(70, sort="defects"))
    table = [re.split("  +", line) for line in told.split("\n\n")[1].splitlines()[:7]]
    assert "median" in table[0]
    assert table[1][table[0].index("median")].endswith(" ns")
    assert len({row[0] for row in table[1:]}) == 6


def test_an_inspection_of_long_names_says_which_variant_each_row_is(tmp_path):
    for width, constant, kept in ((80, None, {"median", "n"}), (34, 0, {"shows"})):
        for seed, side in enumerate(("old", "new")):
            values = {n: [100] * 20 if n == constant else noisy(100, 20, seed=n + seed) for n in range(6)}
            text = go({f"{'deep/' * 25}{n}case": of for n, of in values.items()})
            (tmp_path / f"{side}{'-build' * 8}").write_text(text)
        found = statera.inspect(*sorted(tmp_path.iterdir()))
        told = inspection.page(found, Layout(width, sort="defects"))
        head, *lines = told.split("\n\n")[1].splitlines()[:13]
        assert re.split("  +", head)[:2] == ["sec/op", "variant"]
        assert kept <= {*head.split()}
        assert len({tuple(re.split("  +", line)[:2]) for line in lines}) == 12
        assert max(map(len, [head, *lines])) <= width


def test_grades_are_counted_from_the_worst(tmp_path):
    values = {"noisy": noisy(100, 20, spread=0.1), "few": [1.0, 2.0], "drifts": [100 + i for i in range(20)]}
    (tmp_path / "a").write_text(go({**values, "more": noisy(100, 20, seed=3, spread=0.1)}))
    told = re.search(r"^grades: (.*)$", inspection.page(statera.inspect(tmp_path / "a")), re.MULTILINE)[1]
    grades = [part.split()[1] for part in told.split(" · ")]
    order = ["unfit", "doubtful", "noisy", "fit"]
    assert len(grades) > 1
    assert grades == sorted(grades, key=order.index)
