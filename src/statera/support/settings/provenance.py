"""Where settings come from: the file that was found, files that were refused, and differences from the defaults."""

from __future__ import annotations

import os
import stat

from statera.support.errors import Stop
from statera.support.settings import Limits, Policy
from statera.support.settings.file import load
from statera.support.settings.history import History
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Final

# A folder that holds one of these is the root of a repository.
_REPOSITORIES: Final = (".git", ".hg", ".jj")
_OTHERS_MAY_WRITE: Final = stat.S_IWOTH
# Fields of a policy by the names that the settings file gives them.
_NAMES: Final = {"margins": "margin", "directions": "better"}


class Settings(NamedTuple):
    """A policy and limits, with the settings file that they were read from.

    Attributes:
        policy: every threshold as used, with the options of the command line applied.
        file: the path of the settings file; None where none was used.
        limits: how much may be read.
        history: where the history is.

    """

    policy: Policy = Policy()
    file: str | None = None
    limits: Limits = Limits()
    history: History = History()


class Difference(NamedTuple):
    """A setting that differs from its default; ``name`` is the field of the policy."""

    name: str
    value: object
    default: object

    @property
    def words(self) -> str:
        """The setting under the name that users write, with its value and its default."""
        return f"{_NAMES.get(self.name, self.name)} {written(self.value)} (default {written(self.default)})"


class Found(NamedTuple):
    """The nearest settings file that may be used, and the nearer files that were refused, each with the reason."""

    path: str | None
    refused: tuple[tuple[str, str], ...]


def differences(policy: Policy) -> list[Difference]:
    """List the settings that differ from their defaults."""
    pairs = zip(Policy._fields, policy, Policy(), strict=True)
    return [Difference(name, value, default) for name, value, default in pairs if value != default]


def written(value: object) -> str:
    """Write the value of a setting; for a table, its pairs."""
    if not isinstance(value, tuple):
        return str(value)
    from statera._native import printable  # noqa: PLC0415 - only where there is a pattern

    return printable("; ".join(" = ".join(str(part) for part in pair) for pair in value)) or "none"


def settings_words(settings: Settings) -> str:
    """Describe the settings file and the settings that differ from their defaults; empty if there are none."""
    changed = ", ".join(each.words for each in differences(settings.policy))
    if settings.file is None:
        return changed
    from statera._native import printable  # noqa: PLC0415 - only where there is a file

    return f"file {printable(settings.file)}; {changed or 'every setting is at its default'}"


def settings_lines(settings: Settings) -> list[str]:
    """Write ``settings_words`` as a line of an output; no line if there are no words."""
    words = settings_words(settings)
    return [f"Settings: {words}."] if words else []


def find_file(start: str) -> Found:
    """Find the settings nearest to a folder: ``statera.toml``, or a ``pyproject.toml`` with ``[tool.statera]``.

    The search ends at the root of the repository or at the home folder, whichever is nearer; outside both, only the
    folder itself is searched. A file that other users could have put there is not used: it would change verdicts.
    """
    refused: list[tuple[str, str]] = []
    for folder in _folders(os.path.realpath(start)):
        for name in ("statera.toml", "pyproject.toml"):
            path = os.path.join(folder, name)  # noqa: PTH118 - pathlib costs a tenth of a small comparison
            if not os.path.isfile(path):  # noqa: PTH113
                continue
            why = _why_not(path)
            if name == "pyproject.toml" and not why and not _has_table(path):
                continue
            if not why:
                return Found(path, tuple(refused))
            if name == "statera.toml" or _may_have_table(path):
                refused.append((path, why))
    return Found(None, tuple(refused))


def shown(path: str) -> str:
    """Return a path as outputs show it: the name of a file in the current folder, the full path of any other."""
    folder, name = os.path.split(path)
    return name if folder == os.path.realpath(".") else path


def _folders(start: str) -> list[str]:
    """Return the folders to search, the nearest first."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    folders = [start]
    while True:
        folder = folders[-1]
        parent = os.path.dirname(folder)  # noqa: PTH120
        # A home folder at the root of the file system does not limit the search.
        if folder != parent and (
            folder == home or any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES)  # noqa: PTH110, PTH118
        ):
            return folders
        if folder == parent:
            return [start]
        folders.append(parent)


def _why_not(path: str) -> str:
    """Explain why a settings file that was found, not named, is refused; empty if it may be used."""
    if not hasattr(os, "geteuid"):
        return ""
    # For a link, check both the link itself and its target.
    about = [os.stat(path), os.lstat(path)]  # noqa: PTH116
    other = next((each.st_uid for each in about if each.st_uid not in {os.geteuid(), 0}), None)
    if other is not None:
        return f"it belongs to another user (uid {other})"
    return "every user may write it" if about[0].st_mode & _OTHERS_MAY_WRITE else ""


def _may_have_table(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return b"statera" in file.read()
    except OSError:
        return False


def _has_table(path: str) -> bool:
    """Return whether a pyproject.toml has settings; True if it cannot be parsed: loading it then reports the error."""
    if not _may_have_table(path):
        return False
    from statera.support.files import toml  # noqa: PLC0415 - only where the word occurs

    try:
        tool = toml.load(path, "bad-settings")[0].get("tool")
    except (Stop, OSError):
        return True
    return isinstance(tool, dict) and "statera" in tool


def loaded(path: str) -> Settings:
    """Read a settings file."""
    policy, limits, history = load(path)
    return Settings(policy, shown(os.path.abspath(path)), limits, history)  # noqa: PTH100
