"""Section on the method: how verdicts are decided, and definitions that differ from those of older tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.comparison import OF_RUN, PREDICTED
from statera.cluster.report.cells import shown
from statera.comparison.verdicts import correction
from statera.output.report.model import Cell, Column, Heading, Item, Items, Prose, Section, Table
from statera.support.settings.file import settings_lines
from statera.support.settings.policy import NOISE

if TYPE_CHECKING:
    from statera.cluster.report.material import Material
    from statera.output.report.model import Block
    from statera.support.settings import Policy
    from statera.support.settings.policy import Margin

TITLE: Final = "5 Method"
# Corrections that control the family-wise error rate; the others control the false discovery rate.
_ANY_FALSE: Final = frozenset({"holm", "hochberg", "bonferroni"})
_TIMED: Final = "times, rates and shares of a core"
_WEIGHED: Final = {
    "runs": "Where a build has several runs the unit is the run: Welch's t test of the means of runs.",
    "hosts": "Resources, forge loop and blocks per host belong to hosts, and both runs have the same hosts: Student's "
    "t test of the differences host by host. Properties of a host, such as its hardware and location, cancel out.",
    "blocks": "Forging, peers, adoption, size and gap belong to blocks, which are autocorrelated. Five to nine long "
    "batches of consecutive blocks a run keep most of the autocorrelation within the batches: "
    "Welch's t test of the means of batches (Law & Carson 1979, A sequential procedure for determining the "
    "length of a steady-state simulation; Welch 1947, The generalization of Student's problem when several different "
    "population variances are involved). There is no interval for fewer than 20 blocks, nor for an effective "
    "sample size of fewer than 20 blocks.",
    "stretches of time": "With a single host there are no pairs of hosts: the slots are divided into stretches of "
    "time, which are tested in batches like blocks.",
}
_SURPRISES: Final = (
    "A value that no log line states is missing. It enters no mean and is not imputed, so each row has its own n.",
    "Means are over the pooled values of all hosts. They are not means of the means or quantiles of hosts.",
    "Δ% is computed from unrounded means: a change of 0.0001 s of 0.0004 s is 25 %, not 0.",
    (
        "Adoption by a share of the cluster is relative to all of its machines, including those that never adopted the "
        "block; if fewer machines adopted it, there is no value. A switch to a fork is an adoption."
    ),
    (
        "Forged to self-adopted ends when the forger logs AdoptedBlock; Forged to added to chain ends when its chain "
        "database adds the block."
    ),
    (
        "Leadership to forged is the last phase, which begins at the mempool's snapshot, so that the phases add up; "
        "Leadership decision to forged spans all three phases."
    ),
    "First notice and first fetch are those of the fastest of all peers; phases of peers use valid observations only.",
    "Interblock gap is the time between blocks that follow each other on the chain, not the age of the last block.",
    (
        "CPU, collections, allocation and storage are rates per second between consecutive reports of the node; the "
        "interval in which a process restarted has no rate. Rates are not rounded to whole per cents."
    ),
    "A busy slot uses more than 85 % of a core; slots without a report are not busy. A span of one slot has length 1.",
)


def section(material: Material) -> Section:
    """Build the section: how rows were judged, and what may surprise readers of older reports."""
    blocks: list[Block] = []
    if material.compares:
        blocks += _verdicts(material)
    blocks += [Heading("Definitions that may surprise"), Items(tuple(Item(line) for line in _SURPRISES))]
    return Section("method", TITLE, tuple(blocks))


def _verdicts(material: Material) -> list[Block]:
    policy = material.comparison.settings.policy
    cells = [cell for row in material.comparison.rows for cell in row.cells]
    units = {cell.unit for cell in cells}
    said = [
        *(text for unit, text in _WEIGHED.items() if unit in units),
        _corrected(material),
        (
            "A metric is faster or slower (lower or higher) if its corrected p-value is at most "
            f"{policy.alpha:g} and its interval excludes zero. It is unchanged if its whole interval lies within the "
            "margin and each build has several runs. Otherwise there is no clear change: the runs are too few, too "
            "short or too noisy."
        ),
    ]
    if any(cell.predicted for cell in cells):
        said.append(PREDICTED)
    if any(cell.verdict == "one-value" for cell in cells):
        said.append(OF_RUN)
    if any(cell.of_one_run for cell in cells):
        said.append(
            "(one run per build): with one run per build the interval covers the variation within these two runs. It "
            "does not cover the variation between runs of the same build, in which machines, peers and the schedule of "
            "leaders differ. So a metric differs, and is never called changed or unchanged. Repeat the runs and use "
            "one label for the runs of a build, or add earlier runs of the baseline's build with --baseline-runs. The "
            "run then becomes the unit."
        )
    said += settings_lines(material.comparison.settings)
    return [Heading("How verdicts are decided"), Prose(tuple(said)), _margins(policy)]


def _corrected(material: Material) -> str:
    """Describe the correction of p-values and the error rate that it controls."""
    compared = material.comparison.comparison
    if compared is None:
        return ""
    policy = material.comparison.settings.policy
    chance = f"{100 * policy.alpha:g} % at most"
    said = f"The p-values of all {compared.weighing.family:,} rows are {correction(compared.weighing, policy)}"
    if policy.correction == "none":
        return f"{said}: {chance} of the unchanged rows are expected to be called better, worse or changed by chance."
    if policy.correction in _ANY_FALSE:
        return f"{said}: the probability that any unchanged row is called better, worse or changed is {chance}."
    return f"{said}: {chance} of the rows called better, worse or changed are expected to be false."


def _margin(margin: Margin) -> Cell:
    if isinstance(margin, str):
        return Cell("noise floor" if margin == NOISE else margin)
    return Cell(f"{100 * margin:g} %", margin)


def _margins(policy: Policy) -> Table:
    margins = [*policy.margins, (_TIMED, policy.margin_time), ("everything else", policy.margin_other)]
    rows = tuple((Cell(shown(what)), _margin(margin)) for what, margin in margins)
    rows += tuple((Cell(f"noise floor of {shown(what)}"), _margin(floor)) for what, floor in policy.noise)
    heads = (Column("metrics"), Column("margin", numeric=True))
    note = "A change within the margin, relative to the baseline's mean, is too small to matter."
    return Table("Margins", heads, rows, (note,))
