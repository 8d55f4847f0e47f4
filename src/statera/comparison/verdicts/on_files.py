"""Notes on the files of the variants: copies, files that count as runs, and a baseline that is one only by its name."""

from __future__ import annotations

import os
import re

from statera import _native
from statera.comparison.verdicts.notes import Note
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from statera.comparison.pairing import Arrangement, Request
    from statera.reading.observations import Observations

_FEW = 3
_BEFORE = {"base", "baseline", "before", "control", "main", "master", "old", "prev", "previous"}


def on_files(observations: Observations, arrangement: Arrangement) -> list[Note]:
    """Return the notes on the files of the variants."""
    found = [_on_copies(arrangement.copies)] if arrangement.copies else []
    return found + _on_pooled_files(observations, arrangement)


def on_baseline(arrangement: Arrangement, request: Request) -> list[Note]:
    """Return a note if the baseline was not chosen and another variant has the name of one."""
    first, *others = arrangement.labels
    before = next((label for label in others if label.lower() in _BEFORE), None)
    if before is None or first.lower() in _BEFORE or request.baseline is not None:
        return []
    first, before = (_native.printable(label) for label in (first, before))
    text = f"the baseline is {first}, because it comes first; --baseline {before} compares with {before}"
    return [Note("baseline-first", text)]


def _on_copies(copies: list[tuple[str, str]]) -> Note:
    shown = listed((f"{_native.printable(copy)} of {_native.printable(of)}" for copy, of in copies), _FEW)
    return Note("copies", f"{counted(len(copies), 'file is a copy', 'files are copies')} and not counted: {shown}")


def _on_pooled_files(observations: Observations, arrangement: Arrangement) -> list[Note]:
    """Return a note if files whose names mean something count as runs of one another."""
    of_variant = _pooled(observations, arrangement) if any(arrangement.assignment.files_are_runs) else {}
    if not of_variant:
        return []
    sources = observations.sources
    first, *others = (_relative([sources[each].name for each in files]) for files in of_variant.values())
    # Numbers and dates number runs, and so do names that the other variants do not have.
    bare = {re.sub(r"\d+", "", name) for name in first}
    if len(first) < 2 or len(bare) < len(first) or any(other != first for other in others):  # noqa: PLR2004
        return []
    base = {os.path.basename(name) for name in first}  # noqa: PTH119
    stem, ending = os.path.splitext(os.path.basename(first[0]))  # noqa: PTH119, PTH122
    pattern = f"{{work}}{ending}" if len(base) == len(first) else f"{{machine}}/{stem}{ending}"
    text = (
        f"each file counts as a run: {listed(map(_native.printable, first), _FEW)}; if their names mean different work "
        f"or machines, --name-pattern {_native.printable(repr(pattern))} compares them separately"
    )
    return [Note("files-pooled", text)]


def _pooled(observations: Observations, arrangement: Arrangement) -> dict[int, list[int]]:
    """Return the files of each variant whose values of one benchmark are pooled in one group."""
    assignment = arrangement.assignment
    found: dict[int, set[int]] = {}
    contexts = observations.contexts
    for together in observations.native.contexts_of_one_benchmark():
        sources: dict[tuple[int, int], set[int]] = {}
        for number in together:
            variant = assignment.variant_of_context[number]
            if variant is not None:
                sources.setdefault((variant, assignment.group_of_context[number]), set()).add(contexts[number].source)
        for (variant, _), files in sources.items():
            if len(files) > 1:
                found.setdefault(variant, set()).update(files)
    return {variant: sorted(files) for variant, files in sorted(found.items())}


def _relative(names: list[str]) -> list[str]:
    """Return the names below the folder that all have in common, sorted."""
    # One file can be named from here and another one from the root.
    paths = [os.path.abspath(name) for name in names]  # noqa: PTH100
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])  # noqa: PTH120
    return sorted(os.path.relpath(path, folder) for path in paths)
