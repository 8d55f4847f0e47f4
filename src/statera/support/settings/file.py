"""The settings: the file that holds them, how it is found or refused, and what differs from the defaults."""

from __future__ import annotations

import os
import stat

from statera._native import printable
from statera.support.errors import Stop, unreadable
from statera.support.settings.limits import Limits, limited
from statera.support.settings.policy import Policy, checked, parse_fraction, parse_margin
from statera.support.typed import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from statera.support.settings.policy import Direction

# A folder that holds one of these is the root of a repository.
_REPOSITORIES: Final = (".git", ".hg", ".jj")
_OTHERS_MAY_WRITE: Final = stat.S_IWOTH
# Fields of a policy by the names that the settings file gives them.
_NAMES: Final = {"margins": "margin", "directions": "better"}


class History(NamedTuple):
    """The settings of histories; an empty text is not set."""

    place: str = ""  # a folder, or ``git:BRANCH``
    project: str = ""  # the name of the project
    branch: str = ""  # the branch that is watched
    commit_url: str = ""  # the address of a commit's page, with ``{commit}`` for its name


def history_settings(table: Mapping[str, Any], path: str) -> History:
    """Read the table; an unknown key or a wrong type raises Stop, which names the key."""
    for key, value in table.items():
        if key not in History._fields:
            known = ", ".join(History._fields)
            raise Stop("bad-settings", f"{path}: history has no setting {key!r}; the settings are {known}")
        if not isinstance(value, str):
            raise Stop("bad-settings", f"{path}: history.{key} takes a text, not {value!r}")
    return History(**table)


def columns_settings(table: object, path: str) -> tuple[tuple[str, str], ...]:
    """Read the roles with their columns; Stop names a wrong type."""
    wanted = f'{path}: columns takes a table of roles, such as [columns] with benchmark = "case", not'
    if not isinstance(table, dict):
        raise Stop("bad-settings", f"{wanted} {table!r}")
    pairs = []
    for role, names in cast("dict[str, Any]", table).items():
        for name in names if isinstance(names, list) else [names]:
            if not isinstance(name, str):
                raise Stop("bad-settings", f"{wanted} {role} = {names!r}")
            pairs.append((role, name))
    return tuple(pairs)


def load(path: str, is_option: Callable[[str], bool] = lambda _: False) -> Settings:
    """Read a settings file; Stop names an unknown key, and says if it ``is_option`` only, or a wrong type."""
    document = dict(_document(path))
    columns = columns_settings(document.pop("columns", {}), path)
    history = document.pop("history", {})
    if not isinstance(history, dict):
        raise Stop(
            "bad-settings",
            f'{path}: history must be a table, such as [history] with place = "results", not {history!r}',
        )
    table = document.pop("limits", {})
    if not isinstance(table, dict):
        raise Stop(
            "bad-settings", f'{path}: limits must be a table, such as [limits] with bytes = "4GiB", not {table!r}'
        )
    limits = Limits()
    for name, value in cast("dict[str, Any]", table).items():
        limits = limited(limits, name, value, f"{path}: limits", "bad-settings")
    policy = from_mapping(document, path, is_option)
    return Settings(policy, shown(os.path.abspath(path)), limits, history_settings(history, path), columns)


def _document(path: str) -> Mapping[str, Any]:
    from statera.support.files import toml  # noqa: PLC0415 - only where there are settings

    try:
        document, _ = toml.load(path, "bad-settings")
    except OSError as error:
        raise Stop("bad-settings", unreadable(path, error)) from None
    if path.endswith("pyproject.toml"):
        for name in ("tool", "statera"):
            document = document.get(name, {})
            if not isinstance(document, dict):
                raise Stop("bad-settings", f"{path}: {name} must be a table [tool.statera], not {document!r}")
    return document


def from_mapping(document: Mapping[str, Any], path: str, is_option: Callable[[str], bool] = lambda _: False) -> Policy:
    """Build a policy from the keys of a settings file."""
    policy = Policy()
    known = set(Policy._fields) - {"margins", "directions"} | {"margin", "better", "columns", "limits", "history"}
    for key, value in document.items():
        if key not in known:
            raise Stop("bad-settings", f"{path}: {_unknown(key, value, sorted(known), is_option)}")
        if key in {"margin", "better", "noise"}:
            policy = _table(policy, key, value, path)
            continue
        wanted = type(getattr(Policy(), key))
        if key.startswith("margin_") or key == "session":
            policy = _with(policy, key, parse_fraction(value, f"{path}: {key}"))
        elif isinstance(value, bool) == (wanted is bool) and isinstance(
            value, (int, float) if wanted is float else wanted
        ):
            policy = _with(policy, key, wanted(value))
        else:
            raise Stop("bad-settings", f"{path}: {key} takes a {wanted.__name__}, not {value!r}")
    try:
        return checked(policy)
    except Stop as stop:
        raise Stop("bad-settings", f"{path}: {stop}") from None


