import re

import statera
from statera.output.views import comment
from support import cells, compare, go, noisy


def many(tmp_path, count, factor):
    old = {f"Benchmark/with/a/long/name/{i:05}": noisy(100, 5) for i in range(count)}
    new = {name: noisy(100 * factor, 5, seed=2) for name in old}
    return compare(tmp_path, go(old), go(new)).to_markdown()


def test_a_comment_never_exceeds_what_github_takes(tmp_path):
    for count, factor in ((2000, 2), (2000, 1)):
        text = many(tmp_path, count, factor)
        assert comment.size(text) <= 65_000
        assert text.count("<details>") == text.count("</details>")


def test_rows_that_do_not_fit_are_counted_and_their_whereabouts_told(tmp_path):
    text = many(tmp_path, 2000, 2)
    shown = sum("worse" in cells(line)[-1] for line in text.splitlines() if line.startswith("| `"))
    assert f"{2000 - shown:,} more".replace(",", "") in text.replace(",", "")
    assert "`-f csv` has them all" in text


def test_every_variant_has_its_table(tmp_path):
    for name, centre in zip("abc", (100, 120, 80), strict=True):
        (tmp_path / name).write_text(go({"X": noisy(centre), "Y": noisy(centre)}))
    text = statera.compare(*(tmp_path / name for name in "abc")).to_markdown()
    assert "\n`a` (baseline) against `b`, `c`\n" in text
    opened, *folds = text.split("<details>")
    assert "| `X` | `b` | 100.0 ns → 120.0 ns | +20.0% |" in opened.replace(comment.NO_BREAK, " ")
    assert "<summary><b>sec/op of c</b>: 2 better" in folds[0]


def test_variants_of_a_single_benchmark_share_a_table(tmp_path):
    for name, centre in zip("abc", (100, 120, 80), strict=True):
        (tmp_path / name).write_text(go({"X": noisy(centre)}))
    text = statera.compare(*(tmp_path / name for name in "abc")).to_markdown()
    opened, fold = text.split("<details>")[:2]
    assert "| `X` | `b` | 100.0 ns → 120.0 ns | +20.0% |" in opened.replace(comment.NO_BREAK, " ")
    assert "<summary><b>sec/op</b>: 1 better</summary>" in fold
    assert "| `sec/op` | `a` | `c` |" in fold
    assert "\n| `X` | 100.0\u00a0ns" in fold
    assert "<summary><b>All 3 variants: sec/op</b></summary>" in text
    pairs = statera.compare(*(tmp_path / name for name in "abc"), pairs="all").to_markdown()
    assert "| `X` | `b` against `a` |" in pairs
    assert "\n| `c against b` |" in pairs


def test_tables_have_a_blank_line_before_them(tmp_path):
    lines = compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(2)})).to_markdown().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    assert lines[first - 1] == ""
    assert set(lines[first + 1]) <= set("|:- ")


def test_no_value_parts_from_its_unit_and_silent_columns_are_left_out(tmp_path):
    old, new = (go({"X": noisy(centre), "Y": noisy(100)}) for centre in (100, 120))
    text = compare(tmp_path, old, new).to_markdown()
    assert "| `X` | 100.0\u00a0ns → 120.0\u00a0ns | +20.0% |" in text.replace("\u00a0→", " →")
    (row,) = re.findall(r"^\| `Y` .*$", text, re.MULTILINE)
    _, before, after, change, interval, verdict = cells(row)
    assert (before, after) == ("100.0\u00a0ns", "100.0\u00a0ns")
    assert " " not in change + interval
    assert verdict == "equivalent"
    single = compare(tmp_path, go({"X": [100.0]}), go({"X": [120.0]})).to_markdown()
    assert "interval" not in "".join(line for line in single.splitlines() if line.startswith("|"))
