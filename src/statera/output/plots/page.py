"""A picture as a page: one file, without network requests and without evaluation of text.

Vega's interpreter runs the expressions, so that the page's policy can forbid ``eval``; it allows scripts only by
their hashes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import zlib
from contextlib import suppress
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from statera.output.plots import theme as themes
from statera.output.plots.picture import NARROW_BELOW, VERSION, _converter
from statera.support import environment as caches
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from pathlib import Path

    from statera.output.plots.picture import Picture, Theme

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


@cache
def script_bundle(snippet: str = "window.vegaEmbed = vegaEmbed;") -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, followed by a snippet, safe inside a script element."""
    converter = _converter()
    # It takes a second to build, and is always the same for a version of vl-convert.
    path = caches.cache() / "scripts" / f"{converter.__version__}-{hashlib.sha256(snippet.encode()).hexdigest()}.gz"
    try:
        return gzip.decompress(path.read_bytes()).decode()
    except (OSError, EOFError, ValueError, zlib.error):
        bundle: str = converter.javascript_bundle(snippet, vl_version=VERSION)
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


def page(picture: Picture, theme: Theme = "auto") -> str:
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
