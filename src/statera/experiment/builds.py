"""Builds: each is made once, complete or not at all, and used again as long as its key and its bytes are the same."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, cast

from statera import _native
from statera.experiment import cache
from statera.experiment.invocation import Invocation
from statera.experiment.placeholders import filled
from statera.experiment.sources import Source, extract
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statera.experiment.invocation import Outcome
    from statera.experiment.plan import Build, Command
    from statera.reading.store.records import BuildRecord

_TAIL_LINES: Final = 12
_TAIL_BYTES: Final = 4096
_LONGEST_LINE: Final = 200
_LOGGED: Final = 1 << 26


def made(build: Build, run: Callable[[Invocation], Outcome], environment: Mapping[str, str]) -> BuildRecord:
    """Make a build, or find it in the cache.

    Args:
        build: what to build.
        run: starts a command, and returns at its end.
        environment: all variables of its commands, but for those that it adds.

    Returns:
        what became of it. A build that failed has a message with the end of its output.

    Raises:
        Stop: its source is not what it was, or the cache cannot be written.

    """
    with cache.reserved(build.key):
        known = _known(build)
        if known:
            return {**known, "cached": True, "seconds": 0.0}
        begun = monotonic()
        try:
            message = _make(build, run, environment)
        except OSError as error:
            raise outputs.failure(build.folder, error) from None
        record = _record(build, message, monotonic() - begun)
        if record["ok"]:
            outputs.write(_beside(build, "json"), json.dumps(record))
        return record


def _make(build: Build, run: Callable[[Invocation], Outcome], environment: Mapping[str, str]) -> str:
    """Extract the source, and run the command; return what went wrong."""
    with suppress(FileNotFoundError):
        _beside(build, "json").unlink()
    tree = build.tree or build.folder
    Path(build.folder).parent.mkdir(parents=True, exist_ok=True)
    for place in (tree, build.folder):
        cache.remove(Path(place))
    if build.repository is not None:
        extract(Source(build.repository, ".", build.revision, build.content or ""), Path(tree))
    if build.command is None:
        return ""
    Path(build.folder).mkdir()
    directory = build.command.directory or tree
    if not Path(directory).is_dir():
        inside = os.path.relpath(directory, tree)
        return f"revision {build.revision or 'as it is'} has no folder {inside}, where the build is to run"
    outcome = run(_invocation(build, build.command, directory, environment))
    return "" if outcome.failure is None else f"{outcome.message}{_tail(build)}"


def _invocation(build: Build, command: Command, directory: str, environment: Mapping[str, str]) -> Invocation:
    added = {name: filled(text, {}) for name, text in command.environment}
    return Invocation(
        arguments=tuple(filled(word, {}) for word in command.arguments),
        environment=tuple({**environment, **added}.items()),
        directory=directory,
        output=str(_beside(build, "out")),
        errors=str(_beside(build, "err")),
        captured=_LOGGED,
        timeout=build.timeout,
    )


def _record(build: Build, message: str, seconds: float) -> BuildRecord:
    """Return the record of a build that has just run. An artefact that it should have made must be there."""
    artefacts: dict[str, str] = {}
    if not message and build.command is not None:
        try:
            artefacts = {name: _digest(Path(build.folder) / name) for name in _names(build)}
        except OSError as error:
            message = f"it ended well, but {error.filename}: {error.strerror}{_tail(build)}"
    return {
        "kind": "build",
        "key": build.key,
        "ok": not message,
        "cached": False,
        "seconds": seconds,
        "message": message,
        "artefacts": artefacts,
    }


def _names(build: Build) -> list[str]:
    """Return the names of a build's artefacts, relative to its folder."""
    if build.artefacts:
        return list(build.artefacts)
    folder = Path(build.folder)
    return sorted(os.fspath(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _known(build: Build) -> BuildRecord | None:
    """Return the record of a build of the cache; None if it is not complete, or its artefacts have changed."""
    if build.repository is not None and not Path(build.tree or build.folder).is_dir():
        return None
    try:
        record = cast("BuildRecord", json.loads(_beside(build, "json").read_bytes()))
        intact = all(_digest(Path(build.folder) / name) == digest for name, digest in record["artefacts"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return record if intact and record.get("ok") is True else None


def _beside(build: Build, ending: str) -> Path:
    """Return a file beside the folder of a build: its record, or its output."""
    return Path(f"{build.folder}.{ending}")


def _tail(build: Build) -> str:
    """Return the end of what a build printed, and where all of it is."""
    for ending in ("err", "out"):
        path = _beside(build, ending)
        with suppress(OSError), path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            lines = file.read().decode(errors="replace").strip().splitlines()[-_TAIL_LINES:]
            if lines:
                return "".join(
                    [f"; {path} ends with:", *(f"\n  {_native.shortened(each, _LONGEST_LINE)}" for each in lines)]
                )
    return "; it printed nothing"
