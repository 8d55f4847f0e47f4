"""A history in a branch: both sides get what either has, whoever pushes first, and git runs nothing of strangers."""

import hashlib
import os
import subprocess
import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from histories import commit as sha
from histories import commits, job, read, store
from projects import NOBODY, clone, commit, git, remote, results, start

from statera.history import branch, compact, place, sync
from statera.history.analysis import analyse
from statera.support.errors import Stop
from statera.support.git import GitError
from statera.support.settings.limits import Limits
from support import fails

# STATERA_ROUNDS=100 pushes longer.
ROUNDS = int(os.environ.get("STATERA_ROUNDS", "3"))
PLACE = "git:perf/history"
REFUSED = [
    ("git:", "bad-option", "write git:BRANCH, git:REMOTE:BRANCH"),
    ("git:-x", "bad-option", "write git:BRANCH"),
    ("git:a..b", "bad-option", "write git:BRANCH"),
    ("git:--upload-pack=x:b", "bad-option", "write git:BRANCH"),
    ("git:nowhere:b", "no-remote", "git remote add nowhere URL adds one"),
    ("git:b", "no-history", "there is no history, neither here nor in origin"),
    ("h", "bad-option", "is a folder, and only a history in a branch is pushed"),
]


def synced(where, monkeypatch, **limits):
    monkeypatch.chdir(where)
    return sync.sync(branch.found(PLACE), Limits(**limits))


def opened(where, monkeypatch):
    monkeypatch.chdir(where)
    return place.opened(PLACE)


def made(where, monkeypatch, *numbers):
    """Make a history with jobs, or add them."""
    monkeypatch.chdir(where)
    folder, _ = place.opened_or_made(PLACE, "p")
    for number in numbers:
        store(folder, job(number), {"X": [1.0, 2.0]})
    return folder


def files(bare):
    return git(bare, "ls-tree", "-r", "--name-only", "perf/history").splitlines()


def put(bare, monkeypatch, path, content, mode="100644"):
    """Push a file into the branch of a history, as any program can."""
    blob = git(bare, "hash-object", "-w", "--stdin", stdin=content)
    index = bare / "index-of-test"
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    git(bare, "read-tree", "perf/history")
    git(bare, "update-index", "--add", "--cacheinfo", f"{mode},{blob},{path}")
    tree = git(bare, "write-tree")
    monkeypatch.delenv("GIT_INDEX_FILE")
    index.unlink()
    parent = git(bare, "rev-parse", "perf/history")
    git(bare, "update-ref", "refs/heads/perf/history", git(bare, "commit-tree", "-p", parent, "-m", "x", tree))


def test_one_command_makes_a_history_in_a_branch_of_an_empty_repository(bare, here, run, tmp_path):
    out = results(tmp_path / "out.txt", 100)
    done = run("history", "add", out, "--push", cwd=here)
    assert done.code == 0, done.err
    assert "the history is git:statera-history, because" in done.err
    assert "a new history of" in done.err
    assert "1 upload sent" in done.err
    # Another clone reads it without a further command.
    elsewhere = clone(bare, tmp_path / "elsewhere")
    shown = run("history", "show", cwd=elsewhere)
    assert shown.code == 0, shown.err
    assert "100.0 ns" in shown.out


def test_the_work_tree_and_the_branches_of_the_user_stay_as_they_are(here, there, run, tmp_path):
    (here / "file").write_text("unsaved")
    before = [git(here, *words) for words in (("status", "--porcelain"), ("branch", "-a"), ("rev-parse", "HEAD"))]
    assert run("history", "add", results(tmp_path / "out.txt", 1), "--push", cwd=there).code == 0
    assert run("history", "sync", cwd=here).code == 0
    assert before == [
        git(here, *words) for words in (("status", "--porcelain"), ("branch", "-a"), ("rev-parse", "HEAD"))
    ]
    assert not (here / ".git/FETCH_HEAD").exists()


def test_two_clones_that_push_at_once_lose_nothing_and_store_nothing_twice(bare, here, there, tmp_path, monkeypatch):
    expected = []
    for number in range(ROUNDS):
        started = []
        for where in (here, there):
            expected.append(commit(where, f"{where.name} {number}"))
            out = results(tmp_path / f"{where.name}.txt", 100 + number)
            started.append(start(where, "add", out, "--push", "--history", PLACE))
        for process in started:
            _, said = process.communicate(timeout=120)
            assert process.returncode == 0, said
        uploads = [path for path in files(bare) if path.startswith("uploads/")]
        assert len(uploads) == len(expected)
    for where in (here, there):
        assert synced(where, monkeypatch).refused == ()
        assert commits(opened(where, monkeypatch)) == sorted(expected)
    third = clone(bare, tmp_path / "third")
    assert commits(opened(third, monkeypatch)) == sorted(expected)


