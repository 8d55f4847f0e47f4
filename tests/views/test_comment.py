"""A comment stays within what GitHub takes, whatever is compared, and shows first what is worse."""

import re

import pytest

import statera
from rendered import HOSTILE, acting
from statera.comparison.verdicts import Note
from statera.output.views import comment
from support import compare, fails, go, noisy, table

LONG = "x" * 9_000


def sides(tmp_path, count, names, *, changes):
    """A file for each variant, whose benchmarks differ by these factors in turn."""
    paths = []
    for variant in range(count):
        factor = changes[variant % len(changes)]
        path = tmp_path / f"v{variant}.txt"
        path.write_text(go({name: noisy(100 * factor, 4) for name in names}))
        paths.append(path)
    return paths


def check(text):
    """What holds for every comment."""
    assert comment.size(text) <= comment.MOST
    assert len(re.findall("^<details><summary>", text, re.MULTILINE)) == len(
        re.findall("^</details>$", text, re.MULTILINE)
    )
    assert text.startswith("### ")
    # A table has as many cells in every line as in its heading.
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.split(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1, block[:300]
    # No heading stands above nothing, and no fold is empty.
    assert not re.search(r"</summary>\s*</details>", text)
    assert not re.search(r"^#+ .*\n+(#|\Z)", text, re.MULTILINE)


def test_a_comment_fits_whatever_is_compared(tmp_path):
    labels = [f"{'L' * 3_000}{number}" for number in range(12)]
    many = sides(tmp_path, 12, [f"{number}/{LONG}" for number in range(30)], changes=(1, 1.5, 0.7))
    given = [f"{label}={path}" for label, path in zip(labels, many, strict=True)]
    for comparison in (
        statera.compare(*given, pairs="all", quantiles=[0.1, 0.5, 0.9]),
        statera.compare(*given[:2], policy=statera.Policy(mean=True)),
    ):
        for options in ({}, {"changed": True}, {"sort": "name"}, {"sort": "p", "changed": True}):
            check(comparison.to_markdown(**options))


def test_a_comment_on_many_benchmarks_is_one_screen(tmp_path):
    names = [f"Package/{number:05}/case" for number in range(4_000)]
    for changes, word in (((1, 1.4), "slower"), ((1, 0.7), "faster"), ((1, 1), "")):
        result = statera.compare(*sides(tmp_path, 2, names, changes=changes))
        text = result.to_markdown()
        check(text)
        assert comment.size(text) < 4_000
        shown = len(re.findall(r"^\| `Package", text, re.MULTILINE))
        assert shown == (20 if word else 0)
        if word:
            [left] = re.findall(rf"^([\d,]+) more {word}, ", text, re.MULTILINE)
            assert shown + int(left.replace(",", "")) == len(result)


def test_one_suspect_of_500_takes_few_characters(tmp_path):
    old = {f"Case{n:03}/with/a/name": noisy(100, seed=n) for n in range(500)}
    new = {name: noisy(150 if name.startswith("Case007") else 100, seed=900 + n) for n, name in enumerate(old)}
    text = compare(tmp_path, go(old), go(new)).to_markdown()
    check(text)
    assert comment.size(text) < 3_000
    assert len(re.findall(r"^\| `", text, re.MULTILINE)) == 1
    assert text.startswith("### 🔴 1 of 500 benchmarks slower (Case007/with/a/name +")
    assert len([line for line in text.splitlines() if line and not line.startswith("|")]) <= 7


def test_hostile_names_fill_a_comment_and_act_nowhere(tmp_path):
    names = [f"{number}{name * 40}" for number in range(12) for name in HOSTILE]
    rows = [{"benchmark": name, "value": value, "unit": "s"} for name in names for value in noisy(1, 5)]
    slow = [{**row, "value": row["value"] * 2} for row in rows]
    text = compare(tmp_path, table(rows), table(slow)).to_markdown()
    check(text)
    assert acting(text) == []


def test_a_comment_has_two_cautions_of_any_number_and_length(tmp_path):
    result = compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(2)}))
    result.notes += [Note("pooled", f"{number} {'*' * 5_000}") for number in range(300)]
    text = result.to_markdown()
    check(text)
    assert len(re.findall("^⚠ ", text, re.MULTILINE)) == 2
    assert comment.size(text) < 3_000


