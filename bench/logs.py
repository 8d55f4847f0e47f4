"""Measure reading logs by a mapping on one core, beside DuckDB on the same lines, and write docs/performance.md.

All times are processor times of whole processes, the best of alternating rounds.

Usage: python bench/logs.py [--write] [--size MB] [--rounds N]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import peers

if TYPE_CHECKING:
    from pathlib import Path

PART = "logs"
_SAMPLE = """
[[samples]]
name = "request"
value = "took"
unit = "s"
keys = ["method"]
failed = { status = ">=500" }
"""
_STATERA = """
import sys
from statera import _native
from statera.reading import logs
from statera.support.settings import Limits
_native.set_jobs(1)
native, _ = logs.read([sys.argv[1]], logs.named(sys.argv[2]), Limits())
print(len(native))
"""
_DUCKDB = """
import sys, duckdb
duckdb.execute("SET threads = 1")
print(duckdb.execute(open(sys.argv[2]).read().replace("FILE", sys.argv[1])).fetchall()[0][0])
"""
_PATTERN = (
    r'^(?P<client>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>[^ "]*)(?: [^"]*)?" '
    r'(?P<status>\d{3}) (?P<bytes>\d+) "[^"]*" "[^"]*" (?P<took>[0-9.]+)$'
)
_BARE = r'^\S+ \S+ \S+ \[([^\]]+)\] "([A-Z]+) [^"]*" (\d{3}) \d+ "[^"]*" "[^"]*" ([0-9.]+)$'


class Form(NamedTuple):
    """A form of lines: its mapping, how a line is written, and the query of DuckDB that finds the same values."""

    lines: str
    line: str
    query: str


FAILED = "count(CASE WHEN status >= 500 THEN 1 END), count(DISTINCT method)"
FORMS = {
    "access log, regular expression": Form(
        f"form = \"regex\"\npattern = '''{_PATTERN}'''\ntime = \"time\"",
        '10.0.{a}.{b} - - [21/Nov/2026:18:{m:02}:{s:02} +0000] "{method} /api/v1/items/{n} HTTP/1.1" {status} {n} "-" '
        '"Mozilla/5.0 (X11; Linux x86_64)" {took}',
        "SELECT count(r.took), sum(CAST(r.took AS DOUBLE)), max(strptime(r.time[1:20], '%d/%b/%Y:%H:%M:%S')), "
        "count(CASE WHEN r.status >= '500' THEN 1 END), count(DISTINCT r.method) FROM (SELECT regexp_extract(line, "
        f"'{_BARE}', ['time', 'method', 'status', 'took']) AS r FROM read_csv('FILE', columns = {{'line': 'VARCHAR'}}, "
        "delim = '\x01', quote = '', escape = '', header = false))",
    ),
    "JSON": Form(
        'form = "json"\ntime = "time"',
        '{{"time":"2026-11-21T18:{m:02}:{s:02}.{n:06}Z","level":"INFO","msg":"request done","method":"{method}",'
        '"http":{{"path":"/api/v1/items/{n}","agent":"x"}},"status":{status},"took":{took}}}',
        f"SELECT count(took), sum(took), max(time), {FAILED} FROM read_json('FILE', format = 'newline_delimited', "
        "columns = {time: 'TIMESTAMP', method: 'VARCHAR', status: 'INTEGER', took: 'DOUBLE'})",
    ),
    "key=value": Form(
        'form = "logfmt"\ntime = "time"',
        'time=2026-11-21T18:{m:02}:{s:02}.{n:06}Z level=info msg="request done" method={method} '
        "path=/api/v1/items/{n} status={status} took={took}s",
        "",
    ),
    "CSV": Form(
        'form = "csv"\ncolumns = ["time", "user", "text", "method", "status", "took"]\ntime = "time"',
        '2026-11-21 18:{m:02}:{s:02}.{n:06} UTC,user,"a text, ""quoted"" {n}",{method},{status},{took}',
        f"SELECT count(took), sum(took), max(CAST(replace(time, ' UTC', '') AS TIMESTAMP)), {FAILED} FROM read_csv("
        "'FILE', header = false, columns = {'time': 'VARCHAR', 'user': 'VARCHAR', 'text': 'VARCHAR', "
        "'method': 'VARCHAR', 'status': 'INTEGER', 'took': 'DOUBLE'})",
    ),
}


def written(form: Form, path: Path, size: int) -> int:
    """Write lines of a form until the file has so many bytes; return their number."""
    draw, lines = random.Random(7), 0
    with path.open("w") as file:
        while file.tell() < size:
            for _ in range(10_000):
                n = draw.randrange(1_000_000)
                file.write(
                    form.line.format(
                        a=n % 250, b=n % 199, m=lines // 60_000 % 60, s=lines // 1_000 % 60, n=n,
                        method="POST" if n % 5 == 0 else "GET", status=503 if n % 100 == 0 else 200,
                        took=f"{draw.lognormvariate(-4, 1):.6f}",
                    )
                    + "\n"
                )  # fmt: skip
                lines += 1
    return lines


def main() -> None:
    """Measure, print, and write the table on request."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--size", type=int, default=200, metavar="MB")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    place = peers.DATA / "logs"
    place.mkdir(parents=True, exist_ok=True)
    rows = [measured(name, form, place, options.size, options.rounds) for name, form in FORMS.items()]
    lines = peers.table(["lines", "statera", "MB a second", "peak", "DuckDB", "statera / DuckDB"], rows)
    text = "\n".join(lines)
    print(text)
    if options.write:
        peers.write(PART, text)


def measured(name: str, form: Form, place: Path, size: int, rounds: int) -> list[str]:
    """Measure a form of lines, and return the row of the table."""
    log, mapping, query = place / "lines.log", place / "own.toml", place / "query.sql"
    lines = written(form, log, size * 1_000_000)
    mapping.write_text(f"[[lines]]\n{form.lines}\n{_SAMPLE}")
    query.write_text(form.query)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(run([sys.executable, "-c", _STATERA, str(log), str(mapping)], 2 * lines))
        if form.query:
            theirs.append(run([sys.executable, "-c", _DUCKDB, str(log), str(query)], lines))
    best, peak = min(ours)
    peer = min(theirs)[0] if theirs else None
    log.unlink()
    return [
        name, f"{best:.2f} s", f"{size / best:,.0f}", f"{peak:.0f} MiB",
        f"{peer:.2f} s" if peer else "", f"{best / peer:.2f}" if peer else "",
    ]  # fmt: skip


_TIMED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, done.stdout.strip())
"""


def run(words: list[str], expected: int) -> tuple[float, float]:
    """Return the processor time and the peak memory of a program, which must have found so many values."""
    done = subprocess.run([sys.executable, "-c", _TIMED, *words], capture_output=True, text=True, check=True)
    used, peak, count = done.stdout.split()
    if int(count) != expected:
        raise SystemExit(f"{words[2:]}: {count} values, not {expected}")
    return float(used), float(peak)


if __name__ == "__main__":
    main()