def test_a_rejected_push_is_made_again_on_top_of_the_other(bare, here, there, monkeypatch):
    made(here, monkeypatch, 1)
    synced(here, monkeypatch)
    made(there, monkeypatch, 2)
    made(here, monkeypatch, 3)
    push = branch.Branch.push
    pauses = []

    def late(self, commit):
        if not pauses:
            pauses.append(0)
            # Somebody pushes between the fetch and the push.
            monkeypatch.setattr(branch.Branch, "push", push)
            synced(there, monkeypatch)
        push(self, commit)

    monkeypatch.setattr(branch.Branch, "push", late)
    monkeypatch.setattr(sync, "sleep", pauses.append)
    done = synced(here, monkeypatch)
    assert (done.tries, done.received["uploads"], done.sent["uploads"]) == (2, 1, 1)
    assert len(pauses) == 2
    assert commits(opened(here, monkeypatch)) == sorted(map(sha, (1, 2, 3)))
    assert sum(path.startswith("uploads/") for path in files(bare)) == 3


def test_a_push_that_is_rejected_five_times_ends_with_the_reason_and_loses_nothing(bare, here, monkeypatch):
    hook = bare / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho no pushes on Fridays >&2\nexit 1\n")
    hook.chmod(0o755)
    folder = made(here, monkeypatch, 1)
    pauses = []
    with monkeypatch.context() as patched:
        patched.setattr(sync, "sleep", pauses.append)
        with pytest.raises(
            Stop, match=r"(?s)rejected the push 5 times: .*no pushes on Fridays.*nothing is lost"
        ) as stop:
            synced(here, monkeypatch)
    assert stop.value.code == "push-rejected"
    assert len(pauses) == 4
    assert pauses[-1] > pauses[0]
    assert commits(folder) == [sha(1)]
    hook.unlink()
    assert synced(here, monkeypatch).sent["uploads"] == 1


def test_a_file_that_is_not_what_its_name_says_is_refused_and_named(bare, here, there, run, monkeypatch):
    made(here, monkeypatch, 1)
    synced(here, monkeypatch)
    wrong = "ab" + "0" * 62
    put(bare, monkeypatch, f"uploads/ab/{wrong}.parquet", b"anything")
    put(bare, monkeypatch, f"uploads/ab/{wrong[:-1]}1.parquet", b"/etc/passwd", mode="120000")
    text = b"[]"
    name = hashlib.sha256(text).hexdigest()
    put(bare, monkeypatch, f"events/{name[:2]}/{name}.json", text)
    done = synced(there, monkeypatch)
    assert [problem.what for problem in done.refused] == [
        "its content does not match its name",
        "it is not a file",
        "it is not an event",
    ]
    assert all(PLACE in problem.source for problem in done.refused)
    folder = opened(there, monkeypatch)
    assert commits(folder) == [sha(1)]
    assert folder.events() == []
    told = run("history", "sync", "--history", PLACE, cwd=here)
    assert told.code == 0
    assert f"refused: git:perf/history:uploads/ab/{wrong}.parquet" in told.err
    assert "nothing to receive or to send" in told.err


def test_a_file_above_the_limits_is_refused(here, there, monkeypatch):
    made(here, monkeypatch, 1)
    synced(here, monkeypatch)
    [problem] = synced(there, monkeypatch, bytes=100).refused
    assert "more than the limits allow" in problem.what


def test_the_settings_of_the_branch_win_and_its_other_files_stay(bare, here, there, monkeypatch):
    made(here, monkeypatch, 1)
    synced(here, monkeypatch)
    made(there, monkeypatch, 2)
    put(bare, monkeypatch, "history.toml", b'format = 1\nproject = "p"\nlane = []\nsamples = 7\n')
    put(bare, monkeypatch, "README.md", b"what this is")
    synced(there, monkeypatch)
    about = opened(there, monkeypatch).about
    assert (about.lane, about.samples) == ((), 7)
    assert git(bare, "show", "perf/history:README.md") == "what this is"
    assert git(bare, "rev-list", "--count", "perf/history") == "4"


