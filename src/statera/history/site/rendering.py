"""Templates → pages. Every value is text of strangers: it is made printable and escaped where it is written."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.output.plots import theme
from statera.support.errors import Stop
from statera.support.extras import how

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_OWN: Final = Path(__file__).parent / "templates"
_REPORT: Final = Path(__file__).parents[2] / "output/report/templates"
# Styles and scripts of reports come first: the pages belong to the same family.
_STYLES: Final = (
    *(_REPORT / f"css/{name}.css" for name in ("page", "tables")),
    *(_OWN / f"css/{name}.css" for name in ("site", "overview", "chart", "narrow")),
)
_SCRIPTS: Final = (
    *(_REPORT / f"js/{name}.js" for name in ("start", "tables", "theme")),
    _OWN / "js/remembered.js",
)
# Names with more characters are cut in rows; their ends tell them apart.
_LONGEST: Final = 64
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)


def check() -> None:
    """Refuse to write pages without the package that does; call this before the work."""
    # To import it takes long, and pages that are as they were need no writing.
    if find_spec("jinja2") is None:
        raise Stop("missing-package", f"pages need the package jinja2. To install it {how('report')}")


def page(template: str, **values: object) -> str:
    """Write a page."""
    return environment().get_template(template).render(policy=POLICY, **values)


def assets() -> dict[str, str]:
    """Return the styles and scripts that the pages share, by name."""
    scripts = "".join(path.read_text("utf-8") for path in _SCRIPTS)
    return {
        "site.css": theme.page_style(*map(theme.page_variables, theme.MODES))
        + "".join(path.read_text("utf-8") for path in _STYLES),
        "site.js": _alone(scripts),
        **{
            f"{name}.js": _alone((_OWN / f"js/{name}.js").read_text("utf-8")) for name in ("first", "overview", "chart")
        },
    }


def markup(html: str) -> Markup:
    """Mark a drawing of this package as HTML."""
    from markupsafe import Markup  # noqa: PLC0415 - comes with Jinja

    return Markup(html)  # noqa: S704 - its texts are escaped


def lines(text: str) -> Markup:
    """Mark a text of several lines as HTML; each is made printable by itself, so that their ends stay."""
    return markup(escape("\n".join(map(_native.printable, text.splitlines()))))


def _alone(script: str) -> str:
    """Keep the names of a script from other scripts."""
    return f'"use strict";\n(() => {{\n{script}}})();\n'


@cache
def environment(*folders: Path) -> Environment:
    """Return what renders the templates of the pages, and those of further folders, which may extend them."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - an extra

    made = Environment(
        loader=FileSystemLoader([_OWN, *folders]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
        # They stay as they are while a command runs; to look takes a file system longer than to fill one.
        auto_reload=False,
    )
    made.filters["short"] = lambda name: _native.shortened(name, _LONGEST)
    return made


def _finalized(value: object) -> object:
    """Make text printable when it is written; text marked as HTML already is."""
    return _native.printable(value) if type(value) is str else value
