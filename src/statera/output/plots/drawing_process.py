"""A process that draws pictures.

The converter keeps the interpreter to itself while it draws, so that a thread would draw and the rest of the program
would wait.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from typing import Any, Final

# The process finds its modules where this one finds them, and nowhere else.
_PROGRAM: Final = (
    "import sys; sys.path[:] = {path!r}; "
    "from statera.output.plots.drawing_process import answer_requests; answer_requests({version!r})"
)


class DrawingProcess:
    """A process that draws one picture after another with a version of Vega-Lite; ``kill`` and ``close`` end it.

    Raises ``OSError`` if it cannot be started.
    """

    def __init__(self, version: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the interpreter of this process
            # A program that embeds Python has no interpreter to start.
            [sys.executable or "", "-c", _PROGRAM.format(path=sys.path, version=version)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # An interruption at the terminal is answered by this process, which then ends that one.
            start_new_session=True,
        )

    def svg(self, **request: Any) -> str | None:
        """Draw with arguments of ``vegalite_to_svg``; None if the process could not."""
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            return None
        try:
            to.write(json.dumps(request).encode() + b"\n")
            to.flush()
            drawn: str | None = json.loads(back.readline() or b"null")
        except (OSError, ValueError):
            return None
        return drawn

    def kill(self) -> None:
        """End the process, also amid a drawing; ``svg`` then returns None."""
        self._process.kill()

    def close(self) -> None:
        """Free what belonged to the killed process, when nothing waits for a drawing."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()


def answer_requests(version: str) -> None:
    """Draw what standard input asks for, a line each, until it ends; a line ``null`` answers what cannot be drawn."""
    import vl_convert  # noqa: PLC0415 - only here

    # The first drawing loads Vega, which takes as long as several others.
    vl_convert.vegalite_to_svg({"mark": "point"}, vl_version=version, allowed_base_urls=[])
    for line in sys.stdin.buffer:
        try:
            drawn = vl_convert.vegalite_to_svg(**json.loads(line))
        except ValueError:
            drawn = None
        sys.stdout.buffer.write(json.dumps(drawn).encode() + b"\n")
        sys.stdout.buffer.flush()