def test_settings_that_do_not_fit_stop_a_sync_before_anything_changes(bare, here, monkeypatch):
    folder = made(here, monkeypatch, 1)
    synced(here, monkeypatch)
    made(here, monkeypatch, 2)
    unfit = [
        (b'format = 2\nproject = "p"\n', "bad-history", "Use a newer one"),
        (b'format = 1\nproject = "q"\n', "other-project", "is the history of q in origin, and of p on this machine"),
        (b"\xff", "bad-history", "not TOML"),
    ]
    for content, code, what in unfit:
        put(bare, monkeypatch, "history.toml", content)
        before = git(bare, "rev-parse", "perf/history")
        with pytest.raises(Stop, match=what) as stop:
            synced(here, monkeypatch)
        assert stop.value.code == code
        assert git(bare, "rev-parse", "perf/history") == before, what
        assert commits(folder) == sorted(map(sha, (1, 2))), what


def test_a_branch_with_other_files_is_never_taken_for_a_history(bare, here, run, tmp_path):
    git(here, "push", "-q", "origin", "HEAD:main")
    done = run("history", "add", results(tmp_path / "out.txt", 1), "--push", "--history", "git:main", cwd=here)
    fails(done, "exists and is not a history, because it has no history.toml. Name another branch [bad-history]")
    assert git(bare, "rev-list", "--count", "main") == "1"


def test_decisions_travel_and_nothing_to_do_makes_no_commit(bare, here, there, monkeypatch):
    folder = made(here, monkeypatch, 1)
    folder.record({"kind": "expect", "commits": [sha(1)], "text": "X +1%..+2% because"})
    assert sync.words(synced(here, monkeypatch)) == "1 upload and 1 decision sent"
    assert sync.words(synced(there, monkeypatch)) == "1 upload and 1 decision received"
    assert [event["text"] for _, event in opened(there, monkeypatch).events()] == ["X +1%..+2% because"]
    assert sync.words(synced(here, monkeypatch)) == "nothing to receive or to send"
    assert git(bare, "rev-list", "--count", "perf/history") == "1"


def test_uploads_that_were_merged_leave_the_branch_and_the_other_copies(bare, here, there, monkeypatch):
    folder = made(here, monkeypatch, 1, 2, 3)
    synced(here, monkeypatch)
    synced(there, monkeypatch)
    held = read(folder)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert len(compact.compact(folder, analyse(held, ()), Limits(), 0, now).replaced) == 3
    assert sync.words(synced(here, monkeypatch)) == (
        "1 upload and 1 list of replaced uploads sent; 3 uploads replaced by merged files"
    )
    assert sum(path.startswith("uploads/") for path in files(bare)) == 1
    # The other copy has the old uploads still, and a new one.
    made(there, monkeypatch, 4)
    synced(there, monkeypatch)
    folder = opened(there, monkeypatch)
    assert len(folder.uploads()) == 2
    assert commits(folder) == sorted(map(sha, (1, 2, 3, 4)))
    assert sum(path.startswith("uploads/") for path in files(bare)) == 2


def test_a_branch_is_that_of_the_repository_wherever_in_it_one_stands(bare, here, monkeypatch):
    (here / "deep").mkdir()
    for where, top, common in ((here / "deep", here, here / ".git"), (bare, bare, bare)):
        monkeypatch.chdir(where)
        found = branch.found(PLACE)
        assert (found._top, found.lock.resolve().is_relative_to(common)) == (top, True)


def test_what_a_killed_sync_left_is_no_obstacle(here, monkeypatch):
    made(here, monkeypatch, 1)
    synced(here, monkeypatch)
    of = branch.found(PLACE)
    for left in ("repository/shallow.lock", "repository/refs/statera/tip.lock", "index-99", ".lock"):
        (of.lock / left).write_text("")
    made(here, monkeypatch, 2)
    assert synced(here, monkeypatch).sent["uploads"] == 1
    assert not (of.lock / "index-99").exists()


def test_a_repository_that_git_cannot_write_is_told(here, monkeypatch):
    made(here, monkeypatch, 1)

    def full(_):
        raise GitError("fatal: No space left on device")

    monkeypatch.setattr(branch.Branch, "prepare", full)
    with pytest.raises(Stop, match="No space left on device") as stop:
        synced(here, monkeypatch)
    assert stop.value.code == "cannot-write"


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
    fails(done, "[remote-failed]")
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


def test_places_that_cannot_be_synced_are_refused_with_what_to_do(here, run):
    for where, code, said in REFUSED:
        fails(run("history", "sync", "--history", where, cwd=here), f"[{code}]", said)


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
