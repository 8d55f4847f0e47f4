"""Reads the JSON files that describe a run."""

from __future__ import annotations

import json
from math import isinf
from typing import TYPE_CHECKING, Any, NoReturn

from statera.support.errors import Problem, Stop

if TYPE_CHECKING:
    from pathlib import Path


def problem(path: Path, what: str) -> Problem:
    """Return a warning about the description of a run."""
    return Problem("run-description", str(path), 0, what, "")


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"{text} is too large")
    return value


def object_of(path: Path) -> dict[str, Any]:
    """Read a JSON file that must hold an object.

    Raises:
        Stop: it cannot be read, is not a JSON object, or holds text that cannot be encoded.

    """
    try:
        value = json.loads(path.read_bytes(), parse_constant=_constant, parse_float=_finite)
        # JSON may hold lone surrogates, which cannot be encoded.
        json.dumps(value, ensure_ascii=False).encode()
    except (OSError, ValueError, RecursionError) as error:
        raise Stop("run-description", f"{path}: cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise Stop("run-description", f"{path}: is not a JSON object")
    return value
