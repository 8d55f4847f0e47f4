"""Runs that are stored under a name: ``STORE/NAME/1``, ``STORE/NAME/2`` and so on, each whole or not there at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

from statera.reading.store import run_folder
from statera.reading.store.run_folder import LOCK, is_run
from statera.support.errors import Stop
from statera.support.files import addresses, outputs
from statera.support.files.lock import locked
from statera.support.files.names import as_text
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

VARIABLE: Final = "STATERA_STORE"
# File systems take names of 255 bytes.
_LONGEST: Final = 100
_UNFINISHED: Final = ".part-"


class Stored(NamedTuple):
    """The runs under a name."""

    name: str  # the name; with a number, ``NAME/2``, one of its runs
    folder: Path  # what a reader reads
    runs: list[Path]  # the folders of the runs, in the order in which they were added

    @property
    def place(self) -> str:
        """Return how many runs there are, and where."""
        return f"{counted(len(self.runs), 'stored run')} in {self.folder}"


def store() -> Path:
    """Return the folder of stored runs."""
    if given := os.environ.get(VARIABLE):
        return Path(given)
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The standard has relative paths ignored.
    return (data if data.is_absolute() else Path("~/.local/share").expanduser()) / "statera" / "runs"


def is_name(text: str) -> bool:
    """Return whether a text can name runs: it is one part of a path, and nothing that a command line could misread."""
    fits = re.fullmatch(r"[\w+,@][\w+,@.-]*", text) and len(text.encode(errors="replace")) <= _LONGEST
    return bool(fits) and text.isprintable()


def name_of(words: str) -> str:
    """Make a name of other words, such as the names of variants."""
    made = re.sub(r"[^\w+,@.-]+", "-", as_text(words)).lstrip("-.").rstrip("-")
    while len(made.encode()) > _LONGEST:
        made = made[:-1]
    return made or "run"


def every() -> list[Stored]:
    """Return all names with their runs, sorted by name."""
    try:
        names = sorted(entry.name for entry in store().iterdir() if is_name(entry.name))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Stop("unreadable-store", f"{store()}: {error.strerror}") from None
    held = (Stored(name, store() / name, _runs(store() / name)) for name in names)
    return [each for each in held if each.runs]


def found(name: str) -> Stored | None:
    """Return the runs under ``NAME``, or the one under ``NAME/2``; None if there is none."""
    base, slash, number = name.partition("/")
    if not is_name(base):
        return None
    runs = _runs(store() / base)
    if slash:
        runs = [run for run in runs if run.name == number]
        return Stored(name, runs[0], runs) if runs else None
    return Stored(name, store() / base, runs) if runs else None


def wanted(name: str) -> Stored:
    """Return the runs under a name. Raises ``Stop`` if there is none of this name."""
    stored = found(name)
    if stored is None:
        known = ", ".join(each.name for each in every()[:20]) or "none"
        raise Stop("no-such-run", f"no run is stored as {name!r}; there are: {known}")
    return stored


def resolved(named: Sequence[tuple[str | None, str]]) -> tuple[list[tuple[str | None, str]], list[Stored]]:
    """Replace the names of stored runs by their folders. The path of an existing file or folder is not a name.

    ``named`` has label (or None) and text of each argument. Returns the arguments, those of stored runs labelled with
    their name, and the stored runs that they name.
    """
    arguments, used = [], []
    for label, text in named:
        stored = None if text == "-" or os.path.lexists(text) else found(text)
        if stored is None:
            if not os.path.lexists(text):
                addresses.refuse(text)
            arguments.append((label, text))
        else:
            arguments.append((stored.name if label is None else label, str(stored.folder)))
            used.append(stored)
    return arguments, used


def add(paths: Sequence[Path], name: str) -> Stored:
    """Copy the folder of a run, or files and folders with results, under a name, whole or not at all; return the run.

    Runs that have the name already stay.

    Raises ``Stop`` if the name is none, a path does not exist, or the copy cannot be written.
    """
    if not is_name(name):
        raise Stop(
            "bad-option",
            f"--name {name}: a name has at most {_LONGEST} letters, digits and `_+,@.-`, and begins with none of `.-`",
        )
    for path in paths:
        if not path.exists():
            raise Stop("missing-file", f"{path}: there is no such file or folder")
        if store().resolve().is_relative_to(path.resolve()):
            raise Stop("bad-option", f"{path}: the store, {store()}, is in this folder, and cannot hold itself")
    _refuse_same_run(paths, name)
    with _writing() as part:
        try:
            _copy(paths, part)
            target = _settle(part, store() / name)
        except OSError as error:
            raise outputs.failure(error.filename or store(), error) from None
    return Stored(f"{name}/{target.name}", target, [target])


def remove(stored: Stored) -> None:
    """Remove the runs under a name; they disappear at once. Raises ``Stop`` if they cannot be removed."""
    with _writing() as part:
        try:
            for run in stored.runs:
                run.rename(part / f"{run.parent.name}-{run.name}")
            folder = store() / stored.name.partition("/")[0]
            if not any(folder.iterdir()):
                folder.rmdir()
        except OSError as error:
            raise outputs.failure(error.filename or store(), error) from None


def _refuse_same_run(paths: Sequence[Path], name: str) -> None:
    """Refuse a run that is stored under the name already: its values would count twice."""
    if len(paths) != 1 or not is_run(paths[0]):
        return
    own = run_folder.read(paths[0] / run_folder.NAME).id
    for run in _runs(store() / name):
        if is_run(run) and run_folder.read(run / run_folder.NAME).id == own:
            place = f"{name}/{run.name}"
            raise Stop(
                "already-stored",
                f"{paths[0]}: this run is stored as {place} already, and its values would count twice. To replace it, "
                f"run statera store remove {place} first",
            )


def _runs(folder: Path) -> list[Path]:
    try:
        numbers = sorted(int(each.name) for each in folder.iterdir() if re.fullmatch(r"[1-9][0-9]{0,8}", each.name))
    except OSError:
        return []
    return [folder / str(number) for number in numbers]


@contextmanager
def _writing() -> Iterator[Path]:
    """Yield a folder within the store for unfinished work, which is removed at the end of the block."""
    with locked(store(), without=""):
        # The lock is held: whoever left these was killed.
        for stale in store().glob(f"{_UNFINISHED}*"):
            shutil.rmtree(stale, ignore_errors=True)
        part = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=store()))
        try:
            yield part
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _copy(paths: Sequence[Path], part: Path) -> None:
    """Copy files and folders; links inside of folders are left out, because they lead anywhere."""
    target = part / "run"
    if len(paths) == 1 and is_run(paths[0]):
        _copy_folder(paths[0], target)
        return
    target.mkdir()
    for path in paths:
        place = _free(target / path.resolve().name)
        if path.is_dir():
            _copy_folder(path, place)
        else:
            shutil.copyfile(path, place)


def _copy_folder(source: Path, target: Path) -> None:
    # Readers open the files later, so that a folder without permission to write would be in the way.
    target.mkdir()
    for entry in sorted(source.iterdir()):
        if entry.is_symlink() or (entry.name == LOCK and is_run(source)):
            continue
        if entry.is_dir():
            _copy_folder(entry, target / entry.name)
        elif entry.is_file():
            shutil.copyfile(entry, target / entry.name)


def _free(place: Path) -> Path:
    """Return a path that does not exist yet: files of different folders can have one name."""
    number = 2
    free = place
    while free.exists():
        free = place.with_name(f"{number}-{place.name}")
        number += 1
    return free


def _settle(part: Path, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    runs = _runs(folder)
    target = folder / str(int(runs[-1].name) + 1 if runs else 1)
    (part / "run").rename(target)
    return target
