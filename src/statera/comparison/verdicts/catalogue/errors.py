"""What is wrong: problems of reading, which are left out, and errors that end a command."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

PROBLEMS: Final[dict[str, Entry]] = {
    "malformed-record": Entry(
        "A line or a record breaks the grammar of its format, and it was left out.",
        "One broken line must not stop the reading of the others. It must not disappear either: it may have "
        "held a result.",
        "Look at the file and line in the message. Run the harness again, or remove the line if it is "
        "not a result. `--strict` turns this into exit code 2.",
    ),
    "malformed-number": Entry(
        "A number is missing, or there is something else in its place.",
        "A guessed number would be wrong data. Counters that the machine could not measure are reported here too.",
        "Look at the file and line in the message. Numbers need a decimal point and no grouping of "
        "digits. If a counter is not supported, leave its metric out with `--metric '!NAME'`.",
    ),
    "not-finite": Entry(
        "A value is NaN or infinite, and it was left out.",
        "Such a value is not a measurement. Every number computed from it would be NaN as well.",
        "Find out why the harness wrote it; a division by zero time or by zero iterations is usual. Then "
        "run the benchmark again.",
    ),
    "negative": Entry(
        "A value is below zero, but its quantity cannot be negative. It was left out.",
        "Times, sizes, counts and rates are never negative. A negative one points to a clock that was "
        "set back or a counter that overflowed.",
        "Check the clock and the counters of the machine, then run the benchmark again. Metrics of an "
        "unknown quantity may be negative and are kept.",
    ),
    "truncated": Entry(
        "The file ends in the middle of a line, a record or a compressed stream.",
        "A cut number can still look like a number: 123.4 without its last digits is 12. The values at the "
        "cut are left out; everything before is used.",
        "Copy or compress the file again. If the run itself was ended early, repeat it.",
    ),
    "broken-file": Entry(
        "The file breaks its format where nothing tells what follows, so that the rest was not read.",
        "A document with a foreign character, a quote that is never closed or a second table below the first one hides "
        "what comes after it. The values before it are used.",
        "Mend the file at the line in the message, or run the harness again.",
    ),
    "line-too-long": Entry(
        "A line is longer than any result of this format can be, and it was left out.",
        "Such a line comes from a damaged file or from other output in the same file. Reading it could "
        "take all memory.",
        "Look at the file. Write the results of the harness to a separate file.",
    ),
    "contradiction": Entry(
        "Two statements about the same thing do not agree.",
        "Only one of them can be true. For units and for repeated rows the first one is used; for the "
        "run's description inside a replay file the last one. The message says which.",
        "Make the statements agree. If two runs were joined into one file, keep one file for each run.",
    ),
    "duplicate-key": Entry(
        "A key occurs twice in one JSON object. The first one was read, and the other was left out.",
        "JSON does not define which of them counts, and programs differ. Silently choosing one would drop a value.",
        "Look at the file and line in the message, and write each key once. If two objects were joined, write them as "
        "two.",
    ),
    "rounded-number": Entry(
        "A whole number has more digits than a value can have. It was rounded and is used.",
        "Values are doubles, which represent every whole number up to 2^53 (about 9 * 10^15) and only some of those "
        "above. Two such numbers that differ in their last digits can become equal.",
        "If the last digits matter, write the number in a larger unit, or as a difference from a fixed one.",
    ),
    "same-file": Entry(
        "A file or a folder was found a second time, by its name or by a link. It counts once.",
        "Otherwise its values would count twice in one variant, which looks like twice as many runs and makes chance "
        "look like an effect.",
        "Nothing, if the name is a link such as `latest`. To use results of several runs, name several files.",
    ),
    "shared-file": Entry(
        "One file belongs to two variants.",
        "Its values are compared with themselves. A difference is then too small or zero, whatever the builds do. This "
        "may be intended: two labels for one file show what no difference looks like.",
        "If it is not intended, check the names: is one a link to the other, or a file inside the folder of the other?",
    ),
    "not-a-file": Entry(
        "A folder or a pattern leads to a pipe, a socket or a device. It was skipped.",
        "Reading it could wait for ever, or never end.",
        "Name it explicitly to read it: a pipe such as `<(command)` is read when it is named.",
    ),
    "failed-invocation": Entry(
        "A command of a run failed: it was not found, it ended by a signal or with an exit code other than 0, it took "
        "too long, or its output has no results.",
        "A failed command did not do the work that is compared, so that it gives no value. The other variants of its "
        "round have no partner in it, and the paired test leaves the round out.",
        "Find out why the command fails, from the message and from its output in the folder `raw` of the run.",
    ),
    "failed-build": Entry(
        "A build of a run failed, so that its variants were not measured.",
        "The other variants were measured all the same.",
        "Correct the build, and start the run again.",
    ),
    "host-lost": Entry(
        "A host of `--on` could not be used, or the connection to it ended during the run.",
        "What was measured on it before is kept, and the other hosts go on. A round that was not complete there has "
        "fewer pairs.",
        "Find out why, from the message. `statera run --resume FOLDER` makes the rounds that are missing, if the run "
        "has not ended by its looks; then `--more N` adds rounds on all hosts.",
    ),
    "rounds-marked": Entry(
        "The machine reported that other work disturbed some rounds of a run. The note counts the rounds of each mark.",
        "Values of such rounds may be slower. They are kept: a round is marked by what the machine reports, never by "
        "its values, and all variants of a round were disturbed alike. `statera explain MARK` explains a mark.",
        "If many rounds are marked, stop the other work and run the experiment again.",
    ),
    "processes-outlived": Entry(
        "Processes that a command started went on when it had ended. Statera ended them.",
        "The system tells what a process used once somebody has waited for its end. Nobody waits for a process that "
        "outlives the command, so that its processor time and page faults are in no value.",
        "Let the command wait for all that it starts, for instance with `wait` at the end of a script.",
    ),
    "not-counted": Entry(
        "A counter was not available, for the reason that the message states.",
        "A counter that is not available has no values; they are never 0.",
        "Correct the reason, for instance with the permission to count, or run on a machine that has the counter.",
    ),
    "assumed-column": Entry(
        "A table does not say what a column is, and only one reading makes sense. It was read so.",
        "A table whose only column of texts names the benchmarks needs no mapping. Nor does a table without a header "
        "that has a text and a number in each row. Runs of one name in a printed output are repetitions, unless a "
        "title above each says what differs; text that stands between them is named, because it may say so.",
        "Nothing, if it is right. Otherwise give the column its role with `--column ROLE=COLUMN`, or each run a title.",
    ),
    "other-lines": Entry(
        "Lines of a log are of no kind that the mapping names. They hold no values.",
        "Logs hold more than what is measured. Many such lines can mean that a pattern does not fit.",
        "Show what each line becomes with `statera logs try FILE --mapping MAPPING`.",
    ),
    "unmatched-keys": Entry(
        "Keys of a log have only the first or only the second event of a time.",
        "They have no time. Many such keys mean that requests failed, or that the mapping names the wrong lines.",
        "Find one of the keys in the logs, and correct the conditions of `from` and `to`.",
    ),
    "repeated-keys": Entry(
        "Keys of a log have the first event of a time several times, or the second one on the same host.",
        "The time is that between the earliest ones. If a key is used again for other work, such as a number that "
        "starts anew after a restart, the later work has no time.",
        "If a key stands for different work, add a field to `key` that tells it apart. Otherwise nothing.",
    ),
    "empty-file": Entry(
        "The file is empty, or has only white space.",
        "An empty result file usually means that the harness failed after the shell had created the file.",
        "Run the harness again and check its exit status and its error output.",
    ),
    "unknown-format": Entry(
        "A file in a folder or a pattern has no known format, or its content fits several. It was left out.",
        "The format is detected from the content, never from the name, and it is never guessed.",
        "If it is a result file, name its format with `--format`, or map its columns with `--column`. "
        "Otherwise narrow the pattern. A file that is named explicitly stops the command instead.",
    ),
    "no-results": Entry(
        "The file has a known format but no result.",
        "The harness ran, but no benchmark did: the filter of the harness matched nothing, or the run ended early.",
        "Check the harness's own filter and its exit status.",
    ),
    "no-samples": Entry(
        "The file comes from a known harness, but has none of its samples: it is text for people, or a shorter export.",
        "Without samples nothing shows how much the values vary. The same harness can write them.",
        "Run it again with the option that the message names. A file that is named explicitly stops the command.",
    ),
    "placeholder": Entry(
        "A number is no result: a harness writes it where it has none, such as a latency of 0, or it is of a warm-up.",
        "As a result it would be false: nothing takes no time. Such numbers are counted apart from what was left out.",
        "Nothing needs to be done.",
    ),
    "unreadable-file": Entry(
        "The file could not be opened, decoded or read.",
        "The permissions, the disk, the encoding or a damaged file can be the cause. The message states the reason.",
        "Correct what the message names. Text must be UTF-8 or UTF-16; gzip and Zstandard are decompressed.",
    ),
    "companion-file": Entry(
        "The file accompanies results and has none itself, for instance the configuration of a Sandmark run.",
        "It lies in the folders of the results, so reading a folder finds it. It is listed in the JSON "
        "output and not counted as left out.",
        "Nothing needs to be done.",
    ),
}


STOPS: Final[dict[str, Entry]] = {
    "missing-file": Entry(
        "An argument names no file or folder, or a pattern matches none.",
        "A missing result must never look like an unchanged one.",
        "Check the path. Quote patterns, so that statera expands them and not the shell.",
    ),
    "unusable-file": Entry(
        "A file that was named explicitly cannot be read, or no format fits it.",
        "A file that is named must be used. In a folder or a pattern the same file is left out and counted.",
        "Read the reason. Name the format with `--format`, or for a table of your own name its columns "
        "with `--column`.",
    ),
    "no-runner": Entry(
        "The executable that starts commands, `statera-runner`, is not beside the modules of statera.",
        "Python itself would add its own size to the memory of every command, and its own time to every start.",
        "Install statera from its wheel. In a source tree `make setup` builds the executable.",
    ),
    "no-such-format": Entry(
        "There is no format of this name.",
        "The message lists the names.",
        "Use one of them, or leave `--format` out: statera detects the format from the content.",
    ),
    "bad-result": Entry(
        "The file is not a result file, or contains something that no result file contains.",
        "Whoever opens a pull request decides what its workflow uploads. Statera uses nothing of such a file.",
        "Write the file with `statera compare --result FILE` of the same version.",
    ),
    "bad-forge": Entry(
        "The environment does not say which project on GitHub or GitLab is meant, or how to reach it.",
        "A comment belongs in the project whose CI runs the command, and statera sends the token to no other address.",
        "Set the variable that the message names. `--dry-run` prints the comment and sends no request.",
    ),
    "forge-failed": Entry(
        "The API of GitHub or GitLab gives an error or no answer.",
        "Statera repeated the request several times, as late as the API asked.",
        "Run the job again later. The result file stays the same.",
    ),
    "one-variant": Entry(
        "There is only one variant, and a comparison needs two.",
        "Arguments that are the same path are one variant. With `--by KEY`, the results have fewer than "
        "two values of the key.",
        "Name two files, or use `--by` with one of the keys that the message lists. To compare a file "
        "with itself, label it: a=FILE b=FILE.",
    ),
    "named-twice": Entry(
        "A file belongs to two builds, or is named twice.",
        "Its values would be in both builds, or count only once where two builds were meant. Usually "
        "one of the builds is a folder or a pattern that has the file of the other one too.",
        "Name the files of each build. To compare a file with itself, label it: a=FILE b=FILE.",
    ),
    "too-much": Entry(
        "The input exceeds a limit.",
        "Some small files expand to more than a machine can hold: compressed zeros, a table with a new column in "
        "each row, a line that changes one of a thousand keys. They are refused before memory runs out.",
        "If this is intended, raise the limit that the message names: `--limit NAME=VALUE`, or the table `[limits]` "
        "of the settings. docs/settings.md lists the limits.",
    ),
    "nothing-to-compare": Entry(
        "No value is left to compare.",
        "Nothing was read, a variant has no value, or no metric or benchmark matches the filter. The message says "
        "which.",
        "Look at the filters and at the names. `statera convert` writes everything that was read as one table.",
    ),
    "no-such-key": Entry(
        "`--by`, `--within` or `--pool` names a key that no result states.",
        "Comparing by a key that does not exist would silently put everything into one group. The message lists the "
        "keys that exist.",
        "Use one of them. State a factor that is not in the files with `--factor`, `--variants` or `--name-pattern`.",
    ),
    "bad-share": Entry(
        "The key `alpha_share` of a result is not a number above 0 and at most 1.",
        "It is the share of alpha that a look at the results spent. Without it, statera does not know at which level a "
        "row may be called changed.",
        "Correct the value. Remove the key if the results were looked at once, after all had been measured.",
    ),
    "bad-experiment": Entry(
        "The experiment file cannot be used.",
        "A misspelt key, or a value of the wrong type, would run another experiment than intended.",
        "Correct the line that the message names. docs/experiment.md lists the keys.",
    ),
    "bad-placeholder": Entry(
        "A text has a placeholder for which there is no value, or a brace that is not closed.",
        "A command that contains the placeholder itself would run, and measure something else.",
        "Use one of the placeholders that the message lists, or write {{ and }} for braces.",
    ),
    "bad-source": Entry(
        "The sources of a variant cannot be found or read.",
        "There is no git, no repository, no such revision or no complete history; or the tree has changed since the "
        "experiment was planned.",
        "Do what the message says. A revision can be a commit, a tag, a branch, or `.` for the tree as it is.",
    ),
    "bad-manifest": Entry(
        "The table of variants cannot be read, or a row of it cannot be used.",
        "A misread row would assign a file the factors of another one.",
        "Correct the line that the message names. A row has one `file` (a path, or a pattern such as `*ghc96*`) or one "
        "`label`; every other column is a factor.",
    ),
    "factor-contradicts": Entry(
        "A file has two different levels of one factor.",
        "Two rows of the table of variants match it, or the file itself states another level. One of them is wrong.",
        "Make the patterns narrower, or give the factor a name that differs from the key inside the file.",
    ),
    "settings-refused": Entry(
        "A settings file was found and not used: it belongs to another user, or every user may write it.",
        "Settings change verdicts. A file that somebody else can put into a folder above yours, such as /tmp, must not "
        "change them unasked.",
        "If the file is intended, name it with `--config`, or make it yours with `chown` and `chmod o-w`. "
        "`--no-config` "
        "uses no settings file.",
    ),
    "no-shared-level": Entry(
        "No level of the factor was measured under two variants.",
        "Variants are compared within a level. If each level has only one variant, the effect of the variant "
        "cannot be separated from the effect of the level.",
        "Measure two variants at one level, or pool over the factor with `--pool KEY` if it does not matter.",
    ),
    "no-baseline": Entry(
        "No variant has the label that `--baseline` names.",
        "The message lists the labels. A label is the one before the equals sign, the value of the "
        "`--by` key, or the end of the path without its ending.",
        "Use one of the labels in the message.",
    ),
    "cannot-pair": Entry(
        "The requested pairing is not possible.",
        "A key is missing in one build, occurs twice, or exists nowhere; or the builds have different "
        "numbers of values and should be paired by order. Pairs that do not belong together would silently "
        "lead to wrong results.",
        "Correct the keys that the message names, or compare with `--unpaired`.",
    ),
    "bad-option": Entry(
        "An option has an invalid value.",
        "An ambiguous value is refused, not guessed: 5 could be 5 % or a factor of 5.",
        "Read the message; it says what the option accepts. `statera compare --help` lists all options.",
    ),
    "too-few-processes": Entry(
        "A noise floor was asked for (`inspect --aa --propose`), and the results state fewer than four processes.",
        "New processes differ by more than the values of one process. A floor from one to three processes would be too "
        "small, and a margin from it would let false alarms pass.",
        "Measure the build in four or more processes. Pass a file for each, or a table with a column `process`.",
    ),
    "bad-settings": Entry(
        "The settings file cannot be read, has a key that does not exist, or a value of the wrong type.",
        "Ignoring a mistyped key would look as if the setting took effect.",
        "Correct the key that the message names. docs/settings.md lists all keys. `--no-config` uses no settings file.",
    ),
    "cannot-write": Entry(
        "The output file or folder cannot be written.",
        "The folder does not exist, or the permissions forbid it; the message states the reason. The output is "
        "checked before anything is read, and an existing file stays unchanged.",
        "Choose another place for `-o`.",
    ),
    "disk-full": Entry(
        "The disk is full, or a quota or a limit on file sizes is reached.",
        "An existing file stays unchanged, so that a half-written result never looks complete. Complete events of "
        "hosts are kept.",
        "Free some space, and run the same command again; an analysis of a cluster continues where it stopped.",
    ),
    "output-is-input": Entry(
        "The output is one of the input files, or lies in an input folder or matches an input pattern.",
        "Writing it would destroy results that may have taken hours to measure, or make the output of one run an "
        "input of the next.",
        "Name a file with `-o` that lies outside the folders and patterns that are read.",
    ),
    "nothing-to-draw": Entry(
        "The results have no values for the requested picture.",
        "The requested benchmarks, metric or groups have no values, or the kind of picture needs data that the results "
        "lack.",
        "Name others with `--benchmark`, `--metric` and `--where`, or draw another kind: `statera plot --help`.",
    ),
    "missing-package": Entry(
        "Pictures and reports need packages that are not installed.",
        "A comparison does not need them, so they are optional.",
        "Run `pip install '.[report]'` in a clone of statera.",
    ),
    "bad-notes": Entry(
        "The analysts' prose cannot be read, or refers to a value that does not exist.",
        "A report with a wrong number is worse than none. The message names the file, the line and the values that "
        "exist.",
        "Correct the value in double braces, or the path after `--notes`. docs/report.md lists the values.",
    ),
    "system-error": Entry(
        "The operating system refused something that the command needs.",
        "The message states the reason: too many open files, no folder for temporary files, a working folder that "
        "was deleted, no /proc.",
        "Remove the cause and run the command again. `STATERA_TRACEBACK=1` shows where it happened.",
    ),
    "damaged-installation": Entry(
        "A part of statera, or of a package that it needs, cannot be loaded.",
        "The installation is incomplete, or was made for another version of Python. The message names the part.",
        "Install statera again.",
    ),
    "internal-error": Entry(
        "An internal error occurred; the exit code is 70.",
        "That is a defect of statera, whatever the input is. It has its own exit code, so that it differs from a gate "
        "that holds (1) and from unusable input (2).",
        "Report it to the project's issue tracker, with the command and what `STATERA_TRACEBACK=1` shows.",
    ),
    "no-such-code": Entry(
        "`statera explain` knows no code of this name.",
        "The message names similar codes where there are any.",
        "Write the code as shown in square brackets in the output. `statera explain` without a code lists all.",
    ),
    "nothing-judged": Entry(
        "`--fail-on` was given, and too little was judged: no benchmark and metric in common, or what differs has "
        "too few values.",
        "A gate passes only if something was judged and held. Other names, units, processor counts or harnesses leave "
        "nothing to compare; one value or one process per build leaves nothing to judge. The exit code is 2.",
        "The message names the option that helps: `--pool` for a key in the names, `--rename OLD=NEW` for a benchmark "
        "with another name, `--accept-one-process` for values of one process.",
    ),
    "unread-results": Entry(
        "`--fail-on` was given, and a file or the rest of one could not be read, or a benchmark is gone from files of "
        "which results were left out, or a contender lost more of its results than the baseline.",
        "What was not read may contain the slower benchmark, and where runs failed the rest may be the better ones, so "
        "that a gate does not pass. The exit code is 2, or 1 if something that was read fails the gate.",
        "Mend the file or the benchmark, name only files of results, or move others out of the folder.",
    ),
    "left-out": Entry(
        "Something that could have been a result was left out, and `--strict` allows none.",
        "With `--strict` a comparison counts only if everything could be read. The comparison itself is still written.",
        "The output lists what was left out, with file and line: correct it.",
    ),
    "no-profiler": Entry(
        "`--profile` was given, and nothing here can make a profile.",
        "perf needs a kernel that lets this user record (`kernel.perf_event_paranoid` of 2 or less), and Callgrind "
        "needs valgrind.",
        "Install one of them, or leave `--profile` out.",
    ),
    "profiles-differ": Entry(
        "Two profiles count different things, such as samples and instructions.",
        "Their costs have no difference.",
        "Make both with the same profiler.",
    ),
    "unreadable-profile": Entry(
        "A profile cannot be read, is damaged or is none.",
        "A part of a profile would move the parts of all functions.",
        "Make it again. perf.data is binary: print it with `perf script`.",
    ),
    "nothing-to-verify": Entry(
        "`--verify` got a run in which no row is worse than the baseline.",
        "`--verify` measures the rows that got worse again, to see whether their differences stand.",
        "Nothing needs to be done: a run without such rows needs no verification.",
    ),
    "run-unfinished": Entry(
        "`--verify` got a run that has not ended.",
        "Its rows may still change, because its plan is not complete.",
        "Continue it with `statera run --resume FOLDER`, and verify it at its end.",
    ),
    "damaged-plan": Entry(
        "The plan in the manifest of a run cannot be read.",
        "Statera resumes or verifies a run by its original plan; a damaged plan would run something else.",
        "Use the version of statera that wrote the folder, or start the experiment again in another folder.",
    ),
    "run-description": Entry(
        "The description of a cluster's run is missing, incomplete or not JSON.",
        "Without the start of the system and the lengths of slots and epochs the times of logs have no meaning.",
        "Write run.json with systemStart, slotLength and epochLength, or copy meta.json and the genesis to the logs.",
    ),
    "event-mapping": Entry(
        "A mapping of log lines to events is invalid.",
        "A partly understood mapping would silently leave out events.",
        "Correct what the message names; the built-in mapping is an example of the form.",
    ),
    "host-without-logs": Entry(
        "The description of a run names a host that has no log file.",
        "It counts among the machines and observers of every block, and lowers the share of adoptions.",
        "Copy its logs below the run, or remove the host from the list of hosts.",
    ),
    "ignored-host": Entry(
        "A host has logs but is not among the hosts that the description of the run names; or the description names "
        "none, and a directory holds no log file.",
        "The list of hosts defines the cluster. Without a list, exactly the directories with logs are hosts.",
        "Add the host to the list if it belongs to the cluster, or copy its logs.",
    ),
    "ignored-file": Entry(
        "A file below the run could be a log, and was not read.",
        "A log is recognised by its name: it ends in .json, .jsonl or .log, also followed by .gz or .zst, or begins "
        "with stdout. Rotated files often end in a number.",
        "Rename the file, for instance node.json.1 to node-1.json, or move it away if it is not a log.",
    ),
}
