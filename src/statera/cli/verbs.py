"""Every verb of the command line, once: what it is for, the options that it takes, and the function that it runs."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final


class Verb(NamedTuple):
    """A verb, or a family of verbs."""

    name: str  # its words, as they are typed
    help: str  # what it does, as the list of verbs says it
    # the function that runs it, as ``module:function`` below ``statera.cli``; empty for a family. It returns the exit
    # code, or nothing where that is 0 unless an error ends the command.
    run: str = ""
    # the keys of its options and arguments, with blanks between; of those with ``|`` between, one at most may be given
    takes: str = ""
    description: str = ""  # what it does, in sentences; the help if empty
    examples: tuple[str, ...] = ()  # commands
    alias: str = ""  # other words for it

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all its options, one by one."""
        return tuple(key for word in self.takes.split() for key in word.split("|"))

    @property
    def sentence(self) -> str:
        """What it does, as a sentence."""
        return self.description or f"{self.help[0].upper()}{self.help[1:]}."


# What several verbs take.
_PAIRS: Final = "baseline pairs"
_SELECT: Final = "by pair|unpaired benchmark metric rename unit where all-metrics pool within"
_FACTORS: Final = "factor variants name-pattern"
_LOOKS: Final = "sort colour width si"
_GATE: Final = "fail-on accept-one-process accept-parametric"
_POLICY: Final = "alpha margin correction better omnibus scale seed"
_JUDGING: Final = "alpha margin correction better"
_READING: Final = "format column limit config no-config strict jobs"
_SETTINGS: Final = "limit config no-config"
_DOCUMENT: Final = "output/report picture-base title"
_LINES: Final = "branch lane jobs"
_MEANS: Final = "memory most-files jobs"
_TABLE: Final = "output-format output raw-csv"
_MOST: Final = 3
# A verb of two words, which belongs to no family.
_TWO_WORDS: Final = frozenset({"report comment", "logs try", "logs init"})

