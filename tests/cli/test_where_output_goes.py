"""Whatever a verb writes: the place is checked before the work, a failure leaves what was there, inputs survive."""

import os
import resource
import shutil
import subprocess
import sys

import pytest

import statera
from statera.cli import main
from support import ROOT, fails, go, noisy

BEFORE = "what was there"
RUNS = [str(ROOT / f"examples/cluster/{name}") for name in ("base-1", "slower-1")]
RAFT = ROOT / "examples/raft-store"
TIMES = ["--mapping", str(RAFT / "raft-store.toml"), str(RAFT / "sync-1")]

TABLES = [
    (["compare", "old.txt", "new.txt"], ["out.txt", "out.md", "out.csv", "out.json"]),
    (["inspect", "old.txt"], ["out.txt", "out.md", "out.csv", "out.json"]),
    (["convert", "old.txt", "new.txt"], ["out.csv", "out.ndjson", "out.parquet"]),
    (["logs", *TIMES], ["out.txt", "out.csv"]),
]
DOCUMENTS = [
    (["plot", "forest", "old.txt", "new.txt"], ["out.svg", "out.png", "out.html", "out.json"]),
    (["report", "old.txt", "new.txt"], ["out.html", "out.pdf", "out.md"]),
]
CLUSTERS = [
    (["cluster", "compare", *RUNS], ["out.txt", "out.csv", "out.json", "out.md", "out.html"]),
    (["cluster", "report", *RUNS], ["out.html", "out.pdf", "out.md"]),
]
ABSENT = [
    (["cluster", "block", "absent", "1"], ["out.txt", "out.csv"]),
    (["cluster", "host", "absent", "node-0"], ["out.txt"]),
    (["cluster", "errors", "absent"], ["out.json"]),
]


def each(*tables):
    return [(words, name) for table in tables for words, names in table for name in names]


def parameters(*tables):
    """Of documents, which are drawn, two now and the others later."""
    return [
        pytest.param(
            words,
            name,
            id=f"{' '.join(words[:2])} {name}",
            marks=[pytest.mark.later] * (words[0] in {"plot", "report"} and name not in {"out.svg", "out.pdf"}),
        )
        for words, name in each(*tables)
    ]


@pytest.fixture
def results(tmp_path):
    """Results large enough for every output of them to be longer than the limit below."""
    for name, centre in (("old.txt", 100), ("new.txt", 120)):
        benchmarks = {f"Case{number}": noisy(centre, seed=number) for number in range(30)}
        (tmp_path / name).write_text(go(benchmarks))
    return tmp_path


@pytest.fixture
def here(monkeypatch, capfd, tmp_path):
    """Run statera in this process, in an empty folder; give the exit code and what was written."""
    monkeypatch.chdir(tmp_path)

    def start(*words):
        return main(words), *capfd.readouterr()

    return start


def test_the_place_is_checked_before_anything_is_read(here):
    """The inputs do not exist either; what is said is that the output cannot be."""
    for words, name in each(TABLES, DOCUMENTS, CLUSTERS, ABSENT):
        inputs = [word.replace(".txt", "-absent.txt") if word.endswith(".txt") else word for word in words]
        code, out, err = here(*inputs, "-o", f"no/such/{name}")
        assert (code, out) == (2, ""), (words, name)
        assert f"statera: no/such/{name}: No such file or directory [cannot-write]" in err, (words, name)


def test_an_address_is_no_place(here, tmp_path):
    for words, name in each(TABLES, DOCUMENTS, CLUSTERS, ABSENT):
        code, _, err = here(*words, "-o", f"hdfs://host/{name}")
        assert (code, "not to hdfs://" in err) == (2, True), (words, name)
        assert not list(tmp_path.iterdir()), (words, name)


