"""Histories, and the servers that keep them."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

# The words of the tables and sentences on a history.
SERIES: Final[dict[str, Entry]] = {
    "lane": Entry(
        "The machines of a history that count as equal: the same processor model and label of the runner.",
        "Values of different lanes are never compared, so that a new machine is no regression.",
        "`--lane KEY` chooses other facts for one command, `lane` in `history.toml` for all; `--lane none` pools all "
        "machines.",
    ),
    "course": Entry(
        "The values of a series as a small chart, the oldest first; beside it `level`, the median since the last "
        "change, `noise`, the standard deviation of a value, `jobs`, their number, and `last change`.",
        "A single value says little; a level that many values share says when it changed.",
        "`statera history show BENCHMARK` lists all changes of a benchmark.",
    ),
    "young": Entry(
        "A series with fewer than 15 values: a change in it may not be told yet.",
        "Three values that stand clear of twelve before them tell a change. With fewer before, more are needed after, "
        "and a change within the first four is told nowhere.",
        "Measure more commits, or the same ones several times, or add earlier results with `statera history import`.",
    ),
    "suspect": Entry(
        "The newest value of a series is outside the range of all values before it.",
        "One value may be noise, so that it opens no alert.",
        "Run this commit again: two more jobs decide, in a young series up to seven.",
    ),
    "spike": Entry(
        "A value of a series outside the range of those before it, after which the level returned.",
        "One value that returns is noise of the machine and no change of the program.",
        "Nothing. If spikes are frequent, look for other work on the machine.",
    ),
    "withdrawn": Entry(
        "An alarm that later values did not confirm.",
        "A change is told as early as possible, and a few values can lie apart by chance.",
        "Look at the course of the series.",
    ),
    "weak": Entry(
        "A change that is not significant among all series of the history.",
        "Of many series some show a change by chance. Benjamini-Hochberg corrects over one p for each series.",
        "Wait for more values. `--family suite` lets a gate ignore weak changes.",
    ),
    "states": Entry(
        "What somebody decided about an alert: new, acknowledged, fixed, wontfix, noise or expected.",
        "A change stays in a series for ever; the decision says that nobody needs to look again. `expected` may also "
        "have been announced, and `below margin` is smaller than the margin of the settings.",
        "`statera history ack` and `statera history ignore` state it, `statera history points --all` lists all.",
    ),
}

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
        "A history is of one project, because benchmarks of two projects can have the same names.",
        "Check `--history` and `--project`.",
    ),
    "nothing-to-add": Entry(
        "The results have no value for this job.",
        "An empty upload would look like a job whose benchmarks are gone.",
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
        "Leave out `--stretch` to compare the jobs of the two commits alone, or name commits before and after a "
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
        "Statera uses the keys and passwords of your git configuration, and no others. It does not run a "
        "program that the configuration of the repository itself names, such as `core.sshCommand`.",
        "Try `git ls-remote origin`. In CI, give the job permission to write. Set the command for SSH in the "
        "variable `GIT_SSH_COMMAND`.",
    ),
    "push-rejected": Entry(
        "The remote repository rejected the push five times.",
        "Others push at the same time, or the branch is protected. The new results stay on this machine.",
        "Run `statera history sync` again. If the branch is protected, allow pushes to it, or name another branch.",
    ),
}


SERVERS: Final[dict[str, Entry]] = {
    "bad-hook": Entry(
        "A hook cannot have this address or form.",
        "Hooks make the server send requests. Addresses need https, and the server refuses addresses in its own "
        "network, because whoever may add hooks could otherwise reach machines that only the server can reach.",
        "Write an address that begins with `https://`, without user name and password. `statera serve "
        "--allow-private-hooks` allows addresses in the server's own network.",
    ),
    "no-hook": Entry(
        "The project has no hook of this number.",
        "Each hook has a number and belongs to one project.",
        "`statera server hook list PROJECT` lists them.",
    ),
    "bad-database": Entry(
        "The address names no database that the server can use.",
        "The server works with SQLite and PostgreSQL.",
        "Write `sqlite:///FILE`, or `postgresql://USER@HOST/NAME`.",
    ),
    "bad-backup": Entry(
        "The file is not a backup, is damaged, or does not match its manifest.",
        "A partly restored backup would look like a complete one, so nothing was restored.",
        "Use another copy of the backup. The message names the member that is wrong.",
    ),
    "old-database": Entry(
        "The tables of the database are missing, or are those of an older version of statera.",
        "The server changes existing tables only on request.",
        "Write a backup, then run `statera server upgrade`. It adds what is missing, and keeps the data.",
    ),
    "newer-database": Entry(
        "A newer version of statera made the tables of the database.",
        "This version does not know their meaning, and could damage them.",
        "Use the version that made the tables, or a newer one.",
    ),
    "bad-project": Entry(
        "The project cannot have this name or setting.",
        "The name of a project is a part of its address, so it must be unique.",
        "Use letters, digits, dots, dashes and underscores, and a name that no other project has.",
    ),
    "bad-state": Entry(
        "The alert cannot get this state or link.",
        "A state that closes an alert needs a reason, so that others understand it, and a link needs the address of "
        "a page.",
        "Add what the message asks for.",
    ),
    "cannot-listen": Entry(
        "The server cannot listen on this address and port.",
        "Another program uses the port, or this machine does not have the address.",
        "Choose another `--port` or `--host`.",
    ),
    "no-project": Entry(
        "The server has no such project, or the caller may not read it.",
        "The server does not reveal whether a project exists to callers that may not read it.",
        "Check the name and the token. `statera server project list` lists the projects.",
    ),
    "server-busy": Entry(
        "Too many uploads are waiting to be stored.",
        "The server answers an upload only when it is on the disk, and limits the memory of waiting uploads.",
        "Try again after the seconds of the header `Retry-After`. Sending an upload twice changes nothing.",
    ),
    "bad-token": Entry(
        "A token cannot have this name, role or number of days.",
        "Lists and the record of changes show the name, so it must be readable.",
        "Use a name of at most 100 characters, the role read, write or admin, and a number of days.",
    ),
    "bad-trust": Entry(
        "A server cannot trust these tokens of an issuer.",
        "Everybody gets tokens of GitHub and GitLab, so their claims must say whose jobs may write.",
        "Name an issuer that begins with https://, an audience, and a claim such as `repository=acme/parser`, with * "
        "only after a slash.",
    ),
    "no-trust": Entry(
        "The project has no such entry for tokens of an issuer.",
        "It may have been removed.",
        "`statera server trust list` lists the entries with their numbers.",
    ),
    "issuer-away": Entry(
        "The server cannot verify a token, because its issuer does not tell its keys.",
        "Keys are kept for a day; without them, nobody knows whether a token is genuine.",
        "Send the upload again later, or use a token of statera. The machine of the server has to reach the issuer.",
    ),
    "no-such-token": Entry(
        "The project has no token of this number, or the token has ended.",
        "A token that was revoked or has expired never becomes valid again.",
        "`statera server token list` lists the tokens with their numbers; `statera server token add` makes one.",
    ),
    "no-token": Entry(
        "The request has no token, or an invalid one.",
        "Reading a private project and changing any project need a token, and a token can expire.",
        "Send a token: `Authorization: Bearer statera_…`; commands of statera take it from `STATERA_TOKEN`. `statera "
        "server token add` creates one.",
    ),
    "not-allowed": Entry(
        "The role of the token does not allow this request.",
        "The role read only reads, write adds uploads and decisions, and admin also creates tokens.",
        "Use a token with the role that the message names.",
    ),
    "no-page": Entry(
        "The server has nothing at this address.",
        "The routes of the API begin with /api/v1, the pages of a project with /p/.",
        "`/api/v1/openapi.json` lists the routes of the API.",
    ),
    "no-series": Entry(
        "The project has no series of this key.",
        "A key is a hash of benchmark, metric, unit and factors; it changes when one of them does.",
        "The list of series has the keys.",
    ),
    "bad-method": Entry(
        "The address exists, but not with this method.",
        "GET reads; POST and DELETE change something.",
        "Use a method that the header `Allow` names; `/api/v1/openapi.json` describes them.",
    ),
    "bad-request": Entry(
        "A part of the request is invalid.",
        "The API never ignores a part of a request silently.",
        "Correct the part that the message names; `/api/v1/openapi.json` describes all parts.",
    ),
    "bad-body": Entry(
        "The body of the request is damaged or cut off.",
        "In half an upload, benchmarks would seem to be gone.",
        "Send the request again; sending the same upload twice does no harm.",
    ),
    "bad-encoding": Entry(
        "The server does not support the compression of this upload.",
        "It supports gzip and zstd.",
        "Send the file with one of them, or uncompressed, and name the compression in `Content-Encoding`.",
    ),
    "other-content": Entry(
        "The content of the upload does not match `Idempotency-Key`.",
        "One key for two contents would hide one of them.",
        "Send the SHA-256 of the uncompressed file as the key, or leave out the header.",
    ),
    "too-large": Entry(
        "The body of the request is larger than the server allows, as sent or decompressed.",
        "The server keeps the body on its disk and its content in memory.",
        "Send less at once; the message names the limit.",
    ),
    "slow-body": Entry(
        "The body of the request arrived too slowly.",
        "A connection that stays open is not available to others.",
        "Send the request again, over a better connection or with `Content-Encoding: zstd`.",
    ),
    "database-away": Entry(
        "The database does not answer the server.",
        "It may be starting, or busy with a backup.",
        "Try again after the seconds of the header `Retry-After`. The log of the server has the details.",
    ),
    "server-defect": Entry(
        "The server failed unexpectedly, or its disk is full.",
        "The answer has no details, because they could name files and data of others.",
        "The operator of the server finds the details in its log.",
    ),
    "bad-server": Entry(
        "The place of the history is not the address of a project on a server, or the token is missing.",
        "Each request contains the token, so statera sends it only over https, or on this machine.",
        "Write `https://HOST/p/PROJECT`, and set `STATERA_TOKEN` to a token with the role write.",
    ),
    "server-refused": Entry(
        "The server of the history refuses the request, and repeating it does not help.",
        "The token does not allow the request, there is no such project, or the server cannot read the upload.",
        "Read the server's reason in the message. `statera server token list` lists the tokens of a project.",
    ),
    "server-failed": Entry(
        "The server of the history did not answer, or failed, several times.",
        "It may be starting, or the network may be down. Adding the same results twice changes nothing.",
        "Run the command again later.",
    ),
}
