"""What commands and the end of a run write replaces neither what is read nor what the run records."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("option", ["--output", "--export-json"])
def test_an_input_is_not_overwritten(run, tmp_path, option):
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / "link").symlink_to("precious")
    words = ["-r", "2", "-o", tmp_path / "out", "--input", precious, option, tmp_path / "link"]
    done = run("run", *words, "cat", "true")
    assert (done.code, precious.read_text()) == (2, "precious")
    assert "output-is-input" in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["journal.ndjson", "manifest.json", "raw/000001.txt"])
def test_a_command_does_not_write_to_the_folder_of_its_run(run, tmp_path, name):
    out = tmp_path / "out"
    done = run("run", "-r", "2", "-o", out, "--output", out / name, "echo x", "true")
    assert done.code == 2
    assert "is in the folder of the run" in done.err
    assert not out.exists()


def test_times_are_not_written_over_the_run(run, tmp_path):
    out = tmp_path / "out"
    assert run("run", "-r", "2", "-o", out, "true", "sleep 0").code == 0
    before = (out / "manifest.json").read_bytes()
    for mode in ("--resume", "--verify"):
        done = run("run", mode, out, "--export-json", out / "manifest.json")
        assert (done.code, (out / "manifest.json").read_bytes()) == (2, before)
        assert "output-is-input" in done.err


def test_the_experiment_file_is_not_overwritten(run, tmp_path):
    file = tmp_path / "experiment.toml"
    text = 'rounds = 2\n[factors]\nms = ["0", "0.001"]\n[[benchmark]]\nname = "a"\ncommand = ["sleep", "{ms}"]\n'
    file.write_text(text)
    done = run("run", file, "-o", tmp_path / "out", "--export-json", file)
    assert (done.code, file.read_text()) == (2, text)
    assert "output-is-input" in done.err


def test_another_file_takes_the_output(run, tmp_path):
    words = ["-r", "2", "-o", tmp_path / "out", "--output", tmp_path / "printed"]
    assert run("run", *words, "echo x", "echo y").code == 0
    assert (tmp_path / "printed").read_text() in {"x\n", "y\n"}
