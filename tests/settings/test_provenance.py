"""Where the settings come from: every output says it, and no file counts that others could have put there."""

import json
import os

import pytest

import statera
from statera.output.views import Layout
from statera.output.views.terminal import page
from statera.support.settings import Policy
from statera.support.settings.file import Found, Settings, differences, find_file, settings_lines
from support import every, go, noisy, write

WORDS = "alpha 0.01 (default 0.05), margin sec/op = 0.05 (default none)"


@pytest.fixture
def repository(tmp_path):
    """A repository with settings at its root, and a folder below to work in."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "statera.toml").write_text('alpha = 0.01\n[margin]\n"sec/op" = "5%"\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    return below


@pytest.fixture
def paths(tmp_path):
    return write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(103, seed=2)}))


def said(repository):
    return f"file {repository.parents[1] / 'statera.toml'}; {WORDS}"


@pytest.mark.parametrize("verb", ["compare", "inspect"])
@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_a_text_names_the_file_and_what_differs(run, repository, paths, verb, form):
    words = ["--method"] if (verb, form) == ("compare", "terminal") else []
    result = run(verb, *paths, "-f", form, *words, cwd=repository)
    shown = result.out.replace("\\", "")
    assert f"Settings: {said(repository)}." in shown
    assert "settings" not in result.err


@pytest.mark.parametrize("verb", ["compare", "inspect"])
def test_json_holds_the_file_and_what_differs(run, repository, paths, verb):
    settings = json.loads(run(verb, *paths, "-f", "json", cwd=repository).out)["settings"]
    assert settings["file"] == str(repository.parents[1] / "statera.toml")
    assert settings["changed"] == [
        {"name": "alpha", "value": 0.01, "default": 0.05},
        {"name": "margins", "value": [{"metrics": "sec/op", "margin": 0.05}], "default": []},
    ]


@pytest.mark.parametrize("verb", ["compare", "inspect"])
def test_what_has_no_place_in_a_table_is_said_on_standard_error(run, repository, paths, verb):
    result = run(verb, *paths, "-f", "csv", cwd=repository)
    assert f"statera: settings: {said(repository)}\n" in result.err
    assert "Settings" not in result.out


def test_a_picture_is_told_of_on_standard_error(run, repository, paths):
    result = run("plot", "strip", *paths, "-o", "x.json", cwd=repository)
    assert f"statera: settings: {said(repository)}\n" in result.err


@pytest.mark.parametrize("how", [(), ("--inspect",)])
def test_a_report_names_them_in_its_method_and_reproduction(run, repository, paths, how):
    assert run("report", *paths, *how, "-o", "r.md", cwd=repository).code == 0
    count = (repository / "r.md").read_text().replace("\\", "").count(f"Settings: {said(repository)}.")
    assert count == (1 if how else 2)


def test_options_are_named_as_well_and_defaults_are_not(run, paths):
    assert "Settings: seed 7 (default 20260101)." in run("compare", *paths, "--seed", "7", "--method").out
    assert "Settings:" not in run("compare", *paths, "--method").out
    assert json.loads(run("compare", *paths, "-f", "json").out)["settings"] == {"file": None, "changed": []}


def test_a_file_that_changes_nothing_is_named_all_the_same(run, tmp_path, paths):
    (tmp_path / "statera.toml").write_text("alpha = 0.05\n")
    result = run("compare", *paths, "--method")
    assert "Settings: file statera.toml; every setting is at its default." in result.out


def test_the_library_looks_for_no_file_and_says_what_its_policy_changes(monkeypatch, repository, paths):
    monkeypatch.chdir(repository)
    found = statera.compare(*paths, policy=Policy(correction="holm"))
    assert found.settings == Settings(Policy(correction="holm"))
    assert "Settings: correction holm (default auto)." in page(found, Layout(method=True))
    assert "Settings: correction holm (default auto)." in found.to_markdown()
    assert "Settings: correction holm (default auto)." in found._repr_html_()
    assert "Settings: correction holm (default auto)." in statera.inspect(paths[0], policy=found.policy)._repr_html_()


def test_every_field_of_a_policy_can_differ():
    other = Policy(*[{str: "x", bool: True, int: 1, float: 0.5, tuple: (("a", 1),)}[type(value)] for value in Policy()])
    assert [each.name for each in differences(other)] == list(Policy._fields)
    assert settings_lines(Settings()) == []


@pytest.mark.parametrize("mark", [".git", ".hg", ".jj"])
def test_the_search_ends_at_the_root_of_the_repository(tmp_path, mark):
    inner = tmp_path / "inner" / "deeper"
    inner.mkdir(parents=True)
    (tmp_path / "statera.toml").write_text("")
    (tmp_path / "inner" / mark).write_text("gitdir: elsewhere\n")
    (tmp_path / ".git").mkdir()
    assert find_file(str(inner)) == Found(None, ())
    (tmp_path / "inner" / "statera.toml").write_text("")
    assert find_file(str(inner)).path == str(tmp_path / "inner" / "statera.toml")


def test_the_search_ends_at_the_home_folder(tmp_path, monkeypatch):
    home = tmp_path / "home"
    (home / "work").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    (tmp_path / "statera.toml").write_text("")
    assert find_file(str(home / "work")).path is None
    (home / "statera.toml").write_text("")
    assert find_file(str(home / "work")).path == str(home / "statera.toml")


def test_outside_of_both_only_the_current_folder_counts(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "statera.toml").write_text("")
    assert find_file(str(inner)).path is None
    assert find_file(str(tmp_path)).path == str(tmp_path / "statera.toml")


def another_users(path, monkeypatch):
    if os.geteuid() == 0:
        os.chown(path, 4242, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 4242)


@pytest.mark.parametrize("name", ["statera.toml", "pyproject.toml"])
def test_a_file_of_another_user_is_refused(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.write_text("[tool.statera]\n")
    another_users(path, monkeypatch)
    found = find_file(str(tmp_path))
    assert found.path is None
    ((refused, why),) = found.refused
    assert refused == str(path)
    assert "it belongs to another user (uid " in why


def test_a_pyproject_of_another_user_that_says_nothing_of_statera_is_passed_over(tmp_path, monkeypatch):
    path = tmp_path / "pyproject.toml"
    path.write_text("[project]\n")
    another_users(path, monkeypatch)
    assert find_file(str(tmp_path)) == Found(None, ())


def test_a_file_that_every_user_may_write_is_refused_and_said(run, tmp_path, paths):
    path = tmp_path / "statera.toml"
    path.write_text("alpha = 0.01\n")
    path.chmod(0o666)
    result = run("compare", *paths, "--method")
    assert result.code == 0
    assert f"statera: {path} is not used: every user may write it; --config {path} uses it" in result.err
    assert "[settings-refused]" in result.err
    assert "Settings:" not in result.out
    assert "Settings: file statera.toml; alpha 0.01" in run("compare", *paths, "--config", path, "--method").out


@every(
    ("text", "counts"),
    [
        ("[tool.statera]\n", True),
        ("[tool]\nstatera.alpha = 0.01\n", True),
        ("tool.statera.alpha = 0.01\n", True),
        ('[ "tool" ]\n"statera" = {}\n', True),
        ("tool = { x = [\n1], statera = {}}\n", True),
        ("# [tool.statera]\n", False),
        ("[tool.statera-plugins]\nx = 1\n", False),
        ('[project]\ndependencies = ["statera"]\n', False),
        ("tool = 1 # statera\n", False),
        # What cannot be parsed may hold settings: it is named where it is loaded, and never passed over.
        ("[tool.statera\n", True),
    ],
)
def test_a_pyproject_counts_only_with_a_table_for_statera(tmp_path, text, counts):
    (tmp_path / "pyproject.toml").write_text(text)
    assert (find_file(str(tmp_path)).path is not None) == counts


def test_settings_have_the_names_that_users_write():
    policy = Policy(
        mean=True, noise=(("*", 0.01),), margins=(("a", 0.1), ("b", "noise")), directions=(("c", "higher"),)
    )
    words = (
        "margin a = 0.1; b = noise (default none), noise * = 0.01 (default none), better c = higher (default none), "
        "mean True (default False)"
    )
    assert settings_lines(Settings(policy)) == [f"Settings: {words}."]
    assert settings_lines(Settings(policy, "a\x1bb")) == ["Settings: file a\\u{1b}b; " + words + "."]
    assert settings_lines(Settings(Policy(), "x")) == ["Settings: file x; every setting is at its default."]
