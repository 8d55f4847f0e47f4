"""The same input makes the same bytes: wherever, whenever and under whatever hash seed they are written."""

import os
import shutil

import pytest

WHEN = 1_600_000_000  # 13 September 2020


def made(run, pair, folder, *words, outputs, env=None):
    """Run in a folder of its own, with one of its own for temporary files; give the bytes of all that was written."""
    (folder / "tmp").mkdir(parents=True)
    for path in pair:
        shutil.copy(path, folder / path.name)
        os.utime(folder / path.name, (WHEN, WHEN))
    given = [word for output in outputs for word in ("-o", output)]
    environment = {"TMPDIR": str(folder / "tmp"), **(env or {})}
    result = run(*words, *(p.name for p in pair), *given, cwd=folder, env=environment)
    assert result.code == 0, result.err
    read = {p.name for p in pair}
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in read)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture
def twice(run, pair, tmp_path):
    def start(*words, outputs):
        return [
            made(run, pair, tmp_path / folder, *words, outputs=outputs, env={"PYTHONHASHSEED": seed})
            for folder, seed in (("one", "1"), ("a/second/folder", "2"))
        ]

    return start


@pytest.mark.parametrize("words", [("--benchmark", "Slow"), ("--atlas",)], ids=" ".join)
@pytest.mark.later
def test_reports_have_the_same_bytes(twice, words):
    one, other = twice("report", *words, outputs=("r.html", "r.pdf", "r.md"))
    assert list(one) == list(other)
    assert {"r.html", "r.pdf", "r.md"} < set(one)
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.later
def test_pictures_have_the_same_bytes(twice):
    """Its page holds its specification; reports hold drawings."""
    one, other = twice("plot", "ridgeline", outputs=["p.html"])
    assert list(one) == ["p.html"]
    assert one == other


def test_a_report_has_the_date_of_its_newest_input(run, pair, tmp_path):
    files = made(run, pair, tmp_path / "one", "report", outputs=("r.html", "r.pdf"))
    assert "results of 13 September 2020" in files["r.html"].decode()
    assert b"D:20200913122640Z" in files["r.pdf"]


def test_source_date_epoch_stands_for_the_date_of_inputs(run, pair, tmp_path):
    when = {"SOURCE_DATE_EPOCH": "86400"}
    files = made(run, pair, tmp_path / "one", "report", outputs=("r.html", "r.pdf"), env=when)
    assert "results of 2 January 1970" in files["r.html"].decode()
    assert b"D:19700102000000Z" in files["r.pdf"]


def test_a_source_date_epoch_that_is_no_time_is_refused(run, pair, tmp_path):
    for text in ("yesterday", "-1", "1e3", "99999999999999999999"):
        result = run("report", *pair, "-o", "r.md", env={"SOURCE_DATE_EPOCH": text})
        assert (result.code, f"SOURCE_DATE_EPOCH: {text}" in result.err) == (2, True), result.err
        assert not (tmp_path / "r.md").exists()


def test_results_from_standard_input_have_no_date(run, pair, tmp_path):
    assert run("report", "-", "-o", "r.html", "-o", "r.pdf", stdin=pair[0].read_text()).code == 0
    assert "results of" not in (tmp_path / "r.html").read_text().split("<main>")[1]
    assert b"/CreationDate" not in (tmp_path / "r.pdf").read_bytes()
