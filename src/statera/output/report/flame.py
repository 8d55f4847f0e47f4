"""A flame graph as SVG of a page: any width, without scripts; scripts add keys, a line of text and zooming."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.output import svg

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.output.report.model import Flame, FlameFrame

_ROW: Final = 19
_SIZE: Final = 11.0
# Texts are cut for a drawing of this width; on narrower pages their ends are hidden.
_WIDTH: Final = 1000
_AROUND: Final = 8
# Narrower texts say nothing.
_LEAST: Final = 22
_SHADES: Final = 5
_PERCENT: Final = 11


def drawn(block: Flame, escaped: Callable[[str], str]) -> str:
    """Draw a flame graph, a line of text and its caption; the heading above has its title."""
    height = _ROW * (1 + max((each.depth for each in block.frames), default=0))
    frames = "".join(_frame(each, first=place == 0) for place, each in enumerate(block.frames))
    title = escaped(block.title)
    return (
        f'<figure class="flame">\n'
        f'<svg width="100%" height="{height}" role="group" aria-label="{title}">{frames}</svg>\n'
        f'<p class="told" role="status">&#160;</p>\n'
        f'<p class="legend"><span class="down"></span>fell<span class="same"></span>unchanged'
        f'<span class="up"></span>gained</p>\n'
        f"<figcaption>{escaped(block.caption)}</figcaption></figure>\n"
    )


def _frame(frame: FlameFrame, *, first: bool) -> str:
    kind = "frame"
    if shade := round(abs(frame.heat) * _SHADES):
        kind += f" {'up' if frame.heat > 0 else 'down'}-{shade}"
    said = f"{frame.name}: {frame.said}"
    most = frame.width * _WIDTH - _AROUND
    name = svg.cut(frame.name, most, _SIZE) if most >= _LEAST else ""
    inner = [svg.element("title", said), svg.element("rect", width="100%", height=_ROW - 1)]
    inner += [svg.element("text", name, x=4, y=13)] if name else []
    place = {"x": f"{100 * frame.left:.4g}%", "width": f"{100 * frame.width:.4g}%", "y": str(frame.depth * _ROW)}
    return svg.element(
        "svg", *inner, class_=kind, **place, height=_ROW, tabindex=0 if first else -1, role="img", aria_label=said
    )


def rules() -> str:
    """Return the rules of the shades."""
    return "".join(
        f".flame .{side}-{shade} rect, .flame .legend .{side} {{ --shade: color-mix(in srgb, var(--verdict-{verdict}) "
        f"{shade * _PERCENT}%, var(--background)); }}\n"
        for side, verdict in (("up", "worse"), ("down", "better"))
        for shade in range(1, _SHADES + 1)
    )
