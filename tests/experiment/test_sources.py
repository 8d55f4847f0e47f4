"""Revisions become trees, and nothing of a stranger's repository runs."""

import os
import subprocess
from pathlib import Path

import pytest
from repositories import commit, files, git

from statera.experiment.sources import AS_IT_IS, described, extract, left_out, resolved
from support import stopped


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    commit(folder, "v1", a_c="1")
    (folder / "inside").mkdir()
    commit(folder, "v2", a_c="2", b_c="new")
    return folder


def tree(folder, revision, to):
    extract(resolved(folder, revision), to)
    return files(to)


def test_a_revision_is_its_files_and_a_commit_is_named_in_full(repository, tmp_path):
    assert tree(repository, "v1", tmp_path / "tree") == {"a.c": "1"}
    assert tree(repository, "main", tmp_path / "tree") == {"a.c": "2", "b.c": "new"}
    found = resolved(repository, "v1")
    assert found[2:] == tuple(git(repository, "rev-parse", f"v1^{{{kind}}}") for kind in ("commit", "tree"))


def test_the_tree_as_it_is_has_changes_and_new_files_but_none_that_are_ignored(repository, tmp_path):
    (repository / ".gitignore").write_text("*.o\n")
    (repository / ".git/info/exclude").write_text("mine\n")
    (repository / "a.c").write_text("changed")
    (repository / "b.c").unlink()
    for name in ("c.c", "c.o", "mine", "ün\nï.c"):
        (repository / name).write_text(name)
    (repository / "forced.o").write_text("forced")
    git(repository, "add", "--force", "forced.o")
    found = tree(repository, AS_IT_IS, tmp_path / "tree")
    kept = {"a.c": "changed", "c.c": "c.c", "forced.o": "forced", "ün\nï.c": "ün\nï.c", ".gitignore": "*.o\n"}
    assert found == kept


def test_modes_and_links_stay(repository, tmp_path):
    (repository / "run").write_text("#!/bin/sh\n")
    (repository / "run").chmod(0o755)
    (repository / "link").symlink_to("a.c")
    extract(resolved(repository, AS_IT_IS), tmp_path / "tree")
    assert os.access(tmp_path / "tree/run", os.X_OK)
    assert (tmp_path / "tree/link").readlink() == Path("a.c")


def test_a_tree_as_it_is_without_changes_is_that_of_its_commit(repository):
    assert resolved(repository, AS_IT_IS).content == resolved(repository, "HEAD").content
    assert described(resolved(repository, AS_IT_IS)).dirty is False


def test_a_change_is_another_content_and_dirt(repository):
    before = resolved(repository, AS_IT_IS)
    (repository / "a.c").write_text("3")
    after = resolved(repository, AS_IT_IS)
    assert before.content != after.content
    assert described(after) == (git(repository, "rev-parse", "HEAD"), "v2-dirty", True)
    assert described(resolved(repository, "v1")) == (git(repository, "rev-parse", "v1"), "v1", False)


def test_nothing_is_written_to_the_repository(repository, tmp_path):
    (repository / "a.c").write_text("3")
    before = {path: path.is_file() and path.read_bytes() for path in repository.rglob("*")}
    tree(repository, AS_IT_IS, tmp_path / "tree")
    tree(repository, "v1", tmp_path / "tree")
    assert {path: path.is_file() and path.read_bytes() for path in repository.rglob("*")} == before


def test_results_of_runs_are_no_sources(repository):
    before = resolved(repository, AS_IT_IS)
    run = repository / "statera-runs/1"
    run.mkdir(parents=True)
    (run / "manifest.json").write_text('{"statera": "run/1"}')
    (run / "journal.ndjson").write_text("{}\n")
    assert resolved(repository, AS_IT_IS) == before
    for number, text in enumerate(["{}", '{"statera": "run/1"}']):
        (repository / "manifest.json").write_text(text)
        after = resolved(repository, AS_IT_IS)
        assert after != before, number
        before = after


def test_results_that_are_tracked_count_as_they_were_added(repository, tmp_path):
    run = repository / "results"
    run.mkdir()
    manifest = run / "manifest.json"
    manifest.write_text('{"statera": "run/1"}')
    (run / "journal.ndjson").write_text("{}\n")
    commit(repository, "v3")
    before = resolved(repository, AS_IT_IS)
    assert described(before).dirty is False
    (run / "journal.ndjson").unlink()
    assert resolved(repository, AS_IT_IS) == before
    manifest.unlink()
    assert resolved(repository, AS_IT_IS) == before
    manifest.write_text('{"statera": "run/1", "id": "another"}')
    (run / "new").write_text("")
    assert resolved(repository, AS_IT_IS) == before
    assert "results/journal.ndjson" in tree(repository, AS_IT_IS, tmp_path / "tree")


def test_files_in_conflict_count_as_they_are(repository, tmp_path):
    git(repository, "checkout", "--quiet", "-b", "other", "v1")
    commit(repository, "v1b", a_c="other")
    with pytest.raises(AssertionError):
        git(repository, "merge", "--quiet", "main")
    (repository / "a.c").write_text("half")
    assert tree(repository, AS_IT_IS, tmp_path / "tree")["a.c"] == "half"


def test_files_that_change_after_the_plan_are_refused(repository, tmp_path):
    planned = resolved(repository, AS_IT_IS)
    (repository / "a.c").write_text("3")
    message = stopped(extract, planned, tmp_path / "tree")
    assert "a.c has changed since the experiment was planned" in message
    assert not (tmp_path / "tree").exists()
    assert not list(tmp_path.glob(".partial-*"))


