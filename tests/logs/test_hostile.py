"""Logs as they are found: damaged, cut, rotated, badly encoded. What cannot be read is told."""

import gzip
import json
import random

import pytest
from read_logs import read, values, written

from statera.cli import main
from statera.reading import logs, observations
from statera.support.errors import Stop
from statera.support.settings import Limits

JSON = '[[lines]]\nform = "json"\ntime = "at"\n[[samples]]\nname = "x"\nvalue = "took"\nunit = "s"\n'
LINE = json.dumps({"at": "2026-11-21T18:44:07Z", "took": 1})
TEXT = """
[[lines]]
form = "regex"
pattern = '''^(?P<at>\\S+) took (?P<took>\\d+)'''
time = "at"
[[samples]]
name = "x"
value = "took"
unit = "s"
"""


def taken(tmp_path, data, mapping=JSON, name="run/a.log", limits=None):
    """Read the bytes of a log; return its account, and what was told by its code."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    found = logs.named(written(tmp_path, "own.toml", mapping))
    native, [account] = logs.read([path.parent], found, limits or Limits())
    told = {problem.code: problem.what for problem in observations.Observations(native).problems}
    return account, told


LINES = {
    "plain": f"{LINE}\n{LINE}\n".encode(),
    "no last line feed": f"{LINE}\n{LINE}".encode(),
    "CRLF": f"{LINE}\r\n{LINE}\r\n".encode(),
    "byte order mark": f"\ufeff{LINE}\n{LINE}\n".encode(),
    "NUL bytes": b"\0\0\0\0\n" + f"{LINE}\n{LINE}\n".encode(),
    "invalid UTF-8": b'{"at": "2026-11-21T18:44:07Z", "took": 1, "who": "\xff\xfe\xc3"}\n' + LINE.encode(),
    "blank lines": f"\n\n{LINE}\n \t\n{LINE}\n\n".encode(),
    "escapes of terminals": f"\x1b[2J\x1b]0;x\x07\n{LINE}\n{LINE}\n".encode(),
}


@pytest.mark.parametrize("kind", LINES)
def test_two_lines_are_read(tmp_path, kind):
    account, told = taken(tmp_path, LINES[kind])
    assert account.taken == [2]
    assert set(told) <= {"other-lines"}


@pytest.mark.parametrize("name", ["run/a.log", "run/a.gz", "run/a.log.1"])
def test_compression_is_seen_whatever_the_name(tmp_path, name):
    account, told = taken(tmp_path, gzip.compress(LINES["byte order mark"]), name=name)
    assert (account.taken, told) == ([2], {})


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_other_encodings_are_told(tmp_path, encoding):
    account, told = taken(tmp_path, f"\ufeff{LINE}\n".encode(encoding))
    assert account.taken == [0]
    assert "iconv -f UTF-16" in told["truncated"]


def test_a_cut_file_is_read_as_far_as_it_goes(tmp_path):
    draw = random.Random(1)
    lines = [json.dumps({"at": "2026-11-21T18:44:07Z", "took": draw.random()}) for _ in range(5000)]
    whole = gzip.compress("\n".join(lines).encode())
    account, told = taken(tmp_path, whole[: len(whole) // 2], name="run/a.log.gz")
    assert 1000 < account.taken[0] < 4000
    assert "a.log.gz could not be read to its end" in told["truncated"]


def test_empty_files_beside_others_are_no_fault(tmp_path):
    for name in ("run/empty.log", "run/empty.log.gz", "run/blank.log"):
        written(tmp_path, name, "\n\n" if "blank" in name else "")
    account, told = taken(tmp_path, LINES["plain"])
    assert (account.taken, account.lines) == ([2], 2)
    assert set(told) <= {"truncated"}


def test_a_line_that_is_too_long_is_told(tmp_path):
    # Its beginning has all fields: a line that was cut must not count.
    long = b"2026-11-21T18:44:07Z took 1 " + b"x" * (5 << 20)
    line = b"\n2026-11-21T18:44:07Z took 2\n"
    account, told = taken(tmp_path, long + line, TEXT)
    assert (account.taken, account.long, account.lines) == ([1], 1, 2)
    assert told["line-too-long"].startswith("1 line longer than the limit")
    account, told = taken(tmp_path, long + line, TEXT, limits=Limits(line=16 << 20))
    assert (account.taken, told) == ([2], {})


CSV = '[[lines]]\nform = "csv"\n{}\ntime = "at"\n[[samples]]\nname = "x"\nvalue = "took"\nunit = "s"\n'


@pytest.mark.parametrize("columns", ['columns = ["at", "text", "took"]', "header = true"])
def test_a_quote_that_nothing_closes_takes_no_line_along(tmp_path, columns):
    rows = [f'2026-11-21T18:44:07Z,"a\nb",{n}' for n in range(40_000)]
    rows[7] = '2026-11-21T18:44:07Z,"cut by a cra'
    head = "at,text,took\n" if "header" in columns else ""
    account, told = taken(tmp_path, (head + "\n".join(rows)).encode(), CSV.format(columns))
    assert account.taken[0] == 39_999
    assert told["other-lines"].startswith("1 line of no kind")


def test_versions_may_add_columns(tmp_path):
    mapping = CSV.format('columns = ["at", "took", "..."]')
    account, _ = taken(tmp_path, b"2026-11-21T18:44:07Z,1\n2026-11-21T18:44:07Z,2,x,y\n2026-11-21T18:44:07Z\n", mapping)
    assert (account.taken, account.other) == ([2], 1)


def test_rotated_files_are_one_log(tmp_path):
    mapping = 'files = ["*.log"]\n' + TEXT.replace('value = "took"\nunit = "s"', 'per = "1s"')
    for name, second in (
        ("app.log.2.gz", 0),
        ("app.log.1", 2),
        ("app.log", 4),
        ("app.log-20261121", 6),
        ("app.txt", 8),
    ):
        data = f"2026-11-21T18:44:0{second}Z took 1\n".encode()
        (tmp_path / "run").mkdir(exist_ok=True)
        (tmp_path / "run" / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    found = logs.named(written(tmp_path, "own.toml", mapping))
    native, [account] = logs.read([tmp_path / "run"], found, Limits())
    assert account.lines == 4
    assert values(observations.Observations(native)) == {("x", "rate"): [1, 0, 1, 0, 1, 0]}


def test_times_that_go_back_change_nothing(tmp_path):
    lines = [json.dumps({"at": f"2026-11-21T18:44:{n:02}Z", "took": n}) for n in range(30)]
    mapping = JSON + '[[samples]]\nname = "rate"\nper = "1s"\n'
    forth, _ = read(tmp_path, "\n".join(lines), mapping)
    back, _ = read(tmp_path, "\n".join(reversed(lines)), mapping)
    assert values(forth) == values(back)


def test_what_never_happens_is_a_rate_of_zero(tmp_path):
    lines = [json.dumps({"at": f"2026-11-21T18:44:0{n}Z", "status": 200}) for n in range(4)]
    mapping = (
        '[[lines]]\nform = "json"\ntime = "at"\n[[samples]]\nname = "errors"\nper = "1s"\nwhere = {status = ">=500"}'
    )
    found, _ = read(tmp_path, "\n".join(lines), mapping)
    assert values(found) == {("errors", "rate"): [0, 0, 0]}


def test_lines_without_a_time_may_stand_beside_others(tmp_path):
    mapping = TEXT.replace("[[samples]]", "[[lines]]\nname = 'trace'\nform = 'regex'\npattern = '^\\t'\n[[samples]]")
    mapping = mapping.replace('value = "took"\nunit = "s"', 'per = "1s"')
    text = "2026-11-21T18:44:07Z took 1\n\tat x\n2026-11-21T18:44:09Z took 1\n"
    found, account = read(tmp_path, text, mapping)
    assert (account.kinds, account.other) == ([2, 1], 0)
    assert values(found) == {("x", "rate"): [1, 0]}


def test_a_description_beside_the_logs_is_no_host(tmp_path):
    mapping = JSON.split("[[samples]]", maxsplit=1)[0]
    mapping += '[[samples]]\nname = "x"\nfrom = { e = "a" }\nto = { e = "b" }\nkey = "k"\nhosts = ["100%"]\n'
    for host in "ab":
        lines = [{"at": f"2026-11-21T18:44:0{n}Z", "e": "ab"[n], "k": 1} for n in range(2)]
        written(tmp_path, f"run/{host}/x.log", "\n".join(map(json.dumps, lines)))
    written(tmp_path, "run/run.json", '{"version": 3}')
    found = logs.named(written(tmp_path, "own.toml", mapping))
    native, _ = logs.read([tmp_path / "run"], found, Limits())
    assert values(observations.Observations(native)) == {("x", "time, 100 % of hosts"): [1]}


def test_what_must_be_unpacked_is_refused(tmp_path):
    found = logs.named(written(tmp_path, "own.toml", JSON))
    with pytest.raises(Stop, match="Unpack it"):
        logs.read([written(tmp_path, "a.log.xz", "x")], found, Limits())


def test_elements_of_arrays_have_lines_within(tmp_path):
    mapping = """
    [[lines]]
    form = "json"
    each = "items"
    time = "at"
    inside = "message"
    [lines.inner]
    form = "regex"
    pattern = 'in (?P<took>\\S+)$'
    [[samples]]
    name = "pull"
    value = "took"
    where = { took = "*" }
    [[samples]]
    name = "items"
    per = "1s"
    """
    items = [
        {"at": f"2026-11-21T18:44:0{n}Z", "message": text} for n, text in enumerate(["done in 1m2.5s", "failed", "x"])
    ]
    found, _ = read(tmp_path, json.dumps({"items": items}), mapping)
    assert values(found) == {("pull", "took"): [62.5], ("items", "rate"): [1, 1]}


def test_thousands_of_files_are_read(tmp_path, capsys):
    for number in range(3000):
        written(tmp_path, f"run/host-{number % 7}/{number}.log", LINE)
    written(tmp_path, "own.toml", JSON)
    assert main(["logs", str(tmp_path / "run"), "--mapping", str(tmp_path / "own.toml")]) == 0
    assert "3000" in capsys.readouterr().out.replace(",", "")
