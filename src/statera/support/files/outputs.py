"""Output files. Each is written under a temporary name first and renamed when it is complete.

Until then the old file stays unchanged, whatever happens: a full disk, an error, a signal, a power cut. A link
stays a link; a file keeps its mode, its owner and its other hard links; anything that is not a regular file (a pipe,
``/dev/stdout``) receives the bytes directly.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress

from statera.support.errors import Stop
from statera.support.files import addresses
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
# Errors of file systems that cannot flush a file or a folder.
_NO_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EBADF})
# Folders of open files and devices; the names that shells use are links into these.
_STREAMS = ("/dev/std", "/dev/fd/", "/proc/")
_MOST_LINKS = 40
_PIECE = 1 << 20
# Folders in which files stand until all are complete.
_STAGE = ".statera-"
_PART = ".part"
_DAY = 86_400


class _Place(NamedTuple):
    """The destination of the bytes."""

    path: str  # the file itself, after all links are resolved
    about: os.stat_result | None  # its status; None if the file does not exist yet
    stream: bool  # whether it receives bytes directly and stores none of them
    # whether it must be overwritten, since no other file can replace it: it is a stream, it has other hard links, it
    # belongs to another user, or no file can be created in its folder
    in_place: bool


def write(path: str | PathLike[str], content: str | bytes) -> None:
    """Write a file; text is encoded as UTF-8.

    Raises ``Stop`` if it cannot be written. The old file, if any, is then unchanged.
    """
    data = content.encode(errors="surrogateescape") if isinstance(content, str) else content
    with writing(path) as part, open(part, "wb") as file:
        file.write(data)


def renew(folder: str | PathLike[str], contents: Iterable[tuple[str, bytes]]) -> int:
    """Write files below a folder that can be made again at any time; return how many of them differed.

    ``contents`` are paths below it, whose folders exist, with what stands in each file. All take their places at the
    end, so that an error or a signal before leaves every old file. Nobody waits for the disk: after a power cut a file
    may be empty, and has to be made again.

    Raises ``Stop`` if a file cannot be written.
    """
    import shutil  # noqa: PLC0415 - seldom
    import tempfile  # noqa: PLC0415 - seldom

    place = os.fspath(folder)
    try:
        stage = tempfile.mkdtemp(prefix=_STAGE, suffix=_PART, dir=folder)
    except OSError as error:
        raise failure(place, error) from None
    try:
        ready: list[tuple[str, str]] = []
        strange: list[tuple[str, bytes]] = []
        for path, content in contents:
            place = os.path.join(folder, path)
            about = _about(place)
            if about is not None and about.st_size == len(content) and _holds(place, content):
                continue
            if about is not None and not _is_plain(about):
                strange.append((place, content))
                continue
            part = os.path.join(stage, str(len(ready)))
            _fill(part, content, None if about is None else stat.S_IMODE(about.st_mode))
            ready.append((part, place))
        # File systems search long for room among files that went a moment ago: nothing goes before all are there.
        for part, place in ready:
            os.replace(part, place)
    except OSError as error:
        raise failure(place, error) from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    for place, content in strange:
        write(place, content)
    return len(ready) + len(strange)


def forget(folder: str | PathLike[str]) -> None:
    """Remove what commands that were killed more than a day ago left of `renew`."""
    import shutil  # noqa: PLC0415 - seldom
    import time  # noqa: PLC0415 - seldom

    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            named = entry.name.startswith(_STAGE) and entry.name.endswith(_PART)
            if named and entry.is_dir(follow_symlinks=False) and time.time() - entry.stat().st_mtime > _DAY:
                shutil.rmtree(entry.path, ignore_errors=True)


def _fill(part: str, content: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with open(os.open(part, flags, 0o666 if mode is None else mode), "wb", buffering=0) as file:
        if mode is not None and stat.S_IMODE(os.fstat(file.fileno()).st_mode) != mode:
            os.fchmod(file.fileno(), mode)
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]


def _about(path: str) -> os.stat_result | None:
    """Return the status of a file, and not of what a link leads to; None if there is none."""
    try:
        return os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _holds(path: str, content: bytes) -> bool:
    try:
        with open(path, "rb", buffering=0) as file:
            return file.readall() == content
    except OSError:
        return False


def _is_plain(about: os.stat_result) -> bool:
    """Return whether another file can take the place of this one: a regular file without other names, of this user."""
    own = (about.st_uid, about.st_gid) == (os.geteuid(), os.getegid())
    return stat.S_ISREG(about.st_mode) and about.st_nlink == 1 and own and bool(about.st_mode & stat.S_IWUSR)


@contextmanager
def writing(path: str | PathLike[str]) -> Iterator[str]:
    """Yield the name of a temporary file to write; it replaces ``path`` at the end of the block.

    Raises ``Stop`` if it cannot be written. The old file, if any, is then unchanged.
    """
    name = os.fspath(path)
    part = None
    try:
        place = _place(name)
        part = _part(place)
        yield part
        flush(part)
        part = _settle(part, place)
    except _NotReplacedError as error:
        # Keep the only complete copy.
        part = None
        raise failure(name, error) from None
    except OSError as error:
        raise failure(name, error) from None
    finally:
        if part is not None:
            _remove(part)


def check(path: str | PathLike[str], inputs: Iterable[str] = ()) -> None:
    """Refuse a file that cannot be written, or that is one of the inputs; call this before the work.

    ``inputs`` are files, folders and patterns that are read, ``-`` for standard input.
    """
    name = os.fspath(path)
    if not name:
        raise Stop("bad-option", "-o needs the name of a file, but the name is empty")
    refuse_scheme(name)
    try:
        place = _place(name)
        _remove(_part(place))
    except OSError as error:
        raise failure(name, error) from None
    if not place.stream and any(_reads(source, place) for source in inputs):
        raise input_refused(name)


def check_folder(path: str | PathLike[str], inputs: Iterable[str] = ()) -> None:
    """Refuse a folder whose files cannot be written, or that holds one of the inputs; call this before the work."""
    folder = os.path.realpath(path)
    if any(os.path.realpath(source).startswith(folder + os.sep) for source in inputs):
        raise input_refused(os.fspath(path))
    if os.path.lexists(path):
        check(os.path.join(path, "file"))


def input_refused(name: str) -> Stop:
    """Return the error that an output is one of the inputs."""
    return Stop(
        "output-is-input",
        f"{name}: is one of the inputs, or the next run would read it with them. Name another file with -o",
    )


def refuse_scheme(name: str) -> None:
    """Refuse an address such as ``hdfs://host/file``: it would become a folder named ``hdfs:``."""
    if scheme := addresses.scheme(name):
        raise Stop(
            "bad-option",
            f"-o {name}: statera writes to this machine, not to {scheme}://. Name a path, and copy the result from it "
            f"(for a folder that is really named {scheme}: write ./{scheme}:/)",
        )


