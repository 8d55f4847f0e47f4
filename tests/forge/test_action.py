"""Every step of action.yml in a clone, from the merge base to the comment on a forge on loopback."""

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from action import ACTION, Runner
from loopback import TOKEN, Server

from support import ROOT, noisy

EXPERIMENT = """
rounds = 10
[factors]
rev = ["main", "."]
[source]
revision = "{rev}"
[build]
command = ["sh", "build.sh"]
[[benchmark]]
name = "lines"
command = ["sed", "-n", "{round}p", "{source}/results.txt"]
format = "go"
"""


def git(folder, *words):
    identity = ["-c", "user.name=n", "-c", "user.email=a@b"]
    return subprocess.run(
        ["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


def commit(folder, centre, seed, build="true"):
    """Commit a program whose time is known; give the commit's name."""
    values = noisy(centre, 10, seed=seed)
    (folder / "results.txt").write_text("".join(f"BenchmarkParse 100 {value} ns/op\n" for value in values))
    (folder / "build.sh").write_text(f'echo x > "$build/x"; {build}\n')
    git(folder, "add", ".")
    git(folder, "commit", "-qm", f"{centre} {seed}")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main", ".")
    (folder / "experiment.toml").write_text(
        EXPERIMENT.replace('"build.sh"]', '"build.sh"]\nenv = { build = "{build}" }')
    )
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel whose program is the one under test: building it anew would take minutes."""
    path = tmp_path_factory.mktemp("wheel") / "stand_in-1-py3-none-any.whl"
    program = Path(sys.executable).parent / "statera"
    about = "stand_in-1.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(
            f"{about}/METADATA", "Metadata-Version: 2.1\nName: stand-in\nVersion: 1\nProvides-Extra: report\n"
        )
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        script = zipfile.ZipInfo("stand_in-1.data/scripts/statera")
        script.external_attr = 0o100755 << 16
        file.writestr(script, f'#!/bin/sh\nexec {program} "$@"\n')
        file.writestr(f"{about}/RECORD", "")
    return str(path)


@pytest.fixture
def env(tmp_path):
    return {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}


def compared(clone, tmp_path, env, base, head, **inputs):
    """Run the mode compare for a pull request; give the steps by name, and the runner."""
    event = {"pull_request": {"base": {"sha": base}, "head": {"sha": head}}}
    runner = Runner(clone, tmp_path / "compare", event=event, env=env)
    done = runner.run({"mode": "compare", **inputs}, leave_out=() if "statera" in inputs else ("Install statera",))
    return {each.name: each for each in done}, runner


def pull_request(clone, centre, build="true"):
    """Make a branch beside a main that went on; give main's last commit, the merge base and the head."""
    base = commit(clone, 100, 1)
    git(clone, "checkout", "-q", "-b", "feature")
    head = commit(clone, centre, 2, build)
    git(clone, "checkout", "-q", "main")
    later = commit(clone, 500, 3)
    return later, base, head


def _github(forge, tmp_path, env, head):
    """Make a pull request with a last commit; give the variables of the workflow that comments on its run."""
    forge.pull(5, head)
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"workflow_run": {"head_sha": head}}))
    return {
        **env,
        "GITHUB_REPOSITORY": "owner/project",
        "GITHUB_API_URL": forge.url,
        "GITHUB_EVENT_PATH": str(event),
        "no_proxy": "127.0.0.1",
    }


CASES = {
    "regression": (130, "true", 1, "1 of 1 benchmark slower"),
    "improvement": (70, "true", 0, "1 of 1 benchmark faster"),
    "nothing": (100, "true", 0, "1 benchmark unchanged"),
    "failed build": (100, "exit 3", 2, "A build failed"),
}


