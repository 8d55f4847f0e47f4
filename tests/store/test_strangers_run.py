"""The folder of somebody else's run is data: only a continuation and a verification execute what its plan names."""

import json

import pytest


def edited(path, change):
    path.write_text("".join(f"{line}\n" for line in change(path.read_text().splitlines())))


@pytest.fixture
def stranger(run, tmp_path):
    """A run that is not finished, whose plan was changed so that every command would leave a trace."""
    folder = tmp_path / "run"
    assert run("run", "-r", "3", "-s", "true", "-o", folder, "true", "sleep 0").code == 0
    trace = {"arguments": ["touch", str(tmp_path / "trace")], "directory": "/", "environment": []}
    manifest = json.loads((folder / "manifest.json").read_text())
    for cell in manifest["plan"]["cells"]:
        cell.update(dict.fromkeys(("command", "setup", "prepare", "conclude", "cleanup"), trace))
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))
    edited(folder / "journal.ndjson", lambda lines: [line for line in lines if '"end"' not in line])
    return folder


def test_reading_it_executes_nothing(run, stranger, tmp_path):
    for words in (
        ["compare"],
        ["inspect"],
        ["report", "-o", "x.html"],
        ["convert", "-o", "x.csv"],
        ["run", "--status"],
        ["store", "add", "--name", "x"],
    ):
        done = run(*words, stranger, env={"STATERA_STORE": str(tmp_path / "store")})
        assert done.code == 0, (words, done.err)
        assert not (tmp_path / "trace").exists(), words


def test_continuing_it_executes_its_commands(run, stranger, tmp_path):
    edited(stranger / "journal.ndjson", lambda lines: lines[:1])
    assert run("run", "--resume", stranger).code == 0
    assert (tmp_path / "trace").exists()


def test_no_output_leads_out_of_the_folder(run, stranger, tmp_path):
    (tmp_path / "secret").write_text("BenchmarkSecret 1 4242 ns/op\n")
    (stranger / "raw/link").symlink_to("../../secret")
    manifest = json.loads((stranger / "manifest.json").read_text())
    for cell in manifest["plan"]["cells"]:
        cell["format"] = "go"
    (stranger / "manifest.json").write_text(json.dumps(manifest, indent=1))
    for name in ("../secret", "/etc/passwd", "raw/../../secret", "raw/link"):
        edited(stranger / "journal.ndjson", lambda lines, name=name: [with_output(line, name) for line in lines])
        done = run("compare", stranger)
        assert (done.code, "4242" in done.out + done.err, "no value was read" in done.err) == (2, False, True), name


def with_output(line, name):
    record = json.loads(line)
    return json.dumps({**record, "output": name} if record["kind"] == "invocation" else record)
