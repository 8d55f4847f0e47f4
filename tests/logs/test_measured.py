"""Logs of any system by a mapping: what is read, what is told of the rest, and that every verb reads it."""

import gzip
import itertools
import json
import random

import pytest
from read_logs import read, values, written

from statera import _native
from statera.cli import main
from statera.reading import logs, observations
from statera.support.errors import Stop
from statera.support.settings import Limits

# The same four requests in every form: time, route, status, milliseconds.
REQUESTS = [
    ("2026-11-21T18:44:07.100Z", "/a", 200, 12.5),
    ("2026-11-21T18:44:07.200Z", "/b", 200, 2.0),
    ("2026-11-21T18:44:08.300Z", "/a", 503, 900.0),
    ("2026-11-21T18:44:09.400Z", "/a", 200, 13.5),
]
SAMPLE = """
[[samples]]
name = "request"
metric = "latency"
value = "took"
unit = "ms"
keys = ["route"]
failed = { status = ">=500" }
"""


def _span(at, route, status, took):
    nanos = 1_700_000_000_000_000_000 + round(took * 1e6)
    attributes = [{"key": "status", "value": {"intValue": str(status)}}]
    return {"at": at, "name": route, "attributes": attributes, "end": str(nanos), "start": "1700000000000000000"}


NAMES = ("at", "route", "status", "took")
FORMS = {
    "json": ('form = "json"\ntime = "at"', lambda r: json.dumps(dict(zip(NAMES, r, strict=True)))),
    "quoted numbers, escapes": (
        'form = "json"\ntime = "at"',
        lambda r: json.dumps({"at": r[0], "route": r[1], "status": str(r[2]), "took": str(r[3])}).replace("/", "\\/"),
    ),
    "logfmt": (
        'form = "logfmt"\ntime = "at"',
        lambda r: f'at={r[0]} msg="a \\"b\\" =" route={r[1]} status={r[2]} took={r[3]}ms',
    ),
    "csv": (
        'form = "csv"\ncolumns = ["at", "text", "route", "status", "took"]\ntime = "at"',
        lambda r: f'{r[0]},"a, ""b""\nand c",{r[1]},"{r[2]}",{r[3]}',
    ),
    "tabs": (
        'form = "csv"\nseparator = "\\t"\ncolumns = ["at", "route", "status", "took"]\ntime = "at"',
        lambda r: "\t".join(map(str, r)),
    ),
    "regex": (
        """form = "regex"
        pattern = '''^(?P<at>\\S+) GET (?P<route>\\S+) (?P<status>\\d+) (?P<took>\\S+)$'''
        time = "at"
        """,
        lambda r: f"{r[0]} GET {r[1]} {r[2]} {r[3]}ms",
    ),
    "JSON in JSON": (
        'form = "json"\ninside = "log"\n[lines.inner]\nform = "json"\ntime = "at"',
        lambda r: json.dumps({"log": FORMS["json"][1](r) + "\n", "stream": "stdout"}),
    ),
    "logfmt behind a prefix": (
        """form = "regex"
        pattern = '''^\\S+ std(?:out|err) F (?P<log>.*)$'''
        inside = "log"
        [lines.inner]
        form = "logfmt"
        time = "at"
        """,
        lambda r: f"{r[0]} stdout F {FORMS['logfmt'][1](r)}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_values(tmp_path, form):
    lines, write = FORMS[form]
    found, account = read(tmp_path, "\n".join(map(write, REQUESTS)), f"[[lines]]\n{lines}\n{SAMPLE}")
    assert values(found) == {
        ("request", "latency", "/a"): [0.0125, 0.0135],
        ("request", "latency", "/b"): [0.002],
        ("request", "latency-failed", "/a"): [0.9],
        ("request", "failed", "/a"): [0, 1, 0],
        ("request", "failed", "/b"): [0],
    }
    assert (account.lines, account.other, account.taken) == (4, 0, [4])
    # Without --all-metrics nobody would see that requests failed.
    assert {metric.name for metric in found.metrics if metric.primary} == {"latency", "failed"}


def test_elements_of_arrays_are_records(tmp_path):
    document = {"resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
                "scopes": [{"spans": [_span(*request) for request in REQUESTS[:2]]},
                           {"spans": [_span(*request) for request in REQUESTS[2:]]}]}  # fmt: skip
    mapping = """
    [[lines]]
    form = "json"
    each = "all.scopes.spans"
    time = "at"
    [[samples]]
    name = "span"
    value = "end"
    minus = "start"
    unit = "ns"
    keys = ["name", { name = "service", field = "all.resource.attributes.service.name" }]
    failed = { "attributes.status" = ">=500" }
    """
    found, _ = read(tmp_path, json.dumps({"all": [document]}), mapping)
    # Nanoseconds since 1970 are more than a double holds: the difference is exact.
    assert values(found)["span", "end", "/a", "shop"] == [0.0125, 0.0135]
    assert values(found)["span", "end-failed", "/a", "shop"] == [0.9]
    whole = mapping.replace('form = "json"', 'form = "json"\nwhole = true')
    pretty, _ = read(tmp_path, json.dumps({"all": [document]}, indent=2), whole)
    assert values(pretty) == values(found)


CONDITIONS = [
    ('{ route = "/a" }', [0, 2, 3]),
    ('{ route = "/a*", status = "<500" }', [0, 3]),
    ('{ route = ["/b", "/c"] }', [1]),
    ('{ route = "!/a" }', [1]),
    ('{ route = ["!/b", "!/c"] }', [0, 2, 3]),
    ('{ route = "/^.[bc]$/" }', [1]),
    ("{ status = 503 }", [2]),
    ('{ status = ">200" }', [2]),
    ('{ nothing = "*" }', []),
    ('{ nothing = "!*" }', [0, 1, 2, 3]),
    ('{ host = "run" }', []),
    ('{ lines = "json", host = "log" }', [0, 1, 2, 3]),
]


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS)
def test_conditions_choose_lines(tmp_path, condition, expected):
    text = "\n".join(map(FORMS["json"][1], REQUESTS))
    mapping = '[[lines]]\nform = "json"\ntime = "at"\n[[samples]]\nname = "x"\nvalue = "took"\nunit = "ms"\nwhere = '
    mapping += condition
    found, account = read(tmp_path, text, mapping)
    assert [*itertools.chain(*values(found).values())] == [REQUESTS[each][3] / 1000 for each in expected]
    assert account.unused == 4 - len(expected)


def test_rates_count_whole_intervals_and_empty_ones(tmp_path):
    lines = [{"at": f"2026-11-21T00:00:{second:02}Z", "bytes": 500} for second in (0, 0, 1, 4, 5)]
    mapping = """
    [[lines]]
    form = "json"
    time = "at"
    [[samples]]
    name = "requests"
    per = "1s"
    [[samples]]
    name = "moved"
    per = "1s"
    value = "bytes"
    unit = "kB"
    """
    found, _ = read(tmp_path, "\n".join(map(json.dumps, lines)), mapping)
    # The last second is not known to be whole.
    assert values(found)["requests", "rate"] == [2, 1, 0, 0, 1]
    assert values(found)["moved", "bytes"] == [1e6, 5e5, 0, 0, 5e5]
    assert {metric.name: (metric.unit, metric.better) for metric in found.metrics} == {
        "rate": ("1/s", None),
        "bytes": ("B/s", None),
    }


def test_keys_are_rewritten_and_pooled(tmp_path):
    text = "\n".join(json.dumps({"at": REQUESTS[0][0], "path": f"/users/{n}/x", "took": n}) for n in range(1, 4))
    keys = 'keys = [{ name = "route", field = "path", replace = [["[0-9]+", "N"]] }]'
    mapping = f'[[lines]]\nform = "json"\ntime = "at"\n[[samples]]\nname = "r"\nvalue = "took"\nunit = "s"\n{keys}'
    found, _ = read(tmp_path, text, mapping)
    assert values(found) == {("r", "took", "/users/N/x"): [1, 2, 3]}


def test_what_was_not_used_is_told_with_its_line(tmp_path):
    lines = [
        FORMS["json"][1](REQUESTS[0]),
        "panic: no JSON",
        json.dumps({"at": "yesterday", "route": "/a", "status": 200, "took": 1}),
        json.dumps({"at": REQUESTS[0][0], "route": "/a", "status": 200, "took": "long"}),
        json.dumps({"at": REQUESTS[0][0], "route": "/a", "status": 200, "took": -1}),
        json.dumps({"at": REQUESTS[0][0], "route": "/a", "status": 200}),
    ]
    found, account = read(tmp_path, "\n".join(lines), f'[[lines]]\nform = "json"\ntime = "at"\n{SAMPLE}')
    assert (account.other, account.timeless, account.unusable) == (1, 1, [3])
    told = {problem.code: (problem.what, problem.line) for problem in found.problems}
    assert told["other-lines"] == ("1 line of no kind that the mapping names, this one first", 2)
    assert told["malformed-record"] == ("1 line without a usable time, this one first", 3)
    assert told["malformed-number"] == ("3 lines of request without a usable value, this one first", 4)
    assert found.left_out == 4
    # Where no value is left, it is not the lines of other kinds that lacked one.
    assert "without a usable" in observations.first_problem(found.problems)


EVENTS = """
[[lines]]
form = "json"
time = "ts"
unit = "ns"
[[samples]]
name = "apply"
from = { msg = "received" }
to = { msg = "applied" }
key = "key"
hosts = ["each", "first", "50%", "100%"]
"""


def of_hosts(folder, hosts):
    for host, lines in hosts.items():
        text = "".join(json.dumps({"ts": at, "msg": what, "key": key}) + "\n" for at, what, key in lines)
        written(folder, f"{host}/log.json", text)
    return folder


def test_times_between_events_agree_with_a_naive_reading(tmp_path):
    draw = random.Random(7)
    hosts = {host: [] for host in "abcd"}
    for number in range(300):
        begun = draw.randrange(10**12, 2 * 10**12)
        hosts[draw.choice("abcd")].append((begun, "received", f"k{number}"))
        for host in draw.sample("abcd", draw.randrange(5)):
            hosts[host].append((begun + draw.randrange(5 * 10**9), "applied", f"k{number}"))
            hosts[host].append((begun + 6 * 10**9, "applied", f"k{number}"))
    for lines in hosts.values():
        draw.shuffle(lines)
    begun = {key: at for lines in hosts.values() for at, what, key in lines if what == "received"}
    ends = {key: [] for key in begun}
    for lines in hosts.values():
        of_host = {}
        for at, what, key in lines:
            if what == "applied":
                of_host[key] = min(at, of_host.get(key, at))
        for key, at in of_host.items():
            ends[key].append((at - begun[key]) / 1e9)
    found = logs.named(written(tmp_path, "own.toml", EVENTS))
    native, _ = logs.read([of_hosts(tmp_path / "run", hosts)], found, Limits())
    read = observations.Observations(native)
    expected = {
        "time": sorted(itertools.chain(*ends.values())),
        "time, first host": sorted(min(of) for of in ends.values() if of),
        "time, 50 % of hosts": sorted(sorted(of)[1] for of in ends.values() if len(of) > 1),
        "time, 100 % of hosts": sorted(max(of) for of in ends.values() if len(of) == 4),
    }
    assert {metric: sorted(of) for (_, metric), of in values(read).items()} == expected
    applied = sum(what == "applied" for lines in hosts.values() for _, what, _ in lines)
    more = applied - sum(map(len, ends.values()))
    assert [problem.what for problem in read.problems] == [
        f"{sum(not of for of in ends.values())} keys of apply never ended, 0 never began",
        f"{more} events of apply repeat one of their key, of which the earliest counts",
    ]


def test_times_below_zero_are_left_out_and_told(tmp_path):
    hosts = {"a": [(10, "received", "k"), (30, "received", "l")], "b": [(5, "applied", "k"), (50, "applied", "l")]}
    found = logs.named(written(tmp_path, "own.toml", EVENTS.replace('"each", "first", "50%", "100%"', '"each"')))
    native, _ = logs.read([of_hosts(tmp_path / "run", hosts)], found, Limits())
    read = observations.Observations(native)
    assert values(read) == {("apply", "time"): [2e-8]}
    assert [problem.code for problem in read.problems] == ["negative"]


def test_pieces_threads_and_compression_change_nothing(tmp_path):
    draw = random.Random(3)
    lines = [
        f'2026-11-21T18:44:07Z,"line {n}\n{"x" * draw.randrange(200)}",/{n % 7},200,{draw.randrange(1000)}'
        for n in range(40_000)
    ]
    mapping = f"[[lines]]\n{FORMS['csv'][0]}\n{SAMPLE}"
    found = logs.named(written(tmp_path, "own.toml", mapping))
    plain = written(tmp_path, "run/log.csv", "\n".join(lines))
    packed = tmp_path / "packed.csv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    one, [account] = logs.read([plain], found, Limits())
    two, [other] = logs.read([packed], found, Limits())
    assert account.taken == [40_000]
    assert account[:-1] == other[:-1]
    assert values(observations.Observations(one)) == values(observations.Observations(two))


WRONG = [
    ('form = "json"', 'from = "json"', r"own.toml:2: \[\[lines\]\] 1 has no field 'from'"),
    ('form = "json"', 'form = "yaml"', "own.toml:2: form takes one of json, logfmt, csv, regex, not 'yaml'"),
    ('time = "at"', 'time = "at"\npattern = "x"', "own.toml:4: .* pattern belongs to the form regex, not to json"),
    ('form = "json"', 'form = "regex"', "lacks pattern, which the form regex needs"),
    ('form = "json"', 'form = "regex"\npattern = "(?P<at>x)(y"', "the pattern is no regular expression"),
    ('form = "json"', 'form = "regex"\npattern = "(?P<at>x)"', 'no kind of lines has a field "took"'),
    ('form = "json"', 'form = "csv"', "CSV takes either columns"),
    ('value = "took"\nunit = "ms"', "", "request measures nothing"),
    ('value = "took"', 'value = "took"\nfrom = { x = "y" }', "takes from, to and key"),
    ('unit = "ms"', 'per = "1d"', "per takes a length of time"),
    ('">=500"', '">=many"', "a number must follow >="),
    ('">=500"', '"/(/"', "is no regular expression"),
    ('">=500"', '">=500", lines = ["*", "!jsno"]', "own.toml:.* request: no .* is named 'jsno'. Their names: json"),
    ('name = "request"', 'name = ""', "name takes a text"),
    ('keys = ["route"]', 'keys = [["route"]]', "keys takes a list such as"),
    (SAMPLE, "", "lacks samples"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), WRONG)
def test_a_wrong_mapping_is_refused_with_its_line(tmp_path, old, new, words):
    text = f'[[lines]]\nform = "json"\ntime = "at"\n{SAMPLE}'
    assert old in text
    with pytest.raises(Stop, match=words) as stop:
        logs.named(written(tmp_path, "own.toml", text.replace(old, new)))
    assert stop.value.code == "event-mapping"


def test_a_sample_that_needs_times_is_refused_without_them(tmp_path):
    text = '[[lines]]\nform = "json"\n[[samples]]\nname = "x"\nper = "1s"'
    with pytest.raises(Stop, match='the sample "x" needs times'):
        logs.named(written(tmp_path, "own.toml", text))


def test_no_mapping_has_the_name_of_a_format():
    assert not set(logs.built_in()) & {known.name for known in _native.formats()}


@pytest.fixture
def runs(tmp_path):
    """Three runs of two builds, of which the second is slower and fails."""
    draw = random.Random(1)
    for build, slower in (("old", 1.0), ("new", 1.3)):
        for number in range(4):
            lines = [
                {"at": 1_700_000_000 + n / 10, "route": "/a", "status": 503 if build == "new" and n % 10 == 0 else 200,
                 "took": slower * draw.gauss(10, 1)}
                for n in range(100)
            ]  # fmt: skip
            written(tmp_path, f"{build}-{number}/h/app.log", "\n".join(map(json.dumps, lines)))
    written(tmp_path, "own.toml", f'[[lines]]\nform = "json"\ntime = "at"\nunit = "s"\n{SAMPLE}')
    return tmp_path


def test_every_verb_reads_logs(runs, monkeypatch, capsys):
    monkeypatch.chdir(runs)
    words = [f"{build}={build}-{number}" for build in ("old", "new") for number in range(4)]
    answers = []
    for command in (["logs", *words, "--mapping", "own.toml"], ["compare", *words, "--format", "own.toml"]):
        assert main([*command, "-f", "json", "--accept-parametric"]) == 0
        document = json.loads(capsys.readouterr().out)
        answers.append({row["metric"]: (row["verdict"], row["design"]) for row in document["rows"]})
    assert answers[0] == answers[1]
    assert answers[0]["latency"] == ("worse", "nested")
    # More failures make the times of a build invalid.
    assert answers[0]["failed"][0] == "invalid"
    assert main(["logs", *words, "--mapping", "own.toml", "--accept-parametric", "--fail-on", "worse"]) == 1
    assert main(["report", *words, "--format", "own.toml", "-o", "report.html"]) == 0
    assert main(["convert", "old-0", "--format", "own.toml", "-o", "old.parquet"]) == 0
    assert main(["inspect", "old-0", "--format", "own.toml"]) == 0
    capsys.readouterr()
    # What convert wrote is a result like any other.
    assert main(["compare", "old.parquet", "old.parquet", "-f", "json"]) in {0, 2}


def test_a_run_without_lines_and_copies_are_no_pass(runs, monkeypatch, capsys):
    monkeypatch.chdir(runs)
    for path in runs.glob("new-*/h/app.log"):
        path.write_text((runs / path.parts[-3].replace("new", "old") / "h/app.log").read_text())
    words = [f"{build}={build}-{number}" for build in ("old", "new") for number in range(4)]
    gate = ["logs", *words, "--mapping", "own.toml", "--accept-parametric", "--fail-on", "worse"]
    for said in ("new has the values of old, all of them.", "new-2 has no value. A gate needs all results"):
        assert main(gate) == 2
        assert said in capsys.readouterr().err
        (runs / "new-2/h/app.log").write_text("")


def test_one_run_is_summarised(runs, monkeypatch, capsys):
    monkeypatch.chdir(runs)
    assert main(["logs", "old-0", "--mapping", "own.toml"]) == 0
    out = capsys.readouterr().out
    assert [line.split()[:3] for line in out.splitlines() if line.startswith("request route=/a, latency")]
    assert "old-0/h/app.log:" in out
    assert main(["logs", "old-0", "--mapping", "own.toml", "-f", "csv"]) == 0
    for words in (
        ["--fail-on", "worse"],
        ["--quantiles", "5,95"],
        ["--where", "a=b"],
        ["--mean"],
        ["--unpaired"],
        ["--alpha", "0.01"],
    ):
        assert main(["logs", "old-0", "--mapping", "own.toml", *words]) == 2
        assert f"{words[0]} applies to a comparison: name two runs or more" in capsys.readouterr().err
    assert main(["logs", "old-0", "--mapping", "own.toml", "--metric", "failed"]) == 0
    out = capsys.readouterr().out
    assert "request route=/a, failed" in out
    assert "latency" not in out
    assert main(["logs", "old-0", "--mapping", "own.toml", "--benchmark", "nope"]) == 2
    assert main(["logs", "nowhere", "--mapping", "own.toml"]) == 2
    assert main(["logs", "old-0", "--mapping", "ngins"]) == 2
    assert "the nearest: nginx" in capsys.readouterr().err


def test_a_mapping_is_tried_and_proposed(runs, monkeypatch, capsys):
    monkeypatch.chdir(runs)
    log = runs / "old-0/h/app.log"
    log.write_text(log.read_text() + "\nno JSON \x1b[31m\n")
    assert main(["logs", "init", "old-0/h/app.log", "-o", "proposed.toml"]) == 0
    proposed = (runs / "proposed.toml").read_text()
    assert 'value = "took"\nunit = "s"' in proposed
    assert 'time = "at"\nunit = "s"' in proposed
    assert main(["logs", "try", "old-0/h/app.log", "--mapping", "proposed.toml", "--lines", "200"]) == 0
    out = capsys.readouterr().out
    assert "101 records: 100 of a kind of the mapping, 100 in a sample, 1 of no kind" in out
    assert "\x1b" not in out
    # A value is written as in all tables, not as its conversion to seconds left it.
    took = '[[lines]]\nform = "json"\ntime = "at"\n[[samples]]\nname = "x"\nvalue = "took"\nunit = "ms"\n'
    (runs / "ms.toml").write_text(took)
    (runs / "ms.log").write_text('{"at": "2026-01-01T00:00:00Z", "took": 19.97}\n')
    assert main(["logs", "try", "ms.log", "--mapping", "ms.toml"]) == 0
    assert "→ x: 19.970 ms\n" in capsys.readouterr().out
    for words in (["init", "none.log"], ["try", "none.log", "--mapping", "ms.toml"]):
        assert main(["logs", *words]) == 2
        assert "statera: none.log: there is no such file or folder [missing-file]" in capsys.readouterr().err
