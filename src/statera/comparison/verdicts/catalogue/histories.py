"""Errors of histories: what is missing, and what is refused."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

HISTORIES: Final[dict[str, Entry]] = {
    "no-history": Entry(
        "There is no history at this place, it has no jobs yet, or neither options nor settings name its place.",
        "A history is a folder with `history.toml`. A command that only reads does not create one.",
        "Name the place with `--history`, or with `place` in the table `[history]` of the settings. `statera history "
        "add` creates a history.",
    ),
    "bad-history": Entry(
        "A file of a history is missing or cannot be read, or a key or value is unknown or contradicts the jobs.",
        "Ignoring a setting would change what is compared.",
        "Correct the file and the key that the message names.",
    ),
    "bad-upload": Entry(
        "A file among the uploads of a history is not an upload, is damaged, or is missing.",
        "Uploads come from other machines. Statera leaves out and names an upload that it cannot read, and uses the "
        "others.",
        "Restore it from another copy of the history, or remove it. `statera history verify` checks all of them.",
    ),
    "other-project": Entry(
        "The results belong to another project than the history.",
        "A history holds one project, because benchmarks of two projects can have the same names.",
        "Check `--history` and `--project`.",
    ),
    "nothing-to-add": Entry(
        "The results have no value for this job.",
        "An empty upload would look like a job whose benchmarks vanished.",
        "Check the files, and `--variant`.",
    ),
    "several-variants": Entry(
        "The results have several variants, such as an old and a new build.",
        "A job measures one commit; the values of two builds have no common level.",
        "Name the variant of this commit with `--variant`.",
    ),
    "several-commits": Entry(
        "The results state several commits, but `statera history add` adds those of one commit.",
        "Each commit has its own place in the history.",
        "Use `statera history import`, which adds the results of each commit to that commit. If all results belong to "
        "one commit, name it with `--commit`.",
    ),
    "no-commit": Entry(
        "The measured commit is unknown, or there is no such commit.",
        "Without the commit, results have no place in the history. The time alone is not enough: an old commit can be "
        "measured after its successors.",
        "Run the command in the repository of the program, or name the commit with `--commit` and its full hash.",
    ),
    "no-branch": Entry(
        "The measured branch is unknown, or the history has no jobs of it.",
        "Jobs are ordered along the first parents of a branch. In CI, often no branch is checked out.",
        "Name it with `--branch`, or with `branch` in the table `[history]` of the settings.",
    ),
    "several-branches": Entry(
        "The history has several branches, and the command works on one of them.",
        "Each branch has its own newest commit.",
        "Name a branch with `--branch`.",
    ),
    "shallow-clone": Entry(
        "The repository was cloned without older commits, and does not reach back to the commits of the history.",
        "Without them the place of the new commit is unknown. CI clones one commit by default.",
        "Fetch more: `git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout. Or state the commits with "
        "`--line`.",
    ),
    "no-line": Entry(
        "The commits before the measured commit are unknown.",
        "The order of commits comes from the repository, never from the time.",
        "Run the command in the repository, or state the commits with `--line FILE`, as `git rev-list --first-parent "
        "COMMIT` writes them.",
    ),
    "bad-expectation": Entry(
        "An announced change does not have the form PATTERN LOW..HIGH REASON.",
        "An announcement silences alerts, so it must state the benchmarks, the size and the reason.",
        "Write it like `Parse/* +5%..+15% checks input`.",
    ),
    "other-machine": Entry(
        "No machine measured both commits.",
        "Values of different machines differ without any change of the program. The key `lane` in `history.toml` lists "
        "the facts that must agree.",
        "Run one of the commits on the machine of the other. `--lane none` compares the values nevertheless.",
    ),
    "same-level": Entry(
        "`--stretch` compares the levels of two commits, but there is no change of level between them.",
        "Both commits belong to the same level, and its jobs would be compared with themselves.",
        "Leave out `--stretch` to compare the jobs of the two commits alone, or name commits on both sides of a "
        "change.",
    ),
    "no-alert": Entry(
        "There is no alert of this name, or the names of several alerts begin with it.",
        "Alerts are named by the beginning of a hash.",
        "`statera history points --all` lists all alerts.",
    ),
    "no-benchmark": Entry(
        "The history has no benchmark of this name.",
        "Renaming it would have no effect.",
        "`statera history show` lists the names. If the benchmark was renamed before, write its present name.",
    ),
    "other-unit": Entry(
        "The history has a series of the results, but in another unit.",
        "The series would end silently, and a new one without a level would begin.",
        "Convert the results, or accept the new series with `--new-unit`.",
    ),
    "both-measured": Entry(
        "Jobs measured both benchmarks, so one cannot be the new name of the other.",
        "The series would have two different values for each of these jobs.",
        "Check the names. If a benchmark was split or copied, the copy is a new series.",
    ),
    "no-remote": Entry(
        "The repository has no remote of this name, so the branch cannot be fetched or pushed.",
        "A history in a branch is kept on this machine, and shared through a remote repository.",
        "Add the remote with `git remote add origin URL`, or name another one: `--history git:REMOTE:BRANCH`.",
    ),
    "remote-failed": Entry(
        "Git cannot fetch from, or push to, the remote repository.",
        "Statera uses the keys and passwords of your git configuration, and none of its own. It does not run a "
        "program that the configuration of the repository itself names, such as `core.sshCommand`.",
        "Try `git ls-remote origin`. In CI, give the job permission to write; set the command for SSH in the "
        "variable `GIT_SSH_COMMAND`.",
    ),
    "push-rejected": Entry(
        "The remote repository rejected the push five times.",
        "Others push at the same time, or the branch is protected. The new results stay on this machine.",
        "Run `statera history sync` again. If the branch is protected, allow pushes to it, or name another branch.",
    ),
}
