"""Problems of reading: values, lines and files that were left out or need attention."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

PROBLEMS: Final[dict[str, Entry]] = {
    "malformed-record": Entry(
        "A line or a record breaks the grammar of its format, and it was left out.",
        "One broken line must not stop the reading of the others. It must not vanish either: it may have "
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
    "line-too-long": Entry(
        "A line is longer than any result of this format can be, and it was left out.",
        "Such a line comes from a damaged file or from other output in the same file. Reading it could "
        "take all memory.",
        "Look at the file. Write the results of the harness to a file of their own.",
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
        "A whole number has more digits than a value can hold. It was rounded and is used.",
        "Values are doubles, which hold every whole number up to 2^53 (about 9 * 10^15) and only some of those above. "
        "Two such numbers that differ in their last digits can become equal.",
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
        "too long, or its output holds no results.",
        "A failed command did not do the work that is compared, so that it gives no value. The other variants of its "
        "round have no partner in it, and the paired test leaves the round out.",
        "Find out why the command fails, from the message and from its output in the folder `raw` of the run.",
    ),
    "failed-build": Entry(
        "A build of a run failed, so that its variants were not measured.",
        "The other variants were measured all the same.",
        "Correct the build, and start the run again.",
    ),
    "rounds-marked": Entry(
        "The machine reported that other work disturbed some rounds of a run. The note counts the rounds of each mark.",
        "Values of such rounds may be slower. They are kept: a round is marked by what the machine reports, never by "
        "its values, and all variants of a round were disturbed alike. `statera explain MARK` explains a mark.",
        "If many rounds are marked, stop the other work and run the experiment again.",
    ),
    "not-counted": Entry(
        "A counter was not available, for the reason that the message states.",
        "A counter that is not available has no values; they are never 0.",
        "Correct the reason, for instance with the permission to count, or run on a machine that has the counter.",
    ),
    "empty-file": Entry(
        "The file is empty, or holds only white space.",
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
        "The file has a known format but holds no result.",
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
        "The file accompanies results and holds none of its own, for instance the configuration of a Sandmark run.",
        "It lies in the folders of the results, so reading a folder finds it. It is listed in the JSON "
        "output and not counted as left out.",
        "Nothing needs to be done.",
    ),
}
