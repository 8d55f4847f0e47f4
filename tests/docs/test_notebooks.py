"""Every notebook runs from its first cell to its last, and what it shows can be shown."""

import ast
import contextlib
import io
import json

import pytest

from statera.output.plots.picture import Picture
from support import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
KINDS = {
    "compare": {"forest", "ridgeline"},
    "factorial-and-paired": {"ridgeline", "forest", "pairs", "shift"},
    "suite": {"suite", "scatter"},
    "inspect": {"atlas", "trace"},
}


def cells(path):
    return json.loads(path.read_text())["cells"]


def executed(path, monkeypatch):
    """Run the cells as Jupyter does, in the notebook's folder; give what each shows, printed or as its last value."""
    monkeypatch.chdir(path.parent)
    names = {"__name__": "__main__"}
    for cell in cells(path):
        if cell["cell_type"] != "code":
            continue
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(ast.Module(body, []), cell["id"], "exec"), names)  # noqa: S102 - a notebook is code
            value = last and eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)  # noqa: S307
        yield printed.getvalue(), value


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=[pytest.mark.later] * (path.stem != "compare")) for path in NOTEBOOKS],
)
def test_it_runs_and_its_objects_show_themselves(path, monkeypatch):
    drawn, tables = set(), 0
    for printed, value in executed(path, monkeypatch):
        assert "Traceback" not in printed
        if isinstance(value, Picture):
            bundle = value._repr_mimebundle_()
            assert bundle["image/svg+xml"].startswith("<svg")
            assert bundle["application/vnd.vegalite.v6+json"]["description"] == value.alt
            drawn.add(value.kind)
        elif hasattr(value, "_repr_html_"):
            html = value._repr_html_()
            assert html.startswith('<div class="statera"><style>')
            assert '</style><p class="answer"><strong>' in html
            tables += html.count("<table>")
    assert drawn == KINDS[path.stem]
    assert tables


def test_they_are_kept_without_outputs_and_stand_in_the_index():
    for path in NOTEBOOKS:
        document = json.loads(path.read_text())
        assert (document["nbformat"], document["nbformat_minor"]) == (4, 5), path
        identities = [cell["id"] for cell in document["cells"]]
        assert len(set(identities)) == len(identities), path
        run = [cell for cell in document["cells"] if "outputs" in cell]
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in run), path
        assert path.stat().st_size < 20_000, path
        assert f"notebooks/{path.name}" in (ROOT / "docs/index.md").read_text(), path


def test_there_is_one_for_each_way_to_work():
    assert {path.stem for path in NOTEBOOKS} == set(KINDS)
