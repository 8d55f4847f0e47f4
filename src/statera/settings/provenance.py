"""Where settings come from: the file that was found, what was refused, and how they differ from the defaults."""

from __future__ import annotations

import os
import stat
from typing import Final, NamedTuple

from statera.errors import Stop
from statera.settings import Limits, Policy
from statera.settings.policy import load

# A folder that holds one of these is the root of a repository.
_REPOSITORIES: Final = (".git", ".hg", ".jj")
_OTHERS_MAY_WRITE: Final = stat.S_IWOTH
# Fields of a policy by the names that the settings file gives them.
_NAMES: Final = {"margins": "margin", "directions": "better"}


class Settings(NamedTuple):
    """A policy, limits, and the settings file that they were read from.

    Attributes:
        policy: every threshold as it was used, options included.
        file: the path of the settings file; None where none was used.
        limits: how much may be read.

    """

    policy: Policy = Policy()
    file: str | None = None
    limits: Limits = Limits()


class Difference(NamedTuple):
    """A setting that is not at its default; ``name`` is the field of the policy."""

    name: str
    value: object
    default: object

    @property
    def words(self) -> str:
        """The setting by the name that users give it, with its value and its default."""
        return f"{_NAMES.get(self.name, self.name)} {written(self.value)} (default {written(self.default)})"


class Found(NamedTuple):
    """The nearest settings file that may be used, and the nearer ones that may not, each with the reason."""

    path: str | None
    refused: tuple[tuple[str, str], ...]


def differences(policy: Policy) -> list[Difference]:
    """List the settings that are not at their default."""
    pairs = zip(Policy._fields, policy, Policy(), strict=True)
    return [Difference(name, value, default) for name, value, default in pairs if value != default]


def written(value: object) -> str:
    """Write the value of a setting; of a table its pairs."""
    if not isinstance(value, tuple):
        return str(value)
    from statera._native import printable  # noqa: PLC0415 - only where there is a pattern

    return printable("; ".join(" = ".join(str(part) for part in pair) for pair in value)) or "none"


def settings_words(settings: Settings) -> str:
    """Name the settings file and the settings that differ from their defaults; empty where none does."""
    changed = ", ".join(each.words for each in differences(settings.policy))
    if settings.file is None:
        return changed
    from statera._native import printable  # noqa: PLC0415 - only where there is a file

    return f"file {printable(settings.file)}; {changed or 'every setting is at its default'}"


def settings_lines(settings: Settings) -> list[str]:
    """Write the same as a line of an output; none where all are at their defaults."""
    words = settings_words(settings)
    return [f"Settings: {words}."] if words else []


def find_file(start: str) -> Found:
    """Find the settings nearest to a folder: ``statera.toml``, or a ``pyproject.toml`` with ``[tool.statera]``.

    The search ends at the root of the repository or at the home folder, the nearer of both; outside of both only the
    folder itself is looked at. A file that others could have put there is not used: it would change verdicts.
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
    """Give a path as outputs name it: a file of the current folder by its name, any other in full."""
    folder, name = os.path.split(path)
    return name if folder == os.path.realpath(".") else path


def _folders(start: str) -> list[str]:
    """Give the folders to look in, the nearest first."""
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    folders = [start]
    while True:
        folder = folders[-1]
        parent = os.path.dirname(folder)  # noqa: PTH120
        # A home that is the root of the file system bounds nothing.
        if folder != parent and (
            folder == home or any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES)  # noqa: PTH110, PTH118
        ):
            return folders
        if folder == parent:
            return [start]
        folders.append(parent)


def _why_not(path: str) -> str:
    """Say why a file that nobody named is not used; empty where it may be."""
    if not hasattr(os, "geteuid"):
        return ""
    # Of a link both count: who made it, and what it leads to.
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
    """Tell whether a pyproject.toml has settings; one that cannot be parsed is left to be named where it is loaded."""
    if not _may_have_table(path):
        return False
    from statera.files import toml  # noqa: PLC0415 - only where the word occurs

    try:
        tool = toml.load(path, "bad-settings")[0].get("tool")
    except (Stop, OSError):
        return True
    return isinstance(tool, dict) and "statera" in tool


def loaded(path: str) -> Settings:
    """Read a settings file."""
    policy, limits = load(path)
    return Settings(policy, shown(os.path.abspath(path)), limits)  # noqa: PTH100
