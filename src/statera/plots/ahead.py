"""Drawings of a page that begin before they are needed: one core draws while another makes the rest of the report."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from statera.plots import theme
from statera.plots.inks import inks
from statera.plots.picture import SCHEMA, VERSION, _converter

if TYPE_CHECKING:
    from concurrent.futures import Future

    from statera.plots.picture import Picture

# The converter draws one picture at a time, whatever the number of threads.
_pool: list[ThreadPoolExecutor] = []
# The picture is kept as long as its drawing, so that no other one gets its number.
_begun: dict[int, tuple[Picture, Future[str]]] = {}


def prepare() -> None:
    """Start the converter; from now on drawings begin as soon as their pictures exist."""
    if not _pool:
        _pool.append(ThreadPoolExecutor(1))
        _pool[0].submit(_start)


def begin(picture: Picture) -> Picture:
    """Begin to draw a picture, if a page was announced; return it."""
    if _pool:
        _begun[id(picture)] = (picture, _pool[0].submit(_svg, picture))
    return picture


def svg(picture: Picture) -> str:
    """Return the drawing of a picture for a page, in colours that stand for those of the page's theme."""
    _, future = _begun.pop(id(picture), (picture, None))
    return future.result() if future else _svg(picture)


def _svg(picture: Picture) -> str:
    config = {**theme.vega_config("light", inks().palette), "aria": False}
    spec = {"$schema": SCHEMA, **picture.spec, "config": config}
    made: str = _converter().vegalite_to_svg(spec, vl_version=VERSION, allowed_base_urls=[])
    return made


def _start() -> None:
    # The first drawing loads Vega, which takes as long as several others.
    _converter().vegalite_to_svg({"$schema": SCHEMA, "mark": "point"}, vl_version=VERSION, allowed_base_urls=[])
