"""Words of the table itself: its columns, and the line of verdicts below it."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

COLUMNS: Final[dict[str, Entry]] = {
    "typical-change": Entry(
        "By how much the contender differs from the baseline: the median of all pairwise changes (the "
        "Hodges-Lehmann estimate).",
        "Outliers hardly move it, and its interval comes from the same test as p, so that the two agree. It is not "
        "the ratio of the two medians: the table shows those for the size of the values only.",
        "Read it together with its interval. -50% is half as much, +100% twice as much; from tenfold on the table "
        "writes ×12.3. An undecided row whose interval includes no change shows ~: not even its direction is known. "
        "The change is a difference with a unit where a value is zero or negative, or with `--scale "
        "difference`.",
    ),
    "interval": Entry(
        "The confidence interval of the typical change, at level 1 - alpha: changes that the data does not rule out.",
        "It bounds the size of the change from both sides; p says only whether there is a change. A round bracket "
        "excludes its end. `at 66%` is the level that so few values attain. `+0.30% exactly` has no width, because "
        "most values of each side are equal. With `0% (ties)` most values are equal, and the others differ more than "
        "chance explains, so that the test rejects even zero. A called row has a wider interval, the fewer "
        "of all rows are called, because those are whose noise helped (Benjamini & Yekutieli). "
        "The level is higher where results were looked at several times (`looks`); the heading has none if rows "
        "differ in it.",
        "Compare both ends with the change that matters to you. More runs narrow it: four times as many runs make it "
        "about half as wide.",
    ),
    "p": Entry(
        "The p-value: how often two equal builds would differ at least as clearly as these, by chance alone. `p "
        "(corrected)` is corrected for multiple comparisons over all rows.",
        "Among many rows some differ by chance. The correction limits such false alarms; `--correction none` turns it "
        "off. A dash marks a row without a test. Where results were looked at several times (`looks`), p is first "
        "divided by the share of alpha of its look.",
        "At or below alpha (0.05 by default) the change is significant. Above alpha the data shows neither a change "
        "nor its absence. The interval and the verdict `equivalent` say how large a change is ruled out.",
    ),
    "n": Entry(
        "The sample size of each side: values, processes or pairs; 20+19 where the sides differ.",
        "Only independent measurements count. Values of one process resemble each other, so a process with several "
        "values counts once, with its median, where the processes are known.",
        "If n is smaller than the number of values that you measured, read the line `Method:`. It says which values "
        "were combined.",
    ),
    "verdicts": Entry(
        "The conclusion: better, worse, changed, differs, tail worse, tail better, shape changed, equivalent, "
        "inconclusive, one value, missing or new.",
        "A row is equivalent if its whole interval lies within the margin. Otherwise it is better or worse if its "
        "corrected p is at most alpha and its interval excludes zero (it differs if a side has one process), and "
        "inconclusive if not.",
        "`statera explain` explains each verdict by its name: `statera explain inconclusive`. The line `verdicts:` "
        "counts the rows of each.",
    ),
    "runs-needed": Entry(
        "About how many runs a side would decide the row at its margin: the number after the ~ of an inconclusive row, "
        "with its range in brackets.",
        "With this number a change of the margin is found with the power (0.8 by default), after the same correction "
        "for multiple comparisons. It is a forecast from the spread of the values, never from the observed change. "
        "The spread of few runs is uncertain: in eight of ten cases the number lies in the range.",
        "Measure that many runs, make the machine quieter, or widen the margin (`--margin`) if such a small change "
        "does not matter.",
    ),
}

# Lines below the table that need more than a column does to be explained.
BELOW: Final[dict[str, Entry]] = {
    "geometric-mean": Entry(
        "The mean change of all rows of a metric that have a ratio: the geometric mean of 1 + typical change.",
        "It can be recomputed from the rows above it. Its interval compares the suite run by run, like one more "
        "benchmark whose value is the geometric mean over all benchmarks of a run; so a run that is slow as a whole "
        "counts once. Single values have no interval: one run does not show how much the next would differ.",
        "Read it as a summary, not as a verdict: a mean of zero can hide a large gain and a large loss.",
    ),
}
