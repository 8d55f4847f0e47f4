"""Codes of `statera cluster`: errors that end its commands, and warnings in its summaries."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

CLUSTER: Final[dict[str, Entry]] = {
    "bad-filter": Entry(
        "A filter cannot be read, or needs a fact that the description of the run lacks.",
        "Guessing or dropping a filter would silently change which blocks and slots count.",
        "Read the message: it lists the names and conditions that exist, or names what the description lacks.",
    ),
    "not-analysed": Entry(
        "A directory for the analysis of a run has none, an incomplete one, or a damaged one.",
        "summary.json is written last: if it is missing, an analysis was interrupted or never made. Lookups of lines "
        "need the analysis of a single run.",
        "Run `statera cluster analyse RUN -o OUT`. Events of hosts that were read already are used again.",
    ),
    "no-such-block": Entry(
        "No known block has this slot, or a hash that begins with this text.",
        "A block is known if a host forged it or noticed its header.",
        "blocks.csv lists the blocks of the main chain; summary.json those that were abandoned.",
    ),
    "no-such-host": Entry(
        "The run has no host of this name.",
        "A host is named after its directory or its log file; names inside the lines are not used.",
        "The message lists some of the names; summary.json has all of them.",
    ),
    "needs-extra": Entry(
        "This command needs a library that is not installed.",
        "Clusters and reports need libraries that a comparison of benchmarks does not need; so they are optional.",
        "Install it with the command in the message.",
    ),
    "out-of-memory": Entry(
        "The command needs more memory than its limit.",
        "An analysis of a cluster spills sorts and joins to disk, but the quantiles of a metric need all of its values "
        "at once. Other commands keep all values in memory.",
        "Raise the limit of an analysis with `--memory 4GiB`. Compare fewer files at a time, or raise `ulimit -v`.",
    ),
    "tables-unusable": Entry(
        "A table of an analysis could not be read or written.",
        "The message names the table and the reason: a damaged file, a file of another version or table, permissions, "
        "a limit of the disk.",
        "Analyse the run again; complete events are used again. Delete damaged events first: the message says where.",
    ),
    "slot-out-of-range": Entry(
        "Events were left out because their slot cannot belong to the run.",
        "A slot whose time is out of range, or that lies 10⁸ slots from another slot of its host, comes from a damaged "
        "line; storing all slots between would fill the disk.",
        "Find the line with `statera cluster host OUT NAME`, and check systemStart and slotLength.",
    ),
    "value-out-of-range": Entry(
        "Values or times out of range were left out, or ended the analysis.",
        "A counter beyond 2⁵³ or a time outside the years 1824 to 2116 comes from a damaged line; such values are too "
        "large to be summed.",
        "The message names the values. Find their lines in the logs; if the analysis ended, remove the lines.",
    ),
    "far-times": Entry(
        "A line of a host is from long before or after the slots of the run.",
        "Such a line comes from a clock that was not set, or from another run. The metrics do not use it, but run time "
        "and line rates of the host count from its first line to its last.",
        "The message names host and time: find that time in the host's logs, and remove the line.",
    ),
    "circular-chain": Entry(
        "A block of the main chain names itself, or a block above it, as its parent.",
        "A chain has no circles: the line is damaged. The walk continued at the best block of the next height below.",
        "`statera cluster block OUT SLOT` shows the lines of a block; summary.json lists the abandoned ones.",
    ),
    "no-events": Entry(
        "No line of a run is an event of the mapping.",
        "An empty analysis would look like a healthy run.",
        "The message says which lines were looked for and what the lines are instead: pass the directory of the logs, "
        "or the mapping that they need with `--mapping`.",
    ),
    "too-many-files": Entry(
        "A run has more files than the limit.",
        "Each file takes some kilobytes of memory and some time, however little it contains.",
        "Put the logs of a host into fewer files, or allow more with `--most-files N`.",
    ),
    "same-run": Entry(
        "Two runs of one label, or of one analysis, are the same directory of logs or results.",
        "A run that counts twice would make results look more certain than they are.",
        "Name each run once. To compare a run with itself, give it two labels: a=RUN b=RUN.",
    ),
    "in-use": Entry(
        "Another command is writing to the directory of the results.",
        "Two commands at once would mix their results. The lock belongs to a process and ends with it, however it "
        "ends.",
        "Wait for the process that the message names, or name another directory.",
    ),
    "no-locks": Entry(
        "The file system of the directory of the results has no locks.",
        "Locks keep two commands from mixing their results. Some network file systems have none, or not enabled.",
        "Name a directory on another file system, or make sure that nobody else writes there and add `--unlocked`.",
    ),
    "no-hosts": Entry(
        "The directory has the logs of no host.",
        "A host is a directory with log files below the run, or a log file in it.",
        "Pass the directory above the hosts' directories. The message shows the layout that was looked for.",
    ),
    "host-without-events": Entry(
        "A host has logs, but no line of them is a log object.",
        "It counts among the machines and observers of every block, and lowers the share of adoptions.",
        "Look at its files with `statera cluster errors OUT`.",
    ),
    "truncated-log": Entry(
        "A compressed log is cut off.",
        "The part that could be decompressed is used; the lines after it are lost.",
        "Copy the file again, if it still exists in full.",
    ),
    "bridged": Entry(
        "The main chain has blocks without any log line; the walk continued below them.",
        "One lost line must not make a run useless. Blocks that no host logged are in no metric.",
        "`statera cluster errors OUT` shows what could not be read; a host without logs may have forged them.",
    ),
    "unknown-forger": Entry(
        "Blocks of the main chain are known from their headers only: no line names their forger.",
        "They have no values of forging; adoption and observations by peers are measured as usual.",
        "Look for lost logs of a host, or for a forging host outside the cluster.",
    ),
    "spark-unusable": Entry(
        "Spark does not start, or nothing answers at its master.",
        "Spark runs on Java 17 or 21, and at the master that `--master` names. Without an executor it would wait "
        "for ever.",
        "Read the message: it says what to install, or what does not answer. `--engine duckdb` needs no Spark.",
    ),
    "spark-executors": Entry(
        "The executors of Spark lack packages that they need.",
        "Executors read hosts with statera itself. Another version of it could read different events.",
        "Install the same version of statera, with the extra `spark`, on every machine, and name that Python by "
        "PYSPARK_PYTHON.",
    ),
    "spark-failed": Entry(
        "Spark could not finish a step.",
        "The message is that of Spark, unchanged.",
        "Run the command again; complete events are used again. `--engine duckdb` does without Spark.",
    ),
    "not-shared": Entry(
        "A file or directory is not the same on all machines.",
        "Executors of Spark open logs by the path or address on the command line. Files up to 64 MiB that they cannot "
        "open are read on the machine where the command runs.",
        "Put logs on a file system that all machines share, under the same path, or at an address (`hdfs://`, `s3a://`).",
    ),
    "no-chain": Entry(
        "The run has no main chain.",
        "Without a forged block no block counts; a single one is dropped, as the end of the run may cut its "
        "propagation.",
        "Check whether logs of a host are missing, and whether its lines of forging are read: "
        "`statera cluster errors OUT`.",
    ),
    "system-start": Entry(
        "Forge loops begin far from the beginnings of their slots.",
        "A host begins the loop of a slot when the slot begins. A systemStart of another run or in another time zone, "
        "or a wrong slotLength, shifts every value that is measured from the beginning of a slot by the same amount.",
        "The message says which systemStart or slotLength fits the logs: correct it and analyse again.",
    ),
    "clocks": Entry(
        "Log times contradict each other: clocks of hosts differ, or one was set back.",
        "Times are used as logged. Propagation between two hosts is wrong by the difference of their clocks.",
        "The message names the host with the most contradictions. Leave it out with `hosts` of run.json, or measure "
        "again with synchronised clocks.",
    ),
    "changed-log": Entry(
        "A log file changed while it was read.",
        "A running system has not written its last lines; a copy may not be complete.",
        "Analyse again when the file no longer changes: it is then read again.",
    ),
}
