"""The facts of a machine: shown, written to a file, and named where results are compared."""

import json

import pytest

from support import fails, go, noisy, write


@pytest.fixture
def pair(tmp_path):
    return write(tmp_path, **{f"{name}.txt": go({"X": noisy(1)}, config={"cpu": "M1"}) for name in ("old", "new")})


def test_what_the_machine_says_is_shown_and_written(run, tmp_path):
    shown = dict(line.split(maxsplit=1) for line in run("machine").out.splitlines())
    assert run("machine", "-o", "m.json").code == 0
    assert json.loads((tmp_path / "m.json").read_text())["machine"].keys() == shown.keys() >= {"kernel", "architecture"}
    assert "boot" not in shown


def write_machine(folder, name, facts):
    (folder / f"{name}.json").write_text(json.dumps({"machine": facts}))


def test_a_machine_fills_in_what_files_do_not_state(run, pair, tmp_path):
    for name, cores in (("here", "0-7"), ("there", "0-3")):
        write_machine(tmp_path, name, {"cores": cores, "cpu": "another"})
    both = run("compare", *pair, "--machine", "here.json", "--notes").out
    assert "cpu: M1" in both
    assert "cores: 0-7" in both
    done = run("compare", *pair, "--machine", "old=here.json", "--machine", "new=there.json", "--notes")
    assert "0-7" in done.out
    assert "0-3" in done.out
    assert "[machine-differs]" in done.out


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"machine": {}}', '{"machine": {"cpu": 1}}', '{"machine": {"share": "1"}}', "[" * 100_000],
)
def test_another_file_is_refused(run, pair, content, tmp_path):
    (tmp_path / "m.json").write_text(content)
    fails(run("compare", *pair, "--machine", "m.json"), "m.json: not what `statera machine -o FILE` writes")
