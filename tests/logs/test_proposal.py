"""What `logs init` proposes is accepted and reads its file at once, without the built-in mappings."""

# ruff: noqa: E501 - lines of logs are long

import json
import random
from datetime import datetime, timedelta

import pytest
from read_logs import values, written

from statera.reading import logs, observations
from statera.reading.logs import mapping as mappings
from statera.reading.logs.proposal import propose
from statera.support.errors import Stop
from statera.support.settings import Limits
from support import ROOT

SAMPLES = ROOT / "examples/logs"
DRAW = random.Random(4)
START = datetime(2026, 11, 21, 18, 44, 7, 100_000)  # noqa: DTZ001 - written as text
TIMES = [START + timedelta(seconds=number / 10) for number in range(60)]
REQUESTS = [
    {"timestamp": f"{at.isoformat()}Z", "level": ("info", "warn")[n % 2], "request_id": f"{DRAW.getrandbits(64):x}",
     "http": {"route": ("/a", "/b")[n % 2], "status": 200, "elapsed_ms": n + 0.5}}
    for n, at in enumerate(TIMES)
]  # fmt: skip
EVENTS = sorted(
    (at + timedelta(milliseconds=later), what, number)
    for number, at in enumerate(TIMES)
    for what, later in (("received", 0), ("answered", 250 + number))
)


def of(form):
    """Write a line for each time and number."""
    return [form(at, number) for number, at in enumerate(TIMES)]


def stamp(at):
    return f"{at:%Y-%m-%d %H:%M:%S},{at.microsecond // 1000:03}"


