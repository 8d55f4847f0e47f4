"""What a report is made from: the comparison, the same values asked the other way, the inspection, the inputs."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.observations import Observations
    from statera.pairing import Request
    from statera.results.comparison import Comparison
    from statera.results.inspection import Inspection
    from statera.settings import Policy
    from statera.settings.provenance import Settings

# Read so many bytes at a time.
_PIECE = 1 << 20


class Question(NamedTuple):
    """A comparison and what it asks, in a few words; empty where it is the only one."""

    words: str
    comparison: Comparison


class Material(NamedTuple):
    """What a report is made from.

    Attributes:
        observations: what was read.
        questions: the comparison that was asked for, then the same values compared the other ways that factors allow;
            none where nothing could be compared.
        inspection: each variant alone; None where there is nothing to look at.
        reason: why nothing could be compared; None where something could, or where one variant was all that was given.
        command: as it was typed.
        settings: thresholds and methods, and where they come from.
        atlas: whether the normality atlas was asked for; without a comparison it stands in any case.

    """

    observations: Observations
    questions: tuple[Question, ...]
    inspection: Inspection | None
    reason: Stop | None
    command: str
    settings: Settings
    atlas: bool = False

    @property
    def policy(self) -> Policy:
        """The thresholds and methods."""
        return self.settings.policy

    @property
    def comparison(self) -> Comparison | None:
        """The comparison that was asked for."""
        return self.questions[0].comparison if self.questions else None


def questions(
    comparison: Comparison, request: Request, compare: Callable[[Request], Comparison]
) -> tuple[Question, ...]:
    """Ask what else the factors allow, where variants are compared at each level of others.

    The factors change places (the compilers compared for each branch, where the branches were for each compiler), and
    every combination is compared with one baseline. What cannot be compared so is left out.

    Args:
        comparison: that was asked for.
        request: that it answers.
        compare: answers another request from the same values.

    """
    factors = tuple(comparison.arrangement.factors)
    by = comparison.arrangement.by
    if not factors or not by:
        return (Question("", comparison),)
    found = [Question(f"By {_listed(by)}, at each {_listed(factors)}", comparison)]
    try:
        other = compare(request._replace(by=factors, within=by, baseline=None))
        found.append(Question(f"By {_listed(factors)}, at each {_listed(by)}", other))
        base = f"{comparison.labels[0]}/{other.labels[0]}"
        whole = compare(request._replace(by=(*by, *factors), within=(), baseline=base, pairs="baseline"))
        found.append(Question(f"Every combination of {_listed((*by, *factors))} against {base}", whole))
    except Stop:
        # A cell was not measured, or has no partner: what could be asked has been.
        pass
    return tuple(found)


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join(words)


class Input(NamedTuple):
    """A file that was read; ``sha256`` is empty where it cannot be read again (standard input)."""

    name: str
    size: int | None
    sha256: str


def inputs(observations: Observations) -> list[Input]:
    """Return each file that was read with its size and the SHA-256 of its bytes as they are now."""
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
    """Return the versions of what computed and drew."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - only where it is asked for

    from statera import __version__  # noqa: PLC0415

    found = [("statera", __version__), ("Python", platform.python_version()), ("system", platform.platform())]
    for name in ("altair", "vl-convert-python", "typst"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return found
