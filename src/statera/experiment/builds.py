"""Builds: each is made once, complete or not at all, and used again as long as its key and its bytes are the same.

Source trees and builds are in the cache, each in a folder that its key names; it may be deleted at any time.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, cast

from statera import _native
from statera.experiment.launcher import BUILDS, VARIABLE, Invocation, left_behind
from statera.experiment.sources import Source, described, extract, left_out, remove_folder
from statera.experiment.words import filled
from statera.support.environment import cache
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.wording import conjoined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from statera.experiment.course import Course
    from statera.experiment.launcher import Outcome
    from statera.experiment.plan import Build, Cell, Command, Plan
    from statera.experiment.progress import Display
    from statera.reading.store.journal import BuildRecord

_TAIL_LINES: Final = 12
_TAIL_BYTES: Final = 4096
_LONGEST_LINE: Final = 200
_LOGGED: Final = 1 << 26


def tree_folder(key: str) -> Path:
    """Return the folder for the sources of a build; all have paths of one length."""
    return cache() / "trees" / key


def build_folder(key: str) -> Path:
    """Return the folder for what a build makes; all have paths of one length."""
    return cache() / "builds" / key


@contextmanager
def _reserved(key: str) -> Iterator[None]:
    """Wait until no other process builds a key, and keep others waiting until the end of the block.

    Raises ``Stop`` if the cache cannot be written.
    """
    path = cache() / "locks" / key
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise outputs.failure(path, error) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def make(
    build: Build,
    run: Callable[[Invocation], Outcome],
    environment: Mapping[str, str],
    begins: Callable[[], None] = lambda: None,
) -> BuildRecord:
    """Make a build, or find it in the cache; one that failed has a message with the end of its output.

    ``run`` starts a command and returns at its end, ``environment`` has all variables of commands but for those that
    they add, and ``begins`` is called if the cache does not have the build.

    Raises ``Stop`` if its source is not what it was, or the cache cannot be written.
    """
    with _reserved(build.key):
        known = _known(build)
        if known:
            return {**known, "cached": True, "seconds": 0.0}
        # A statera that was killed releases its lock before its command has ended.
        left_behind(build.folder, variable=BUILDS)
        begins()
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
        remove_folder(Path(place))
    if (source := _source(build)) is not None:
        extract(source, Path(tree))
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
        environment=tuple({**environment, **added, BUILDS: build.folder}.items()),
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
            artefacts = {name: _digest(Path(build.folder) / name) for name in _artefact_names(build)}
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


def _artefact_names(build: Build) -> list[str]:
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


def make_all(
    plan: Plan,
    course: Course,
    run: Callable[[Invocation], Outcome],
    *,
    identity: str,
    display: Display,
    record: Callable[[BuildRecord], None],
) -> set[tuple[int, int]]:
    """Make all builds of a plan, and return the cells, as (benchmark, variant), that a failed build leaves out.

    ``run`` starts a command and returns at its end, and ``identity`` is that of the run. A build that the course holds
    must give the same bytes again.

    Raises ``Stop`` if a build of a resumed run gives other bytes than before.
    """
    failed = set()
    for number, build in enumerate(plan.builds):
        what = f"building {', '.join(plan.built_by(number))}" if build.command is not None else ""
        made = make(build, run, {**os.environ, VARIABLE: identity}, partial(display.told, what))
        source = _source(build)
        for line in [] if source is None or made["cached"] else left_out(source):
            display.complain(line)
        _refuse_other_bytes(plan, number, course.builds.get(build.key), made)
        record(made)
        if not made["ok"]:
            display.complain(f"the build of {', '.join(plan.built_by(number))} failed: {made['message']}")
            failed |= {(cell.benchmark, cell.variant) for cell in plan.cells if cell.build == number}
    for line in identical(plan, list(course.builds.values())):
        display.say(line)
    return failed


def sources_of(plan: Plan) -> list[dict[str, Any]]:
    """Describe the source of each variant that has one, for the manifest."""
    found: list[dict[str, Any]] = []
    for at, variant in enumerate(plan.variants):
        numbers = sorted({cell.build for cell in plan.cells if cell.variant == at and cell.build is not None})
        sources = filter(None, (_source(plan.builds[number]) for number in numbers))
        found += ({"variant": variant.name, **described(source)._asdict()} for source in sources)
    return found


def _source(build: Build) -> Source | None:
    if build.repository is None:
        return None
    return Source(build.repository, ".", build.revision, build.content or "")


def _refuse_other_bytes(plan: Plan, number: int, before: BuildRecord | None, now: BuildRecord) -> None:
    if before is not None and before["ok"] and now["ok"] and before["artefacts"] != now["artefacts"]:
        raise Stop(
            "build-changed",
            f"the build of {', '.join(plan.built_by(number))} gives other bytes than at the beginning of this run: its "
            "times would be mixed with those of another program. Start a new run",
        )


def identical(plan: Plan, records: Sequence[BuildRecord]) -> list[str]:
    """Name the variants that run the same commands on the same bytes: what differs between them is noise."""
    artefacts = {record["key"]: tuple(sorted(record["artefacts"].items())) for record in records if record["ok"]}
    same: dict[tuple[object, ...], list[str]] = {}
    for number, variant in enumerate(plan.variants):
        cells = [cell for cell in plan.cells if cell.variant == number]
        if all(cell.build is None or plan.builds[cell.build].key in artefacts for cell in cells):
            same.setdefault(tuple(_what_runs(plan, cell, artefacts) for cell in cells), []).append(variant.name)
    return [
        f"{conjoined(names)} run the same commands on the same bytes: a difference between them is noise"
        for names in same.values()
        if len(names) > 1
    ]


def _what_runs(plan: Plan, cell: Cell, artefacts: dict[str, tuple[tuple[str, str], ...]]) -> object:
    """Return what a cell runs, without the number of its variant and the paths of its build."""
    plain = cell._replace(variant=0, build=None)
    if cell.build is None:
        return plain
    build = plan.builds[cell.build]
    # A tree that a command may read is a part of what it runs.
    source = build.content if build.tree and build.tree in repr(plain) else None
    return _neutral(repr(plain), build), source, artefacts[build.key]


def _neutral(text: str, build: Build) -> str:
    return text.replace(build.folder, "{build}").replace(build.tree or build.folder, "{source}")
