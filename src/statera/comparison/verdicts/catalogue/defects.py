"""Defects of benchmarks that an inspection finds, besides those that comparisons also warn about."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

DEFECTS: Final[dict[str, Entry]] = {
    "constant": Entry(
        "All values are equal, but the metric cannot be exact.",
        "A time that never varies was rounded: by the clock, by the harness or by the writer of the file. Differences "
        "that the rounding hides cannot be compared.",
        "Measure longer at a time (more iterations per value), or let the harness print more digits.",
    ),
    "warm-up": Entry(
        "Runs begin at another level than the one at which they settle. On a row of a comparison: the values of a side "
        "begin slowly and settle within the first third.",
        "Caches fill, a just-in-time compiler works, a clock speeds up. Change points (PELT) divide each run of eight "
        "values or more; the steady state is the last level, if it holds at least half of the run. Values before it "
        "measure something else than those in it.",
        "Discard as many values as the verdict says, or let the harness warm up before it measures. If the warm-up is "
        "what matters, measure it by itself.",
    ),
    "few-processes": Entry(
        "There are only two or three values, or values of two or three processes or runs.",
        "Each process counts once, and a rank test on 2 + 2 or 3 + 3 values can never reach 5 %. A comparison then "
        "uses a t-test, and its rows differ at most.",
        "Use four or more values or processes a side, and more at a stricter alpha.",
    ),
    "unsteady": Entry(
        "The level of the values changes inside the runs, and no steady state holds half of the run.",
        "Such steps come from the machine (another job, a change of the clock's rate, a move to another core) or from "
        "a program that never settles. Where the step falls decides what a comparison finds.",
        "Check what else runs, fix the clock's rate, pin the process to a core. Run the builds in turns, so that a "
        "step affects both.",
    ),
    "several-modes": Entry(
        "The values form two clusters or more.",
        "The dip test (Hartigan & Hartigan 1985) finds more than one mode, at 0.001 on a row of a comparison. An "
        "inspection tests at 0.05, and its number is that of the peaks of "
        "the density. Each cluster is a state of its own: a memory layout, a core, a cache that was warm or cold. The "
        "median jumps from one cluster to the other when a few more runs fall into it.",
        "Find what distinguishes the clusters: the process, the core, the order, the input. Measure the states "
        "separately, or make enough runs that each state occurs as often as it does in use.",
    ),
    "coarse-clock": Entry(
        "All values are multiples of a step that is larger than the margin.",
        "The clock ticks, or the harness rounds, in steps that are larger than a change that is too small to matter. "
        "A change of that size is not visible, or looks like a whole step.",
        "Measure longer at a time, so that a value spans many steps, or let the harness print more digits.",
    ),
    "noisy": Entry(
        "The smallest change that this number of units can show is larger than the margin of the metric.",
        "It follows from the spread of the values alone: a comparison of as many units a side detects smaller changes "
        "with less than the requested power (0.8), and calls the row inconclusive.",
        "Make as many runs as the verdict forecasts, or make the machine quieter: the number of runs grows with the "
        "square of the spread. Or say with `--margin` that smaller changes do not matter.",
    ),
    "by-block": Entry(
        "Every value belongs to another block (a slot, a request), each measured once.",
        "Blocks differ in their work, not only by noise, so that spread, shape and order say nothing about how well "
        "the benchmark repeats. A paired comparison removes the differences between blocks.",
        "Compare in pairs, as statera does if it finds blocks. To see the noise, replay the blocks again with the "
        "same build: `statera inspect --aa FIRST SECOND`.",
    ),
    "runs-differ": Entry(
        "The runs differ from each other by more than the iterations inside them explain.",
        "Each start has its own memory layout, its own core and its own neighbours. p of the analysis of variance is "
        "below 0.001; the ICC is the share of the variance that lies between runs.",
        "Make more runs of fewer iterations. `--cost-run SECONDS` computes how many iterations per run are worth their "
        "cost. A comparison uses the run as its unit and needs no correction for this.",
    ),
}
