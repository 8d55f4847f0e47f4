"""Measure a server: uploads that eight clients send at once, and pages of series of a large history.

Uploads go to SQLite over HTTP, beside bare commits of the same bytes to SQLite, and beside what the server does with
them alone, without HTTP. Pages come from PostgreSQL, out of SERIES × JOBS values that lie in the order of their jobs.

Usage: python bench/server.py [--write] [--uploads 2000] [--series 5000] [--jobs 2000] [--pages 300] [--without-pages]
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import peers
from sqlalchemy import insert, text

import history
from statera.history import upload
from statera.history.folder import About, create
from statera.history.job import to_json
from statera.history.series import Series
from statera.server import histories, migrations, projects, tables, tokens
from statera.server.access import Role
from statera.server.database import Database, add_many
from statera.server.histories import Writer
from statera.support.settings.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PART = "server"
CLIENTS = 8
# Of an upload.
SERIES = 50
# Of one that holds others up, if anything does.
MANY = 300_000
OF_EACH = 5
TICKS = os.sysconf("SC_CLK_TCK")


class Rate(NamedTuple):
    """Uploads a second, and seconds of processor time for each of them."""

    uploads: float
    processor: float


def files(folder: Path, count: int) -> list[Path]:
    """Return so many uploads of 50 series with 10 values each."""
    made = create(folder / "history", About("bench"))
    noise = random.Random(1)
    for number in range(count):
        upload.store(made, history.measured(SERIES, noise, late=False), ["{}"], history.job(number))
    return [path for _, path in made.uploads()]


def at_once(work: Callable[[list[Path]], None], paths: list[Path]) -> float:
    """Let eight threads work, each on its part; return the seconds."""
    threads = [threading.Thread(target=work, args=(paths[at::CLIENTS],)) for at in range(CLIENTS)]
    begin = time.perf_counter()
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return time.perf_counter() - begin


def database(url: str, *, is_public: bool = False) -> tuple[Database, int, str]:
    """Make the tables and a project; return the database, the number of the project, and a secret."""
    made = Database(url)
    migrations.upgrade(made)
    with made.writing() as connection:
        project = projects.create(connection, About("bench"), is_public=is_public).id
        return made, project, tokens.issue(connection, "bench", Role.WRITE, project)[1]


def bare(folder: Path, paths: list[Path]) -> Rate:
    """Store the bytes in SQLite, each in a transaction of its own that is on the disk at its end."""
    contents = [path.read_bytes() for path in paths]
    connection = sqlite3.connect(folder / "bare.db", isolation_level=None)
    connection.execute("pragma journal_mode=wal")
    connection.execute("pragma synchronous=full")
    connection.execute("create table upload (hash text primary key, content blob)")
    begin, processor = time.perf_counter(), time.process_time()
    for number, content in enumerate(contents):
        connection.execute("insert into upload values (?, ?)", (str(number), content))
    took, used = time.perf_counter() - begin, time.process_time() - processor
    connection.close()
    return Rate(len(paths) / took, used / len(paths))


def alone(folder: Path, paths: list[Path]) -> Rate:
    """Read and store uploads as the server does, without HTTP."""
    made, project, _ = database(f"sqlite:///{folder / 'alone.db'}")
    writer = Writer(made)
    writer.start()

    def work(own: list[Path]) -> None:
        for path in own:
            writer.put(project, histories.prepare(path, "bench", Limits())).result()

    processor = time.process_time()
    took = at_once(work, paths)
    used = time.process_time() - processor
    writer.stop()
    made.close()
    return Rate(len(paths) / took, used / len(paths))


@contextmanager
def serving(url: str, folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the host and port of a server, and the number of its process."""
    words = [*peers.statera(), "serve", "--port", "0", "--database", url, "--data", str(folder / "data")]
    log = folder / "log"
    with log.open("w") as stream:
        process = subprocess.Popen(words, stderr=stream, stdout=subprocess.DEVNULL)
    try:
        while not (found := re.search(r"on (http://\S+)", log.read_text())):
            if process.poll() is not None:
                raise SystemExit(log.read_text())
            time.sleep(0.05)
        yield urlsplit(found[1]).netloc, process.pid
    finally:
        process.terminate()
        process.wait()


