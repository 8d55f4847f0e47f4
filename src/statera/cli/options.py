"""Every option and argument of the command line, once: the table that parser, help, completion, man page and docs read.

A verb lists the options that it takes by their keys here (``verbs.py``). The key of an option is its flag; where a flag
means something else to a verb, that verb's option has the verb behind a slash. ``--limit`` and others that change the
policy name the key of the settings file that they override.
"""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final


class Option:
    """An option, or an argument without a flag. It is not changed; a plain class is what start-up makes fastest.

    Attributes:
        flags: the flags with blanks between; of an argument, its name among the parsed values.
        kind: how values are given, one of the kinds below.
        value: what stands for a value in help; several values have blanks between. Empty: the choices do.
        group: the group of options that help shows it in.
        short: what it does, in the words of ``-h``.
        more: how the sentence goes on in ``--help``; a default that is a value here is added to it.
        choices: the values that it takes, or the place of a table that has them, as ``module:NAME``.
        default: its value where it is not given; of an option that may be repeated, an empty list.
        const: its value where it is given without one.
        required: whether the verb cannot do without it.
        completes: what a shell offers for it, if that is not the choices. Names of files, and commands, stay as the
            system wrote them; everything else is text.
        setting: the key of the settings file that it overrides.
        main: whether ``-h`` explains it; of a verb with few options, ``-h`` explains all.
        flag: the flag that messages name: the long one, where there is one.
        dest: its name among the parsed values: ``name`` if it has one, otherwise that of the flag.
        is_argument: whether it has no flag.
    """

    __slots__ = (
        "choices", "completes", "const", "default", "dest", "flag", "flags", "group", "is_argument", "kind", "main",
        "more", "required", "setting", "short", "value",
    )  # fmt: skip

    def __init__(
        self,
        flags: str,
        kind: str,
        value: str,
        group: str,
        *,
        short: str,
        more: str = "",
        choices: tuple[str, ...] | str = (),
        default: object = None,
        const: object = None,
        name: str = "",
        required: bool = False,
        completes: str = "",
        setting: str = "",
        main: bool = False,
    ) -> None:
        self.flags, self.kind, self.value, self.group, self.short, self.more = flags, kind, value, group, short, more
        self.choices, self.default, self.const, self.required = choices, default, const, required
        self.completes, self.setting, self.main = completes, setting, main
        words = flags.split()
        self.flag = next((flag for flag in words if flag.startswith("--")), words[0])
        self.dest = name or self.flag.lstrip("-").replace("-", "_")
        self.is_argument = not flags.startswith("-")


# Kinds of arguments: exactly one, at most one, any number, at least one, a whole number.
ONE, OPTIONAL, ANY, SOME, NUMBER = "one", "optional", "any", "some", "number"
# Kinds of options: no value; a constant in place of a value; a value; a file, or - for standard output; a whole number;
# any number; a value or none; a value each time; two or three values each time; several values.
FLAG, SET, TEXT, TARGET, INTEGER, DECIMAL, MAYBE, EACH, TWO, THREE, SEVERAL = (
    "flag", "set", "text", "target", "integer", "decimal", "maybe", "each", "two", "three", "several",
)  # fmt: skip

FILE, FOLDER, COMMAND, FORMAT, COLUMN = "file", "folder", "command", "format", "column"
# Names of files and commands are bytes of the system.
RAW: Final = frozenset({FILE, FOLDER, COMMAND})

ARGUMENTS = ""
OPTIONS_OF_VERB = "options"
SELECTION = "what is compared"
FACTORS = "factors that the files do not state"
OUTPUT = "output"
GATE = "gate"
POLICY = "policy (also from [tool.statera] in pyproject.toml, or statera.toml)"
READING = "reading"
SETTINGS = "settings and resources"
COSTS = "costs"
SELF_TEST = "self-test"
ROUNDS = "how often, and in which order"
AROUND = "commands around the measured ones"
COMMANDS = "how commands are executed"
MEASURED = "what is measured"
FOLDERS = "folders of runs"
INSTEAD = "instead of running"
ANALYSIS = "analysis"
HISTORY = "history"
JOB = "job"
SERIES = "series"
LIMITS = "limits"

# What a column of a plain table can hold.
COLUMN_ROLES: Final = (
    "benchmark", "value", "metric", "unit", "block", "process", "better", "variant", "repetition", "setting", "count",
    "ignore",
)  # fmt: skip
DECILES: Final = "5,10,20,30,40,50,60,70,80,90,95"
FORMATS: Final = ("terminal", "markdown", "csv", "json")
# Formats of a result that is also written as a document.
DOCUMENTS: Final = ("html", "pdf")
# The orders of rows, the default first.
SORTS: Final = ("worst", "file", "name", "effect", "p")
SORTS_OF_INSPECTION: Final = ("defects", "file", "name")
SORTS_OF_CLUSTERS: Final = ("report", "effect", "p", "worst")

