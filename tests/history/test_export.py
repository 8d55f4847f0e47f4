"""A history as a table: every job and series once, as DuckDB reads it; written again, the same bytes."""

import csv
import hashlib
import io

import duckdb
from histories import add, analysed, commit, folder, history, job, measured, read, steps

from statera.history import export, upload
from statera.history.alerts import alerts
from statera.history.catalog import renaming
from support import fails, noisy


def query(text, path):
    """Ask DuckDB; TABLE in the text stands for the file, or for all files in a folder by project and month."""
    files = f"{path}/**/*.parquet" if path.is_dir() else str(path)
    return duckdb.execute(text.replace("TABLE", "read_parquet($1, hive_partitioning = true)"), [files]).fetchall()


def hashes(path):
    return {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in path.rglob("*") if file.is_file()}


def test_every_job_and_series_is_a_row_with_its_level_and_change(run, tmp_path):
    made = history(tmp_path / "h", {"a": steps(1, 1.2, of=30), "b": steps(3, 3, of=30)})
    done = run("history", "export", "-o", tmp_path / "t.parquet", "--history", tmp_path / "h")
    assert done.code == 0, done.err
    assert "120 rows" in done.err
    table = tmp_path / "t.parquet"
    assert query("select count(*), count(distinct job), any_value(project) from TABLE", table) == [(120, 60, "p")]
    [(track, other)] = [sorted(analysed(made).tracks, key=lambda each: each.name)]
    values = query("select median, n, least, unit from TABLE where benchmark = 'a' order by position", table)
    assert [value for value, *_ in values] == track.found.values
    assert {tuple(rest) for _, *rest in values} >= {(1, values[0][0], "s")}
    [change] = track.changes
    [alert] = alerts(analysed(made))
    [begins] = query(
        "select commit, change, change_low, change_high, change_as, alert from TABLE where alert != ''", table
    )
    assert begins == (commit(change.place), change.size, change.low, change.high, "share", alert.id)
    levels = query("select count(*), min(position) from TABLE where benchmark = 'a' group by level order by 2", table)
    assert levels == [(change.place, 0), (60 - change.place, change.place)]
    assert query("select count(distinct level), count(alert) from TABLE where benchmark = 'b'", table) == [(1, 0)]
    assert not other.changes


def test_csv_has_the_same_rows_and_no_formula(run, tmp_path):
    made = folder(tmp_path / "h")
    for number in range(3):
        add(made, number, {"=1+1": [1.5], "b": [2.0, 3.0]})
    for name in ("t.csv", "t.parquet", "raw.csv"):
        words = ["--raw-csv"] if name == "raw.csv" else []
        assert run("history", "export", "-o", tmp_path / name, "--history", tmp_path / "h", *words).code == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert [*rows[0]] == [*export.COLUMNS]
    assert {row["benchmark"] for row in rows} == {"'=1+1", "b"}
    assert "\n" + "p,main," in (tmp_path / "raw.csv").read_text()
    assert ",=1+1," in (tmp_path / "raw.csv").read_text()
    other = query("select commit, benchmark, n, median, mad, largest, level from TABLE", tmp_path / "t.parquet")
    mine = [
        (row["commit"], row["benchmark"].lstrip("'"), int(row["n"]), *map(float, [row["median"], row["mad"]]))
        for row in rows
    ]
    assert [row[:5] for row in other] == mine


def test_a_folder_by_project_and_month_is_one_table_for_duckdb(run, tmp_path):
    made = folder(tmp_path / "h")
    months = ["2026-01-31T23:00:00+00:00", "2026-02-01T00:30:00+02:00", "2026-02-01T00:00:00+00:00", ""]
    for number, started in enumerate(months):
        add(made, number, {"a": [1.0 + number]}, started=started)
    done = run("history", "export", "--lake", tmp_path / "lake", "--history", tmp_path / "h")
    assert done.code == 0, done.err
    assert "4 rows in 3 files, 3 of them written" in done.err
    found = query(
        "select project, month, count(*) from TABLE group by all order by month nulls last", tmp_path / "lake"
    )
    assert found == [("p", "2026-01", 2), ("p", "2026-02", 1), ("p", None, 1)]
    assert query("select count(*) from TABLE where month = '2026-02'", tmp_path / "lake") == [(1,)]


