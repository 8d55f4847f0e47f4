"""The page of all codes, from the catalogue that ``statera explain`` reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.comparison.verdicts.catalogue import cluster, comparisons, errors, experiments, histories

if TYPE_CHECKING:
    from statera.comparison.verdicts.catalogue import Entry

_HEAD: Final = """# Codes

Every output names what it warns of by a code in square brackets. `make schema` writes this page from what
`statera explain CODE` prints.
"""
_PARTS: Final = {
    "Columns of the table": (comparisons.COLUMNS, comparisons.BESIDE, comparisons.BELOW),
    "Verdicts and reasons": (comparisons.OUTCOMES, comparisons.RIDERS),
    "Defects of a benchmark": (comparisons.DEFECTS,),
    "Warnings and notes": (comparisons.REMARKS,),
    "Problems of reading": (errors.PROBLEMS,),
    "Errors that end a command": (errors.STOPS,),
    "Experiments": (experiments.MARKS, experiments.AFTER_A_RUN, experiments.VERIFIED, experiments.EXPERIMENTS),
    "Folders of runs": (experiments.RUNS,),
    "Clusters": (cluster.CLUSTER,),
    "Histories and servers": (histories.SERIES, histories.HISTORIES, histories.SERVERS),
}


def page() -> str:
    """Give the page: every code once, in the parts of the catalogue."""
    seen: set[str] = set()
    lines = [_HEAD]
    for title, tables in _PARTS.items():
        lines.append(f"## {title}\n")
        for code, entry in ((code, entry) for table in tables for code, entry in table.items()):
            if code not in seen:
                seen.add(code)
                lines.append(_entry(code, entry))
    return "\n".join(lines)


def _entry(code: str, entry: Entry) -> str:
    return (
        f"### {code}\n\n{_plain(entry.meaning)}\n\n{_plain(entry.why)}\n\n**What to do.** {_plain(entry.what_to_do)}\n"
    )


def _plain(text: str) -> str:
    """Escape what Markdown would read as a sign, outside of code."""
    parts = text.split("`")
    for place in range(0, len(parts), 2):
        for sign in "\\*_<>[]":
            parts[place] = parts[place].replace(sign, f"\\{sign}")
    return "`".join(parts)
