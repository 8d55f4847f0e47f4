"""The material of a report: the comparison, further questions about the same values, the inspection, the inputs.

The date of a report is that of its newest input, so that the same results make the same bytes at any time.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, overload
from weakref import WeakKeyDictionary

from statera import __version__
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.comparison.results.comparison import Comparison, Section
    from statera.comparison.results.inspection import InspectedSection, Inspection
    from statera.reading.observations import Observations
    from statera.support.settings import Policy
    from statera.support.settings.file import Settings

# Bytes to read at a time.
_PIECE = 1 << 20
_KEPT: Final[WeakKeyDictionary[Comparison | Inspection, dict[int, list[Any]]]] = WeakKeyDictionary()


class Question(NamedTuple):
    """A comparison and a short title of its question; the title is empty if it is the only one."""

    words: str
    comparison: Comparison


class Material(NamedTuple):
    """The material of a report."""

    observations: Observations  # the values that were read
    # the requested comparison, then the other comparisons of the same values that factors allow; empty if nothing could
    # be compared
    questions: tuple[Question, ...]
    inspection: Inspection | None  # the inspection of each variant; None if there is nothing to inspect
    reason: Stop | None  # why nothing could be compared; None if something could, or if there is only one variant
    command: str  # the command as typed
    settings: Settings  # thresholds and methods, and the file that they come from
    atlas: bool = False  # whether the normality atlas was requested; without a comparison the report always has it
    # the comparison of all metrics, also those that formats count as secondary, for the benchmarks that became worse;
    # None if there are no such metrics
    aside: Comparison | None = None
    # the comparison of each variant with each other in the first metric; None if they are too few or too many
    every_pair: Comparison | None = None

    @property
    def policy(self) -> Policy:
        """The thresholds and methods."""
        return self.settings.policy

    @property
    def shapes_of(self) -> Inspection | None:
        """The inspection whose samples' shapes are told; None beside a comparison, unless the atlas was requested."""
        return self.inspection if self.atlas or not self.questions else None

    @property
    def comparison(self) -> Comparison | None:
        """The requested comparison."""
        return self.questions[0].comparison if self.questions else None


@overload
def by_metric(source: Comparison) -> dict[int, list[Section]]: ...
@overload
def by_metric(source: Inspection) -> dict[int, list[InspectedSection]]: ...
def by_metric(source: Comparison | Inspection) -> dict[int, list[Any]]:
    """Return the sections of each metric that has rows, in the order of the tables, which is asked for once."""
    if source not in _KEPT:
        found: dict[int, list[Any]] = {}
        for section in source.sections():
            found.setdefault(section.metric, []).append(section)
        _KEPT[source] = found
    return _KEPT[source]


class Input(NamedTuple):
    """A file that was read; ``sha256`` is empty if it cannot be read again (standard input)."""

    name: str
    size: int | None
    sha256: str


def inputs(observations: Observations) -> list[Input]:
    """Return each file that was read, with its size and the SHA-256 of its current bytes."""
    found = []
    for name in dict.fromkeys(source.name for source in observations.sources):
        try:
            with Path(name).open("rb") as file:
                digest = hashlib.sha256()
                while piece := file.read(_PIECE):
                    digest.update(piece)
                found.append(Input(name, file.tell(), digest.hexdigest()))
        except OSError:
            found.append(Input(name, None, ""))
    return found


def versions() -> list[tuple[str, str]]:
    """Return the versions of the software that computed and drew the report."""
    found = [("statera", __version__), ("Python", platform.python_version()), ("system", platform.platform())]
    for name in ("altair", "vl-convert-python", "typst"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found


def date_of(changes: Iterable[int]) -> datetime | None:
    """Return the date of a document, so that the same results always make the same bytes.

    It is ``SOURCE_DATE_EPOCH`` where that is set, else the last of the ``changes`` of what was read, in seconds since
    1970; None where there are none.
    """
    last = max(changes, default=None)
    return stated_date() or (None if last is None else _at(last))


def changes_of(paths: Iterable[str]) -> list[int]:
    """Return when files were last changed, in seconds since 1970; streams such as standard input have no such time."""
    return [int(file.stat().st_mtime) for file in map(Path, paths) if file.is_file()]


def stated_date() -> datetime | None:
    """Return the date that ``SOURCE_DATE_EPOCH`` states. Raises ``Stop`` if it states none."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,11}", text):
        raise Stop(
            "bad-option",
            f"SOURCE_DATE_EPOCH: {text} is not a time. It takes whole seconds since 1970, such as the output "
            "of date +%s",
        )
    return _at(int(text))


def _at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
