"""The commands, from folders of logs to text, and their exit codes."""

import csv
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from small import hash_of

from statera import _native
from statera.cli import arguments, cluster, main
from statera.cluster.logs import mapping as mappings
from statera.cluster.views import analysis
from support import every, stopped

# What is asked of a report is in its words.
pytestmark = pytest.mark.usefixtures("plain_pictures")

ROOT = Path(__file__).parents[2]

SYSTEM = "2025-02-14T18:40:58"


def line(seconds, ns, **data):
    """A log object, so many seconds after system start."""
    assert 0 <= seconds < 2
    return json.dumps({"at": f"2025-02-14T18:40:{58 + seconds:012.9f}Z", "ns": ns, "data": data})


def described(run):
    """Write a run of two hosts: n0 forges a in slot 0, b in slot 1, n1 sees a; a broken line, one of text, one cut."""
    for host in ("n0", "n1"):
        (run / host).mkdir(parents=True)
    about = {"systemStart": f"{SYSTEM}Z", "slotLength": 1, "epochLength": 100, "hosts": ["n0", "n1"], "identifier": "x"}
    (run / "run.json").write_text(json.dumps(about))
    forged = [
        line(0.25, "Forge.Loop.StartLeadershipCheck", slot=0),
        line(0.5, ["Forge", "Loop", "ForgedBlock"], slot=0, blockNo=0, block=hash_of("a"), blockPrev="genesis"),
        '{"broken',
        "text",
        line(1.5, "Forge.Loop.ForgedBlock", slot=1, blockNo=1, block=hash_of("b"), blockPrev=hash_of("a")),
        '{"cut',
    ]
    (run / "n0/node.json").write_text("\n".join(forged))
    seen = [
        line(0.75, "ChainSync.Client.DownloadedHeader", slot=0, blockNo=0, block=hash_of("a")),
        line(1, "ChainDB.AddBlockEvent.AddedToCurrentChain", newtip=f"{hash_of('a')}@0"),
        line(1.25, "ChainDB.AddBlockEvent.AddedToCurrentChain"),
    ]
    (run / "n1/node.json").write_text("\n".join(seen) + "\n")
    return run


@pytest.fixture
def run(here):
    return here