def failure(path: str | PathLike[str], error: OSError) -> Stop:
    """Return the error of a failed write; a full disk (or a quota, or a limit on file sizes) has its own code."""
    why = f"{os.fspath(path)}: {error.strerror or error}"
    if error.errno in FULL:
        return Stop("disk-full", f"{why}. Free some space and run the command again: complete files are kept")
    return Stop("cannot-write", why)


def _place(name: str) -> _Place:
    """Find the destination of the bytes, after all links are resolved."""
    path, stream = name, False
    for _ in range(_MOST_LINKS):
        stream = stream or os.path.abspath(path).startswith(_STREAMS)
        if stream or not os.path.islink(path):
            break
        path = os.path.join(os.path.dirname(path), os.readlink(path))
    else:
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
    try:
        about = os.stat(path)
    except FileNotFoundError:
        return _Place(path, None, stream=False, in_place=False)
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a folder", name)
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "is not writable", name)
    stream = stream or not stat.S_ISREG(about.st_mode)
    # Only root may change the owner of a file, and a new file needs write access to the folder.
    strange = os.geteuid() not in {0, about.st_uid}
    shut = not os.access(_folder(path), os.W_OK | os.X_OK)
    return _Place(path, about, stream, stream or about.st_nlink > 1 or strange or shut)


def _folder(path: str) -> str:
    return os.path.dirname(path) or os.curdir