@pytest.mark.parametrize(
    "case",
    [
        "regression",
        "failed build",
        *(pytest.param(each, marks=pytest.mark.later) for each in ("improvement", "nothing")),
    ],
)
def test_a_pull_request_from_its_comparison_to_its_comment(clone, tmp_path, env, case):
    centre, build, code, said = CASES[case]
    later, base, head = pull_request(clone, centre, build)
    steps, runner = compared(clone, tmp_path, env, later, head)
    assert steps["Compare"].code == 0, steps["Compare"].said
    assert steps["Gate"].code == code, steps["Compare"].said
    assert said in runner.summary.read_text()
    # What came later to main is not compared.
    written = json.loads((tmp_path / "compare/statera-result/result.json").read_text())
    assert [each["commit"] for each in written["revisions"]] == [base, head]
    assert "upload-artifact" in steps["Keep the result"].said
    forge = Server()
    api = _github(forge, tmp_path, env, head)
    # What the steps upload and download.
    second = Runner(tmp_path, tmp_path / "comment", env=api)
    (tmp_path / "compare/statera-result").rename(tmp_path / "comment/statera-comment")
    done = second.run({"mode": "comment", "token": TOKEN}, leave_out=("Install statera",))
    forge.close()
    assert done[-1].name == "Comment"
    assert done[-1].code == 0, done[-1].said
    bodies = [each["body"] for each in forge.comments[5]]
    assert [said in body for body in bodies] == ([] if case == "nothing" else [True])
    assert TOKEN not in done[-1].said


@pytest.mark.later
def test_statera_is_installed_by_pip_and_found_by_the_next_steps(clone, tmp_path, env, wheel):
    later, _, head = pull_request(clone, 130)
    without = ":".join(each for each in os.environ["PATH"].split(":") if not (Path(each) / "statera").exists())
    bare = {**env, "PATH": without, "PIP_NO_INDEX": "1"}
    steps, runner = compared(clone, tmp_path, bare, later, head, statera=wheel)
    assert steps["Install statera"].code == 0, steps["Install statera"].said
    assert runner._path.startswith(str(tmp_path / "compare/statera-venv/bin"))
    assert steps["Compare"].code == 0, steps["Compare"].said
    assert steps["Gate"].code == 1


def _refusing_pip(tmp_path, env):
    """Put a program before Python that makes environments in which pip says what it is asked for, and fails."""
    program = tmp_path / "programs/python3"
    program.parent.mkdir()
    pip = '#!/bin/sh\necho "pip $*"\nexit 1\n'
    program.write_text(f'#!/bin/sh\nmkdir -p "$3/bin"\ncat > "$3/bin/pip" << "END"\n{pip}END\nchmod +x "$3/bin/pip"\n')
    program.chmod(0o755)
    return {**env, "PATH": f"{program.parent}:{env['PATH']}"}


def test_a_stated_version_is_installed_with_what_reports_need(clone, tmp_path, env):
    refusing = _refusing_pip(tmp_path, env)
    step = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text())[".statera-compare"]["script"][0]
    for stated in ("statera==0.0.0", "statera~=0.0.0", "statera<0"):
        wanted = stated.replace("statera", "statera[report]")
        done = Runner(clone, tmp_path / "version", env=refusing).run({"mode": "record", "statera": stated})[1]
        assert (done.name, done.code) == ("Install statera", 1), stated
        assert done.said == f"pip install --quiet --disable-pip-version-check {wanted}\n"
        shown = subprocess.run(
            ["sh", "-c", f'{step}\necho "$wanted"'],
            env={"STATERA_INSTALL": stated},
            capture_output=True,
            text=True,
            check=True,
        )
        assert shown.stdout.strip() == wanted


def test_a_clone_without_the_merge_base_says_what_to_do(clone, tmp_path, env):
    _, _, head = pull_request(clone, 130)
    git(clone, "checkout", "-q", "--orphan", "other")
    other = commit(clone, 100, 4)
    steps, _ = compared(clone, tmp_path, env, other, head)
    assert steps["Find the merge base"].code == 2
    assert "fetch-depth: 0" in steps["Find the merge base"].said


def test_inputs_are_no_part_of_a_script(clone, tmp_path, env):
    later, _, head = pull_request(clone, 130)
    hostile = f'x"; touch {tmp_path}/owned; $(touch {tmp_path}/owned)'
    compared(clone, tmp_path, env, later, head, experiment=hostile, factor=hostile, **{"fail-on": hostile})
    compared(clone, tmp_path, env, hostile, head)
    Runner(clone, tmp_path / "other", env=env).run({"mode": hostile})
    assert not (tmp_path / "owned").exists()
    assert all("${{" not in step.get("run", "") for step in ACTION["runs"]["steps"])


