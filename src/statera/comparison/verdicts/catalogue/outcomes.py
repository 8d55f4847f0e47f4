"""Verdicts, and the reasons why a row is inconclusive."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

OUTCOMES: Final[dict[str, Entry]] = {
    "better": Entry(
        "The change is real, and the contender is better in this metric.",
        "The corrected p-value is at most alpha, the interval does not contain zero, and the interval "
        "reaches beyond the margin.",
        "Read the interval: it says how large the change is, at least and at most.",
    ),
    "invalid": Entry(
        "The row would be better, but the contender failed more, so that its values are not of the same work.",
        "Failed requests are often fast. A metric that counts failures (failed requests, errors, checks, statuses from "
        "400 on) is worse in the same benchmark; where runs are too few to judge, its share rose by more than a point, "
        "or its count is significantly higher by an exact binomial test.",
        "Mend what fails and measure again. `--fail-on worse` counts the row, whatever the margin.",
    ),
    "worse": Entry(
        "The change is real, and the contender is worse in this metric.",
        "The corrected p-value is at most alpha, the interval does not contain zero, and the interval "
        "reaches beyond the margin.",
        "Read the interval, then look for the cause. `--fail-on worse` makes the exit code 1; `--fail-on "
        "worse:5%` does so only where the whole interval is worse than 5 %. Both also count rows that are worse "
        "in the tail.",
    ),
    "changed": Entry(
        "The change is real, but it is unknown which direction of this metric is better.",
        "The direction follows from the unit for times, sizes, counts and rates. An unknown unit has none.",
        "State it: `--better METRIC=lower` or `--better METRIC=higher`, a `better` table in the settings "
        "file, or a `Unit` line in Go's format.",
    ),
    "differs": Entry(
        "The values differ by more than chance, but a side has only one process or run, or there are so few runs that "
        "only a t-test can decide.",
        "Two starts of the same build can differ by their memory layout, their compiled code or the state of the "
        "machine alone, by more than any number of iterations shows. The change and its interval hold for these "
        "processes and may not be that of the build. The t-test of few runs assumes normal noise, and gives too many "
        "false alarms if the noise has several modes.",
        "Start each build several times: four or more processes a side decide, more iterations do not. For runs of a "
        "cluster, repeat the runs or add earlier ones with `--baseline-runs`. `--fail-on worse` counts the row only "
        "with `--accept-one-process`, and a row with few runs with `--accept-parametric`.",
    ),
    "tail-worse": Entry(
        "The typical value is equivalent or undecided, but slow runs (high values, or low ones if more is better) "
        "are more frequent.",
        "A run is slow if it lies further than five standard deviations of the quiet half, and than the margin, "
        "from the median of both sides together. Fisher's test compares how many there are on each side, "
        "corrected over the tails of all rows.",
        "Look for what happens in the slow runs: a collection, a cold cache, a lock, a retry. The line below the "
        "table shows their numbers, the change of the mean and the shift of the outermost quantile that the runs "
        "support. `--fail-on worse` counts such rows; `--fail-on typical-worse` does not.",
    ),
    "tail-better": Entry(
        "The typical value is equivalent or undecided, but slow runs (high values, or low ones if more is better) "
        "are less frequent.",
        "The test is that of `tail-worse`, in the other direction.",
        "Nothing needs to be done. The line below the table shows how much the mean gained.",
    ),
    "shape-changed": Entry(
        "The typical value is equivalent, but the values of one side spread more widely; or, in a metric without "
        "a known direction, outer values are more frequent on one side.",
        "The Mann-Whitney test compares the distances from the median of both sides together, corrected over the "
        "spreads of all rows. There is no such verdict if both spreads are smaller than the margin.",
        "Look at the distributions: `statera plot ecdf` draws them, `--quantiles` lists them. The gate does not "
        "count this verdict.",
    ),
    "tail-undecided": Entry(
        "The typical value is equivalent, but the contender has more slow runs, too few to tell whether that is "
        "chance.",
        "The share of slow runs is at least 7.5 points higher and they raise the mean by more than the margin, or "
        "the difference would be significant in a single comparison. `equivalent` would hide them.",
        "Run more often: eighty runs a side show a rise from 3 to 27 % nine times in ten. If slow runs come from "
        "the machine, both sides have them.",
    ),
    "equivalent": Entry(
        "The whole interval lies within the margin: if the typical value changed, it is by too little to matter. "
        "Slow runs are not visibly more frequent, as far as the number of runs shows.",
        "This is a result and not the lack of one. A row can be equivalent with a small p, if many runs show "
        "a very small change.",
        "Nothing needs to be done. `--margin` sets what is too small to matter.",
    ),
    "inconclusive": Entry(
        "The data does not decide. The reason follows the colon.",
        "No difference was shown, but none of a size that matters was ruled out either. That is not the "
        "same as no change.",
        "Read the reason, and then the interval: it still shows how large the change can be at most. The "
        "number of runs after the reason is a forecast from the spread.",
    ),
    "one-value": Entry(
        "There is one value a side. The change is shown and not judged.",
        "A single pair of numbers says nothing about how far two runs of the same build differ. The density of a "
        "cluster's chain is a running mean, of which a run counts as one value.",
        "Run more often. For a whole suite of single values, the quantiles of change and the geometric "
        "mean describe how the suite moved.",
    ),
    "missing": Entry(
        "Only the baseline has this benchmark and metric: it vanished, or it is missing at the level that the row "
        "names.",
        "A benchmark that fails, that was renamed or that was removed would otherwise look like one that "
        "did not change. It vanished if the contender has it at no level of the keys that are compared separately.",
        "Look at the log of the newer run. `--fail-on missing` makes the exit code 1.",
    ),
    "new": Entry(
        "Only the contender has this benchmark and metric.",
        "There is nothing to compare it with.",
        "Nothing needs to be done, unless an old name is missing at the same time: then the benchmark "
        "may have been renamed.",
    ),
    "at-level": Entry(
        "The row is missing or new at this level only: the side without values has the benchmark and metric at another "
        "level.",
        "A benchmark that was not measured with eight threads, but with four, did not vanish.",
        "Measure the level under both variants, or leave it out with `--where KEY=PATTERN`. `--fail-on missing` counts "
        "such rows.",
    ),
    "too-few": Entry(
        "Even the clearest outcome of so few runs has a p-value above alpha.",
        "With 3 + 3 values the least p-value of a rank test is 0.10, whatever the values are. No change "
        "could be significant.",
        "Run more often: with alpha 0.05, at least 4 + 4 values or 6 pairs, and more when many rows are compared.",
    ),
    "noise": Entry(
        "The p-value is above alpha: the spread of the values hides any change.",
        "The values of the two sides overlap so much that equal builds could well have produced them.",
        "Run as often as the verdict forecasts, or make the machine quieter. `detectable` in JSON and "
        "CSV is the smallest change that these runs could have shown.",
    ),
    "not-among-so-many": Entry(
        "The row would be significant if it were the only one, but it is one of many.",
        "Of 100 rows without any change, about five have p below 0.05. The correction keeps those from "
        "being called changes.",
        "Run more often, or compare fewer rows: `--benchmark` and `--metric` make the family smaller. "
        "Choose them before you look at the result.",
    ),
    "moves-with-all": Entry(
        "The row would be called a change, but all benchmarks moved, and this row no more than they did.",
        "Two builds that were measured one after the other differ in every benchmark where the machine changed in "
        "between. The runs of the suite show how far it wanders by itself, and this change is not larger. A change of "
        "everything is called where it is larger, and the change of one benchmark where it differs from the others.",
        "Alternate the builds (`statera run` does), or measure each build in several sessions.",
    ),
    "level-changed": Entry(
        "A build changed its level between its runs, which the row names: no typical value stands for all of them.",
        "Two levels in one build look like noise to a test of the typical value. Their order shows that they are not.",
        "Find out what happened at that run, and measure again. More runs of the same kind do not decide the row.",
    ),
    "within-sessions": Entry(
        "The runs differ certainly, but by no more than two sessions of one build may.",
        "Each build was measured in one session, and the state of the machine differs from session to session. The "
        "setting `session` states by how much.",
        "Alternate the builds (`statera run` does), or measure several sessions of each build; `statera inspect --aa "
        "FILES --propose` measures the setting from sessions of one build.",
    ),
    "ties": Entry(
        "The p-value is at most alpha, but the interval contains zero.",
        "Equal values make the null distribution uneven, so that test and interval can disagree in borderline cases. "
        "In these cases no change is claimed.",
        "Measure with finer resolution, so that fewer values are equal.",
    ),
    "few-runs": Entry(
        "The interval lies within the margin, but so few runs show that only by a t-test.",
        "A run that is sometimes slow would probably not be among so few, and the t-test assumes normal noise.",
        "Run more often: with alpha 0.05, at least 4 + 4 values or processes, or 6 pairs.",
    ),
    "too-few-pairs": Entry(
        "Fewer than two blocks, such as hosts of a cluster, occur on both sides.",
        "The test compares each block with the same block of the other side.",
        "Check whether the blocks have the same names on both sides; measure more of them, or several runs a side.",
    ),
    "too-few-values": Entry(
        "A side has fewer than 20 values, too few to tell how much neighbouring values depend on each other.",
        "The values follow one another in time, so the test works on the means of long batches of them.",
        "Measure longer, or make several runs a side: runs are then compared.",
    ),
    "too-dependent": Entry(
        "Neighbouring values resemble each other so much that a side is worth too few independent values for a test.",
        "The effective sample size is about n (1 - r) / (1 + r) with the correlation r of neighbours. The values of a "
        "cluster need 20; other values as many as a rank test needs (`effective_units` in JSON and CSV).",
        "Measure in several processes or runs a side: those are then compared. Or run the builds in turns.",
    ),
    "no-spread": Entry(
        "The values do not vary on either side, so that no test can be made.",
        "A t-test needs some variation; without any it cannot tell chance from change.",
        "Check whether the metric is a count that is always the same; the change itself is shown.",
    ),
    "not-computable": Entry(
        "The statistic cannot be computed from these values.",
        "For instance two or three processes a side that do not vary at all: no t follows from data "
        "without spread. A failed computation is never a verdict.",
        "Look at the single values. If they are the same in every run by nature, state them as exact in "
        "the file (`Unit NAME assume=exact` in Go's format).",
    ),
}