def _part(place: _Place) -> str:
    """Create the temporary file: in the same folder, since renaming works only within one file system."""
    if place.in_place:
        import tempfile  # noqa: PLC0415 - seldom

        handle, name = tempfile.mkstemp(prefix="statera-", suffix=".part")
        os.close(handle)
        return name
    number = 0
    while True:
        # The name is short, however long the target's is, and hidden, so that readers of the folder skip it.
        name = os.path.join(_folder(place.path), f".statera-{os.getpid()}-{number}.part")
        try:
            handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            number += 1
            continue
        os.close(handle)
        return name


def _settle(part: str, place: _Place) -> str | None:
    """Move a complete file to its destination.

    Returns:
        the file that is left to remove; None if it became the target.
    """
    if place.in_place:
        _pour(part, place)
        return part
    if place.about is not None:
        _take_over(part, place.about)
    os.replace(part, place.path)
    # The file is renamed already; a folder that cannot be read cannot be flushed.
    with suppress(OSError):
        flush(_folder(place.path))
    return None


def _pour(part: str, place: _Place) -> None:
    """Copy a complete file into a file that cannot be replaced."""
    # The shell may have opened the stream for appending.
    flags = os.O_WRONLY | os.O_CLOEXEC | (os.O_APPEND if place.stream else 0)
    try:
        with open(part, "rb") as source, open(os.open(place.path, flags), "wb", buffering=0) as target:
            while piece := source.read(_PIECE):
                rest = memoryview(piece)
                while rest:
                    rest = rest[target.write(rest) :]
            if not place.stream:
                target.truncate(source.tell())
                sync(target.fileno())
    except OSError as error:
        if place.stream:
            raise
        kept = f"{error.strerror} while it was overwritten; the complete output is in {part}"
        raise _NotReplacedError(error.errno, kept, place.path) from None


class _NotReplacedError(OSError):
    """A file could not be overwritten; the complete output is in another file."""


def _take_over(part: str, about: os.stat_result) -> None:
    """Set the owner and mode of a file to those of the one that it replaces."""
    made = os.stat(part)
    if (made.st_uid, made.st_gid) != (about.st_uid, about.st_gid):
        # If the group cannot be set, the file keeps the group of the writing user.
        with suppress(PermissionError):
            os.chown(part, about.st_uid, about.st_gid)
    os.chmod(part, stat.S_IMODE(about.st_mode))


def flush(path: str | PathLike[str]) -> None:
    """Wait until a file, or the entries of a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        sync(handle)
    finally:
        os.close(handle)


def sync(handle: int, *, data_only: bool = False) -> None:
    """Wait until an open file is on the disk; ``data_only``: without its times."""
    try:
        (os.fdatasync if data_only else os.fsync)(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


def _remove(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)


def _reads(source: str, place: _Place) -> bool:
    """Return whether reading ``source`` would read this file, now or once it is written."""
    if os.path.abspath(source) == os.path.abspath(place.path):
        return True
    try:
        about = os.fstat(0) if source == "-" else os.stat(source)
    except (OSError, ValueError):
        return _fits(source, place)
    if stat.S_ISDIR(about.st_mode):
        below = os.path.relpath(os.path.realpath(place.path), os.path.realpath(source))
        # Readers of folders skip hidden files.
        return not any(part.startswith(".") for part in below.split(os.sep))
    return place.about is not None and os.path.samestat(about, place.about)


def _fits(pattern: str, place: _Place) -> bool:
    """Return whether a pattern matches this file, or a folder that holds it."""
    if not any(mark in pattern for mark in "*?["):
        return False
    import glob  # noqa: PLC0415 - seldom
    from pathlib import PurePath  # noqa: PLC0415

    path = PurePath(os.path.abspath(place.path))
    # Two stars match any number of folders: the target lies below the part before them and matches the part after.
    above, stars, name = pattern.rpartition("**/")
    below = path.is_relative_to(os.path.abspath(above.partition("*")[0])) if stars else True
    if below and not path.name.startswith(".") and path.match(name if stars else os.path.abspath(pattern)):
        return True
    return any(_reads(found, place) for found in glob.glob(pattern, recursive=True) if found != pattern)
