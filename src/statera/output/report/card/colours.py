"""The colours of cards and badges: those of the theme, by tone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from statera.comparison.codes import VERDICTS
from statera.output.plots import theme

if TYPE_CHECKING:
    from statera.output.plots.theme import Mode
    from statera.output.report.model import Tone

Scheme = Literal["auto", "light", "dark"]

_CALM: Final[tuple[Tone, ...]] = ("", "equivalent", "inconclusive")
_VERDICTS: Final[dict[Tone, str]] = {"": "one-value", "unfit": "worse", "doubtful": "missing"}


def of_tone(tone: Tone, mode: Mode = "light") -> str:
    """Return the colour of a tone."""
    return theme.palette(mode).verdicts[VERDICTS.index(_VERDICTS.get(tone, tone))]


def ink(tone: Tone) -> Tone:
    """Return the tone of a text, for which the colours of calm verdicts are too light."""
    return "differs" if tone in _CALM else tone


def style(tones: set[Tone], scheme: Scheme) -> str:
    """Return the style sheet: a class for each part and tone; ``auto`` follows the reader's colour scheme."""
    if scheme != "auto":
        return _classes(tones, scheme)
    return f"{_classes(tones, 'light')}@media (prefers-color-scheme:dark){{{_classes(tones, 'dark')}}}"


def _classes(tones: set[Tone], mode: Mode) -> str:
    palette = theme.palette(mode)
    parts = {"page": palette.background, "text": palette.text, "muted": palette.muted}
    fills = {**parts, **{class_of(tone): of_tone(tone, mode) for tone in sorted(tones)}}
    rules = [f".{name}{{fill:{colour}}}" for name, colour in fills.items()]
    lines = {"grid": palette.grid, "zero": palette.line}
    lines |= {f"line-{class_of(tone)}": of_tone(tone, mode) for tone in sorted(tones)}
    return "".join([*rules, *(f".{name}{{stroke:{colour}}}" for name, colour in lines.items())])


def class_of(tone: Tone) -> str:
    """Return the class of a tone."""
    return f"tone-{tone or 'none'}"
