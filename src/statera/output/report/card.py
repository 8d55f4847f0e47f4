"""The answer as a picture: a card of 1200 by 630 pixels, and a badge such as ``statera | 2 slower``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera.comparison.codes import VERDICTS
from statera.output import svg
from statera.output.plots import theme
from statera.output.report.model import Banner, Items, Share
from statera.output.svg import Element, element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.output.plots.theme import Mode
    from statera.output.report.model import Document, Interval, Lead, Tone

WIDTH: Final = 1200
HEIGHT: Final = 630
_MARGIN: Final = 64
_ROOM: Final = WIDTH - 2 * _MARGIN
_TOP: Final = 92
_SMALL: Final = 22
_FOOT: Final = HEIGHT - 40
_MOST_LEADS: Final = 6
# The largest size in which the answer needs no more lines than this; the smallest loses its last lines.
_SIZES: Final = ((48, 2), (42, 3), (36, 3), (30, 4))
_ROW: Final = 46
_LEAST_ROW: Final = 34
_BAR: Final = 20
_LEAST_PART: Final = 6
_DRAWN: Final = 0.24  # of the room
_MOST_NUMBERS: Final = 0.42
_NUMBERS: Final = (22, 20, 18)  # sizes
# The longest word of an answer that does not fit, as a part of the room; only names are so long.
_LONGEST: Final = 0.4
_GAP: Final = 28


def card(document: Document, scheme: Scheme = "auto") -> str:
    """Write the card; ``auto`` follows the reader's colour scheme."""
    banner = answer_of(document)
    # Without rows below it, the answer stands in the middle.
    top, answer = _answer(banner.line, _TOP if banner.leads else 3 * _TOP // 2 + _GAP)
    bar = [*_bar(banner.shares, top)]
    top += 2 * _GAP + _BAR + _SMALL if banner.shares else 0
    count = _count(top)
    leads = [*_leads(banner.leads[:count], top)]
    foot = [*_foot(document.byline, banner.shown(min(count, len(banner.leads))), banner.places if leads else "")]
    tones = {share.tone for share in banner.shares} | {lead.tone for lead in banner.leads}
    tones |= {ink(tone) for tone in tones}
    drawn = svg.document(
        WIDTH,
        HEIGHT,
        element("title", banner.line, id="title"),
        element("desc", _told(banner), id="desc"),
        element("style", style(tones, scheme)),
        element("rect", class_="page", width=WIDTH, height=HEIGHT),
        _text(document.subtitle or document.title, (_MARGIN, 76), _ROOM, "muted"),
        *(part for parts in (answer, bar, leads, foot) for part in parts),
        role="img",
        aria_labelledby="title desc",
        font_family=theme.SANS,
    )
    return f"{drawn}\n"


def answer_of(document: Document) -> Banner:
    """Return the banner of a document; without one, its first finding or its title stands for it."""
    for block in document.blocks:
        if isinstance(block, Banner):
            return block
        if isinstance(block, Items) and block.findings and block.items:
            return Banner(block.items[0].text.rstrip("."), (), (), "")
    return Banner(document.title, (), (), "")


def _told(banner: Banner) -> str:
    """Describe what is drawn."""
    shares = ", ".join(f"{share.count:,} {share.words}" for share in banner.shares)
    leads = "; ".join(f"{lead.name} {lead.text}" for lead in banner.leads[:_MOST_LEADS])
    return ". ".join(part for part in (shares, leads) if part)


def _text(words: str, at: tuple[float, float], most: float, part: str = "text", size: float = _SMALL) -> Element:
    """Write a text that is not wider than ``most``; the answer is bold."""
    bold = size > _SMALL
    weight = {"font_weight": "bold"} if bold else {}
    written = svg.cut(words, most, size, bold=bold)
    return element("text", written, class_=part, x=at[0], y=at[1], font_size=size, **weight)


def _answer(line: str, top: float) -> tuple[float, list[Element]]:
    """Write the answer as large as it fits, and return where it ends."""
    size, lines = next(
        ((size, lines) for size, most in _SIZES if len(lines := _lines(line, size, 1.0)) <= most), (0, [""])
    )
    if not size:
        size, most = _SIZES[-1]
        lines = _lines(line, size, _LONGEST)
        if len(lines) > most:
            lines = [*lines[: most - 1], f"{lines[most - 1]} …"]
    step = 1.25 * size
    top += size
    made = [_text(words, (_MARGIN, top + step * place), _ROOM, "text", size) for place, words in enumerate(lines)]
    return top + step * (len(lines) - 1), made


def _lines(line: str, size: float, longest: float) -> list[str]:
    words = [svg.cut(word, _ROOM * longest, size, bold=True) for word in line.split()]
    return svg.wrapped(" ".join(words), _ROOM, size, bold=True)


def _bar(shares: tuple[Share, ...], top: float) -> Iterator[Element]:
    """Draw how many have which verdict, with the counts below."""
    total = sum(share.count for share in shares)
    if not total:
        return
    y = top + _GAP
    widths = _parts([share.count for share in shares], _ROOM - 3 * (len(shares) - 1))
    x: float = _MARGIN
    for share, width in zip(shares, widths, strict=True):
        yield _rect(share.tone, x, y, width, _BAR)
        x += width + 3
    x = _MARGIN
    y += _BAR + 16
    for share in shares:
        words = f"{share.count:,} {share.words}"
        if x + 26 + svg.text_width(words, _SMALL) > WIDTH - _MARGIN:
            return
        yield _rect(share.tone, x, y, 14, 14)
        yield _text(words, (x + 22, y + 14), _ROOM)
        x += 22 + svg.text_width(words, _SMALL) + 30


def _rect(tone: Tone, x: float, y: float, width: float, height: float) -> Element:
    kind, left, wide = class_of(tone), f"{x:.2f}", f"{width:.2f}"
    return element("rect", class_=kind, x=left, y=y, width=wide, height=height, rx=3)


def _parts(counts: list[int], room: float) -> list[float]:
    """Divide a width by counts, so that even the smallest part can be seen."""
    least = [max(room * count / sum(counts), _LEAST_PART) for count in counts]
    return [width * room / sum(least) for width in least]


class _Columns(NamedTuple):
    """How wide names are, and where the drawing and the numbers stand, in which size."""

    names: float
    drawn: float
    width: float
    numbers: float
    size: float


def _columns(leads: tuple[Lead, ...]) -> _Columns:
    """Give the numbers the room that they need, because they are never shortened; names get what is left."""
    size = next((size for size in _NUMBERS if _widest(leads, size) <= _ROOM * _MOST_NUMBERS), _NUMBERS[-1])
    numbers = _widest(leads, size)
    width = _ROOM * _DRAWN if any(lead.interval for lead in leads) else 0.0
    start = WIDTH - _MARGIN - numbers
    drawn = start - _GAP - width
    return _Columns(drawn - _GAP - _MARGIN, drawn, width, start, size)


def _widest(leads: tuple[Lead, ...], size: float) -> float:
    return max(svg.text_width(lead.text, size) for lead in leads)


def _fitting(lead: Lead) -> Lead:
    """Leave out the interval of a row whose numbers are too long, instead of cutting a number."""
    if svg.text_width(lead.text, _NUMBERS[-1]) <= _ROOM * _MOST_NUMBERS:
        return lead
    return replace(lead, text=lead.text.partition(" [")[0])


def _count(top: float) -> int:
    """Return how many rows fit below a height."""
    return max(min(_MOST_LEADS, int((_FOOT - 34 - top) // _LEAST_ROW)), 0)


def _leads(leads: tuple[Lead, ...], top: float) -> Iterator[Element]:
    """Draw the rows that matter most."""
    shown = tuple(_fitting(lead) for lead in leads)
    if not shown:
        return
    step = min(_ROW, (_FOOT - 34 - top) / len(shown))
    at = _columns(shown)
    names = svg.apart([lead.name for lead in shown], at.names, _SMALL)
    zero = next((lead.interval.zero for lead in shown if lead.interval), None)
    if zero is not None:
        x = at.drawn + at.width * zero
        way = f"M{x:.2f} {top + 4:.2f}V{top + step * len(shown):.2f}"
        yield element("path", class_="zero", d=way, stroke_width=1.5)
    for place, lead in enumerate(shown):
        y = top + step * (place + 0.5)
        numbers = WIDTH - _MARGIN - at.numbers + 1
        yield _text(names[place], (_MARGIN, y + 8), at.names)
        yield _text(lead.text, (at.numbers, y + 8), numbers, class_of(ink(lead.tone)), at.size)
        if lead.interval is not None:
            yield from _interval(lead, lead.interval, y, at)


def _interval(lead: Lead, interval: Interval, y: float, at: _Columns) -> Iterator[Element]:
    """Draw a change and its interval; an end beyond the axis is an arrow."""
    low, middle, high = (at.drawn + at.width * place for place in (interval.low, interval.middle, interval.high))
    tone = class_of(lead.tone)
    line = f"M{low:.2f} {y:.2f}H{high:.2f}"
    yield element("path", class_=f"line-{tone}", d=line, stroke_width=4, stroke_linecap="round")
    for cut, x, way in ((interval.cut_low, low, -1), (interval.cut_high, high, 1)):
        if cut:
            yield element("path", class_=tone, d=f"M{x + 9 * way:.2f} {y:.2f}l{-13 * way} -8v16z")
    if interval.low <= interval.middle <= interval.high and not (interval.cut_low and interval.cut_high):
        yield element("circle", class_=tone, cx=f"{middle:.2f}", cy=f"{y:.2f}", r=7)


def _foot(byline: str, shown: str, places: str) -> Iterator[Element]:
    half = (_ROOM - _GAP) / 2
    yield _text(byline, (_MARGIN, _FOOT), half, "muted", 18)
    room = _ROOM - _GAP - min(svg.text_width(byline, 18), half)
    words = _axis_words(shown, places, room)
    if words:
        x = WIDTH - _MARGIN - min(svg.text_width(words, 18), room)
        yield _text(words, (x, _FOOT), room, "muted", 18)


def _axis_words(shown: str, places: str, room: float) -> str:
    """Say which rows are shown and what the axis means, as much of it as fits, and no sentence cut."""
    meaning, _, ends = places.partition("; ")
    brief = meaning.partition(", ")[0]
    forms = ((shown, meaning, ends), (shown, brief, ends), (shown, meaning), (shown, brief), (brief, ends), (brief,))
    said = ["; ".join(part for part in form if part) for form in forms]
    return next((words for words in said if svg.text_width(words, 18) <= room), said[-1])


_SIZE: Final = 11
_HEIGHT: Final = 20
_PADDING: Final = 6
_NAME: Final = "statera"
_CHANGES: Final[tuple[Tone, ...]] = ("worse", "unfit", "missing", "changed", "differs", "doubtful", "better")


def badge(document: Document) -> str:
    """Write the badge; its words have a ground of their own, so that it needs no dark variant."""
    return badge_of(*badge_words(next((banner.shares for banner in document.every(Banner)), ())))


def badge_of(words: str, tone: Tone) -> str:
    """Draw a badge with these words on the ground of a tone."""
    left, right = (svg.text_width(part, _SIZE) for part in (_NAME, words))
    wide = round(left + right + 4 * _PADDING)
    edge = round(left + 2 * _PADDING)
    ground = of_tone(ink(tone))
    grey = theme.LIGHT.series[0]
    title = f"{_NAME}: {words}"
    whole = element("rect", width=wide, height=_HEIGHT, rx=3)
    parts = (
        element("rect", width=edge, height=_HEIGHT, fill=grey),
        element("rect", x=edge, width=wide - edge, height=_HEIGHT, fill=ground),
    )
    texts = (_badge_word(_NAME, _PADDING, left), _badge_word(words, edge + _PADDING, right))
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


def _badge_word(words: str, x: float, width: float) -> Element:
    # The browser fits the text to the measured width, whatever font it has.
    return element("text", words, x=float(x), y=14, textLength=f"{width:.4g}")


def badge_words(shares: tuple[Share, ...]) -> tuple[str, Tone]:
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
        found = [f"{share.count:,} {share.words}" for share in (alike, undecided) if share is not None]
        return ", ".join(found), "inconclusive"
    return "not judged" if shares else "nothing compared", "inconclusive"


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
