import re

import pytest

import statera
from statera.output.views import Layout, inspection
from statera.output.views.terminal import page
from statera.support.settings import Policy
from support import compare, go, noisy, table, write


@pytest.fixture
def comparison(tmp_path):
    wide = "Größe/漢字漢字漢字/with/a/very/long/name/that/goes/on/and/on/and/on"
    old = {wide: noisy(1e6), "Short": noisy(5), "Mid": noisy(70_000)}
    new = {wide: noisy(2e6, seed=2), "Short": noisy(5, seed=3), "Mid": noisy(60_000, seed=4)}
    return compare(tmp_path, go(old), go(new))


def columns(line):
    return sum(2 if "\u2e80" <= char <= "\u9fff" else 1 for char in line)


def rows(shown):
    """The lines of the first table with its heading."""
    block = next(block for block in shown.split("\n\n") if re.match(r" +\S|\S+  +\S+ .*change", block))
    return [line for line in block.splitlines() if not line.startswith("  ") or line == block.splitlines()[0]]


def test_no_line_is_wider_than_the_terminal(comparison):
    for width in range(60, 201, 7):
        for every in (False, True):
            assert max(map(columns, page(comparison, Layout(width=width, every=every)).splitlines())) <= width


def test_names_lose_their_middle_and_keep_both_ends(comparison):
    line = rows(page(comparison, Layout(width=80)))[1]
    name = line.split("  ")[0]
    assert name.startswith("Größe")
    assert "…" in name


def test_values_change_and_interval_stay_when_columns_are_given_up(comparison):
    lines = rows(page(comparison, Layout(width=80)))
    assert re.split(r"  +", lines[0].strip())[:4] == ["old", "new", "change", "95 % interval"]
    assert "+100%" in lines[1]
    wide = rows(page(comparison, Layout(width=140)))
    assert {"±", "p"} <= {*wide[0].split()}


def test_columns_stand_under_their_headings(comparison):
    head, *lines = rows(page(comparison, Layout(width=140)))
    at = columns(head[: head.index("change") + len("change")])
    assert lines
    for line in lines:
        change = re.search(r"[+−]\d+(\.\d+)?%(?!  )|[+−]\d[\d.]*%", line)
        assert columns(line[: change.end()]) == at


def test_the_answer_is_first_in_a_pipe_and_last_on_a_terminal(comparison):
    for height, place in ((0, 0), (24, -2)):
        paragraphs = page(comparison, Layout(width=100, height=height)).split("\n\n")
        assert [n for n, part in enumerate(paragraphs) if "SLOWER" in part] == [
            place % len(paragraphs) if height == 0 else len(paragraphs) - 1
        ]


def test_twenty_benchmarks_take_one_screen(tmp_path):
    old = {f"Case{n:02}": noisy(100 + n, seed=n) for n in range(20)}
    new = {f"Case{n:02}": noisy((100 + n) * (1.5 if n < 15 else 1), seed=n + 50) for n in range(20)}
    found = compare(tmp_path, go(old), go(new))
    told = page(found, Layout(width=80, height=24))
    assert len(told.splitlines()) <= 24
    assert re.search(r"^  3 more slower, \+\d\S+ to \+\d\S+ +--all-rows$", told, re.MULTILINE)
    assert len([line for line in told.splitlines() if line.startswith("Case")]) == 12
    whole = page(found, Layout(width=80, height=24, every=True))
    assert len([line for line in whole.splitlines() if line.startswith("Case")]) == 20


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
        (0.5, "−50.0%"),
        (3, "+200%"),
        (9.9, "+890%"),
        (10, "×10"),
        (29.25, "×29.2"),
        (0.001, "−99.9%"),
    ):
        old, new = (table([{"benchmark": "X", "value": repr(v), "unit": "s"}]) for v in (1, factor))
        assert compare(tmp_path, old, new).weighing.cell(0, "change") == shown


def test_a_thousandfold_improvement_is_not_shown_as_all_or_nothing(tmp_path):
    old, new = (table([{"benchmark": "X", "value": v, "unit": "s"}]) for v in (1, 0.00001))
    assert compare(tmp_path, old, new).weighing.cell(0, "change") != "−100%"


def test_cautions_are_two_and_notes_are_all(pair, run):
    told = run("compare", *pair).out
    assert len(re.findall("^⚠ ", told, re.MULTILINE)) <= 2
    assert "Method: " not in told
    every = run("compare", *pair, "--notes", "--method").out
    assert re.findall(r"^Note: .*\[[a-z-]+\]$|^[¹²³⁴⁵⁶⁷⁸⁹] .*\[[a-z-]+\]$", every, re.MULTILINE)
    assert "\nMethod: " in every
    assert "Read " in every


def test_prose_is_folded_between_words_and_loses_none(pair, run):
    wide = run("compare", *pair, "--method")
    narrow = run("compare", *pair, "--width", 60, "--method")
    assert max(map(len, narrow.out.splitlines())) <= 60
    closing = wide.out[wide.out.index("Method:") :]
    assert " ".join(narrow.out[narrow.out.index("Method:") :].split()) == " ".join(closing.split())


