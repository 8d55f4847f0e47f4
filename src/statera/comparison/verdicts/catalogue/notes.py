"""Notes on the whole comparison: what was pooled, what differs, what was not used."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

REMARKS: Final[dict[str, Entry]] = {
    "machine-differs": Entry(
        "A key that identifies machines or systems has another value on each side.",
        "A difference between the sides may then come from the machine and not from the program.",
        "Measure both builds on the same machine, in turns.",
    ),
    "configuration-differs": Entry(
        "A configuration key has one value on each side, and the values differ.",
        "It is usually what is compared, such as a commit or a compiler. The note makes any further difference "
        "visible.",
        "Check that nothing else differs.",
    ),
    "pooled": Entry(
        "Values with different levels of this key count as one sample.",
        "Keys that distinguish runs (date, commit, run, iteration, round …) are pooled, since runs are the "
        "sampled units. So are keys that vary within a benchmark and have no value on both sides, and keys "
        "that you named with `--pool`.",
        "If the key stands for different work, separate its values with `--within KEY`.",
    ),
    "measured-elsewhere": Entry(
        "A benchmark was measured on both sides, but nowhere in the same circumstances, such as under the same kernel.",
        "Only comparable values are compared: if a key of the machine, or one that statera does not know, has several "
        "values within a variant, these are compared separately. A benchmark without a partner there is listed and "
        "makes no row: it did not vanish, and `--fail-on missing` does not count it.",
        "If the key does not matter, pool over it with `--pool KEY`; if it does, measure both sides alike. To count "
        "such a benchmark as missing, separate the key's values with `--within KEY`.",
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
        "The results state when they were measured: all values of one side before all values of the other.",
        "A machine that becomes slower or faster in the meantime changes one side only. No test can tell such a drift "
        "from a change of the program.",
        "Measure the builds in turns: old, new, new, old. Values of a round can then be paired (`--pair order`), which "
        "removes what they share.",
    ),
    "blocks-apart": Entry(
        "The values carry blocks, such as the rounds of a run, and none of them was measured on both sides.",
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
        "One summary a side is compared by its standard deviation and number of samples if the file states both for a "
        "mean; otherwise it is shown without a verdict. Medians and percentiles have no such deviation.",
        "Export the samples if the harness can, or run it several times: several files of a variant are runs, and "
        "their summaries are compared like any other values.",
    ),
    "copies": Entry(
        "A file has the same values, names and configuration as another file of the same variant.",
        "Measured times never agree in all digits. `latest.json`, a backup or a compressed copy would count "
        "its run twice, and two copies look like two runs without noise.",
        "Nothing, or move the copies elsewhere.",
    ),
    "files-pooled": Entry(
        "Several files of a variant have values of the same benchmarks, and their names are those of the files of the "
        "other variant.",
        "Files of a variant count as runs of the same work. If their names mean inputs or machines, the difference "
        "between these looks like noise between runs and hides a change.",
        "Name what the files mean with `--name-pattern`; each is then compared separately.",
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
        "Start the test binary several times. Give each start its own file under one label (old=1.txt "
        "old=2.txt …): files of one variant are runs, and the run becomes the unit of the test.",
    ),
    "too-few-runs": Entry(
        "Some rows have so few runs that they could not have shown any change.",
        "The least possible p-value of a rank test depends on the number of runs alone.",
        "Run as often as the note says, or more often.",
    ),
    "dependent-runs": Entry(
        "Neighbouring runs resemble each other, so that they say less than as many independent ones.",
        "The correlation of neighbours is estimated over all rows of a metric, around the mean of each side, and "
        "each row "
        "is shrunk towards it. Interval and p are widened as if there were only the effective number of runs. "
        "Runs that "
        "follow one another in one process, or on a machine whose speed wanders, are like that.",
        "Run the builds in turns, in random order, and each run in a process of its own.",
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
        "inspect` shows the course of its runs; alternate the builds to exclude the machine.",
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
        "Compare the baseline with itself on the same machine, one run before and one after. Run the builds in turns. "
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
        "Its rows are missing or new and decide nothing. An effect seen at the other levels need not hold there.",
        "Measure the combination, or leave the level out with `--where KEY=PATTERN`.",
    ),
    "too-few-to-split": Entry(
        "There are too few runs or values of the build to split them into two sides that could be compared.",
        "Four runs give two sides of two, and eight values two sides of four: with fewer, no comparison of the sides "
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
