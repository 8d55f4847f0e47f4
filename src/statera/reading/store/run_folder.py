"""The folder of a run: where its files are, and who may write there."""

from __future__ import annotations

from contextlib import contextmanager

from statera.reading.store import journal as journals
from statera.reading.store import manifest as manifests
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.lock import locked
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Final

    from statera.reading.store.journal import Journal, Record
    from statera.reading.store.manifest import Manifest

LOCK: Final = "lock"
RAW: Final = "raw"


class RunFolder(NamedTuple):
    """The folder of a run.

    Attributes:
        path: the folder itself.

    """

    path: Path

    @property
    def manifest(self) -> Path:
        """The plan and the facts about the machine, written once before the first record."""
        return self.path / manifests.NAME

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
    """A run that this process may continue.

    Attributes:
        folder: its files.
        manifest: what was planned, and on which machine.
        journal: takes the next records.
        records: what an earlier process recorded, in order.

    """

    folder: RunFolder
    manifest: Manifest
    journal: Journal
    records: list[Record]


def is_run(path: Path) -> bool:
    """Return whether a folder holds a run: it has a manifest of any version."""
    return manifests.is_manifest(path / manifests.NAME)


@contextmanager
def started(path: Path, manifest: Manifest) -> Iterator[OpenRun]:
    """Make the folder of a new run, and hold its lock until the end of the block.

    Raises:
        Stop: the folder has other content or is in use, or it cannot be written.

    """
    folder = RunFolder(path)
    if path.exists() and not path.is_dir():
        raise Stop("folder-has-content", f"{path}: is a file. Name a new folder with -o")
    with locked(path, name=LOCK, without=""):
        _refuse_content(folder)
        (path / RAW).mkdir(exist_ok=True)
        manifests.write(folder.manifest, manifest)
        with journals.opened(folder.journal) as journal:
            yield OpenRun(folder, manifest, journal, [])


@contextmanager
def resumed(path: Path, *, ended: bool = False) -> Iterator[OpenRun]:
    """Open the folder of an interrupted run, and hold its lock until the end of the block.

    Args:
        path: the folder.
        ended: whether the run may have ended, because it is extended.

    Raises:
        Stop: there is no run, it is in use or finished, a newer version wrote it, or its files are damaged.

    """
    folder = RunFolder(path)
    manifest = manifests.read(folder.manifest)
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

    Raises:
        Stop: the journal cannot be read, or is damaged elsewhere than at its end.

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
