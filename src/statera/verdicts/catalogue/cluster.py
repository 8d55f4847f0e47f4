"""Codes of `statera cluster`: what ends its commands, and what its summaries warn of."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

CLUSTER: Final[dict[str, Entry]] = {
    "bad-filter": Entry(
        "A filter cannot be read, or needs what the description of the run does not give.",
        "A filter that is guessed at or dropped would change which blocks and slots count, without a sign of it.",
        "Read the message: it lists the names and conditions there are, or names what the description lacks.",
    ),
    "not-analysed": Entry(
        "A directory that should hold the analysis of a run holds none, not all of it, or a damaged one.",
        "summary.json is written last: where it is missing, an analysis was interrupted or never made. Looking up "
        "lines takes the analysis of a single run.",
        "Run `statera cluster analyse RUN -o OUT`. Events of hosts that were read already are used again.",
    ),
    "no-such-block": Entry(
        "No known block has this slot or this beginning of a hash.",
        "A block is known if a host forged it or noticed its header.",
        "blocks.csv lists the blocks of the main chain; summary.json those that were abandoned.",
    ),
    "no-such-host": Entry(
        "The run has no host of this name.",
        "A host is named after its directory or file of logs; names inside the lines are not used.",
        "The message lists some of the names; summary.json has all of them.",
    ),
    "needs-extra": Entry(
        "This needs a library that statera is not installed with.",
        "Most people compare benchmarks only, and are not made to install what clusters and reports need.",
        "Install it by the command in the message.",
    ),
    "out-of-memory": Entry(
        "The command needs more memory than it was given.",
        "An analysis of a cluster spills sorts and joins to disk, but the quantiles of a metric need all of its values "
        "at once. Other commands hold all values in memory.",
        "Give an analysis more with `--memory 4GiB`. Compare fewer files at a time, or raise the limit (`ulimit -v`).",
    ),
    "tables-unusable": Entry(
        "A table of an analysis could not be read or written.",
        "The message says which and why: a file that is damaged, of another version or of another table, permissions, "
        "a limit of the disk.",
        "Analyse the run again; what is complete is used again. Delete damaged events first: the message says where.",
    ),
    "slot-out-of-range": Entry(
        "Events were left out because their slot cannot belong to the run.",
        "A slot whose time cannot be told, or that lies 10⁸ slots from another of its host, is a damaged line; "
        "counting all slots between would fill the disk.",
        "Look for the line with `statera cluster host OUT NAME`, and whether systemStart and slotLength are right.",
    ),
    "value-out-of-range": Entry(
        "Values or times were left out because nothing can be counted with them, or the analysis ended on them.",
        "A counter beyond 2⁵³ or a time beyond the years 1824 to 2116 is a damaged line; such values are too "
        "large to be summed.",
        "The message says which values. Look for their lines in the logs; where the analysis ends, take them away.",
    ),
    "far-times": Entry(
        "A line of a host is from long before or after the slots of the run.",
        "Such a line is of a clock that was not set, or of another run. The metrics take nothing from it, but run time "
        "and line rates of the host count from its first line to its last.",
        "The message names host and time: look for that time in the host's logs, and take the line away.",
    ),
    "circular-chain": Entry(
        "A block of the main chain names itself, or a block above it, as its parent.",
        "No chain goes in circles: the line is damaged. The walk went on at the best block of the next height below.",
        "`statera cluster block OUT SLOT` shows the lines of a block; summary.json lists the abandoned ones.",
    ),
    "no-events": Entry(
        "No line of a run is an event of the mapping.",
        "An analysis of nothing would look like a run without troubles.",
        "The message says which lines were looked for and what the lines are instead: give the directory of the logs, "
        "or the mapping that they need with `--mapping`.",
    ),
    "too-many-files": Entry(
        "A run has more files than are looked at.",
        "Each file takes some kilobytes of memory and its time, however little it holds.",
        "Put the logs of a host into fewer files, or allow more with `--most-files N`.",
    ),
    "same-run": Entry(
        "Two runs of one label, or of one analysis, are one directory of logs or results.",
        "The values of a run that counts twice look twice as sure.",
        "Name each run once. To compare a run with itself, give it two labels: a=RUN b=RUN.",
    ),
    "in-use": Entry(
        "Another command writes to the directory of the results.",
        "Two at once would mix their results. The lock is that of a process, and ends with it, in whatever way.",
        "Wait for the process that the message names, or name another directory.",
    ),
    "no-locks": Entry(
        "The file system of the directory of the results has no locks.",
        "Locks keep two commands from mixing their results. Some network file systems have none, or none switched on.",
        "Name a directory on another file system, or see to it that nobody else writes there and add `--unlocked`.",
    ),
    "no-hosts": Entry(
        "The directory holds the logs of no host.",
        "A host is a directory with log files below the run, or a log file in it.",
        "Give the directory above the hosts' directories. The message shows the form that was looked for.",
    ),
    "host-without-events": Entry(
        "A host has logs, but no line of them is a log object.",
        "It counts among the machines and observers of every block, and lowers the share of adoptions.",
        "Look at its files with `statera cluster errors OUT`.",
    ),
    "nothing-timed": Entry(
        "No line of a run is one of the events that the mapping times.",
        "Times of nothing would look like a run without troubles.",
        "The message says what the lines are instead, with an example of each kind: mend `[line]` or the names of the "
        "mapping, or give the run that the mapping is for.",
    ),
    "unmatched-keys": Entry(
        "Keys have the first event of a time and not the second, or the second and not the first.",
        "They give no time. Many of them mean that requests failed, or that the mapping names the wrong lines.",
        "Look for one of the keys in the logs; `statera cluster times` counts both kinds.",
    ),
    "negative-times": Entry(
        "An event is logged before the one that it follows.",
        "Clocks of hosts differ by more than what is timed; the values are kept as logged and pull the mean down.",
        "Synchronise the clocks, or time events of one host only.",
    ),
    "truncated-log": Entry(
        "A compressed log ends before its end.",
        "What could be decompressed is used; the lines behind it are lost.",
        "Copy the file again where it still exists in full.",
    ),
    "bridged": Entry(
        "The main chain has blocks that no line tells of; the walk went on below them.",
        "One lost line must not lose a run. Blocks that nobody logged are in no metric.",
        "`statera cluster errors OUT` shows what could not be read; a host without logs may have forged them.",
    ),
    "unknown-forger": Entry(
        "Blocks of the main chain are known from their headers only: no line tells who forged them.",
        "They have no values of forging; adoption and what peers saw are measured all the same.",
        "Look for lost logs of a host, or a host outside the cluster that forges.",
    ),
    "spark-unusable": Entry(
        "Spark does not start, or nobody answers where it should run.",
        "Spark runs on Java 17 or 21, and at the master that `--master` names. Without an executor it would wait "
        "for ever.",
        "Read the message: it says what to install, or what does not answer. `--engine duckdb` needs none of it.",
    ),
    "spark-executors": Entry(
        "The executors of Spark lack what they need.",
        "Hosts are read where the executors are, by statera itself. Another version of it would read other events.",
        "Install `statera[spark]` on every machine in the same version, and name that Python by PYSPARK_PYTHON.",
    ),
    "spark-failed": Entry(
        "Spark could not finish a step.",
        "The message is its own, as it came.",
        "Run the command again; events that are complete are used again. `--engine duckdb` does without Spark.",
    ),
    "not-shared": Entry(
        "A file or directory is not the same on all machines.",
        "Executors of Spark open logs by the path that was given, and write events to OUT. Files up to 64 MiB that "
        "they cannot open are read where the command runs.",
        "Put logs and OUT on a file system that all machines share, under the same path.",
    ),
    "no-chain": Entry(
        "The run has no main chain.",
        "Without a forged block no block counts; a single one is dropped, as its propagation may be cut.",
        "Look whether logs of a host are missing, and whether its lines of forging are read: "
        "`statera cluster errors OUT`.",
    ),
    "system-start": Entry(
        "Forge loops begin far from the slots that they are for.",
        "A host begins the loop of a slot when the slot begins. A systemStart of another run, in another time zone, or "
        "a wrong slotLength puts every value that is counted from the beginning of a slot off by as much.",
        "The message says which systemStart or slotLength the logs speak for: correct it and analyse again.",
    ),
    "clocks": Entry(
        "Log times contradict each other: clocks of hosts differ, or one was set back.",
        "Times are taken as logged. Propagation between two hosts is off by what their clocks differ.",
        "The message names the host that contradicts most. Leave it out by `hosts` of run.json, or measure again with "
        "clocks that agree.",
    ),
    "changed-log": Entry(
        "A log file changed while it was read.",
        "A run that is still going on has not written its last lines; a copy may not be complete.",
        "Analyse again when the file has settled: it is read anew.",
    ),
}
