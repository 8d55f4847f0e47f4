"""What the machine did while an experiment ran: marks of rounds, and notes after the last one."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

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
        "Use a machine with cores of its own, or measure at another time. More rounds help if only some are marked.",
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
        "The baseline ran a second time as a variant of its own, and does not differ from itself.",
        "Two series of one program show what this machine, order and number of rounds make of no difference at all.",
        "Nothing. A change between other variants that is much larger than the stated one is not of the machine.",
    ),
    "self-test-differs": Entry(
        "The baseline ran a second time as a variant of its own, and differs from itself.",
        "That is a false alarm: about one experiment in twenty has one at alpha 5 %. If it repeats, the machine or the "
        "order of the commands makes differences that the program does not have.",
        "Run the experiment again. If the baseline differs again, `statera run --check` says what disturbs this "
        "machine; distrust changes of the stated size.",
    ),
    "drifted": Entry(
        "Values rose or fell over the rounds by more than chance explains (rank correlation with time, corrected for "
        "the number of rows).",
        "The machine warmed up, or other work began or ended. Rounds that measure the variants side by side keep it "
        "out of their differences; it still makes the values of a variant spread more widely.",
        "Warm up (`-w`), let the machine cool (`cool`), or look at `statera run --check`.",
    ),
}

VERIFIED: Final[dict[str, Entry]] = {
    "verify-stands": Entry(
        "A difference of the first run came again when its row was measured anew (`statera run --verify`).",
        "It ran alone, on cores of its own and in a build at another path. What other work, the layout of memory or "
        "chance made would seldom come again.",
        "Trust it, and look for the cause in the program. Counts of instructions, where there are any, show whether "
        "the program does more work or the same work more slowly.",
    ),
    "verify-does-not-stand": Entry(
        "A difference of the first run did not come again: the row is now equivalent or better.",
        "Something else than the program made it: chance, other work on the machine, or the layout of one build.",
        "Do not report it. If many rows do not stand, `statera run --check` says what disturbs this machine.",
    ),
    "verify-undecided": Entry(
        "The new run is too noisy or too short to say whether a difference stands, or has no values of the row.",
        "It has the rounds of the first run, and at least twenty.",
        "Measure the row with more rounds: `statera run --only BENCHMARK -M 200` with the file of the experiment.",
    ),
}
