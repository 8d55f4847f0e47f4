"""The routes of tokens, and of the record of changes."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field, JsonValue

from statera.server import audit, tokens
from statera.server.access import Role
from statera.server.requests import Administering, Asked, Cursor, Limit, Page, StrictModel, example, page

ROUTER: Final = APIRouter(prefix="/api/v1/projects/{project}", tags=["tokens"])
_EXAMPLE: Final[dict[str, JsonValue]] = {
    "id": 7,
    "name": "ci",
    "role": "write",
    "created": "2026-01-01T08:00:00+00:00",
    "expires": None,
    "used": None,
    "revoked": None,
}

Number = Annotated[int, Path(ge=1, le=2**63 - 1, description="The number of a token.")]
Word = Literal["read", "write", "admin"]


class Token(BaseModel):
    """A token, without its secret."""

    model_config = example(**_EXAMPLE)

    id: int
    name: str
    role: Word
    created: str
    expires: str | None
    used: str | None = Field(description="When it was used last, to the hour.")
    revoked: str | None


class Made(BaseModel):
    """A new token with its secret, which nobody can see again."""

    model_config = example(token=_EXAMPLE, secret="statera_" + "A" * 43)

    token: Token
    secret: str = Field(description="It is shown only once.")


class Wanted(StrictModel):
    """A token that is to be made."""

    model_config = example(name="ci", role="write", days=90)

    name: str = Field(min_length=1, max_length=100, pattern=r"^[ -~]*[!-~][ -~]*$")
    role: Word
    days: int | None = Field(None, ge=1, le=36_500, description="How long it is good; null for ever.")


class Entry(BaseModel):
    """A change, or a token that was refused."""

    model_config = example(
        id=12,
        moment="2026-01-01T08:00:00+00:00",
        token_id=7,
        who="ci",
        address="192.0.2.1",
        action="upload",
        detail="9f86d081" * 8,
    )

    id: int
    moment: str
    token_id: int | None
    who: str
    address: str
    action: str
    detail: str


@ROUTER.get("/tokens", summary="The tokens of a project")
def listed(asked: Administering, limit: Limit = 100, cursor: Cursor = None) -> Page[Token]:
    """List tokens, without their secrets; also those that have ended."""
    with asked.services.database.reading() as connection:
        found = tokens.listed(connection, asked.project.id, after=cursor or 0, most=limit + 1)
    return page([(each.id, _token(each)) for each in found], limit)


@ROUTER.post("/tokens", status_code=201, summary="Make a token")
def add(asked: Administering, wanted: Wanted) -> Made:
    """Make a token of the project. The answer alone has its secret."""
    with asked.services.database.writing() as connection:
        role = Role[wanted.role.upper()]
        return _made(tokens.add(connection, _changer(asked), wanted.name, role, asked.project.id, days=wanted.days))


@ROUTER.post("/tokens/{token}/rotate", status_code=201, summary="Put a new token in the place of another")
def rotate(asked: Administering, token: Number) -> Made:
    """Make a token with the same name, role and end; the old one is good no longer."""
    with asked.services.database.writing() as connection:
        return _made(tokens.rotate(connection, _changer(asked), token, asked.project.id))


@ROUTER.delete("/tokens/{token}", status_code=204, summary="End a token")
def revoke(asked: Administering, token: Number) -> Response:
    """Revoke a token. One that has ended stays as it is."""
    with asked.services.database.writing() as connection:
        tokens.revoke(connection, _changer(asked), token, asked.project.id)
    return Response(status_code=204)


@ROUTER.get("/audit", summary="Who changed what")
def record(asked: Administering, limit: Limit = 100, cursor: Cursor = None) -> Page[Entry]:
    """List the changes of the project, the newest first."""
    before = {} if cursor is None else {"before": cursor}
    with asked.services.database.reading() as connection:
        found = audit.listed(connection, asked.project.id, most=limit + 1, **before)
    return page([(each.id, Entry(**each._asdict())) for each in found], limit)


def _changer(asked: Asked) -> tokens.Changer:
    return tokens.Changer(asked.identity, asked.address)


def _made(made: tuple[tokens.Token, str]) -> Made:
    token, secret = made
    return Made(token=_token(token), secret=secret)


def _token(token: tokens.Token) -> Token:
    known = token._asdict() | {"role": token.role.word}
    return Token(**{name: known[name] for name in Token.model_fields})
