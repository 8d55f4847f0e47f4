"""Folders named ``key=value`` state keys of the files in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import statera

if TYPE_CHECKING:
    from pathlib import Path

TIMES = {"1": [40.1, 40.3, 39.9, 40.2, 40.0, 39.8], "8": [10.1, 10.3, 9.9, 10.2, 10.0, 9.8]}


def partition(folder: Path, key: str, factor: float = 1.0) -> Path:
    """Write a table that is divided by a key, as Spark writes it."""
    for value, times in TIMES.items():
        part = folder / f"{key}={value}"
        part.mkdir(parents=True)
        rows = [f"{name},{time * factor}" for name in ("alpha", "beta") for time in times]
        (part / "part-0.csv").write_text("\n".join(["benchmark,time (ms)", *rows]) + "\n")
    (folder / "_SUCCESS").touch()
    return folder


def test_a_divided_table_has_the_column_that_its_folders_state(tmp_path: Path) -> None:
    old = partition(tmp_path / "old", "threads")
    comparison = statera.compare(old, partition(tmp_path / "new", "threads", 1.5))
    assert [row.verdict for row in comparison] == ["worse"] * 4
    assert sorted(row.baseline_n for row in comparison) == [6] * 4
    assert {row.group for row in comparison} == {"threads: 1", "threads: 8"}
    assert [problem.code for problem in comparison.problems] == ["companion-file"] * 2


def test_variants_can_be_folders(tmp_path: Path) -> None:
    comparison = statera.compare(partition(tmp_path / "all", "variant"), by="variant")
    assert [(row.baseline, row.contender, row.verdict) for row in comparison] == [("1", "8", "better")] * 2


def test_runs_can_be_folders(tmp_path: Path) -> None:
    assert {sample.runs for sample in statera.inspect(partition(tmp_path / "all", "run"))} == {2}


def test_folders_that_are_named_are_variants(tmp_path: Path) -> None:
    folder = partition(tmp_path / "all", "threads")
    comparison = statera.compare(folder / "threads=1", folder / "threads=8")
    assert [(row.baseline, row.verdict) for row in comparison] == [("threads=1", "better")] * 2


def test_the_file_is_believed_before_its_folder(tmp_path: Path) -> None:
    for day in ("2026-11-01", "2026-11-02"):
        part = tmp_path / "date=2026" / day
        part.mkdir(parents=True)
        (part / "t.csv").write_text(f"benchmark,date,time (ms)\na,{day},1.0\na,{day},1.1\n")
    assert [row.contender for row in statera.compare(tmp_path, by="date")] == ["2026-11-02"]
