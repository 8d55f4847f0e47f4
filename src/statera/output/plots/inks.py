"""The colours of pictures inside a page, which follow the page's theme without scripts.

A picture is drawn once, in the light theme. Each of its colours stands for a CSS variable that has another value in
the dark theme; a rule for each colour says so. Two parts of the theme that share a light colour but not a dark one are
drawn in colours that differ by one step, which nobody sees, so that the rules can tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

from statera.output.plots import theme

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours that a picture is drawn in, and for each the colours of the light and the dark theme."""

    palette: theme.Palette
    pairs: dict[str, tuple[str, str]]

    def variables(self, mode: theme.Mode) -> str:
        """Return the CSS variables of a theme."""
        place = theme.MODES.index(mode)
        return " ".join(f"--ink-{number}: {pair[place]};" for number, pair in enumerate(self.pairs.values()))

    def rules(self, within: str) -> str:
        """Return the CSS rules that give each colour its variable, for pictures that a selector finds."""
        return "".join(
            f'{within} [{part}="{ink}"] {{ {part}: var(--ink-{number}); }}\n'
            for number, ink in enumerate(self.pairs)
            for part in ("fill", "stroke")
        )


@cache
def inks() -> Inks:
    """Return the colours of pictures inside a page."""
    pairs: dict[str, tuple[str, str]] = {}
    changed: dict[str, str | tuple[str, ...]] = {}
    for each in fields(theme.Palette):
        light, dark = getattr(theme.LIGHT, each.name), getattr(theme.DARK, each.name)
        if isinstance(light, str):
            changed[each.name] = _ink(light, dark, pairs)
        else:
            changed[each.name] = tuple(_ink(*pair, pairs) for pair in zip(light, dark, strict=True))
    return Inks(theme.Palette(**changed), pairs)  # type: ignore[arg-type]  # each field keeps its type


def _ink(light: str, dark: str, pairs: dict[str, tuple[str, str]]) -> str:
    """Return the colour that stands for a pair, and keep it."""
    ink = next(each for each in _near(light) if pairs.get(each, (light, dark)) == (light, dark))
    pairs[ink] = (light, dark)
    return ink


def _near(colour: str) -> Iterator[str]:
    """Return a colour, then those that differ from it by ever more steps of blue."""
    value = int(colour[1:], 16)
    blue = value & 0xFF
    for step in range(256):
        yield f"#{(value - blue) | (blue + step if blue < 128 else blue - step):06x}"  # noqa: PLR2004 - half of a byte
