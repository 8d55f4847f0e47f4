"""Labels of variants, derived from the arguments."""

from __future__ import annotations

import os

from statera.support.files.names import as_text

ENDINGS = (
    ".gz",
    ".zst",
    ".txt",
    ".csv",
    ".tsv",
    ".json",
    ".ndjson",
    ".jsonl",
    ".parquet",
    ".bench",
    ".out",
    ".log",
)


def split_label(argument: str) -> tuple[str | None, str]:
    """Split ``label=path``; an argument that is the path of an existing file is not split."""
    label, equals, path = argument.partition("=")
    if not equals or not label or not path or "/" in label or os.path.exists(argument):  # noqa: PTH110
        return None, argument
    return as_text(label), path


def label_arguments(arguments: list[tuple[str | None, str]]) -> list[str]:
    """Return the label of each argument: the stated one, or the shortest end of its path that distinguishes it."""
    paths = {as_text(path) for label, path in arguments if label is None}
    named = {label for label, _ in arguments if label is not None}
    return [_short(as_text(path), paths, named) if label is None else label for label, path in arguments]


def variant_numbers(arguments: list[tuple[str | None, str]], *, together: bool = False) -> list[int]:
    """Return the number of the variant of each argument; ``together``: arguments without a label are one variant."""
    labels = [label for label, _ in arguments] if together else label_arguments(arguments)
    numbers: dict[str | None, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def _short(path: str, paths: set[str], named: set[str]) -> str:
    if path == "-":
        return "standard input"
    parts, others = _parts(path), paths - {path}
    for count in range(1, len(parts) + 1):
        label = _without_ending("/".join(parts[-count:]))
        taken = {_without_ending("/".join(_parts(other)[-count:])) for other in others}
        if label not in taken and label not in named:
            return label
    return path


def _parts(path: str) -> list[str]:
    """Split a path into its parts; drop the parts of a pattern that consist of wildcards only."""
    parts = [part for part in path.split("/") if part]
    named = [part for part in parts if any(mark not in "*?.[]" for mark in _without_ending(part))]
    return named or parts or [path]


def _without_ending(name: str) -> str:
    for _ in range(2):
        for ending in ENDINGS:
            if name.endswith(ending) and len(name) > len(ending) and not name[: -len(ending)].endswith("/"):
                name = name[: -len(ending)]
                break
    return name
