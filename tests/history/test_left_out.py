"""Whatever is out of sight is said by every verb and on every page."""

import json

import pytest
from histories import TIME, add, analysed, commit, folder, steps

from statera.history.left_out import briefly, left_out

SHORT = "main: 25 jobs of commits that nothing connects with the newest one are left out"
FILE = "1 file of the history is damaged or missing and left out"


@pytest.fixture
def damaged(tmp_path):
    """Sixty jobs that lead one commit back each, of which the 26th is damaged: nobody knows what stands before it."""
    made = folder(tmp_path / "h")
    hashes = []
    for number, value in enumerate(steps(1.0, 1.2, of=30)):
        line = (commit(number), commit(number - 1))[: number + 1]
        hashes.append(add(made, number, {"a": [value]}, TIME, line=line).hash)
    made.file_of(hashes[25]).write_bytes(b"damaged")
    return made


def test_a_damaged_upload_takes_its_own_job_alone_if_lines_lead_through_the_commits_before(tmp_path):
    made = folder(tmp_path / "h")
    files = [
        made.file_of(add(made, number, {"a": [1.0]}, line=tuple(commit(at) for at in range(number, -1, -1))).hash)
        for number in range(6)
    ]
    for number in range(6):
        content = files[number].read_bytes()
        files[number].write_bytes(b"damaged")
        found = analysed(made)
        assert len(found.jobs("main")) == 5
        assert [(each.code, each.number) for each in left_out(found)] == [("files", 1)]
        files[number].write_bytes(content)


def test_what_is_left_out_is_counted_and_its_files_too_when_they_are_gone(damaged):
    assert [(each.code, each.branch, each.number) for each in left_out(analysed(damaged))] == [
        ("files", "", 1),
        ("unconnected", "main", 25),
    ]
    [path] = [path for _, path in damaged.uploads() if path.read_bytes() == b"damaged"]
    path.unlink()
    found = analysed(damaged)
    assert briefly(found) == "1 file and 25 jobs are left out"
    assert [problem.what for problem in found.catalog.problems] == ["it is missing"]


def test_jobs_of_a_rewritten_branch_are_said_and_hide_nothing_that_happened(tmp_path):
    made = folder(tmp_path / "h")
    for number in range(3):
        add(made, number, {"a": [1.0]})
    add(made, 2, {"a": [1.0]}, commit=commit(9), line=(commit(9), commit(1)), started="2026-02-01T00:00:00+00:00")
    found = analysed(made)
    assert [each.code for each in left_out(found)] == ["off-line"]
    assert briefly(found) == ""


@pytest.mark.parametrize(
    "words",
    [
        ("check",),
        ("show",),
        ("points",),
        ("verify",),
        ("compact", "--older", "36500"),
        ("badge", "-o", "b.svg"),
        ("export", "-o", "t.csv"),
        ("site", "-o", "s"),
    ],
)
def test_every_verb_says_it(damaged, run, tmp_path, words):
    done = run("history", *words, "--history", damaged.path, cwd=tmp_path)
    assert SHORT in done.err
    assert ".parquet" in done.err


def test_every_document_and_page_says_it(damaged, run, tmp_path):
    for verb in ("check", "show", "points"):
        document = json.loads(run("history", verb, "--history", damaged.path, "-f", "json", cwd=tmp_path).out)
        assert [(each["code"], each["branch"], each["count"]) for each in document["left_out"]] == [
            ("files", "", 1),
            ("unconnected", "main", 25),
        ]
        assert [each["what"] for each in document["left_out"]] == [FILE, SHORT]
    assert run("history", "site", "-o", "s", "--history", damaged.path, cwd=tmp_path).code == 0
    pages = sorted((tmp_path / "s").rglob("*.html"))
    assert len(pages) > 1
    for page in pages:
        text = page.read_text()
        assert SHORT in text, page
        assert FILE in text, page
    assert len(json.loads((tmp_path / "s/index.json").read_text())["left_out"]) == 2


def test_nothing_is_open_in_what_is_seen(tmp_path, run):
    made = folder(tmp_path / "h")
    add(made, 0, {"a": [1.0]}, line=(commit(0),))
    add(made, 2, {"a": [1.0]}, line=(commit(2), commit(1)))
    assert run("history", "site", "-o", "s", "--history", "h", cwd=tmp_path).code == 0
    assert "Nothing is open in 1 series, and 1 job is left out." in (tmp_path / "s/index.html").read_text()
