"""The pages of the formats: what a person writes, and below it what the readers say of themselves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.output.views import formats as view

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera._native import Format

DOCS: Final = Path(__file__).parents[2] / "docs"
LIST: Final = DOCS / "formats.md"
# The pages whose titles are not the harness.
TITLES: Final = {
    "db-analyser": "Ledger replays",
    "a table of your own": "Tables of your own",
    "perf stat -I, -A or --per-core": "perf stat",
}
_NAMES: Final = {"Tables of your own": "tables"}
_BEGIN, _END = "<!-- formats: make schema writes what follows -->", "<!-- end of formats -->"


def title(known: Format) -> str:
    """Give the title of the page of a format."""
    return TITLES.get(known.harness, known.harness)


def page(known: Format) -> Path:
    """Give the page of a format."""
    name = title(known)
    return DOCS / "formats" / f"{_NAMES.get(name) or re.sub(r'[^a-z0-9_]+', '-', name.lower()).strip('-')}.md"


def written() -> dict[Path, str]:
    """Give the pages as they should be, and the list of them."""
    grouped: dict[Path, list[Format]] = {}
    for known in _native.formats():
        grouped.setdefault(page(known), []).append(known)
    found = {path: _filled(path, f"# {title(held[0])}\n", _facts(held)) for path, held in grouped.items()}
    return {**found, LIST: _filled(LIST, "# Formats\n", _list(grouped))}


def _filled(path: Path, head: str, lines: Iterable[str]) -> str:
    """Give a page with its generated part anew; the first time it stands below the title."""
    text = path.read_text(encoding="utf-8") if path.is_file() else f"{head}\n{_BEGIN}\n{_END}\n"
    before, _, rest = text.partition(_BEGIN)
    return f"{before}{_BEGIN}\n\n" + "\n".join(lines) + f"\n\n{_END}{rest.partition(_END)[2]}"


def _list(grouped: dict[Path, list[Format]]) -> list[str]:
    rows = []
    for path, held in sorted(grouped.items(), key=lambda item: title(item[1][0]).lower()):
        names = ", ".join(f"`{each.name}`" for each in held if not each.refused) or "refused"
        rows.append(f"| [{title(held[0])}](formats/{path.name}) | {names} |")
    return ["| written by | formats |", "| --- | --- |", *rows]


def _facts(held: Sequence[Format]) -> list[str]:
    """Write the tables of the formats of a page."""
    results = [each for each in held if each.has_results]
    lines: list[str] = []
    read = [(f"`{each.name}`", each.written_by, _files(each.files), each.sign) for each in held if not each.refused]
    lines += _table("Formats", ("format", "written by", "files", "recognized by"), read)
    stated = [(f"`{x.name}`", view.value(x), x.processes, x.block or "none", view.states(x)) for x in results]
    lines += _table("", ("format", "a value is", "processes", "blocks", "states"), stated)
    keys = _shared(results, [[(k.name, view.role(k), k.meaning) for k in each.keys] for each in results])
    lines += _table("Keys", ("key", "role", "what it holds", "formats"), keys)
    metrics = _shared(results, [list(each.meanings.items()) for each in results])
    lines += _table("Metrics", ("metric", "what it is", "formats"), metrics)
    refused = [(str(each.refused), each.sign, f"`{each.export}`") for each in held if each.refused]
    lines += _table("Recognized, not read", ("file", "recognized by", "samples come from"), refused)
    beside = [(f"`{files}`", what) for each in held for files, what in each.companions]
    lines += _table("Files without results", ("file", "what it is"), beside)
    return lines[1:]


def _files(patterns: Sequence[str]) -> str:
    return ", ".join(f"`{pattern}`" for pattern in patterns) or "any"


def _shared(held: Sequence[Format], entries: Sequence[Sequence[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """Give each entry once, with the formats that have it; where all have all, that cell is left out."""
    having: dict[tuple[str, ...], list[str]] = {}
    for known, of in zip(held, entries, strict=True):
        for name, *rest in of:
            having.setdefault((f"`{name}`", *rest), []).append(f"`{known.name}`")
    all_have_all = all(len(names) == len(held) for names in having.values())
    if all_have_all:
        return list(having)
    return [(*x, "all" if len(names) == len(held) else ", ".join(names)) for x, names in having.items()]


def _table(heading: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    if not rows:
        return []
    head = head[: len(rows[0])]
    lines = [" | ".join(each.replace("|", "\\|") if "`" not in each else each for each in row) for row in rows]
    above = ["", f"## {heading}"] if heading else []
    return [
        *above,
        "",
        f"| {' | '.join(head)} |",
        f"| {' | '.join('---' for _ in head)} |",
        *(f"| {x} |" for x in lines),
    ]