def test_a_run_without_a_result_is_nothing_to_comment_on(tmp_path, env):
    done = Runner(tmp_path, tmp_path / "t", env=env).run({"mode": "comment"}, leave_out=("Install statera",))
    assert (done[-1].code, "no result" in done[-1].said) == (0, True)


def test_record_adds_what_it_is_given_and_pushes(clone, tmp_path, env):
    commit(clone, 100, 1)
    remote = _pushed(clone, tmp_path)
    runner = Runner(clone, tmp_path / "record", env=env)
    done = runner.run({"mode": "record", "results": "results.txt\n"}, leave_out=("Install statera",))
    assert done[-1].code == 0, done[-1].said
    assert "statera-history" in git(remote, "branch", "--list", "statera-history")


def test_every_step_has_a_shell_and_other_actions_are_pinned():
    for step in ACTION["runs"]["steps"]:
        if "run" in step:
            assert step["shell"] == "bash"
            assert len(step["run"].splitlines()) <= 12
        else:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"])


BLOCKS = [
    yaml.safe_load(block)
    for block in re.findall(r"^```yaml\n(.*?)^```", (ROOT / "docs/ci.md").read_text(), re.MULTILINE | re.DOTALL)
]


WORKFLOWS = [block for block in BLOCKS if isinstance(block, dict) and "permissions" in block]


def test_workflows_of_the_documentation_use_the_inputs_that_there_are():
    steps = [step for flow in WORKFLOWS for job in flow["jobs"].values() for step in job["steps"]]
    used = [step["with"] for step in steps if step.get("uses", "").startswith("OWNER/statera@")]
    assert {each["mode"] for each in used} == {"compare", "comment", "record"}
    assert all(set(each) <= set(ACTION["inputs"]) for each in used)


@pytest.mark.later
def test_the_workflows_of_the_documentation_run_from_a_pull_request_to_its_comment_and_the_pages(clone, tmp_path, env):
    comparing, commenting, recording = ([*flow["jobs"].values()] for flow in WORKFLOWS)
    later, _, head = pull_request(clone, 130)
    pull = {"pull_request": {"base": {"sha": later}, "head": {"sha": head}}}
    done = Runner(clone, tmp_path / "compare", event=pull, env=env).job(
        comparing[0]["steps"], leave_out=("Install statera",)
    )
    assert (done[-1].name, done[-1].code) == ("Gate", 1), done[-1].said

    forge = Server()
    runner = Runner(tmp_path, tmp_path / "comment", env=_github(forge, tmp_path, env, head))
    (tmp_path / "compare/statera-result").rename(tmp_path / "comment/statera-comment")
    steps = [{**step, "with": {**step["with"], "token": TOKEN}} for step in commenting[0]["steps"]]
    done = runner.job(steps, leave_out=("Install statera",))
    forge.close()
    assert "1 of 1 benchmark slower" in forge.comments[5][0]["body"], done[-1].said

    remote, pages = _pushed(clone, tmp_path), tmp_path / "record/pages"
    ci = {"GITHUB_ACTIONS": "true", "GITHUB_REF_NAME": "main", "GITHUB_REPOSITORY": "owner/project"}
    runner = Runner(clone, tmp_path / "record", env={**_go(tmp_path, env), **ci, "GITHUB_SERVER_URL": "https://forge"})
    done = runner.job(recording[0]["steps"], leave_out=("Install statera",))
    assert [each.code for each in done] == [0] * len(done), done[-1].said
    assert str(pages) in done[-1].said
    assert "Parse" in (pages / "index.html").read_text()
    assert "statera-history" in git(remote, "branch", "--list", "statera-history")
    assert [step["uses"].partition("@")[0] for step in recording[1]["steps"]] == ["actions/deploy-pages"]


