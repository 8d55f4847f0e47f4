"""What an inspection finds wrong with a benchmark, beside what comparisons warn of as well."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

TROUBLES: Final[dict[str, Entry]] = {
    "constant": Entry(
        "All values are equal, and the metric is none that can be exact.",
        "A time that never varies was rounded: by the clock, by the harness or by whoever wrote the file. What the "
        "rounding hides cannot be compared.",
        "Measure longer at a time (more iterations per value), or let the harness print more digits.",
    ),
    "warm-up": Entry(
        "Runs begin on another level than the one that they settle at.",
        "Caches fill, a just-in-time compiler works, a clock speeds up. Change points (PELT) part each run of eight "
        "values or more; the steady state is the last level, if it takes half of the run at least. Values before it "
        "measure something else than those in it.",
        "Discard as many values as the verdict says, or let the harness warm up before it measures. If the warm-up is "
        "what matters, measure it by itself.",
    ),
    "unsteady": Entry(
        "The level of the values changes inside the runs, and no steady state takes half of the run.",
        "Such steps come from the machine (another job, a change of the clock's rate, a move to another core) or from "
        "a program that never settles. Where the step falls decides what a comparison finds.",
        "Look at what else runs, fix the clock's rate, pin the process to a core. Run the builds in turns, so that a "
        "step meets both.",
    ),
    "several-modes": Entry(
        "The values fall into two heaps or more.",
        "The dip test (Hartigan & Hartigan 1985) finds more than one mode at 0.05; the number is that of the peaks of "
        "the density. Each heap is a state of its own: a memory layout, a core, a cache that was warm or cold. A "
        "median jumps from one heap to the other when a few runs more fall into it.",
        "Find what tells the heaps apart: the process, the core, the order, the input. Measure the states apart, or "
        "make enough runs that each state occurs as often as it does in use.",
    ),
    "coarse-clock": Entry(
        "All values lie on steps, and a step is larger than the margin.",
        "The clock ticks, or the harness rounds, in steps that are larger than the change that is too small to matter. "
        "A change of that size cannot be seen, or is seen as a whole step.",
        "Measure longer at a time, so that a value spans many steps, or let the harness print more digits.",
    ),
    "noisy": Entry(
        "The smallest change that so many units can show is larger than the margin of the metric.",
        "It follows from the spread of the values alone: a comparison of as many units a side finds smaller changes "
        "with less than the power asked for (0.8), and calls the row inconclusive.",
        "Make as many runs as the verdict forecasts, or make the machine quieter: the number of runs grows with the "
        "square of the spread. Or say with `--margin` that smaller changes do not matter.",
    ),
    "by-block": Entry(
        "Every value is of another block (a slot, a request), each measured once.",
        "What differs between blocks is the work and not the noise, so that spread, shape and order say nothing of how "
        "well the benchmark repeats. A paired comparison takes the blocks' own sizes out.",
        "Compare in pairs, as statera does where it finds blocks. To see the noise, replay the blocks again with the "
        "same build: `statera inspect --aa FIRST SECOND`.",
    ),
    "runs-differ": Entry(
        "The runs differ from each other by more than the iterations inside them explain.",
        "Each start draws its own memory layout, its own core and its own neighbours. p of the analysis of variance is "
        "below 0.001; the ICC is the share of the variance that lies between runs.",
        "Make more runs of fewer iterations. `--cost-run SECONDS` tells how many iterations a run are worth their "
        "cost. A comparison takes the run as its unit and needs no correction for this.",
    ),
}
