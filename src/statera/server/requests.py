"""What answers depend on: the services of the application, who asks, about which project, and which page of a list."""

import ipaddress
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Final, Generic, NamedTuple, TypeVar

from fastapi import Depends, Query, Request, Security
from fastapi import Path as PathPart
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue
from sqlalchemy import Connection

from statera.server import access, audit, projects, trust
from statera.server.access import Identity, Role
from statera.server.database import Database
from statera.server.examination import Examiner
from statera.server.histories import DatabaseStore, Writer
from statera.server.projects import Project
from statera.server.site import Renderer
from statera.support.errors import Stop
from statera.support.settings.limits import Limits

# So many refused tokens of an address within so many seconds are noted.
_NOTED: Final = 10
_SECONDS: Final = 60.0
_ADDRESSES: Final = 10_000
# Whoever has one address of IPv6 has as many as this network.
_NETWORK: Final = 64
_BEARER: Final = HTTPBearer(
    auto_error=False,
    scheme_name="token",
    description="A token of statera, or of a job that the project trusts: `Authorization: Bearer statera_…`.",
)

# The description of a route that also answers without a token, where a project is public.
PUBLIC: Final[dict[str, Any]] = {"security": [{}]}

_MOST: Final = 1000
# Numbers of rows have 63 bits.
_LAST: Final = 2**63 - 1
_ITEM = TypeVar("_ITEM")

Credentials = Annotated[HTTPAuthorizationCredentials | None, Security(_BEARER)]


class Services(NamedTuple):
    """What requests need."""

    database: Database  # the database
    writer: Writer  # stores uploads
    data: Path  # a folder of this machine, for copies of uploads and bodies in transit; it may be lost
    limits: Limits  # how much is read of an upload
    renderer: Renderer  # gives the pages of projects
    examiner: Examiner  # reads uploads of strangers
    address: str  # where browsers find the server, such as ``https://perf.example.org``, without a slash at the end
    allow_private: bool = False  # whether hooks may be machines of the server's own network

    def store(self, project: Project) -> DatabaseStore:
        """Return the history of a project."""
        return DatabaseStore(self.database, project, self.data / "copies" / str(project.id))


class ByNetwork(dict[str, _ITEM]):
    """What is known of the addresses of clients, one item for each network; of so many alone, the latest."""

    def keep(self, network: str, item: _ITEM) -> None:
        """Keep what is known of a network now."""
        self.pop(network, None)
        self[network] = item
        while len(self) > _ADDRESSES:
            del self[next(iter(self))]


class Refusals:
    """Counts the refused tokens of each address, so that nobody fills the record with them.

    The answer is the same for all of them: a secret of 256 bits is not found by trying.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._of = ByNetwork[list[float]]()
        self._lock = Lock()

    def is_noted(self, address: str) -> bool:
        """Count a refused token; return whether the record gets it."""
        now, network = time.monotonic(), network_of(address)
        with self._lock:
            recent = [each for each in self._of.get(network, ()) if each > now - _SECONDS]
            is_noted = len(recent) < _NOTED
            self._of.keep(network, [*recent, now] if is_noted else recent)
        return is_noted


class Asked(NamedTuple):
    """A request that may be answered."""

    services: Services  # what it needs
    identity: Identity | None  # whose token it has; None without one, where everybody may read
    address: str  # the address of the client
    project: Project  # the project that it is about

    @property
    def who(self) -> str:
        """Return the name under which a decision stands."""
        return self.identity.name if self.identity else ""

    def note(self, connection: Connection, action: str, detail: str = "") -> None:
        """Note a change in the record."""
        project_id, address = self.project.id, self.address
        audit.note(connection, action, identity=self.identity, project_id=project_id, address=address, detail=detail)


def services_of(request: Request) -> Services:
    """Return what requests of the application share."""
    found: Services = request.app.state.services
    return found


def address_of(request: Request) -> str:
    """Return the address of the client."""
    return request.client.host if request.client else ""


def network_of(address: str) -> str:
    """Return what stands for whoever has an address: of IPv6, the network around it."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    is_ip6 = isinstance(known, ipaddress.IPv6Address)
    return str(ipaddress.ip_network((known, _NETWORK), strict=False)) if is_ip6 else address


