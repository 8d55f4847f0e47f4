"""Refuses a comparison in which a file belongs to two builds, or is named twice: it is a slip of who typed it."""

from __future__ import annotations

import os

from statera.comparison.pairing.variants import label_arguments
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.comparison.pairing.request import Request
    from statera.reading.observations import Observations


def refuse(observations: Observations, named: list[tuple[str | None, str]], request: Request) -> None:
    """Refuse results that were named twice.

    A file that is compared with itself on purpose is named by itself for each build: ``a=FILE b=FILE``.

    Args:
        observations: what was read.
        named: the label (or None) and the text of each argument.
        request: with keys to compare by, all arguments are read together and each file counts once.

    Raises:
        Stop: a file is in the folder, or fits the pattern, of another build; or it is named twice without labels.

    """
    if request.by or request.alone:
        return
    remarks, labels = observations.remarks_by_code, label_arguments(named)
    if remarks.keys() & {"same-file", "shared-file"} and len(set(labels)) > 1:
        _refuse_same_path(named)
    if "shared-file" in remarks:
        _refuse_shared(observations, named, labels)


def _refuse_same_path(named: list[tuple[str | None, str]]) -> None:
    known = set()
    for label, path in named:
        place = os.path.abspath(path)
        if label is None and path != "-" and place in known:
            raise Stop(
                "named-twice",
                f"{path} is named twice. Name each build once, or, to compare it with itself, give each a label: "
                f"a={path} b={path}",
            )
        if label is None:
            known.add(place)


def _refuse_shared(observations: Observations, named: list[tuple[str | None, str]], labels: list[str]) -> None:
    """Refuse a file that two builds have, unless both name the same place."""
    places = [os.path.realpath(path) for _, path in named]
    known: dict[str, int] = {}
    for source in observations.sources:
        first = known.setdefault(os.path.realpath(source.name), source.argument)
        if labels[first] != labels[source.argument] and places[first] != places[source.argument]:
            wider, other = (first, source.argument) if os.path.isdir(places[first]) else (source.argument, first)
            raise Stop(
                "named-twice",
                f"{source.name} belongs to {named[other][1]} and to {named[wider][1]}, so that two builds would have "
                "its values. Name the files of each build",
            )