def _pushed(clone, tmp_path):
    """Push main of a clone to a bare repository, as ``origin``."""
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(remote))
    git(clone, "remote", "add", "origin", str(remote))
    git(clone, "push", "-q", "origin", "main")
    return remote


def _go(tmp_path, env):
    """Put a program before others that answers as ``go test`` does."""
    program = tmp_path / "programs/go"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'BenchmarkParse 1000 100.1 ns/op'\n")
    program.chmod(0o755)
    return {**env, "PATH": f"{program.parent}:{env['PATH']}"}


def test_only_the_workflow_that_comments_may_write_to_pull_requests_and_it_checks_nothing_out():
    [commenting] = [flow for flow in WORKFLOWS if "workflow_run" in flow[True]]
    assert commenting["permissions"] == {"actions": "read", "pull-requests": "write"}
    assert "checkout" not in json.dumps(commenting["jobs"])
    for flow in WORKFLOWS:
        if "pull_request" in flow[True]:
            assert flow["permissions"] == {"contents": "read"}


@pytest.mark.later
def test_the_jobs_of_gitlab_run(clone, env):
    jobs = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text())
    later, _, head = pull_request(clone, 130)
    job = jobs[".statera-compare"]
    script = "\n".join(line for line in job["script"] if "venv" not in line)
    stated = {**job["variables"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": later, "CI_COMMIT_SHA": head, **env}
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=clone, env=stated, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    forge = Server()
    forge.pull(5, head)
    api = {
        **env,
        "GITLAB_CI": "true",
        "CI_API_V4_URL": f"{forge.url}/api/v4",
        "CI_PROJECT_ID": "7",
        "CI_COMMIT_SHA": head,
        "STATERA_TOKEN": TOKEN,
        "no_proxy": "127.0.0.1",
    }
    last = jobs[".statera-comment"]["script"][-1].replace(".statera-venv/bin/", "")
    done = subprocess.run(["bash", "-e", "-c", last], cwd=clone, env=api, capture_output=True, text=True, check=False)
    forge.close()
    assert done.returncode == 0, done.stderr
    assert "1 of 1 benchmark slower" in forge.comments[5][0]["body"]


@pytest.mark.parametrize("token", ["", TOKEN])
def test_the_record_of_gitlab_runs_with_the_job_of_the_documentation(clone, tmp_path, env, token):
    job = yaml.safe_load((ROOT / "ci/gitlab.yml").read_text())[".statera-record"]
    [stated] = [block["pages"] for block in BLOCKS if isinstance(block, dict) and "pages" in block]
    assert stated["extends"] == ".statera-record"
    commit(clone, 100, 1)
    remote = _pushed(clone, tmp_path)
    at = git(clone, "rev-parse", "HEAD")
    git(clone, "checkout", "-q", "--detach")
    address = f"https://statera:{token}@forge.example:443/owner/project.git"
    variables = {
        **job["variables"],
        **_go(tmp_path, env),
        "GITLAB_CI": "true",
        "CI_COMMIT_BRANCH": "main",
        "CI_COMMIT_SHA": at,
        "CI_PROJECT_PATH": "owner/project",
        "CI_PROJECT_URL": "https://forge.example/owner/project",
        "CI_SERVER_PROTOCOL": "https",
        "CI_SERVER_HOST": "forge.example",
        "CI_SERVER_PORT": "443",
        "HOME": str(tmp_path),
        **({"STATERA_TOKEN": token} if token else {}),
    }
    # Nobody pushes to that host: git takes the bare repository in its place.
    (tmp_path / ".gitconfig").write_text(f'[url "{remote}"]\n\tinsteadOf = "{address}"\n')
    without = [line for line in job["script"] if "venv" not in line and "STATERA_INSTALL" not in line]
    script = "\n".join([*stated["before_script"], *without])
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=clone, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert ("pushurl" in git(clone, "config", "--list")) == bool(token)
    assert "statera-history" in git(remote, "branch", "--list", "statera-history")
    assert "Parse" in (clone / "public/index.html").read_text()
    assert TOKEN not in done.stdout + done.stderr