def _unknown(key: str, value: object, known: list[str], is_option: Callable[[str], bool]) -> str:
    """Say that there is no such setting, and where what was meant belongs."""
    if isinstance(value, dict):
        return f"there is no table {key!r}; the settings, which stand above all tables, are {', '.join(known)}"
    said = f"there is no setting {key!r}"
    tables = {"history": History._fields, "limits": Limits._fields}
    table = next((name for name, fields in tables.items() if key in fields), None)
    if table is not None:
        return f"{said} above all tables. It belongs to the table {table}"
    if is_option(flag := f"--{key.replace('_', '-')}"):
        return f"{said}: {flag} is an option only. Pass it to the command"
    return f"{said}; the settings are {', '.join(known)}"


def _with(policy: Policy, key: str, value: object) -> Policy:
    return Policy(**{**policy._asdict(), key: value})


def _table(policy: Policy, key: str, value: object, path: str) -> Policy:
    if key == "margin" and isinstance(value, (str, float, int)):
        return policy._replace(margins=(("*", parse_margin(value, f"{path}: margin")),))
    if not isinstance(value, dict):
        raise Stop("bad-settings", f"{path}: {key} takes a table of metric patterns, not {value!r}")
    table = cast("dict[str, Any]", value)
    if key == "margin":
        margins = tuple(
            (pattern, parse_margin(amount, f"{path}: margin.{pattern}")) for pattern, amount in table.items()
        )
        return policy._replace(margins=margins)
    if key == "noise":
        floors = tuple(
            (pattern, parse_fraction(amount, f"{path}: noise.{pattern}")) for pattern, amount in table.items()
        )
        return policy._replace(noise=floors)
    # Every word is checked with the whole policy.
    return policy._replace(directions=tuple((pattern, cast("Direction", str(word))) for pattern, word in table.items()))


class Settings(NamedTuple):
    """A policy and limits, with the settings file that they were read from."""

    policy: Policy = Policy()  # every threshold as used, with the options of the command line applied
    file: str | None = None  # the path of the settings file; None where none was used
    limits: Limits = Limits()  # how much may be read
    history: History = History()  # where the history is
    # roles with the columns of plain tables that have them, where a table asks
    columns: tuple[tuple[str, str], ...] = ()


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
    if isinstance(value, float):
        # 17.8 % divided by 100 is 0.17800000000000002.
        return str(float(f"{value:.12g}"))
    if not isinstance(value, tuple):
        return str(value)
    return printable("; ".join(" = ".join(written(part) for part in pair) for pair in value)) or "none"


def settings_words(settings: Settings) -> str:
    """Describe the settings file and the settings that differ from their defaults; empty if there are none."""
    changed = ", ".join(each.words for each in differences(settings.policy))
    if settings.file is None:
        return changed
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
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
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
    home = os.path.realpath(os.path.expanduser("~"))
    folders = [start]
    while True:
        folder = folders[-1]
        parent = os.path.dirname(folder)
        # A home folder at the root of the file system does not limit the search.
        if folder != parent and (
            folder == home or any(os.path.exists(os.path.join(folder, name)) for name in _REPOSITORIES)
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
    about = [os.stat(path), os.lstat(path)]
    other = next((each.st_uid for each in about if each.st_uid not in {os.geteuid(), 0}), None)
    if other is not None:
        return f"it belongs to another user (uid {other})"
    return "every user may write it" if about[0].st_mode & _OTHERS_MAY_WRITE else ""


def _may_have_table(path: str) -> bool:
    """Tell from single lines whether a file may have a table tool.statera: parsing takes as long as a comparison."""
    try:
        with open(path, "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return False
    return any(b"statera" in line for line in lines) and any(
        b"tool" in line and (b"statera" in line or line.translate(None, b" \t\"'").startswith((b"[tool]", b"tool=")))
        for line in lines
    )


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