def test_written_again_it_is_the_same_and_only_what_changed_is_written(run, tmp_path):
    made = folder(tmp_path / "h")
    for number in range(6):
        add(made, number, {"a": [1.0 + number / 100]}, started=f"2026-0{1 + number // 2}-01T00:00:00+00:00")
    words = ("history", "export", "--lake", tmp_path / "lake", "--history", tmp_path / "h")
    run(*words)
    before = hashes(tmp_path / "lake")
    stamps = {path: path.stat().st_mtime_ns for path in before}
    assert "0 of them written" in run(*words).err
    assert (hashes(tmp_path / "lake"), {path: path.stat().st_mtime_ns for path in before}) == (before, stamps)
    add(made, 6, {"b": [1.0]}, started="2026-04-01T00:00:00+00:00")
    assert "4 files, 1 of them written" in run(*words).err
    assert before.items() < hashes(tmp_path / "lake").items()
    gone = next((made.path / "uploads").rglob("*.parquet"))
    gone.unlink()
    assert run(*words).code == 0
    assert query("select count(*) from TABLE", tmp_path / "lake") == [(6,)]


def test_a_month_that_the_history_no_longer_has_leaves_and_strange_files_stay(run, tmp_path):
    made = folder(tmp_path / "h")
    add(made, 0, {"a": [1.0]}, started="2026-01-01T00:00:00+00:00")
    first = add(made, 1, {"a": [1.0]}, started="2026-02-01T00:00:00+00:00")
    words = ("history", "export", "--lake", tmp_path / "lake", "--history", tmp_path / "h")
    run(*words)
    mine = tmp_path / "lake/project=p/month=2026-02/mine.txt"
    mine.write_text("mine")
    made.file_of(first.hash).unlink()
    assert "1 file removed" in run(*words).err
    assert [path for path in (tmp_path / "lake").rglob("*") if path.is_file()] != []
    assert mine.read_text() == "mine"
    assert query("select count(*) from TABLE", tmp_path / "lake") == [(1,)]


def test_names_that_are_hostile_to_paths_stay_inside(tmp_path):
    made = folder(tmp_path / "h")
    add(made, 0, {"../a\x1b": [1.0]}, branch="../b")
    for number, name in enumerate(("../../up", "a b/=c%2e", "..", "naïve\n*?[x]", "month=1")):
        lake = tmp_path / f"in/{number}/lake"
        assert export.write_lake(lake, analysed(made), name).rows == 1
        [file] = (tmp_path / f"in/{number}").rglob("*.parquet")
        assert file.parent.parent.parent == lake, name
        assert query("select project, benchmark, branch from TABLE", lake) == [(name, "../a\x1b", "../b")]
    assert {path.name for path in tmp_path.iterdir()} == {"h", "in"}


def test_jobs_that_left_the_branch_have_no_position_and_no_level(run, tmp_path):
    made = history(tmp_path / "h", {"a": noisy(1, 5)})
    line = (commit(1, "other"), commit(2))
    add(made, 9, {"a": [7.0]}, commit=line[0], line=line, started="2025-01-01T00:00:00+00:00")
    run("history", "export", "-o", tmp_path / "t.parquet", "--history", tmp_path / "h")
    assert query("select median, position, level from TABLE where position is null", tmp_path / "t.parquet") == [
        (7.0, None, None)
    ]


def test_renamed_benchmarks_have_their_new_names(run, tmp_path):
    made = folder(tmp_path / "h")
    add(made, 0, {"old": [1.0]})
    add(made, 1, {"new": [1.0]})
    made.record({**renaming(read(made), "old", "new"), "who": ""})
    run("history", "export", "-o", tmp_path / "t.parquet", "--history", tmp_path / "h")
    found = query("select benchmark, count(*), count(distinct series) from TABLE group by 1", tmp_path / "t.parquet")
    assert found == [("new", 2, 1)]


def test_texts_that_are_no_unicode_are_written(tmp_path):
    made = folder(tmp_path / "h")
    upload.store(made, measured({"a": [1.0]}), ["{}"], job(0, who="\udcff", environment={"cpu": "\udcff"}))
    export.write(str(tmp_path / "t.parquet"), analysed(made), "p")
    export.write(str(tmp_path / "t.csv"), analysed(made), "p")
    assert query("select median from TABLE", tmp_path / "t.parquet") == [(1.0,)]


def test_targets_that_are_none_are_refused(run, tmp_path):
    history(tmp_path / "h", {"a": [1.0]})
    refused = [
        ("-o", "t.xlsx"), ("-o", "t"), ("-o", "t.parquet", "--lake", "d"), (), ("--lake", ""),
        ("--lake", "s3://bucket/x"), ("--lake", "d", "--raw-csv"), ("-o", "t.parquet", "--raw-csv"),
    ]  # fmt: skip
    for words in refused:
        assert run("history", "export", *words, "--history", tmp_path / "h").code == 2, words
        assert not list(tmp_path.glob("t*")), words
    (tmp_path / "file").write_text("")
    fails(run("history", "export", "--lake", tmp_path / "file", "--history", tmp_path / "h"), "[cannot-write]")
