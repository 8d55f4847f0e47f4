"""Experiments: what ends them, and what they report while they run."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

EXPERIMENTS: Final = {
    "cannot-start": Entry(
        "A command of an experiment cannot be started: the program is not found, or may not be executed.",
        "It happened in a warm-up or in the first round, so that no later round would give a sample either.",
        "Correct the command that the message names. No shell is involved, unless `-S` names one: aliases and built-in "
        "commands of a shell are not programs.",
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
