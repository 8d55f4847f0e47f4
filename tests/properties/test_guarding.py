"""A spreadsheet runs no cell of a CSV, and what statera wrote it reads back letter for letter."""

import csv
import io
import json
import re
import tempfile
from pathlib import Path

import polars as pl
from hypothesis import example, given
from hypothesis import strategies as st

import statera

ACTS = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
TEXTS = st.text(st.sampled_from("''=+-@\t\r\n1.5ea,\"＝é"), min_size=1, max_size=6)
ROWS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=4)


def written(folder, rows, key, *, raw):
    """Rows as CSV that statera wrote, from a table that has no cells to be guarded."""
    source, target = folder / "a.ndjson", folder / "b.csv"
    names = ("benchmark", "metric", "unit", "block", key)
    lines = [dict(zip(names, (*row, row[0]), strict=True)) | {"value": 1.5} for row in rows]
    source.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    observations = statera.read(source)
    observations.write(target, "csv", raw=raw)
    return source, target


def texts(path, key):
    columns = ["benchmark", "metric", "unit", "value", "block", key]
    return pl.DataFrame(statera.read(path)).select(pl.col(columns).cast(pl.String)).rows()


@given(ROWS, st.sampled_from(["key", "=key", "'=key", "-1", "statera.guard", "'"]), st.booleans())
@example([("=1", "'=1", "s", "''=1")], "=key", False)  # noqa: FBT003
@example([("'=1", "m", "s", "b")], "key", True)  # noqa: FBT003
def test_what_was_guarded_comes_back(rows, key, raw):
    key = f"config.{key}" if key == "statera.guard" else key
    with tempfile.TemporaryDirectory() as folder:
        source, target = written(Path(folder), rows, key, raw=raw)
        assert texts(target, key) == texts(source, key)
        cells = [cell for line in csv.reader(io.StringIO(target.read_text(), newline="")) for cell in line]
        if not raw:
            assert not [cell for cell in cells if ACTS.match(cell) and not NUMBER.fullmatch(cell)]


def test_a_file_without_such_names_has_no_column_more(tmp_path):
    rows = [("X-1", "time", "s", "-1.5")]
    kept = [written(tmp_path, rows, "key", raw=raw)[1].read_bytes() for raw in (False, True)]
    assert kept[0] == kept[1]
    assert b"statera.guard" not in kept[0]