def test_metrics_are_columns_and_undecided_benchmarks_a_number(tmp_path):
    old = {"A": {"ns/op": noisy(100), "B/op": [10] * 10}, "B": {"ns/op": noisy(100), "B/op": [10] * 10}}
    new = {"A": {"ns/op": noisy(200, seed=2), "B/op": [20] * 10}, "B": {"ns/op": noisy(70), "B/op": [10] * 10}}
    old["C"] = new["C"] = {"ns/op": noisy(100, spread=0.3), "B/op": [10] * 10}
    text = compare(tmp_path, go(old), go(new)).to_markdown()
    lines = [line.replace(comment.NO_BREAK, " ") for line in text.splitlines() if line.startswith("|")]
    assert lines[0] == "| benchmark | old → new | change | 95 % interval | B |"
    assert re.match(r"\| `A` \| \d+ ns → \d+ ns \| \*\*\+\S+%\*\* \| .* … .* \| \*\*\+100%\*\* \|$", lines[2])
    assert re.match(r"\| `B` \| ", lines[3])
    assert len(lines) == 4
    assert "\n1 with no clear change (time)" in text


def test_the_order_of_the_rows_is_that_which_is_asked_for(tmp_path):
    old = {name: noisy(100) for name in "CAB"}
    new = {"C": noisy(130, seed=2), "A": noisy(150, seed=2), "B": noisy(170, seed=2)}
    result = compare(tmp_path, go(old), go(new))

    def names(sort):
        return "".join(re.findall(r"^\| `(\w)` \|", result.to_markdown(sort=sort), re.MULTILINE))

    assert {sort: names(sort) for sort in ("worst", "file", "name", "effect")} == {
        "worst": "BAC",
        "file": "CAB",
        "name": "ABC",
        "effect": "BAC",
    }
    with pytest.raises(ValueError, match="wrost"):
        result.to_markdown(sort="wrost")


def test_the_mark_of_the_answer():
    for counts, mark in (
        ({"worse": 1, "better": 9}, "🔴"),
        ({"tail-worse": 1}, "🔴"),
        ({"missing": 1, "better": 3}, "🟠"),
        ({"changed": 1}, "🟠"),
        ({"better": 1}, "🟢"),
        ({"equivalent": 5, "inconclusive": 5}, "🟢"),
        ({"equivalent": 4, "inconclusive": 5}, "⚪"),
        ({"one-value": 5}, "⚪"),
        ({}, "⚪"),
    ):
        assert comment.mark(counts) == mark, counts


def test_sizes_are_those_of_utf_16():
    for text in ("abc", "漢字", "🦀🦀", "a\u0301", ""):
        assert comment.size(text) == len(text.encode("utf-16-le")) // 2


def test_every_fold_has_a_share_of_the_room():
    def folds(*rows):
        return [
            comment.Fold(
                f"f{count}", "", count, lambda most, count=count: ["h\n", "-\n", *["x" * 99 + "\n"] * min(most, count)]
            )
            for count in rows
        ]

    for rows in ((5_000, 3, 3), (3, 5_000, 3), (5_000, 5_000), (1,) * 200, (5_000,) * 50):
        room = comment.Room(20_000)
        text = "".join(comment.folds_with_rows(folds(*rows), room))
        assert comment.size(text) <= 20_000 + comment.SAID
        shown = text.count("x" * 99)
        left = [int(count.replace(",", "")) for count in re.findall(r"([\d,]+) more rows? do", text)]
        assert shown + sum(left) == sum(rows)
        assert len(rows) > 40 or all(f"<b>f{count}</b>" in text for count in rows)
    # Less than 1,500 characters of a fold are none.
    around = comment.size(comment.fold("f99", "", ""))
    for left, begins in ((around + 1_500, "<details>"), (around + 1_499, "\n99 more rows")):
        assert "".join(comment.folds_with_rows(folds(99), comment.Room(left))).lstrip("\n").startswith(begins.lstrip())


