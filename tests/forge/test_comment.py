"""statera report comment, from the command line to a forge on loopback, with every fault that the API can have."""

import json

import pytest
from loopback import TOKEN, Fault, Server
from results import HEAD, failure, result, row

from statera.output.forge.forge import Client, GitHub
from statera.support.http import Refused
from support import fails

SLOWER = result(row("Parse", "worse"), failing=1)
SAME = result(row("Parse", "equivalent", 0.0))
FASTER = result(row("Parse", "better", -0.3))
MARK = "<!-- statera comment default -->\n"


@pytest.fixture
def forge():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def comment(run, forge, tmp_path):
    """Run the command as a job of GitHub or GitLab does; give how it ended."""

    def start(document, *options, event=None, env=None):
        path = tmp_path / "result.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        stated = {"workflow_run": {"head_sha": HEAD, "head_branch": "feature", "html_url": "https://github.com/o/p/1"}}
        (tmp_path / "event.json").write_text(json.dumps(event or stated))
        environment = {
            "GITHUB_REPOSITORY": "owner/project",
            "GITHUB_API_URL": forge.url,
            "GITHUB_TOKEN": TOKEN,
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            "GITLAB_CI": "",
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            **(env or {}),
        }
        done = run("report", "comment", path, *options, env=environment)
        assert TOKEN not in done.out + done.err
        return done

    return start


def bodies(forge, number=5):
    return [each["body"] for each in forge.comments[number] if each["user"]["login"] == forge.who]


def gitlab(forge):
    """What a job of GitLab has in its environment."""
    return {
        "GITHUB_REPOSITORY": "",
        "GITHUB_STEP_SUMMARY": "",
        "GITLAB_CI": "true",
        "CI_API_V4_URL": f"{forge.url}/api/v4",
        "CI_PROJECT_ID": "7",
        "CI_COMMIT_SHA": HEAD,
        "STATERA_TOKEN": TOKEN,
    }


def test_what_changed_or_failed_is_said(comment, forge):
    forge.pull(5, HEAD)
    for said in (SLOWER, FASTER, failure()):
        forge.comments[5].clear()
        assert comment(said).code == 0
        [body] = bodies(forge)
        assert body.startswith(MARK + "### ")


def test_nothing_is_written_where_nothing_changed_unless_asked(comment, forge):
    forge.pull(5, HEAD)
    done = comment(SAME)
    assert (done.code, bodies(forge)) == (0, [])
    assert "comment not needed" in done.err
    comment(SAME, "--always")
    assert "1 benchmark unchanged" in bodies(forge)[0]


def test_a_second_push_corrects_the_one_comment(comment, forge):
    forge.pull(5, HEAD)
    comment(SLOWER)
    second = "c" * 40
    forge.pulls[0]["head"]["sha"] = second
    done = comment(SAME, event={"workflow_run": {"head_sha": second}})
    assert "comment updated" in done.err
    [body] = bodies(forge)
    assert "1 benchmark unchanged" in body
    assert "comment unchanged" in comment(SAME, event={"workflow_run": {"head_sha": second}}).err


def test_a_late_run_of_an_old_commit_says_nothing(comment, forge):
    forge.pull(5, "c" * 40)
    forge.pulls[0]["old"] = True
    done = comment(SLOWER)
    assert (done.code, bodies(forge)) == (0, [])
    assert "has a newer commit" in done.err


def test_a_commit_of_a_fork_is_found_by_its_branch(comment, forge):
    forge.pull(5, HEAD, head="stranger:feature")
    forge.commits_known = False
    owner = {"owner": {"login": "stranger"}}
    event = {"workflow_run": {"head_sha": HEAD, "head_branch": "feature", "head_repository": owner}}
    assert comment(SLOWER, event=event).code == 0
    assert len(bodies(forge)) == 1


def test_a_pull_request_of_another_repository_or_a_closed_one_is_left_alone(comment, forge):
    forge.pull(5, HEAD, repository="other/project")
    forge.pull(6, HEAD, state="closed")
    done = comment(SLOWER)
    assert "no open pull request has commit" in done.err
    assert (bodies(forge), bodies(forge, 6)) == ([], [])