def caller(request: Request, credentials: Credentials) -> Identity | None:
    """Return whose token a request has; None without one. Raises ``Stop`` if the token is not good."""
    stated = request.headers.get("authorization")
    if stated is None:
        return None
    services, address = services_of(request), address_of(request)
    identity = _admitted(request, services, credentials.credentials) if credentials else None
    if identity is None:
        refusals: Refusals = request.app.state.refusals
        if refusals.is_noted(address):
            with services.database.writing() as connection:
                audit.note(connection, "refused", address=address, detail=f"{request.method} {request.url.path}")
        raise Stop("no-token", "the token is unknown, has expired or was revoked")
    return identity


def _admitted(request: Request, services: Services, secret: str) -> Identity | None:
    """Return who holds a token of statera, or the token of a job; None if it is not good."""
    if not trust.is_one(secret):
        return access.admitted(services.database, secret)
    known: trust.Issuers = request.app.state.issuers
    wanted = request.path_params.get("project") or request.query_params.get("project")
    # PostgreSQL takes no such text, and no project has it in its name.
    return known.admitted(services.database, secret, wanted.replace("\0", "") if wanted else None)


Caller = Annotated[Identity | None, Depends(caller)]
ProjectName = Annotated[
    str, PathPart(alias="project", description="The name of a project.", max_length=64, examples=["program"])
]


def about(role: Role) -> Callable[..., Asked]:
    """Return a dependency: the request is about a project of the path, in which the caller may do what a role may."""

    def dependency(request: Request, identity: Caller, name: ProjectName) -> Asked:
        return permitted(request, identity, name, role)

    return dependency


def permitted(request: Request, identity: Identity | None, name: str, role: Role) -> Asked:
    """Return a request about a project.

    Raises ``Stop`` if there is no such project, or the caller may not do this in it. Who may not read a project gets
    the same answer as if there were none.
    """
    return allowed(request, identity, find(services_of(request), name), role, name)


def allowed(request: Request, identity: Identity | None, project: Project | None, role: Role, name: str = "") -> Asked:
    """Return a request about a project that was looked up already, as ``permitted`` does."""
    if project and may(identity, project, role):
        return Asked(services_of(request), identity, address_of(request), project)
    if identity is None:
        raise Stop("no-token", "this needs a token, in a header Authorization: Bearer statera_…")
    if project is None or not may(identity, project, Role.READ):
        raise Stop("no-project", f"{name}: there is no such project, or the token is not of it")
    has = f"has the role {identity.role.word} here" if identity.project_id == project.id else "is of another project"
    raise Stop("not-allowed", f"the token {has}, and this needs {role.word}")


def may(identity: Identity | None, project: Project, role: Role) -> bool:
    """Return whether a caller may do in a project what a role may; everybody may read a public one."""
    return (role == Role.READ and project.is_public) or (identity is not None and identity.may(project.id, role))


def find(services: Services, name: str) -> Project | None:
    """Return the project of a name; None if there is none."""
    # PostgreSQL takes no such text.
    if "\0" in name:
        return None
    with services.database.reading() as connection:
        try:
            return projects.named(connection, name)
        except Stop:
            return None


Reading = Annotated[Asked, Depends(about(Role.READ))]
Writing = Annotated[Asked, Depends(about(Role.WRITE))]
Administering = Annotated[Asked, Depends(about(Role.ADMIN))]

Limit = Annotated[int, Query(ge=1, le=_MOST, description="How many items the page has at most.")]
Cursor = Annotated[int | None, Query(ge=0, le=_LAST, description="The key `next` of the page before.")]


def _plain(text: str | None) -> str | None:
    if text is not None and "\0" in text:
        raise ValueError("it holds a NUL")
    return text


# What strangers write and databases take.
Plain = AfterValidator(_plain)
Branch = Annotated[str | None, Plain, Query(max_length=4096, description="Only this branch.")]


class Page(BaseModel, Generic[_ITEM]):
    """A page of a list."""

    items: list[_ITEM]
    next: int | None = Field(description="The cursor of the next page; null on the last.")


def page(found: list[tuple[int, _ITEM]], limit: int) -> Page[_ITEM]:
    """Return a page of what was found: items with their cursors, one more than the limit if there are others."""
    shown = found[:limit]
    return Page(items=[item for _, item in shown], next=shown[-1][0] if len(found) > limit else None)


class StrictModel(BaseModel):
    """What a client sends, which has no other keys than these."""

    model_config = ConfigDict(extra="forbid")


def example(**values: JsonValue) -> ConfigDict:
    """Return the configuration of a model with an example of it."""
    return ConfigDict(json_schema_extra={"example": values})
