import statera
from support import cells, compare, go, noisy


def many(tmp_path, count, factor):
    old = {f"Benchmark/with/a/long/name/{i:05}": noisy(100, 5) for i in range(count)}
    new = {name: noisy(100 * factor, 5, seed=2) for name in old}
    return compare(tmp_path, go(old), go(new)).to_markdown()


def test_a_comment_never_exceeds_what_github_takes(tmp_path):
    for count, factor in ((2000, 2), (2000, 1)):
        text = many(tmp_path, count, factor)
        assert len(text) <= 65_536
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
    assert text.startswith("### `a` against `b`, `c`\n")
    assert "#### `sec/op` of `b`" in text
    assert "#### `sec/op` of `c`" in text


def test_variants_of_a_single_benchmark_share_a_table(tmp_path):
    for name, centre in zip("abc", (100, 120, 80), strict=True):
        (tmp_path / name).write_text(go({"X": noisy(centre)}))
    text = statera.compare(*(tmp_path / name for name in "abc")).to_markdown()
    assert "#### `sec/op`\n\n1 better · 1 worse" in text
    assert "| `sec/op, X` | `a` | `contender` |" in text
    assert "\n| `b` | 100.0 ns" in text
    assert "\n| `c` | 100.0 ns" in text
    assert "| all 3 variants: sec/op |" in text
    pairs = statera.compare(*(tmp_path / name for name in "abc"), pairs="all").to_markdown()
    assert "| `sec/op, X` | `baseline` | `contender` |" in pairs
    assert "\n| `c against b` |" in pairs


def test_tables_have_a_blank_line_before_them(tmp_path):
    lines = compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(2)})).to_markdown().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    assert lines[first - 1] == ""
    assert set(lines[first + 1]) <= set("|:- ")
