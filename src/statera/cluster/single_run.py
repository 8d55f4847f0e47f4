"""The analysis of a single run, which lines can be looked up in; of anything else what to give instead."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

from statera.cluster.analysis import POOLED, SUMMARY
from statera.cluster.samples import is_analysed, load_summary
from statera.errors import Stop
from statera.logs.directories import directory_name
from statera.logs.host_events import EVENTS
from statera.logs.log_files import layout
from statera.wording import listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MOST_NAMED: Final = 10


def load_single(path: Path) -> dict[str, Any]:
    """Read the summary of a run's analysis.

    Raises:
        Stop: it cannot be read, or the directory holds something else: several runs together, analyses, logs.

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
        one = _one_of(folders) if folders else "give the analysis of a single run"
        raise Stop("not-analysed", f"{path}: holds several runs together, and the lines of none; {one}")
    return summary


def _instead(path: Path) -> str:
    """Say what a directory without a summary is, and what to do."""
    if not path.is_dir():
        return "there is no such directory; give one that statera cluster analyse wrote"
    analyses = [each for each in sorted(path.iterdir()) if each.name != POOLED and is_analysed(each)]
    if analyses:
        return f"holds the analyses of {len(analyses)} runs; {_one_of(analyses)}"
    if (path / EVENTS).is_dir():
        return f"its analysis did not come to its end; statera cluster analyse RUN -o {shlex.quote(str(path))}"
    if any((path / name).is_file() for name in ("run.json", "meta.json")) or layout(path).logs:
        command = f"statera cluster analyse {shlex.quote(str(path))} -o OUT"
        return f"holds logs, no analysis; analyse it into another directory first ({command}) and give that"
    return f"no {SUMMARY} there; statera cluster analyse RUN -o OUT writes one, and OUT is what to give"


def _one_of(folders: Sequence[Path]) -> str:
    return f"give one of them: {listed((shlex.quote(str(folder)) for folder in folders), _MOST_NAMED)}"
