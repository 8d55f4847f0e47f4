"""A series whose unit changed is refused where it is added, unless somebody accepts it."""

import pytest
from making import add, folder, job, measured
from stores import NOBODY, commit, git, read

from statera.history import upload
from statera.history.catalog import renaming
from statera.history.folder import open_folder
from statera.support.errors import Stop
from statera.support.settings import Limits
from support import go

CYCLES = ("time", "cycles", "count", "lower", False)


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "project"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    commit(path)
    return path


def added(run, where, unit, *words, name="X"):
    out = where / "out.txt"
    out.write_text(go({name: {unit: [3.0, 4.0]}}, config={"cpu": "Test"}))
    commit(where)
    return run("history", "add", out, "--history", where.parent / "h", "--project", "p", *words, cwd=where, env=NOBODY)


def test_another_unit_is_refused_with_what_to_do_and_accepted_on_request(run, project, tmp_path):
    assert added(run, project, "things").code == 0
    table = tmp_path / "t.csv"
    rows = ["benchmark,metric,unit,value\n", *["X,things,other,3\n"] * 3]
    table.write_text("".join(rows))
    words = ("history", "add", table, "--history", tmp_path / "h", "--project", "p", "--environment", "cpu=Test")
    commit(project)
    refused = run(*words, cwd=project, env=NOBODY)
    assert refused.code == 2
    assert "[other-unit]" in refused.err
    assert "--new-unit" in refused.err
    assert len(open_folder(tmp_path / "h").uploads()) == 1
    assert run(*words, "--new-unit", cwd=project, env=NOBODY).code == 0
    # Both are known now.
    commit(project)
    assert run(*words, cwd=project, env=NOBODY).code == 0
    assert added(run, project, "things").code == 0


def test_the_same_unit_with_another_prefix_is_the_same(run, project):
    assert added(run, project, "ns/op").code == 0
    assert added(run, project, "ms/op").code == 0


@pytest.mark.parametrize(("name", "refused"), [("old", True), ("new", True), ("other", False)])
def test_renamed_benchmarks_keep_their_units_and_new_ones_have_any(tmp_path, name, refused):
    made = folder(tmp_path / "h")
    add(made, 0, {"old": [1.0]})
    made.record({**renaming(read(made), "old", "new"), "who": ""})
    values = measured({name: [1.0]}, CYCLES)
    if not refused:
        assert upload.store(made, values, ["{}"], job(1), Limits()).new
        return
    with pytest.raises(Stop, match=r"unit cycles, and the history s:"):
        upload.store(made, values, ["{}"], job(1), Limits())


def test_other_factors_have_units_of_their_own(tmp_path):
    made = folder(tmp_path / "h")
    add(made, 0, {"a": [1.0]})
    assert upload.store(made, measured({"a": [1.0]}, CYCLES), ['{"size": "1"}'], job(1), Limits()).new


def test_all_changed_series_are_counted(tmp_path):
    made = folder(tmp_path / "h")
    add(made, 0, {"a": [1.0], "b": [1.0]})
    with pytest.raises(Stop, match="2 series in all"):
        upload.store(made, measured({"a": [1.0], "b": [1.0]}, CYCLES), ["{}"], job(1), Limits())
