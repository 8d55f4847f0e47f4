"""The routes of comparisons and of the badge."""

import json
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Response
from sqlalchemy import select

from statera.history import badge
from statera.server import comparisons, tables
from statera.server.api.lists import Branch, Plain
from statera.server.asking import PUBLIC, Reading

ROUTER: Final = APIRouter(prefix="/api/v1/projects/{project}", tags=["comparisons"])
_SVG: Final = "image/svg+xml"

Commit = Annotated[
    str, Plain, Query(min_length=4, max_length=200, description="A commit that was measured, or how its name begins.")
]


@ROUTER.get("/compare", summary="Compare two commits", openapi_extra=PUBLIC, response_model=dict[str, Any])
def compare(asked: Reading, base: Commit, head: Commit, branch: Branch = None) -> Response:
    """Compare all jobs of two commits, as `statera history compare -f json` does (docs/json.md)."""
    text = comparisons.compared(asked.services, asked.project, base, head, branch)
    return Response(text, media_type="application/json")


@ROUTER.get(
    "/badge.svg",
    openapi_extra=PUBLIC,
    summary="The open alerts as a badge",
    response_class=Response,
    responses={200: {"content": {_SVG: {"schema": {"type": "string"}}}, "description": "A picture."}},
)
def drawn(asked: Reading) -> Response:
    """Draw how many alerts are open."""
    columns = tables.alert.c
    wanted = select(columns.document).where(columns.project_id == asked.project.id, columns.is_open)
    with asked.services.database.reading() as connection:
        documents = [json.loads(text) for text in connection.execute(wanted).scalars()]
    text = badge.drawn([document["worse"] > 0 for document in documents])
    # Whoever shows it asks again and again.
    return Response(text, media_type=_SVG, headers={"Cache-Control": "max-age=300"})
