"""Parts of a page with interactive pictures: the libraries, and the themes."""

from __future__ import annotations

from typing import Any, NamedTuple

from statera.comparison.codes import VERDICTS
from statera.output.plots import theme

# Areas that differ slightly from the background: headings of tables, code.
PANELS: dict[theme.Mode, str] = {"light": "#f6f7f9", "dark": "#1d222b"}


class Library(NamedTuple):
    """Vega, Vega-Lite and Vega-Embed as one script: compressed, and the hash by which a policy allows it."""

    packed: str
    hash: str


def vega() -> Library:
    """Return the libraries of interactive pictures."""
    from statera.output.plots.page import script_bundle, script_hash  # noqa: PLC0415 - where there are pictures
    from statera.output.report.html.packed import packed  # noqa: PLC0415

    script = script_bundle()
    return Library(packed(script.encode()), script_hash(script))


def themes() -> dict[str, Any]:
    """Return the Vega-Lite configuration of each theme."""
    return {mode: theme.vega_config(mode) for mode in theme.MODES}


def style() -> str:
    """Return the colours and fonts of the themes as CSS: dark if the reader's system or choice is dark."""
    from statera.output.plots.inks import inks  # noqa: PLC0415 - a report is made where it is asked for

    light, dark = (_variables(mode) for mode in theme.MODES)
    return (
        f":root {{ {light} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
        f":root[data-theme=light] {{ color-scheme: light; }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root[data-theme=auto] {{ {dark} }} }}\n"
        f"@media print {{ :root, :root[data-theme] {{ color-scheme: light; {light} }} }}\n"
        # A picture with colours of a continuous scale keeps those of the light theme.
        f".still.fixed {{ {light} }}\n"
        f"{inks().rules('.still')}"
    )


def _variables(mode: theme.Mode) -> str:
    from statera.output.plots.inks import inks  # noqa: PLC0415

    variables = theme.css_variables(mode)
    # Verdicts get names of their own, which differ from those of the page's colours.
    named = {f"--verdict-{code}": f"var(--{code})" for code in VERDICTS}
    every = {**variables, **named, "--panel": PANELS[mode]}
    return " ".join([*(f"{name}: {value};" for name, value in every.items()), inks().variables(mode)])
