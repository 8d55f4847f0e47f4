import signal
import subprocess
import sys

import pytest

from support import go, noisy, write


def test_done_is_0_whatever_the_verdicts(run, pair):
    assert run("compare", *pair).code == 0


def test_version_and_help_are_0(run):
    assert run("--version").out.startswith("statera ")
    for words in (
        ["--help"],
        ["compare", "--help"],
        ["inspect", "--help"],
        ["convert", "--help"],
        ["explain", "--help"],
        ["completion", "--help"],
    ):
        assert run(*words).code == 0


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["weigh"],
        ["compare", "a", "--no-such-option"],
        ["compare", "a", "--by=--"],
        ["cluster", "analyse", "a", "-o", "b", "--memory=--"],
        ["convert", "a"],
    ],
)
def test_words_that_cannot_be_understood_are_2(run, words):
    result = run(*words)
    assert result.code == 2
    assert result.err.endswith(" --help shows what it takes.\n")


def test_a_comparison_of_nothing_is_2(run):
    result = run("compare")
    assert result.code == 2
    assert "nothing to read: name result files" in result.err


def test_a_missing_file_is_2_and_named(run, pair):
    result = run("compare", pair[0], "absent.txt")
    assert (result.code, result.out) == (2, "")
    assert "absent.txt: there is no such file or folder [" in result.err


def test_nothing_comparable_is_2(run, pair):
    result = run("compare", *pair, "--benchmark", "NoSuch")
    assert result.code == 2
    assert "[nothing-to-compare]" in result.err


def test_a_regression_is_1_only_where_asked(run, pair):
    assert run("compare", *pair, "--fail-on", "worse").code == 1


def test_what_could_not_be_done_outranks_a_regression(run, tmp_path):
    old = go({"X": noisy(100)}) + "BenchmarkY 1 x ns/op\n"
    paths = write(tmp_path, old=old, new=go({"X": noisy(200)}))
    assert run("compare", *paths, "--fail-on", "worse").code == 1
    assert run("compare", *paths, "--fail-on", "worse", "--strict").code == 2


def test_a_reader_that_stops_early_is_no_failure(tmp_path):
    many = {f"B{i}": noisy(100, 4, seed=i) for i in range(3000)}
    write(tmp_path, old=go(many), new=go(many))
    command = f"{sys.executable} -m statera compare old new | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("No change found in 3,000 benchmarks: ")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_closed_pipe_does_not_open_the_gate(tmp_path):
    many = {f"B{i}": noisy(100, 5, seed=i) for i in range(3000)}
    slow = {f"B{i}": noisy(200, 5, seed=i) for i in range(3000)}
    write(tmp_path, old=go(many), new=go(slow))
    command = f"{sys.executable} -m statera compare old new --fail-on worse | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


def test_a_full_disk_is_2_and_said(pair):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [sys.executable, "-m", "statera", "compare", *map(str, pair)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "statera:" in done.stderr


def test_an_interrupt_is_130_without_a_traceback():
    process = subprocess.Popen(
        [sys.executable, "-m", "statera", "compare", "-", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    # More than a pipe holds: it reads, once this is written.
    process.stdin.write(" " * 2**20)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Traceback" not in err
