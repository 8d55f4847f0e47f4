"""Method: how verdicts come about, and definitions that differ from those of older tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.report.wording import shown
from statera.report.model import Cell, Column, Heading, Item, Items, Prose, Section, Table
from statera.settings.provenance import settings_lines
from statera.verdicts import correction

if TYPE_CHECKING:
    from statera.cluster.report.material import Material
    from statera.report.model import Block
    from statera.settings import Policy

# Corrections that bound the chance of any false alarm at all, not the share of them.
_ANY_FALSE: Final = frozenset({"holm", "hochberg", "bonferroni"})
_TIMED: Final = "times, rates and shares of a core"
_WEIGHED: Final = {
    "runs": "With several runs a side the run is the unit: Welch's t of the means of runs.",
    "hosts": "Resources, forge loop and blocks per host belong to hosts, and both runs have the same hosts: Student's "
    "t of the differences host by host. What a host has of its own, its hardware and its place, leaves the difference.",
    "blocks": "Forging, peers, adoption, size and gap belong to blocks, and a block resembles those before it. "
    "Consecutive blocks are put into few and long batches, five to nine a run, so that what neighbours share lies "
    "within a batch: Welch's t of the means of batches (Law & Carson 1979, A sequential procedure for determining the "
    "length of a steady-state simulation; Welch 1947, The generalization of Student's problem when several different "
    "population variances are involved). There is no interval of fewer than 20 blocks, nor where they depend on one "
    "another so much that they say no more than 20 independent ones would.",
    "stretches of time": "A single host has no other to be paired with: its slots are cut into stretches of time, "
    "which are weighed by batches as blocks are.",
}
_SURPRISES: Final = (
    "What no line tells is missing and enters no mean; nothing is filled in for it. Each row has an n of its own.",
    "Means are over the values of all hosts together, not means of the hosts' means or of their quantiles.",
    "Δ% is computed from unrounded means: a change of 0.0001 s of 0.0004 s is 25 %, not 0.",
    (
        "Adoption by a share of the cluster counts all of its machines, also those that never adopted the block; where "
        "fewer adopted it there is no value. A switch to a fork is an adoption."
    ),
    (
        "Forged to self-adopted ends at the forger's own word (AdoptedBlock); Forged to added to chain is when its "
        "chain database took the block."
    ),
    (
        "Leadership to forged is the last phase, from the mempool's snapshot on, so that the phases add up; Leadership "
        "decision to forged has all three."
    ),
    "First notice and first fetch are of the fastest peer of all; phases of peers only of valid observations.",
    "Interblock gap is the time between blocks that follow each other on the chain, not the age of the last block.",
    (
        "CPU, collections, allocation and storage are per second, from one report of the node to the next; the "
        "interval in which a process began anew has none. Nothing is rounded to whole per cents."
    ),
    "A busy slot uses more than 85 % of a core; slots without a report are not busy. A span of one slot is 1 long.",
)


def section(material: Material) -> Section:
    """Say how rows were judged, and what may surprise readers of older reports."""
    blocks: list[Block] = []
    if material.compares:
        blocks += _verdicts(material)
    blocks += [Heading("Definitions that may surprise"), Items(tuple(Item(line) for line in _SURPRISES))]
    return Section("method", "Method", tuple(blocks))


def _verdicts(material: Material) -> list[Block]:
    policy = material.comparison.settings.policy
    cells = [cell for row in material.comparison.rows for cell in row.cells]
    units = {cell.unit for cell in cells}
    said = [
        *(text for unit, text in _WEIGHED.items() if unit in units),
        _corrected(material),
        (
            "A row is better or worse where its corrected p is at most "
            f"{policy.alpha:g} and its interval leaves out zero; changed, where neither way is better. It is "
            "equivalent where its whole interval lies within the margin, unless a side has a single run, and else "
            "inconclusive: the runs are too few, too short or too noisy to tell."
        ),
    ]
    if any(cell.of_one_run for cell in cells):
        said.append(
            "(one run each): with one run a side the interval covers what varies within these two runs. How far two "
            "runs of one build lie apart it cannot tell, nor that two builds are equivalent; machines, peers and the "
            "schedule of leaders differ from run to run. Repeat the runs and give them one label, and the run becomes "
            "the unit."
        )
    said += settings_lines(material.comparison.settings)
    return [Heading("How verdicts come about"), Prose(tuple(said)), _margins(policy)]


def _corrected(material: Material) -> str:
    """Say how p-values were corrected, and what that promises."""
    compared = material.comparison.comparison
    if compared is None:
        return ""
    policy = material.comparison.settings.policy
    chance = f"{100 * policy.alpha:g} % at most"
    said = f"The p-values of all {compared.weighing.family:,} rows are {correction(compared.weighing, policy)}"
    if policy.correction == "none":
        return f"{said}: of rows that did not change, {chance} are called better, worse or changed by chance."
    if policy.correction in _ANY_FALSE:
        return f"{said}: the chance that any row is called better, worse or changed that is not is {chance}."
    return f"{said}: of the rows called better, worse or changed, {chance} are expected to be so by chance."


def _margins(policy: Policy) -> Table:
    margins = [*policy.margins, (_TIMED, policy.margin_time), ("everything else", policy.margin_other)]
    rows = tuple((Cell(shown(what)), Cell(f"{100 * margin:g} %", margin)) for what, margin in margins)
    heads = (Column("metrics"), Column("margin", numeric=True))
    note = "A change within the margin, relative to the baseline's mean, is too small to matter."
    return Table("Margins", heads, rows, (note,))
