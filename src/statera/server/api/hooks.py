"""The routes of hooks."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field, JsonValue

from statera.server import deliveries, hooks
from statera.server.requests import Administering, Cursor, Limit, Page, StrictModel, example, page

ROUTER: Final = APIRouter(prefix="/api/v1/projects/{project}/hooks", tags=["hooks"])
_EXAMPLE: Final[dict[str, JsonValue]] = {
    "id": 3,
    "url": "https://example.org/alerts",
    "form": "json",
    "created": "2026-01-01T08:00:00+00:00",
}

# No name, password or fragment. Whether the server may reach the host is no matter of a pattern.
_URL: Final = r"^https?://[0-9A-Za-z._:\[\]-]+([/?][!\"$-~]*)?$"

Number = Annotated[int, Path(ge=1, le=2**63 - 1, description="The number of a hook.")]


class Hook(BaseModel):
    """A hook, without its secret."""

    model_config = example(**_EXAMPLE)

    id: int
    url: str
    form: Literal["json", "slack"]
    created: str


class Made(BaseModel):
    """A new hook with its secret, which nobody can see again."""

    model_config = example(hook=_EXAMPLE, secret="statera_hook_" + "A" * 43)

    hook: Hook
    secret: str = Field(description="It signs the messages, and is shown only once.")


class Wanted(StrictModel):
    """A hook that is to be made."""

    model_config = example(url="https://example.org/alerts", form="json")

    url: str = Field(pattern=_URL, max_length=2000, description="Without name, password and fragment.")
    form: Literal["json", "slack"] = Field("json", description="What is sent: facts as JSON, or a text for Slack.")


class Delivery(BaseModel):
    """What became of a message."""

    model_config = example(
        id=41,
        alert="0123abcd",
        event="new",
        attempts=2,
        due="2026-01-01T08:03:00+00:00",
        delivered=None,
        problem="it answered 500",
    )

    id: int = Field(description="The receiver sees it in the header X-Statera-Delivery.")
    alert: str = Field(description="The alert; empty of a test and of a token.")
    event: str
    attempts: int
    due: str | None = Field(description="When it is tried next; null when it is done or given up.")
    delivered: str | None
    problem: str | None = Field(description="What went wrong the last time.")


class Queued(BaseModel):
    """A message that was queued."""

    model_config = example(delivery=41)

    delivery: int = Field(description="Its number among the deliveries of the hook.")


@ROUTER.get("", summary="The hooks of a project")
def listed(asked: Administering, limit: Limit = 100, cursor: Cursor = None) -> Page[Hook]:
    """List hooks, without their secrets."""
    with asked.services.database.reading() as connection:
        found = [each for each in hooks.listed(connection, asked.project.id) if each.id > (cursor or 0)]
    return page([(each.id, _hook(each)) for each in found[: limit + 1]], limit)


@ROUTER.post("", status_code=201, summary="Add a hook")
def add(asked: Administering, wanted: Wanted) -> Made:
    """Add a hook. The answer alone has its secret."""
    hooks.target(wanted.url, allow_private=asked.services.allow_private)
    with asked.services.database.writing() as connection:
        made, secret = hooks.add(connection, asked.project.id, wanted.url, wanted.form)
        asked.note(connection, "hook-added", f"{made.id}: {_host(made)}")
    return Made(hook=_hook(made), secret=secret)


@ROUTER.delete("/{hook}", status_code=204, summary="Remove a hook")
def remove(asked: Administering, hook: Number) -> Response:
    """Remove a hook; what waits for it is not sent."""
    with asked.services.database.writing() as connection:
        removed = hooks.named(connection, asked.project.id, hook)
        hooks.remove(connection, asked.project.id, hook)
        asked.note(connection, "hook-removed", f"{hook}: {_host(removed)}")
    return Response(status_code=204)


@ROUTER.post("/{hook}/test", status_code=202, summary="Send a test")
def test(asked: Administering, hook: Number) -> Queued:
    """Queue a message that only shows that it arrives; its delivery says what became of it."""
    with asked.services.database.writing() as connection:
        made = deliveries.queue_test(connection, asked.project.id, hook)
        asked.note(connection, "hook-tested", str(hook))
    return Queued(delivery=made)


@ROUTER.get("/{hook}/deliveries", summary="What a hook was told")
def told(asked: Administering, hook: Number, limit: Limit = 100, cursor: Cursor = None) -> Page[Delivery]:
    """List the deliveries of a hook, the newest first."""
    with asked.services.database.reading() as connection:
        hooks.named(connection, asked.project.id, hook)
        found = deliveries.listed(connection, hook, cursor, limit + 1)
    return page([(each.id, Delivery(**each._asdict())) for each in found], limit)


def _hook(hook: hooks.Hook) -> Hook:
    return Hook(**hook._asdict())


def _host(hook: hooks.Hook) -> str:
    """Return the host of a hook: the rest of its address may be a secret of the receiver."""
    return hooks.checked(hook.url).netloc
