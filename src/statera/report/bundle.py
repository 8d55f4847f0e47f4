"""Parts of a page with interactive pictures: the libraries, and the themes."""

from __future__ import annotations

from typing import Any

from statera.codes import VERDICTS
from statera.plots import theme

# Areas that differ slightly from the background: headings of tables, code.
_PANELS: dict[theme.Mode, str] = {"light": "#f6f7f9", "dark": "#1d222b"}


def vega() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script, safe inside a page."""
    from statera.plots.page import script_bundle  # noqa: PLC0415 - where there are pictures

    return script_bundle()


def themes() -> dict[str, Any]:
    """Return the Vega-Lite configuration of each theme."""
    return {mode: theme.vega_config(mode) for mode in theme.MODES}


def style() -> str:
    """Return the colours and fonts of the themes as CSS: dark if the reader's system or choice is dark."""
    light, dark = (_variables(mode) for mode in theme.MODES)
    return (
        f":root {{ {light} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
        f":root[data-theme=light] {{ color-scheme: light; }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root[data-theme=auto] {{ {dark} }} }}\n"
        f"@media print {{ :root, :root[data-theme] {{ color-scheme: light; {light} }} }}\n"
    )


def _variables(mode: theme.Mode) -> str:
    variables = theme.css_variables(mode)
    # Verdicts get names of their own, which differ from those of the page's colours.
    named = {f"--verdict-{code}": f"var(--{code})" for code in VERDICTS}
    every = {**variables, **named, "--panel": _PANELS[mode]}
    return " ".join(f"{name}: {value};" for name, value in every.items())
