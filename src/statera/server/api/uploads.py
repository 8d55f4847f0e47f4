"""The route of uploads."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from statera.server import histories, projects
from statera.server.access import Role
from statera.server.bodies import Body
from statera.server.examination import Stored, Storing
from statera.server.requests import Asked, Credentials, allowed, caller, example, permitted, services_of
from statera.support.errors import Stop

PATH: Final = "/api/v1/uploads"
ROUTER: Final = APIRouter(tags=["uploads"])
MEDIA: Final = "application/vnd.apache.parquet"
# So many uploads are read at once, which takes cores and memory.
TOGETHER: Final = 4
_PATIENCE: Final = 60.0


class Upload(BaseModel):
    """What became of an upload."""

    model_config = example(hash="9f86d081" * 8, project="program", new=True, jobs=1)

    hash: str = Field(description="The SHA-256 of the upload, which names it.")
    project: str = Field(description="The project that it was added to.")
    new: bool = Field(description="Whether the history did not have it.")
    jobs: int = Field(description="How many jobs are new.")


@ROUTER.post(
    PATH,
    status_code=201,
    response_model=Upload,
    summary="Add an upload",
    responses={200: {"model": Upload, "description": "The history has it already."}},
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {MEDIA: {"schema": {"type": "string", "format": "binary"}}},
            "description": "A file as `statera history add` makes it; with `Content-Encoding`, compressed.",
        }
    },
)
async def add(
    request: Request,
    credentials: Credentials,
    *,
    project: Annotated[
        str | None, Query(description="The project, which a token of the server has to name.", max_length=64)
    ] = None,
    new_unit: Annotated[
        bool, Query(description="Whether series may have another unit than before; they are new ones then.")
    ] = False,
) -> Response:
    """Add the results of jobs. The answer comes when they are on the disk; to add the same twice changes nothing."""
    # The route is the only asynchronous one: a body that comes slowly takes no thread.
    asking = partial(_asked, request, credentials, project)
    loop = asyncio.get_running_loop()
    readers = request.app.state.upload_readers
    body = Body(request, services_of(request).data)
    try:
        # Of a stranger, only a small body is read; whoever sends one waits for a thread once.
        early = None if body.is_small else await loop.run_in_executor(readers, asking)
        await body.receive(request, request.app.state.bounds)
        giving = partial(_given, request, body, early or asking, new_unit=new_unit)
        asked, given = await loop.run_in_executor(readers, giving)
    finally:
        body.close()
    try:
        stored = await asyncio.wait_for(asyncio.wrap_future(given), _PATIENCE)
    except TimeoutError:
        raise Stop(
            "server-busy", "the upload still waits to be stored. Send it again later to learn whether it was stored"
        ) from None
    request.app.state.metrics.uploaded(new=stored.new)
    made = Upload(hash=stored.hash, project=asked.project.name, new=stored.new, jobs=stored.jobs)
    # It is checked already: FastAPI would check and convert it once more.
    return JSONResponse(made.model_dump(), 201 if stored.new else 200)


def _asked(request: Request, credentials: HTTPAuthorizationCredentials | None, name: str | None) -> Asked:
    identity = caller(request, credentials)
    if identity is None:
        raise Stop(
            "no-token", "an upload needs a token with the role write, in a header Authorization: Bearer statera_…"
        )
    if name is not None:
        return permitted(request, identity, name, Role.WRITE)
    if identity.project_id is None:
        raise Stop("bad-request", "a token of the server belongs to no project. Name it: ?project=NAME")
    with services_of(request).database.reading() as connection:
        own = projects.numbered(connection, identity.project_id)
    return allowed(request, identity, own, Role.WRITE)


def _given(
    request: Request, body: Body, asking: Asked | Callable[[], Asked], *, new_unit: bool
) -> tuple[Asked, Future[Stored]]:
    """Read an upload, and hand it to the writer."""
    asked = asking if isinstance(asking, Asked) else asking()
    services, token_id = asked.services, asked.identity.token_id if asked.identity else None
    url = services.database.engine.url.render_as_string(hide_password=False)
    storing = Storing(url, asked.project.id, token_id, asked.who, asked.address, new_unit)
    # A large file takes its time to vanish, too: not while the loop that answers all others waits for it.
    with closing(body), body.expanded(request.app.state.bounds.expanded) as path:
        found = services.examiner.taken(path, asked.project.name, services.limits, storing)
        if isinstance(found, Stored):
            done: Future[Stored] = Future()
            done.set_result(found)
            return asked, done
        prepared = histories.prepare(path, asked.project.name, services.limits, lambda *_: found)
    return asked, services.writer.put(
        asked.project.id, prepared._replace(new_unit=new_unit), token_id, partial(_note, asked)
    )


def _note(asked: Asked, connection: Connection, stored: Stored) -> None:
    asked.note(connection, "upload", stored.hash)
