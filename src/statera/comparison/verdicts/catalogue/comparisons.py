"""What a comparison and an inspection show: words of the table, verdicts, warnings, defects and notes."""

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
        "writes ×12.3. ~ stands where there is no clear change: not even its direction is known. "
        "The change is a difference with a unit where a value is zero or negative, or with `--scale "
        "difference`.",
    ),
    "interval": Entry(
        "The confidence interval of the typical change, at level 1 - alpha: changes that the data does not rule out.",
        "It bounds the size of the change from both sides; p says only whether there is a change. A round bracket "
        "excludes its end. `at 66%` is the level that so few values attain. `+0.30% (exact)` has no width, because "
        "most values of each build are equal. With `0% (ties)` most values are equal, and the others differ more than "
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
        "nor its absence. The interval and the verdict `unchanged` say how large a change is ruled out.",
    ),
    "n": Entry(
        "The sample size of each build: values, processes or pairs; 20+19 where the builds differ.",
        "Only independent measurements count. Values of one process resemble each other, so a process with several "
        "values counts once, with its median, where the processes are known.",
        "If n is smaller than the number of values that you measured, read the line `Method:`. It says which values "
        "were combined.",
    ),
    "verdicts": Entry(
        "The conclusion: slower or faster (of a size more or less, of a rate lower or higher), changed, differs, tail "
        "slower, tail faster, less steady, steadier, unchanged, no clear change, not judged, gone, new or invalid. CSV "
        "and JSON have codes for them: worse, better, tail-worse, equivalent, inconclusive and so on.",
        "A benchmark is unchanged if its whole interval lies within the margin. Otherwise it is slower or faster if "
        "its corrected p is at most alpha and its interval excludes zero (it differs if a build ran in one process). "
        "If neither is so, there is no clear change.",
        "`statera explain` explains each of them by its word or its code: `statera explain no clear change`, `statera "
        "explain inconclusive`.",
    ),
    "runs-needed": Entry(
        "About how many runs per build would settle whether there is a change as large as the margin, with its range "
        "in brackets.",
        "With this number a change of the margin is found with the power (0.8 by default), after the same correction "
        "for multiple comparisons. It is a forecast from the spread of the values, never from the observed change. "
        "The spread of few runs is uncertain: in eight of ten cases the number lies in the range.",
        "Measure that many runs, make the machine quieter, or widen the margin (`--margin`) if such a small change "
        "does not matter.",
    ),
}

# The columns beside the change, and those of a history.
BESIDE: Final[dict[str, Entry]] = {
    "old-and-new": Entry(
        "The median of each build, in the same unit; the headings are the names of the builds.",
        "They show the size of the values. The change beside them is the median of all pairwise changes, not the ratio "
        "of these two medians.",
        "Rely on the change where they seem to disagree.",
    ),
    "half-width": Entry(
        "± is half the width of the confidence interval of a median, relative to the median.",
        "It says how well each median is known by itself. The interval of the change says how well the change is "
        "known.",
        "If it is large, make more runs or a quieter machine. A question mark means too few values for an interval.",
    ),
    "detects": Entry(
        "The smallest change that so many runs detect with the power of the policy (0.8: four times out of five).",
        "A benchmark with no clear change may have changed by less than this, and nobody would have noticed.",
        "Make more runs to detect smaller changes: four times as many detect changes half as large.",
    ),
    "columns-of-metrics": Entry(
        "Columns such as B and allocs: the change of another metric of the same benchmark, where it is clear.",
        "Memory beside the time tells at a glance whether they go together. A dash means the metric did not change.",
        "`--metric NAME` shows a metric with its interval, p and medians.",
    ),
    "family": Entry(
        "All p-values of a comparison, which are corrected together, whatever is shown.",
        "Each test is another chance of a false alarm. A family that depended on the rows shown could be chosen until "
        "something differs.",
        "`--metric` and `--benchmark` make it smaller: choose before you look.",
    ),
    "block": Entry(
        "Values of all builds that belong together, such as those of a round: one value of each build is a pair.",
        "What slows a whole block down slows all its builds, and their differences do not contain it.",
        "`--pair KEY` names the key of the blocks, `--unpaired` ignores them.",
    ),
    "shift-function": Entry(
        "The change at each quantile, from the fastest to the slowest runs, with a band for all levels at once "
        "(`--quantiles`).",
        "Equal medians can hide slower tails. A level with too few values beyond it has no band.",
        "Read where the band excludes zero. More runs give bands to the outer levels.",
    ),
    "false-alarms": Entry(
        "How often one build, compared with itself, was called changed (`statera inspect --aa`, and comments).",
        "More than alpha means that the values are less independent than the tests assume.",
        "Alternate the builds, measure in more processes, or use the noise as margin (`--margin noise`).",
    ),
    "begins-at": Entry(
        "In a history: the commit at which a change begins; `from` and `to` are the levels before and after it, "
        "`size` is their change.",
        "A change between two commits that were measured belongs to one of the commits from the first to the second.",
        "`statera history points` lists all changes with their ranges. Look at the commits in the range.",
    ),
    "alert": Entry(
        "In a history: the number of an alert, which a change opens and which somebody closes.",
        "A change stays visible in every later build. The alert says that it is known already.",
        "`statera history points` lists alerts, and `statera history ignore` closes one.",
    ),
}

