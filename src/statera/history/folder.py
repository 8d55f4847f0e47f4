"""A history in a folder: immutable uploads and events, each named by the hash of its content."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shlex
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.history import catalog
from statera.history.job import from_json, is_hash
from statera.support.errors import Stop
from statera.support.files import outputs, toml
from statera.support.files.names import as_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.history.job import Job
    from statera.support.settings.limits import Limits

NAME: Final = "history.toml"
FORMAT: Final = 1
UPLOADS: Final = "uploads"
EVENTS: Final = "events"
REPLACED: Final = "replaced"
# Lists each file that came to this copy of the history, and the settings, so that a loss or change is found. Nothing of
# it is sent: a list would be the only file that two copies cannot merge by their union.
ADDED: Final = "added.txt"
_SETTINGS: Final = "settings"
# The folders of a history, with the ending of their files; in the order in which another copy receives them: a list of
# what was replaced comes after the files that replace it.
KINDS: Final = {UPLOADS: ".parquet", EVENTS: ".json", REPLACED: ".txt"}
# What a command leaves behind that was killed is this old at least, in seconds; a file in work is younger.
_ABANDONED: Final = 24 * 3600
# How often a listing is made again, because another command replaces uploads meanwhile.
_LISTINGS: Final = 10
_UNFINISHED: Final = ".part-"
# An event names an alert; more than this is none.
_MOST: Final = 1 << 20
# What keeps the jobs of a new history apart.
LANE: Final = ("cpu", "runner")
_SAMPLES: Final = 200
_AROUND: Final = 20


class About(NamedTuple):
    """What ``history.toml`` says."""

    project: str  # the project whose results these are; uploads of another one are refused
    # The facts about machines that keep jobs apart; of different values of one, nothing is compared.
    lane: tuple[str, ...] = LANE
    samples: int = _SAMPLES  # for so many jobs of a series the values are kept, afterwards their summary
    around: int = _AROUND  # so many jobs on either side of a change keep their values


class Folder:
    """A history in a folder."""

    def __init__(self, path: Path, about: About, name: str | None = None) -> None:
        self.path = path  # the folder
        self.about = about  # what its ``history.toml`` says
        self.name = os.fspath(path) if name is None else name  # how messages name it

    def uploads(self) -> list[tuple[str, Path]]:
        """Return the hash and the file of each upload, in the order of the hashes."""
        # A merged file takes the place of others while the folders are listed one after another: the list of what was
        # replaced is written in between, so that a listing with the same lists before and after has every job.
        for _ in range(_LISTINGS):
            before = self.named(REPLACED)
            found = self.named(UPLOADS)
            if self.named(REPLACED) == before:
                return found
        raise Stop(
            "bad-history", f"{self.name}: another command replaces uploads again and again. Try again when it ends"
        )

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs; uploads that cannot be read have none."""
        paths = [path for _, path in self.uploads()]
        for path, text in zip(paths, _native.upload_jobs(paths), strict=True):
            # What a newer statera wrote is not read by this one, and does not keep it from adding.
            with suppress(Stop):
                yield from (job for _, job in from_json(text, path.name)) if text else ()

    def commits(self) -> set[str]:
        """Return the commits that it has jobs of."""
        return {job.commit for job in self.jobs()}

    def file_of(self, hash_: str, kind: str = UPLOADS) -> Path:
        """Return where the file of a hash stands."""
        return self.path / kind / hash_[:2] / f"{hash_}{KINDS[kind]}"

    def missing(self) -> list[tuple[str, Path]]:
        """Return the files that were added and are not here, each with its kind; they may have been replaced."""
        # The list first: a command that adds a file meanwhile lists it when it is there.
        listed = self._listed()
        held = {(kind, hash_) for kind in KINDS for hash_, _ in self.named(kind)}
        return [(kind, self.file_of(hash_, kind)) for kind, hash_ in sorted(listed - held)]

    def lost(self) -> list[Path]:
        """Return the files that were added and are gone, without those that others replaced."""
        missing = self.missing()
        # Afterwards: a command that replaces uploads meanwhile lists them before they go.
        replaced = self.replaced() if missing else set()
        return [path for _, path in missing if path.stem not in replaced]

    def replaced(self) -> set[str]:
        """Return the hashes of the uploads whose jobs stand in a merged file."""
        found: set[str] = set()
        for _, path in self.named(REPLACED):
            found.update(line for line in _read(path).splitlines() if is_hash(line))
        return found

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the events with their hashes, in the order of these."""
        return [(name, read_event(path)) for name, path in self.named(EVENTS)]

    @contextmanager
    def receiving(self) -> Iterator[Path]:
        """Yield the path of an empty file for an upload; what is not kept of it vanishes."""
        try:
            handle, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=self.path)
            os.close(handle)
        except OSError as error:
            raise outputs.failure(self.name, error) from None
        try:
            yield Path(name)
        except OSError as error:
            raise outputs.failure(self.name, error) from None
        finally:
            with suppress(OSError):
                Path(name).unlink()

    def keep(self, part: Path, checked: Limits | None = None) -> tuple[str, bool]:
        """Put a whole upload in its place; return its hash, and whether it is new.

        With limits for reading the history, ``checked``, series whose unit changed are refused.
        """
        if checked:
            catalog.refuse_changed_units(self, part, checked)
        hash_ = hash_of(part)
        if hash_ in self.replaced():
            return hash_, False
        return hash_, self.take(part, self.file_of(hash_))

    def record(self, event: dict[str, Any]) -> str:
        """Store an event; return its hash. The same event twice is one."""
        return self._store(EVENTS, event_text(event).encode())

    def replace(self, hashes: list[str]) -> None:
        """Note that the jobs of uploads stand in a merged file, and remove the uploads."""
        self._store(REPLACED, ("\n".join(sorted(hashes)) + "\n").encode())
        self.remove_replaced()

    def remove_replaced(self) -> list[str]:
        """Remove the uploads whose jobs stand in merged files; return their hashes.

        One that is listed as replaced, and some of whose jobs no other file has, stays.
        """
        gone = self.replaced()
        uploads = self.uploads()
        if not any(hash_ in gone for hash_, _ in uploads):
            return []
        stated = _native.upload_jobs([path for _, path in uploads])
        jobs = {hash_: _ids(text, hash_) for (hash_, _), text in zip(uploads, stated, strict=True)}
        held = {id_ for hash_, ids in jobs.items() if hash_ not in gone for id_ in ids}
        removed = [hash_ for hash_, ids in jobs.items() if hash_ in gone and ids <= held]
        for hash_ in removed:
            self.file_of(hash_).unlink(missing_ok=True)
        return removed

    def sweep(self) -> None:
        """Remove unfinished files that killed commands left behind."""
        with suppress(OSError):
            for entry in os.scandir(self.path):
                about = entry.stat(follow_symlinks=False)
                if entry.name.startswith(_UNFINISHED) and time.time() - about.st_mtime > _ABANDONED:
                    Path(entry.path).unlink()

    def take(self, part: Path, target: Path) -> bool:
        """Put a whole file in its place, and remember that the history has it; return whether it is new.

        Raises ``OSError`` if it cannot be written.
        """
        is_new = self.put(part, target)
        if not (self.path / ADDED).exists():
            # Git would find conflicts in the lists of two branches, and knows itself which files are gone.
            if not self._ignores_the_list():
                self._append(".gitignore", f"{ADDED}\n")
            # An older version of statera listed nothing of what it wrote.
            self._list({(kind, hash_) for kind in KINDS for hash_, _ in self.named(kind)})
            self.note_settings()
        elif is_new:
            self._list({(target.parent.parent.name, target.stem)})
            if self.noted_settings() is None:
                self.note_settings()
        return is_new

    @property
    def is_listed(self) -> bool:
        """Return whether the loss of a file would be found here."""
        return (self.path / ADDED).exists()

    def note_settings(self) -> None:
        """Remember what ``history.toml`` says, so that a change of it is found."""
        stated = as_texts(self.about._asdict())
        if self.is_listed and self.noted_settings() != stated:
            self._append(ADDED, f"{_SETTINGS} {json.dumps(stated)}\n")

    def noted_settings(self) -> dict[str, Any] | None:
        """Return what ``history.toml`` said; None if nobody noted it."""
        found = None
        for line in self._lines():
            kind, _, text = line.partition(" ")
            if kind == _SETTINGS:
                with suppress(ValueError, RecursionError):
                    found = json.loads(text)
        return found if isinstance(found, dict) else None

    def _ignores_the_list(self) -> bool:
        """Return whether the history says so already: a clone has that, and not the list."""
        with suppress(OSError):
            return ADDED.encode() in (self.path / ".gitignore").read_bytes().split()
        return False

    def put(self, part: Path, target: Path) -> bool:
        """Put a whole file in its place, and wait until it is on the disk; return whether it is new.

        A file that is there already has the same content, as its name says.

        Raises ``OSError`` if it cannot be written.
        """
        if target.parent.is_symlink() or target.parent.parent.is_symlink():
            raise OSError(errno.ELOOP, f"{target.parent.relative_to(self.path)} is a link, and a history holds none")
        if target.exists():
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        part.chmod(0o644)
        outputs.flush(part)
        part.replace(target)
        for above in (target.parent, target.parent.parent, self.path):
            outputs.flush(above)
        return True

    def named(self, kind: str) -> list[tuple[str, Path]]:
        """Return the files of a kind by their hashes, in the order of these; other files are nobody's business."""
        ending = KINDS[kind]
        try:
            found = [
                (entry.name.removesuffix(ending), Path(entry.path))
                for folder in _entries(self.path / kind)
                if folder.is_dir(follow_symlinks=False)
                for entry in _entries(folder)
                if entry.name.endswith(ending)
                and is_hash(entry.name.removesuffix(ending))
                and entry.is_file(follow_symlinks=False)
            ]
        except OSError as error:
            raise Stop("bad-history", f"{error.filename or self.path / kind}: {error.strerror}") from None
        return sorted(found)

    def _store(self, kind: str, content: bytes) -> str:
        hash_ = hashlib.sha256(content).hexdigest()
        with self.receiving() as part:
            part.write_bytes(content)
            self.take(part, self.file_of(hash_, kind))
        return hash_

    def _listed(self) -> set[tuple[str, str]]:
        """Return the files that came to this copy, by kind and hash."""
        words = (line.partition(" ") for line in self._lines())
        return {(kind, hash_) for kind, _, hash_ in words if kind in KINDS and is_hash(hash_)}

    def _lines(self) -> list[str]:
        try:
            return (self.path / ADDED).read_text(errors="replace").splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise Stop("bad-history", f"{self.path / ADDED}: {error.strerror}") from None

    def _list(self, files: set[tuple[str, str]]) -> None:
        self._append(ADDED, "".join(f"{kind} {hash_}\n" for kind, hash_ in sorted(files)))

    def _append(self, name: str, text: str) -> None:
        # In one write, since several commands may add files at once; a link would lead out of the history.
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(self.path / name, flags, 0o666)
        try:
            os.write(handle, text.encode())
        finally:
            os.close(handle)


