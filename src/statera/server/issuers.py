"""Tokens that GitHub, GitLab or another issuer signs for a job: OpenID Connect in place of a secret.

A token is looked at three times: by its form, by its claims (only an issuer that a project trusts is ever asked for
keys), and by its signature. Only then it admits anybody.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from statera.server import trust
from statera.server.access import Identity, Role
from statera.support import http
from statera.support.errors import Stop

if TYPE_CHECKING:
    from statera.server.database import Database
    from statera.server.trust import Trust

# Signatures with a key that only the issuer has. With HS256 whoever knows the public key could sign.
_ALGORITHMS: Final = frozenset({"RS256", "ES256"})
# Bits of an RSA key at least.
_BITS: Final = 2048
# Seconds by which the clocks of two machines differ.
_SKEW: Final = 60.0
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

    keys: dict[str, jwt.PyJWK]
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
        read = _read(token)
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
        if key is None or not _is_for(key, header["alg"]):
            return False
        try:
            jwt.decode(
                token,
                key.key,
                algorithms=[header["alg"]],
                audience=trusted.audience,
                issuer=trusted.issuer,
                leeway=_SKEW,
                options={"require": ["exp", "iat", "iss", "aud"]},
            )
        except (jwt.PyJWTError, ValueError, OverflowError):
            return False
        return True

    def _key(self, issuer: str, kid: str) -> jwt.PyJWK | None:
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


def is_one(token: str) -> bool:
    """Return whether a text has the form of a token of a job: three parts with dots between them."""
    return token.count(".") == 2 and len(token) <= _LONGEST  # noqa: PLR2004 - header, claims, signature


def _read(token: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the header and the claims of a token, which nobody has verified; None if it can never be good."""
    if not is_one(token):
        return None
    try:
        found = jwt.decode_complete(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError):
        return None
    header, stated = found["header"], found["payload"]
    # An issuer is a URL; the database gets nothing else.
    is_good = str(header.get("alg")) in _ALGORITHMS and str(stated.get("iss")).isascii()
    return (header, stated) if is_good and "\0" not in str(stated.get("iss")) else None


def _name(stated: dict[str, Any]) -> str:
    subject = str(stated.get("sub") or stated.get("iss"))[:_NAME]
    return "".join(sign if sign.isprintable() else "?" for sign in subject)


def _is_for(key: jwt.PyJWK, algorithm: str) -> bool:
    """Return whether a key is one for an algorithm, and strong enough."""
    public = key.key
    if isinstance(public, rsa.RSAPublicKey):
        return algorithm == "RS256" and public.key_size >= _BITS
    return algorithm == "ES256" and isinstance(public, ec.EllipticCurvePublicKey) and public.curve.name == "secp256r1"


def _fetched(issuer: str) -> dict[str, jwt.PyJWK]:
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
    listed = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(listed, list) or len(listed) > _KEYS:
        raise http.Unanswered(f"{place} is no list of up to {_KEYS} keys")
    return dict(found for each in listed if (found := _listed(each)))


def _listed(stated: object) -> tuple[str, jwt.PyJWK] | None:
    """Return a key for signatures with its id; None if it is another one: issuers list all that they have."""
    if not isinstance(stated, dict) or stated.get("use", "sig") != "sig" or not isinstance(stated.get("kid"), str):
        return None
    if stated.get("kty") not in {"RSA", "EC"} or stated.get("alg", "RS256") not in _ALGORITHMS:
        return None
    try:
        return stated["kid"], jwt.PyJWK(stated)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None


def _away(issuer: str, why: str) -> Stop:
    return Stop("issuer-away", f"the keys of {issuer} are not known at the moment: {why}. Send it again later")
