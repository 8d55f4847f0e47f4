"""``statera formats``: what the descriptions of the readers say, and nothing else."""

from statera import _native
from statera.cli import main
from support import ROOT
from support import cells as cells_of

FORMATS = _native.formats()


def test_every_format_is_listed(run):
    result = run("formats")
    assert result.code == 0
    *lines, hint = result.out.splitlines()
    assert [line.split()[0] for line in lines] == [each.name for each in FORMATS]
    # Each column is as wide as the longest word of it.
    name, harness = (max(len(getattr(each, of)) for each in FORMATS) for of in ("name", "harness"))
    assert {line[name : name + 2] + line[name + 2 + harness :][:2] for line in lines} == {" " * 4}
    assert " " not in {line[name + 4 + harness] for line in lines}
    assert hint.endswith("statera formats NAME")


def test_a_format_is_described_completely(capsys):
    lines = [line for page in (ROOT / "docs/formats").glob("*.md") for line in page.read_text().splitlines()]
    stated = {cells[0].strip("`"): cells[1:] for cells in map(cells_of, lines) if len(cells) == 5}
    for each in FORMATS:
        assert main(["formats", each.name]) == 0
        text = capsys.readouterr().out
        said = [each.sign, each.written_by, *each.meanings, *each.meanings.values(), *each.files]
        said += [word for key in each.keys for word in (key.name, key.role, key.meaning)]
        said += [word for companion in each.companions for word in companion]
        assert all(word in text for word in said), each.name
        assert each.refused is None or each.export in text
        facts = zip(("a value is", "processes", "blocks", "states"), stated.get(each.name, ()), strict=False)
        assert all(f"  {name + ':':18} {fact}\n" in text for name, fact in facts), each.name
        assert (each.name in stated) == each.has_results


def test_a_name_that_does_not_exist_is_2(run):
    result = run("formats", "hyperfin")
    assert (result.code, result.out) == (2, "")
    assert "did you mean hyperfine" in result.err


def test_names_of_formats_are_completed(run):
    script = run("completion", "bash").out
    lines = [line for line in script.splitlines() if "hyperfine" in line]
    assert any("compare" in line for line in lines)
    assert any("formats" in line for line in lines)
