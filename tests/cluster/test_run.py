"""Which directory is a run, and what it says of itself."""

import json
import os
from pathlib import Path

import pytest

from statera.cluster.run import open_run
from statera.errors import Stop

DESCRIPTION = {"systemStart": "2025-02-14T18:40:58Z", "slotLength": 0.1, "epochLength": 8000}


def run_of(path, names, description=DESCRIPTION):
    for name in names:
        (path / name).parent.mkdir(exist_ok=True, parents=True)
        (path / name).write_text("{}")
    if description is not None:
        (path / "run.json").write_text(json.dumps(description))
    return path


def files(run):
    return {host: [file.name for file in files] for host, files in run.files.items()}


def test_hosts_are_directories_and_files(tmp_path):
    names = ["b/b-00.json", "b/b-01.json.zst", "a/stdout", "a/stdout.1.gz", "c.x.log.gz", "d/x.jsonl", "e.json"]
    assert files(open_run(run_of(tmp_path, names))) == {
        "a": ["a/stdout", "a/stdout.1.gz"],
        "b": ["b/b-00.json", "b/b-01.json.zst"],
        "c.x": ["c.x.log.gz"],
        "d": ["d/x.jsonl"],
        "e": ["e.json"],
    }


def test_what_is_no_log_is_no_host(tmp_path):
    names = [
        "a/x.json",
        "a/x.txt",
        "a/x.json.gz.gz",
        "a/config.json",
        "a/topology.json",
        "a/.x.json",
        "a/genesis-x.json",
    ]
    names += ["a/service-1.log", "a/node-service.json", "a/deep/x.json", "b/x.txt", "genesis/x.json", "analysis/x.json"]
    names += ["meta/x.json", "profile/x.json", ".d/x.json", "_d/x.json", "stdout", "stdout.log", "truth.json"]
    names += ["expected.json", "expected.more.json", "meta.json", "profile.json", "genesis.shelley.json"]
    assert files(open_run(run_of(tmp_path, names))) == {"a": ["a/x.json"]}


def test_the_description_names_the_cluster(tmp_path):
    stated = DESCRIPTION | {"hosts": ["c", "a", "c"]}
    run = open_run(run_of(tmp_path, ["a/x.json", "b/x.json"], stated))
    assert run.hosts == ("c", "a")
    assert run.ignored == ("b",)
    assert [warning.code for warning in run.warnings] == ["ignored-host", "host-without-logs"]


def test_what_could_be_a_log_and_is_not_read_is_told(tmp_path):
    names = [
        "a/x.json",
        "a/x.json.1",
        "a/x.txt",
        "a/x.ndjson",
        "a/x.JSON",
        "a/x.json.xz",
        "a/start.sh",
        "a/config.json",
    ]
    run_of(tmp_path, [*names, "b/y.json.gz.1", "notes.md"])
    (tmp_path / "a/gone.json").symlink_to("nowhere")
    os.mkfifo(tmp_path / "a/pipe.log")
    run = open_run(tmp_path)
    assert files(run) == {"a": ["a/x.json"]}
    told = {warning.code: warning.what for warning in run.warnings}
    assert told["ignored-file"].startswith(
        "a/gone.json, a/pipe.log, a/x.JSON, a/x.json.1, a/x.json.xz and 3 more not read"
    )
    assert told["ignored-host"] == "b has no log file: taken for no host"


def test_a_directory_that_an_analysis_wrote_to_is_no_host(tmp_path):
    run_of(tmp_path, ["a/x.json", "out/summary.json", "b/x.json", "b/summary.json"])
    for name in ("out/events", "out/tables", "b/events", "b/tables"):
        (tmp_path / name).mkdir()
    run = open_run(tmp_path)
    # Logs that stand beside results are read all the same.
    assert files(run) == {"a": ["a/x.json"], "b": ["b/x.json"]}
    assert run.warnings == ()


