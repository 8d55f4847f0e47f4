"""Profiles of single runs: files of profilers, and those that a run keeps in its folder.

Callgrind counts every instruction; a profiler takes samples. A profile is no result: it says where the cost of one run
lies, and nothing is judged by it.
"""

from __future__ import annotations

import json
import os

from statera import _native
from statera.reading import PROFILES
from statera.support.errors import Stop, unreadable
from statera.support.settings.limits import Limits
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any, Final

_FOLDER, INDEX = PROFILES.split("/")
FORMATS: Final = frozenset({"folded", "perf-script", "callgrind"})
"""The formats that are profiles."""
SAMPLES: Final = "samples"
_UNITS: Final = {"Ir": "instructions"}
# Enough to recognize a format.
_HEAD: Final = 1 << 18


class Profile(NamedTuple):
    """A profile of one run, or of several equal ones together."""

    label: str  # whose it is
    unit: str  # of its costs: ``samples``, ``instructions``, or the name of another event
    exact: bool  # whether everything was counted; otherwise the costs are samples
    stacks: bool  # whether stacks were seen; otherwise the graph of calls gives them
    how: str  # how it was made; empty if the file does not say
    native: _native.Profile  # the frames and costs
    noise: float = 1.0  # by what factor the counts of equal runs vary more than samples do by chance


class Kept(NamedTuple):
    """A profile in the folder of a run."""

    # benchmark, variant: whose it is
    benchmark: str
    variant: str
    file: str  # its name below ``profiles``
    # unit, exact, stacks, how, noise: as of ``Profile``
    unit: str
    exact: bool
    stacks: bool
    how: str
    noise: float = 1.0


def format_of(path: str) -> str | None:
    """Return the format of a file if it is a profile."""
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD)
        found = _native.fitting_formats(head)
    except (OSError, ValueError):
        return None
    return found[0] if len(found) == 1 and found[0] in FORMATS else None


def read(path: str | os.PathLike[str], label: str, limits: Limits | None = None, format: str | None = None) -> Profile:
    """Read a profile, in one of ``FORMATS``; None: the content decides. ``label`` says whose it is.

    Raises ``Stop`` if the file cannot be read, or is no profile.
    """
    try:
        native = _native.read_profile(path, format, limits or Limits())
    except OSError as error:
        raise Stop("unreadable-profile", unreadable(path, error)) from None
    except ValueError as error:
        raise Stop("unreadable-profile", f"{os.fspath(path)}: {error}") from None
    if native is None:
        raise Stop(
            "unreadable-profile",
            f"{os.fspath(path)}: is no profile. Statera reads perf script, folded stacks, callgrind.out and "
            "cachegrind.out",
        )
    unit = _UNITS.get(native.event, native.event) if native.exact else SAMPLES
    how = native.event if native.kind == "perf-script" else native.kind if native.exact else ""
    return Profile(label, unit, native.exact, native.stacks, how, native)


def kept(run: str | os.PathLike[str]) -> list[Kept]:
    """Return the profiles that a run keeps; none if it has none. Raises ``Stop`` if their index is damaged."""
    path = os.path.join(run, PROFILES)
    if not os.path.isfile(path):
        return []
    try:
        with open(path, encoding="utf-8") as file:
            return [_entry(each) for each in json.load(file)["profiles"]]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Stop("unreadable-profile", f"{path}: is damaged ({error!r}). Remove the folder {_FOLDER}") from None


def _entry(fields: dict[str, Any]) -> Kept:
    found = Kept(**fields)
    if not all(isinstance(getattr(found, name), str) for name in ("benchmark", "variant", "file", "unit", "how")):
        raise TypeError(fields)
    if not 1 <= found.noise < 1e9:  # noqa: PLR2004 - a number that somebody wrote
        raise ValueError(found.noise)
    if os.path.basename(found.file) != found.file:
        raise ValueError(found.file)
    return found


def read_kept(run: str | os.PathLike[str], entry: Kept, limits: Limits | None = None) -> Profile:
    """Read a profile of a run. Raises ``Stop`` if it cannot be read."""
    path = os.path.join(run, _FOLDER, entry.file)
    found = read(path, entry.variant, limits, "folded")
    return found._replace(unit=entry.unit, exact=entry.exact, stacks=entry.stacks, how=entry.how, noise=entry.noise)


def index(entries: list[Kept]) -> str:
    """Write the index of a run's profiles."""
    return json.dumps({"profiles": [each._asdict() for each in entries]}, indent=1, ensure_ascii=False) + "\n"


def folder(run: Path) -> Path:
    """Return the folder of a run's profiles."""
    return run / _FOLDER
