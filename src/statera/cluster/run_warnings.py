"""The warnings of runs as text."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The source of these warnings is a log file; the source of all others is the run.
_OF_FILES: Final = frozenset({"truncated-log", "changed-log"})


def told(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Return code and text of every warning of a run; a warning of a log file begins with its name below the run."""
    for warning in summary.get("warnings") or ():
        code, what = str(warning.get("code")), str(warning["what"])
        yield code, f"{_file(summary, str(warning.get('source')))}: {what}" if code in _OF_FILES else what


def _file(summary: dict[str, Any], source: str) -> str:
    """Return the name of a log file below its run: a file of the run itself, or of a host's directory."""
    path = PurePath(source)
    host = path.parent.name
    return f"{host}/{path.name}" if host and host != summary.get("run") else path.name


def told_of(summaries: Sequence[dict[str, Any]]) -> list[str]:
    """Return the warnings of the runs of a variant, each once; if there are several runs, with the runs' names."""
    runs: dict[str, list[str]] = {}
    for summary in summaries:
        for _, what in told(summary):
            runs.setdefault(what, []).append(str(summary.get("run")))
    if len(summaries) == 1:
        return list(runs)
    return [f"{what} ({', '.join(dict.fromkeys(names))})" for what, names in runs.items()]
