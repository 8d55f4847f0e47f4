"""Which directory is a run, and what it says of itself."""

import json
import os
import socket
from pathlib import Path

import pytest

from statera.cluster.run import open_run
from statera.support.errors import Stop
from support import every

DESCRIPTION = {"systemStart": "2025-02-14T18:40:58Z", "slotLength": 0.1, "epochLength": 8000}


def run_of(path, names, description=DESCRIPTION):
    for name in names:
        (path / name).parent.mkdir(exist_ok=True, parents=True)
        (path / name).write_text("{}")
    if description is not None:
        (path / "run.json").write_text(json.dumps(description))
    return path


def ignored(run):
    return [warning.what for warning in run.warnings if warning.code == "ignored-file"]


def files(run):
    return {host: [file.name for file in files] for host, files in run.files.items()}


def test_hosts_are_directories_and_files(tmp_path):
    names = ["b/b-00.json", "b/b-01.json.zst", "a/stdout", "a/stdout.1.gz", "c.x.log.gz", "d/x.jsonl", "e.json"]
    assert files(open_run(run_of(tmp_path, names))) == {
        "a": ["a/stdout", "a/stdout.1.gz"], "b": ["b/b-00.json", "b/b-01.json.zst"], "c.x": ["c.x.log.gz"],
        "d": ["d/x.jsonl"], "e": ["e.json"],
    }  # fmt: skip


def test_what_is_no_log_is_no_host(tmp_path):
    names = [
        "a/x.json", "a/x.txt", "a/x.json.gz.gz", "a/config.json", "a/topology.json", "a/.x.json", "a/genesis-x.json",
    ]  # fmt: skip
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
        "a/x.json", "a/x.json.1", "a/x.txt", "a/x.ndjson", "a/x.JSON", "a/x.json.xz", "a/start.sh", "a/config.json",
    ]  # fmt: skip
    run_of(tmp_path, [*names, "b/y.json.gz.1", "notes.md"])
    run = open_run(tmp_path)
    assert files(run) == {"a": ["a/x.json"]}
    [what] = ignored(run)
    assert what == (
        "a/x.JSON, a/x.json.1, a/x.json.xz, a/x.ndjson, a/x.txt and 1 more not read: a log is a file that ends in "
        ".json, .jsonl or .log, also with .gz or .zst, or begins with stdout"
    )
    told = {warning.code: warning.what for warning in run.warnings}
    assert told["ignored-host"] == "b has no log file: not counted as a host"


ARCHIVES = ("c.tar.gz", "d.tgz", "e.tar.zst", "f.zip", "g.TAR", "a/logs.tar", "h.json.tar.xz", "i.tbz2")


@every("name", ARCHIVES)
def test_an_archive_of_a_host_is_told_with_how_to_mend_it(tmp_path, name):
    [what] = ignored(open_run(run_of(tmp_path / name.replace("/", "-"), ["a/x.json", name])))
    assert what.startswith(f"{name} not read: an archive. Unpack it (tar -xf, unzip)")


def test_nothing_but_archives_is_told_as_such(tmp_path):
    with pytest.raises(Stop, match=r"a.tar.gz, b.tar.gz not read: an archive. Unpack it") as stop:
        open_run(run_of(tmp_path, ["a.tar.gz", "b.tar.gz"]))
    assert stop.value.code == "no-hosts"


def test_what_is_no_file_never_blocks_and_is_told(tmp_path):
    run_of(tmp_path, ["a/x.json"])
    (tmp_path / "a/gone.json").symlink_to("nowhere")
    (tmp_path / "a/circle.json").symlink_to("circle.json")
    (tmp_path / "a/zero.log").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "a/stdout")
    os.mkfifo(tmp_path / "b.json")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "a/socket.json"))
    run = open_run(tmp_path)
    assert files(run) == {"a": ["a/x.json"]}
    [what] = ignored(run)
    assert what == (
        "a/circle.json, a/gone.json, a/socket.json, a/stdout, a/zero.log and 1 more not read: a pipe, a socket, a "
        "device or a broken link, not a regular file"
    )


