"""Experiments: the folder of a run, marks of its rounds, and what is found after it."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

RUNS: Final = {
    "folder-has-content": Entry(
        "The folder for a new run is not empty, or it is a file.",
        "A run never mixes its files with others, and never overwrites results.",
        "Name a folder that does not exist yet, or continue the run that is in it with `--resume`.",
    ),
    "run-finished": Entry(
        "The run in this folder is finished.",
        "Its plan is complete, so that nothing is left to continue.",
        "Add rounds with `statera run --more N FOLDER`, or start another run in another folder.",
    ),
    "decided-by": Entry(
        "The verdict of the metric that decided when the run ended, while another metric shows no clear change.",
        "On a busy machine the processor time decides, because elapsed times contain waits for a core. They may then "
        "need thousands of rounds, and the answer begins with what is open.",
        "Rely on the metric that decided. `statera run --decide-by time` runs until the elapsed times are decided.",
    ),
    "baseline-fails": Entry(
        "The baseline of a benchmark failed three times, and gave no sample.",
        "Without the baseline nothing of the benchmark can be compared, so that its other variants need not run.",
        "Correct the command. The end of its standard error is in the message, and all of it in the folder `raw`.",
    ),
    "first-run-slow": Entry(
        "The first run of a command took much longer than its other runs.",
        "The first run fills caches, for instance that of files, from which all later ones benefit. It stays a sample.",
        "Give warm-ups with `-w 3` if the program is used with warm caches. If it is used with cold ones, empty them "
        "before every run with `-p`.",
    ),
    "no-run": Entry(
        "The folder has no run of statera.",
        "The folder of a run has a file `manifest.json` that begins with the version of its format.",
        "Name the folder that `statera run` printed.",
    ),
    "run-removed": Entry(
        "The folder of the run was removed or replaced while the run went on.",
        "What would be written next could not be found again with what was written before.",
        "Start the run again, and leave its folder in place until it ends.",
    ),
    "newer-run": Entry(
        "A newer version of statera wrote this run.",
        "A version that does not know the format could misread the results.",
        "Use the version of statera that wrote the run, or a newer one.",
    ),
    "damaged-run": Entry(
        "The manifest or a record in the middle of the journal of a run is damaged.",
        "A killed process leaves at most its last record incomplete, which statera forgives. Any other damage comes "
        "from elsewhere, and records could be missing unnoticed.",
        "Restore the file from a copy, or do what the message says.",
    ),
    "unreadable-run": Entry(
        "The journal of a run cannot be read.",
        "The operating system refuses to read the file, for the reason that the message states.",
        "Correct the permissions of the folder, and repeat the command.",
    ),
    "stored-run": Entry(
        "An argument is the name of stored runs; all runs that have the name were read, from the folder that the note "
        "names.",
        "A stored run is used only if there is no file or folder of this name.",
        "To read a file or folder instead, write its path, for instance ./NAME.",
    ),
    "already-stored": Entry(
        "The same run is stored under this name already.",
        "All runs under a name are read together, so that its values would count twice.",
        "Remove the stored run first if the new copy has more rounds, or choose another name.",
    ),
    "no-such-run": Entry(
        "No run is stored under this name.",
        "The folder of stored runs is $STATERA_STORE, otherwise $XDG_DATA_HOME/statera/runs, otherwise "
        "~/.local/share/statera/runs.",
        "`statera store list` lists the names.",
    ),
    "unreadable-store": Entry(
        "The folder of stored runs cannot be read.",
        "The operating system refuses to read it, for the reason that the message states.",
        "Correct its permissions, or name another folder with the variable STATERA_STORE.",
    ),
}


EXPERIMENTS: Final = {
    "cannot-start": Entry(
        "A command of an experiment cannot be started: the program is not found, or may not be executed.",
        "It happened in a warm-up or in the first round, so that no later round would give a sample either.",
        "Correct the command that the message names. No shell is involved, unless `-S` names one: aliases and built-in "
        "commands of a shell are not programs.",
    ),
    "service-failed": Entry(
        "A service could not be started, was not ready in time, or ended by itself; the experiment ends.",
        "Without its server a load measures nothing, or waits for ever. The message names the service and shows the "
        "last lines that it printed. All of them are in `raw/service-N.txt` of the run, if it has samples already.",
        "Correct its command or how it tells that it is ready, or give it more time (`ready_within`). A run that has "
        "samples continues with `--resume`.",
    ),
    "one-start": Entry(
        'A service lives for all invocations of a variant (`scope = "variant"`).',
        "Two starts of the same server differ: by their place in memory, and by what they did first. Such a difference "
        "is in all values of the variant, and no interval contains it.",
        'Let it live for one run (`scope = "run"`, the default), or repeat the experiment.',
    ),
    "hosts-pooled": Entry(
        "A run was spread over several hosts (`--on`), and its table is of all of them together.",
        "A pair is a round of one host, so that what differs between machines is in no change.",
        "`--by variant --within host` shows each host by itself.",
    ),
    "hosts-disagree": Entry(
        "A change differs between the hosts of a run by more than the noise on each of them.",
        "Cochran's Q compares the changes of the hosts, each weighted by the width of its interval. If they differ, "
        "the machines do not do the same work, and the change of all together depends on which machines were chosen. "
        "A gate (`--fail-on`) that all together pass then judges each host by itself.",
        "Look at each host by itself with `--by variant --within host`, and find out in what the machines differ.",
    ),
    "no-ssh": Entry(
        "`--on` needs the program `ssh`, which is not in the PATH.",
        "Statera reaches hosts with the user's own `ssh` and its configuration.",
        "Install it, for instance with: sudo apt install openssh-client",
    ),
    "no-suite": Entry(
        "A harness did not list its benchmarks, or none that all variants have.",
        "`harness` in an experiment file lets statera ask the harness for its benchmarks before the run. The message "
        "shows what it answered.",
        "Execute the command of the message by hand. `harness` and `command` must belong to each other.",
    ),
    "nothing-to-run": Entry(
        "Builds or setup commands failed, and no benchmark has two variants left.",
        "A single variant is compared with nothing.",
        "Correct what the messages before this one name, and continue the run with `--resume`.",
    ),
    "missing-samples": Entry(
        "An invocation failed, or never ran because a build or a setup command failed; the exit code is 2.",
        "A failed invocation is recorded and is never a sample. Its round has no pair for this benchmark, so that the "
        "comparison uses fewer rounds than were planned.",
        "Read the message of the failure. A program whose exit code is not 0 on purpose needs `-i`.",
    ),
    "benchmarks-change": Entry(
        "A program does not print results of the same benchmarks in every invocation.",
        "A benchmark that is absent in some rounds has fewer pairs. Nothing is dropped: every result that was printed "
        "is read.",
        "Find out whether the program chooses its benchmarks by time or chance, and name them in its options.",
    ),
    "sequential-order": Entry(
        "All rounds of one variant ran before those of the next one.",
        "The clock rate, the temperature and the other work of a machine change within minutes. In sequential order "
        "they differ between the variants, and identical programs often look different.",
        "Leave `--order sequential` out: random order costs nothing.",
    ),
    "other-machine": Entry(
        "A run that began on one machine was to continue on another.",
        "Its later rounds would measure another machine than its earlier rounds.",
        "Continue it on the first machine, or start a new run.",
    ),
    "build-changed": Entry(
        "A build of a resumed run gives other bytes than at the beginning of the run.",
        "The values of two programs would be mixed under one name.",
        "Start a new run. If the sources did not change, the build itself is not reproducible.",
    ),
}


_STAYS: Final = "No round is left out for its mark, and no mark depends on a measured value."

MARKS: Final[dict[str, Entry]] = {
    "cpu-pressure": Entry(
        "For more than 5 % of the round, some task waited for a core (/proc/pressure/cpu).",
        f"A command that waits for a core takes longer in time, but not in cpu. {_STAYS}",
        "Stop other work, or pin the commands to cores that others leave alone (`--pin`). If every round is marked, "
        "the command itself may have more threads than it has cores.",
    ),
    "memory-pressure": Entry(
        "For more than 1 % of the round, some task waited for memory (/proc/pressure/memory).",
        f"Pages are reclaimed or read back while the command runs, which costs it time and processor. {_STAYS}",
        "Close programs that use much memory, or give the commands less data. If every round is marked, the command "
        "itself needs more than there is.",
    ),
    "io-pressure": Entry(
        "For more than 5 % of the round, some task waited for a disk (/proc/pressure/io).",
        f"Commands that read or write files wait behind it. {_STAYS}",
        "Stop backups, indexers and downloads. If every round is marked, the command itself waits for the disk: read "
        "its files once in `--prepare`, or compare cpu instead of time.",
    ),
    "steal": Entry(
        "During the round, the hypervisor gave more than 1 % of the cores' time to other machines (/proc/stat).",
        f"A virtual machine does not see why it stands still; time and cpu both grow. {_STAYS}",
        "Use a machine with dedicated cores, or measure at another time. More rounds help if only some are marked.",
    ),
    "other-work": Entry(
        "During the round, processes that the experiment did not start used more than 10 % of all cores (/proc/stat).",
        "They share caches, memory bandwidth and the clock rate with the commands, even on other cores. The error of "
        f"counting in ticks is subtracted, so that a short round is not marked for one tick. {_STAYS}",
        "`top` shows what runs. Stop it, or measure when the machine is idle.",
    ),
    "throttled": Entry(
        "During the round, the processor slowed a core down because it was too hot (thermal_throttle).",
        f"From that moment on everything takes longer, whichever variant runs. {_STAYS}",
        "Let the machine cool between invocations (`cool` in an experiment file), switch turbo off (`statera run "
        "--check` says how), or improve the cooling.",
    ),
}

AFTER_A_RUN: Final[dict[str, Entry]] = {
    "self-test-agrees": Entry(
        "The baseline ran a second time as another variant, and does not differ from itself.",
        "Two series of one program show what this machine, order and number of rounds make of no difference at all.",
        "Nothing. A change between other variants that is much larger than the stated one is not of the machine.",
    ),
    "self-test-differs": Entry(
        "The baseline ran a second time as another variant, and differs from itself.",
        "That is a false alarm: about one experiment in twenty has one at alpha 5 %. If it repeats, the machine or the "
        "order of the commands makes differences that the program does not have.",
        "Run the experiment again. If the baseline differs again, `statera run --check` says what disturbs this "
        "machine; distrust changes of the stated size.",
    ),
    "drifted": Entry(
        "Values rose or fell over the rounds by more than chance explains (rank correlation with time, corrected for "
        "the number of rows).",
        "The machine warmed up, or other work began or ended. Rounds that alternate the variants keep it "
        "out of their differences; it still makes the values of a variant spread more widely.",
        "Warm up (`-w`), let the machine cool (`cool`), or look at `statera run --check`.",
    ),
}

VERIFIED: Final[dict[str, Entry]] = {
    "verify-stands": Entry(
        "A difference of the first run came again when its row was measured anew (`statera run --verify`).",
        "It ran alone, on dedicated cores and in a build at another path. What other work, the layout of memory or "
        "chance made would seldom come again.",
        "Trust it, and look for the cause in the program. Counts of instructions, where there are any, show whether "
        "the program does more work or the same work more slowly.",
    ),
    "verify-does-not-stand": Entry(
        "A difference of the first run did not come again: it is now unchanged, or the other way round.",
        "Something else than the program made it: chance, other work on the machine, or the layout of one build.",
        "Do not report it. If many rows do not stand, `statera run --check` says what disturbs this machine.",
    ),
    "where-it-went": Entry(
        "Profiles of both builds say which functions cost more or less (`statera run --profile`, or profiles that are "
        "compared).",
        "A percentage is a part of the baseline's whole, so that those of all functions add up to the change. Of "
        "samples only what is larger than the noise of counting is named: the exact test of two counts (Przyborowski "
        "and Wilenski 1940), corrected by Holm over the functions with samples enough (Tarone 1990). Counts are "
        "divided by how much more those of several runs vary than samples do by chance. A profile judges nothing.",
        "Look at these functions; the report draws the stacks. Whether the build is slower, its rows say.",
    ),
    "verify-undecided": Entry(
        "The new run is too noisy or too short to say whether a difference stands, or has no values of the row.",
        "It has the rounds of the first run, and at least twenty.",
        "Measure the row with more rounds: `statera run --only BENCHMARK -M 200` with the file of the experiment.",
    ),
}
