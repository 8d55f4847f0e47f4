"""Whose jobs may write without a secret: issuers of tokens, and the claims that a token needs for a project."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, insert, select

from statera.server import projects, tables
from statera.server.tables import now
from statera.support.errors import Stop
from statera.support.http import is_safe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, RowMapping

# Everybody gets tokens of a public issuer: one of these claims has to say whose they are.
OWNERS: Final = (
    "repository",
    "repository_id",
    "repository_owner",
    "repository_owner_id",
    "project_path",
    "project_id",
    "namespace_path",
    "namespace_id",
    "sub",
)
_CLAIM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_LONGEST: Final = 1000
# So many issuers and sets of claims a project trusts at most.
_MOST: Final = 50


class Trust(NamedTuple):
    """Jobs that may write to a project.

    Attributes:
        id: the number by which lists and the command line name it.
        project_id: the project.
        issuer: who signs their tokens, such as ``https://token.actions.githubusercontent.com``.
        audience: for whom the tokens have to be.
        claims: what their claims have to be, by name; ``*`` stands for any characters.

    """

    id: int
    project_id: int
    issuer: str
    audience: str
    claims: dict[str, str]

    def holds(self, stated: Mapping[str, Any]) -> bool:
        """Return whether the claims of a token are as they have to be, whoever signed it."""
        audiences = stated.get("aud")
        named = audiences if isinstance(audiences, list) else [audiences]
        return (
            stated.get("iss") == self.issuer
            and self.audience in named
            and all(_fits(pattern, stated.get(name)) for name, pattern in self.claims.items())
        )


def add(connection: Connection, project_id: int, issuer: str, audience: str, claims: Mapping[str, str]) -> Trust:
    """Let jobs write to a project whose tokens an issuer signs for an audience, with certain claims.

    Raises:
        Stop: the issuer has no safe address, the claims leave open whose jobs these are, or there are too many.

    """
    _check(issuer, audience, claims)
    if len(listed(connection, project_id)) >= _MOST:
        raise Stop("bad-trust", f"a project trusts {_MOST} sets of claims at most. Remove another one")
    values = {"project_id": project_id, "issuer": issuer, "audience": audience, "claims": json.dumps(dict(claims))}
    adding = insert(tables.trust).values(**values, created=now()).returning(tables.trust.c.id)
    return Trust(connection.execute(adding).scalar_one(), project_id, issuer, audience, dict(claims))


def remove(connection: Connection, project_id: int, number: int) -> None:
    """Trust jobs no longer.

    Raises:
        Stop: the project has no such entry.

    """
    columns = tables.trust.c
    done = connection.execute(delete(tables.trust).where(columns.id == number, columns.project_id == project_id))
    if not done.rowcount:
        raise Stop("no-trust", f"{number}: the project has no such entry. List them for their numbers")


def listed(connection: Connection, project_id: int) -> list[Trust]:
    """Return what a project trusts, in the order in which it was added."""
    wanted = select(tables.trust).where(tables.trust.c.project_id == project_id).order_by(tables.trust.c.id)
    return [_trust(row) for row in connection.execute(wanted).mappings()]


def of_issuer(connection: Connection, issuer: str) -> list[Trust]:
    """Return what all projects trust of an issuer."""
    wanted = select(tables.trust).where(tables.trust.c.issuer == issuer).order_by(tables.trust.c.id)
    return [_trust(row) for row in connection.execute(wanted).mappings()]


def project_named(connection: Connection, name: str) -> int | None:
    """Return the number of a project; None if there is none of this name."""
    try:
        return projects.named(connection, name).id
    except Stop:
        return None


def _check(issuer: str, audience: str, claims: Mapping[str, str]) -> None:
    if not is_safe(issuer) or len(issuer) > _LONGEST or set("?#@") & set(issuer):
        raise Stop("bad-trust", f"{issuer}: the address of an issuer begins with https:// and has no query")
    if not audience or len(audience) > _LONGEST or not audience.isprintable():
        raise Stop("bad-trust", "the audience is empty or too long. State the address of this server")
    for name, pattern in claims.items():
        if not _CLAIM.fullmatch(name) or not pattern or len(pattern) > _LONGEST or not pattern.isprintable():
            raise Stop("bad-trust", f"{name}={pattern}: write a claim as NAME=PATTERN, such as repository=acme/parser")
    owners = {name: pattern for name, pattern in claims.items() if name in OWNERS}
    if not owners:
        raise Stop(
            "bad-trust",
            "anybody gets tokens of this issuer. State whose jobs may write, such as --claim repository=acme/parser",
        )
    for name, pattern in owners.items():
        # acme* would be everybody who registers such a name.
        if "*" in pattern.partition("/")[0]:
            raise Stop("bad-trust", f"{name}={pattern}: this fits strangers too. Write * only after a slash")


def _fits(pattern: str, value: object) -> bool:
    """Return whether a claim fits; a number or a truth is compared as JSON writes it, and no list fits."""
    if not isinstance(value, (str, int)):
        return False
    text = value if isinstance(value, str) else json.dumps(value)
    first, *others = pattern.split("*")
    if not others:
        return text == pattern
    if len(text) < len(pattern) - len(others) or not text.startswith(first) or not text.endswith(others[-1]):
        return False
    at, end = len(first), len(text) - len(others[-1])
    for part in others[:-1]:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


def _trust(row: RowMapping) -> Trust:
    return Trust(row["id"], row["project_id"], row["issuer"], row["audience"], json.loads(row["claims"]))