# Lines below the table that need more than a column does to be explained.
BELOW: Final[dict[str, Entry]] = {
    "geometric-mean": Entry(
        "The mean change of all benchmarks of a metric that have a ratio: the geometric mean of 1 + typical change.",
        "It can be recomputed from the rows above it. Its interval compares the suite run by run, like one more "
        "benchmark whose value is the geometric mean over all benchmarks of a run; so a run that is slow as a whole "
        "counts once. Single values have no interval: one run does not show how much the next would differ.",
        "Read it as a summary, not as a verdict: a mean of zero can hide a large gain and a large loss.",
    ),
}


OUTCOMES: Final[dict[str, Entry]] = {
    "better": Entry(
        "Faster, or less of a size, or more of a rate: the change is real, and the contender is better in this metric.",
        "The corrected p-value is at most alpha, the interval does not contain zero, and the interval "
        "reaches beyond the margin.",
        "Read the interval: it says how large the change is, at least and at most.",
    ),
    "invalid": Entry(
        "It would be faster, but the contender failed more, so that its values are not of the same work.",
        "Failed requests are often fast. A metric that counts failures (failed requests, errors, checks, statuses from "
        "400 on) is worse in the same benchmark; where runs are too few to judge, or some of them fail as a whole, its "
        "share rose by more than a point, or its count is significantly higher by an exact binomial test.",
        "Mend what fails and measure again. `--fail-on worse` counts the row, whatever the margin.",
    ),
    "worse": Entry(
        "Slower, or more of a size, or less of a rate: the change is real, and the contender is worse in this metric.",
        "The corrected p-value is at most alpha, the interval does not contain zero, and the interval "
        "reaches beyond the margin.",
        "Read the interval, then look for the cause. `--fail-on worse` makes the exit code 1; `--fail-on "
        "worse:5%` does so only where the whole interval is worse than 5 %. Both also count rows whose tail is "
        "slower.",
    ),
    "changed": Entry(
        "The change is real, but it is unknown which direction of this metric is better.",
        "The direction follows from the unit for times, sizes, counts and rates. An unknown unit has none.",
        "State it: `--better METRIC=lower` or `--better METRIC=higher`, a `better` table in the settings "
        "file, or a `Unit` line in Go's format.",
    ),
    "differs": Entry(
        "The values differ by more than chance, but a build has only one process or run, or there are so few runs that "
        "only a t-test can decide.",
        "Two starts of the same build can differ by their memory layout, their compiled code or the state of the "
        "machine alone, by more than any number of iterations shows. The change and its interval are those of these "
        "processes, and may not be those of the build. The t-test of few runs assumes normal noise, and gives too many "
        "false alarms if the noise has several modes.",
        "Start each build several times: four or more processes per build settle it, more iterations do not. For runs "
        "of a cluster, repeat the runs or add earlier ones with `--baseline-runs`. `--fail-on worse` counts the row "
        "only with `--accept-one-process`, and a row with few runs with `--accept-parametric`.",
    ),
    "tail-worse": Entry(
        "The typical value is unchanged or unclear, but slow runs (high values, or low ones if more is better) are "
        "more frequent: the tail is slower.",
        "A run is slow if it lies further than five standard deviations of the quiet half, and than the margin, "
        "from the median of both builds together. Fisher's test compares how many there are in each build, "
        "corrected over the tails of all rows. Where a run is the median of its values, such as the requests of a load "
        "test, the Mann-Whitney test compares the runs' shares of values beyond three deviations, too.",
        "Look for what happens in the slow runs: a collection, a cold cache, a lock, a retry. The line below the "
        "table shows their numbers, the change of the mean and the shift of the outermost quantile that the runs "
        "support. `--fail-on worse` counts such rows; `--fail-on typical-worse` does not.",
    ),
    "tail-better": Entry(
        "The typical value is unchanged or unclear, but slow runs (high values, or low ones if more is better) are "
        "less frequent: the tail is faster.",
        "The test is that of `tail-worse`, in the other direction.",
        "Nothing needs to be done. The line below the table shows how much the mean gained.",
    ),
    "shape-changed": Entry(
        "The typical value is unchanged, but the values are less steady (they spread more widely) or steadier; or, in "
        "a metric without a known direction, outer values are more frequent in one build.",
        "The Mann-Whitney test compares the distances from the median of both builds together, corrected over the "
        "spreads of all rows. There is no such verdict if both spreads are smaller than the margin.",
        "Look at the distributions: `statera plot ecdf` draws them, `--quantiles` lists them. The gate does not "
        "count this verdict.",
    ),
    "tail-undecided": Entry(
        "The typical value is unchanged, but the contender has more slow runs, too few to tell whether that is chance.",
        "The share of slow runs is at least 7.5 points higher and they raise the mean by more than the margin, or "
        "the difference would be significant in a single comparison. `unchanged` would hide them.",
        "Run more often: eighty runs per build show a rise from 3 to 27 % nine times in ten. If slow runs come from "
        "the machine, both builds have them.",
    ),
    "equivalent": Entry(
        "Unchanged: the whole interval lies within the margin. If the typical value moved, it is by too little to "
        "matter. Slow runs are not visibly more frequent, as far as the number of runs shows.",
        "This is a result and not the lack of one. A benchmark can be unchanged with a small p, if many runs show "
        "a very small change.",
        "Nothing needs to be done. `--margin` sets what is too small to matter.",
    ),
    "inconclusive": Entry(
        "No clear change: the runs neither show one nor rule one out. The reason follows the colon.",
        "No difference was shown, but none of a size that matters was ruled out either. That is not the "
        "same as unchanged.",
        "Read the reason, and then the interval: it still shows how large the change can be at most. The "
        "number of runs after the reason is a forecast from the spread.",
    ),
    "one-value": Entry(
        "Not judged: there is one value per build. The change is shown.",
        "A single pair of numbers says nothing about how far two runs of the same build differ. The density of a "
        "cluster's chain is a running mean, of which a run counts as one value.",
        "Run more often. For a whole suite of single values, the quantiles of change and the geometric "
        "mean describe how the suite moved.",
    ),
    "missing": Entry(
        "Gone: only the baseline has this benchmark and metric, or the contender lacks it at the level that the row "
        "names.",
        "A benchmark that fails, that was renamed or that was removed would otherwise look like one that did not "
        "change. It is gone altogether if the contender has it at no level of the keys that are compared apart.",
        "Look at the log of the newer run. `--fail-on missing` makes the exit code 1.",
    ),
    "new": Entry(
        "Only the contender has this benchmark and metric.",
        "There is nothing to compare it with.",
        "Nothing needs to be done, unless an old name is missing at the same time: then the benchmark "
        "may have been renamed.",
    ),
    "at-level": Entry(
        "The row is gone or new at this level only: the build without values has the benchmark and metric at another "
        "level.",
        "A benchmark that was not measured with eight threads, but with four, is not gone.",
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
        "The values of the two builds overlap so much that equal builds could well have produced them.",
        "Run as often as the verdict forecasts, or make the machine quieter. `detectable` in JSON and "
        "CSV is the smallest change that these runs would have detected.",
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
        "A build shifted level between its runs, at a place that the row names: no typical value stands for all of "
        "them.",
        "Two levels in one build look like noise to a test of the typical value. Their order shows that they are not.",
        "Find out what happened at that run, and measure again. More runs of the same kind do not settle it.",
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
        "Fewer than two blocks, such as hosts of a cluster, occur in both builds.",
        "The test compares each block with the same block of the other build.",
        "Check whether the blocks have the same names in both builds. Measure more of them, or several runs per build.",
    ),
    "too-few-values": Entry(
        "A build has fewer than 20 values, too few to tell how much consecutive values depend on each other.",
        "The values follow one another in time, so the test works on the means of long batches of them.",
        "Measure longer, or make several runs per build: runs are then compared.",
    ),
    "too-dependent": Entry(
        "Consecutive values are so correlated that a build is worth too few independent values for a test.",
        "The effective sample size is about n (1 - r) / (1 + r) with the correlation r of neighbours. The values of a "
        "cluster need 20; other values as many as a rank test needs (`effective_units` in JSON and CSV).",
        "Measure in several processes or runs per build: those are then compared. Or alternate the builds.",
    ),
    "no-spread": Entry(
        "The values do not vary in either build, so that no test can be made.",
        "A t-test needs some variation; without any it cannot tell chance from change.",
        "Check whether the metric is a count that is always the same; the change itself is shown.",
    ),
    "not-computable": Entry(
        "The statistic cannot be computed from these values.",
        "For instance two or three processes per build that do not vary at all: no t follows from data "
        "without spread. A failed computation is never a verdict.",
        "Look at the single values. If they are the same in every run by nature, state them as exact in "
        "the file (`Unit NAME assume=exact` in Go's format).",
    ),
}