# fmt: off
VERBS: Final = (
    Verb("run", "run commands in random order, and compare them", "run:run",
        takes="commands across runs/run until min-runs max-runs max-time warmup order seed/run setup prepare conclude "
              "cleanup command-name parameter-scan parameter-step-size parameter-list shell N i ignore-failure "
              "output/run input env timeout on pin service ready service-scope service-pin format/run "
              "counters decide-by only self-test profile o resume more status verify check "
              f"list dry-run build-only init output-format {_LOOKS} all-rows all-notes method export-json "
              f"{_GATE} {_JUDGING} {_SETTINGS}",
        description="Run commands, or the experiment of a file, in rounds of random order until the difference is "
                    "decided, and compare them with the first. Every result is on disk before the next command "
                    "begins.",
        examples=("statera run './old input' './new input'",
                  "statera run -r 20 -L threads 1,2,4 './program -j {threads}'",
                  "statera run experiment.toml",
                  "statera run --resume statera-runs/RUN")),
    Verb("compare", "compare builds with a baseline", "compare:compare",
        takes=f"paths {_SELECT} {_PAIRS} apart {_FACTORS} machine {_TABLE} {_LOOKS} changed only/compare all-rows "
              f"all-notes method mean quantiles blocks result {_GATE} {_POLICY} {_READING}",
        description="Compare variants with a baseline, the first one. A variant is a file, a folder, a quoted "
                    "pattern or - (standard input). LABEL=PATH names it; several files with the same label are its"
                    " runs.",
        examples=("statera compare old.txt new.txt",
                  "statera compare 'results/*.json' --by toolchain",
                  "statera compare main=a.txt pr=b.txt --fail-on worse:5% -f markdown")),
    Verb("inspect", "check whether benchmarks are fit to be compared", "inspect:inspect",
        takes=f"paths/inspect {_SELECT} {_FACTORS} machine cost-run cost-iteration aa splits propose {_TABLE} "
              f"sort/inspect colour width si {_POLICY} {_READING}",
        description="Examine each benchmark of each variant by itself: spread, normality, modes, drift, warm-up, "
                    "and the smallest change that this number of runs can detect. With --aa, compare one build "
                    "with itself.",
        examples=("statera inspect new.txt",
                  "statera inspect runs/ --cost-run 2",
                  "statera inspect --aa new.txt new-again.txt")),
    Verb("report", "write a report: findings, pictures, tables, method, data", "report:report",
        takes=f"paths {_SELECT} {_PAIRS} inspect {_FACTORS} machine {_DOCUMENT} si notes quantiles blocks mean atlas "
              f"{_POLICY} {_READING}",
        description="Compare as statera compare does, and write a report: findings in sentences, what was "
                    "measured, the method, every row, the distributions, the quality of the data. With one "
                    "variant, report an inspection.",
        examples=("statera report old.txt new.txt -o report.html -o report.pdf",
                  "statera report --variants runs.csv --by branch --within ghc -o report.html --notes notes.md")),
    Verb("report comment", "comment on the pull request or merge request of a result", "comment:write",
        takes="result_file commit name/report-comment always dry-run/report-comment",
        description="Write the result that statera compare --result left as a comment in the pull request (GitHub)"
                    " or merge request (GitLab) of the commit that the run belongs to, or update the comment that "
                    "is there. Nothing of the file chooses where the comment goes. A token that may not write is "
                    "not a failure."),
    Verb("plot", "draw a plot of results", "plot:plot",
        takes=f"kind paths/plot {_SELECT} {_PAIRS} {_FACTORS} output/plot theme width/plot si zoom most facet "
              f"log|linear {_POLICY} {_READING}",
        description="Draw a plot of results as SVG, PNG, an interactive page or a Vega-Lite specification.",
        examples=("statera plot ridgeline old.txt new.txt -o out.svg",
                  "statera plot trace runs.json -o out.html --benchmark '*link*'")),
    Verb("logs", "measure the logs of any system, and compare runs", "logs:measure",
        takes=f"paths/logs mapping/logs {_SELECT} {_PAIRS} apart {_FACTORS} machine {_TABLE} {_LOOKS} changed "
              f"only/compare all-rows all-notes method mean quantiles blocks result {_GATE} {_POLICY} "
              f"{_SETTINGS} strict jobs",
        description="Measure what a mapping says in the logs of any system. One run is summarised, several are "
                    "compared with the first. compare, inspect, report, convert and history add read logs, too, by "
                    "--format MAPPING.",
        examples=("statera logs access.log --mapping nginx",
                  "statera logs old=logs/old new=logs/new --mapping own.toml",
                  "statera report logs/old logs/new --format own.toml -o report.html"),
        alias="cluster times"),
    Verb("logs try", "show what each line of a log becomes by a mapping", "logs:try_mapping",
        takes="file/logs mapping/logs lines",
        examples=("statera logs try app.log --mapping own.toml",)),
    Verb("logs init", "propose a mapping for a log", "logs:propose",
        takes="file/logs output",
        examples=("statera logs init app.log -o own.toml",)),
    Verb("cluster", "analyse the logs of a cluster's hosts, and compare runs",
        description="Read the logs of every host of a run, find the chain that the hosts built, and measure "
                    "forging, propagation and resources."),
    Verb("cluster analyse", "analyse runs: summary.json, blocks.csv and tables",
        run="cluster:analyse", alias="cluster analyze",
        takes="runs/cluster-analyse output/cluster-analyse raw-csv unlocked filter mapping correct-clocks "
              f"{_MEANS} engine master",
        description="Analyse runs. The results of one run are written to OUT; those of several runs to OUT/NAME "
                    "each, and those of all runs together to OUT/pooled."),
    Verb("cluster compare", "compare runs with a baseline: values, changes, intervals, verdicts",
        run="cluster:compare",
        takes="runs/cluster-compare output-format/cluster-compare output raw-csv sort/cluster-compare colour width"
              f" changed by {_PAIRS} metric baseline-runs {_JUDGING} {_SETTINGS} {_GATE} filter mapping {_MEANS} "
              "engine master",
        description="Compare runs with the first one. RUN is the directory of a run's logs, or that of its "
                    "analysis, which is faster. LABEL=PATH labels a run; paths with the same label are several "
                    "runs of one configuration."),
    Verb("cluster report", "write a report of a run or of a comparison of runs: HTML, PDF, Markdown",
        run="cluster:report",
        takes=f"runs/cluster-compare {_DOCUMENT} notes/cluster-report by {_PAIRS} metric baseline-runs {_JUDGING} "
              f"{_SETTINGS} filter mapping {_MEANS} engine master",
        description="Write a report: the answer, what changed with its charts, every metric with its change, "
                    "interval and verdict, charts, chain and hosts, method, data dictionary, manifest. Several "
                    "runs are compared with the first. RUN is the directory of a run's logs, or that of its "
                    "analysis, which is faster.",
        examples=("statera cluster report RUN -o report.html",
                  "statera cluster report old=RUNS/a new=RUNS/b -o report.html -o report.pdf -o report.md")),
    Verb("cluster block", "what every host logged of a block", "cluster:block", takes=f"analysis which {_TABLE}"),
    Verb("cluster host", "what a host logged, forged and used", "cluster:host",
        takes=f"analysis which/cluster-host {_TABLE}"),
    Verb("cluster errors", "everything that was not used, with file and line", "cluster:errors",
        takes=f"analysis {_TABLE}"),
    Verb("convert", "write the results of any harness as one table", "convert:convert",
        takes=f"inputs/convert output/convert raw-csv {_READING}",
        description="Read results and write each value as a row: benchmark, metric, unit, variant, value, block, "
                    "process, order, file, line and the configuration. Statera reads the table that it writes."),
    Verb("store", "keep runs under a name",
        description="Keep copies of runs and other results under a name. Wherever a verb takes a path, it takes "
                    "such a name too: statera compare NAME NAME, statera inspect NAME. The folder is "
                    "$STATERA_STORE, otherwise $XDG_DATA_HOME/statera/runs, otherwise ~/.local/share/statera/runs."),
    Verb("store add", "store a copy of a run, or of result files", "store:add",
        takes="paths/store-add name/store-add"),
    Verb("store list", "list the stored runs", "store:list_runs"),
    Verb("store show", "show a summary of the runs under a name, as statera inspect does", "store:show",
        takes="name/store-show"),
    Verb("store remove", "remove the runs under a name", "store:remove", takes="name/store-show"),
    Verb("history", "watch benchmarks over commits, and report each change once",
        description="Keep the results of every commit, find changes of level, and report each change once. A "
                    "history is a folder or a branch; statera history add creates it."),
    Verb("history add", "add the results of a commit", "history_changes:add",
        takes="inputs history/history-add push commit/history-add branch/history-add project/history-add line "
              f"started url environment foreign variant new-unit {_READING}",
        description="Add the results of one job: any format, one commit, one machine. Commit, parents and branch "
                    "come from the repository of the current folder, or from the variables of the CI; options "
                    "override both. Adding the same results twice changes nothing."),
    Verb("history import", "import the results of many commits, such as those of asv or github-action-benchmark",
        run="history_changes:import_results",
        takes="inputs history branch/history-import project/history-add url/history-import environment "
              f"variant/history-import within/history-import pool/history-import {_READING}",
        description="Import results that state their commits: the results folder of asv, the data.js of "
                    "github-action-benchmark, the files of Otava, a tree of Sandmark, or any table with a column "
                    "commit. Each commit, machine and execution becomes a job. The order of the commits comes from"
                    " the repository of the current folder if it has them, otherwise from the results. Importing "
                    "the same results twice changes nothing."),
    Verb("history show", "show the series: course, level, noise and last change", "history:show",
        takes=f"benchmark/history-show metric/history-show output-format/history-show history {_SETTINGS} {_LINES}",
        description="Show the course, present level, noise and last change of each series. If BENCHMARK names a "
                    "few series, show all of their changes."),
    Verb("history points", "list the changes of level, newest first", "history:points",
        takes=f"all state output-format/history-show history {_SETTINGS} {_LINES}",
        description="List the alerts: changes of level that begin at the same commits, newest first."),
    Verb("history check", "show what the newest commit changed, and what to run again", "history_check:check",
        takes=f"since fail-on/history-check family output-format/history-show history {_SETTINGS} {_LINES}",
        description="Show the changes that the newest commit raised, and the suspects: values outside the range of"
                    " all values before, whose commit should run again."),
    Verb("history compare", "compare the results of two commits", "history_compare:compare_commits",
        takes=f"commits history {_SETTINGS} {_LINES} stretch {_SELECT} output-format/cluster-compare output raw-csv"
              f" {_LOOKS} changed only/compare all-rows all-notes method mean {_GATE} {_POLICY}",
        description="Compare all jobs of two commits, as statera compare compares files: the jobs are the runs. "
                    "With --stretch, compare all jobs at the levels of the two commits."),
    Verb("history bisect", "list the commits to measure to find the beginning of a change", "history:list_commits",
        takes=f"alert experiment history {_SETTINGS} {_LINES}",
        description="List the commits at which a change may begin and that were not measured, in the order in "
                    "which to measure them: each halves the rest."),
    Verb("history backfill", "measure the commits at which a change may begin, until one is almost certain",
        run="history_backfill:fill",
        takes="alert/history-backfill experiment/history-backfill budget runs/run parameter-list environment "
              f"dry-run/history-backfill history {_SETTINGS} {_LINES}",
        description="Build and measure the commits that statera history bisect lists, by an experiment file, and add "
                    "each to the history, until one commit is the beginning of the change with 95 % or nothing "
                    "can say more. Without ALERT, take every open alert. A commit that does not build is skipped. What "
                    "was measured before an interruption is kept.",
        examples=("statera history backfill 7767f1a0 --experiment experiment.toml --budget 1h",
                  "statera history backfill --dry-run")),
    Verb("history badge", "draw the open alerts as a badge", "history:draw_badge",
        takes=f"output/history-badge history {_SETTINGS} {_LINES}",
        description="Draw the number of open alerts as SVG."),
    Verb("history ack", "acknowledge an alert: somebody knows", "history_changes:ack",
        takes=f"alert reason history {_SETTINGS} {_LINES}",
        description="Acknowledge an alert."),
    Verb("history ignore", "close an alert, with a reason", "history_changes:ignore",
        takes=f"alert as reason/history-ignore history {_SETTINGS} {_LINES}",
        description="Close an alert: nothing is to be done about it."),
    Verb("history link", "link an alert to an issue", "history_changes:link",
        takes=f"alert url/history-link history {_SETTINGS} {_LINES}",
        description="Link an alert to a page."),
    Verb("history expect", "announce a change", "history_changes:expect",
        takes=f"commit/history-expect text history {_SETTINGS}",
        description="Announce a change before it is measured, so that it raises no open alert. A trailer of the "
                    "commit's message does the same: Statera-Expect: PATTERN LOW..HIGH REASON."),
    Verb("history rename", "record that a benchmark has another name", "history_changes:rename",
        takes=f"old new reason/history-rename history {_SETTINGS}",
        description="Record that a benchmark has another name. Its series continue under the new name, with all "
                    "decisions about them; the old name still finds them. The same name twice cancels its "
                    "renaming."),
    Verb("history sync", "fetch and push a history in a branch", "history_changes:sync_branch",
        takes=f"history {_SETTINGS}",
        description="Fetch what others added to the branch of a history, and push what was added here. Nothing is "
                    "checked out. If somebody else pushed first, statera pushes again on top of their commit."),
    Verb("history verify", "check every file of a history", "history_changes:verify_files",
        takes=f"history {_SETTINGS}",
        description="Check that no file is missing and that the content of every file matches its name, read all "
                    "jobs, values and decisions, and compare history.toml with the jobs. If something is wrong, "
                    "list it and exit with code 2."),
    Verb("history compact", "merge the uploads of past months, and remove values that no analysis needs",
        run="history_changes:compact_months",
        takes=f"older dry-run/history-compact history {_SETTINGS}",
        description="Merge the uploads of each past month into one file. Keep the values of the last jobs of each "
                    "series and of the jobs around each change (samples and around in history.toml), and only the "
                    "summary of all other jobs. The analysis stays the same."),
    Verb("history site", "write the history as pages for a browser", "history:write_site",
        takes=f"output/history-site commit-url history {_SETTINGS} {_LINES}",
        description="Write pages with the open alerts, all alerts, and every series with its chart. They need no "
                    "server: open index.html, or put the folder on a static host. If you write again, unchanged "
                    "pages stay untouched."),
    Verb("history export", "write the history as a table", "history:write_table",
        takes=f"output/history-export|lake raw-csv history {_SETTINGS} {_LINES}",
        description="Write a row for each job and series: commit, machine, median, level, and the change that "
                    "begins there. Write one file, or a folder by project and month that DuckDB and others read as"
                    " one table. If you write again, unchanged files stay untouched."),
    Verb("history issues", "open an issue for each new alert, and close it when its level returns",
        run="history:open_issues",
        takes=f"label most/history-issues history {_SETTINGS} {_LINES}",
        description="Open an issue on GitHub or GitLab for each new alert for the worse, link it to the alert, and"
                    " close it when the level returns or somebody decides. A second call does nothing again. If "
                    "the token may not write, the command says so and exits with code 0."),
    Verb("serve", "serve histories: uploads, pages with triage, an API, webhooks", "server:serve",
        takes="host port address data database allow-private-hooks open-metrics most-received most-expanded",
        description="Serve histories over HTTP. statera server project add NAME makes a project, and statera "
                    "server token add NAME makes a token for sending uploads, reading or deciding."),
    Verb("server", "administer a server: projects, tokens, webhooks, backups, the record of changes",
        description="Administer the database of statera serve, whether it runs or not. Whoever can access the "
                    "database may do everything."),
    Verb("server project", "make, list and change projects"),
    Verb("server project add", "make a project", "server:project_add",
        takes="name/server-project-add public commit-url/server-project-add lane/server-project-add database"),
    Verb("server project list", "list the projects", "server:project_list", takes="database"),
    Verb("server project change", "change a project", "server:project_change",
        takes="name/server-project-change public/server-project-change|private commit-url/server-project-change "
              "samples around margin/server-project-change database"),
    Verb("server token", "make, list, rotate and revoke tokens"),
    Verb("server token add", "make a token; it is shown only once", "server:token_add",
        takes="name/server-token-add project/server-token-add role days database",
        description="Make a token, and write it to standard output; it is not shown again. A token of a project "
                    "may do what its role allows; a token of the server may do everything."),
    Verb("server token list", "list tokens", "server:token_list",
        takes="project/server-token-add database",
        description="List tokens, without their secrets."),
    Verb("server token rotate",
        "replace a token by a new one of the same name, role and end; the old one stops working",
        run="server:token_rotate", takes="number database"),
    Verb("server token revoke", "end a token, and the browser sessions that use it", "server:token_revoke",
        takes="number database"),
    Verb("server trust", "let jobs of GitHub or GitLab write without a secret",
        description="Trust: jobs that may write to a project with a token that their issuer signs (OpenID Connect)."),
    Verb("server trust add", "trust the jobs of a repository", "server:trust_add",
        takes="project/server-hook-add issuer/server-trust-add audience claim database",
        description="Let jobs send uploads whose tokens an issuer signs for an audience, with certain claims."),
    Verb("server trust list", "list what a project trusts", "server:trust_list",
        takes="project/server-hook-add database"),
    Verb("server trust remove", "trust jobs no longer", "server:trust_remove",
        takes="project/server-hook-add number/server-trust-remove database"),
    Verb("server audit", "list who changed what, and refused tokens", "server:audit_list",
        takes="project/server-token-add most/server-audit database",
        description="List who changed what, and refused tokens, newest first."),
    Verb("server hook", "send alerts to other programs",
        description="Hooks: addresses to which the server sends the alerts of a project."),
    Verb("server hook add", "add a hook; its secret is shown only once", "server:hook_add",
        takes="project/server-hook-add url/server-hook-add database form"),
    Verb("server hook list", "list the hooks of a project", "server:hook_list",
        takes="project/server-hook-add database"),
    Verb("server hook remove", "remove a hook, and the messages that wait for it", "server:hook_remove",
        takes="project/server-hook-add number/server-hook-remove database"),
    Verb("server hook test", "send a test message", "server:hook_test",
        takes="project/server-hook-add number/server-hook-remove database"),
    Verb("server upgrade", "make the tables that a database lacks", "server:upgrade",
        takes="database",
        description="Make the tables of this version of statera in an empty database, or in that of an older "
                    "version, and keep its rows. Before, stop the server and write a backup."),
    Verb("server compact", "merge the uploads of past months of a project, and remove values that no analysis needs",
        "server:compact_project", takes="project/server-hook-add older dry-run/history-compact database",
        description="Merge the uploads of each past month into one. Keep the values of the last jobs of each series "
                    "and of the jobs around each change (statera server project change --samples N --around N), and "
                    "only the summary of all other jobs. The analysis stays the same. The server may run."),
    Verb("server backup", "write all projects into one file, whether the server runs or not", "server:backup_write",
        takes="output/server-backup database",
        description="Write all projects with their uploads, decisions, tokens, hooks and the record of changes "
                    "into one file, in one consistent state. The server may run."),
    Verb("server restore", "read a backup into an empty database", "server:restore",
        takes="input/server-restore database",
        description="Read a backup into an empty database of SQLite or PostgreSQL, as a whole or not at all. The "
                    "server analyses the projects when it starts."),
    Verb("formats", "list the formats that statera reads", "lists:formats",
        takes="name/formats",
        description="List the formats that statera reads: name, what writes them, and what a value is. With NAME, "
                    "say everything about one: sign, processes, blocks, keys, metrics and the option that exports "
                    "it."),
    Verb("machine", "say what identifies this machine", "lists:machine",
        takes="output/machine",
        description="Say what identifies this machine: processor, cores, memory, kernel, C library. Results that "
                    "come from files say little of it: write it to a file where they are measured, and name the "
                    "file where they are compared.",
        examples=("statera machine -o machine.json",
                  "statera report old.txt new.txt --machine machine.json -o report.html")),
    Verb("explain", "explain a code or a column of an output", "lists:explain",
        takes="code",
        description="Explain a code or a column of an output: what it means, why it is there, and what to do. "
                    "Without CODE, list them all."),
    Verb("completion", "print a completion script for the shell", "completion:completion",
        takes="shell/completion",
        description='Print the completion script of a shell. Use it by eval "$(statera completion bash)".'),
)
# fmt: on
_BY_NAME: Final = {name: verb for verb in VERBS for name in (verb.name, verb.alias) if name}


def found(words: Sequence[str]) -> tuple[Verb | None, int]:
    """Return the verb or family that a command begins with, and how many words name it; None if no word does."""
    for count in range(min(len(words), _MOST), 0, -1):
        verb = _BY_NAME.get(" ".join(words[:count]))
        if verb is not None:
            return verb, count
    return None, 0


def below(family: Verb | None) -> Iterator[Verb]:
    """Give the verbs and families of a family, or those that begin a command."""
    start = f"{family.name} " if family else ""
    for verb in VERBS:
        rest = verb.name.removeprefix(start)
        if verb.name.startswith(start) and verb is not family and (" " not in rest or rest in _TWO_WORDS):
            yield verb
