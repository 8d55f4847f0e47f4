"""The section on reproduction: the command, the versions, the seeds, the inputs by their SHA-256, the policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.output.report.material import inputs, versions
from statera.output.report.model import Cell, Code, Column, Fold, Prose, Section, Table
from statera.support.settings import Policy
from statera.support.settings.file import settings_lines, written

if TYPE_CHECKING:
    from statera.output.report.material import Material
    from statera.output.report.model import Block


def section(material: Material) -> Section | None:
    """Describe how to reproduce this report."""
    blocks: list[Block] = []
    if material.command:
        blocks += [Prose(("This command made the report:",)), Code(_native.printable(material.command))]
    seed = material.policy.seed
    blocks.append(Prose((f"Everything random (bootstrap, relabelings) starts from the seed {seed}.",)))
    rows = [(Cell(name), Cell(_native.printable(value))) for name, value in versions()]
    blocks.append(Table("Versions", (Column("what"), Column("version")), tuple(rows)))
    blocks += [
        Fold("Inputs and their SHA-256", (_inputs(material),)),
        *(Prose((line,)) for line in settings_lines(material.settings)),
    ]
    blocks.append(Fold("Every setting", (_policy(material.policy),)))
    return Section("reproduction", "Reproduction", tuple(blocks))


def _inputs(material: Material) -> Table:
    rows = []
    for each in inputs(material.observations):
        size = "-" if each.size is None else f"{each.size:,}"
        rows.append(
            (Cell(_native.printable(each.name)), Cell(size, each.size), Cell(each.sha256 or "cannot be read again"))
        )
    heads = (Column("file"), Column("bytes", numeric=True), Column("SHA-256"))
    return Table("Inputs", heads, tuple(rows))


def _policy(policy: Policy) -> Table:
    """List every threshold; a column of defaults appears only if one was changed."""
    default = Policy()
    rows = []
    for name, value in policy._asdict().items():
        usual = getattr(default, name)
        rows.append(
            (Cell(name), Cell(written(value)), Cell("" if value == usual else f"not the default, {written(usual)}"))
        )
    heads = (Column("setting"), Column("value"), Column("remark"))
    note = "docs/settings.md gives the reason of each."
    return Table("Policy", heads, tuple(rows), (note,)).without_empty()
