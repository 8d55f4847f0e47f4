"""The routes of projects, and of the commits that they know."""

from typing import Final

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from sqlalchemy import func, or_, select

from statera.server import margins, projects, tables
from statera.server.projects import Project
from statera.server.requests import (
    PUBLIC,
    Administering,
    Branch,
    Caller,
    Cursor,
    Limit,
    Page,
    Reading,
    StrictModel,
    example,
    page,
    services_of,
)

ROUTER: Final = APIRouter(prefix="/api/v1/projects", tags=["projects"])


class About(BaseModel):
    """A project."""

    model_config = example(
        name="program",
        public=False,
        lane=["cpu", "runner"],
        samples=200,
        around=20,
        commit_url="https://example.org/program/commit/{commit}",
        margins={"sec/op": "5%", "Parse/*": "1ms"},
        analysed=True,
    )

    name: str
    public: bool = Field(description="Whether everybody may read it.")
    lane: list[str] = Field(description="The facts about machines that keep jobs apart.")
    samples: int = Field(description="For so many jobs of a series the values are kept.")
    around: int = Field(description="So many jobs before and after a change keep their values.")
    commit_url: str = Field(description="The page of a commit, with {commit} for its name.")
    margins: dict[str, str | float] = Field(
        description="Which changes are too small to look at: margins by patterns of metrics or benchmarks."
    )
    analysed: bool = Field(description="Whether points and alerts are of everything that it holds.")


class Changed(StrictModel):
    """What is stated of a project from now on."""

    model_config = example(margins={"sec/op": "5%", "Parse/*": "1ms"})

    margins: dict[str, str | float] = Field(
        description="Margins by patterns of metrics or benchmarks, as the table `margin` of a settings file has them "
        "(docs/settings.md). They replace all that were stated."
    )


class Commit(BaseModel):
    """A commit that a project has jobs of."""

    model_config = example(commit="62c2622d0f6f6e5ea0e8d2a1a1b6c9a7e6b3b0d1", jobs=2)

    commit: str
    jobs: int


@ROUTER.get("", summary="The projects that one may read", openapi_extra=PUBLIC)
def listed(request: Request, identity: Caller, limit: Limit = 100, cursor: Cursor = None) -> Page[About]:
    """List the public projects, that of the token, and with a token of the server all."""
    columns = tables.project.c
    wanted = select(columns.id, columns.name).where(columns.id > (cursor or 0))
    if identity is None:
        wanted = wanted.where(columns.is_public)
    elif not identity.is_servers:
        wanted = wanted.where(or_(columns.is_public, columns.id == identity.project_id))
    with services_of(request).database.reading() as connection:
        rows = connection.execute(wanted.order_by(columns.id).limit(limit + 1)).all()
        return page([(row.id, _about(projects.named(connection, row.name))) for row in rows], limit)


@ROUTER.get("/{project}", summary="A project", openapi_extra=PUBLIC)
def one(asked: Reading) -> About:
    """Return what is known of a project."""
    return _about(asked.project)


@ROUTER.patch("/{project}", summary="Change a project")
def change(asked: Administering, changed: Changed) -> About:
    """State the margins of a project. Alerts follow with the next analysis, which begins at once."""
    with asked.services.database.writing() as connection:
        project = projects.change(connection, asked.project.name, margins=changed.margins)
        asked.note(connection, "project-changed", f"margins {margins.in_line(project.margins)}")
    return _about(project)


@ROUTER.get("/{project}/commits", summary="The commits that were measured", openapi_extra=PUBLIC)
def commits(asked: Reading, branch: Branch = None, limit: Limit = 1000, cursor: Cursor = None) -> Page[Commit]:
    """List the commits that the project has jobs of, in the order in which they came."""
    columns = tables.job.c
    first = func.min(columns.id)
    wanted = select(first, columns.commit, func.count()).where(columns.project_id == asked.project.id)
    if branch is not None:
        wanted = wanted.where(columns.branch == branch)
    wanted = wanted.group_by(columns.commit).having(first > (cursor or 0)).order_by(first).limit(limit + 1)
    with asked.services.database.reading() as connection:
        rows = connection.execute(wanted).all()
    return page([(id_, Commit(commit=commit, jobs=jobs)) for id_, commit, jobs in rows], limit)


def _about(project: Project) -> About:
    about = project.about
    return About(
        name=project.name,
        public=project.is_public,
        lane=list(about.lane),
        samples=about.samples,
        around=about.around,
        commit_url=project.commit_url,
        margins=project.margins,
        analysed=project.analysed >= project.changed,
    )
