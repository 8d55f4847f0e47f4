"""A picture: a Vega-Lite specification with its data, which can be written as SVG, PNG, HTML or JSON.

A picture is laid out for its width, and never scaled: at a phone's width panels stand in one column, and long names
above their rows. A page for any screen therefore embeds ``spec`` and, unless it is None, ``narrow``, and shows the
latter where it has less room than ``NARROW_BELOW`` pixels. Both show the same things, and ``theme.vega_config`` gives
both their colours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from statera import _native
from statera.output.plots import theme as themes
from statera.output.plots.png import tightened
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
VERSION = "6.4"  # the version of Vega-Lite in vl-convert
ENDINGS = (".svg", ".png", ".html", ".json")
Theme = Literal["light", "dark", "auto"]
NARROW = 340  # width in pixels of a picture for phones
NARROW_BELOW = 480  # with less room, a page shows the picture for phones


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a comparison or an inspection.

    Attributes:
        kind: the kind, a key of ``plots.KINDS``.
        title: the title, a plain string; names in it are already printable.
        alt: the picture and its numbers in a sentence or two, for readers who cannot see it.
        spec: the complete Vega-Lite specification with its data, without colours and fonts, which the theme adds.
        marks: the numbers of the things that are drawn: ``{"ridges": 9, "values": 1098}``.
        remarks: what is not drawn, and why; the subtitle of the picture states the same.
        redrawn: draws the same at another width in pixels; None if the picture is narrow already or has one width.

    """

    kind: str
    title: str
    alt: str
    spec: dict[str, Any]
    marks: dict[str, int]
    remarks: tuple[str, ...] = ()
    redrawn: Callable[[int], Picture] | None = field(default=None, repr=False, compare=False)

    @property
    def narrow(self) -> dict[str, Any] | None:
        """The specification for phones, drawn on request; None if there is no other than ``spec``."""
        return None if self.redrawn is None else self.redrawn(NARROW).spec

    def themed(self, theme: themes.Mode = "light") -> dict[str, Any]:
        """Return the specification with the colours and fonts of a theme."""
        return {"$schema": SCHEMA, "description": self.alt, **self.spec, "config": themes.vega_config(theme)}

    def svg(self, theme: themes.Mode = "light") -> str:
        """Draw it as SVG."""
        svg: str = _converter().vegalite_to_svg(self.themed(theme), vl_version=VERSION, allowed_base_urls=[])
        return svg

    def png(self, theme: themes.Mode = "light", scale: float = 2.0) -> bytes:
        """Draw it as PNG; ``scale`` is the number of dots per pixel."""
        spec = self.themed(theme)
        png: bytes = _converter().vegalite_to_png(spec, vl_version=VERSION, scale=scale, allowed_base_urls=[])
        return tightened(png)

    def html(self, theme: Theme = "auto") -> str:
        """Write a self-contained page; ``auto`` follows the reader's preference for light or dark."""
        from statera.output.plots.page import page  # noqa: PLC0415 - its scripts are large

        return page(self, theme)

    def json(self, theme: themes.Mode = "light") -> str:
        """Write the specification as JSON."""
        import json  # noqa: PLC0415

        text = json.dumps(self.themed(theme), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return _native.json_safe(text) + "\n"

    def altair(self) -> Any:  # noqa: ANN401 - Altair is optional and its charts have many types
        """Return an Altair chart, for further changes."""
        try:
            import altair as alt  # noqa: PLC0415 - optional
        except ImportError:
            raise missing("altair") from None
        kinds: dict[str, Any] = {"layer": alt.LayerChart, "concat": alt.ConcatChart, "vconcat": alt.VConcatChart}
        made = next((chart for key, chart in kinds.items() if key in self.spec), alt.Chart)
        # Altair's validation takes a minute for large data, and the tests validate all kinds.
        return made.from_dict(self.themed(), validate=False)

    def save(self, path: str | PathLike[str], theme: Theme = "light", scale: float = 2.0) -> None:
        """Write to a file; its ending selects the format: svg, png, html or json.

        Raises:
            Stop: the ending is none of these, or the file cannot be written.

        """
        target = Path(path)
        ending = target.suffix.lower()
        if ending not in ENDINGS:
            raise Stop("bad-option", f"-o {path}: a picture has one of the endings {', '.join(ENDINGS)}")
        still: themes.Mode = "dark" if theme == "dark" else "light"
        makers: dict[str, Callable[[], str | bytes]] = {
            ".png": lambda: self.png(still, scale),
            ".svg": lambda: self.svg(still),
            ".html": lambda: self.html(theme),
            ".json": lambda: self.json(still),
        }
        outputs.write(target, makers[ending]())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        # Notebooks that support Vega-Lite show it interactively; others show the SVG.
        del include, exclude
        return {
            "application/vnd.vegalite.v6+json": self.themed(),
            "image/svg+xml": self.svg(),
            "text/plain": f"{self.title}. {self.alt}",
        }


def _converter() -> Any:  # noqa: ANN401 - the module has no types
    try:
        import vl_convert  # noqa: PLC0415 - optional
    except ImportError:
        raise missing("vl-convert-python") from None
    return vl_convert


def missing(package: str) -> Stop:
    """Return the error that a package for pictures and reports is missing, with the command that installs it."""
    return Stop("missing-package", f"pictures need the package {package}; run: pip install 'statera[report]'")
