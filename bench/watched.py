"""The key commands whose cost `make watch` follows, and the files that they read.

Reading, statistics and requests are counted apart from the start of their process: from the count of a program the
count of the same program on next to no input is subtracted. Both counts repeat, so that the difference does too, and no
symbol has to be found in the compiled module, which has none.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import large_results
import peers
from generate import pair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parent.parent
DATA = peers.DATA / "watch"
_SERVED = DATA / "served.db"
# Bytes of a file that is read, and of one that only starts the reader: enough for a header and a benchmark.
LARGE, TINY = 2_000_000, 2_000

_START = "import sys; from statera.cli import main; sys.exit(main())"
_READ = """
import sys
from statera import _native
from statera.reading import observations
_native.set_jobs(1)
assert len(observations.read(sys.argv[1:]))
"""
# Values without a library that draws them: multiples of the golden ratio, modulo 1.
_TEST = """
import sys
from array import array
from statera import _native, stats
_native.set_jobs(1)
groups, samples = int(sys.argv[2]), 20
def drawn(first):
    values = array("d", (1 + (first + at) * 0.6180339887498949 % 1 for at in range(groups * samples)))
    return memoryview(values).cast("B").cast("d", (groups, samples))
stats.grid(sys.argv[1], drawn(1), drawn(7_000_001))
"""
_SERVE = """
import asyncio, sys
from pathlib import Path
import httpx
from statera.server import app, browser
from statera.server.database import Database
from statera.server.site import Renderer
from statera.server.requests import Services
from statera.server.examination import Examiner
from statera.server.histories import Writer
from statera.support.settings.limits import Limits
database = Database("sqlite:///" + sys.argv[1])
writer, data = Writer(database), Path(sys.argv[1]).parent / "served"
services = Services(database, writer, data, Limits(), Renderer(database), Examiner(), "http://127.0.0.1:8000")
transport = httpx.ASGITransport(app=app.build(services, routers=browser.ROUTERS))
async def ask(times):
    async with httpx.AsyncClient(transport=transport, base_url=services.address) as client:
        for _ in range(times):
            (await client.get("/p/bench/")).raise_for_status()
asyncio.run(ask(int(sys.argv[2])))
"""
_FILL = """
import sys
from pathlib import Path
import history, server
from statera.server import histories, projects
from statera.support.settings.limits import Limits
from statera.server.examination import Examiner
from statera.server.histories import Writer
path = Path(sys.argv[1])
made, number, _ = server.database(f"sqlite:///{path}", is_public=True)
writer = Writer(made)
writer.start()
for file in server.files(path.parent / "served-uploads", 20):
    writer.put(number, histories.prepare(file, "bench", Limits())).result()
writer.stop()
made.close()
"""


class Command(NamedTuple):
    """A program of Python: its name, the words behind `python`, and those of the program that is subtracted, if any.

    The counts of a difference are divided by ``times``. What is not counted is measured in memory alone. Of ``counts``
    counts the least stands: threads do not always do the same. ``prepare`` makes what the program reads.
    """

    name: str
    words: list[str]
    less: list[str] | None = None
    times: int = 1
    is_counted: bool = True
    counts: int = 1
    prepare: Callable[[], object] | None = None


def statera(name: str, *words: object, is_counted: bool = True) -> Command:
    """Return a command of statera, as users start it."""
    return Command(name, ["-c", _START, *map(str, words)], is_counted=is_counted)


def commands() -> Iterator[Command]:
    """Yield the commands; files that they read are written if they are not there."""
    DATA.mkdir(parents=True, exist_ok=True)
    # What everything else stands on: a change of it is one of Python, not of statera.
    yield Command("python", ["-c", "pass"])
    yield statera("version", "--version")
    yield statera("help", "--help")
    yield statera("help/compare", "compare", "--help")
    small, medium, large = (pair(DATA, benchmarks, 20) for benchmarks in (10, 500, 2_800))
    yield statera("compare/small", "compare", "--no-config", "--jobs=1", *small)
    yield statera("compare/2MB", "compare", "--no-config", "--jobs=1", *medium)
    yield statera("compare/11MB", "compare", "--no-config", "--jobs=1", *large)
    # Under callgrind it takes minutes, and says what a tenth of it says.
    huge = pair(peers.DATA, 28_000, 20)
    yield statera("compare/114MB", "compare", "--no-config", "--jobs=1", *huge, is_counted=False)
    yield statera("inspect/small", "inspect", "--no-config", "--jobs=1", small[0])
    yield statera("report/small", "report", "--no-config", "--jobs=1", *small, "-o", DATA / "page.html")
    yield from _reading()
    for procedure, groups in (("mann_whitney", 2_000), ("welch", 5_000)):
        yield Command(f"stats/{procedure}", ["-c", _TEST, procedure, str(groups)], ["-c", _TEST, procedure, "1"])
    program = ROOT / "examples/history/history"
    words = ("--no-config", "--jobs=1", "--history", program)
    yield statera("history/check", "history", "check", *words)
    run, analysis = ROOT / "examples/cluster/base-1", DATA / "analysis"
    yield statera("cluster/analyse", "cluster", "analyse", "--jobs=1", run, "-o", analysis)
    served = ["-c", _SERVE, str(_SERVED)]
    yield Command("server/page", [*served, "101"], [*served, "1"], times=100, counts=3, prepare=_fill)


def _reading() -> Iterator[Command]:
    """Yield the reading of eight formats: JSON, one object a line, tables and text."""
    files = {name: [large_results.write(DATA, name, size) for size in (LARGE, TINY)] for name in large_results.FILES}
    files["go"] = [pair(DATA, benchmarks, 20)[0] for benchmarks in (1_000, 1)]
    files["hyperfine"] = [_hyperfine(count) for count in (500, 1)]
    for name, (whole, tiny) in files.items():
        yield Command(f"read/{name}", ["-c", _READ, str(whole)], ["-c", _READ, str(tiny)])


def _hyperfine(count: int) -> Path:
    """Write what hyperfine exports of so many commands, 100 runs each."""
    path = DATA / f"hyperfine-{count}.json"
    results = []
    for number in range(count):
        times = [(1 + number) * (1 + run * 0.6180339887498949 % 1 / 50) / 1000 for run in range(100)]
        results.append({"command": f"program {number}", "times": times, "exit_codes": [0] * len(times)})
    path.write_text(json.dumps({"results": results}, indent=2))
    return path


def _fill() -> None:
    """Make a database with a public project of 50 series and 20 jobs."""
    for old in DATA.glob(f"{_SERVED.name}*"):
        old.unlink()
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'bench')!r})\n{_FILL}"
    peers.run([sys.executable, "-c", program, str(_SERVED)])