# fmt: off
OPTIONS: Final = {
    # ARGUMENTS
    "commands": Option("commands", ANY, "COMMAND", ARGUMENTS, completes=COMMAND,
        short="commands, the baseline first", more="; or one experiment file, *.toml"),
    "paths": Option("paths", ANY, "[LABEL=]PATH", ARGUMENTS, completes=FILE, short="the baseline first"),
    "paths/logs": Option("paths", SOME, "[LABEL=]RUN", ARGUMENTS, completes=FILE,
        short="logs of a run: a file, a folder or a pattern", more="; the baseline first"),
    "file/logs": Option("file", ONE, "FILE", ARGUMENTS, completes=FILE, short="a log"),
    "paths/inspect": Option("paths", ANY, "[LABEL=]PATH", ARGUMENTS, completes=FILE,
        short="results", more="; one is enough"),
    "result_file": Option("result_file", ONE, "FILE", ARGUMENTS, completes=FILE, short="the result file"),
    "kind": Option("kind", ONE, "KIND", ARGUMENTS, choices="statera.output.plots:KINDS", short="what to draw"),
    "paths/plot": Option("paths", ANY, "[LABEL=]PATH", ARGUMENTS, completes=FILE,
        short="the baseline first", more="; plots of values need only one"),
    "runs/cluster-analyse": Option("runs", SOME, "RUN", ARGUMENTS, completes=FOLDER, short="directories of runs"),
    "runs/cluster-compare": Option("runs", SOME, "[LABEL=]RUN", ARGUMENTS, completes=FOLDER,
        short="the baseline first"),
    "analysis": Option("analysis", ONE, "OUT", ARGUMENTS, completes=FOLDER, short="the directory of an analysis"),
    "which": Option("which", ONE, "WHICH", ARGUMENTS, short="the beginning of the block's hash, or its slot"),
    "which/cluster-host": Option("which", ONE, "NAME", ARGUMENTS, short="the name of the host"),
    "inputs/convert": Option("inputs", SOME, "[LABEL=]PATH", ARGUMENTS, completes=FILE,
        short="files, folders, quoted patterns or -"),
    "paths/store-add": Option("paths", SOME, "PATH", ARGUMENTS, completes=FILE,
        short="the folder of a run, or result files"),
    "name/store-show": Option("name", ONE, "NAME", ARGUMENTS,
        short="a name, for all of its runs", more="; NAME/2 for the second"),
    "inputs": Option("inputs", SOME, "PATH", ARGUMENTS, completes=FILE, short="files, folders, quoted patterns or -"),
    "benchmark/history-show": Option("benchmark", OPTIONAL, "BENCHMARK", ARGUMENTS,
        short="a pattern of names", more=" (all)"),
    "commits": Option("commits", ONE, "OLD..NEW", ARGUMENTS,
        short="two commits that were measured, the baseline first"),
    "alert": Option("alert", ONE, "ALERT", ARGUMENTS, short="the alert, as statera history points names it"),
    "alert/history-backfill": Option("alert", OPTIONAL, "ALERT", ARGUMENTS,
        short="the alert, as statera history points names it", more=" (all open ones)"),
    "url/history-link": Option("url", ONE, "URL", ARGUMENTS, short="the page of the issue"),
    "commit/history-expect": Option("commit", ONE, "COMMIT", ARGUMENTS,
        short="the commit that makes the change, or FIRST..LAST"),
    "text": Option("text", ONE, "TEXT", ARGUMENTS,
        short="PATTERN LOW..HIGH REASON, such as 'Parse/* +5%..+15% checks input'"),
    "old": Option("old", ONE, "OLD", ARGUMENTS, short="the whole old name", more="; patterns are not supported"),
    "new": Option("new", ONE, "NEW", ARGUMENTS, short="the new name, whether or not a job has it yet"),
    "name/server-project-add": Option("name", ONE, "NAME", ARGUMENTS,
        short="letters, digits, dots, dashes and underscores"),
    "name/server-project-change": Option("name", ONE, "NAME", ARGUMENTS, short="the project"),
    "name/server-token-add": Option("name", ONE, "NAME", ARGUMENTS, short="its name in lists and decisions"),
    "number": Option("number", NUMBER, "N", ARGUMENTS, short="the token, as list numbers it"),
    "project/server-hook-add": Option("project", ONE, "PROJECT", ARGUMENTS, short="the project"),
    "url/server-hook-add": Option("url", ONE, "URL", ARGUMENTS,
        short="where messages are sent, beginning with https://"),
    "number/server-hook-remove": Option("number", NUMBER, "N", ARGUMENTS, short="the hook, as list numbers it"),
    "issuer/server-trust-add": Option("issuer", ONE, "ISSUER", ARGUMENTS,
        short="who signs the tokens, such as https://gitlab.com"),
    "number/server-trust-remove": Option("number", NUMBER, "N", ARGUMENTS, short="the entry, as list numbers it"),
    "input/server-restore": Option("input", ONE, "FILE", ARGUMENTS, completes=FILE, short="the backup"),
    "name/formats": Option("name", OPTIONAL, "NAME", ARGUMENTS, completes=FORMAT,
        short="the name of a format, as --format takes it"),
    "code": Option("code", ANY, "CODE", ARGUMENTS,
        short="a code in square brackets, as an output shows it, or a column's name"),
    "shell/completion": Option("shell", ONE, "", ARGUMENTS, choices=("bash", "zsh", "tcsh"), short="the shell"),

    # ROUNDS
    "runs/run": Option("-r --runs", INTEGER, "N", ROUNDS, main=True, short="exactly this number of rounds"),
    "until": Option("--until", TEXT, "WHAT", ROUNDS, main=True,
        short="when to end",
        more=": decided (default: when every benchmark is decided), or width:1% (when every interval is that narrow)"),
    "min-runs": Option("-m --min-runs", INTEGER, "N", ROUNDS,
        short="decide nothing before this many rounds"),
    "max-runs": Option("-M --max-runs", INTEGER, "N", ROUNDS,
        short="end after at most this many rounds", more=" (60)"),
    "max-time": Option("--max-time", TEXT, "TIME", ROUNDS, main=True,
        short="end at the first look after this time", more=", for instance 10m"),
    "warmup": Option("-w --warmup", INTEGER, "N", ROUNDS, main=True,
        short="warm-up invocations of each command", more=", which give no samples (0)"),
    "order": Option("--order", TEXT, "", ROUNDS, choices=("random", "abba", "interleaved", "sequential", "duet"),
        short="order within a round",
        more=": random (default), abba, interleaved, sequential (one command after the other), duet (two at the same"
             " time on two halves of the cores)"),
    "seed/run": Option("--seed", INTEGER, "N", ROUNDS, name="order_seed",
        short="seed of the order", more=" (drawn at random; the manifest records it)"),

    # AROUND
    "setup": Option("-s --setup", TEXT, "CMD", AROUND, completes=COMMAND, main=True,
        short="execute once before the first round"),
    "prepare": Option("-p --prepare", EACH, "CMD", AROUND, completes=COMMAND, main=True,
        short="execute before every invocation", more=" (once for all commands, or once for each)"),
    "conclude": Option("-C --conclude", EACH, "CMD", AROUND, completes=COMMAND,
        short="execute after every invocation", more=" (once for all commands, or once for each)"),
    "cleanup": Option("-c --cleanup", TEXT, "CMD", AROUND, completes=COMMAND,
        short="execute once after the last round"),

    # COMMANDS
    "command-name": Option("-n --command-name", EACH, "NAME", COMMANDS, main=True,
        short="name of a command", more="; repeat it in the order of the commands"),
    "parameter-scan": Option("-P --parameter-scan", THREE, "VAR MIN MAX", COMMANDS, completes=COMMAND,
        short="run with each number from MIN to MAX in place of {VAR}", more=" (repeatable)"),
    "parameter-step-size": Option("-D --parameter-step-size", EACH, "STEP", COMMANDS, short="step of -P", more=" (1)"),
    "across": Option("--across", TWO, "REV REV", COMMANDS, completes=COMMAND, main=True,
        short="build two revisions of the project in this folder, and compare them",
        more="; by experiment.toml, or without one as --init writes it. The tree as it is: ."),
    "parameter-list": Option("-L --parameter-list", TWO, "VAR VALUES", COMMANDS, completes=COMMAND, main=True,
        short="run with each of these values in place of {VAR}",
        more="; commas stand between the values (repeatable)"),
    "shell": Option("-S --shell", TEXT, "SHELL", COMMANDS, completes=COMMAND, main=True,
        short="shell that executes the commands, such as bash", more="; the word default is sh (no shell)"),
    "N": Option("-N", SET, "", COMMANDS, const="none", name="shell", short="no shell", more=" (the default)"),
    "i": Option("-i", SET, "", COMMANDS, const="all-non-zero", name="ignore_failure",
        short="count invocations with any exit code as samples"),
    "ignore-failure": Option("--ignore-failure", MAYBE, "CODES", COMMANDS, const="all-non-zero",
        short="count invocations with these exit codes as samples", more=", or with any: --ignore-failure=1,2"),
    "input": Option("--input", EACH, "WHERE", COMMANDS, completes=FILE,
        short="standard input", more=": null (default) or a file"),
    "env": Option("--env", EACH, "NAME=VALUE", COMMANDS, completes=COMMAND,
        short="set a variable for all commands", more=" (repeatable)"),
    "timeout": Option("--timeout", TEXT, "TIME", COMMANDS,
        short="end an invocation after this time", more=", for instance 30s; it then gives no sample"),
    "on": Option("--on", TEXT, "HOSTS", COMMANDS,
        short="run the commands on these machines, by ssh", more=", with commas between: alpha,user@beta (this one)"),
    "pin": Option("--pin", TEXT, "CPUS", COMMANDS,
        short="cores that commands may use", more=": 2, 0-1 or isolated (all)"),

    "service": Option("--service", EACH, "CMD", COMMANDS, completes=COMMAND,
        short="a server that runs beside the commands",
        more=", started and stopped for each invocation; {port} is a free port, {data} an empty folder (repeatable)"),
    "ready": Option("--ready", EACH, "HOW", COMMANDS, completes=COMMAND,
        short="how to see that a service serves",
        more=": tcp:PORT, http://ADDRESS, log:REGEX, or a command that ends with 0 (tcp:{port})"),
    "service-scope": Option("--service-scope", TEXT, "SCOPE", COMMANDS, choices=("run", "variant", "experiment"),
        short="how long services live", more=": one run, all runs of a variant, or the whole experiment (run)"),
    "service-pin": Option("--service-pin", TEXT, "CPUS", COMMANDS,
        short="cores of services", more=", such as 2, 0-1 or isolated, apart from those of commands, which "
             "--pin names (all)"),

    # OUTPUT
    "output/run": Option("--output", EACH, "WHERE", OUTPUT,
        short="where commands print to",
        more=": null (default), pipe (kept in the run's folder), inherit (shown, with standard error), or a file "
             "(once for all commands, or once for each)"),
    "output-format": Option("-f --output-format", TEXT, "FORMAT", OUTPUT, choices=FORMATS, main=True,
        short="format: terminal, markdown, csv or json"),
    "sort": Option("--sort", TEXT, "", OUTPUT, choices=SORTS,
        short="order of the rows", more=" (worst; file in csv and json)"),
    "colour": Option("--colour --color", TEXT, "", OUTPUT, choices=("auto", "always", "never"), default="auto",
        short="colour the verdicts", more=" (auto: on a terminal)"),
    "width": Option("--width", INTEGER, "N", OUTPUT,
        short="width of the table in characters", more=" (the terminal's width)"),
    "si": Option("--si", FLAG, "", OUTPUT,
        short="write bytes as kB and MB of a thousand each", more=", instead of KiB and MiB of 1,024"),
    "all-rows": Option("--all-rows", FLAG, "", OUTPUT,
        short="show every benchmark",
        more=", also those without a change (terminal and markdown; csv and json have all)"),
    "all-notes": Option("--notes", FLAG, "", OUTPUT, name="all_notes",
        short="show every note on the data", more=", not only the two that matter most (terminal)"),
    "method": Option("--method", FLAG, "", OUTPUT,
        short="name the tests and their correction", more=" (terminal; json always does)"),
    "export-json": Option("--export-json", TEXT, "FILE", OUTPUT, completes=FILE,
        short="also write the times as JSON, as hyperfine does"),
    "output": Option("-o --output", TARGET, "FILE", OUTPUT, completes=FILE, main=True,
        short="write to this file", more="; its extension selects the format ('-': standard output)"),
    "raw-csv": Option("--raw-csv", FLAG, "", OUTPUT,
        short="leave text in CSV as it is",
        more=": put no ' in front of text that a spreadsheet would run as a formula"),
    "changed": Option("--changed", FLAG, "", OUTPUT, main=True,
        short="show only what changed", more="; verdicts are those of the whole comparison"),
    "only/compare": Option("--only", EACH, "VERDICT", OUTPUT, main=True,
        short="show only what has this verdict",
        more=", such as slower, faster, unchanged or a code as -f csv has it; the answer and the gate stay those of "
             "all benchmarks (repeatable, or with commas)"),
    "mean": Option("--mean", FLAG, "", OUTPUT, setting="mean",
        short="show the change of the mean of every benchmark", more=" with its interval"),
    "quantiles": Option("--quantiles", MAYBE, "LIST", OUTPUT, const=DECILES, main=True,
        short="show the quantiles of every variant",
        more=f" and the shift function, for instance --quantiles=5,50,95 ({DECILES})"),
    "blocks": Option("--blocks", MAYBE, "N", OUTPUT, const="10",
        short="name the blocks that changed most",
        more=" of every paired benchmark, such as slots, and split them by major collections where those are "
             "counted (10)"),
    "result": Option("--result", TEXT, "FILE", OUTPUT, completes=FILE,
        short="also write the result for statera report comment",
        more=" as numbers, and why if nothing can be compared"),
    "sort/inspect": Option("--sort", TEXT, "", OUTPUT, choices=SORTS_OF_INSPECTION, default="defects",
        short="order of the rows"),
    "output/report": Option("-o --output", EACH, "FILE", OUTPUT, completes=FILE, main=True,
        short="write to this file, .html, .pdf or .md",
        more=", or the answer to card.svg or badge.svg (repeatable)"),
    "picture-base": Option("--picture-base", TEXT, "URL", OUTPUT, default="",
        short="address below which a Markdown report has its pictures", more=" and files, instead of beside it"),
    "title": Option("--title", TEXT, "TEXT", OUTPUT, default="", main=True, short="title of the report"),
    "notes": Option("--notes", TEXT, "FILE", OUTPUT, completes=FILE, main=True,
        short="Markdown file with your own text",
        more="; the headings '# summary', '# method' … place it in the report's sections"),
    "atlas": Option("--atlas", FLAG, "", OUTPUT,
        short="add the histogram, density and Q-Q plot of every benchmark",
        more=" (a report of one variant always has them)"),
    "output/plot": Option("-o --output", TEXT, "FILE", OUTPUT, completes=FILE, main=True,
        short="write to this file, .svg, .png, .html or .json", more=" (the kind of the plot, as .svg)"),
    "theme": Option("--theme", TEXT, "", OUTPUT, choices=("light", "dark", "auto"), main=True,
        short="colour scheme", more=" (light; auto for .html)"),
    "width/plot": Option("--width", INTEGER, "PIXELS", OUTPUT, default=720, short="width of the plot"),
    "zoom": Option("--zoom", DECIMAL, "N", OUTPUT, default=2.0, short="PNG dots per pixel", more=" (2)"),
    "most": Option("--most", INTEGER, "N", OUTPUT, short="maximum number of panels or rows"),
    "facet": Option("--facet", TEXT, "KEY", OUTPUT,
        short="draw a panel for each level of this factor", more=" of --by or --within (speedup)"),
    "log": Option("--log", SET, "", OUTPUT, const=True, short="use a logarithmic axis of values"),
    "linear": Option("--linear", SET, "", OUTPUT, const=False, name="log",
        short="use a linear axis of values", more=" (chosen from the data)"),
    "output/cluster-analyse": Option("-o --output", TEXT, "OUT", OUTPUT, required=True, completes=FOLDER,
        short="directory of the results"),
    "output-format/cluster-compare": Option("-f --output-format", TEXT, "FORMAT", OUTPUT,
        choices=(*FORMATS, *DOCUMENTS), main=True,
        short="format: terminal, markdown, csv, json, html or pdf"),
    "sort/cluster-compare": Option("--sort", TEXT, "", OUTPUT, choices=SORTS_OF_CLUSTERS, default="report",
        short="order of the rows"),
    "notes/cluster-report": Option("--notes", TEXT, "FILE", OUTPUT, completes=FILE,
        short="Markdown file with your own text",
        more="; the headings '# summary', '# results' … place it in the report's sections"),
    "output/convert": Option("-o --output", TEXT, "FILE", OUTPUT, required=True, completes=FILE,
        short="write to this file, .parquet, .csv or .ndjson"),
    "output/machine": Option("-o --output", TEXT, "FILE", OUTPUT, completes=FILE, main=True,
        short="write them to this file, as JSON"),
    "output-format/history-show": Option("-f --output-format", TEXT, "FORMAT", OUTPUT, choices=("terminal", "json"),
        default="terminal",
        short="format: terminal or json"),
    "output/history-badge": Option("-o --output", TEXT, "FILE", OUTPUT, required=True, completes=FILE,
        short="the file, .svg"),
    "output/history-site": Option("-o --output", TEXT, "DIR", OUTPUT, required=True, completes=FOLDER,
        short="the folder of the pages"),
    "output/history-export": Option("-o --output", TEXT, "FILE", OUTPUT, completes=FILE,
        short="write to this file, .parquet or .csv"),
    "output/server-backup": Option("-o --output", TEXT, "FILE", OUTPUT, required=True, completes=FILE,
        short="write this file, a tar archive"),

    # MEASURED
    "format/run": Option("--format", TEXT, "NAME", MEASURED, completes=FORMAT,
        short="read the results that commands print in this format", more=" (time the commands)"),
    "counters": Option("--counters", TEXT, "NAMES", MEASURED,
        short="also count events", more=": instructions,cycles or callgrind; docs/machine.md"),
    "decide-by": Option("--decide-by", TEXT, "METRIC", MEASURED,
        short="metric that ends the rounds, and that the gate judges: time, cpu, instructions, any …",
        more=" (time; cpu where the machine is busy)"),
    "only": Option("--only", EACH, "PATTERN", MEASURED, short="only matching benchmarks"),
    "self-test": Option("--self-test", FLAG, "", MEASURED,
        short="run the baseline a second time, as another variant"),

    "profile": Option("--profile", FLAG, "", MEASURED,
        short="after the rounds, profile what changed most",
        more=" with perf, else callgrind; --only names other rows"),

    # FOLDERS
    "o": Option("-o", TEXT, "DIR", FOLDERS, name="folder", completes=FOLDER, main=True,
        short="folder of the run", more=" (statera-runs/DATE-ID)"),
    "resume": Option("--resume", TEXT, "DIR", FOLDERS, completes=FOLDER, main=True,
        short="continue an interrupted run", more="; with -r, -M or --more also a finished one, with more rounds"),
    "more": Option("--more", INTEGER, "N", FOLDERS,
        short="add this many rounds to a finished run, the newest one or COMMAND"),
    "status": Option("--status", TEXT, "DIR", FOLDERS, completes=FOLDER,
        short="show how far a run is, even while it runs"),
    "verify": Option("--verify", TEXT, "DIR", FOLDERS, completes=FOLDER,
        short="run what changed most in a finished run again", more=", alone and pinned; --only names other rows"),

    # INSTEAD
    "check": Option("--check", FLAG, "", INSTEAD,
        short="report what on this machine disturbs measurements"),
    "list": Option("--list", FLAG, "", INSTEAD, short="list variants and benchmarks"),
    "dry-run": Option("--dry-run", FLAG, "", INSTEAD, main=True,
        short="show commands and the order of the first rounds"),
    "build-only": Option("--build-only", FLAG, "", INSTEAD, short="build what the experiment file names"),
    "init": Option("--init", FLAG, "", INSTEAD, short="write an example experiment.toml for the current folder"),

    # GATE
    "fail-on": Option("--fail-on", EACH, "WHAT", GATE, main=True,
        short="exit with 1 on worse[:MARGIN][,changed][,missing]",
        more="; with a margin the whole interval must lie beyond it; typical-worse and tail-worse restrict worse "
             "to the typical value or to slow runs; suite-worse[:MARGIN] is a metric of which all benchmarks "
             "together are worse; changed[:MARGIN] includes what became better; inconclusive is no clear change "
             "(repeatable)"),
    "accept-one-process": Option("--accept-one-process", FLAG, "", GATE,
        short="let the gate fail on what differs for the worse", more=" (one process or one run per build)"),
    "accept-parametric": Option("--accept-parametric", FLAG, "", GATE,
        short="let the gate fail on what only a t-test decides", more=", because they have so few runs"),

    # POLICY
    "alpha": Option("--alpha", DECIMAL, "P", POLICY, setting="alpha",
        short="significance level", more=": the accepted probability of a false alarm"),
    "margin": Option("--margin", EACH, "[NAMES=]M", POLICY, setting="margin", main=True,
        short="largest change that does not matter",
        more=": 5%, or an amount such as 1ms, 16B or +3 (in the metric's unit); for all, or for the metrics or else "
             "the benchmarks whose names match, as in 'sec/op=5%' or 'Doc*=1ms'; the last that matches is used (times "
             "2%, counts that vary 0.1%, others 1%; repeatable)"),
    "correction": Option("--correction", TEXT, "", POLICY, choices="statera.support.settings.policy:CORRECTIONS",
        setting="correction",
        short="how p-values are corrected for multiple comparisons",
        more=" (auto: chosen from the numbers of runs, rows and variants)"),
    "better": Option("--better", EACH, "METRIC=WAY", POLICY, setting="better",
        short="direction of a metric", more=": lower, higher or none is better (repeatable)"),
    "omnibus": Option("--omnibus", TEXT, "", POLICY, choices="statera.support.settings.policy:OMNIBUS",
        setting="omnibus",
        short="omnibus test over three or more paired variants", more=" (friedman)"),
    "scale": Option("--scale", TEXT, "", POLICY, choices=("auto", "difference"), setting="scale",
        short="express changes as ratios or as differences", more=" (auto: as ratios if all values are positive)"),
    "seed": Option("--seed", INTEGER, "N", POLICY, setting="seed",
        short="seed of all random numbers", more="; every result records it"),

    # SETTINGS
    "limit": Option("--limit", EACH, "NAME=VALUE", SETTINGS, setting="limits",
        short="raise or lower a limit on the input",
        more=", for instance bytes=4GiB: files, bytes, expansion, line, values, keys, contexts, inherited, metrics, "
             "pairs, groups (repeatable)"),
    "config": Option("--config", TEXT, "FILE", SETTINGS, completes=FILE,
        short="settings file", more=" (the nearest statera.toml or pyproject.toml)"),
    "no-config": Option("--no-config", FLAG, "", SETTINGS, short="ignore settings files"),
    "jobs": Option("--jobs", INTEGER, "N", SETTINGS, default=0, main=True,
        short="number of threads", more=" (all cores)"),

    # SELECTION
    "by": Option("--by", TEXT, "KEY[,KEY]", SELECTION, default="", main=True,
        short="compare the values of this key, factor or part of names",
        more=", such as size of 'Encode/size=64'; with several keys, their combinations"),
    "pair": Option("--pair", TEXT, "KEY", SELECTION, default="auto", main=True,
        short="pair samples by this key, by 'block' or by 'order'", more=" (by block if the format has blocks)"),
    "unpaired": Option("--unpaired", SET, "", SELECTION, const="unpaired", name="pair",
        short="treat samples as independent even if they could be paired"),
    "benchmark": Option("--benchmark", EACH, "PATTERN", SELECTION, main=True,
        short="only benchmarks with this name",
        more=", or if there is none, with this text in their name; or '*link*', /regex/, '!exclude' (repeatable)"),
    "metric": Option("--metric", EACH, "PATTERN", SELECTION, main=True,
        short="only metrics whose name matches", more=": '*alloc*', /regex/ or '!exclude' (repeatable)"),
    "rename": Option("--rename", EACH, "OLD=NEW", SELECTION,
        short="benchmark OLD of a build is NEW of another", more=" (repeatable)"),
    "unit": Option("--unit", EACH, "PATTERN", SELECTION, short="only matching units", more=" (repeatable)"),
    "where": Option("--where", EACH, "KEY=PATTERN", SELECTION, main=True,
        short="only results whose configuration key, or file, matches", more=" (repeatable)"),
    "all-metrics": Option("--all-metrics", FLAG, "", SELECTION,
        short="include the metrics that the format marks as secondary"),
    "pool": Option("--pool", EACH, "KEY", SELECTION, main=True,
        short="combine the values of this key", more=" instead of comparing them separately (repeatable)"),
    "within": Option("--within", EACH, "KEY", SELECTION,
        short="compare separately at each level of this key or factor", more=" (repeatable)"),
    "baseline": Option("--baseline", TEXT, "LABEL", SELECTION, main=True,
        short="label of the baseline", more=" (the first variant)"),
    "pairs": Option("--pairs", TEXT, "", SELECTION, choices=("baseline", "all"), default="baseline",
        short="compare each variant with the baseline, or all pairs"),
    "apart": Option("--apart", FLAG, "", SELECTION,
        short="compare what benchmarks did apart from all others",
        more=": without what all of them share, such as a slow machine; not with --fail-on, because a change of "
             "everything is then gone"),
    "inspect": Option("--inspect", FLAG, "", SELECTION, main=True,
        short="inspect each variant and draw every benchmark", more="; compare nothing"),
    "baseline-runs": Option("--baseline-runs", SEVERAL, "RUN", SELECTION, completes=FOLDER,
        short="earlier runs of the baseline's build",
        more=": they show how much its runs differ, so that a single new run can be judged"),
    "stretch": Option("--stretch", FLAG, "", SELECTION,
        short="compare all jobs at the level of each commit", more=", between the changes around it"),

    # FACTORS
    "factor": Option("--factor", EACH, "LABEL:KEY=VALUE", FACTORS,
        short="set a factor of the files with this label", more=" (repeatable)"),
    "variants": Option("--variants", TEXT, "FILE", FACTORS, name="manifest", completes=FILE,
        short="CSV or TOML table of variants",
        more=": one column 'file' or 'label', the other columns are factors; its files are read if no PATH is given"),
    "name-pattern": Option("--name-pattern", EACH, "PATTERN", FACTORS,
        short="read factors from file names", more=", for instance '{rev}-{ghc}-from' (repeatable)"),
    "machine": Option("--machine", EACH, "[LABEL=]FILE", FACTORS, completes=FILE,
        short="what statera machine wrote where a build was measured", more=" (repeatable)"),

    # READING
    "format": Option("--format", TEXT, "NAME", READING, completes=FORMAT, main=True,
        short="read every file as this format", more=" (detected from the content)"),
    "column": Option("--column", EACH, "ROLE=COLUMN", READING, completes=COLUMN,
        short="in plain tables, what a column is",
        more=": benchmark, value, unit, block, process, better, variant, metric (a result, or the name of the "
             "metric), repetition (of one measurement: run* for run1, run2, …), setting (it was varied), count (of "
             "the samples of a mean), or nothing of use (ignore) (repeatable)"),
    "strict": Option("--strict", FLAG, "", READING, short="exit 2 if any possible result could not be read"),

    # COSTS
    "cost-run": Option("--cost-run", DECIMAL, "SECONDS", COSTS,
        short="time that a run takes before its first iteration"),
    "cost-iteration": Option("--cost-iteration", DECIMAL, "SECONDS", COSTS,
        short="time that an iteration takes", more=" (its typical value, if the metric is a time)"),

    # SELF_TEST
    "aa": Option("--aa", FLAG, "", SELF_TEST, main=True,
        short="A/A test: all results come from one build", more="; split them many times and compare the halves"),
    "splits": Option("--splits", INTEGER, "N", SELF_TEST, default=200, short="maximum number of splits"),
    "propose": Option("--propose", FLAG, "", SELF_TEST,
        short="write settings that an A/A test measured",
        more=", and nothing else: how much sessions differ, and the noise floor of each metric, as lines of "
             "statera.toml; with --aa"),

    # OPTIONS_OF_VERB
    "commit": Option("--commit", TEXT, "SHA", OPTIONS_OF_VERB,
        short="the commit of the run", more=" (the one that the CI states)"),
    "name/report-comment": Option("--name", TEXT, "NAME", OPTIONS_OF_VERB, default="default",
        short="comments of several names stand beside each other"),
    "always": Option("--always", FLAG, "", OPTIONS_OF_VERB, short="write a comment also if there is nothing to say"),
    "dry-run/report-comment": Option("--dry-run", FLAG, "", OPTIONS_OF_VERB,
        short="print the comment, and ask no forge"),
    "unlocked": Option("--unlocked", FLAG, "", OPTIONS_OF_VERB,
        short="do without a lock if the file system of OUT has none",
        more="; make sure that nothing else writes to OUT"),
    "name/store-add": Option("--name", TEXT, "", OPTIONS_OF_VERB,
        short="the name", more=" (the levels of the run's factors, or the name of the file); runs that have it stay"),
    "push": Option("--push", FLAG, "", OPTIONS_OF_VERB,
        short="then fetch and push the branch of the history", more=", as statera history sync does"),
    "metric/history-show": Option("--metric", TEXT, "NAME", OPTIONS_OF_VERB,
        short="only this metric", more=" (the primary ones)"),
    "all": Option("--all", FLAG, "", OPTIONS_OF_VERB, short="also list decided and announced alerts"),
    "state": Option("--state", TEXT, "STATE", OPTIONS_OF_VERB,
        short="only alerts in this state", more=": new, acknowledged, noise …"),
    "since": Option("--since", TEXT, "COMMIT", OPTIONS_OF_VERB,
        short="check all commits after this one", more=" (only the newest)"),
    "fail-on/history-check": Option("--fail-on", EACH, "WHAT", OPTIONS_OF_VERB,
        short="exit with 1 on worse[:M][,missing]",
        more=": changes for the worse (of at least M, as in worse:5%) that are still open; series that the newest "
             "commit lacks (repeatable)"),
    "family": Option("--family", TEXT, "", OPTIONS_OF_VERB, choices=("series", "suite"), default="series",
        short="what the gate counts",
        more=": the changes of each series by itself, or only those significant among all series (suite)"),
    "experiment": Option("--experiment", TEXT, "FILE", OPTIONS_OF_VERB, completes=FILE,
        short="an experiment file", more="; also print the commands that measure the commits"),
    "experiment/history-backfill": Option("--experiment", TEXT, "FILE", OPTIONS_OF_VERB, completes=FILE,
        default="experiment.toml",
        short="the experiment file that builds and measures a commit", more=" (experiment.toml)"),
    "budget": Option("--budget", TEXT, "TIME", OPTIONS_OF_VERB, default="30m",
        short="begin no measurement that would end after this time", more=" (30m)"),
    "dry-run/history-compact": Option("--dry-run", FLAG, "", OPTIONS_OF_VERB,
        short="change nothing; say what would be merged"),
    "samples": Option("--samples", INTEGER, "N", OPTIONS_OF_VERB,
        short="keep the values of so many last jobs of a series", more=" (200)"),
    "around": Option("--around", INTEGER, "N", OPTIONS_OF_VERB,
        short="keep the values of so many jobs before and after each change", more=" (20)"),
    "dry-run/history-backfill": Option("--dry-run", FLAG, "", OPTIONS_OF_VERB,
        short="list the commits in the order of the measurements, and measure none"),
    "reason": Option("--reason", TEXT, "TEXT", OPTIONS_OF_VERB, default="", short="what is known"),
    "as": Option("--as", TEXT, "", OPTIONS_OF_VERB, choices=("noise", "wontfix", "expected", "fixed"),
        default="noise", name="word",
        short="the new state of the alert"),
    "reason/history-ignore": Option("--reason", TEXT, "TEXT", OPTIONS_OF_VERB, required=True,
        short="the reason, for those who ask later"),
    "reason/history-rename": Option("--reason", TEXT, "TEXT", OPTIONS_OF_VERB, default="",
        short="the reason, for those who ask later"),
    "older": Option("--older", INTEGER, "DAYS", OPTIONS_OF_VERB, default=31,
        short="only months that ended at least this many days ago"),
    "commit-url": Option("--commit-url", TEXT, "URL", OPTIONS_OF_VERB, setting="history.commit_url",
        short="the address of a commit's page, with {commit} for its name",
        more=" (commit_url in the table [history] of the settings)"),
    "lake": Option("--lake", TEXT, "DIR", OPTIONS_OF_VERB, required=True, completes=FOLDER,
        short="write Parquet to DIR/project=NAME/month=YYYY-MM"),
    "label": Option("--label", TEXT, "NAME", OPTIONS_OF_VERB, default="statera", short="the label of the issues"),
    "most/history-issues": Option("--most", INTEGER, "N", OPTIONS_OF_VERB, default=5,
        short="open at most this many in one call"),
    "host": Option("--host", TEXT, "NAME", OPTIONS_OF_VERB, default="127.0.0.1", short="listen on this address"),
    "port": Option("--port", INTEGER, "N", OPTIONS_OF_VERB, default=8750,
        short="listen on this port", more=" (8750; 0: any free port)"),
    "address": Option("--address", TEXT, "URL", OPTIONS_OF_VERB, default="",
        short="where browsers find the server",
        more=", such as https://perf.example.org behind a proxy (the socket itself)"),
    "data": Option("--data", TEXT, "DIR", OPTIONS_OF_VERB, default="statera-data", completes=FOLDER,
        short="a folder for copies of uploads", more=", and for the database if --database names none"),
    "database": Option("--database", TEXT, "URL", OPTIONS_OF_VERB,
        short="sqlite:///FILE, or postgresql://USER@HOST/NAME", more=" (the environment's STATERA_DATABASE)"),
    "allow-private-hooks": Option("--allow-private-hooks", FLAG, "", OPTIONS_OF_VERB,
        short="allow webhooks to machines in the server's network"),
    "open-metrics": Option("--open-metrics", FLAG, "", OPTIONS_OF_VERB,
        short="let this machine read /metrics without a token"),
    "public": Option("--public", FLAG, "", OPTIONS_OF_VERB, short="everybody may read it, without a token"),
    "commit-url/server-project-add": Option("--commit-url", TEXT, "URL", OPTIONS_OF_VERB, default="",
        short="the page of a commit, with {commit} in it"),
    "lane/server-project-add": Option("--lane", EACH, "KEY", OPTIONS_OF_VERB,
        short="a fact about machines that keeps jobs apart", more=" (cpu and runner)"),
    "public/server-project-change": Option("--public", SET, "", OPTIONS_OF_VERB, const=True, name="is_public",
        short="everybody may read it"),
    "private": Option("--private", SET, "", OPTIONS_OF_VERB, const=False, name="is_public",
        short="only tokens may read it"),
    "commit-url/server-project-change": Option("--commit-url", TEXT, "URL", OPTIONS_OF_VERB,
        short="the page of a commit, with {commit} in it"),
    "margin/server-project-change": Option("--margin", EACH, "[NAMES=]M", OPTIONS_OF_VERB,
        short="largest change that does not matter",
        more=": 5%, or an amount such as 1ms; for all, or for the metrics or benchmarks whose names match. They "
             "replace those of before; none removes them"),
    "project/server-token-add": Option("--project", TEXT, "NAME", OPTIONS_OF_VERB,
        short="the project", more=" (without it, the server's own)"),
    "role": Option("--role", TEXT, "", OPTIONS_OF_VERB, choices=("read", "write", "admin"), default="read",
        short="its role in the project"),
    "days": Option("--days", INTEGER, "N", OPTIONS_OF_VERB, short="days until it expires", more=" (never)"),
    "most/server-audit": Option("--most", INTEGER, "N", OPTIONS_OF_VERB, default=100, short="list at most this many"),
    "audience": Option("--audience", TEXT, "TEXT", OPTIONS_OF_VERB, required=True,
        short="for whom the tokens are", more=": the address of this server"),
    "claim": Option("--claim", EACH, "NAME=PATTERN", OPTIONS_OF_VERB,
        short="what a claim has to be, such as repository=acme/parser", more="; * stands for any characters"),
    "form": Option("--form", TEXT, "", OPTIONS_OF_VERB, choices=("json", "slack"), default="json",
        short="form of the messages"),

    # ANALYSIS
    "filter": Option("--filter", EACH, "FILTER", ANALYSIS,
        short="replace the run's own filters",
        more=": a name (unitary), a condition ('SlotGEq 20000'), JSON, or none"),
    "mapping": Option("--mapping", TEXT, "NAME", ANALYSIS, main=True,
        short="the mapping of log lines to events", more=": a name or a TOML file (cardano)"),
    "mapping/logs": Option("--mapping", TEXT, "NAME", READING, required=True, main=True,
        short="which lines there are, and what is measured", more=": a built-in mapping or a TOML file"),
    "lines": Option("--lines", INTEGER, "N", OUTPUT, default=20, main=True, short="number of lines to show"),
    "memory": Option("--memory", TEXT, "SIZE", ANALYSIS, default="1GiB",
        short="memory of the analysis, or of each executor of Spark"),
    "most-files": Option("--most-files", INTEGER, "N", ANALYSIS, default=50000,
        short="largest number of files of a run", more="; each file takes memory (50,000)"),
    "engine": Option("--engine", TEXT, "", ANALYSIS, choices=("auto", "duckdb", "spark"), default="auto", main=True,
        short="the engine of the analysis",
        more="; auto is spark with --master, and duckdb without; with spark, executors read "
             "the logs under the same paths or addresses such as s3a://BUCKET/RUN (this machine reads files of up to "
             "64 MiB that they cannot open)"),
    "correct-clocks": Option("--correct-clocks", FLAG, "", ANALYSIS,
        short="also write OUT/corrected",
        more=": the analysis with the times of hosts corrected whose clocks are off by more than delays explain"),
    "master": Option("--master", TEXT, "URL", ANALYSIS,
        short="the master of Spark", more=": spark://HOST:7077, yarn, … (local[*])"),

    # HISTORY
    "history/history-add": Option("--history", TEXT, "PLACE", HISTORY, setting="history.place",
        short="the place of the history",
        more=": a folder, or git:BRANCH or git:REMOTE:BRANCH for a branch of a remote repository; also "
             "https://HOST/p/PROJECT, with a token in STATERA_TOKEN (place in the table [history] of the settings,"
             " otherwise, in a git repository, git:statera-history)"),
    "history": Option("--history", TEXT, "PLACE", HISTORY, setting="history.place", main=True,
        short="the place of the history",
        more=": a folder, or git:BRANCH or git:REMOTE:BRANCH for a branch of a remote repository (place in the "
             "table [history] of the settings, otherwise, in a git repository, git:statera-history)"),
    "branch": Option("--branch", TEXT, "NAME", HISTORY, setting="history.branch", main=True,
        short="only this branch", more=" (branch in the settings, otherwise all)"),
    "lane": Option("--lane", EACH, "KEY", HISTORY,
        short="facts about machines that keep jobs apart",
        more=", instead of those of the history (repeatable; none: pool all)"),

    # JOB
    "commit/history-add": Option("--commit", TEXT, "NAME", JOB, main=True, short="the commit that was measured"),
    "branch/history-add": Option("--branch", TEXT, "NAME", JOB, short="the branch that it belongs to"),
    "project/history-add": Option("--project", TEXT, "NAME", JOB, setting="history.project",
        short="the name of the project"),
    "line": Option("--line", TEXT, "FILE", JOB, completes=FILE,
        short="the commit and its first parents, newest first, a line each", more=" (-: standard input)"),
    "started": Option("--started", TEXT, "TIME", JOB, short="when the job began, ISO 8601"),
    "url": Option("--url", TEXT, "URL", JOB, short="the page of the run"),
    "environment": Option("--environment", EACH, "KEY=VALUE", JOB,
        short="a fact about the machine, such as cpu or runner",
        more="; it overrides the fact that was found (repeatable)"),
    "foreign": Option("--foreign", FLAG, "", JOB,
        short="the results come from another machine", more=", so record no facts about this one"),
    "variant": Option("--variant", TEXT, "NAME", JOB, main=True,
        short="the variant to add, if the results have several"),
    "new-unit": Option("--new-unit", FLAG, "", JOB,
        short="accept series whose unit is new to the history", more=", as new series"),
    "branch/history-import": Option("--branch", TEXT, "NAME", JOB,
        short="the branch of all commits", more=" (the branch in the results)"),
    "url/history-import": Option("--url", TEXT, "URL", JOB, short="a page about the results"),

    # SERIES
    "variant/history-import": Option("--variant", TEXT, "NAME", SERIES,
        short="only this variant", more=" (all variants, each with its own series)"),
    "within/history-import": Option("--within", EACH, "KEY", SERIES,
        short="make a separate series for each value of this key", more=" (repeatable)"),
    "pool/history-import": Option("--pool", EACH, "KEY", SERIES,
        short="pool the values of this key into one series",
        more=", such as a version that each commit states (repeatable)"),

    # LIMITS
    "most-received": Option("--most-received", TEXT, "SIZE", LIMITS, default="64MiB", short="largest upload as sent"),
    "most-expanded": Option("--most-expanded", TEXT, "SIZE", LIMITS, default="512MiB",
        short="largest upload, decompressed"),
}
# fmt: on