def test_the_mark_of_a_stranger_is_not_taken_for_ours(comment, forge):
    forge.pull(5, HEAD)
    forge.say(5, "stranger", MARK + "mine")
    comment(SLOWER)
    assert forge.comments[5][0]["body"] == MARK + "mine"
    assert len(bodies(forge)) == 1


def test_our_comment_is_found_behind_300_others(comment, forge):
    forge.pull(5, HEAD)
    for number in range(300):
        forge.say(5, "stranger", f"comment {number}")
    forge.say(5, forge.who, MARK + "old")
    assert "comment updated" in comment(SLOWER).err
    assert len(forge.comments[5]) == 301


def test_the_token_of_a_person_or_of_an_app_finds_its_comment(comment, forge):
    forge.pull(5, HEAD)
    forge.who = forge.viewer = "bench-app[bot]"
    assert "comment written" in comment(SLOWER).err
    assert "comment updated" in comment(SAME).err
    assert len(bodies(forge)) == 1
    forge.who, forge.may_ask_who = "somebody", True
    comment(SLOWER)
    assert "comment unchanged" in comment(SLOWER).err


def test_a_token_that_may_not_write_is_no_failure(comment, forge, tmp_path):
    forge.pull(5, HEAD)
    summary = tmp_path / "summary.md"
    for status in (401, 403, 404):
        summary.write_text("")
        forge.faults = [Fault("POST", status)]
        done = comment(SLOWER)
        assert (done.code, "may not comment" in done.err) == (0, True), status
        assert "1 of 1 benchmark slower" in summary.read_text()
        assert "may not comment" in summary.read_text()
        assert TOKEN not in summary.read_text()


def test_without_a_token_the_summary_says_it(comment, tmp_path):
    done = comment(SLOWER, env={"GITHUB_TOKEN": "", "GH_TOKEN": ""})
    assert done.code == 0
    assert "no token in GITHUB" in (tmp_path / "summary.md").read_text().replace("\\", "")


def test_a_fault_that_passes_leaves_one_comment(comment, forge):
    forge.pull(5, HEAD)
    for fault in (
        Fault("GET", 500),
        Fault("GET", 409),
        Fault("GET", 429, {"Retry-After": "0"}),
        Fault("GET", 403, {"Retry-After": "0"}),
        Fault("GET", 403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "0"}),
        Fault("GET", 200, cut=True),
        Fault("GET", 200, body="<html>"),
        Fault("POST", 429, {"Retry-After": "0"}),
        Fault("POST", 500),
        Fault("POST", 500, done=True),
        Fault("POST", 201, cut=True, done=True),
    ):
        forge.comments[5].clear()
        forge.faults = [fault]
        done = comment(SLOWER)
        assert done.code == 0, (fault, done.err)
        assert len(bodies(forge)) == 1, fault
        assert not forge.faults


def test_an_edit_survives_a_fault_and_a_comment_that_another_job_removed(comment, forge):
    forge.pull(5, HEAD)
    comment(SLOWER)
    forge.faults = [Fault("PATCH", 500), Fault("PATCH", 409)]
    assert "comment updated" in comment(FASTER).err
    assert "faster" in bodies(forge)[0]
    forge.say(5, forge.who, MARK + "of another job")
    forge.faults = [Fault("DELETE", 404)]
    done = comment(SLOWER)
    assert (done.code, "comment updated" in done.err) == (0, True), done.err


def test_a_long_limit_and_a_redirection_end_the_command(comment, forge):
    forge.pull(5, HEAD)
    forge.may_ask_who = True
    for fault, told in (
        (Fault("GET", 429, {"Retry-After": "3600"}), "wait 3,600 seconds"),
        (Fault("GET", 302, {"Location": "http://localhost:1/"}), "another place"),
        # A comment that is led elsewhere is not called written.
        (Fault("POST", 302, {"Location": f"{forge.url}/user"}), "another place"),
    ):
        forge.faults = [fault]
        done = comment(SLOWER)
        assert (done.code, told in done.err, bodies(forge)) == (2, True, []), done.err


def test_an_answer_of_another_form_is_no_defect(comment, forge):
    forge.pull(5, HEAD)
    for body in ("{}", "[{}]", '[{"number": "x"}]', "[[]]"):
        forge.faults = [Fault("GET", 200, body=body)]
        assert comment(SLOWER).code in {0, 2}, body
        assert bodies(forge) == []


