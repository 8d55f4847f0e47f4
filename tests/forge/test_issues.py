"""statera history issues: one issue for each alert, on GitHub and GitLab, closed when the level returns."""

import histories
import pytest
from loopback import TOKEN, Fault, Server
from results import HEAD

from statera.history import place
from support import fails, noisy
from within import running

HOSTILE = "Parse @everyone #1 !1 <b> `|`"


@pytest.fixture
def forge():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def run(tmp_path, capfd, monkeypatch):
    return running(capfd, monkeypatch, tmp_path)


@pytest.fixture(params=["GitHub", "GitLab"])
def issues(run, forge, tmp_path, request):
    """Run the command on a history; give how it ended."""
    github = {"GITHUB_REPOSITORY": "owner/project", "GITHUB_API_URL": forge.url, "GITHUB_TOKEN": TOKEN}
    gitlab = {"GITHUB_REPOSITORY": "", "GITLAB_CI": "true", "CI_API_V4_URL": f"{forge.url}/api/v4"}
    gitlab |= {"CI_PROJECT_ID": "7", "CI_COMMIT_SHA": HEAD, "STATERA_TOKEN": TOKEN}
    chosen = github if request.param == "GitHub" else gitlab
    env = {"GITHUB_SHA": HEAD, "GITHUB_EVENT_PATH": "", "no_proxy": "127.0.0.1", **chosen}

    def start(*options):
        done = run("history", "issues", "--history", tmp_path / "h", *options, env=env)
        assert TOKEN not in done.out + done.err
        return done

    return start


def history(path, *levels):
    """A history of a hostile name with forty values around each level."""
    values = [value for number, level in enumerate(levels) for value in noisy(level, 40, seed=number, spread=0.01)]
    histories.history(path, {HOSTILE: values})


def more(path, values, *, at, name=HOSTILE):
    """Measure further commits of a history, from this number on."""
    opened = place.opened(str(path))
    for number, value in enumerate(values, at):
        histories.add(opened, number, {name: [value]})


def test_a_new_alert_opens_one_issue_which_is_linked(issues, forge, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    done = issues()
    assert done.code == 0, done.err
    assert [each["state"] for each in forge.issues] in (["open"], ["opened"])
    issue = forge.issues[0]
    assert HOSTILE not in issue["title"]
    text = issue.get("description") or issue["body"]
    assert text.startswith("<!-- statera alert ")
    assert "/issues/1" in done.err
    assert issues().err == ""
    assert len(forge.issues) == 1


def test_the_issue_is_found_again_although_the_link_was_lost(issues, forge, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    issues()
    for event in (tmp_path / "h/events").rglob("*.json"):
        event.unlink()
    issues()
    assert len(forge.issues) == 1


def test_the_issue_is_closed_when_the_level_returns(issues, forge, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    issues()
    more(tmp_path / "h", noisy(1, 40, seed=5, spread=0.01), at=80)
    done = issues()
    assert "closed" in done.err
    assert [each["state"] for each in forge.issues] == ["closed"]
    assert "The level returned" in forge.comments[1][0]["body"]
    assert issues().err == ""


@pytest.mark.parametrize("levels", [(1, 1.3, 1), (1, 0.7)], ids=["returned", "better"])
def test_what_got_better_or_has_returned_opens_none(issues, forge, tmp_path, levels):
    history(tmp_path / "h", *levels)
    assert issues().code == 0
    assert forge.issues == []


def test_a_token_that_may_not_open_issues_is_no_failure(issues, forge, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    forge.faults = [Fault("POST", 403)]
    done = issues()
    assert (done.code, "may not write issues" in done.err) == (0, True)


def test_nobody_knows_whether_an_issue_was_opened_and_the_next_time_finds_it(issues, forge, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    forge.faults = [Fault("POST", 500, done=True)]
    assert issues().code == 2
    assert issues().code == 0
    assert len(forge.issues) == 1


def test_an_issue_is_found_by_its_link_after_a_renaming_changed_the_alert(issues, forge, run, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    issues()
    more(tmp_path / "h", noisy(1.3, 3, seed=9, spread=0.01), at=80, name="other")
    mark = (forge.issues[0].get("description") or forge.issues[0]["body"]).splitlines()[0]
    done = run("history", "rename", "other", HOSTILE, "--history", tmp_path / "h")
    assert done.code == 0, done.err
    assert run("history", "points", "--history", tmp_path / "h").out.split("\n")[1].split()[0] not in mark
    assert issues().err == ""
    assert len(forge.issues) == 1
    more(tmp_path / "h", noisy(1, 40, seed=5, spread=0.01), at=83)
    assert "closed" in issues().err


def test_an_issue_that_is_closed_without_an_answer_is_no_defect(issues, forge, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    issues()
    more(tmp_path / "h", noisy(1, 40, seed=5, spread=0.01), at=80)
    forge.faults = [Fault("POST", 500, done=True)]
    fails(issues(), "[forge-failed]")
    assert issues().code == 0
    assert len(forge.comments[1]) == 1


def test_issues_need_no_commit(run, forge, tmp_path):
    history(tmp_path / "h", 1, 1.3)
    env = {"GITHUB_REPOSITORY": "owner/project", "GITHUB_API_URL": forge.url, "GITHUB_TOKEN": TOKEN}
    env |= {"GITHUB_SHA": "", "GITHUB_EVENT_PATH": "", "no_proxy": "127.0.0.1"}
    done = run("history", "issues", "--history", tmp_path / "h", env=env)
    assert (done.code, len(forge.issues)) == (0, 1), done.err


def test_without_a_forge_no_option_of_another_verb_is_advised(run, tmp_path):
    done = run("history", "issues", "--history", tmp_path / "h")
    fails(done, "GITHUB_TOKEN", "[bad-forge]")
    assert "--" not in done.err
