"""The routes of series, of their values and of the changes in them."""

import json
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement, Connection, RowMapping, func, or_, select

from statera.history.job import from_json, lane_of
from statera.server import tables
from statera.server.requests import PUBLIC, Asked, Branch, Cursor, Limit, Page, Plain, Reading, example, page
from statera.support.errors import Stop

ROUTER: Final = APIRouter(prefix="/api/v1/projects/{project}", tags=["series"])
_IDENTITY: Final = ("key", "benchmark", "metric", "unit", "better")
_NUMBERS: Final = ("n", "median", "mad", "least", "largest")

Key = Annotated[str, Path(pattern="^[0-9a-f]{16}$", description="The key of a series.", examples=["1b9f2a0c4d5e6f70"])]
Words = Annotated[str | None, Plain, Query(max_length=200, description="Only series whose names contain this text.")]


class Series(BaseModel):
    """A series: a benchmark and a metric at the same work."""

    model_config = example(
        key="1b9f2a0c4d5e6f70", benchmark="matrix", metric="time", unit="s", better="lower", factors={"size": "64"}
    )

    key: str
    benchmark: str
    metric: str
    unit: str = Field(description="The unit of its values.")
    better: str | None = Field(description="lower, higher, or null if nobody knows.")
    factors: dict[str, str] = Field(description="What makes it a separate series.")


class Value(BaseModel):
    """The values of a job, in a summary."""

    model_config = example(
        branch="main",
        lane={"cpu": "Fast 3000", "runner": "rack-7"},
        job="9f86d081" * 8,
        commit="62c2622d0f6f6e5ea0e8d2a1a1b6c9a7e6b3b0d1",
        started="2026-01-01T08:00:00+00:00",
        n=10,
        median=0.0141,
        mad=0.0002,
        least=0.0139,
        largest=0.0155,
    )

    branch: str
    lane: dict[str, str] = Field(description="The facts about the machine that keep it apart.")
    job: str
    commit: str
    started: str = Field(description="When the job began, ISO 8601; empty if unknown.")
    n: int = Field(description="How many values it has.")
    median: float | None
    mad: float | None = Field(description="The median absolute deviation.")
    least: float | None
    largest: float | None


class OneSeries(BaseModel):
    """A series with a page of its values."""

    series: Series
    values: Page[Value]


class Point(BaseModel):
    """A change of level of a series."""

    model_config = example(
        **dict.fromkeys(("place", "first", "last"), "62c2622d0f6f6e5ea0e8d2a1a1b6c9a7e6b3b0d1"),
        series="1b9f2a0c4d5e6f70",
        branch="main",
        raised="426e30b6d0f6f6e5ea0e8d2a1a1b6c9a7e6b3b0d",
        size=0.167,
        low=0.136,
        high=0.199,
        is_ratio=True,
        p=0.0004,
        worse=True,
        returns=False,
        weak=False,
        alert="b352ff57",
    )

    series: str
    branch: str
    place: str = Field(description="The commit that it begins at.")
    first: str = Field(description="The earliest commit that it may begin at.")
    last: str = Field(description="The latest commit that it may begin at.")
    raised: str = Field(description="The commit whose job told it.")
    size: float | None = Field(description="0.05 is 5 % more if is_ratio, otherwise a difference in the unit.")
    low: float | None
    high: float | None
    is_ratio: bool
    p: float | None
    worse: bool | None = Field(description="Whether it is for the worse; null if nobody knows.")
    returns: bool = Field(description="Whether it undoes the change before it.")
    weak: bool = Field(description="Whether it does not hold among all series.")
    alert: str | None


@ROUTER.get("/series", summary="The series of a project", openapi_extra=PUBLIC)
def listed(asked: Reading, q: Words = None, limit: Limit = 100, cursor: Cursor = None) -> Page[Series]:
    """List series, in the order in which they came."""
    columns = tables.series.c
    own: list[ColumnElement[bool]] = [columns.project_id == asked.project.id, columns.id > (cursor or 0)]
    if q:
        texts = (func.lower(each) for each in (columns.benchmark, columns.metric))
        own.append(or_(*(each.contains(q.lower(), autoescape=True) for each in texts)))
    wanted = select(tables.series).where(*own).order_by(columns.id).limit(limit + 1)
    with asked.services.database.reading() as connection:
        rows = connection.execute(wanted).mappings().all()
    return page([(row["id"], _series(row)) for row in rows], limit)


@ROUTER.get("/series/{key}", summary="A series with its values", openapi_extra=PUBLIC)
def one(asked: Reading, key: Key, branch: Branch = None, limit: Limit = 1000, cursor: Cursor = None) -> OneSeries:
    """Return a series with a summary of each job, in the order in which these came."""
    columns = tables.series.c
    wanted = select(tables.series).where(columns.project_id == asked.project.id, columns.key == key)
    with asked.services.database.reading() as connection:
        rows = connection.execute(wanted.order_by(columns.id)).mappings().all()
        if not rows:
            raise Stop("no-series", f"{key}: {asked.project.name} has no such series; its list has the keys")
        values = _values(connection, asked, [row["id"] for row in rows], branch=branch, cursor=cursor or 0, limit=limit)
    # What does not identify a series, such as its direction, is as the newest upload states it.
    return OneSeries(series=_series(rows[-1]), values=values)


@ROUTER.get("/points", summary="The changes of all series", openapi_extra=PUBLIC)
def points(asked: Reading, branch: Branch = None, limit: Limit = 100, cursor: Cursor = None) -> Page[Point]:
    """List the changes that the last analysis found. Another analysis numbers them anew."""
    columns = tables.point.c
    own: list[ColumnElement[bool]] = [columns.project_id == asked.project.id, columns.id > (cursor or 0)]
    if branch is not None:
        own.append(columns.branch == branch)
    wanted = select(tables.point).where(*own).order_by(columns.id).limit(limit + 1)
    with asked.services.database.reading() as connection:
        rows = connection.execute(wanted).mappings().all()
    return page([(row["id"], Point(**{name: row[name] for name in Point.model_fields})) for row in rows], limit)


def _values(
    connection: Connection, asked: Asked, series: list[int], *, branch: str | None, cursor: int, limit: int
) -> Page[Value]:
    jobs, values = tables.job.c, tables.value.c
    own = [values.series_id.in_(series), values.job_id > cursor, jobs.id == values.job_id]
    if branch is not None:
        own.append(jobs.branch == branch)
    stated = (jobs.id, jobs.hash, jobs.branch, jobs.commit, jobs.started, jobs.content)
    wanted = select(*stated, *(values[name] for name in _NUMBERS)).where(*own).order_by(jobs.id).limit(limit + 1)
    found = []
    for row in connection.execute(wanted).mappings():
        ((_, job),) = from_json(row["content"], "a job of the database")
        numbers = {name: row[name] for name in (*_NUMBERS, "branch", "commit", "started")}
        lane = dict(lane_of(job.environment, asked.project.about.lane))
        found.append((row["id"], Value(job=row["hash"], lane=lane, **numbers)))
    return page(found, limit)


def _series(row: RowMapping) -> Series:
    return Series(**{name: row[name] for name in _IDENTITY}, factors=json.loads(row["factors"]))