def test_hosts_whose_names_are_no_utf_8_stay_apart(tmp_path):
    run_of(tmp_path, [])
    for name in (b"\xff", b"\xfe"):
        folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        folder.mkdir()
        (folder / "x.json").write_text("{}")
    assert open_run(tmp_path).hosts == ("\\xFE", "\\xFF")


def test_times_are_integers(tmp_path):
    timing = open_run(run_of(tmp_path, ["a.json"])).timing
    assert timing == (1_739_558_458 * 10**9, 10**8, 8000) or timing.slot_length == 10**8
    assert timing.system_start == 1_739_558_458 * 10**9
    assert timing.epoch_length == 8000


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("systemStart", None, "no systemStart"),
        ("slotLength", None, "no slotLength"),
        ("epochLength", None, "no epochLength"),
        ("systemStart", "yesterday", "is no time"),
        ("systemStart", 5, "is no time"),
        ("slotLength", 0, "no positive number"),
        ("slotLength", "1", "no positive number"),
        ("slotLength", True, "no positive number"),
        ("epochLength", 0.5, "no positive number"),
        ("epochLength", 1e300, "no positive number"),
        ("epochLength", 10**30, "no positive number"),
        ("hosts", "a", "no list of names"),
        ("securityParam", "abc", "securityParam 'abc' is no number"),
        ("securityParam", [], "securityParam"),
        ("activeSlotsCoeff", True, "activeSlotsCoeff True"),
        ("maxBlockBodySize", -1, "maxBlockBodySize -1"),
        ("filters", "size-full", "filters 'size-full' is no list"),
        ("filters", {"tag": "CSlot"}, "filters"),
    ],
)
def test_a_description_that_cannot_be_used_ends_it(tmp_path, key, value, words):
    with pytest.raises(Stop, match=words):
        open_run(run_of(tmp_path, ["a.json"], DESCRIPTION | {key: value}))


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"systemStart":', '{"era": NaN}', '{"era": 1e999}', '{"era": "\\ud800"}']
)
def test_a_description_that_is_no_object_ends_it(tmp_path, text):
    run_of(tmp_path, ["a.json"], None)
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(Stop, match=r"run\.json"):
        open_run(tmp_path)


def test_nothing_to_read_ends_it(tmp_path):
    with pytest.raises(Stop, match="no such directory"):
        open_run(tmp_path / "none")
    with pytest.raises(Stop, match="neither"):
        open_run(tmp_path)
    with pytest.raises(Stop, match="no logs of any host"):
        open_run(run_of(tmp_path, []))


def test_the_workbench_describes_a_run_in_its_own_way(tmp_path):
    generator = {"plutusMode": True, "plutusAutoMode": True, "era": "babbage", "tps": 12}
    profile = {"generator": generator, "genesis": {"utxo": 5}, "analysis": {"filters": ["unitary"]}}
    meta = {"batch": "b", "profile_content": profile, "manifest": {"cardano-node": {"version": "10.2", "commit": "c"}}}
    run_of(tmp_path, ["node-0/stdout"], None)
    (tmp_path / "meta.json").write_text(json.dumps({"meta": meta}))
    genesis = DESCRIPTION | {"securityParam": 3, "protocolParams": {"maxBlockBodySize": 7}}
    (tmp_path / "genesis").mkdir()
    (tmp_path / "genesis/genesis-shelley.json").write_text(json.dumps(genesis))
    run = open_run(tmp_path)
    assert run.facts["identifier"] == "10.2"
    assert run.facts["era"] == "babbage"
    assert run.facts["maxBlockBodySize"] == 7
    assert run.components["cardano-node"] == {"version": "10.2", "commit": "c"}
    assert run.components["plutus-core"] == {"version": None, "commit": None}
    assert run.workload["plutusScript"] == "Loop"
    assert run.workload["utxo"] == 5
    assert run.filters == ["unitary"]
    (tmp_path / "meta.json").unlink()
    assert [warning.code for warning in open_run(tmp_path).warnings] == ["run-description"]