RIDERS: Final[dict[str, Entry]] = {
    "from-summary": Entry(
        "Each build has one summary: a mean with the standard deviation and the number of its samples.",
        "Welch's t compares the means, on the ratio scale by the delta method. Nothing shows outliers, drift or the "
        "shape of the samples, nor how processes differ, so that the row differs or shows no clear change.",
        "Export the samples if the harness can (`statera formats NAME` says how), or write several files for each "
        "build: these are runs.",
    ),
    "one-process": Entry(
        "Each build ran in one process, or one of them did.",
        "Two starts of the same program can differ by their memory layout alone. That variation is not "
        "in the interval, which is therefore too narrow. A row like this is never slower, faster or unchanged: it "
        "differs or shows no clear change.",
        "Start each build in several processes: four or more per build allow a rank test. If only one process is "
        "possible, `--accept-one-process` lets the gate count rows that differ for the worse.",
    ),
    "pairs-dropped": Entry(
        "Some blocks have a value in one build only. They were dropped from the paired test.",
        "A pair needs both of its values. The number of dropped blocks is `pairs_dropped` in CSV and JSON.",
        "Find out why the builds do not cover the same blocks. `--pair block` makes such a gap an error "
        "that names the first missing key.",
    ),
    "outliers": Entry(
        "A build has values far from its others, on the scale of the test. The limit grows with the number of values, "
        "so that one unchanged row in fifty has such a value by chance if the tails are exponential, and fewer "
        "if they are normal.",
        "They are kept: a long pause is a measurement as well. The test and the typical change rest on "
        "ranks and pairs, so that a few far values hardly move them.",
        "Check what else ran on the machine. If the far values belong to the program (a collection, a "
        "cold cache), they are part of the result.",
    ),
    "drift": Entry(
        "The values of a build drift: they rise or fall over the order in which they were measured.",
        "A machine that warms up, throttles or fills its caches while it measures makes two builds "
        "differ that are the same, if they run one after the other.",
        "Alternate the builds (old, new, new, old) and do not run one after the other. Warm up first. If the "
        "builds alternated already, `--pair order` removes disturbances that both share.",
    ),
    "autocorrelation": Entry(
        "Consecutive values of a build are correlated.",
        "The effective sample size is then smaller than the number of values. The p-value is too small and "
        "the interval too narrow.",
        "Spread the measurements: more processes with fewer values each. Write one file per process or run, "
        "or add a process column, so that the process becomes the unit of the test.",
    ),
    "few-distinct": Entry(
        "A build has at least ten values, but at most a quarter of that number are different, and the steps between "
        "them are at least half of the margin.",
        "The clock or the printed digits round differences away that are not small beside the margin. Many ties make "
        "the test weaker and the interval coarse.",
        "Measure longer at a time (more iterations per value), or let the harness print more digits.",
    ),
    "order-correlation": Entry(
        "Both builds rise and fall together: the first values are correlated with the first, the second with the "
        "second, and so on. The two builds share a disturbance.",
        "An independent test counts the shared disturbance as noise and misses changes that a paired test would find.",
        "If the builds really alternated, use `--pair order`. If they did not, look for what both runs "
        "share, such as a slow warm-up.",
    ),
    "medians-disagree": Entry(
        "The ratio of the two medians beside the typical change lies outside its interval.",
        "The typical change is the middle of all pairwise changes. It uses more of the data than two "
        "medians do, and the two can disagree if the distributions differ in shape.",
        "Rely on the change and its interval. If the shapes matter, look at the single values: two modes of a "
        "build are a separate finding.",
    ),
    "exact-varies": Entry(
        "The file states that the metric is exact, but its values differ within a build.",
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
        "shows no clear change.",
        "A rank test on 3 + 3 values or 5 pairs can never reach 5 %. The t-test can, but it assumes a normal "
        "distribution: if the noise has two modes, up to two and a half times as many suites as should have a false "
        "alarm, and five times as many if the state of the machine changes for all benchmarks. A run that is sometimes "
        "slow would probably not be among so few.",
        "Run more often: with alpha 0.05, at least 4 + 4 values or processes, or 6 pairs.",
    ),
    "blocks-repeated": Entry(
        "A block occurs several times in a build. Its median is used as its value.",
        "A paired test takes one value of each block. Values of the same block are repetitions and not further blocks.",
        "If the repetitions are separate runs, write one file per run, or add a process column.",
    ),
    "level-changed": Entry(
        "A build shifted level between its runs: consecutive runs lie apart from its other runs, at least four "
        "times their own standard deviation, and by more than the margin.",
        "The machine, or the program, was in another state during these runs. The typical change is then one of "
        "neither state, and more runs do not settle it. If the order of the runs said nothing, so clear a stretch "
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
        "An interval at 66 % must not look like one at 95 %. A row like this is never called unchanged.",
        "Run more often. With alpha 0.05, 4 + 4 independent values or 6 pairs suffice for the change.",
    ),
}


