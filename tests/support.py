"""What tests share: files as harnesses write them, and samples without chance."""

import contextlib
import csv
import functools
import inspect
import io
import json
import os
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

import statera
from statera.support.errors import Stop
from statera.support.settings import Policy

ROOT = Path(__file__).resolve().parents[1]


def every(names, rows, ids=None):
    """Call a test with each row of a table; at the end it names the rows that failed, each with its reason.

    It takes what ``pytest.mark.parametrize`` takes, and makes one test. All rows have the same fixtures, such as
    ``tmp_path``. It is for rows that cost little, which nobody runs alone.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = [row if len(names) > 1 else (row,) for row in rows]
    labels = list(given if ids is None else map(ids, rows) if callable(ids) else ids)

    def decorated(test):
        @functools.wraps(test)
        def whole(**fixtures):
            failed, first = [], None
            for label, row in zip(labels, given, strict=True):
                try:
                    test(**fixtures, **dict(zip(names, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - the other rows are tested too
                    failed.append(f"{label!r:.200}: {type(error).__name__}: {error}"[:2000])
                    first = first or error
            if failed:
                raise AssertionError("\n".join(failed)) from first

        signature = inspect.signature(test)
        left = [each for name, each in signature.parameters.items() if name not in names]
        del whole.__wrapped__
        whole.__signature__ = signature.replace(parameters=left)
        assert given, "there is no row"
        return whole

    return decorated


def go(benchmarks, *, unit="ns/op", config=None, units=None):
    """Go's format, run after run: {benchmark: [values]} or {benchmark: {unit: [values]}}."""
    lines = [f"{key}: {value}" for key, value in (config or {}).items()]
    lines += [f"Unit {name} {words}" for name, words in (units or {}).items()]
    columns = {name: v if isinstance(v, dict) else {unit: v} for name, v in benchmarks.items()}
    runs = max((len(v) for by_unit in columns.values() for v in by_unit.values()), default=0)
    for run in range(runs):
        for name, by_unit in columns.items():
            pairs = [f"{v[run]} {u}" for u, v in by_unit.items() if run < len(v)]
            if pairs:
                lines.append("\t".join([f"Benchmark{name}", "100", *pairs]))
    return "\n".join(lines) + "\n"


def table(rows):
    """A plain table of {column: cell} rows, quoted as CSV wants it."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def noisy(centre, count=10, *, seed=1, spread=0.005):
    """Values around a centre, all different, the same on every call, in an order in which neighbours are not alike."""
    chance = random.Random(seed)  # noqa: S311 - noise, no secret
    noise = [chance.gauss(0, 1) for _ in range(count)]
    mean = sum(noise) / max(count, 1)
    while count > 2 and sum((a - mean) * (b - mean) for a, b in pairwise(noise)) > 0:
        chance.shuffle(noise)
    return [round(centre * (1 + spread * each), 6) for each in noise]


def write(folder, **texts):
    """Write texts (or bytes) to files of these names; give their paths as strings."""
    paths = []
    for name, text in texts.items():
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(str(path))
    return paths


def compare(folder, old, new, **options):
    """Compare two texts through the library, as variants `old` and `new`, as if sessions did not differ."""
    write(folder, old=old, new=new)
    options.setdefault("policy", Policy(session=0.0))
    return statera.compare(f"old={folder / 'old'}", f"new={folder / 'new'}", **options)


def stopped(call, *arguments, **options):
    """What a call stops with, message and code; nothing if it does not stop."""
    try:
        call(*arguments, **options)
    except Stop as stop:
        return f"{stop} [{stop.code}]"
    return ""


def accepted(path, text):
    """Hold that a text is the one that was accepted; all of it is shown if it is not. STATERA_ACCEPT=1 accepts it."""
    if os.environ.get("STATERA_ACCEPT") == "1":
        path.write_text(text)
    assert path.exists(), "STATERA_ACCEPT=1 writes it"
    assert text == path.read_text()


def terminal_of(ours):
    """What a terminal got until its other end was closed."""
    parts = []
    with contextlib.suppress(OSError):
        while part := os.read(ours, 65536):
            parts.append(part)
    os.close(ours)
    return b"".join(parts).decode()


def fails(done, *said):
    """Hold that a command could not do what it was asked to, and that it said all of these."""
    assert done.code == 2, done.out + done.err
    assert [text for text in said if text not in done.err] == [], done.err


def by_name(comparison):
    """The rows by benchmark, where there is one metric; else by (benchmark, metric)."""
    rows = list(comparison)
    if len({row.metric for row in rows}) == 1:
        return {row.benchmark: row for row in rows}
    return {(row.benchmark, row.metric): row for row in rows}


def verdicts(comparison):
    return {name: row.verdict for name, row in by_name(comparison).items()}


def rows_of(text):
    """The rows of an output for machines, CSV or JSON."""
    if text.startswith("{"):
        return json.loads(text)["rows"]
    return list(csv.DictReader(io.StringIO(text)))


def cells(line):
    """The cells of a Markdown table's line; GitHub takes a pipe for text wherever a backslash stands before it."""
    return [part.strip() for part in re.split(r"(?<!\\)\|", line.strip())][1:-1]
