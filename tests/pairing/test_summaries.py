"""Summaries of samples that the files do not have: how they are compared, and what is said of them."""

import math

import pytest
from scipy import stats

import statera
from support import every, table, write

OLD = {"benchmark": "X", "metric": "time", "unit": "ms", "value": 20, "weight": 10, "deviation": 1.5}
NEW = OLD | {"value": 26, "weight": 25, "deviation": 2.5}


def compared(folder, *rows, **options):
    old, new = ([row for row in rows if row["side"] == side] for side in ("old", "new"))
    paths = [folder / f"{name}.csv" for name in ("old", "new")]
    for path, side in zip(paths, (old, new), strict=True):
        path.write_text(table([{key: cell for key, cell in row.items() if key != "side"} for row in side]))
    return statera.compare(*paths, **options)


def sides(old, new):
    return old | {"side": "old"}, new | {"side": "new"}


def test_means_with_deviation_and_number_agree_with_scipy(tmp_path):
    found = compared(tmp_path, *sides(OLD, NEW), policy=statera.Policy(scale="difference"))
    (row,) = found
    old, new = ((1e-3 * each["value"], 1e-3 * each["deviation"], each["weight"]) for each in (OLD, NEW))
    want = stats.ttest_ind_from_stats(*new, *old, equal_var=False)
    assert row.design == "summary"
    assert row.method == "t"
    assert row.p == pytest.approx(want.pvalue, rel=1e-10)
    assert row.statistic == pytest.approx(want.statistic, rel=1e-10)
    assert row.change == pytest.approx(6e-3)


def test_on_the_ratio_scale_the_errors_are_those_of_logarithms(tmp_path):
    found = compared(tmp_path, *sides(OLD, NEW))
    (row,) = found
    old, new = ((math.log(each["value"]), each["deviation"] / each["value"], each["weight"]) for each in (OLD, NEW))
    want = stats.ttest_ind_from_stats(*new, *old, equal_var=False)
    assert row.scale == "ratio"
    assert row.p == pytest.approx(want.pvalue, rel=1e-10)
    assert row.change == pytest.approx(0.3)
    assert row.verdict == "differs"
    assert set(row.warnings) == {"one-process", "from-summary"}
    assert "Welch's t of means, from their deviations and numbers of samples" in found.method
    (note,) = [note for note in found.notes if note.code == "summaries"]
    assert note.text.startswith("2 values summarise samples that the files do not contain.")


@every("lacking", [{"deviation": ""}, {"weight": ""}, {"weight": 1}], ids=str)
def test_a_summary_without_deviation_or_number_is_shown_and_not_judged(tmp_path, lacking):
    (row,) = compared(tmp_path, *sides(OLD | lacking, NEW))
    assert (row.design, row.verdict, row.p) == ("suite", "one-value", None)


def test_files_of_summaries_are_runs(tmp_path):
    for side, level in (("old", 20), ("new", 26)):
        (tmp_path / side).mkdir()
        for run in range(5):
            (tmp_path / side / f"{run}.csv").write_text(table([OLD | {"value": level + run / 10}]))
    (row,) = statera.compare(tmp_path / "old", tmp_path / "new")
    assert (row.design, row.verdict, row.baseline_n) == ("independent", "worse", 5)


def test_a_conversion_keeps_summaries(run, tmp_path):
    write(tmp_path, **{"old.csv": table([OLD]), "new.csv": table([NEW])})
    direct = statera.compare(tmp_path / "old.csv", tmp_path / "new.csv")[0]
    for ending in ("csv", "ndjson", "parquet"):
        assert run("convert", "old=old.csv", "new=new.csv", "-o", f"all.{ending}").code == 0
        (row,) = statera.compare(tmp_path / f"all.{ending}", by="variant")
        assert (row.p, row.change, row.baseline_n) == (direct.p, direct.change, direct.baseline_n)


def test_a_column_weight_alone_is_what_the_user_says(tmp_path):
    rows = [
        {"benchmark": "X", "value": value, "unit": "s", "weight": weight} for weight in (1, 2) for value in (3, 4, 5)
    ]
    write(tmp_path, **{"old.csv": table(rows), "new.csv": table(rows)})
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    with pytest.raises(statera.Stop, match=r"columns=\{'setting': 'weight'\}"):
        statera.compare(*paths)
    found = statera.compare(*paths, columns={"setting": "weight"})
    assert {"weight": "1"} in [context.keys for context in found.observations.contexts]
    assert len(found) == 2
