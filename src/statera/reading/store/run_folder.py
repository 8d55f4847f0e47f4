"""The folder of a run: where its files are, its manifest, and who may write there."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_origin, get_type_hints

from statera.reading.store import journal as journals
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.lock import locked
from statera.support.files.names import as_text, as_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from statera.reading.store.journal import Journal, Record

LOCK: Final = "lock"
RAW: Final = "raw"


class RunFolder(NamedTuple):
    """The folder of a run."""

    path: Path  # the folder itself

    @property
    def manifest(self) -> Path:
        """The plan and the facts about the machine, written once before the first record."""
        return self.path / NAME

    @property
    def journal(self) -> Path:
        """The records, one a line."""
        return self.path / journals.NAME

    def output(self, number: int, *, folder: bool = False) -> str:
        """Name what an invocation printed, or the folder that was ``{out}``; the name is relative to the run's folder.

        Records hold this name.
        """
        return f"{RAW}/{number:06}" + ("" if folder else ".txt")

    def errors(self, number: int) -> str:
        """Name what an invocation printed on standard error, likewise."""
        return f"{RAW}/{number:06}.errors.txt"


class OpenRun(NamedTuple):
    """A run that this process may continue."""

    folder: RunFolder  # its files
    manifest: Manifest  # what was planned, and on which machine
    journal: Journal  # takes the next records
    records: list[Record]  # what an earlier process recorded, in order


def is_run(path: Path) -> bool:
    """Return whether a folder holds a run: it has a manifest of any version."""
    return is_manifest(path / NAME)


@contextmanager
def started(path: Path, manifest: Manifest) -> Iterator[OpenRun]:
    """Make the folder of a new run, and hold its lock until the end of the block.

    Raises ``Stop`` if the folder has other content or is in use, or it cannot be written.
    """
    folder = RunFolder(path)
    if path.exists() and not path.is_dir():
        raise Stop("folder-has-content", f"{path}: is a file. Name a new folder with -o")
    with locked(path, name=LOCK, without=""):
        _refuse_content(folder)
        (path / RAW).mkdir(exist_ok=True)
        write(folder.manifest, manifest)
        with journals.opened(folder.journal) as journal:
            yield OpenRun(folder, manifest, journal, [])


@contextmanager
def resumed(path: Path, *, ended: bool = False) -> Iterator[OpenRun]:
    """Open the folder of an interrupted run, and hold its lock until the end of the block.

    With ``ended`` the run may have ended, because it is extended.

    Raises ``Stop`` if there is no run, it is in use or finished, a newer version wrote it, or its files are damaged.
    """
    folder = RunFolder(path)
    manifest = read(folder.manifest)
    with locked(path, name=LOCK, without=""):
        replay = journals.read(folder.journal)
        if not ended and has_ended(replay.records):
            raise Stop(
                "run-finished",
                f"{path}: this run is finished. Add rounds with --more N, or start another one in another folder "
                "(-o FOLDER)",
            )
        (path / RAW).mkdir(exist_ok=True)
        with journals.opened(folder.journal, replay.length) as journal:
            yield OpenRun(folder, manifest, journal, replay.records)


def has_ended(records: Sequence[Record]) -> bool:
    """Return whether a run has ended, and was not extended since."""
    return next((each["kind"] == "end" for each in reversed(records) if each["kind"] in {"end", "extend"}), False)


def replay(path: Path) -> list[Record]:
    """Return the complete records of a run's folder; another process may be writing there.

    Raises ``Stop`` if the journal cannot be read, or is damaged elsewhere than at its end.
    """
    return journals.read(RunFolder(path).journal).records


def _refuse_content(folder: RunFolder) -> None:
    """Refuse a folder that holds a run or other files; what a killed process left unfinished does not count."""
    if folder.manifest.exists():
        raise Stop(
            "folder-has-content",
            f"{folder.path}: holds a run already. Continue it with --resume {folder.path}, or name another folder "
            "with -o",
        )
    try:
        names = sorted(entry.name for entry in folder.path.iterdir())
    except OSError as error:
        raise outputs.failure(folder.path, error) from None
    others = [name for name in names if name != LOCK and not (name == RAW and _is_empty(folder.path / RAW))]
    others = [name for name in others if not name.startswith(".statera-")]
    if others:
        raise Stop(
            "folder-has-content",
            f"{folder.path}: is not empty ({others[0]}{', …' if len(others) > 1 else ''}). Name a new folder with -o",
        )


def _is_empty(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink() and not any(path.iterdir())


NAME: Final = "manifest.json"
KEY: Final = "statera"
VERSION: Final = "run/1"
_KIND: Final = "run/"
# A manifest holds a plan of thousands of cells and an environment; more than this is none.
_MOST: Final = 1 << 28
_HEAD: Final = 64


class Manifest(NamedTuple):
    """What stands in a manifest."""

    id: str  # 32 hexadecimal digits, different for each run
    created: str  # date and time, ISO 8601
    command: list[str]  # the words of the command line
    plan: dict[str, Any]  # the plan as JSON objects, with the names of its fields
    environment: dict[str, str]  # variables of the shell, without those whose names look secret
    host: dict[str, Any]  # facts about the machine, by name
    tools: dict[str, Any]  # versions of compilers and interpreters, by name
    # ``variant``, ``revision``, ``describe`` and ``dirty`` of each variant that has sources
    sources: list[dict[str, Any]]
    policy: dict[str, Any]  # settings that differ from the defaults


def write(path: Path, manifest: Manifest) -> None:
    """Write a manifest, completely or not at all. Raises ``Stop`` if it cannot be written."""
    document = {KEY: VERSION, **manifest._asdict()}
    # With escapes, no text can control a terminal.
    outputs.write(path, json.dumps(as_texts(document), indent=1, allow_nan=False) + "\n")


def is_manifest(path: Path) -> bool:
    """Return whether a file begins like the manifest of a run, of any version."""
    try:
        with path.open("rb") as file:
            return begins(file.read(_HEAD))
    except OSError:
        return False


def begins(content: bytes) -> bool:
    """Return whether a content begins like a manifest."""
    head = content[:_HEAD].replace(b" ", b"").replace(b"\n", b"")
    return head.startswith(f'{{"{KEY}":"{_KIND}'.encode())


def read(path: Path) -> Manifest:
    """Read a manifest. Raises ``Stop`` if there is none, a newer version of statera wrote it, or it is damaged."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST)
    except OSError as error:
        raise Stop("no-run", f"{path.parent}: holds no run of statera ({path.name}: {error.strerror})") from None
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, f"it is not JSON ({error})") from None
    version = document.get(KEY) if isinstance(document, dict) else None
    if not isinstance(version, str) or not version.startswith(_KIND):
        raise Stop("no-run", f'{path}: is not the manifest of a run: it does not begin with "{KEY}": "{VERSION}"')
    if version != VERSION:
        raise Stop(
            "newer-run",
            f"{path}: is of the kind {as_text(version)}, but this version of statera knows {VERSION} only. Install "
            "the version that wrote it, or a newer one",
        )
    return _checked(path, document)


