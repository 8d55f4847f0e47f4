"""The banner: the answer, how many metrics have which verdict, and those that matter most; or the facts of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.metrics import name
from statera.cluster.report.cells import tone
from statera.cluster.report.hosts import found_apart
from statera.cluster.report.intervals import axis
from statera.cluster.report.material import runs
from statera.cluster.report.pictures import anchor
from statera.cluster.report.wording import shown
from statera.cluster.rows import side
from statera.cluster.units import suited
from statera.cluster.views.numbers import percent
from statera.output.report.model import Banner, Lead, Share
from statera.output.report.sections.banner import shares
from statera.support.wording import counted

if TYPE_CHECKING:
    from statera.cluster.metrics import Metric
    from statera.cluster.report.intervals import Axis
    from statera.cluster.report.material import Material
    from statera.cluster.rows import Cell

_MOST: Final = 8
# What a report of one configuration answers first, as far as its logs say it.
_FACTS: Final = {
    "cdf0.50": "half of the cluster adopted a block {} after the start of its slot",
    "cdf1.00": "all of it after {}",
    "CentiCpu": "a host used {} of a core",
}
_NEVER: Final = "no block was adopted by half of the cluster"


def banner(material: Material) -> Banner:
    """Answer the comparison; of a single configuration state what was measured and how its hosts differ."""
    return _compared(material) if material.compares else _alone(material)


def _compared(material: Material) -> Banner:
    every = material.changed or material.leads
    rows = every[:_MOST]
    on = axis(material.comparison, rows)
    leads = tuple(_lead(material, cell, on) for cell in rows)
    words = on.words if any(lead.interval for lead in leads) else ""
    return Banner(material.answer.line, shares(material.answer), leads, words, len(every))


def _lead(material: Material, cell: Cell, on: Axis) -> Lead:
    by = percent(cell.delta_percent)
    ends = (
        " [{}, {}]".format(*_native.percent_ends(*(end / 100 for end in cell.ends_percent)))
        if cell.ends_percent
        else ""
    )
    pairs = len(material.comparison.pairs) > 1
    whose = f", {shown(cell.other.label)} against {shown(cell.base.label)}" if pairs else ""
    link = material.pictures.link(cell.metric) if cell.changed else anchor("row", cell.metric)
    return Lead(f"{name(cell.metric)}{whose}", f"{by}{ends}", tone(cell), on.place(cell), link)


def _alone(material: Material) -> Banner:
    """State how fast blocks spread, on how many machines, and how many hosts are outliers."""
    variant = material.comparison.variants[0]
    of = {row.metric.key: row.metric for row in material.rows}
    each = list(runs(material))
    hosts = {(one.name, host) for one in each for host in one.summary["hosts"]}
    odd = {(one.name, far.host) for one, far in found_apart(each)}
    known = {key: side(of[key], variant).mean for key in _FACTS if key in of}
    said = [_NEVER] if known.get("cdf0.50", 0.0) is None else []
    said += [_FACTS[key].format(_amount(of[key], mean)) for key, mean in known.items() if mean is not None]
    of_runs = f" in {counted(len(each), 'run')}" if len(each) > 1 else ""
    some = f"{counted(len(odd), 'is an outlier', 'are outliers')}" if odd else "none is an outlier"
    line = "; ".join([*said, f"of {counted(len(hosts), 'host')}{of_runs} {some}"])
    found = (Share("outlier", len(odd), "doubtful"), Share("like the others", len(hosts) - len(odd), "equivalent"))
    return Banner(line[:1].upper() + line[1:], tuple(share for share in found if share.count) if odd else (), (), "")


def _amount(metric: Metric, mean: float) -> str:
    unit = suited(metric.unit, (mean,))
    return f"{unit.amount(mean)}{unit.words}"