def test_the_heading_of_an_interval_states_its_level_in_full(tmp_path):
    for alpha, heading in ((0.05, "95 %"), (0.1, "90 %"), (0.0005, "99.95 %")):
        found = compare(tmp_path, go({"A": noisy(100)}), go({"A": noisy(200, seed=2)}), policy=Policy(alpha=alpha))
        assert f"{heading} interval" in page(found, Layout())


def test_the_line_of_columns_names_what_explain_knows(comparison, run):
    told = page(comparison, Layout(notes=True))
    [named] = re.findall(r"^Explain a column or a word: statera explain (.*)$", told, re.MULTILINE)
    for word in re.findall(r"[a-z][a-z-]+", named.replace("(or", "")):
        assert run("explain", word).code == 0, word


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
        told = page(comparison, Layout(sort=sort, every=True)).split("all 3 variants: sec/op")[1].split("\n\n")[0]
        return [line.split()[0] for line in told.splitlines()[1:]]

    assert tested("worst") == ["Slower", "Faster", "Same"]
    assert tested("name") == ["Faster", "Same", "Slower"]
    assert tested("gain") == ["Faster", "Same", "Slower"]


def test_an_inspection_on_a_narrow_terminal_keeps_medians_and_names_apart(tmp_path):
    drifting = {f"{'deep/' * 5}case={n}": [100 + n + i for i in range(20)] for n in range(6)}
    (tmp_path / "a").write_text(go(drifting))
    told = inspection.page(statera.inspect(tmp_path / "a"), Layout(70, sort="defects"))
    table = [re.split("  +", line) for line in told.split("\n\n")[1].splitlines()[:7]]
    assert "median" in table[0]
    assert table[1][table[0].index("median")].endswith(" ns")
    assert len({row[0] for row in table[1:]}) == 6


def test_an_inspection_of_long_names_says_which_variant_each_row_is(tmp_path):
    for width, constant, kept in ((80, None, {"median", "n"}), (34, 0, {"detects"})):
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


def test_heads_of_all_pairs_name_both_builds_as_far_as_there_is_room(tmp_path):
    labels = ("table-amd64v1", "swar-amd64v1", "intrinsic-amd64v1")
    paths = write(tmp_path, **{label: go({"X": noisy(100 + 50 * place)}) for place, label in enumerate(labels)})
    found = statera.compare(*paths, pairs="all")

    def told(width):
        return {*re.findall(r"\S+ / \S+", page(found, Layout(width)))}

    assert told(80) == {"swar-amd64v1 / table-…", "intrinsic-… / table-…", "intrinsic-… / swar-amd64v1"}
    assert told(140) == {f"{new} / {old}" for old, new in (labels[:2], labels[1:], labels[::2])}


def test_the_geometric_mean_names_its_metric_only_beside_others(tmp_path):
    def sides(factor, **more):
        names = ("A", "B", "C", "D")
        return {name: {"ns/op": [v * factor for v in noisy(10)]} | more for name in names}

    one = page(compare(tmp_path, go(sides(1)), go(sides(2))), Layout(width=100))
    assert re.search(r"geometric mean: \+100%", one)
    sizes = ({"B/op": [100.0] * 8}, {"B/op": [50.0] * 8})
    two = page(compare(tmp_path, go(sides(1, **sizes[0])), go(sides(2, **sizes[1]))), Layout(width=100))
    assert re.search(r"geometric mean: sec/op \+100%.*, B/op −50(\.0)?%", two)


def test_the_verdict_of_a_row_names_another_metric_only_where_that_one_says_something_else(tmp_path):
    few = {"A": (1.2, 1.9), "B": (1.9, 1.2)}
    sides = [
        go(
            {
                name: {u: [v * k[i] ** side for v in noisy(10, 3)] for i, u in enumerate(("ns/op", "p9-ns/op"))}
                for name, k in few.items()
            }
        )
        for side in (0, 1)
    ]
    text = page(compare(tmp_path, *sides), Layout(width=120))
    assert text.count("differs\n") == 4, text


def test_what_undecided_runs_would_have_shown_stands_beside_them_alone(tmp_path):
    old = {"Loud": noisy(100, 6, seed=1), "Slow": noisy(100, 6, seed=2), "Still": [100.0, 100.1] * 3}
    loud = [value * (1 + 0.2 * (k % 2)) for k, value in enumerate(noisy(100, 6, seed=3))]
    new = {"Loud": loud, "Slow": noisy(200, 6, seed=4), "Still": [100.1, 100.0] * 3}
    lines = rows(page(compare(tmp_path, go(old), go(new)), Layout(width=200, every=True)))
    end = lines[0].index("detects") + len("detects")
    told = {line.split()[0]: line[end - 7 : end].strip() for line in lines[1:]}
    assert (told["Slow"], told["Still"]) == ("", "")
    assert re.fullmatch(r"[\d.]+%", told["Loud"])
