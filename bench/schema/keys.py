"""The keys of the JSON documents beside those of rows: type, unit and meaning of each.

A type is ``text``, ``number``, ``flag`` or the name of an object below; ``[x]`` is a list, ``{x}`` an object of any
keys with such values, and ``?`` says that it may be null. A key with ``*`` may be absent.
"""

from __future__ import annotations

from typing import Final

Keys = list[tuple[str, str, str]]

_SHARED: Final[Keys] = [
    ("labels", "[text]", "the variants; of a comparison the baseline first"),
    ("policy", "policy", "every setting that was used, see below"),
    ("settings", "settings", "where the settings come from, see below"),
    ("configuration", "configuration", "what the variants share and where they differ, see below"),
    ("sources", "[source]", "the files"),
    ("values", "number", "how many values were read"),
    ("left_out", "{number}", "for each code of a problem, how many lines, records or files were left out"),
    ("problems", "[problem]", "the problems with file and line, the first 200 of each kind and piece of a file"),
    ("findings", "[text]", "what matters most, in sentences"),
]

COMPARISON: Final[Keys] = [
    ("schema", "text", "`statera.comparison/2`"),
    *_SHARED,
    ("method", "text", "how the rows were judged, in a sentence"),
    ("family", "number", "how many p-values were corrected together"),
    ("correction", "correction", "how they were corrected, see below"),
    ("notes", "[note]", "footnotes and notes"),
    ("summaries", "[summary]", "one for each group, metric and pair of variants"),
    ("omnibus", "[omnibus]", "the tests over three or more variants"),
    ("interactions", "[interaction]", "whether effects depend on the level of a factor"),
    ("levels*", "[number]", "with `--quantiles`: the levels of the quantile table, between 0 and 1"),
    ("quantiles*", "[quantiles]", "with `--quantiles`: the quantiles of each variant"),
    ("speed_ups*", "[speed_up]", "with `--quantiles`: how much less the contender takes at each level"),
    ("shift_functions*", "[shift_function]", "with `--quantiles`: the change at each level"),
    ("rows", "[row]", "one for each group, metric, benchmark and contender; `--sort` and `--changed` apply"),
]

INSPECTION: Final[Keys] = [
    ("schema", "text", "`statera.inspection/2`"),
    *_SHARED,
    ("notes", "[note]", "footnotes and notes"),
    ("summaries", "[inspection_summary]", "one for each group and metric"),
    ("self_test", "self_test?", "null, or with `--aa` every field of `SelfTest`"),
    ("rows", "[inspected]", "one for each group, metric, benchmark and variant"),
]