def test_linked_files_and_directories_count_once(tmp_path):
    run_of(tmp_path, ["node-1/x.json", "node-2/x.json"])
    (tmp_path / "latest").symlink_to("node-1")
    (tmp_path / "node-1/again.json").symlink_to("x.json")
    (tmp_path / "node-2/hard.json").hardlink_to(tmp_path / "node-2/x.json")
    (tmp_path / "all").symlink_to(".")
    run = open_run(tmp_path)
    assert files(run) == {"node-1": ["node-1/x.json"], "node-2": ["node-2/hard.json"]}
    [what] = ignored(run)
    assert what == (
        "latest/again.json (node-1/x.json), latest/x.json (node-1/x.json), node-1/again.json (node-1/x.json), "
        "node-2/x.json (node-2/hard.json) not read: the same file as the one in brackets, reached by a link"
    )


def test_a_link_that_the_description_names_is_a_host(tmp_path):
    run_of(tmp_path, ["node-1/x.json"], DESCRIPTION | {"hosts": ["latest"]})
    (tmp_path / "latest").symlink_to("node-1")
    assert files(open_run(tmp_path)) == {"latest": ["latest/x.json"]}


def test_a_directory_that_cannot_be_opened_is_told(tmp_path, monkeypatch):
    run_of(tmp_path, ["a/x.json", "b/x.json"])
    real = os.scandir

    def refused(path):
        if Path(path).name == "b":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", refused)
    run = open_run(tmp_path)
    assert files(run) == {"a": ["a/x.json"]}
    [warning] = run.warnings
    assert warning.what == (
        "b cannot be opened (Permission denied): none of its logs is read. Change the permissions and analyse again"
    )
    assert warning.code == "ignored-host"


def test_more_files_than_allowed_end_it_before_they_are_looked_at(tmp_path):
    run_of(tmp_path, [f"a/{number}.json" for number in range(10)])
    # The directory, the description and the logs.
    assert len(open_run(tmp_path, 12).files["a"]) == 10
    with pytest.raises(Stop, match=r"/a: .* more than 11 files. .* fewer files \(cat\), .* --most-files") as stop:
        open_run(tmp_path, 11)
    assert stop.value.code == "too-many-files"


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
    assert (timing.system_start, timing.slot_length, timing.epoch_length) == (1_739_558_458 * 10**9, 10**8, 8000)


UNUSABLE = [
    ("systemStart", None, "no systemStart"),
    ("slotLength", None, "no slotLength"),
    ("epochLength", None, "no epochLength"),
    ("systemStart", "yesterday", "is not a time"),
    ("systemStart", 5, "is not a time"),
    ("slotLength", 0, "not a positive number"),
    ("slotLength", "1", "not a positive number"),
    ("slotLength", True, "not a positive number"),
    ("epochLength", 0.5, "not a positive number"),
    ("epochLength", 1e300, "not a positive number"),
    ("epochLength", 10**30, "not a positive number"),
    ("hosts", "a", "must be a list of names"),
    ("securityParam", "abc", "securityParam 'abc' is not a number"),
    ("securityParam", [], "securityParam"),
    ("activeSlotsCoeff", True, "activeSlotsCoeff True"),
    ("maxBlockBodySize", -1, "maxBlockBodySize -1"),
    ("filters", "size-full", "filters 'size-full' is not a list"),
    ("filters", {"tag": "CSlot"}, "filters"),
]


def test_a_description_that_cannot_be_used_ends_it(subtests, tmp_path):
    for key, value, words in UNUSABLE:
        with subtests.test(key=key), pytest.raises(Stop, match=words):
            open_run(run_of(tmp_path, ["a.json"], DESCRIPTION | {key: value}))


NO_OBJECTS = ["", "[]", "{", '{"systemStart":', '{"era": NaN}', '{"era": 1e999}', '{"era": "\\ud800"}']


@every("text", NO_OBJECTS)
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
