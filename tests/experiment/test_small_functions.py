"""What single functions of a run answer where a whole run would rarely ask them."""

import json
from math import inf
from types import SimpleNamespace

import pytest

from statera.experiment import progress
from statera.experiment.command_line import _Cells
from statera.experiment.host import System
from statera.experiment.invocations import Invoker
from statera.experiment.looks import _width
from statera.reading.store.journal import fault_of
from statera.support.errors import Stop
from support import compare, go, noisy


def test_the_width_of_an_interval_is_relative():
    rows = [
        ("ratio", -0.5, 0.5, 1.0, 2.0),
        ("ratio", 0.0, 0.25, 1.0, 0.25),
        ("ratio", -1.0, 0.5, 1.0, inf),
        ("ratio", None, 0.5, 1.0, inf),
        ("difference", -1.0, 3.0, -8.0, 0.5),
        ("difference", -1.0, 3.0, 0.0, inf),
    ]
    keys = ("scale", "change_low", "change_high", "baseline_centre")
    assert [_width(dict(zip(keys, row, strict=False))) for row in rows] == [row[-1] for row in rows]


def test_cores_are_listed_by_the_kernel_or_counted(tmp_path):
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/stat").write_text("cpu  9 9\ncpu0 1 2\ncpu3 1 2\ncpux 1\nintr 12 3\n")
    assert System(str(tmp_path)).online() == (0, 3)
    (tmp_path / "sys/devices/system/cpu").mkdir(parents=True)
    (tmp_path / "sys/devices/system/cpu/online").write_text("0-1,4\n")
    assert System(str(tmp_path)).online() == (0, 1, 4)
    assert System(str(tmp_path / "none")).online() == ()


def test_a_command_afterwards_that_fails_is_told_and_changes_no_measurement():
    invoker = SimpleNamespace(
        _plan=SimpleNamespace(machine=SimpleNamespace(cool=0.0)),
        around=lambda task, what: f"{what} of {task}: no" if (task, what) == ("b", "conclude") else "",
        _measured=lambda tasks, _: [f"record of {task}" for task in tasks],
        _name=str.upper,
    )
    told = []
    assert Invoker.made(invoker, ("a", "b"), told.append) == ["record of a", "record of b"]
    assert told == ["B: conclude of b: no"]


def test_where_output_goes_is_a_word_or_a_path():
    cells = SimpleNamespace(_words=SimpleNamespace(format=None), _path=lambda given, _: f"path {given}")
    words = {None: "discard", "null": "discard", "pipe": "capture", "inherit": "inherit", "x": "path x"}
    assert {given: _Cells._target(cells, given, {}) for given in words} == words
    read = SimpleNamespace(_words=SimpleNamespace(format="go"))
    assert [_Cells._target(read, given, {}) for given in (None, "pipe")] == ["capture"] * 2
    with pytest.raises(Stop, match="--output null: with --format"):
        _Cells._target(read, "null", {})


def test_more_rows_than_are_shown_are_counted(tmp_path):
    most = progress._MOST
    sides = [{f"B{number}": noisy(100, 4, seed=number) for number in range(most + 2)} for _ in range(2)]
    lines = progress.effects(compare(tmp_path, *map(go, sides)))
    assert len(lines) == most + 1
    assert lines[-1] == "and 2 more rows"
    few = {"B": noisy(100, 4)}
    assert len(progress.effects(compare(tmp_path, go(few), go(few)))) == 1


def test_a_record_has_its_required_keys_and_may_lack_the_others():
    record = {"kind": "round", "round": 1, "seconds": 1.5, "machine": {"steal": 0.5}, "marks": []}
    assert fault_of(record) is None
    faults = {key: fault_of({name: value for name, value in record.items() if name != key}) for key in record}
    assert faults == {key: f"`{key}` is missing" for key in record} | {"kind": "it is not an object with a `kind`"}
    assert fault_of({**record, "round": "1"}) == "`round` is '1'"
    assert fault_of({"kind": "other"}) == ""


def test_what_a_run_writes_are_records(run, tmp_path):
    done = run("run", "-o", tmp_path / "out", "-n", "a", "-n", "b", "true", "true", "--max-runs", "6")
    assert done.code == 0, done.err
    records = [json.loads(line) for line in (tmp_path / "out/journal.ndjson").read_text().splitlines()]
    assert [record for record in records if fault_of(record) is not None] == []
    assert {"session", "invocation", "round", "look", "end"} <= {record["kind"] for record in records}
    looks = [record["look"] for record in records if record["kind"] == "look"]
    assert looks == list(range(1, len(looks) + 1))