# The lines of a log, and the fields that are measured, with the sum of their values in seconds.
PROPOSED = {
    "nested JSON": ([json.dumps(one) for one in REQUESTS], {"http.elapsed_ms": 1.8}),
    "JSON of Docker in JSON": (
        [json.dumps({"log": json.dumps(one) + "\n", "stream": "stdout", "time": one["timestamp"]}) for one in REQUESTS],
        {"http.elapsed_ms": 1.8},
    ),
    "text of Docker in JSON": (
        of(lambda at, n: json.dumps({"log": f"{stamp(at)} INFO [main] Handler: GET /a took {n} ms\n", "time": f"{at.isoformat()}Z"})),
        {"took": 1.77},
    ),
    "JSON behind the prefix of a container": (
        [f"{one['timestamp']} stdout F {json.dumps(one)}" for one in REQUESTS],
        {"http.elapsed_ms": 1.8},
    ),
    "klog": (
        of(lambda at, n: f'I{at:%m%d %H:%M:%S.%f}   1 httplog.go:132] "HTTP" verb="GET" URI="/pods" latency="{n}ms" resp=200'),
        {"latency": 1.77},
    ),
    "log4j": (of(lambda at, n: f"{stamp(at)} INFO  [pool-{n % 3}] c.e.Handler - request {n} took {n} ms"), {"took": 1.77}),
    "few lines with a duration": (
        of(lambda at, n: f"{stamp(at)} INFO [main] " + (f"saved in {n} ms" if n % 2 else "idle")),
        {"took": 0.9},
    ),
    "Rails": (
        of(lambda at, n: f"[{at:%Y-%m-%d %H:%M:%S}] Completed 200 OK in {n + 3}ms (Views: {n}.5ms | ActiveRecord: {n}.0ms)"),
        {"took": 1.95, "Views": 1.8, "ActiveRecord": 1.77},
    ),
    "pairs behind a time": (of(lambda at, n: f"{at:%Y/%m/%d %H:%M:%S} GET /x status=200 duration={n}ms"), {"duration": 1.77}),
    "logfmt": (of(lambda at, n: f'time={at.isoformat()}Z level=info msg="request done" dur={n}ms'), {"dur": 1.77}),
    "CSV with a header": (["time,route,latency_ms", *of(lambda at, n: f"{at.isoformat()},/{n % 2},{n}")], {"latency_ms": 1.77}),
    "CSV without a header": (of(lambda at, n: f"{at.isoformat()},/{n % 2},{n}ms"), {"column3": 1.77}),
    "syslog": (of(lambda at, n: f"{at:%b %d %H:%M:%S} host app[33]: query took {n}ms"), {"took": 1.77}),
    "seconds since 1970": (of(lambda at, n: f"{at.timestamp():.3f} GET /a took {n}ms"), {"took": 1.77}),
    "access log": (
        of(lambda at, n: f'::1 - - [{at:%d/%b/%Y:%H:%M:%S} +0000] "GET /a HTTP/1.1" 200 512 "-" "x" 0.{n:03}'),
        {"duration": 1.77},
    ),
    "proxy log": (
        of(lambda at, n: f"10.0.0.1:35 [{at:%d/%b/%Y:%H:%M:%S}.{at.microsecond // 1000:03}] fe be/s1 took {n}ms"),
        {"took": 1.77},
    ),
    "floats with exponents": (of(lambda at, n: json.dumps({"ts": at.timestamp(), "duration": n / 1e6})), {"duration": 0.00177}),
    "one JSON text": (
        json.dumps({"spans": [{"start": 1_700_000_000_000 + n, "end": 1_700_000_000_000 + 2 * n} for n in range(60)]}, indent=1).splitlines(),
        {"duration": 1.77},
    ),
    "pauses of a runtime": (
        of(lambda at, n: f"[{at.isoformat()}Z][{n}.2s][info][gc] GC({n}) Pause {('Young', 'Full')[n % 2]} {n}M->{n + 1}M {n}.000ms"),
        {"took": 1.77},
    ),
    "events of an id": (
        [json.dumps({"ts": at.isoformat(), "msg": what, "req": f"r{n}"}) for at, what, n in EVENTS],
        {"time": 0.25 * 60 + 1.77},
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _without_built_in_mappings(monkeypatch):
    monkeypatch.setattr(mappings, "built_in", dict)


def executed(tmp_path, path):
    """Read a file by what is proposed for it; return the observations and the account."""
    found = logs.named(written(tmp_path, "proposed.toml", propose(str(path)).text))
    native, [account] = logs.read([path], found, Limits())
    return observations.Observations(native), account


@pytest.mark.parametrize("kind", PROPOSED)
def test_a_proposal_measures_the_durations_of_its_file(tmp_path, kind):
    lines, expected = PROPOSED[kind]
    read, account = executed(tmp_path, written(tmp_path, "app.log", "\n".join(lines)))
    sums = {}
    for (_, metric, *_), some in values(read).items():
        sums[metric] = sums.get(metric, 0) + sum(some)
    sums.pop("failed", None)
    assert sums == pytest.approx(expected)
    assert (account.other, account.timeless, sum(account.unusable)) == (0, 0, 0)


@pytest.mark.parametrize("path", sorted(SAMPLES.rglob("*.gz")), ids=lambda path: path.relative_to(SAMPLES).as_posix())
def test_a_proposal_reads_real_logs(tmp_path, path):
    read, account = executed(tmp_path, path)
    assert len(read) > 0
    assert account.other <= 0.01 * account.lines
    assert (account.timeless, sum(account.unusable)) == (0, 0)


def test_keys_are_fields_of_few_values(tmp_path):
    text = propose(str(written(tmp_path, "app.log", "\n".join(map(json.dumps, REQUESTS))))).text
    assert 'keys = ["http.route", "level"]' in text
    assert 'failed = { "http.status" = ">=500" }' in text


def test_what_differs_in_its_numbers_only_is_one_key(tmp_path):
    lines, _ = PROPOSED["pauses of a runtime"]
    read, _ = executed(tmp_path, written(tmp_path, "app.log", "\n".join(lines)))
    assert len(values(read)) == 2


def test_a_unit_that_nothing_states_is_marked(tmp_path):
    lines = [json.dumps({"ts": at.timestamp(), "Duration": n * 1000}) for n, at in enumerate(TIMES)]
    assert 'unit = "ms"   # a guess' in propose(str(written(tmp_path, "app.log", "\n".join(lines)))).text


def test_settings_are_no_durations(tmp_path):
    lines = [{"ts": at.timestamp(), "msg": "x"} for at in TIMES * 4]
    lines[3] |= {"heartbeat": "100ms", "timeout": "1s"}
    assert "value" not in propose(str(written(tmp_path, "app.log", "\n".join(map(json.dumps, lines))))).text


def test_a_text_without_times_is_refused(tmp_path):
    with pytest.raises(Stop, match="Write a mapping by hand"):
        propose(str(written(tmp_path, "app.log", "lorem ipsum\ndolor sit\n")))


def test_built_in_mappings_are_proposed_first(monkeypatch):
    monkeypatch.undo()
    fits = {
        "etcd/etcd.log.gz": "etcd", "journal/journal.json.gz": "journal", "nginx/access.log.gz": "nginx",
        "apache/access.log.gz": "nginx", "opentelemetry/shop.jsonl.gz": "opentelemetry", "spark/events.gz": "spark",
        "postgresql/on-1/run.csv.gz": "postgresql-csv", "postgresql-text/run.log.gz": "postgresql",
        "postgresql-json/run.json.gz": "postgresql-json",
        "zookeeper/zookeeper.log.gz": "zookeeper",
    }  # fmt: skip
    found = {path: propose(str(SAMPLES / path)).found for path in fits}
    assert not {path: said for path, said in found.items() if f"the built-in mapping {fits[path]} reads" not in said}
