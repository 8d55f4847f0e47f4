"""Words of the table itself: its columns, and the line of verdicts below it."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

COLUMNS: Final[dict[str, Entry]] = {
    "typical-change": Entry(
        "By how much the contender differs from the baseline: the middle of all pairwise changes (Hodges-Lehmann).",
        "A few far values hardly move it, and the interval beside it inverts the same test as p. It is not the "
        "ratio of the two medians, which the table shows only for the size of the values.",
        "Read it together with its interval. -50% is half, +100% twice as much; tenfold or more is written as "
        "×12.3. A value with a unit is a difference, used if values are zero or negative, or with "
        "`--scale difference`.",
    ),
    "interval": Entry(
        "Where the typical change lies, at level 1 - alpha: what the values do not rule out.",
        "It shows how large the change is, at least and at most; p shows only whether there is one. A round bracket "
        "excludes its end. `at 66%` is the level that so few values attain. Intervals are not corrected for multiple "
        "comparisons.",
        "Compare both ends with what matters to you. More runs make it narrower: four times as many, about half as "
        "wide.",
    ),
    "p": Entry(
        "How often two equal builds would differ at least as clearly as these, corrected over all rows of the "
        "comparison.",
        "Among many rows some differ by chance alone; the correction limits the number of such false alarms. A "
        "dash means that nothing is tested.",
        "At or below alpha (0.05 by default) the change is real. Above it nothing is shown: neither a change nor "
        "its absence. The interval and `equivalent` show how large a change is ruled out.",
    ),
    "n": Entry(
        "How many values a side were compared: values, processes or pairs; 20+19 if the sides differ.",
        "Only independent values count. Values of one process resemble each other, so that a process counts "
        "once, with its median, if it is known.",
        "If it is smaller than the number of values that you measured, the line `Method:` says what was taken "
        "together.",
    ),
    "verdicts": Entry(
        "The conclusion for a row: better, worse, changed, equivalent, inconclusive, one value, missing or new.",
        "A row is better or worse if its corrected p is at most alpha and its interval excludes zero and "
        "reaches beyond the margin. It is equivalent if its whole interval lies within the margin, and else "
        "inconclusive.",
        "`statera explain` explains each by its name: `statera explain inconclusive`. The line `verdicts:` counts "
        "them.",
    ),
    "runs-needed": Entry(
        "About how many runs a side would decide the row at its margin: the number behind the ~ of an inconclusive "
        "row.",
        "It is a forecast from the spread of the values, at the power of the settings (0.8), and never from the "
        "observed change. Doubling the number of runs makes an interval narrower by three tenths.",
        "Make that many runs, make the machine quieter, or widen the margin (`--margin`) if so small a change does not "
        "matter.",
    ),
}
