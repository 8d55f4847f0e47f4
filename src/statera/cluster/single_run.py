"""Opens one run's analysis for lookups of lines; otherwise says what to pass instead."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from statera.cluster.analysis import POOLED, SUMMARY
from statera.cluster.logs.directories import directory_name
from statera.cluster.logs.host_events import EVENTS
from statera.cluster.logs.log_files import layout
from statera.cluster.samples import is_analysed, load_summary
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MOST_NAMED: Final = 10


def load_single(path: Path) -> dict[str, Any]:
    """Read the summary of a run's analysis.

    Raises:
        Stop: it cannot be read, or the directory holds something else: pooled runs, several analyses, logs.

    """
    try:
        if not is_analysed(path):
            raise Stop("not-analysed", f"{path}: {_instead(path)}")
    except OSError as error:
        raise Stop("not-analysed", f"{path}: cannot be read: {error.strerror}") from None
    summary = load_summary(path)
    if "runs" in summary:
        above = path.parent if path.name not in {"", ".."} else path.resolve().parent
        folders = [folder for name in summary["runs"] if is_analysed(folder := above / directory_name(name))]
        one = _one_of(folders) if folders else "pass the analysis of a single run"
        raise Stop("not-analysed", f"{path}: holds several runs pooled, without their lines; {one}")
    return summary


def _instead(path: Path) -> str:
    """Describe what a directory without a summary holds, and what to do."""
    if not path.is_dir():
        return "there is no such directory; pass one that statera cluster analyse wrote"
    analyses = [each for each in sorted(path.iterdir()) if each.name != POOLED and is_analysed(each)]
    if analyses:
        return f"holds the analyses of {len(analyses)} runs; {_one_of(analyses)}"
    if (path / EVENTS).is_dir():
        return f"its analysis did not finish; run statera cluster analyse RUN -o {shlex.quote(str(path))}"
    if any((path / name).is_file() for name in ("run.json", "meta.json")) or layout(path).logs:
        command = f"statera cluster analyse {shlex.quote(str(path))} -o OUT"
        return f"holds logs, not an analysis; analyse them into another directory first ({command}) and pass that one"
    return f"has no {SUMMARY}; run statera cluster analyse RUN -o OUT, and pass OUT"


def _one_of(folders: Sequence[Path]) -> str:
    return f"pass one of them: {listed((shlex.quote(str(folder)) for folder in folders), _MOST_NAMED)}"
