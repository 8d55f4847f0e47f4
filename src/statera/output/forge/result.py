"""A result file, taken as hostile data: whoever opens a pull request decides what its workflow uploads."""

from __future__ import annotations

import json
import os
import stat
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, NoReturn

from statera.output.forge.schema import fault
from statera.support.errors import Stop

if TYPE_CHECKING:
    from pathlib import Path

LARGEST: Final = 1 << 20
"""Bytes of a result file."""

Result = dict[str, Any]
"""A checked document of the schema ``statera.result/1``."""


def read(path: Path) -> Result:
    """Read and check a result file.

    Raises:
        Stop: it cannot be read, or is not a result file: nothing of it is used.

    """
    content = _content(path)
    try:
        document = json.loads(content, object_pairs_hook=_once, parse_constant=_refuse)
    # A deep document exhausts the stack, and a number of thousands of digits is refused by Python.
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise _bad(path, f"it is not JSON: {why[:200]}") from None
    schema = json.loads(resources.files("statera.output").joinpath("schema/result-1.json").read_text("utf-8"))
    if found := fault(schema, document) or _contradiction(document):
        raise _bad(path, found)
    result: Result = document
    return result


def _content(path: Path) -> bytes:
    """Return the bytes of a file, which is no link and no device, and not too large."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Stop("missing-file", f"{path}: {error.strerror}; name the file that --result wrote") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _bad(path, "it is not a file")
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise _bad(path, f"it has more than {LARGEST:,} bytes")
    return content


def _contradiction(document: Result) -> str | None:
    if (document["failure"] is None) == (document["compared"] is None):
        return "it must hold either a comparison or a failure"
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a number")


def _bad(path: Path, why: str) -> Stop:
    return Stop("bad-result", f"{path}: {why}; statera compare --result FILE writes result files")