@pytest.mark.parametrize("place", ["hdfs://host/out", "s3://bucket/out", ""])
def test_an_analysis_goes_to_a_folder_here(run, tmp_path, place):
    fails(run("cluster", "analyse", RUNS[0], "-o", place), "[bad-option]")
    assert not list(tmp_path.iterdir())


def limited():
    # As a full disk does; the limit holds for each file. Python ignores the signal that comes with it.
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))


@pytest.mark.parametrize(("words", "name"), parameters(TABLES, DOCUMENTS))
def test_a_full_disk_leaves_what_was_there(results, words, name):
    (results / name).write_text(BEFORE)
    done = subprocess.run(
        [sys.executable, "-m", "statera", *words, "-o", name],
        cwd=results,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
        timeout=300,
    )
    assert (done.returncode, "[disk-full]" in done.stderr) == (2, True), done.stderr
    assert (results / name).read_text() == BEFORE
    assert not list(results.glob(".statera-*"))


@pytest.mark.parametrize(("words", "name"), parameters(TABLES[:3]))
def test_what_is_written_replaces_what_was_there(run, results, words, name):
    (results / name).write_text(BEFORE)
    (results / "link").symlink_to(name)
    (results / name).chmod(0o600)
    done = run(*words, "-o", name)
    assert (done.code, (results / name).stat().st_mode & 0o777) == (0, 0o600), done.err
    assert (results / name).read_bytes() != BEFORE.encode()
    assert not list(results.glob(".statera-*"))


INPUTS = [
    ["compare", "old.csv", "new.csv", "-o", "old.csv"],
    ["compare", "a=old.csv", "b=new.csv", "-o", "./new.csv"],
    ["compare", "*.csv", "--by", "variant", "-o", "new.csv"],
    ["compare", ".", "--by", "variant", "-o", "new.csv"],
    ["compare", "--variants", "variants.csv", "--by", "side", "-o", "variants.csv"],
    ["compare", "--variants", "variants.csv", "--by", "side", "-o", "old.csv"],
    ["compare", "old.csv", "new.csv", "--config", "settings.md", "-o", "settings.md"],
    ["inspect", "old.csv", "-o", "old.csv"],
    ["convert", "old.csv", "-o", "old.csv"],
    ["convert", "link.csv", "-o", "old.csv"],
    ["convert", "old.csv", "-o", "link.csv"],
    ["plot", "strip", "page.html", "-o", "page.html"],
    ["report", "old.csv", "new.csv", "--notes", "notes.md", "-o", "notes.md"],
    ["report", "page.html", "-o", "r.pdf", "-o", "page.html"],
    # Its pictures and tables would stand where an input stands.
    ["report", "r-files/rows.csv", "new.csv", "-o", "r.md"],
    # They do not exist yet, and would be read the next time.
    ["compare", ".", "--by", "variant", "-o", "made.csv"],
    ["compare", "*.csv", "--by", "variant", "-o", "made.csv"],
    ["compare", "old.csv", "new.csv", "-f", "json", "-o", "statera.toml"],
    ["convert", "old.csv", "-o", "statera.csv", "--config", "statera.csv"],
]


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("words", INPUTS, ids=" ".join)
def test_no_output_destroys_an_input(run, results, words):
    for side in ("old", "new"):
        statera.read(results / f"{side}.txt").write(results / f"{side}.csv", "csv", [side])
    shutil.copy(results / "old.csv", results / "page.html")
    (results / "link.csv").symlink_to("old.csv")
    (results / "variants.csv").write_text("file,side\nold.csv,a\nnew.csv,b\n")
    (results / "settings.md").write_text("alpha = 0.1\n")
    (results / "notes.md").write_text("# method\nwords\n")
    (results / "r-files").mkdir()
    shutil.copy(results / "old.csv", results / "r-files/rows.csv")
    for name in ("statera.toml", "statera.csv"):
        (results / name).write_text("alpha = 0.1\n")
    before = contents(results)
    fails(run(*words), "is one of the inputs")
    assert contents(results) == before