def test_a_repository_without_a_commit_has_a_tree_as_it_is(tmp_path):
    git(tmp_path, "init", "--quiet", "new")
    (tmp_path / "new/a.c").write_text("1")
    assert tree(tmp_path / "new", AS_IT_IS, tmp_path / "tree") == {"a.c": "1"}
    assert described(resolved(tmp_path / "new", AS_IT_IS)).dirty
    assert "there is no revision 'HEAD'; nothing is committed yet" in stopped(resolved, tmp_path / "new", "HEAD")


def test_what_is_no_repository_or_no_commit(repository, tmp_path):
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "bare")
    assert "is in no git repository. Name one with git in" in stopped(resolved, tmp_path, AS_IT_IS)
    assert "there is no such folder" in stopped(resolved, tmp_path / "gone", AS_IT_IS)
    assert "is a bare repository. Name a clone that has files" in stopped(resolved, tmp_path / "bare", "v1")
    for revision in ("gone", "-rf", "--all", "v1..v2", "v1^{tree}", "$(touch x)", "v1:a.c", ""):
        assert "there is no revision" in stopped(resolved, repository, revision), revision
    assert not (repository / "x").exists()


def test_a_shallow_clone_says_so(repository, tmp_path):
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{repository}", "shallow")
    message = stopped(resolved, tmp_path / "shallow", "v1")
    assert "this clone is shallow: git fetch --unshallow gets the rest" in message
    assert tree(tmp_path / "shallow", "main", tmp_path / "tree") == {"a.c": "2", "b.c": "new"}


def test_without_git(repository, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in stopped(resolved, repository, "v1")


def test_variables_of_a_hook_lead_nowhere_else(repository, monkeypatch, tmp_path):
    git(tmp_path, "init", "--quiet", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other/index"))
    assert tree(repository, "v1", tmp_path / "tree") == {"a.c": "1"}


def test_no_program_of_the_repository_runs(repository, tmp_path):
    ran = tmp_path / "ran"
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {ran}\nexec cat\n")
    evil.chmod(0o755)
    (repository / ".gitattributes").write_text("* filter=evil\n")
    for hook in ("post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction"):
        (repository / ".git/hooks" / hook).write_text(evil.read_text())
        (repository / ".git/hooks" / hook).chmod(0o755)
    for name in ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.fsmonitor", "core.pager"):
        git(repository, "config", name, str(evil))
    (repository / "a.c").write_text("3")
    subprocess.run(["git", "status"], cwd=repository, capture_output=True, check=False)
    assert ran.exists(), "these programs run, where git is used as it is"
    ran.unlink()
    assert tree(repository, AS_IT_IS, tmp_path / "now")["a.c"] == "3"
    assert tree(repository, "v1", tmp_path / "then") == {"a.c": "1"}
    assert not ran.exists()


def test_folders_of_hostile_names(tmp_path):
    folder = tmp_path / 'a:b "c"\\ \n{x}'
    commit(folder, "v1", a_c="1")
    assert tree(folder, "v1", tmp_path / "tree") == {"a.c": "1"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_user_says_how_to_trust_it(repository):
    os.chown(repository, 54321, 54321)
    os.chown(repository / ".git", 54321, 54321)
    message = stopped(resolved, repository, "v1")
    assert "git refuses this repository: " in message
    assert "safe.directory" in message


def test_a_linked_work_tree_is_a_repository(repository, tmp_path):
    git(repository, "worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"), "v1")
    (tmp_path / "linked/c.c").write_text("3")
    assert tree(tmp_path / "linked", AS_IT_IS, tmp_path / "tree") == {"a.c": "1", "c.c": "3"}


@pytest.fixture
def nested(tmp_path):
    """A repository with a submodule, and one within that."""
    inner, middle, outer = (tmp_path / name for name in ("inner", "middle", "outer"))
    commit(inner, "i1", i_c="inner")
    commit(middle, "m1", m_c="1")
    commit(outer, "o1", o_c="outer")
    for top, module, name in ((middle, inner, "deep"), (outer, middle, "lib")):
        git(top, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", str(module), name)
        commit(top, "with")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "update", "--quiet", "--init", "--recursive")
    return outer


def test_submodules_are_checked_out_as_a_revision_has_them(nested, tmp_path):
    commit(nested / "lib", "m2", m_c="2")
    for revision, number in (("with", "1"), (AS_IT_IS, "2")):
        found = tree(nested, revision, tmp_path / "tree")
        del found[".gitmodules"]
        assert found.pop("lib/.gitmodules").startswith("[submodule")
        assert found == {"o.c": "outer", "lib/m.c": number, "lib/deep/i.c": "inner"}
        assert left_out(resolved(nested, revision)) == []


def test_what_is_missing_of_a_submodule_is_named(nested, tmp_path):
    (nested / "lib/m.c").write_text("changed")
    [said] = left_out(resolved(nested, AS_IT_IS))
    assert "the submodule lib is built as of its commit" in said
    assert "left out (m.c)" in said
    git(nested, "submodule", "deinit", "--quiet", "--force", "lib")
    for revision in ("with", AS_IT_IS):
        found = resolved(nested, revision)
        [said] = left_out(found)
        assert "git submodule update --init lib gets it" in said
        extract(found, tmp_path / "tree")
        assert set(files(tmp_path / "tree")) == {".gitmodules", "o.c"}


def test_the_files_that_have_changed_since_the_plan_are_named(repository, tmp_path):
    found = resolved(repository, AS_IT_IS)
    (repository / "log").write_text("a line")
    (repository / "a.c").write_text("3")
    assert "a.c, log have changed since the experiment was planned" in stopped(extract, found, tmp_path / "tree")
    # Another process planned it: what changed last is named.
    os.utime(repository / "a.c", (1, 1))
    assert "log has changed since" in stopped(extract, found._replace(content="0" * 40), tmp_path / "tree")
