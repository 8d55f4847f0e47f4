"""The formats as text: the list of all, and everything about one."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Final

    from statera._native import Format, Key

_VALUES: Final = {
    "samples": "a measurement",
    "averages": "an average over iterations",
    "aggregates": "a summary of samples",
    "none": "none: the file accompanies results",
    "refused": "none: the file has no samples",
}
_POOLED: Final = {"always": "pooled", "unshared": "pooled if the variants share none", "never": "never pooled"}


def value(known: Format) -> str:
    """Say what a value of the format is: a measurement, an average or a summary."""
    return _VALUES[known.values]


def listing(formats: Sequence[Format], packages: Mapping[str, str]) -> str:
    """List the formats: name, harness, what a value is, and the package of a plug-in."""
    rows = [(each.name, each.harness, _VALUES[each.values] + _plug_in(packages[each.name])) for each in formats]
    names, writers = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = "".join(f"{name:{names}}  {writer:{writers}}  {value}\n" for name, writer, value in rows)
    return f"{lines}The option that exports one, its keys and its metrics: statera formats NAME\n"


def _plug_in(package: str) -> str:
    return f" (plug-in of {package})" if package else ""


def description(known: Format, package: str) -> str:
    """Write everything about a format; ``package`` has its plug-in, if it has one."""
    facts = [("plug-in of", package)] if package else []
    facts += [
        ("written by", known.written_by),
        ("recognized by", known.sign),
        ("files", ", ".join(known.files) or "any name"),
        ("a value is", _VALUES[known.values]),
    ]
    if known.refused:
        facts += [("the file is", known.refused), ("samples come from", known.export)]
    if known.has_results:
        facts += [("processes", known.processes), ("blocks", known.block or "none"), ("states", states(known))]
    lines = [f"{known.name}", *(f"  {name + ':':18} {fact}" for name, fact in facts)]
    keys = ((key.name, f"{role(key)}: {key.meaning}") for key in known.keys)
    lines += _block("keys", keys)
    lines += _block("metrics", known.meanings.items())
    lines += _block("files without results beside them", known.companions)
    return "\n".join(lines) + "\n"


def role(key: Key) -> str:
    """Say what a key describes, and whether values that differ in it are pooled."""
    return f"{key.role}, {_POOLED[key.pooling]}"


def states(known: Format) -> str:
    """Say what a file states beside its values."""
    return ", ".join(known.states) or "nothing"


def _block(title: str, entries: Iterable[tuple[str, str]]) -> list[str]:
    held = list(entries)
    width = max((len(name) for name, _ in held), default=0)
    return [f"  {title}:", *(f"    {name:{width}}  {words}" for name, words in held)] if held else []
