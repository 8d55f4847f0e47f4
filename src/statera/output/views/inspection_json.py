"""An inspection as JSON. Within a version of the schema, keys are only added, never changed or removed."""

from __future__ import annotations

from dataclasses import asdict

from statera.comparison.codes import GRADES
from statera.output.views.json import policy, settings
from statera.support.files import csv_json
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Final

    from statera.comparison.results.inspection import InspectedSection, Inspection

SCHEMA: Final = "statera.inspection/2"


def text(inspection: Inspection, sort: str = "file") -> str:
    """Write the inspection as one document; docs/inspect.md describes the schema."""
    rows = inspection.native.order(list(range(len(inspection))), sort)
    head = csv_json.document(document(inspection)).removesuffix("\n}\n")
    # The compiled part writes the rows, because there can be many.
    return f'{head},\n "rows": {inspection.native.json(rows)}\n}}\n'


def document(inspection: Inspection) -> dict[str, Any]:
    """Return everything except the rows."""
    observations, arrangement = inspection.observations, inspection.arrangement
    tested = inspection.self_test
    return {
        "schema": SCHEMA,
        "labels": inspection.labels,
        "policy": policy(inspection.policy),
        "settings": settings(inspection.settings),
        "configuration": {
            "common": arrangement.common,
            "differs": arrangement.differs,
            "pooled": arrangement.pooled,
        },
        "sources": [source._asdict() for source in observations.sources],
        "values": len(observations),
        "left_out": observations.left_out_by_code,
        "counted_apart": observations.apart_by_code,
        "problems": [problem._asdict() for problem in observations.problems],
        "findings": inspection.findings,
        "notes": [note._asdict() for note in inspection.notes],
        "summaries": [_summary(inspection, section) for section in inspection.sections()],
        "self_test": None if tested is None else asdict(tested),
    }


def _summary(inspection: Inspection, section: InspectedSection) -> dict[str, Any]:
    return {
        "group": inspection.arrangement.groups[section.group],
        "metric": inspection.observations.metrics[section.metric].name,
        **section.summary,
        "grades": dict(zip(GRADES, section.summary["grades"], strict=True)),
    }
