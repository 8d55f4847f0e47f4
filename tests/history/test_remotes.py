"""Where a history in a branch is reached: remotes, connections, and what of a stranger's repository never runs."""

import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from stores import NOBODY, commit, git, remote, results


def test_no_hook_and_no_program_of_the_repository_runs(here, there, run, tmp_path):
    trace = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >> {trace}\nexit 1\n')
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-push", "reference-transaction", "post-checkout", "pre-auto-gc", "post-index-change"):
        (hooks / name).symlink_to(program)
    settings = {
        "core.hooksPath": hooks,
        "remote.origin.uploadpack": program,
        "remote.origin.receivepack": program,
        "core.sshCommand": program,
        "core.gitProxy": program,
        "core.fsmonitor": program,
        "core.askPass": program,
        "credential.helper": f"!{program}",
        "gpg.program": program,
        "filter.x.clean": program,
        "filter.x.smudge": program,
        "filter.x.process": program,
        "filter.x.required": "true",
        "diff.external": program,
        "diff.x.textconv": program,
        "diff.x.command": program,
        "merge.x.driver": program,
        "core.pager": program,
        "core.editor": program,
        "log.showSignature": "true",
        "uploadpack.packObjectsHook": program,
        "alias.status": f"!{program}",
        "commit.gpgSign": "true",
        "push.gpgSign": "true",
    }
    for key, value in settings.items():
        git(here, "config", key, str(value))
    (here / ".git/info/attributes").write_text("* filter=x diff=x merge=x\n")
    # Git reads a file whose size is that of before, so that only its content tells whether it differs.
    (here / "a.c").write_text("12")
    git(here, "-c", "filter.x.process=", "-c", "filter.x.clean=", "-c", "filter.x.required=false", "add", "a.c")
    (here / "a.c").write_text("21")
    subprocess.run(["git", "status"], cwd=here, capture_output=True, check=False)
    assert trace.exists(), "these programs run, where git is used as it is"
    trace.unlink()
    assert run("history", "add", results(tmp_path / "out.txt", 1), "--push", cwd=here).code == 0
    assert run("history", "add", results(tmp_path / "out.txt", 2), "--push", cwd=there).code == 0
    assert "1 upload received" in run("history", "sync", cwd=here).err
    assert not trace.exists(), trace.read_text()


def test_a_command_for_ssh_comes_from_the_variable_of_the_user_alone(here, run, tmp_path):
    for name in ("own", "repository"):
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/{name}-ran\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    git(here, "remote", "set-url", "origin", "ssh://nowhere.invalid/x.git")
    git(here, "config", "core.sshCommand", str(tmp_path / "repository"))
    environment = {**NOBODY, "GIT_SSH_COMMAND": str(tmp_path / "own"), "GIT_SSH_VARIANT": "simple"}
    done = run("history", "sync", cwd=here, env=environment)
    assert "[remote-failed]" in done.err
    assert (tmp_path / "own-ran").exists()
    assert not (tmp_path / "repository-ran").exists()


def test_a_password_of_an_address_is_not_shown(here, run):
    git(here, "remote", "set-url", "origin", "http://me:se/cret@127.0.0.1:9/x.git")
    done = run("history", "sync", cwd=here)
    assert done.code == 2
    assert "[remote-failed]" in done.err
    assert "cret" not in done.err
    assert "127.0.0.1" in done.err


def test_the_header_by_which_ci_authenticates_is_sent_and_not_shown(here, run):
    seen = []

    class Server(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers.get_all("Authorization"))
            self.send_error(404)

        def log_message(self, *words):
            pass

    server = HTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        git(here, "remote", "set-url", "origin", f"{address}/x.git")
        git(here, "config", f"http.{address}/.extraheader", "Authorization: basic c2VjcmV0")
        done = run("history", "sync", cwd=here)
    finally:
        server.shutdown()
        server.server_close()
    assert seen
    assert seen[0] == ["basic c2VjcmV0"]
    assert "[remote-failed]" in done.err
    assert "c2VjcmV0" not in done.err


@pytest.mark.parametrize(
    ("where", "code", "said"),
    [
        ("git:", "bad-option", "write git:BRANCH, git:REMOTE:BRANCH"),
        ("git:-x", "bad-option", "write git:BRANCH"),
        ("git:a..b", "bad-option", "write git:BRANCH"),
        ("git:--upload-pack=x:b", "bad-option", "write git:BRANCH"),
        ("git:nowhere:b", "no-remote", "git remote add nowhere URL adds one"),
        ("git:b", "no-history", "there is no history, neither here nor in origin"),
        ("h", "bad-option", "is a folder, and only a history in a branch is pushed"),
    ],
)
def test_places_that_cannot_be_synced_are_refused_with_what_to_do(here, run, where, code, said):
    done = run("history", "sync", "--history", where, cwd=here)
    assert done.code == 2
    assert f"[{code}]" in done.err
    assert said in done.err


def test_a_branch_needs_a_repository(run, tmp_path):
    done = run("history", "show", "--history", "git:b", cwd=tmp_path)
    assert "the current folder is in no git repository" in done.err


def test_without_a_remote_a_history_is_kept_here_until_there_is_one(tmp_path, run, bare):
    alone = tmp_path / "alone"
    alone.mkdir()
    git(alone, "init", "-q")
    commit(alone)
    assert run("history", "add", results(tmp_path / "out.txt", 1), cwd=alone).code == 0
    assert run("history", "show", cwd=alone).code == 0
    assert "[no-remote]" in run("history", "sync", cwd=alone).err
    git(alone, "remote", "add", "origin", str(bare))
    assert "1 upload sent" in run("history", "sync", cwd=alone).err


def test_a_remote_of_another_name_has_a_copy_of_its_own(bare, here, run, tmp_path):
    other = remote(tmp_path / "other.git")
    git(here, "remote", "add", "upstream", str(other))
    out = results(tmp_path / "out.txt", 1)
    assert run("history", "add", out, "--push", "--history", "git:upstream:h", cwd=here).code == 0
    assert git(other, "ls-tree", "--name-only", "h") == "history.toml\nuploads"
    assert git(bare, "for-each-ref") == ""


def test_it_works_in_a_folder_and_in_a_further_work_tree_of_the_repository(here, run, tmp_path):
    below = here / "below"
    below.mkdir()
    assert run("history", "add", results(tmp_path / "out.txt", 1), "--push", cwd=below).code == 0
    git(here, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "topic")
    assert "nothing to receive or to send" in run("history", "sync", cwd=tmp_path / "tree").err