OBJECTS: Final[dict[str, Keys]] = {
    "policy": [
        ("alpha", "number", "the probability of a false alarm that is accepted"),
        ("correction", "text", "how p-values are corrected together"),
        ("margin_time", "number", "margin of times and rates, relative"),
        ("margin_count", "number", "margin of counts, relative"),
        ("margin_other", "number", "margin of other metrics, relative"),
        ("margin_exact", "number", "margin of exact values, relative"),
        ("margins", "[margin]", "margins of single metrics: `metrics` (a pattern) and `margin` (relative)"),
        ("directions", "[direction]", "directions: `metrics` (a pattern) and `better` (`lower`, `higher`, `none`)"),
        ("scale", "text", "the scale that was asked for"),
        ("power", "number", "the power at which detectable changes and runs needed are stated"),
        ("omnibus", "text", "the test over three or more paired variants"),
        ("relabelings", "number", "of Westfall-Young"),
        ("resamples", "number", "of the bootstrap"),
        ("seed", "number", "of everything random"),
        ("mean", "flag", "whether every row has the change of its mean"),
    ],
    "margin": [("metrics", "text", "a pattern"), ("margin", "number", "relative")],
    "direction": [("metrics", "text", "a pattern"), ("better", "text", "`lower`, `higher` or `none`")],
    "settings": [
        ("file", "text?", "the settings file that was used"),
        ("changed", "[changed]", "the settings that differ from their default, with the names of `policy`"),
    ],
    "changed": [
        ("name", "text", "the setting"),
        ("value", "any", "its value"),
        ("default", "any", "what it is unless set"),
    ],
    "configuration": [
        ("common", "{text}", "keys that all values share, with their value"),
        (
            "differs",
            "{[text]}",
            "keys that differ between the variants, with their values in the order of `labels`, several in one text",
        ),
        ("pooled", "{number}", "keys that were pooled over, with the number of their values"),
    ],
    "source": [
        ("name", "text", "the file"),
        ("argument", "number", "the argument that it came from, counted from 0"),
        ("format", "text", "the format; empty where none fits"),
        ("values", "number", "how many values it gave"),
    ],
    "problem": [
        ("code", "text", "as `statera explain` takes it"),
        ("source", "text", "the file"),
        ("line", "number", "counted from 1; 0 where the whole file is meant"),
        ("what", "text", "what is wrong"),
        ("hint", "text", "how to mend it; may be empty"),
    ],
    "note": [
        ("code", "text", "as `statera explain` takes it"),
        ("text", "text", "the note"),
        ("number", "number", "of the footnote; 0 for a note on the whole"),
        ("rows", "number", "how many rows it concerns; 0 for the whole"),
    ],
    "correction": [
        ("size", "number", "how many p-values"),
        (
            "how",
            "text",
            "`pooled-null` (`auto`), `flat` (one correction of the rows' own p; `auto` of a single row), `westfall-young` "
            "or `two-stage`",
        ),
        ("too_large", "flag", "the least p that a row could have, times the rows, exceeds alpha"),
        (
            "no_joint_relabeling",
            "flag",
            "Westfall-Young was called for, but the rows have unequal numbers of runs",
        ),
        ("relabelings*", "number", "`pooled-null`, `westfall-young`: how many"),
        ("all_relabelings*", "flag", "`pooled-null`, `westfall-young`: whether these are all"),
        ("families*", "number", "`two-stage`: benchmarks and metrics tested"),
        ("selected*", "number", "`two-stage`: those selected"),
    ],
    "omnibus": [
        ("group", "text", "the configuration that the rows share"),
        ("benchmark", "text", "name of the benchmark"),
        ("metric", "text", "name of the metric"),
        ("design", "text", "`independent`, `nested` or `paired`"),
        ("variants", "number", "how many variants"),
        ("n", "number", "values, processes or blocks"),
        ("blocks_dropped", "number", "blocks that some variant lacks"),
        ("test", "text", "`kruskal-wallis`, `friedman` or `quade`"),
        ("statistic", "number?", "of the test"),
        ("df", "number?", "degrees of freedom"),
        ("df2", "number?", "the second degrees of freedom, for Quade's F only"),
        ("p", "number?", "p-value"),
        ("p_corrected", "number?", "corrected by Benjamini-Hochberg over these tests"),
        ("effect", "text", "`epsilon_squared` or `kendall_w`"),
        ("effect_size", "number?", "its size"),
    ],
    "interaction": [
        ("benchmark", "text", "whose effect"),
        ("metric", "text", "name of the metric"),
        ("baseline", "text", "label of the baseline"),
        ("contender", "text", "label of the contender"),
        ("levels", "[text]", "the groups between which it is compared"),
        ("test", "text", "`friedman`, `signed-rank` or `cochran-q`"),
        ("blocks", "number", "blocks that took part; 0 for Cochran's Q"),
        ("statistic", "number?", "of the test"),
        ("df", "number?", "degrees of freedom"),
        ("p", "number?", "p-value"),
        ("p_corrected", "number?", "corrected by Benjamini-Hochberg over the interactions"),
    ],
    "summary": [
        ("group", "text", "the configuration that the rows share; empty where nothing is split"),
        ("metric", "text", "name of the metric"),
        ("baseline", "text", "label of the baseline"),
        ("contender", "text", "label of the contender"),
        ("geometric_mean", "geometric_mean?", "the geometric mean of contender / baseline, not minus one"),
        ("without_ratio", "number", "rows with values on both sides that have no ratio"),
        ("verdicts", "{number}", "how many rows have each verdict; verdicts that do not occur are absent"),
        (
            "change_quantiles",
            "{number}?",
            "for suites of single values: relative changes at `0.10`, `0.25`, `0.50`, `0.75`, `0.95`, `0.99`",
        ),
        ("mean_change", "number?", "the arithmetic mean of the same"),
        ("moves_as_one", "flag", "whether nearly all rows moved the same small way"),
        ("detectable", "detectable?", "the smallest changes that the inconclusive rows could have shown"),
    ],
    "geometric_mean": [
        ("ratio", "number", "contender / baseline"),
        ("low", "number?", "lower end of its interval; null where so few runs have none"),
        ("high", "number?", "upper end of its interval"),
        ("rows", "number", "ratios in it"),
        ("method", "text", "`runs`; of single values `bootstrap`, above 1,000 rows `analytic`"),
    ],
    "detectable": [
        ("least", "number", "the least, relative"),
        ("median", "number", "the median, relative"),
        ("most", "number", "the largest, relative"),
    ],
    "quantiles": [
        ("group", "text", "the configuration of the values"),
        ("benchmark", "text", "name of the benchmark"),
        ("metric", "text", "name of the metric"),
        ("variant", "text", "label of the variant"),
        ("n", "number", "values"),
        ("median", "number?", "their median"),
        ("iqr", "number?", "distance between their quartiles"),
        ("quantiles", "[number?]", "one a level"),
    ],
    "speed_up": [
        ("group", "text", "the configuration of the values"),
        ("benchmark", "text", "name of the benchmark"),
        ("metric", "text", "name of the metric"),
        ("baseline", "text", "label of the baseline"),
        ("contender", "text", "label of the contender"),
        ("speed_up", "[number?]", "one a level: (baseline - contender) / baseline"),
    ],
    "shift_function": [
        ("group", "text", "the configuration of the row"),
        ("benchmark", "text", "name of the benchmark"),
        ("metric", "text", "name of the metric"),
        ("baseline", "text", "label of the baseline"),
        ("contender", "text", "label of the contender"),
        ("scale", "text", "`ratio` or `difference`"),
        ("points", "[shift_point]", "one a level"),
    ],
    "shift_point": [
        ("level", "number", "between 0 and 1"),
        ("baseline", "number?", "quantile of the baseline"),
        ("contender", "number?", "quantile of the contender"),
        ("change", "number?", "of the contender against the baseline, on the row's scale"),
        ("low", "number?", "lower end of the band"),
        ("high", "number?", "upper end of the band"),
        ("supported", "flag", "whether there are enough values for the band at this level"),
    ],
    "inspection_summary": [
        ("group", "text", "the configuration that the rows share"),
        ("metric", "text", "name of the metric"),
        ("grades", "{number}", "rows of each grade"),
        ("tested", "number", "rows with a test of normality"),
        ("normal", "number", "those that pass"),
        ("log_tested", "number", "rows with a test of the logarithms"),
        ("log_normal", "number", "those that pass"),
        ("large", "number", "rows above 5,000 values"),
        ("detectable", "number?", "the median of the changes that the rows can show"),
        ("runs_for_margin", "number?", "the median of the runs that show their margin"),
    ],
}
