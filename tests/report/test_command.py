"""``statera report``: what it writes, and its exit codes."""

import pytest


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
        result = report(*words)
        assert (result.code, told in result.err) == (2, True), (words, result.err)
        assert not (tmp_path / "r.html").exists()


def test_nothing_comparable_is_a_report_and_exit_code_2(report, tmp_path):
    result = report("--benchmark", "NoSuch", "-o", "r.html", "-o", "r.pdf", "-o", "r.md")
    assert result.code == 2
    assert "[nothing-to-compare]; the report says so" in result.err
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
    result = report("-o", "r.md", "--notes", "n.md")
    assert result.code == 2
    assert "n.md:2:" in result.err
    assert "[bad-notes]" in result.err


def test_strict_tells_what_was_left_out(report, pair, tmp_path):
    pair[1].write_text(pair[1].read_text() + "BenchmarkSlow 1 x ns/op\n")
    result = report("-o", "r.md", "--benchmark", "Slow", "--strict")
    assert result.code == 2
    assert "[left-out]" in result.err
    assert (tmp_path / "r.md").exists()
