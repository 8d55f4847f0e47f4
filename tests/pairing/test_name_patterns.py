"""Factors in the names of files: the whole of what stands between the texts of a pattern, or a question."""

import pytest

import statera
from statera import Stop
from statera.comparison.pairing.factors import compiled, fields
from support import every, go, noisy


@every(
    ("pattern", "path", "wanted"),
    [
        ("{version}.json", "runs/v1.10.1.json", {"version": "v1.10.1"}),
        ("{version}", "runs/v1.10.1.json", {"version": "v1.10.1"}),
        ("app-{version}", "app-1.2.0.csv.gz", {"version": "1.2.0"}),
        ("app-{version}", "app-1.2.0", {"version": "1.2.0"}),
        ("{way}-amd64{level}", "a/swar-amd64v3.txt", {"way": "swar", "level": "v3"}),
        ("cost-{rev}-{ghc}-from", "ops-cost-e39f-ghc96-from-63.csv", {"rev": "e39f", "ghc": "ghc96"}),
        ("{date}-{commit}.json", "2024-05-01-a1b2c3d.json", {"date": "2024-05-01", "commit": "a1b2c3d"}),
        ("{date}-{commit}", "2024-05-01T10-30Z-a1b2c3d.json", {"date": "2024-05-01T10-30Z", "commit": "a1b2c3d"}),
        ("{tool}-{os:[a-z]+}.json", "the-old-one-2.2-linux.json", {"tool": "the-old-one-2.2", "os": "linux"}),
        ("{machine}/bench", "v1/ci-linux/bench.json", {"machine": "ci-linux"}),
        ("{version}/{machine}/{name}", "/r/v1.0/ci/bench.json", {"version": "v1.0", "machine": "ci", "name": "bench"}),
        ("{a}-{b}", "plain.json", {}),
        ("{a}/{b}", "plain.json", {}),
    ],
)
def test_a_factor_is_all_that_stands_between_the_texts(pattern, path, wanted):
    assert compiled(pattern).values(path) == wanted
    assert set(fields(pattern)) >= set(wanted)


def test_the_pattern_that_is_proposed_fits_files_of_any_ending(tmp_path):
    for number, name in enumerate(("v1.txt", "v2.txt")):
        (tmp_path / name).write_text(go({"A": noisy(10, seed=number)}))
    with pytest.raises(Stop, match="what their names mean") as stopped:
        statera.compare(tmp_path)
    proposed = str(stopped.value).split("('")[1].split("')")[0]
    assert statera.compare(tmp_path, name_patterns=proposed, by="version").labels == ["v1", "v2"]


@every("name", ["the-silver-searcher-linux.json", "a--b.json"])
def test_a_name_that_can_be_divided_in_several_ways_is_a_question(name):
    with pytest.raises(Stop, match="can be divided in several ways: tool=") as stopped:
        compiled("{tool}-{os}.json").values(name)
    assert "{tool:[^-]+}" in str(stopped.value)


def test_an_expression_that_is_none_is_refused():
    with pytest.raises(Stop, match="not a regular expression"):
        compiled("{a:(}")


def test_versions_with_dots_are_variants_of_their_own(tmp_path):
    for number, version in enumerate(["1.2.0", "1.2.1", "1.10.1"]):
        (tmp_path / f"app-{version}.txt").write_text(go({"X": noisy(100 + 10 * number, seed=number)}))
    found = statera.compare(tmp_path, by="version", name_patterns="app-{version}", baseline="1.2.0")
    assert {row.contender for row in found} == {"1.2.1", "1.10.1"}


def test_a_pattern_that_fits_no_file_says_what_was_compared(tmp_path):
    (tmp_path / "a.txt").write_text(go({"X": noisy(100)}))
    with pytest.raises(Stop, match=r"the first is a.txt in .*; a pattern with a / is compared with the path"):
        statera.compare(tmp_path, by="v", name_patterns="b-{v}")


def test_a_run_in_a_name_is_a_run_and_not_a_group(tmp_path):
    for run in range(4):
        for tool, centre in (("lz4", 100), ("zstd", 150)):
            (tmp_path / f"{tool}-run{run}.txt").write_text(go({"X": noisy(centre, seed=run)}))
    (row,) = statera.compare(tmp_path, by="tool", name_patterns="{tool}-run{run}")
    assert (row.baseline_n, row.verdict) == (4, "worse")
    apart = statera.compare(tmp_path, by="tool", within="run", name_patterns="{tool}-run{run}")
    assert len(apart) == 4


def test_a_folder_of_several_files_says_how_its_files_are_compared(tmp_path):
    for name in ("1.0", "1.1"):
        (tmp_path / f"{name}.txt").write_text(go({"X": noisy(100)}))
    with pytest.raises(Stop, match=r"2 files were read: name those to compare, or say with name_patterns"):
        statera.compare(tmp_path)
