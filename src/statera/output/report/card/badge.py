"""The badge of a report: a few words on a coloured ground, such as ``statera | 2 slower``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.output import svg
from statera.output.plots import theme
from statera.output.report.card import colours
from statera.output.report.model import Banner, Share
from statera.output.svg import Element, element

if TYPE_CHECKING:
    from statera.output.report.model import Document, Tone

_SIZE: Final = 11
_HEIGHT: Final = 20
_PADDING: Final = 6
_NAME: Final = "statera"
_CHANGES: Final[tuple[Tone, ...]] = ("worse", "unfit", "missing", "changed", "differs", "doubtful", "better")


def text(document: Document) -> str:
    """Write the badge; its words have a ground of their own, so that it needs no dark variant."""
    banner = next((block for block in document.blocks if isinstance(block, Banner)), None)
    return drawn(*said(banner.shares if banner else ()))


def drawn(words: str, tone: Tone) -> str:
    """Draw a badge with these words on the ground of a tone."""
    left, right = (svg.text_width(part, _SIZE) for part in (_NAME, words))
    wide = round(left + right + 4 * _PADDING)
    edge = round(left + 2 * _PADDING)
    ground = colours.of_tone(colours.ink(tone))
    grey = theme.LIGHT.series[0]
    title = f"{_NAME}: {words}"
    whole = element("rect", width=wide, height=_HEIGHT, rx=3)
    parts = (
        element("rect", width=edge, height=_HEIGHT, fill=grey),
        element("rect", x=edge, width=wide - edge, height=_HEIGHT, fill=ground),
    )
    texts = (_word(_NAME, _PADDING, left), _word(words, edge + _PADDING, right))
    drawn = svg.document(
        wide,
        _HEIGHT,
        element("title", title),
        element("clipPath", whole, id="round"),
        element("g", *parts, clip_path="url(#round)"),
        element("g", *texts, fill="#ffffff", font_family=theme.SANS, font_size=_SIZE),
        role="img",
        aria_label=title,
    )
    return f"{drawn}\n"


def _word(words: str, x: float, width: float) -> Element:
    # The browser fits the text to the measured width, whatever font it has.
    return element("text", words, x=float(x), y=14, textLength=f"{width:.4g}")


def said(shares: tuple[Share, ...]) -> tuple[str, Tone]:
    """Return what a badge says of the shares, the most urgent alone, and its tone."""
    for tone in _CHANGES:
        share = next((share for share in shares if share.tone == tone and share.words != "new"), None)
        if share is not None:
            return f"{share.count:,} {share.words}", tone
    undecided = next((share for share in shares if share.tone == "inconclusive"), None)
    alike = next((share for share in shares if share.tone == "equivalent"), None)
    if alike is not None and undecided is None:
        return "no change", "better"
    if undecided is not None:
        return (
            f"no change, {undecided.count:,} {undecided.words}" if alike else f"{undecided.count:,} {undecided.words}",
            "inconclusive",
        )
    return "not judged" if shares else "nothing compared", "inconclusive"
