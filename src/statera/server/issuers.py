"""Tokens that GitHub, GitLab or another issuer signs for a job: OpenID Connect in place of a secret.

A token is looked at three times: by its form, by its claims (only an issuer that a project trusts is ever asked for
keys), and by its signature. Only then it admits anybody.
"""

from __future__ import annotations

import threading
import time
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.server import trust
from statera.server.access import Identity, Role
from statera.support import http
from statera.support.errors import Stop

if TYPE_CHECKING:
    from types import ModuleType

    from jwt import PyJWK as Key

    from statera.server.database import Database
    from statera.server.trust import Trust

_SIGNATURES: Final = "statera.server.signatures"
# Characters of a token, and of the name under which its uploads stand.
_LONGEST: Final = 16_384
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

        Raises:
            Stop: the issuer does not tell its keys at the moment; or the token is of several projects, none wanted.

        """
        read = _signatures().read(token) if is_one(token) else None
        if read is None:
            return None
        header, stated = read
        with database.reading() as connection:
            trusted = [each for each in trust.of_issuer(connection, str(stated.get("iss"))) if each.holds(stated)]
            own = trust.project_named(connection, wanted) if wanted else None
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
    return token.count(".") == 2 and len(token) <= _LONGEST  # noqa: PLR2004 - header, claims, signature


def _name(stated: dict[str, Any]) -> str:
    subject = str(stated.get("sub") or stated.get("iss"))[:_NAME]
    return "".join(sign if sign.isprintable() else "?" for sign in subject)


def _fetched(issuer: str) -> dict[str, Key]:
    """Ask an issuer for its keys.

    Raises:
        Unanswered: it does not answer, or with something else.

    """
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