@pytest.fixture
def folder(tmp_path):
    return described(tmp_path / "run")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The run, and its analysis as ``out`` beside it; nobody may change them."""
    run = described(tmp_path_factory.mktemp("kept") / "run")
    assert main(["cluster", "analyse", str(run), "-o", str(run.with_name("out"))]) == 0
    return run


@pytest.fixture
def analysed(kept, tmp_path):
    """One that a test may damage."""
    return shutil.copytree(kept.with_name("out"), tmp_path / "out")


def test_a_run_becomes_a_summary_a_table_of_blocks_and_tables(analysed):
    summary = json.loads((analysed / "summary.json").read_text())
    assert summary["chain"]["base"] == hash_of("a")
    assert summary["metrics"]["cdfPeerNoticeFirst"]["mean"] == 0.75
    assert summary["metrics"]["cdf0.50"]["mean"] == 1.0
    assert summary["hosts"]["n0"] | {"lines": 6, "broken": 1, "noise": 1, "cut": 1} == summary["hosts"]["n0"]
    assert (analysed / "blocks.csv").read_text().count("\n") == 2
    assert (analysed / "tables/blocks.parquet").is_file()


def test_several_runs_become_one_folder_each_and_a_pool(run, folder, tmp_path):
    again = shutil.copytree(folder, tmp_path / "again" / folder.name)
    assert run("cluster", "analyse", folder, again, "-o", tmp_path / "out").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["pooled", "run", "run-2"]
    pooled = json.loads((tmp_path / "out/pooled/summary.json").read_text())
    assert pooled["metrics"]["cdf0.50"]["n"] == 2
    assert pooled["metrics"]["cdf0.50"]["runs"]["stddev"] == 0


def test_filters_of_the_command_line(run, folder, tmp_path):
    out = tmp_path / "out"
    done = run("cluster", "analyse", folder, "-o", out, "--filter", "SlotGEq 1", "--filter", "unitary")
    assert done.code == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["filters"] == ["SlotGEq 1", "BUnitaryChainDelta true"]
    assert summary["chain"]["rejectedBy"] == {"SlotGEq": 1, "BUnitaryChainDelta": 0}


def test_runs_and_analyses_are_compared(run, folder, analysed):
    done = run("cluster", "compare", f"old={folder}", f"new={analysed}", "-f", "json")
    assert done.code == 0
    found = json.loads(done.out)
    assert (found["baseline"], found["runs"]) == ("old", ["new"])
    assert (
        found["metrics"]["cdf0.50"]["runs"][0] | {"delta": 0.0, "deltaPercent": 0.0, "n": 1}
        == (found["metrics"]["cdf0.50"]["runs"][0])
    )
    assert "2.5 End-to-end propagation" in run("cluster", "compare", analysed, analysed).out
    rows = list(csv.DictReader(io.StringIO(run("cluster", "compare", analysed, analysed, "-f", "csv").out)))
    assert {row["contender"] for row in rows} == {"run-2"}
    text = run("cluster", "compare", analysed, analysed, "-f", "markdown").out
    assert text.startswith(
        "**No clear change in 5 metrics. No change for the worse is ruled out. 4 not judged (one value per build)**"
    )
    assert text.index("### 2.5 End-to-end propagation") < text.index("### Manifest")


def test_drill_downs_name_file_and_line(run, analysed):
    for which in ("0", "a00"):
        done = run("cluster", "block", analysed, which)
        assert done.code == 0
        assert "n1/node.json:2" in done.out
        assert "n0/node.json:2" in done.out
    found = json.loads(run("cluster", "block", analysed, "0", "-f", "json").out)
    assert [row["line"] for row in found["Events"]] == [f"n0/node.json:{n}" for n in (1, 2)] + [
        f"n1/node.json:{n}" for n in (1, 2)
    ]
    assert "n0/node.json:3" in run("cluster", "errors", analysed).out
    assert re.search(
        r"^Forge loop tardiness, ms +1 +250 +250$", run("cluster", "host", analysed, "n0").out, re.MULTILINE
    )


REFUSED = [
    (("analyse", "{run}", "-o", "{tmp}/o", "--filter", "huge"), "bad-filter"),
    (("analyse", "{run}", "-o", "{tmp}/o", "--filter", "BFullnessGEq 0.5"), "bad-filter"),
    (("analyse", "{run}", "-o", "{tmp}/o", "--memory", "much"), "bad-option"),
    (("analyse", "{run}", "-o", "{tmp}/o", "--most-files", "4"), "too-many-files"),
    (("analyse", "{run}", "-o", "{tmp}/o", "--most-files", "0"), "bad-option"),
    (("analyse", "{tmp}/nothing", "-o", "{tmp}/o"), "missing-file"),
    (("compare", "{run}"), "nothing-to-compare"),
    (("compare", "{out}", "{out}", "--alpha", "2"), "bad-option"),
    (("compare", "{out}", "{out}", "--alpha", "1e-17"), "bad-option"),
    (("compare", "{out}", "{out}", "--memory", "abc"), "bad-option"),
    (("compare", "{out}", "{out}", "--memory", "-1"), "bad-option"),
    (("compare", "{out}", "{out}", "--memory", "99999999999GiB"), "bad-option"),
    (("compare", "{out}", "{out}", "--jobs", "99999999999999999999"), "bad-option"),
    (("compare", "{out}", "{out}", "--jobs", "-1"), "bad-option"),
    (("compare", "{out}", "{out}", "--mapping", "nope"), "event-mapping"),
    (("compare", "{out}", "{out}", "--mapping", "{mapping}"), "bad-option"),
    (("block", "{run}", "1"), "not-analysed"),
    (("block", "{out}", "77"), "no-such-block"),
    (("host", "{out}", "n7"), "no-such-host"),
    (("compare", "{out}", "{out}", "-f", "pdf"), "bad-option"),
    (("compare", "{out}", "-o", "x.html"), "nothing-to-compare"),
    (("report", "{out}"), "bad-option"),
    (("report", "{out}", "-o", "x.docx"), "bad-option"),
    (("report", "{out}", "-o", "x.html", "--notes", "none.md"), "bad-notes"),
    (("report", "{out}/nothing", "-o", "x.html"), "missing-file"),
]


@every("words, code", REFUSED)
def test_what_cannot_be_done_says_so(run, kept, tmp_path, words, code):
    # Another mapping than that of the analysis.
    other = tmp_path / "other.toml"
    other.write_text((mappings.BUILT_IN / "cardano.toml").read_text().replace("[line]\n", "[line]\nlongest = 31\n"))
    places = {"run": kept, "out": kept.with_name("out"), "tmp": tmp_path, "mapping": other}
    done = run("cluster", *(word.format(**places) for word in words))
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(f"[{code}]\n")


def test_the_mapping_that_an_analysis_was_made_with_is_no_other(run, analysed):
    assert run("cluster", "compare", analysed, analysed, "--mapping", "cardano", "--memory", "64MiB").code == 0


def test_spark_is_chosen_with_a_master_and_told_of_for_many_lines(monkeypatch):
    def chosen(engine, master):
        return cluster._engine(SimpleNamespace(engine=engine, master=master))

    assert [chosen("auto", master) for master in (None, "local[2]", "yarn")] == ["duckdb", "spark", "spark"]
    assert chosen("spark", None) == "spark"
    assert "leave --engine duckdb out" in stopped(chosen, "duckdb", "yarn")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    summary = {"hosts": {"a": {"lines": 30_000_000}, "b": {"lines": 30_000_000}}}
    assert list(analysis._engine({"run": summary})) == []
    summary["hosts"]["b"]["lines"] += 1
    assert "60,000,001 lines were read by one machine" in "".join(analysis._engine({"run": summary}))


def test_more_jobs_than_cores_are_as_many_as_cores(monkeypatch):
    monkeypatch.setattr(_native, "set_jobs", lambda _: None)  # the pool of this process is made once
    assert arguments.set_jobs(20_000) == os.cpu_count()
    assert arguments.set_jobs(1) == 1
    assert arguments.set_jobs(0) == 0


@pytest.fixture
def short(folder, tmp_path):
    """A second run, of which a compressed log ends before its end."""
    copy = tmp_path / "short"
    shutil.copytree(folder, copy)
    log = copy / "n1/node.json"
    log.with_name("node.json.gz").write_bytes(gzip.compress(log.read_bytes())[:-12])
    log.unlink()
    return copy


def test_a_warning_of_a_file_names_it(run, folder, short, tmp_path):
    told = "n1/node.json.gz: could not be read to its end"
    assert f"warning: short: {told}" in run("cluster", "analyse", short, "-o", tmp_path / "out").out
    assert f"new: {told}" in run("cluster", "compare", f"old={folder}", f"new={short}").out
    assert run("cluster", "report", tmp_path / "out", "-o", tmp_path / "report.md").code == 0
    assert f"warning: {told}" in (tmp_path / "report.md").read_text().replace("\\", "")


def test_a_warning_of_several_runs_is_told_once_with_their_names(run, folder, short):
    """Each of the three has a host whose name the description does not give."""
    for each in (folder, short):
        (each / "odd").mkdir()
        (each / "odd/node.json").write_text("{}\n")
    said = run("cluster", "compare", f"old={folder}", f"new={folder}", f"new={short}").out
    assert said.count("odd has logs but is not among the hosts of run.json") == 2
    assert "\nold: odd has logs but is not among the hosts of run.json\n" in said
    assert "new: odd has logs but is not among the hosts of run.json (run, short); n1/node.json.gz: could" in said


def test_a_full_disk_leaves_no_summary(folder, tmp_path):
    """A limit on the size of files stands for the disk."""
    out = tmp_path / "out"
    script = (
        "import resource, signal, sys; from statera.cli import main; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)); sys.exit(main(sys.argv[1:]))"
    )
    words = ["cluster", "analyse", str(folder), "-o", str(out)]
    assert subprocess.run([sys.executable, "-c", script, *words], check=False, capture_output=True).returncode == 2
    assert not (out / "summary.json").exists()


def test_a_narrow_terminal_loses_columns_and_no_rows_or_verdicts(subtests, several, capsys):
    runs = [f"{label}={several / name}" for label, name in (("a", "base-1"), ("b", "slower-1"))]
    assert main(["cluster", "compare", *runs]) == 0
    whole = capsys.readouterr().out
    for width in (139, 100, 80, 72):
        with subtests.test(width=width):
            assert main(["cluster", "compare", *runs, "--width", str(width)]) == 0
            narrow = capsys.readouterr().out
            assert max(map(len, whole.splitlines())) > width
            assert max(map(len, narrow.splitlines())) <= width
            unwrapped = re.sub(r"one value( per)?\n +(per )?run\n", "one value per run\n", narrow)
            for words in (
                "(one run per build)",
                "no clear change",
                "no clear change *\n",
                "\n* one run: within the margin",
                "  one value per run\n",
            ):
                assert unwrapped.count(words) == whole.count(words) > 0
            assert narrow.count("+25.7%") == whole.count("+25.7%") == 1
            heading = narrow[narrow.index("2.1 Resource Usage") :].splitlines()[1]
            assert ("interval of Δ" in heading) == (width >= 100)
            assert ("Δ%" in heading, heading.endswith("  verdict")) == (True, True)
