"""A picture: a Vega-Lite specification with its data, which can be written as SVG, PNG, HTML or JSON.

A picture is laid out for its width, and never scaled: at a phone's width panels stand in one column, and long names
above their rows. A page for any screen therefore embeds ``spec`` and, unless it is None, ``narrow``, and shows the
latter where it has less room than ``NARROW_BELOW`` pixels. Both show the same things, and ``theme.vega_config`` gives
both their colours.

A picture as a page is one file, without network requests and without evaluation of text: Vega's interpreter runs the
expressions, so that the page's policy can forbid ``eval``; it allows scripts only by their hashes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import struct
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from statera import _native
from statera.output.plots import theme as themes
from statera.support import environment as caches
from statera.support.errors import Stop
from statera.support.extras import advice
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
_SIGNATURE = 8
# The highest level takes six times as long, for files that are 5 % smaller.
_COMPRESSION = 6
_AROUND = 12  # bytes of a chunk besides its body: length, kind, checksum
_SHOW = """
const told = JSON.parse(document.getElementById("picture").textContent);
const asked = {narrow: "(max-width: " + (told.below - 1) + "px)", dark: "(prefers-color-scheme: dark)"};
const matches = (name) => window.matchMedia(asked[name]).matches;
const show = () => {
  const mode = told.theme === "auto" ? (matches("dark") ? "dark" : "light") : told.theme;
  document.documentElement.dataset.theme = mode;
  const options = {mode: "vega-lite", renderer: "svg", ast: true, defaultStyle: false,
                   actions: false, config: told.configs[mode], loader: {load: () => Promise.reject("offline")}};
  vegaEmbed("#drawn div", matches("narrow") && told.narrow || told.spec, options).then(
    (found) => { window.drawn = found.view; },
    (error) => { document.getElementById("drawn").textContent = String(error); });
};
// A list that is read between a change and its event loses the event in Chromium: these are never read.
Object.values(asked).forEach((each) => window.matchMedia(each).addEventListener("change", show));
show();
"""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a comparison or an inspection."""

    kind: str  # the kind, a key of ``plots.KINDS``
    title: str  # the title, a plain string; names in it are already printable
    alt: str  # the picture and its numbers in a sentence or two, for readers who cannot see it
    # the complete Vega-Lite specification with its data, without colours and fonts, which the theme adds
    spec: dict[str, Any]
    marks: dict[str, int]  # the numbers of the things that are drawn: ``{"ridges": 9, "values": 1098}``
    remarks: tuple[str, ...] = ()  # what is not drawn, and why; the subtitle of the picture states the same
    # draws the same at another width in pixels; None if the picture is narrow already or has one width
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
        svg: str = converter().vegalite_to_svg(self.themed(theme), vl_version=VERSION, allowed_base_urls=[])
        return svg

    def png(self, theme: themes.Mode = "light", scale: float = 2.0) -> bytes:
        """Draw it as PNG; ``scale`` is the number of dots per pixel."""
        spec = self.themed(theme)
        png: bytes = converter().vegalite_to_png(spec, vl_version=VERSION, scale=scale, allowed_base_urls=[])
        return tightened(png)

    def html(self, theme: Theme = "auto") -> str:
        """Write a self-contained page; ``auto`` follows the reader's preference for light or dark."""
        return _page(self, theme)

    def json(self, theme: themes.Mode = "light") -> str:
        """Write the specification as JSON."""
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

        Raises ``Stop`` if the ending is none of these, or the file cannot be written.
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


def converter() -> Any:  # noqa: ANN401 - the module has no types
    """Return the converter of specifications; Stop if its package is missing."""
    try:
        import vl_convert  # noqa: PLC0415 - optional
    except ImportError:
        raise missing("vl-convert-python") from None
    return vl_convert


def missing(package: str) -> Stop:
    """Return the error that a package for pictures and reports is missing, with the command that installs it."""
    return Stop("missing-package", f"pictures need the package {package}. {advice('report')}")


@cache
def script_bundle(snippet: str = "window.vegaEmbed = vegaEmbed;") -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, followed by a snippet, safe inside a script element."""
    made = converter()
    # It takes a second to build, and is always the same for a version of vl-convert.
    path = caches.cache() / "scripts" / f"{made.__version__}-{hashlib.sha256(snippet.encode()).hexdigest()}.gz"
    try:
        return gzip.decompress(path.read_bytes()).decode()
    except (OSError, EOFError, ValueError, zlib.error):
        bundle: str = made.javascript_bundle(snippet, vl_version=VERSION)
    bundle = bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    _keep(path, gzip.compress(bundle.encode(), mtime=0))
    return bundle


def _keep(path: Path, content: bytes) -> None:
    """Keep what was made for the next time, if the cache can be written."""
    with suppress(OSError, Stop):
        path.parent.mkdir(parents=True, exist_ok=True)
        outputs.write(path, content)


def script_hash(script: str) -> str:
    """Return the source expression of a Content-Security-Policy that allows only this script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def script_data(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    """Write data for a script element of type application/json: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


def _page(picture: Picture, theme: Theme = "auto") -> str:
    """Write the page of one picture."""
    spec = picture.themed()
    spec.pop("config")
    told = {
        "spec": spec,
        "narrow": picture.narrow,
        "below": NARROW_BELOW,
        "theme": theme,
        "configs": {mode: themes.vega_config(mode) for mode in themes.MODES},
    }
    script = script_bundle(_SHOW)
    colours = "".join(
        f":root[data-theme={mode}] {{ background: {themes.palette(mode).background}; color-scheme: {mode} }}\n"
        for mode in themes.MODES
    )
    style = f"{colours}body {{ margin: 0 }} #drawn svg {{ max-width: 100%; height: auto }}"
    policy = f"default-src 'none'; script-src {script_hash(script)}; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(picture.title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<div id="drawn" role="img" aria-label="{escape(picture.alt)}"><div></div></div>\n'
        f'<script type="application/json" id="picture">{script_data(told)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def tightened(png: bytes) -> bytes:
    """Compress the pixels of a PNG again; everything else stays unchanged."""
    head: list[bytes] = []
    tail: list[bytes] = []
    packed, at = b"", _SIGNATURE
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        chunk = png[at : at + _AROUND + length]
        if chunk[4:8] == b"IDAT":
            packed += chunk[8 : 8 + length]
        else:
            (tail if packed else head).append(chunk)
        at += len(chunk)
    body = b"IDAT" + zlib.compress(zlib.decompress(packed), _COMPRESSION)
    pixels = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return b"".join([png[:_SIGNATURE], *head, pixels, *tail])
