"""What DuckDB may do: read and write below its directories, whatever these are called, and nothing else."""

import errno
import os
from pathlib import Path

import pytest

from statera.cluster import engine as duckdb
from statera.cluster import engine as reach
from statera.cluster.engine import DuckDB
from statera.support.errors import Stop

ODD = (
    "size=1", "host=x", "g[1]", "a*", "a?", "**", "[", "a{b,c}", "it's \"so\"", "%2e", "a\nb", " a b ", "a,b",
    "a\\b", "a\\", "\\[1]", "file:", "s3:", "~", "$x", "#;", "-- x", "ü", "{i}",
)  # fmt: skip


@pytest.fixture
def engine(tmp_path):
    with DuckDB(tmp_path / "tables") as engine:
        yield engine


def stored(folder, value):
    with DuckDB(folder) as engine:
        engine.store("numbers", f"SELECT {value} AS size")


def test_a_directory_is_no_pattern_and_no_value_whatever_its_name(subtests, tmp_path):
    for number, other in enumerate(("g1", "ab", "a", "abc", "xb", "1"), 100):
        stored(tmp_path / other, number)
    for name in ODD:
        with subtests.test(name=name):
            stored(tmp_path / name, 7)
            with DuckDB(tmp_path / name) as engine:
                engine.open("numbers")
                assert engine.rows("SELECT * FROM numbers") == [(7,)]
                assert engine.columns("numbers") == {"size": "INTEGER"}
                assert engine.ordered("SELECT CAST(unnest([3, 1, 2]) AS DOUBLE) AS value", [0, 2]) == [1, 3]
            with DuckDB(tmp_path / "tables", sources=[tmp_path / name]) as engine:
                engine.read("numbers", [tmp_path / name / "numbers.parquet"], {"size": "INTEGER"})
                assert engine.rows("SELECT * FROM numbers") == [(7,)]


def test_a_name_below_a_directory_is_no_value_either(tmp_path):
    stored(tmp_path / "run" / "one", 7)
    with DuckDB(tmp_path / "tables", sources=[tmp_path]) as engine, pytest.raises(ValueError, match="is open"):
        engine.read("numbers", [tmp_path / "size=1" / "numbers.parquet"], {"size": "INTEGER"})


def test_a_relative_directory_is_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stored(tmp_path / "s3:" / "x", 7)
    with DuckDB(tmp_path.relative_to(tmp_path) / "s3:" / "x") as engine:
        engine.open("numbers")
        assert engine.rows("SELECT * FROM numbers") == [(7,)]


def test_nothing_is_fetched_nor_opened_elsewhere_and_that_is_locked(engine):
    wanted = {
        "autoinstall_known_extensions": False, "autoload_known_extensions": False, "allow_community_extensions": False,
        "enable_external_access": False, "lock_configuration": True,
    }  # fmt: skip
    named = ", ".join(f"current_setting('{name}')" for name in wanted)
    assert dict(zip(wanted, engine.rows(f"SELECT {named}")[0], strict=True)) == wanted


ELSEWHERE = [
    "SELECT * FROM read_parquet('{elsewhere}/numbers.parquet')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "COPY (SELECT 1) TO '{elsewhere}/new.csv'",
    "ATTACH '{elsewhere}/new.db'",
    "SET enable_external_access = TRUE",
    "SET threads = 1",
    "INSTALL httpfs",
]


def test_what_lies_elsewhere_is_refused(subtests, tmp_path):
    stored(tmp_path / "elsewhere", 1)
    for query in ELSEWHERE:
        with subtests.test(query=query):
            with DuckDB(tmp_path / "tables") as engine, pytest.raises(Exception, match=r"disabled|locked"):
                engine.rows(query.format(elsewhere=tmp_path / "elsewhere"))
            assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["numbers.parquet"]


def test_what_does_not_fit_into_memory_is_spilled_and_taken_away(tmp_path):
    with DuckDB(tmp_path / "size=1", memory="64MiB", threads=1) as engine:
        engine.store("numbers", "SELECT hash(range) AS value FROM range(6000000) ORDER BY value")
        assert engine.rows("SELECT count(*) FROM numbers") == [(6_000_000,)]
    assert [path.name for path in (tmp_path / "size=1").iterdir()] == ["numbers.parquet"]


def test_an_error_names_the_file_as_its_user_would(tmp_path):
    stored(tmp_path / "size=[1]", 1)
    path = tmp_path / "size=[1]" / "numbers.parquet"
    path.write_bytes(path.read_bytes()[:-3])
    with DuckDB(tmp_path / "size=[1]") as engine, pytest.raises(Stop) as stop:
        engine.open("numbers")
    assert str(path) in str(stop.value)
    assert "/proc/" not in str(stop.value)


def opened_below(folder):
    """Descriptors of this process that lead below a folder."""
    return [each for each in Path("/proc/self/fd").iterdir() if Path(os.path.realpath(each)).is_relative_to(folder)]


def test_what_fails_on_the_way_leaves_no_directory_open(tmp_path, monkeypatch):
    def refuse(engine):
        assert opened_below(tmp_path)
        engine.rows("SELECT * FROM nothing")

    monkeypatch.setattr(DuckDB, "_shut", refuse)
    with pytest.raises(Exception, match="nothing"):
        DuckDB(tmp_path / "tables")
    assert opened_below(tmp_path) == []


def test_a_full_disk_is_told_as_such(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(duckdb, "Reach", full)
    with pytest.raises(Stop, match=r"tables: No space left on device\. Free some space") as stop:
        DuckDB(tmp_path / "tables")
    assert stop.value.code == "disk-full"


def test_a_missing_proc_is_no_matter_of_the_output(tmp_path, monkeypatch):
    monkeypatch.setattr(reach, "_DESCRIPTORS", str(tmp_path / "proc"))
    with pytest.raises(Stop, match="/proc") as stop:
        DuckDB(tmp_path / "tables")
    assert stop.value.code == "system-error"
    assert opened_below(tmp_path) == []