def test_a_merge_request_of_gitlab_gets_one_note(comment, forge):
    forge.pull(5, HEAD)
    forge.who = "project_7_bot"
    env = gitlab(forge)
    assert "comment written" in comment(SLOWER, env=env).err
    assert "comment updated" in comment(FASTER, env=env).err
    assert len(bodies(forge)) == 1
    assert "no token in STATERA_TOKEN" in comment(SLOWER, env={**env, "STATERA_TOKEN": ""}).err
    # The token that is named after it goes first.
    both = {**env, "STATERA_TOKEN": "of-a-server", "GITLAB_TOKEN": TOKEN}
    assert "comment updated" in comment(SLOWER, env=both).err


def test_an_environment_that_is_wrong_is_refused(comment):
    for name, value in (
        ("GITHUB_API_URL", "http://example.com"),
        ("GITHUB_API_URL", "file:///etc"),
        ("GITHUB_TOKEN", "two words"),
        ("GITHUB_REPOSITORY", "../x"),
        ("GITHUB_REPOSITORY", ""),
    ):
        done = comment(SLOWER, env={name: value})
        assert (done.code, "[bad-forge]" in done.err) == (2, True), (name, value, done.err)
        assert "two words" not in done.err
        # What helps here is an option of this verb.
        assert ("--dry-run" in done.err) == (value == ""), done.err


def test_a_hostile_result_changes_nothing_but_its_own_comment(comment, forge):
    forge.pull(5, HEAD)
    forge.pull(6, "d" * 40)
    forge.say(6, forge.who, MARK + "other")
    name = "--> <!-- statera comment default -->\n/close @everyone #6 !6 <img src=x onerror=a()> `|`"
    assert comment(result(row(name, "worse"))).code == 0
    assert bodies(forge, 6) == [MARK + "other"]
    [body] = bodies(forge)
    assert body.count("\n<!--") == 0
    assert not any(line.startswith("/") for line in body.splitlines())
    assert {method for method, path in forge.asked if "5" not in path and path != "/graphql"} <= {"GET"}


@pytest.mark.parametrize("where", ["GitHub", "GitLab"])
@pytest.mark.parametrize("first", ["other", "own"])
def test_two_jobs_that_comment_at_the_same_moment_leave_one_comment(comment, forge, where, first):
    forge.pull(5, HEAD)
    theirs = {}

    def meanwhile():
        # Another job looked before ours wrote, and writes now; its comment is the older or the younger one.
        theirs.update(forge.say(5, forge.who, MARK + "theirs"))
        if first == "other":
            forge.comments[5].sort(key=lambda each: each["id"] != theirs["id"])

    forge.meanwhile = meanwhile
    done = comment(SLOWER, env=gitlab(forge) if where == "GitLab" else {})
    assert done.code == 0, done.err
    [left] = forge.comments[5]
    assert (left["id"] == theirs["id"]) == (first == "other")
    assert "1 of 1 benchmark slower" in left["body"]


def test_our_note_is_found_behind_a_page_of_which_gitlab_hides_some(comment, forge):
    forge.pull(5, HEAD)
    for number in range(120):
        forge.say(5, "stranger", f"note {number}")["hidden"] = number % 2
    forge.say(5, forge.who, MARK + "old")
    assert "comment updated" in comment(SLOWER, env=gitlab(forge)).err
    assert len(bodies(forge)) == 1


def test_without_a_commit_the_command_asks_for_one_and_a_dry_run_does_without(comment):
    fails(comment(SLOWER, event={"x": 1}, env={"GITHUB_SHA": ""}), "[no-commit]")
    assert "commit ``" not in comment(SLOWER, "--dry-run").out


def test_a_limit_that_only_the_message_names_is_waited_for(forge):
    forge.pull(5, HEAD)
    waited = []
    client = Client(forge.url, {"Authorization": f"Bearer {TOKEN}"}, TOKEN, waited.append)
    said = '{"message": "You have exceeded a secondary rate limit."}'
    forge.faults = [Fault("POST", 403, body=said)]
    GitHub(client, "owner/project").comment(5, "x")
    assert (waited, len(bodies(forge))) == ([60.0], 1)
    forge.faults = [Fault("POST", 403)]
    with pytest.raises(Refused):
        GitHub(client, "owner/project").comment(5, "x")