def test_what_the_shell_hands_over_is_an_input_too(run, results):
    assert run("convert", "old.txt", "-o", "old.csv").code == 0
    with (results / "old.csv").open() as stream:
        done = subprocess.run(
            [sys.executable, "-m", "statera", "inspect", "-", "-o", "old.csv"],
            stdin=stream,
            cwd=results,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    assert (done.returncode, "is one of the inputs" in done.stderr) == (2, True)


def test_a_dash_is_standard_output(run, results):
    done = run("compare", "old.txt", "new.txt", "-f", "csv", "-o", "-")
    assert done.code == 0
    assert done.out.startswith("group,benchmark,")
    assert not (results / "-").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["compare", "old.txt", "new.txt", "-f", "json", "--raw-csv"], "--raw-csv only changes CSV"),
        (["inspect", "old.txt", "--raw-csv"], "--raw-csv only changes CSV"),
        (["convert", "old.txt", "-o", "out.parquet", "--raw-csv"], "--raw-csv only changes CSV"),
        (["convert", "old.txt", "-o", "out.csv", "--limit", "groups=3"], "it has no groups"),
        (["compare", "old.txt", "new.txt", "--limit", "files=1__0"], "files takes a whole number of 1 or more"),
        (["compare", "old.txt", "new.txt", "--limit", "files=" + "9" * 5000], "files takes a whole number of 1"),
    ],
)
def test_an_option_does_something_or_is_refused(run, results, words, why):
    before = contents(results)
    fails(run(*words), why)
    assert contents(results) == before


@pytest.mark.parametrize("again", ["r.md", "./r.md", "link.md"])
def test_a_report_is_named_once(run, results, again):
    (results / "link.md").symlink_to("r.md")
    fails(run("report", "old.txt", "new.txt", "-o", "r.md", "-o", again), f"-o {again}: is named twice")
    assert not (results / "r.md").exists()


def test_the_pictures_of_a_report_have_their_folder(run, results):
    """Markdown has its pictures beside it, and their place is checked too."""
    (results / "r-files").write_text(BEFORE)
    fails(run("report", "old-absent.txt", "new.txt", "-o", "r.md"), "r-files", "[cannot-write]")


CLUSTER_INPUTS = [
    (["cluster", "compare", "run", "run", "-f", "csv"], "run/run.json"),
    (["cluster", "compare", "a=run", "b=run", "-f", "csv"], "run/node-0/LOG"),
    (["cluster", "compare", "out", "run", "-f", "csv"], "out/summary.json"),
    (["cluster", "host", "out", "node-0", "-f", "csv"], "out/blocks.csv"),
    (["cluster", "errors", "out", "-f", "csv"], "out/tables/blocks.parquet"),
    (["cluster", "compare", "run", "run", "-f", "csv"], "run/made.json"),
]


@pytest.fixture
def analysed(tmp_path):
    """A run, and a folder that looks like its analysis."""
    shutil.copytree(RUNS[0], tmp_path / "run")
    (tmp_path / "out/tables").mkdir(parents=True)
    for name in ("summary.json", "blocks.csv", "tables/blocks.parquet", "report.md"):
        (tmp_path / "out" / name).write_text("{}")
    return tmp_path


@pytest.mark.parametrize(("words", "target"), CLUSTER_INPUTS)
def test_no_output_destroys_a_run(run, analysed, words, target):
    log = min((analysed / "run/node-0").iterdir()).name
    place = analysed / target.replace("LOG", log)
    before = contents(analysed)
    fails(run(*words, "-o", place), "is one of the inputs")
    assert contents(analysed) == before


def test_a_report_beside_its_run_is_no_input(run, analysed):
    """That it stands there already is not a reason to refuse it; that the analysis is none is."""
    done = run("cluster", "report", "out", "-o", analysed / "out/report.md")
    assert (done.code, "is one of the inputs" in done.err) == (2, False), done.err