def variants(manifest: Manifest) -> list[str]:
    """Return the names of a run's variants, the baseline first."""
    return [str(each.get("name")) for each in _objects(manifest)]


def levels(manifest: Manifest) -> str:
    """Return the levels of a run's factors in words: ``main+next_100+400`` for two factors of two levels each."""
    of: dict[str, dict[str, None]] = {}
    for each in _objects(manifest):
        pairs = each.get("levels")
        for pair in pairs if isinstance(pairs, list) else []:
            match pair:
                case [factor, level]:
                    of.setdefault(str(factor), {})[str(level)] = None
    return "_".join("+".join(each) for each in of.values()) or "+".join(variants(manifest))


def _objects(manifest: Manifest) -> list[dict[str, Any]]:
    found = manifest.plan.get("variants")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _checked(path: Path, document: dict[str, Any]) -> Manifest:
    for name, hint in get_type_hints(Manifest).items():
        kind = get_origin(hint) or hint
        if name not in document:
            raise _damaged(path, f"`{name}` is missing")
        if not isinstance(document[name], kind):
            raise _damaged(path, f"`{name}` is not {_WORDS[kind]}")
    return Manifest(**{name: document[name] for name in Manifest._fields})


_WORDS: Final = {str: "a text", list: "a list", dict: "an object"}


def _damaged(path: Path, what: str) -> Stop:
    return Stop("damaged-run", f"{path}: {what}. Restore the file from a copy, or run the experiment again")
