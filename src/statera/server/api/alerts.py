"""The routes of alerts, and of what people decide about them."""

import json
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Body, Path, Query
from pydantic import BaseModel, Field, StringConstraints
from sqlalchemy import ColumnElement, Connection, RowMapping, select

from statera.server import tables, triage
from statera.server.projects import Project
from statera.server.requests import (
    PUBLIC,
    Asked,
    Cursor,
    Limit,
    Page,
    Reading,
    Services,
    StrictModel,
    Writing,
    example,
    page,
)
from statera.support.errors import Stop

ROUTER: Final = APIRouter(prefix="/api/v1/projects/{project}", tags=["alerts"])
_LONGEST: Final = 4000
_MOST_COMMITS: Final = 500
_EXPECTED: Final = r"^\S+ [+-]?[0-9]+(\.[0-9]+)?%\.\.[+-]?[0-9]+(\.[0-9]+)?% +\S"
# The keys of an alert's document that a list shows.
_SHOWN: Final = ("id", "branch", "first", "last", "candidates", "raised", "worse", "better", "series")

State = Literal["new", "acknowledged", "fixed", "wontfix", "noise", "expected"]
Name = Annotated[str, Path(pattern="^[0-9a-f]{8}$", description="The id of an alert.", examples=["b352ff57"])]
Url = Annotated[str, StringConstraints(pattern=r"^https?://[!#-;=?-~]+$", max_length=_LONGEST)]
CommitName = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z._/-]+$", max_length=200)]


class Alert(BaseModel):
    """Changes of one cause."""

    model_config = example(
        id="b352ff57",
        branch="main",
        **dict.fromkeys(("first", "last", "raised"), "62c2622d0f6f6e5ea0e8d2a1a1b6c9a7e6b3b0d1"),
        candidates=1,
        worse=1,
        better=0,
        series=1,
        state="new",
        open=True,
    )

    id: str
    branch: str
    first: str = Field(description="The earliest commit that it may begin at.")
    last: str = Field(description="The latest commit that it may begin at.")
    candidates: int = Field(description="How many commits it may begin at.")
    raised: str = Field(description="The commit whose job told it.")
    worse: int = Field(description="How many of its changes are for the worse.")
    better: int = Field(description="How many are for the better.")
    series: int = Field(description="How many series changed.")
    state: str
    open: bool = Field(description="Whether there is something to do.")


class OneAlert(BaseModel):
    """An alert with its document."""

    alert: Alert
    document: dict[str, Any] = Field(description="As docs/history/site.md describes the document of an alert.")


class Decision(StrictModel):
    """A state that explains itself."""

    model_config = example(state="acknowledged")

    state: Literal["new", "acknowledged", "fixed"]
    reason: str = Field("", max_length=_LONGEST, description="What is known.")
    url: Url | None = Field(None, description="The page of an issue, which is linked with the alert.")


class Closing(StrictModel):
    """A state that says that there is nothing to do, and why."""

    model_config = example(state="noise", reason="the machine was shared")

    state: Literal["noise", "wontfix", "expected"]
    reason: str = Field(pattern=r"\S", max_length=_LONGEST, description="Why, in words.")
    url: Url | None = Field(None, description="The page of an issue, which is linked with the alert.")


class Link(StrictModel):
    """The page of an issue."""

    model_config = example(url="https://example.org/program/issues/7")

    url: Url


class Expectation(StrictModel):
    """A change that is announced before it is measured."""

    model_config = example(
        commits=["62c2622d0f6f6e5ea0e8d2a1a1b6c9a7e6b3b0d1"], text="Parse/* +5%..+15% checks the input"
    )

    commits: list[CommitName] = Field(
        min_length=1, max_length=_MOST_COMMITS, description="The full names of the commits that it may begin at."
    )
    text: str = Field(pattern=_EXPECTED, max_length=_LONGEST, description="PATTERN LOW..HIGH REASON")


@ROUTER.get("/alerts", summary="The alerts of a project", openapi_extra=PUBLIC)
def listed(
    asked: Reading,
    state: Annotated[State | None, Query(description="Only alerts in this state.")] = None,
    is_open: Annotated[bool | None, Query(alias="open", description="Only alerts that are open, or are not.")] = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Page[Alert]:
    """List the alerts that the last analysis found, the newest first."""
    columns = tables.alert.c
    own: list[ColumnElement[bool]] = [columns.project_id == asked.project.id]
    if cursor is not None:
        own.append(columns.number > cursor)
    if state is not None:
        own.append(columns.state == state)
    if is_open is not None:
        own.append(columns.is_open == is_open)
    wanted = select(tables.alert).where(*own).order_by(columns.number).limit(limit + 1)
    with asked.services.database.reading() as connection:
        rows = connection.execute(wanted).mappings().all()
    return page([(row["number"], _alert(row, json.loads(row["document"]))) for row in rows], limit)


@ROUTER.get("/alerts/{alert}", summary="An alert", openapi_extra=PUBLIC)
def one(asked: Reading, alert: Name) -> OneAlert:
    """Return an alert with all its changes."""
    return _one(asked.services, asked.project, alert)


@ROUTER.post("/alerts/{alert}/state", summary="Decide about an alert")
def decide(
    asked: Writing, alert: Name, decision: Annotated[Decision | Closing, Body(discriminator="state")]
) -> OneAlert:
    """Give an alert a state, with a reason. The state stays when everything is analysed again."""
    words = {"state": decision.state, "reason": decision.reason}
    with asked.services.database.writing() as connection:
        triage.decide(connection, asked.project, alert, **words, who=asked.who)
        asked.note(connection, "triage", f"{alert}: {decision.state}")
        if decision.url:
            _link(asked, connection, alert, decision.url)
    return _one(asked.services, asked.project, alert)


@ROUTER.post("/alerts/{alert}/link", summary="Link an alert with an issue")
def link(asked: Writing, alert: Name, target: Link) -> OneAlert:
    """Link an alert with the page of an issue. The document shows it after the next analysis."""
    with asked.services.database.writing() as connection:
        _link(asked, connection, alert, target.url)
    return _one(asked.services, asked.project, alert)


@ROUTER.post("/expectations", status_code=201, summary="Announce a change")
def expect(asked: Writing, expectation: Expectation) -> Expectation:
    """Announce a change of certain benchmarks, sizes and commits, so that it raises no alert."""
    with asked.services.database.writing() as connection:
        triage.expect(connection, asked.project, expectation.commits, text=expectation.text, who=asked.who)
        asked.note(connection, "expectation", expectation.text)
    return expectation


def _link(asked: Asked, connection: Connection, alert: str, url: str) -> None:
    triage.link(connection, asked.project, alert, url=url, who=asked.who)
    asked.note(connection, "link", f"{alert}: {url}")


def _one(services: Services, project: Project, alert: str) -> OneAlert:
    wanted = select(tables.alert).where(tables.alert.c.project_id == project.id, tables.alert.c.id == alert)
    with services.database.reading() as connection:
        row = connection.execute(wanted).mappings().one_or_none()
    if row is None:
        raise Stop("no-alert", f"{alert}: {project.name} has no such alert; its list has the ids")
    document = json.loads(row["document"])
    document |= {"state": row["state"], "open": row["is_open"]}
    return OneAlert(alert=_alert(row, document), document=document)


def _alert(row: RowMapping, document: dict[str, Any]) -> Alert:
    return Alert(**{name: document[name] for name in _SHOWN}, state=row["state"], open=row["is_open"])