def processor_of(pid: int) -> float:
    """Return the processor time of a process, without its children, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def over_http(folder: Path, paths: list[Path]) -> Rate:
    """Send uploads to a server."""
    url = f"sqlite:///{folder / 'served.db'}"
    made, _, secret = database(url)
    made.close()
    with serving(url, folder) as (place, pid):

        def work(own: list[Path]) -> None:
            connection = http.client.HTTPConnection(place)
            for path in own:
                headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/vnd.apache.parquet"}
                connection.request("POST", "/api/v1/uploads", path.read_bytes(), headers)
                answer = connection.getresponse()
                said = answer.read()
                if answer.status != http.HTTPStatus.CREATED:
                    raise SystemExit(said.decode())
            connection.close()

        before = processor_of(pid)
        took = at_once(work, paths)
        return Rate(len(paths) / took, (processor_of(pid) - before) / len(paths))


def fill(url: str, series: int, jobs: int) -> list[str]:
    """Fill a database with values job after job, as uploads leave them; return the keys of the series."""
    made, project, _ = database(url, is_public=True)
    listed = [Series(f"Benchmark{n}", "time", "s", "time", "lower", None, "{}") for n in range(series)]
    known = [(history.commit(n) + "0" * 24, history.job(n)) for n in range(jobs)]
    with made.writing() as connection:
        values = {"project_id": project, "hash": "0" * 64, "received": "2026-01-01T00:00:00+00:00", "content": b""}
        upload = connection.execute(insert(tables.upload).values(**values).returning(tables.upload.c.id)).scalar_one()
        rows = [(project, f"{n:064x}", each.id, *each) for n, each in enumerate(listed)]
        add_many(connection, tables.series, ("project_id", "hash", "key", *Series._fields), rows)
        names = ("project_id", "hash", "upload_id", "place", "branch", "commit", "started", "content")
        stated = [
            (project, id_, upload, n, job.branch, job.commit, job.started, to_json([(id_, job)]))
            for n, (id_, job) in enumerate(known)
        ]
        add_many(connection, tables.job, names, stated)
    # Every fiftieth series has a step of 10 % at three fifths.
    level = f"(1 + s.id) * case when s.id % 50 = 0 and j.place >= {jobs * 3 // 5} then 1.1 else 1 end"
    noise = "(1 + 0.02 * (random() + random() + random() - 1.5) * 2)"
    filling = (
        f"insert into value select s.id, j.id, 10, m, m * 0.01, m * 0.97, m * 1.03 from job j cross join series s "
        f"cross join lateral (select {level} * {noise} as m) as made where j.place between :first and :last "
        "order by j.id, s.id"
    )
    for first in range(0, jobs, 100):
        with made.writing() as connection:
            # Every row names a series and a job that are there: to look for them again takes most of the time.
            connection.execute(text("set local session_replication_role = replica"))
            connection.execute(text(filling), {"first": first, "last": first + 99})
    with made.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("vacuum analyze"))
    made.close()
    return [each.id for each in listed]


def pages(folder: Path, url: str, keys: list[str], count: int) -> tuple[list[float], float, float]:
    """Ask for pages of random series; return the seconds of each, in order, of the processor, of the first."""
    chance = random.Random(1)
    took = []
    with serving(url, folder) as (place, pid):
        before = 0.0
        connection = http.client.HTTPConnection(place)
        for number in range(count + 1):
            before = processor_of(pid) if number == 1 else before
            begin = time.perf_counter()
            connection.request("GET", f"/p/bench/series/{chance.choice(keys)}.html")
            answer = connection.getresponse()
            page = answer.read()
            took.append(time.perf_counter() - begin)
            if answer.status != http.HTTPStatus.OK or b"<svg" not in page:
                raise SystemExit(f"{answer.status}: {page[:200]!r}")
        connection.close()
        used = (processor_of(pid) - before) / count
    return sorted(took[1:]), used, took[0]


def measured_pages(folder: Path, series: int, jobs: int, count: int) -> list[list[str]]:
    """Measure pages from a PostgreSQL of their own."""
    tests = Path(__file__).parent.parent / "tests"
    sys.path[:0] = [str(tests), str(tests / "server")]
    import clusters

    cluster = clusters.started()
    try:
        url = cluster.url(cluster.create())
        begin = time.perf_counter()
        keys = fill(url, series, jobs)
        filled = time.perf_counter() - begin
        took, used, first = pages(folder, url, keys, count)
    finally:
        cluster.stop()
        shutil.rmtree(cluster.folder)
    middle, high = took[len(took) // 2], took[len(took) * 95 // 100]
    print(f"{series * jobs:,} values filled in {filled:.0f} s")
    cells = [f"{1000 * each:.0f} ms" for each in (middle, high, used, first)]
    return [[f"page of a series, {series:,} series × {jobs:,} jobs", *cells]]


class Beside(NamedTuple):
    """Answers beside a large upload.

    Attributes:
        took: the seconds of each, in order.
        upload: the seconds of the upload.
        processor: seconds of processor time of the server meanwhile, without its processes.
    """

    took: list[float]
    upload: float
    processor: float


def beside_a_large_upload(folder: Path) -> Beside:
    """Send an upload of very many series, and ask for /health/live meanwhile."""
    made = create(folder / "large", About("bench"))
    upload.store(made, history.measured(MANY, random.Random(1), late=False, values=OF_EACH), ["{}"], history.job(0))
    ((_, path),) = made.uploads()
    url = f"sqlite:///{folder / 'large.db'}"
    _, _, secret = database(url)
    took = []
    with serving(url, folder) as (place, pid):
        # At its first request a server puts together its routes, whatever else it does.
        first = http.client.HTTPConnection(place)
        first.request("GET", "/health/live")
        first.getresponse().read()
        first.close()
        ended = threading.Event()

        def ask() -> None:
            connection = http.client.HTTPConnection(place)
            while not ended.wait(0.002):
                begin = time.perf_counter()
                connection.request("GET", "/health/live")
                connection.getresponse().read()
                took.append(time.perf_counter() - begin)

        asking = threading.Thread(target=ask)
        before = processor_of(pid)
        asking.start()
        begin = time.perf_counter()
        sending = http.client.HTTPConnection(place)
        sending.request("POST", "/api/v1/uploads", path.read_bytes(), {"Authorization": f"Bearer {secret}"})
        answer = sending.getresponse()
        if answer.status != http.HTTPStatus.CREATED:
            raise SystemExit(f"{answer.status}: {answer.read()!r}")
        whole = time.perf_counter() - begin
        ended.set()
        asking.join()
        used = processor_of(pid) - before
    return Beside(sorted(took), whole, used)


def main() -> None:
    """Measure, print the tables, and write them if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--uploads", type=int, default=2000)
    parser.add_argument("--series", type=int, default=5000)
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--without-pages", action="store_true")
    options = parser.parse_args()
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = files(folder, options.uploads)
        rows = []
        for what, measure in (
            ("over HTTP to SQLite", over_http),
            ("without HTTP", alone),
            ("bare SQLite, one client, the files alone", bare),
        ):
            rate = measure(folder, paths)
            rows.append([what, f"{rate.uploads:,.0f}", f"{1000 * rate.processor:.1f} ms"])
        lines += peers.table(
            [f"{options.uploads:,} uploads of {SERIES} series, {CLIENTS} clients", "a second", "processor, each"], rows
        )
        beside = beside_a_large_upload(folder)
        found = [beside.took[len(beside.took) * share // 100] for share in (50, 95, 99)]
        cells = [f"{1000 * each:.0f} ms" for each in (*found, beside.took[-1])]
        row = [f"/health/live, {len(beside.took):,} answers", *cells, f"{beside.upload:.1f} s"]
        lines += peers.table(
            [f"beside an upload of {MANY:,} series", "p50", "p95", "p99", "the slowest", "the upload"], [row]
        )
        if not options.without_pages:
            pages_row = measured_pages(folder, options.series, options.jobs, options.pages)
            lines += peers.table(["PostgreSQL, over HTTP", "p50", "p95", "processor, each", "the first"], pages_row)
    lines.append(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}.")
    output = "\n".join(lines) + "\n"
    print(output)
    if options.write:
        peers.write(PART, output)


if __name__ == "__main__":
    main()
