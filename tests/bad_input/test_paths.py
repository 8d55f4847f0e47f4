r"""Paths and words are bytes: one that is not UTF-8 is read and written like any other, and shown as \xFF."""

import csv
import io
import json
import os
import shutil

import pytest

import statera
from statera.cli import main
from statera.support.errors import Stop
from statera.support.files.names import as_text
from support import ROOT, every, fails, go, noisy

BAD = os.fsdecode(b"b\xffd")
SHOWN = r"b\xFFd"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, centre in (("old.txt", 100), (f"{BAD}.txt", 150)):
        (tmp_path / name).write_text(go({"A": noisy(centre), "B": noisy(50)}))
    inner = tmp_path / f"in-{BAD}"
    inner.mkdir()
    shutil.copy(f"{BAD}.txt", inner / f"x{BAD}.txt")
    (inner / "runs.csv").write_text("file,cc\n../old.txt,gcc\nx*.txt,clang\n")
    (tmp_path / f"{BAD}.csv").write_text("file,cc\nold.txt,gcc\nb*.txt,clang\n")
    (tmp_path / f"{BAD}.toml").write_text("alpha = 0.01\n")
    (tmp_path / f"notes-{BAD}.md").write_text("# summary\nwords\n")
    (tmp_path / "no-text.md").write_bytes(b"\xff\n")
    return tmp_path


READ = [
    ["compare", "old.txt", f"{BAD}.txt"],
    ["compare", "old.txt", f"in-{BAD}"],
    ["compare", f"a{BAD}=old.txt", f"c={BAD}.txt", "-f", "markdown"],
    ["compare", "old.txt", f"{BAD}.txt", "-o", f"{BAD}.json"],
    ["compare", "old.txt", f"{BAD}.txt", "--config", f"{BAD}.toml"],
    ["compare", "old.txt", f"{BAD}.txt", "--margin", f"{BAD}=5%", "--better", f"{BAD}=lower"],
    ["compare", "a=old.txt", f"c={BAD}.txt", "--factor", f"a:k={BAD}", "--factor", "c:k=x", "--by", "k"],
    ["compare", "--variants", f"{BAD}.csv", "--by", "cc", "old.txt", f"{BAD}.txt"],
    ["compare", "--variants", f"in-{BAD}/runs.csv", "--by", "cc", "old.txt", f"in-{BAD}/x{BAD}.txt"],
    ["compare", "old.txt", f"{BAD}.txt", "--name-pattern", "{name}.txt", "--by", "name"],
    ["compare", "old.txt", f"{BAD}.txt", "--baseline", BAD],
    ["inspect", f"{BAD}.txt", "-f", "csv"],
    ["inspect", "--aa", "old.txt", f"{BAD}.txt"],
    ["plot", "forest", "old.txt", f"{BAD}.txt", "-o", f"{BAD}.svg"],
    ["convert", f"a{BAD}={BAD}.txt", "-o", f"{BAD}.parquet"],
]
REFUSED = [
    ["compare", "old.txt", f"{BAD}-absent"],
    ["compare", "old.txt", f"{BAD}*.txt"],
    ["compare", "old.txt", f"{BAD}.txt", "-o", f"absent-{BAD}/out.md"],
    ["compare", "old.txt", f"{BAD}.txt", "-o", f"out.{BAD}"],
    *(
        ["compare", "old.txt", f"{BAD}.txt", option, BAD]
        for option in (
            "--by", "--pair", "--pool", "--within", "--benchmark", "--metric", "--unit", "--config",
            "--variants", "--factor", "--name-pattern", "--format", "--alpha", "--fail-on", "--sort",
        )
    ),
    ["compare", "old.txt", f"{BAD}.txt", "--benchmark", f"/{BAD}(/"],
    ["compare", "old.txt", f"{BAD}.txt", "--column", f"value={BAD}", "--format", "csv"],
    ["compare", "old.txt", f"{BAD}.txt", f"--quantiles={BAD}"],
    ["report", "old.txt", f"{BAD}.txt", "-o", "out.md", "--notes", f"absent-{BAD}"],
    ["report", "old.txt", f"{BAD}.txt", "-o", "out.md", "--notes", "no-text.md"],
    ["plot", "forest", "old.txt", f"{BAD}.txt", "-o", f"absent-{BAD}/out.svg"],
    ["convert", f"{BAD}.txt", "-o", f"absent-{BAD}/out.csv"],
    ["explain", BAD],
    ["completion", BAD],
    [BAD],
    ["cluster", "analyse", f"absent-{BAD}", "-o", "out"],
    ["cluster", "times", ".", "--mapping", BAD],
    ["cluster", "block", BAD, BAD],
    ["cluster", "compare", f"absent-{BAD}", f"absent-{BAD}"],
    ["compare", "old.txt", "--jobs", BAD],
]  # fmt: skip