def create(path: Path, about: About, name: str | None = None) -> Folder:
    """Make a history in a folder."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise outputs.failure(path, error) from None
    outputs.write(path / NAME, _written(about))
    return Folder(path, about, name)


def remove_empty(folder: Folder) -> None:
    """Remove a history that holds nothing, and its folder if nothing else is in it."""
    if not any(folder.named(kind) for kind in KINDS):
        with suppress(OSError):
            (folder.path / NAME).unlink()
            folder.path.rmdir()


def open_folder(path: Path, name: str | None = None) -> Folder:
    """Open the history in a folder, which messages name by its path if no name is given."""
    return Folder(path, read_about(path / NAME, name), name)


def read_about(path: Path, name: str | None = None) -> About:
    """Read a ``history.toml`` of a history, which messages name by its path if no name is given."""
    try:
        document, _ = toml.load(path, "bad-history")
    except (FileNotFoundError, NotADirectoryError):
        if (path.parent / UPLOADS).is_dir():
            raise Stop(
                "bad-history", f"{path}: it is gone, but the uploads are there. Restore it from another copy"
            ) from None
        place = name or str(path.parent)
        makes = f"statera history add FILES… --history {shlex.quote(place)} makes one"
        raise Stop("no-history", f"{place}: there is no history. {makes}") from None
    except OSError as error:
        raise Stop("bad-history", f"{path}: {error.strerror}") from None
    return _about(document, path)


def hash_of(path: Path) -> str:
    """Return the hash of the content of a file, which names it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def exists(path: Path) -> bool:
    """Return whether a folder holds a history."""
    return (path / NAME).exists()


