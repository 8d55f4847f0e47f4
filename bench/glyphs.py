"""Write the characters that the fonts of typst and vl-convert can show to src/statera/output/report/glyphs.txt.

    python bench/glyphs.py

The wheels of both contain their fonts uncompressed, so the fonts are found by their headers and read with fontTools.
Run this again when either is updated; tests/report/test_glyphs.py fails if the table is out of date.
"""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from fontTools.ttLib import TTFont, TTLibError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

OUTPUT = Path(__file__).resolve().parents[1] / "src/statera/output/report/glyphs.txt"
# The fonts that show a character: one of these families, in each of these styles.
PAGES: dict[str, tuple[str, ...]] = {
    "Libertinus Serif": ("Regular", "Bold"),
    "Libertinus Serif Semibold": ("Regular",),
    "DejaVu Sans Mono": ("Book", "Bold"),
    "NewComputerModernMath": ("Regular", "Bold"),
}
PICTURES: dict[str, tuple[str, ...]] = {"Liberation Sans": ("Regular", "Bold")}
# No font has more tables or larger offsets than these.
_TABLES, _LENGTH = 64, 16 << 20


def fonts(path: Path) -> Iterator[tuple[str, str, set[int]]]:
    """Find the fonts in a file: family, style, characters."""
    data = path.read_bytes()
    for sign in (b"OTTO", b"\x00\x01\x00\x00"):
        at = data.find(sign)
        while at >= 0:
            end = _end(data, at)
            if end:
                try:
                    font = TTFont(io.BytesIO(data[at : at + end]))
                    yield font["name"].getDebugName(1), font["name"].getDebugName(2), set(font.getBestCmap())
                except (TTLibError, struct.error, KeyError, TypeError):
                    pass
            at = data.find(sign, at + 1)


def _end(data: bytes, at: int) -> int:
    """Return the length of the font that begins here; 0 if there is none."""
    (count,) = struct.unpack(">H", data[at + 4 : at + 6])
    if not 5 <= count <= _TABLES or at + 12 + 16 * count > len(data):
        return 0
    records = [struct.unpack(">4sIII", data[at + 12 + 16 * i : at + 28 + 16 * i]) for i in range(count)]
    tags = {tag for tag, _, _, _ in records}
    if not {b"cmap", b"name"} <= tags or any(offset + length > _LENGTH for _, _, offset, length in records):
        return 0
    return max(offset + length for _, _, offset, length in records)


def covered(library: Path, wanted: dict[str, tuple[str, ...]]) -> set[int]:
    """Return the characters that some family shows in every required style."""
    found = {(family, style): characters for family, style, characters in fonts(library)}
    # The weights of a family are one family to the typesetter.
    serif = [found[key] for key in found if key[0].startswith("Libertinus Serif") and key[1] in {"Regular", "Bold"}]
    shown = set.intersection(*serif) if serif else set()
    for family, styles in wanted.items():
        if not family.startswith("Libertinus"):
            shown |= set.intersection(*(found[family, style] for style in styles))
    return shown


def ranges(characters: set[int]) -> str:
    """Write numbers as ranges: ``20-7e a0-17f``."""
    parts: list[list[int]] = []
    for character in sorted(characters):
        if parts and parts[-1][1] == character - 1:
            parts[-1][1] = character
        else:
            parts.append([character, character])
    return " ".join(f"{low:x}" if low == high else f"{low:x}-{high:x}" for low, high in parts)


def table() -> str:
    """Return the table of the installed fonts."""
    import typst
    import vl_convert

    lines = []
    rows: tuple[tuple[str, ModuleType, dict[str, tuple[str, ...]]], ...] = (
        ("pages", typst, PAGES),
        ("pictures", vl_convert, PICTURES),
    )
    for name, module, wanted in rows:
        (library,) = Path(str(module.__file__)).parent.glob("*.so")
        lines.append(f"{name} {ranges(covered(library, wanted))}\n")
    return "".join(lines)


if __name__ == "__main__":
    OUTPUT.write_text(table())
