"""Warnings on rows: signs that the values do not meet the assumptions of the test."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

RIDERS: Final[dict[str, Entry]] = {
    "from-summary": Entry(
        "Each side has one summary: a mean with the standard deviation and the number of its samples.",
        "Welch's t compares the means, on the ratio scale by the delta method. Nothing shows outliers, drift or the "
        "shape of the samples, nor how processes differ, so that the row differs or is inconclusive.",
        "Export the samples if the harness can (`statera formats NAME` says how), or write several files for each "
        "build: they count as runs.",
    ),
    "one-process": Entry(
        "All values of a side come from one process.",
        "Two starts of the same program can differ by their memory layout alone. That variation is not "
        "in the interval, which is therefore too narrow. A row like this is never better, worse or equivalent: it "
        "differs or is inconclusive.",
        "Start each build in several processes: four or more a side allow a rank test. If only one process is "
        "possible, `--accept-one-process` lets the gate count rows that differ for the worse.",
    ),
    "pairs-dropped": Entry(
        "Some blocks have a value on one side only. They were dropped from the paired test.",
        "A pair needs both of its values. The number of dropped blocks is `pairs_dropped` in CSV and JSON.",
        "Find out why the sides do not cover the same blocks. `--pair block` makes such a gap an error "
        "that names the first missing key.",
    ),
    "outliers": Entry(
        "A side has values far from its others, on the scale of the test. The limit grows with the number of values, "
        "so that one unchanged row in fifty has such a value by chance if the tails are exponential, and fewer "
        "if they are normal.",
        "They are kept: a long pause is a measurement as well. The test and the typical change rest on "
        "ranks and pairs, so that a few far values hardly move them.",
        "Check what else ran on the machine. If the far values belong to the program (a collection, a "
        "cold cache), they are part of the result.",
    ),
    "drift": Entry(
        "The values of a side rise or fall over the order in which they were measured.",
        "A machine that warms up, throttles or fills its caches while it measures makes two builds "
        "differ that are the same, if they run one after the other.",
        "Run the builds in turns (old, new, new, old) and not one after the other. Warm up first. If the "
        "builds ran in turns already, `--pair order` removes disturbances that both share.",
    ),
    "autocorrelation": Entry(
        "Neighbouring values of a side resemble each other.",
        "The effective sample size is then smaller than the number of values. The p-value is too small and "
        "the interval too narrow.",
        "Spread the measurements: more processes with fewer values each. Give each process or run its "
        "own file, or a process column, so that the process becomes the unit of the test.",
    ),
    "few-distinct": Entry(
        "A side has at least ten values, but at most a quarter of that number are different, and the steps between "
        "them are at least half of the margin.",
        "The clock or the printed digits round differences away that are not small beside the margin. Many ties make "
        "the test weaker and the interval coarse.",
        "Measure longer at a time (more iterations per value), or let the harness print more digits.",
    ),
    "order-correlation": Entry(
        "The values of the two sides are correlated in order: the first with the first, the second with the "
        "second, and so on. The two sides share a disturbance.",
        "An independent test counts the shared disturbance as noise and misses changes that a paired test would find.",
        "If the builds really ran in turns, use `--pair order`. If they did not, look for what both runs "
        "share, such as a slow warm-up.",
    ),
    "medians-disagree": Entry(
        "The ratio of the two medians beside the typical change lies outside its interval.",
        "The typical change is the middle of all pairwise changes. It uses more of the data than two "
        "medians do, and the two can disagree if the distributions differ in shape.",
        "Trust the typical change and its interval. If the shapes matter, look at the single values: two modes of a "
        "build are a separate finding.",
    ),
    "exact-varies": Entry(
        "The file states that the metric is exact, but its values differ within a side.",
        "The data outweighs the statement. The row is tested like any other, with the margin of the metric.",
        "Remove `assume=exact` from the Unit line, or find out what makes the count vary.",
    ),
    "no-ratio": Entry(
        "The row has zero or negative values, so that no ratio can be taken. Differences in the metric's "
        "unit are used instead.",
        "Change, interval and test use logarithms if all values are positive, and there is no "
        "logarithm of zero. The margin is then relative to the baseline's median.",
        "Nothing needs to be done. Such rows are left out of the geometric mean, which says how many they are.",
    ),
    "parametric": Entry(
        "So few values, processes or pairs that no rank test can decide. A t-test is used, on logarithms if the row "
        "has ratios; its variance is shrunk towards that of the other rows of the metric. Within the margin the row "
        "remains inconclusive.",
        "A rank test on 3 + 3 values or 5 pairs can never reach 5 %. The t-test can, but it assumes a normal "
        "distribution: if the noise has two modes, up to two and a half times as many suites as should have a false "
        "alarm, and five times as many if the state of the machine changes for all benchmarks. A run that is sometimes "
        "slow would probably not be among so few.",
        "Run more often: with alpha 0.05, at least 4 + 4 values or processes, or 6 pairs.",
    ),
    "blocks-repeated": Entry(
        "A block occurs several times on a side. Its median is used as its value.",
        "A paired test takes one value of each block. Values of the same block are repetitions and not further blocks.",
        "If the repetitions are separate runs, put each run into a file of its own, or add a process column.",
    ),
    "level-changed": Entry(
        "A build changed its level between its runs: consecutive runs lie apart from its other runs, at least four "
        "times their own standard deviation, and by more than the margin.",
        "The machine, or the program, was in another state during these runs. The typical change is then one of "
        "neither state, and more runs do not decide it. If the order of the runs said nothing, so clear a stretch "
        "would occur in fewer than 5 % of comparisons, all their rows together.",
        "Find out what happened at that run: another job, a frequency limit, a cache that filled. Then measure "
        "again; `statera inspect` shows the course.",
    ),
    "beyond-range": Entry(
        "A number of the row is too large to compute: above the largest number of 64 bits, 1.8 times 10^308.",
        "The ratio of two values that lie more than 308 powers of ten apart is an example. Tables write >10^308 in "
        "its place; CSV and JSON, which have no such number, leave it out. The verdict is valid: it uses ranks and "
        "logarithms.",
        "Check the values: a change of that size is usually a mistake of a unit or a reader.",
    ),
    "low-level": Entry(
        "So few values cannot attain the requested confidence level. The widest interval is shown with the "
        "level that it attains.",
        "An interval at 66 % must not look like one at 95 %. A row like this is never called equivalent.",
        "Run more often. With alpha 0.05, 4 + 4 independent values or 6 pairs suffice for the change.",
    ),
}