def _about(document: dict[str, Any], path: Path) -> About:
    version = document.pop("format", None)
    if version != FORMAT:
        raise Stop(
            "bad-history",
            f"{path}: its format is {version!r}, and this version of statera reads {FORMAT}. Use a newer one",
        )
    defaults = About("")._asdict()
    for key, value in document.items():
        wanted = list if key == "lane" else type(defaults.get(key))
        if key not in defaults:
            raise Stop("bad-history", f"{path}: there is no key {key!r}; the keys are format, {', '.join(defaults)}")
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise Stop("bad-history", f"{path}: {key} takes a {wanted.__name__}, not {value!r}")
    made = About(**{**defaults, **document})
    if not made.project:
        raise Stop("bad-history", f'{path}: project is missing. Write project = "NAME"')
    if not all(isinstance(key, str) for key in made.lane) or min(made.samples, made.around) < 0:
        raise Stop("bad-history", f"{path}: lane is a list of names, and samples and around are numbers from 0 on")
    return made._replace(lane=tuple(made.lane))


def _written(about: About) -> str:
    # JSON's texts, numbers and lists of texts are TOML's, too.
    keys = {"format": FORMAT, **about._asdict()}
    return "".join(f"{key} = {json.dumps(as_texts(value), ensure_ascii=False)}\n" for key, value in keys.items())


def _entries(folder: os.PathLike[str]) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except FileNotFoundError:
        return []


def _ids(text: str, hash_: str) -> set[str]:
    """Return the ids of the jobs of an upload; of one that cannot be read, or of one job, its hash."""
    try:
        return {id_ or hash_ for id_, _ in from_json(text, hash_)}
    except Stop:
        return {hash_}


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise Stop("bad-history", f"{path}: {error}") from None


def event_text(event: dict[str, Any]) -> str:
    """Write an event: the same one has the same text, and so the same hash."""
    return json.dumps(as_texts(event), allow_nan=False, sort_keys=True, separators=(",", ":")) + "\n"


def read_event(path: Path) -> dict[str, Any]:
    """Read an event."""
    text = _read(path)
    try:
        event = json.loads(text) if len(text) <= _MOST else None
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise Stop("bad-history", f"{path}: it is not an event of a history. Remove it") from None
    return event
