"""What the columns of an inspection and the fields of written rows mean, from where the compiled code defines them."""

from __future__ import annotations

from textwrap import fill

from statera import _native

_WIDTH = 100


def fields() -> dict[str, list[tuple[str, str]]]:
    """Return, for each column and each field, where it stands and what it means there."""
    found: dict[str, list[tuple[str, str]]] = {}
    for heading, meaning in _native.Inspection.meanings():
        found.setdefault(word(heading), []).append(("In the table of statera inspect", meaning))
    for verb, described in (("inspect", _native.inspected_fields()), ("compare", _native.row_fields())):
        for name, _, _, unit, meaning, _ in described:
            where = f"In CSV and JSON of statera {verb}" + (f" (unit: {unit})" if unit else "")
            found.setdefault(word(name), []).append((where, meaning))
    return found


def word(heading: str) -> str:
    """Return the word that explains a heading: ``normal-p``."""
    return "-".join(heading.lower().split())


def text(meanings: list[tuple[str, str]]) -> str:
    """Write what a column or field means, below where it stands."""
    paragraphs = [f"{where}\n{fill(meaning, _WIDTH, break_on_hyphens=False)}" for where, meaning in meanings]
    return "\n\n".join(paragraphs)
