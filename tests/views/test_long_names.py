"""Names of any length leave the numbers of a Markdown table in view, stay apart, and stand somewhere whole."""

import re

from material import of

from rendered import shown
from statera import _native
from statera.output.forge import markdown as forge
from statera.output.report import markdown as report
from statera.output.views import Layout, terminal
from statera.output.views.comment import LONGEST
from statera.output.views.names import apart, broken, shortened
from support import cells, compare, go, noisy, write

KINDS = ("mergeOverlapping", "splitOversized", "dropExpired")
NAMES = [
    f"com.example.storage.engine.compaction.LeveledBenchmark.{kind}/size=1048576/threads=16/codec={codec}/direct=true"
    for kind in KINDS
    for codec in ("zstd", "none")
]


def sides(names=NAMES, slower=(1, 4)):
    old = {name: noisy(100 + n, 8, seed=n) for n, name in enumerate(names)}
    new = {
        name: noisy((100 + n) * (1.2 if n in slower else 1), 8, seed=50 + n, spread=0.01)
        for n, name in enumerate(names)
    }
    return go(old), go(new)


def first_cells(text):
    """The first cells of the rows of benchmarks."""
    found = [cells(line)[0] for line in text.splitlines() if re.search(r"^\| .*codec=", line)]
    assert found
    return found


def whole(text):
    """What the folded list says of each form."""
    fold = text[text.index("<b>Whole names</b>") :]
    return dict(re.findall(r"^- `(.+)` is `(.+)`$", fold[: fold.index("</details>")], re.MULTILINE))


def test_a_comparison_in_markdown_has_short_names_and_each_of_them_whole(tmp_path):
    text = compare(tmp_path, *sides(slower=range(6))).to_markdown()
    forms = {cell.strip("`") for cell in first_cells(text)}
    assert max(map(_native.columns, forms)) <= LONGEST
    assert len(forms) == len(NAMES)
    assert {whole(text)[form] for form in forms} == set(NAMES)
    for form in forms:
        assert sum(kind[:12] in form for kind in KINDS) == 1, "the part that tells names apart stays"


def test_in_a_terminal_long_names_differ_and_take_no_value_away(tmp_path):
    found = compare(tmp_path, *sides())
    for width in (80, 100, 140):
        lines = terminal.page(found, Layout(width, every=True)).splitlines()
        start = next(place for place, line in enumerate(lines) if "95 % interval" in line)
        heads = [head for head in re.split(r"  +", lines[start].strip()) if head != "±"]
        assert heads[:4] == ["old", "new", "change", "95 % interval"]
        table = lines[start + 1 : start + 1 + len(NAMES)]
        names = {re.split(r"  +", line)[0] for line in table}
        assert len(names) == len(NAMES)
        assert max(map(_native.columns, table)) <= width
        # Each part of a form is a part of the name, by which --benchmark finds it.
        assert all(any(all(part in name for part in form.split("…")) for name in NAMES) for form in names)


def test_the_answer_has_a_form_of_a_long_name_that_no_other_has(tmp_path):
    answer = compare(tmp_path, *sides(slower=(1,))).answer.line
    assert len(answer) < len(NAMES[1])
    (form,) = re.findall(r"\S*…\S*", answer)
    assert [name for name in NAMES if all(part in name for part in form.split("…"))] == [NAMES[1]]


def test_names_that_are_short_stand_as_they_are(tmp_path):
    text = compare(tmp_path, *sides([f"case={n}" for n in range(6)])).to_markdown()
    assert "| `case=1` |" in text
    assert "Whole names" not in text


def test_a_beginning_that_is_too_short_for_a_sentence_stays():
    of = {beginning: apart([beginning + each for each in ("first", "second")], 8).said for beginning in ("ab/", "abc/")}
    assert of == {"ab/": [], "abc/": ["names leave out their common beginning “abc/”"]}


def test_a_report_in_markdown_has_short_names_and_each_of_them_whole(tmp_path):
    old, new = sides()
    _, document = of(write(tmp_path, old=old, new=new))
    text = report.report(document)
    assert {*whole(text).values()} >= {*NAMES}
    longest = max(len(shown(cell)) for cell in first_cells(text))
    assert longest <= LONGEST


def test_a_comment_on_a_result_has_short_names_and_each_of_them_whole(run, tmp_path):
    old, new = sides(slower=range(6))
    paths = write(tmp_path, old=old, new=new)
    run("compare", "--no-config", *paths, "--result", "result.json", cwd=tmp_path)
    from statera.output.forge.result import read  # noqa: PLC0415 - beside its use

    text = forge.comment_body(read(tmp_path / "result.json"), forge.About("a" * 40, ""))
    forms = {cell.strip("`") for cell in first_cells(text)}
    assert max(map(_native.columns, forms)) <= LONGEST
    assert {whole(text)[form] for form in forms} == set(NAMES)
    assert NAMES[1] not in text.splitlines()[0]
    assert any(form in text.splitlines()[0] for form in forms)


def test_forms_are_short_and_differ():
    names = ["short", "a" * 50, "a" * 49, "b/" * 40, "b/" * 39 + "c/", "c|`" * 30, "x" * 30 + "y" * 30, "ß漢" * 30]
    for most in (8, 20, 44):
        forms = shortened(names, most)
        assert all(_native.columns(form) <= most for form in forms.values())
        assert len({forms.get(name, name) for name in names}) == len(names), most


def test_a_name_is_broken_after_a_mark_unless_that_leaves_much_of_a_line_empty():
    lines = {
        "abcdef/ghij": ["abcdef/", "ghij"],
        "abcde/fghij": ["abcde/fghi", "j"],
        "漢字漢字漢字": ["漢字漢字漢", "字"],
    }
    assert {name: broken(name, 10) for name in lines} == lines