@pytest.mark.parametrize("words", READ, ids=ascii)
def test_they_are_read_and_written(run, words):
    result = run(*words)
    assert result.code == 0, result.err


@every("words", REFUSED, ids=ascii)
def test_what_is_refused_is_named(capfd, words):
    assert main(words) == 2
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert r"\udcff" not in said
    assert "no-text.md" in words or r"\xFF" in said or "nothing-to-compare" in said


def test_outputs_show_the_byte(run):
    words = ["compare", "old.txt", f"{BAD}.txt", "-f"]
    assert f"\nold → {SHOWN}   Go, 2 benchmarks," in run(*words, "terminal").out
    assert json.loads(run(*words, "json").out)["rows"][0]["contender"] == SHOWN
    # A backslash before punctuation escapes it.
    assert f"old → {SHOWN.replace(chr(92), 2 * chr(92))} · " in run(*words, "markdown").out
    rows = list(csv.DictReader(io.StringIO(run(*words, "csv").out)))
    assert SHOWN in rows[0].values()


def test_a_byte_can_be_asked_for(run):
    fails(run("compare", "old.txt", f"{BAD}.txt", "--where", f"file=*{BAD[1]}*"), "the filters leave no value of old ")


def test_two_names_that_differ_in_such_a_byte_stay_two(tmp_path):
    other = os.fsdecode(b"b\xfed.txt")
    shutil.copy("old.txt", other)
    comparison = statera.compare(tmp_path / other, tmp_path / f"{BAD}.txt")
    assert comparison.labels == [r"b\xFEd", SHOWN]
    assert {source.name.rpartition("/")[2] for source in comparison.observations.sources} == {
        r"b\xFEd.txt",
        r"b\xFFd.txt",
    }


def test_what_is_no_file_or_counts_once_is_named_by_its_bytes(tmp_path):
    odd = tmp_path / "odd"
    odd.mkdir()
    for byte in (b"\xfe", b"\xff"):
        os.mkfifo(odd / os.fsdecode(b"pipe" + byte))
        (odd / os.fsdecode(b"link" + byte)).hardlink_to(tmp_path / "old.txt")
    problems = statera.read(tmp_path / "old.txt", odd).problems
    named = {(problem.code, problem.source.rpartition("/")[2]) for problem in problems}
    assert named == {
        ("not-a-file", r"pipe\xFE"),
        ("not-a-file", r"pipe\xFF"),
        ("same-file", r"link\xFE"),
        ("same-file", r"link\xFF"),
    }


def test_a_pattern_with_such_a_byte_is_refused_and_says_what_to_do(tmp_path):
    with pytest.raises(Stop, match=r"a pattern must be text in UTF-8\. Name the file itself"):
        statera.read(str(tmp_path / f"{BAD}*"))


def test_a_report_states_its_command_as_a_shell_takes_it(run, tmp_path):
    places = [f"-o{BAD}.html", f"-o{BAD}.pdf", "-o", "out.md"]
    words = ["report", "old.txt", f"{BAD}.txt", "--title", f"it's {BAD}", f"--notes=notes-{BAD}.md"]
    result = run(*words, *places)
    assert result.code == 0, result.err
    assert {f"{BAD}.html", f"{BAD}.pdf"} <= {path.name for path in tmp_path.iterdir()}
    text = (tmp_path / "out.md").read_text()
    assert rf"statera report old.txt $'{SHOWN}.txt' --title $'it\'s {SHOWN}' $'--notes=notes-{SHOWN}.md' " in text


@pytest.fixture
def analysed(run, tmp_path):
    """A run of a cluster whose folder, and that of its analysis, have such a byte in their names."""
    shutil.copytree(ROOT / "examples/cluster/base-1", tmp_path / f"run-{BAD}")
    assert run("cluster", "analyse", f"run-{BAD}", "-o", f"out-{BAD}").code == 0
    return tmp_path / f"out-{BAD}"


def test_runs_of_a_cluster(run, analysed):
    # Results depend on no name of a folder.
    assert "out-" not in (analysed / "summary.json").read_text()
    result = run("cluster", "compare", analysed.name, f"{BAD}=run-{BAD}", "-f", "json")
    assert result.code == 0, result.err


@pytest.mark.later
def test_reports_of_a_cluster(run, analysed):
    for name in (f"{BAD}.html", "out.pdf"):
        result = run("cluster", "compare", analysed.name, f"{BAD}={analysed.name}", "-o", name)
        assert result.code == 0, result.err


@every(
    ("name", "text"),
    [
        ("größe", "größe"),
        (BAD, SHOWN),
        (os.fsdecode("größe".encode() + b"\xff"), r"größe\xFF"),
        ("half \ud800", r"half \ud800"),
    ],
    ids=ascii,
)
def test_a_name_as_text(name, text):
    assert as_text(name) == text
