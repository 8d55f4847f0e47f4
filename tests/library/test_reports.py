"""Reports from the library: of paths, of a comparison, of an inspection; and what is refused."""

import html
from pathlib import Path

import pytest

import statera
from support import go, noisy, table, write


@pytest.fixture
def paths(tmp_path):
    old = {"X": {"ns/op": noisy(100), "B/op": [48] * 10}}
    new = {"X": {"ns/op": noisy(150, seed=2), "B/op": [40] * 10}}
    return write(tmp_path, **{"old.txt": go(old), "new.txt": go(new)})


def test_a_comparison_writes_the_report_of_the_command(tmp_path, paths, run):
    comparison = statera.compare(*paths)
    assert comparison.report(tmp_path / "a.html", title="Mine") == [str(tmp_path / "a.html")]
    assert statera.report(paths, tmp_path / "b.html", title="Mine") == [str(tmp_path / "b.html")]
    statera.report(comparison, [tmp_path / "c.html"], title="Mine")
    assert run("report", "old.txt", "new.txt", "-o", "d.html", "--title", "Mine").code == 0
    first, second, third, command = ((tmp_path / f"{name}.html").read_text() for name in "abcd")
    assert first == second == third
    assert "<title>Mine" in first
    # The command of the reproduction differs; what was found does not.
    assert all("+50.0%" in html.unescape(page) for page in (first, command))


def test_options_are_those_of_compare_and_of_the_verb(tmp_path, paths):
    (notes,) = write(tmp_path, **{"notes.md": "# summary\n\nWe expected this.\n"})
    statera.report(paths, tmp_path / "a.md", metrics=["B/op"], notes=notes)
    text = (tmp_path / "a.md").read_text()
    assert "We expected this." in text
    assert "B/op" in text
    with pytest.raises(TypeError, match="metrics"):
        statera.report(statera.compare(*paths), tmp_path / "b.html", metrics=["B/op"])
    with pytest.raises(TypeError, match="mertics"):
        statera.report(paths, tmp_path / "b.html", mertics=["B/op"])


def test_tables_in_memory_have_reports_after_their_files_are_gone(tmp_path):
    comparison = statera.compare([4.1, 4.2, 4.0, 4.3], [3.1, 3.3, 3.2, 3.0])
    comparison.report(tmp_path / "a.html")
    assert "table 1" in (tmp_path / "a.html").read_text()
    statera.report([[4.1, 4.2, 4.0, 4.3], [3.1, 3.3, 3.2, 3.0]], tmp_path / "badge.svg")
    assert "statera" in (tmp_path / "badge.svg").read_text()


def test_one_path_is_inspected_and_so_are_several_where_that_is_asked_for(tmp_path, paths):
    statera.report(paths[0], tmp_path / "a.html")
    statera.report(paths, tmp_path / "b.html", inspect=True)
    statera.inspect(*paths).report(tmp_path / "c.html")
    assert "Benchmark inspection" in (tmp_path / "a.html").read_text()
    assert (tmp_path / "b.html").read_text() == (tmp_path / "c.html").read_text()
    with pytest.raises(statera.Stop, match="self-test"):
        statera.inspect(*paths, aa=True, splits=3).report(tmp_path / "d.html")


@pytest.mark.parametrize(
    ("to", "options", "code"),
    [
        ("a.svg", {}, "bad-option"),
        ([], {}, "bad-option"),
        ("a.html", {"notes": "none.md"}, "bad-notes"),
        ("nowhere/a.html", {}, "cannot-write"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, paths, to, options, code):
    if isinstance(to, str):
        to = tmp_path / to
    before = sorted(tmp_path.iterdir())
    for sources in (paths, statera.compare(*paths)):
        with pytest.raises(statera.Stop) as stop:
            statera.report(sources, to, **options)
        assert stop.value.code == code
    assert sorted(tmp_path.iterdir()) == before


def test_an_input_is_never_replaced(paths):
    with pytest.raises(statera.Stop, match="input"):
        statera.report(paths, f"{paths[0]}/../old.txt")
    (again,) = write(Path(paths[0]).parent, **{"in.md": go({"X": noisy(1)})})
    with pytest.raises(statera.Stop, match="input"):
        statera.report([again, paths[1]], again)
    with pytest.raises(statera.Stop, match="input"):
        statera.compare(again, paths[1]).report(again)


def test_a_report_of_nothing_comparable_is_written_and_its_reason_raised(tmp_path):
    rows = [{"benchmark": "X", "value": value, "unit": "s"} for value in noisy(1)]
    (path,) = write(tmp_path, **{"a.csv": table([{**row, "k": "only"} for row in rows])})
    with pytest.raises(statera.Stop) as stop:
        statera.report(path, tmp_path / "a.html", by="k")
    assert stop.value.code == "one-variant"
    assert "Nothing" in (tmp_path / "a.html").read_text()


def test_the_answer_says_what_it_stands_on(paths):
    answer = statera.compare(*paths).answer
    assert "slower" in answer.line
    assert "X" in answer.line
    assert answer.states[0] == "slower"
    assert answer.counts == {"worse": 1}
    assert answer.suspects == answer.leads
