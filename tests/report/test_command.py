"""``statera report``: what it writes, its exit codes, and that the same input makes the same bytes."""

import os
import shutil

import pytest

from support import fails


@pytest.fixture
def report(run, pair):
    return lambda *words: run("report", *pair, *words)


@pytest.mark.later
def test_several_outputs_at_once(report, tmp_path):
    result = report("-o", "r.html", "-o", "r.pdf", "-o", "r.md")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert (tmp_path / "r.html").read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "r.md").read_text().startswith("# Benchmark comparison")
    assert "statera report" in (tmp_path / "r.md").read_text()
    assert (tmp_path / "r-files/rows.csv").is_file()


def test_what_cannot_be_is_refused(report, tmp_path):
    for words, told in (
        ([], "name the report with -o"),
        (["-o", "r.docx"], "a report ends in .html, .pdf or .md"),
        (["-o", "r.html", "-o", "noending"], "a report ends in"),
        (["-o", "r.md", "--notes", "absent.md"], "--notes absent.md"),
        (["-o", "absent/r.md"], "absent"),
        (["-o", "r.html", "--by", "nokey"], "no-such-key"),
        (["-o", "r.html", "--picture-base", "https://example.org"], "only a Markdown report"),
        (["-o", "r.md", "--picture-base", "javascript:alert(1)"], "begins with https:// or http://"),
    ):
        fails(report(*words), told)
        assert not (tmp_path / "r.html").exists()


def test_nothing_comparable_is_a_report_and_exit_code_2(report, tmp_path):
    done = report("--benchmark", "NoSuch", "-o", "r.html", "-o", "r.pdf", "-o", "r.md")
    fails(done, "[nothing-to-compare]; the report says so")
    assert "Nothing could be compared" in (tmp_path / "r.html").read_text()
    assert "Nothing could be compared" in (tmp_path / "r.md").read_text()
    assert (tmp_path / "r.pdf").read_bytes().startswith(b"%PDF")


def test_one_variant_is_an_inspection_and_exit_code_0(run, pair, tmp_path):
    result = run("report", pair[0], "-o", "r.md", "--benchmark", "Slow")
    assert result.code == 0, result.err
    assert "# Benchmark inspection" in (tmp_path / "r.md").read_text()


def test_title_and_notes(report, tmp_path):
    (tmp_path / "n.md").write_text('Slow takes {{ effect("Slow") }}.\n')
    assert report("-o", "r.md", "--benchmark", "Slow", "--title", "Mine <b>", "--notes", "n.md").code == 0
    text = (tmp_path / "r.md").read_text()
    assert text.startswith("# Mine &lt;b&gt;")
    assert "Slow takes +" in text
    (tmp_path / "n.md").write_text('\n{{ effect("Nobody") }}\n')
    fails(report("-o", "r.md", "--notes", "n.md"), "n.md:2:", "[bad-notes]")


def test_strict_tells_what_was_left_out(report, pair, tmp_path):
    pair[1].write_text(pair[1].read_text() + "BenchmarkSlow 1 x ns/op\n")
    fails(report("-o", "r.md", "--benchmark", "Slow", "--strict"), "[left-out]")
    assert (tmp_path / "r.md").exists()


# The same bytes: wherever, whenever and under whatever hash seed they are written.
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
        fails(run("report", *pair, "-o", "r.md", env={"SOURCE_DATE_EPOCH": text}), f"SOURCE_DATE_EPOCH: {text}")
        assert not (tmp_path / "r.md").exists()


def test_results_from_standard_input_have_no_date(run, pair, tmp_path):
    assert run("report", "-", "-o", "r.html", "-o", "r.pdf", stdin=pair[0].read_text()).code == 0
    assert "results of" not in (tmp_path / "r.html").read_text().split("<main>")[1]
    assert b"/CreationDate" not in (tmp_path / "r.pdf").read_bytes()
