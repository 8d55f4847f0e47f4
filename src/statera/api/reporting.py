"""Writes the material of a report to files, for the library."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from statera.output.report.material import Material

    Paths = str | PathLike[str] | Sequence[str | PathLike[str]]


def write(
    gather: Callable[[], Material],
    to: Paths,
    *,
    inputs: Sequence[str] = (),
    title: str = "",
    notes: str | PathLike[str] | None = None,
    atlas: bool = False,
) -> list[str]:
    """Write a report to each file, whose name selects the kind, and return the names of all written files.

    Args:
        gather: gathers the material, after the files and the notes are checked.
        to: the files.
        inputs: the files that are read, which a report never replaces.
        title: as in ``statera.output.report``.
        notes: as in ``statera.output.report``.
        atlas: as in ``statera.output.report``.

    Raises:
        Stop: a file cannot be written, or nothing could be compared, which the written report says too.

    """
    from statera.output.report import dated, said, writers  # noqa: PLC0415 - what compares does without

    paths = [os.fspath(path) for path in ([to] if isinstance(to, (str, os.PathLike)) else to)]
    if not paths:
        raise Stop("bad-option", "name the report: report.html, report.pdf, report.md, card.svg or badge.svg")
    for path in paths:
        writers.check(path, inputs)
    options = said(title, notes)
    material = gather()
    # A library starts no process that its caller did not ask for.
    with writers.announced(map(writers.kind_of, paths), early=False):
        document = dated(material._replace(atlas=atlas), options)
        written = [name for path in paths for name in writers.write(document, path)]
    if material.reason is not None:
        raise material.reason
    return written