def test_an_inspection_fits_whatever_is_inspected(tmp_path):
    names = [f"{number}/{HOSTILE[number % len(HOSTILE)]}" for number in range(700)]
    rows = [{"benchmark": name, "value": value, "unit": "s"} for name in names for value in noisy(1, 5)]
    paths = [tmp_path / f"{side}.csv" for side in "ab"]
    for path in paths:
        path.write_text(table(rows), newline="")
    labels = [f"{label}{'L' * 3_000}={path}" for label, path in zip("ab", paths, strict=True)]
    for inspection in (
        statera.inspect(*labels),
        statera.inspect(*labels, benchmarks=["/^1./"]),
        statera.inspect(labels[0], benchmarks=["/^12/"]),
        statera.inspect(*labels, aa=True, splits=4),
    ):
        text = inspection.to_markdown()
        assert comment.size(text) <= comment.MOST
        assert text.startswith("### ")
        assert acting(text) == []
        assert len(re.findall("^<details>", text, re.MULTILINE)) == len(re.findall("^</details>$", text, re.MULTILINE))


def test_an_inspection_has_the_order_that_is_asked_for(tmp_path):
    (tmp_path / "a").write_text(go({name: noisy(100) for name in "CABDE"}))
    inspection = statera.inspect(tmp_path / "a")
    orders = {
        sort: re.findall(r"^\| `(\w)` \|", inspection.to_markdown(sort=sort), re.MULTILINE) for sort in ("file", "name")
    }
    assert {sort: "".join(found) for sort, found in orders.items()} == {"file": "CABDE", "name": "ABCDE"}


def test_options_that_do_nothing_for_an_output_are_refused(tmp_path, run):
    pair = sides(tmp_path, 2, "XY", changes=(1, 2))
    for words, what in (
        (("-f", "markdown", "--width", "80"), "--width"),
        (("-f", "csv", "--colour", "always"), "--colour"),
        (("-f", "csv", "--quantiles"), "--quantiles"),
    ):
        fails(run("compare", *pair, *words), what)
    assert run("compare", *pair, "-f", "markdown", "--colour", "never").code == 0


def test_several_builds_share_a_table_the_worst_first(tmp_path):
    for name, centre in zip("abc", (100, 80, 120), strict=True):
        (tmp_path / name).write_text(go({"X": noisy(centre), "Y": noisy(centre)}))
    text = statera.compare(*(tmp_path / name for name in "abc")).to_markdown()
    assert "\na → b, c · " in text
    assert "\n| benchmark | a | c | b |\n" in text
    assert "| `X` | 100 ns | **+20.0%** | −20.0% |" in text.replace(comment.NO_BREAK, " ")
    pairs = statera.compare(*(tmp_path / name for name in "abc"), pairs="all").to_markdown()
    assert "| c / a | c / b | b / a |" in pairs


def test_tables_have_a_blank_line_before_them(tmp_path):
    lines = compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(2)})).to_markdown().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    assert lines[first - 1] == ""
    assert set(lines[first + 1]) <= set("|:- ")


def test_no_value_parts_from_its_unit_and_silent_columns_are_left_out(tmp_path):
    old, new = (go({"X": noisy(centre), "Y": noisy(100)}) for centre in (100, 120))
    text = compare(tmp_path, old, new).to_markdown()
    assert "| `X` | 100\u00a0ns\u00a0→\u00a0120\u00a0ns | **+20.0%** |" in text
    assert "`Y`" not in text
    single = compare(tmp_path, go({"X": [100.0]}), go({"X": [120.0]})).to_markdown()
    assert "interval" not in "".join(line for line in single.splitlines() if line.startswith("|"))
