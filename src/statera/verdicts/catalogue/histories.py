"""Errors of histories: what is missing, and what is refused."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

HISTORIES: Final[dict[str, Entry]] = {
    "no-history": Entry(
        "There is no history at this place, it has no jobs yet, or nothing says where it is.",
        "A history is a folder with `history.toml`. A command that only reads makes none.",
        "Name it with `--history`, or set `place` in the table `[history]` of the settings. `statera history add` "
        "makes one.",
    ),
    "bad-history": Entry(
        "A file of a history cannot be read, or says something that statera does not know.",
        "A setting that is not understood would change what is compared.",
        "The message names the file and the key.",
    ),
    "bad-upload": Entry(
        "A file among the uploads of a history is none, or is damaged.",
        "Uploads come from other machines. One that cannot be read is left out and named; the others count.",
        "Restore it from another copy of the history, or remove it. `statera history verify` checks all of them.",
    ),
    "other-project": Entry(
        "The results belong to another project than the history.",
        "A history holds one project: the names of benchmarks of two projects could be equal.",
        "Check `--history` and `--project`.",
    ),
    "nothing-to-add": Entry(
        "No value of the results belongs to the job.",
        "An empty upload would look like a job whose benchmarks vanished.",
        "Check the files, and `--variant`.",
    ),
    "several-variants": Entry(
        "The results are of several variants, such as an old and a new build.",
        "A job measures one commit; the values of two builds have no common level.",
        "Name the variant of this commit with `--variant`.",
    ),
    "several-commits": Entry(
        "The results state several commits, and were added as those of one.",
        "Each commit has a place of its own in the history.",
        "`statera history import` adds the results of each commit to it. `--commit` says that all are of one.",
    ),
    "no-commit": Entry(
        "Nothing says which commit was measured, or there is no such commit.",
        "Without the commit, results have no place in the history. The time alone says nothing: an old commit can be "
        "measured after its successors.",
        "Run the command in the repository of the program, or state `--commit` with the full name.",
    ),
    "no-branch": Entry(
        "Nothing says which branch was measured, or the history has no jobs of it.",
        "Jobs are ordered along the first parents of a branch. In CI often no branch is checked out.",
        "Name it with `--branch`, or with `branch` in the table `[history]` of the settings.",
    ),
    "several-branches": Entry(
        "The history has several branches, and the command tells what one of them shows.",
        "The newest commit of each branch is another.",
        "Name one with `--branch`.",
    ),
    "shallow-clone": Entry(
        "The repository was cloned without older commits, and does not reach back to the commits of the history.",
        "Without them the place of the new commit is unknown. CI clones one commit by default.",
        "Fetch more: `git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout. Or state the commits with "
        "`--line`.",
    ),
    "no-line": Entry(
        "Nothing says which commits come before the one that was measured.",
        "The order of commits comes from the repository, never from the time.",
        "Run the command in the repository, or state the commits with `--line FILE`, as `git rev-list --first-parent "
        "COMMIT` writes them.",
    ),
    "bad-expectation": Entry(
        "An announced change is written in another way than PATTERN LOW..HIGH REASON.",
        "An announcement silences alerts, so that it must say which benchmarks, how much and why.",
        "Write it like `Parse/* +5%..+15% checks input`.",
    ),
    "other-machine": Entry(
        "No machine measured both commits.",
        "Values of unlike machines differ without any change of the program. The keys of lane in `history.toml` say "
        "which facts must agree.",
        "Run one of the commits on the machine of the other. `--lane none` compares the values all the same.",
    ),
    "same-level": Entry(
        "No change of level lies between two commits, whose levels were to be compared.",
        "Both are of one stretch without a change, and its jobs would be compared with themselves.",
        "Leave out `--stretch` to compare the jobs of the two commits alone, or name commits on both sides of a "
        "change.",
    ),
    "no-alert": Entry(
        "There is no alert of this name, or several begin with it.",
        "Alerts are named by the beginning of a hash.",
        "`statera history points --all` lists all alerts.",
    ),
    "no-benchmark": Entry(
        "The history has no benchmark of this name.",
        "A renaming of a name that nothing has would have no effect.",
        "`statera history show` lists the names. Of a benchmark that was renamed before, rename the present name.",
    ),
    "other-unit": Entry(
        "The history has a series of the results in another unit.",
        "The series would end without a word, and another one begin, which has no level yet.",
        "Convert the results, or accept the new series with `--new-unit`.",
    ),
    "both-measured": Entry(
        "Jobs measured both benchmarks, so that one cannot be the new name of the other.",
        "The series would have two values of each of these jobs, of two things.",
        "Check the names. A benchmark that was split or copied begins a series of its own.",
    ),
    "no-remote": Entry(
        "The repository has no remote of this name, so that a branch cannot be fetched or pushed.",
        "A history in a branch is kept on this machine, and shared through a remote repository.",
        "`git remote add origin URL` adds one; or name another one: `--history git:REMOTE:BRANCH`.",
    ),
    "remote-failed": Entry(
        "Git cannot fetch from, or push to, the remote repository.",
        "Statera uses the keys and passwords of your git configuration, and none of its own. It does not use a "
        "program that the configuration of the repository itself names, such as `core.sshCommand`.",
        "Try `git ls-remote origin`. In CI, grant the job the permission to write; state a command for SSH with the "
        "variable `GIT_SSH_COMMAND`.",
    ),
    "push-rejected": Entry(
        "The remote repository rejected the push five times.",
        "Others push at the same time, or the branch is protected. What was added stays on this machine.",
        "Run `statera history sync` again. If the branch is protected, allow pushes to it, or name another one.",
    ),
}