DEFECTS: Final[dict[str, Entry]] = {
    "constant": Entry(
        "All values are equal, but the metric cannot be exact.",
        "A time that never varies was rounded: by the clock, by the harness or by the writer of the file. Differences "
        "that the rounding hides cannot be compared.",
        "Measure longer at a time (more iterations per value), or let the harness print more digits.",
    ),
    "warm-up": Entry(
        "Runs begin at another level than the one at which they settle. On a row of a comparison: a build "
        "starts slow and settles during its first third.",
        "Caches fill, a just-in-time compiler works, a clock speeds up. Change points (PELT) divide each run of eight "
        "values or more; the steady state is the last level, if it is at least half of the run. Values before it "
        "measure something else than those in it.",
        "Discard as many values as the verdict says, or let the harness warm up before it measures. If the warm-up is "
        "what matters, measure it by itself.",
    ),
    "few-processes": Entry(
        "There are only two or three values, or values of two or three processes or runs.",
        "Each process counts once, and a rank test on 2 + 2 or 3 + 3 values can never reach 5 %. A comparison then "
        "uses a t-test, and its rows differ at most.",
        "Use four or more values or processes per build, and more at a stricter alpha.",
    ),
    "unsteady": Entry(
        "The level of the values changes inside the runs, and no steady state lasts half of the run.",
        "Such steps come from the machine (another job, a change of the clock's rate, a move to another core) or from "
        "a program that never settles. Where the step falls decides what a comparison finds.",
        "Check what else runs, fix the clock's rate, pin the process to a core. Alternate the builds, so that a "
        "step affects both.",
    ),
    "several-modes": Entry(
        "The values form two clusters or more.",
        "The dip test (Hartigan & Hartigan 1985) finds more than one mode, at 0.001 on a row of a comparison. An "
        "inspection tests at 0.05, and its number is that of the peaks of "
        "the density. Each cluster is another state: a memory layout, a core, a cache that was warm or cold. The "
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
        "The smallest change that so many runs detect is larger than the margin of the metric.",
        "It follows from the spread of the values alone: a comparison of as many runs per build detects smaller "
        "changes with less than the requested power (0.8), and says no clear change.",
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


REMARKS: Final[dict[str, Entry]] = {
    "machine-differs": Entry(
        "A key that identifies machines or systems has another value in each build.",
        "A difference between the builds may then come from the machine and not from the program.",
        "Measure both builds on the same machine, alternating.",
    ),
    "removed-work": Entry(
        "A benchmark takes less than half a nanosecond in a build.",
        "That is a cycle or two of a processor. A compiler that sees that nobody uses a result removes the work that "
        "computes it, and the loop that is left is no faster program.",
        "Use the result: `b.Loop` or a package variable in Go, `DoNotOptimize` in Google Benchmark, `black_box` in "
        "Rust, a returned value or `Blackhole` in JMH.",
    ),
    "configuration-differs": Entry(
        "A configuration key has one value in each build, and the values differ.",
        "It is usually what is compared, such as a commit or a compiler. The note makes any further difference "
        "visible.",
        "Check that nothing else differs.",
    ),
    "pooled": Entry(
        "Values with different levels of this key count as one sample.",
        "Keys that distinguish runs (date, commit, run, iteration, round …) are pooled, since runs are the "
        "sampled units. So are keys that vary within a benchmark and have no value in both builds, and keys "
        "that you named with `--pool`.",
        "If the key stands for different work, separate its values with `--within KEY`.",
    ),
    "measured-elsewhere": Entry(
        "A benchmark was measured in both builds, but nowhere in the same circumstances, such as under the same "
        "kernel.",
        "Only comparable values are compared: if a key of the machine, or one that statera does not know, has several "
        "values within a variant, these are compared separately. A benchmark without a partner there is listed and "
        "makes no row: it is not gone, and a gate has no answer.",
        "If the key does not matter, pool over it with `--pool KEY`. If it does, measure both builds alike. To count "
        "such a benchmark as gone, separate the key's values with `--within KEY`.",
    ),
    "pattern-unused": Entry(
        "A pattern of an option fits no name.",
        "`--benchmark`, `--metric`, `--better` and `--margin` take names or patterns; one that fits no name changes "
        "nothing, and may be mistyped. Patterns of a settings file are not looked at, because they can be for other "
        "results.",
        "Use one of the names in the message, or remove the pattern.",
    ),
    "paired": Entry(
        "The rows were paired, by the key that the note names.",
        "The two values of a pair are compared, so that differences between blocks do not count as noise.",
        "Nothing needs to be done. `--unpaired` compares without pairs.",
    ),
    "one-after-the-other": Entry(
        "The results state when they were measured: all values of one build before all values of the other.",
        "A machine that becomes slower or faster in the meantime changes one build only. No test can tell such a drift "
        "from a change of the program.",
        "Alternate the builds: old, new, new, old. Values of a round can then be paired (`--pair order`), which "
        "removes what they share.",
    ),
    "blocks-apart": Entry(
        "The values carry blocks, such as the rounds of a run, and none of them was measured in both builds.",
        "Jobs of two commits that ran at different times share no rounds. They are compared as independent runs.",
        "Nothing, or measure both commits in one run, whose rounds then pair them.",
    ),
    "pairing-unused": Entry(
        "The results carry pairing keys, and `--unpaired` leaves them unused.",
        "The independent test counts the difference between blocks as noise and can miss real changes.",
        "Remove `--unpaired`, unless the keys are wrong.",
    ),
    "summaries": Entry(
        "The values are summaries of samples (means, medians, percentiles, throughputs), and the files do not have the "
        "samples.",
        "One summary per build is compared by its standard deviation and number of samples if the file states both for "
        "a mean; otherwise it is shown without a verdict. Medians and percentiles have no such deviation.",
        "Export the samples if the harness can, or run it several times: several files of a variant are runs, and "
        "their summaries are compared like any other values.",
    ),
    "copies": Entry(
        "All values of a file, with their names and configuration, are in another file of the same variant too.",
        "Measured times never agree in all digits. `latest.json`, a backup, a compressed copy or results before more "
        "were appended would count their run twice, and two copies look like two runs without noise.",
        "Nothing, or move the copies elsewhere.",
    ),
    "copies-across": Entry(
        "All values of a file, with their names and configuration, are in a file of another variant too.",
        "Measured times never agree in all digits, so one build was not measured, or not by itself: its results were "
        "overwritten, or appended to those of the other build, or two names lead to one file. A difference is hidden "
        "then, and a gate has no answer.",
        "Measure the build again, and keep its results in a place where nothing else writes. If a simulation gives the "
        "same values in every run, state that they are exact in the file (`Unit NAME assume=exact` in Go's format, "
        "`exact` in the column `traits` of a table).",
    ),
    "files-pooled": Entry(
        "Several files of a variant have values of the same benchmarks, and their names are those of the files of the "
        "other variant.",
        "Files of a variant count as runs of the same work. If their names mean inputs or machines, the difference "
        "between these looks like noise between runs and hides a change.",
        "Name what the files mean with `--name-pattern`. Each is then compared separately.",
    ),
    "files-are-builds": Entry(
        "Each file is a build, and the names of several files differ in numbers alone.",
        "A shell replaces a pattern without quotes by its files. Each of them is then compared with the first.",
        "If files are runs of one build, give them one label: `old=1.txt old=2.txt`, or a quoted pattern, "
        "`'old=old*.txt'`.",
    ),
    "baseline-first": Entry(
        "The first variant is the baseline, and another variant is called `old`, `before` or `baseline`.",
        "A folder and a pattern list their files by name, so that `after.json` comes before `before.json`.",
        "If the other one is meant, name it with `--baseline`.",
    ),
    "runs-not-said": Entry(
        "Go's format does not say which values came from the same process. All values of a file are "
        "taken as independent.",
        "Values of `go test -count=10` come from one process and can be more alike than values of ten processes.",
        "Start the test binary several times, and write one file per start under one label (old=1.txt "
        "old=2.txt …): files of one variant are runs, and the run becomes the unit of the test.",
    ),
    "too-few-runs": Entry(
        "Some benchmarks have so few runs that no change would have been detected.",
        "The least possible p-value of a rank test depends on the number of runs alone.",
        "Run as often as the note says, or more often.",
    ),
    "dependent-runs": Entry(
        "Consecutive runs resemble each other, so that they say less than as many independent ones.",
        "The correlation of consecutive runs is estimated over all rows of a metric, around the mean of each build, "
        "and each row is shrunk towards it. Interval and p are widened as if there were only the effective number of "
        "runs. Runs that follow one another in one process, or on a machine whose speed wanders, are like that.",
        "Alternate the builds, in random order, and start a new process for each run.",
    ),
    "looks": Entry(
        "The results were examined several times while they were measured, and a benchmark ended once it was decided.",
        "Each look is one more chance of a false alarm. Therefore each look spends only a share of alpha: the p-values "
        "of a row are divided by the share of the look at which its benchmark ended, and its intervals are at the "
        "level 1 - alpha x share. The shares of all looks add up to 1.",
        "Nothing. The key `alpha_share` of the results states the share, also after `statera convert`.",
    ),
    "family-too-large": Entry(
        "The least p-value of these runs, times the number of rows, is above alpha. A single changed row "
        "cannot pass the correction, however large its change is.",
        "This follows from the numbers of runs and of rows, not from the outcome. Several changed rows "
        "can still pass together.",
        "Run more often, or select fewer rows with `--benchmark` and `--metric` before you look at the result.",
    ),
    "one-session": Entry(
        "All values of a build come from one file, and those of the other build from another: each was measured in "
        "one session.",
        "The runs of a session share the state of the machine, so that two sessions of one build differ by more than "
        "their runs show. The data cannot tell by how much; the setting `session`, a relative standard deviation, "
        "stands for it. It enters the interval and the verdict of times and rates, not of counts, and not where the "
        "builds alternate or have several sessions; p remains what the runs show.",
        "Alternate the builds (`statera run` does), or measure several sessions of each and pass all their files. "
        "`statera inspect --aa FILES --propose` measures by how much sessions of one build differ, and writes the line "
        "`session` of statera.toml.",
    ),
    "spread-of-all": Entry(
        "The values of all benchmarks together vary more in one build than in the other.",
        "Each run has the mean, over the benchmarks without a change, of the ranks of its distances from their "
        "medians; Mann-Whitney compares these means run by run. A single benchmark of few runs does not show such a "
        "difference, fifty of them do. It is stated where the standard deviations differ by a quarter or more, with p "
        "at most a tenth of alpha.",
        "A build that varies more has slow runs, a state that some runs miss, or ran on a busier machine. `statera "
        "inspect` shows the course of its runs. Alternate the builds to exclude the machine.",
    ),
    "order-of-all": Entry(
        "The first runs of both builds vary together, and so do the second ones, and the following.",
        "The rank correlation of the k-th runs, over all benchmarks, is larger than in 99 % of the permutations "
        "of runs, in which all benchmarks keep theirs together. So the builds alternated, and shared the state of the "
        "machine; or two sessions took the same course. The files do not tell which, so nothing is paired.",
        "If the builds alternated, `--pair order` compares the runs that belong together. If they did not, leave it: "
        "pairs that do not belong together prove nothing.",
    ),
    "own-part": Entry(
        "Rows show what each benchmark did apart from what all of them share.",
        "`--apart` divides each value by the factor of its run: the median of the deviations of all other benchmarks "
        "of the metric. What the machine did to all of them is gone, and so is a change of everything, which the note "
        "states. Old values keep their level.",
        "Look for the benchmark that changed by itself on a bad day. For whether the build is slower, compare without "
        "`--apart`; a gate always does.",
    ),
    "as-measured": Entry(
        "Some rows were not divided by what all benchmarks share, and show the whole change.",
        "A machine changes no counts and sizes. A benchmark with other numbers of runs than most, or with values that "
        "are not above zero, has no factor, and fewer than ten benchmarks tell none.",
        "Compare these rows without `--apart`.",
    ),
    "moves-as-one": Entry(
        "Nearly all benchmarks moved the same way by a similar amount.",
        "Ten rows or more, nine in ten of them in one direction, and quartiles closer together than the median change: "
        "the machine changed, or something that all benchmarks use (a compiler, an allocator, a library).",
        "Compare the baseline with itself on the same machine, one run before and one after. Alternate the builds. "
        "`--apart` shows what each benchmark did besides.",
    ),
    "metrics-not-compared": Entry(
        "Metrics were read that are not compared: the format counts them as secondary, or a filter left them out.",
        "Each metric that is compared makes the family of p-values larger. Secondary metrics mostly "
        "repeat the primary one or vary by chance.",
        "Name what you want with `--metric PATTERN`, or compare all with `--all-metrics`.",
    ),
    "empty-cell": Entry(
        "A combination of factor levels has no values: a variant was not measured at a level of another factor.",
        "Its rows are gone or new and decide nothing. An effect seen at the other levels may not be there.",
        "Measure the combination, or leave the level out with `--where KEY=PATTERN`.",
    ),
    "too-few-to-split": Entry(
        "There are too few runs or values of the build to split them into two halves that could be compared.",
        "Four runs give two halves of two, and eight values two halves of four: with fewer, no comparison of them "
        "could be significant, and its rate of false alarms would be 0 for that reason alone.",
        "Make more runs of the same build. Two results of it (`statera inspect --aa A A2`) are compared as they were "
        "measured in any case.",
    ),
    "values-unused": Entry(
        "Some values belong to no variant, or `--where` excluded them.",
        "With `--by KEY`, a value without that key has no variant. The number reveals a mistyped filter.",
        "Compare the number with what you expect. Look at the filter and at the key.",
    ),
}
