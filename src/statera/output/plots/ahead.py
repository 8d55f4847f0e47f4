"""Drawings for reports: each is made once for all files, and begins before it is needed.

A process draws while this one makes the rest of the report.
"""

from __future__ import annotations

from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from statera.output.plots import theme
from statera.output.plots.drawing_process import DrawingProcess
from statera.output.plots.picture import SCHEMA, VERSION, converter
from statera.output.plots.theme import inks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from statera.output.plots.picture import Picture


class _Drawings:
    """The drawings of a report."""

    def __init__(self, process: DrawingProcess | None) -> None:
        # each picture with its drawing, by the identity of the picture, which lives as long
        self.begun: dict[int, tuple[Picture, Future[str]]] = {}
        self._process = process
        self._ended = False
        # It waits for the process, which draws one picture at a time.
        self._pool = ThreadPoolExecutor(1)

    @property
    def early(self) -> bool:
        """Whether drawings begin before they are needed."""
        return self._process is not None

    def begin(self, picture: Picture) -> Future[str]:
        """Begin to draw a picture, unless it is begun."""
        if id(picture) not in self.begun:
            self.begun[id(picture)] = (picture, self._pool.submit(self._svg, picture))
        return self.begun[id(picture)][1]

    def _svg(self, picture: Picture) -> str:
        drawn = self._process.svg(**_request(picture)) if self._process is not None else None
        if self._ended:
            raise CancelledError
        return _svg(picture) if drawn is None else drawn

    def end(self) -> None:
        """Forget the drawings, and end the process."""
        self._ended = True
        if self._process is not None:
            self._process.kill()
        self._pool.shutdown(cancel_futures=True)
        if self._process is not None:
            self._process.close()


# The drawings of the report that is being made; none outside of ``kept``.
_current: list[_Drawings] = []


@contextmanager
def kept(*, early: bool) -> Iterator[None]:
    """Keep each drawing for all files of a report; with ``early``, begin it as soon as its picture exists."""
    process = None
    if early:
        # Where it cannot start, this process draws.
        with suppress(OSError):
            process = DrawingProcess(VERSION)
    drawings = _Drawings(process)
    _current.append(drawings)
    try:
        yield
    finally:
        _current.remove(drawings)
        drawings.end()


def begin(picture: Picture) -> Picture:
    """Begin to draw a picture, if drawings begin early; return it."""
    if _current and _current[-1].early:
        _current[-1].begin(picture)
    return picture


def svg(picture: Picture) -> str:
    """Return the drawing of a picture, in colours that stand for those of the page's theme."""
    return _current[-1].begin(picture).result() if _current else _svg(picture)


def _svg(picture: Picture) -> str:
    made: str = converter().vegalite_to_svg(**_request(picture))
    return made


def _request(picture: Picture) -> dict[str, Any]:
    """Return what the converter is asked for."""
    config = {**theme.vega_config("light", inks().palette), "aria": False}
    spec = {"$schema": SCHEMA, **picture.spec, "config": config}
    return {"vl_spec": spec, "vl_version": VERSION, "allowed_base_urls": []}
