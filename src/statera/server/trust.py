"""Whose jobs may write without a secret: issuers of tokens, and the claims that a token needs for a project.

A token is looked at three times: by its form, by its claims (only an issuer that a project trusts is ever asked for
keys), and by its signature. Only then it admits anybody.
"""

from __future__ import annotations

import json
import re
import threading
import time
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, insert, select

from statera.server import projects, tables
from statera.server.access import Identity, Role
from statera.server.tables import now
from statera.support import http
from statera.support.errors import Stop
from statera.support.http import is_safe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import ModuleType

    from jwt import PyJWK as Key
    from sqlalchemy import Connection, RowMapping

    from statera.server.database import Database

# Everybody gets tokens of a public issuer: one of these claims has to say whose they are.
OWNERS: Final = (
    "repository", "repository_id", "repository_owner", "repository_owner_id", "project_path", "project_id",
    "namespace_path", "namespace_id", "sub",
)  # fmt: skip
_CLAIM: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_LONGEST: Final = 1000
# So many issuers and sets of claims a project trusts at most.
_MOST: Final = 50


class Trust(NamedTuple):
    """Jobs that may write to a project."""

    id: int  # the number by which lists and the command line name it
    project_id: int  # the project
    issuer: str  # who signs their tokens, such as ``https://token.actions.githubusercontent.com``
    audience: str  # for whom the tokens have to be
    claims: dict[str, str]  # what their claims have to be, by name; ``*`` stands for any characters

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

    Raises ``Stop`` if the issuer has no safe address, the claims leave open whose jobs these are, or there are too
    many.
    """
    _check(issuer, audience, claims)
    if len(listed(connection, project_id)) >= _MOST:
        raise Stop("bad-trust", f"a project trusts {_MOST} sets of claims at most. Remove another one")
    values = {"project_id": project_id, "issuer": issuer, "audience": audience, "claims": json.dumps(dict(claims))}
    adding = insert(tables.trust).values(**values, created=now()).returning(tables.trust.c.id)
    return Trust(connection.execute(adding).scalar_one(), project_id, issuer, audience, dict(claims))


def remove(connection: Connection, project_id: int, number: int) -> None:
    """Trust jobs no longer. Raises ``Stop`` if the project has no such entry."""
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


_SIGNATURES: Final = "statera.server.signatures"
# Characters of a token, and of the name under which its uploads stand.
_LONGEST_TOKEN: Final = 16_384
# Between header, claims and signature.
_DOTS: Final = 2
_NAME: Final = 200
# A document of an issuer, in bytes, seconds and keys.
_LARGEST: Final = 1 << 20
_SECONDS: Final = 5.0
_KEYS: Final = 100
# Keys are asked for again after so many seconds, and serve so long if the issuer does not answer.
_FRESH: Final = 3600.0
_STALE: Final = 24 * 3600.0
# Whatever a token names, an issuer is asked once within so many seconds.
_PAUSE: Final = 30.0
_DISCOVERY: Final = "/.well-known/openid-configuration"


class _Held(NamedTuple):
    """The keys of an issuer by their ids, when they came and when they were asked for, by the monotonic clock."""

    keys: dict[str, Key]
    came: float
    asked: float


_NOTHING: Final = _Held({}, float("-inf"), float("-inf"))


class Issuers:
    """The keys of issuers, which are kept for an hour."""

    def __init__(self) -> None:
        """Begin without any."""
        self._held: dict[str, _Held] = {}
        self._asking: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def admitted(self, database: Database, token: str, wanted: str | None = None) -> Identity | None:
        """Return who holds a token of a job: it may write to the project that trusts it; None if none does.

        ``wanted`` names the project, which matters where several trust the job.

        Raises ``Stop`` if the issuer does not tell its keys at the moment; or the token is of several projects, none
        wanted.
        """
        read = _signatures().read(token) if is_one(token) else None
        if read is None:
            return None
        header, stated = read
        with database.reading() as connection:
            trusted = [each for each in of_issuer(connection, str(stated.get("iss"))) if each.holds(stated)]
            own = project_named(connection, wanted) if wanted else None
        if not trusted or not self._is_signed(token, header, trusted[0]):
            return None
        chosen = {each.project_id for each in trusted}
        if wanted is None and len(chosen) > 1:
            raise Stop("bad-request", "several projects trust this job. Name one: ?project=NAME")
        # Of another project it is still a good token, which may do nothing there.
        project_id = own if own in chosen else min(chosen)
        return Identity(None, _name(stated), Role.WRITE, project_id)

    def _is_signed(self, token: str, header: dict[str, Any], trusted: Trust) -> bool:
        """Return whether the issuer signed a token, and whether it is good now."""
        key = self._key(trusted.issuer, str(header.get("kid", "")))
        return key is not None and _signatures().is_signed(token, header["alg"], key, trusted)

    def _key(self, issuer: str, kid: str) -> Key | None:
        """Return a key of an issuer; one that is unknown may be new there."""
        held = self._held.get(issuer, _NOTHING)
        if kid in held.keys and time.monotonic() - held.came < _FRESH:
            return held.keys[kid]
        with self._lock:
            lock = self._asking.setdefault(issuer, threading.Lock())
        # Whoever asks at the same time waits for the answer.
        with lock:
            held = self._held.get(issuer, _NOTHING)
            why = f"it was asked less than {_PAUSE:g} seconds ago"
            if (now := time.monotonic()) - held.asked >= _PAUSE:
                try:
                    held = _Held(_fetched(issuer), now, now)
                except http.Unanswered as error:
                    held, why = held._replace(asked=now), str(error)
                self._held[issuer] = held
            if now - held.came >= _STALE:
                raise _away(issuer, why)
            return held.keys.get(kid)


@cache
def _signatures() -> ModuleType:
    """Return what reads tokens: its packages take long to load, and most servers see none."""
    return import_module(_SIGNATURES)


def is_one(token: str) -> bool:
    """Return whether a text has the form of a token of a job: three parts with dots between them."""
    return token.count(".") == _DOTS and len(token) <= _LONGEST_TOKEN


def _name(stated: dict[str, Any]) -> str:
    subject = str(stated.get("sub") or stated.get("iss"))[:_NAME]
    return "".join(sign if sign.isprintable() else "?" for sign in subject)


def _fetched(issuer: str) -> dict[str, Key]:
    """Ask an issuer for its keys. Raises ``Unanswered`` if it does not answer, or with something else."""
    address = issuer.rstrip("/") + _DISCOVERY
    about = http.fetched(address, seconds=_SECONDS, most=_LARGEST)
    if not isinstance(about, dict) or about.get("issuer") != issuer:
        raise http.Unanswered(f"{address} is not of this issuer")
    place = about.get("jwks_uri")
    if not isinstance(place, str) or not http.is_safe(place):
        raise http.Unanswered(f"{address} has no jwks_uri that begins with https://")
    document = http.fetched(place, seconds=_SECONDS, most=_LARGEST)
    keys = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(keys, list) or len(keys) > _KEYS:
        raise http.Unanswered(f"{place} is no list of up to {_KEYS} keys")
    return dict(found for each in keys if (found := _signatures().key_of(each)))


def _away(issuer: str, why: str) -> Stop:
    return Stop("issuer-away", f"the keys of {issuer} are not known at the moment: {why}. Send it again later")
