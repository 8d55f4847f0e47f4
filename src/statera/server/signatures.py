"""Tokens of jobs and keys of issuers: what they hold, and whether one signed the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

if TYPE_CHECKING:
    from jwt import PyJWK as Key

    from statera.server.trust import Trust

# Signatures with a key that only the issuer has. With HS256 whoever knows the public key could sign.
_ALGORITHMS: Final = frozenset({"RS256", "ES256"})
# Bits of an RSA key at least.
_BITS: Final = 2048
# Seconds by which the clocks of two machines differ.
_SKEW: Final = 60.0


def read(token: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the header and the claims of a token, which nobody has verified; None if it can never be good."""
    try:
        found = jwt.decode_complete(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError):
        return None
    header, stated = found["header"], found["payload"]
    # An issuer is a URL; the database gets nothing else.
    is_good = str(header.get("alg")) in _ALGORITHMS and str(stated.get("iss")).isascii()
    return (header, stated) if is_good and "\0" not in str(stated.get("iss")) else None


def is_signed(token: str, algorithm: str, key: Key, trusted: Trust) -> bool:
    """Return whether a key signed a token for those who trust it, and whether it is good now."""
    if not _is_for(key, algorithm):
        return False
    try:
        jwt.decode(
            token,
            key.key,
            algorithms=[algorithm],
            audience=trusted.audience,
            issuer=trusted.issuer,
            leeway=_SKEW,
            options={"require": ["exp", "iat", "iss", "aud"]},
        )
    except (jwt.PyJWTError, ValueError, OverflowError):
        return False
    return True


def key_of(stated: object) -> tuple[str, Key] | None:
    """Return a key for signatures with its id; None if it is another one: issuers list all that they have."""
    if not isinstance(stated, dict) or stated.get("use", "sig") != "sig" or not isinstance(stated.get("kid"), str):
        return None
    if stated.get("kty") not in {"RSA", "EC"} or stated.get("alg", "RS256") not in _ALGORITHMS:
        return None
    try:
        return stated["kid"], jwt.PyJWK(stated)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None


def _is_for(key: Key, algorithm: str) -> bool:
    """Return whether a key is one for an algorithm, and strong enough."""
    public = key.key
    if isinstance(public, rsa.RSAPublicKey):
        return algorithm == "RS256" and public.key_size >= _BITS
    return algorithm == "ES256" and isinstance(public, ec.EllipticCurvePublicKey) and public.curve.name == "secp256r1"
