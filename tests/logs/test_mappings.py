"""The built-in mappings: of each a real log, or lines in the published form, against a reading that shares no code."""

# ruff: noqa: E501 - lines of logs are long

import csv
import gzip
import json
import re
from collections import defaultdict

import pytest
from read_logs import values, written

from statera.cli import main
from statera.reading import logs, observations
from statera.reading.logs import mapping as mappings
from statera.support.settings import Limits
from support import ROOT

SAMPLES = ROOT / "examples/logs"


def measured(path, name):
    """Read a log by a built-in mapping; return the values by benchmark, metric and keys, and the account."""
    native, [account] = logs.read([path], logs.named(name), Limits())
    found = defaultdict(list)
    for (benchmark, metric, *keys), of in values(observations.Observations(native)).items():
        found[benchmark, metric, *(key for key in keys if key is not None)] += of
    return {of: sorted(some) for of, some in found.items()}, account


def lines(path):
    return gzip.decompress((SAMPLES / path).read_bytes()).decode().splitlines()


def grouped(pairs):
    found = defaultdict(list)
    for of, value in pairs:
        found[of].append(value)
    return {of: pytest.approx(sorted(some), rel=1e-12) for of, some in found.items()}


def chosen(found, *benchmarks):
    return {of: some for of, some in found.items() if of[0] in benchmarks and of[1] != "failed"}


@pytest.mark.parametrize(
    ("sample", "benchmark", "unit"), [("nginx", "request", 1), ("apache", "request, Apache", 1e-6)]
)
def test_access_logs(sample, benchmark, unit):
    pairs = []
    for line in lines(f"{sample}/access.log.gz"):
        request, rest = re.split(r'(?<!\\)" ', line.split('] "', 1)[1], maxsplit=1)
        method = [request.split()[0]] if request.split()[0].isalpha() else []
        failed = "-failed" if int(rest.split()[0]) >= 500 else ""
        pairs.append(((benchmark, f"latency{failed}", *method), float(line.rsplit(" ", 1)[1]) * unit))
    found, account = measured(SAMPLES / sample, "nginx")
    assert chosen(found, benchmark) == grouped(pairs)
    assert account.other == 0


def statements(messages):
    for message in messages:
        found = re.match("duration: ([0-9.]+) ms  statement: ([A-Z]+)", message)
        if found:
            yield ("statement", "latency", "statement", found[2]), float(found[1]) / 1000


def test_postgresql():
    rows = [*csv.reader(lines("postgresql/on-1/run.csv.gz"))]
    totals = [float(took) for row in rows for took in re.findall(r"^checkpoint complete.*total=([0-9.]+) s", row[13])]
    found, account = measured(SAMPLES / "postgresql/on-1", "postgresql-csv")
    assert chosen(found, "statement") == grouped(statements(row[13] for row in rows))
    assert (account.other, account.timeless, found["checkpoint", "duration"]) == (0, 0, totals)


def test_postgresql_text():
    messages = [line.partition("LOG:  ")[2] for line in lines("postgresql-text/run.log.gz")]
    found, account = measured(SAMPLES / "postgresql-text", "postgresql")
    assert chosen(found, "statement") == grouped(statements(messages))
    assert (account.other, account.timeless) == (0, 0)
    # The server wrote both logs of the same run.
    assert found == measured(SAMPLES / "postgresql/on-1", "postgresql-csv")[0]


def test_postgresql_json():
    rows = [*map(json.loads, lines("postgresql-json/run.json.gz"))]
    found, account = measured(SAMPLES / "postgresql-json", "postgresql-json")
    assert chosen(found, "statement") == grouped(statements(row["message"] for row in rows))
    assert (account.other, account.timeless, account.lines) == (0, 0, len(rows))


def test_lines_of_postgresql_that_the_sample_lacks(tmp_path):
    text = "\n".join(
        f"2026-11-29 20:25:{second:02}.964 UTC [7655] app@shop {rest}"
        for second, rest in enumerate(
            [
                "LOG:  duration: 2.5 ms  parse <unnamed>: SELECT 1",
                "LOG:  duration: 0.5 ms  execute S_1: insert into t\n\tvalues ($1)",
                "DETAIL:  parameters: $1 = '1'",
                "LOG:  duration: 1500.25 ms",
                "LOG:  process 12 acquired ShareLock on transaction 731 after 2000.5 ms",
                'LOG:  temporary file: path "base/pgsql_tmp/pgsql_tmp9.0", size 14000000',
                'ERROR:  relation "x" does not exist at character 15',
                "LOG:  end",
            ]
        )
    )
    found, account = measured(written(tmp_path, "run.log", text), "postgresql")
    assert account.other == 0
    assert found == {
        ("statement", "latency"): [1.50025],
        ("statement", "latency", "parse", "SELECT"): [0.0025],
        ("statement", "latency", "execute", "insert"): [0.0005],
        ("lock", "wait"): [2.0005],
        ("temporary file", "size"): [14e6],
        ("errors", "rate"): [0, 0, 0, 0, 0, 0, 1],
    }


def seconds(duration):
    number, unit = re.fullmatch(r"([0-9.]+)(\D+)", duration).groups()
    return float(number) * {"µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def test_etcd():
    records = [json.loads(line) for line in lines("etcd/etcd.log.gz")]
    pairs = [
        (("request", "latency", one["response type"].removeprefix("/etcdserverpb.")), seconds(one["time spent"]))
        for one in records
        if "time spent" in one
    ]
    pairs += [(("operation", "took", one["msg"]), seconds(one["took"])) for one in records if "took" in one]
    found, account = measured(SAMPLES / "etcd", "etcd")
    assert chosen(found, "request", "operation") == grouped(pairs)
    assert (account.other, account.timeless) == (0, 0)


def test_zookeeper(tmp_path):
    took = [int(word) / 1000 for word in re.findall(r"took (\d+)ms", "\n".join(lines("zookeeper/zookeeper.log.gz")))]
    found, account = measured(SAMPLES / "zookeeper", "zookeeper")
    assert found["fsync", "latency"] == pytest.approx(sorted(took))
    assert account.timeless == 0
    text = (
        "2026-11-29 20:27:14,221 [myid:1] - INFO  [QuorumPeer[myid=1](plain=[0:0]:2181):o.a.z.s.q.Leader@601] - "
        "LEADING - LEADER ELECTION TOOK - 218 MS\n"
    )
    found, _ = measured(written(tmp_path, "zookeeper.log", text), "zookeeper")
    assert found["election", "duration"] == [0.218]


def test_spark():
    events = [json.loads(line) for line in lines("spark/events.gz")]
    of = {
        name: [one for one in events if one["Event"].endswith(f"SparkListener{name}")]
        for name in ("TaskEnd", "StageCompleted")
    }
    pairs = []
    for one in of["TaskEnd"]:
        took = one["Task Info"]["Finish Time"] - one["Task Info"]["Launch Time"]
        pairs.append((("task", "duration", str(one["Stage ID"])), took / 1e3))
        pairs.append((("task, CPU", "cpu", str(one["Stage ID"])), one["Task Metrics"]["Executor CPU Time"] / 1e9))
    for one in of["StageCompleted"]:
        stage = one["Stage Info"]
        took = stage["Completion Time"] - stage["Submission Time"]
        pairs.append((("stage", "duration", str(stage["Stage ID"])), took / 1e3))
    began = {one["Job ID"]: one["Submission Time"] for one in events if one["Event"] == "SparkListenerJobStart"}
    ended = [one for one in events if one["Event"] == "SparkListenerJobEnd"]
    pairs += [(("job", "duration"), (one["Completion Time"] - began[one["Job ID"]]) / 1e3) for one in ended]
    found, account = measured(SAMPLES / "spark", "spark")
    assert chosen(found, "task", "task, CPU", "stage", "job") == grouped(pairs)
    assert len(found["query", "duration"]) == 3
    assert (account.other, account.timeless) == (0, 0)


def test_opentelemetry():
    pairs = []
    for service in ("shop", "stock"):
        for line in lines(f"opentelemetry/{service}.jsonl.gz"):
            for resource in json.loads(line)["resourceSpans"]:
                for span in (span for scope in resource["scopeSpans"] for span in scope["spans"]):
                    failed = "-failed" if span["status"].get("code") == "STATUS_CODE_ERROR" else ""
                    took = int(span["endTimeUnixNano"]) - int(span["startTimeUnixNano"])
                    pairs.append((("span", f"duration{failed}", service, span["name"]), took / 1e9))
    found, _ = measured(SAMPLES / "opentelemetry", "opentelemetry")
    assert chosen(found, "span") == grouped(pairs)


def test_journal():
    records = [json.loads(line) for line in lines("journal/journal.json.gz")]
    at, pairs = {}, []
    for one in records:
        what = one["MESSAGE"].split()[0]
        at[what, one.get("INVOCATION_ID")] = int(one["__REALTIME_TIMESTAMP"])
        if what == "Started":
            took = at[what, one["INVOCATION_ID"]] - at["Starting", one["INVOCATION_ID"]]
            pairs.append((("start", "duration", one["UNIT"]), took / 1e6))
        if "CPU_USAGE_NSEC" in one:
            pairs.append((("CPU time", "cpu", one["UNIT"]), int(one["CPU_USAGE_NSEC"]) / 1e9))
    found, account = measured(SAMPLES / "journal", "journal")
    assert chosen(found, "start", "CPU time") == grouped(pairs)
    assert (account.other, account.timeless) == (0, 0)


def test_cardano():
    of_hosts = {host: ROOT / "examples/cluster/base-1" / host for host in ("node-0", "node-1", "node-2", "node-3")}
    forged, adopted = {}, defaultdict(list)
    for folder in of_hosts.values():
        first = {}
        for one in logs.trace(next(folder.glob("*.zst")), logs.named("cardano"), 100_000):
            fields = dict(one.fields)
            if fields.get("ns") == "Forge.Loop.ForgedBlock":
                forged[fields["data.block"]] = one.at
            if fields.get("ns") == "ChainDB.AddBlockEvent.AddedToCurrentChain":
                first.setdefault(fields["data.newtip"].split("@")[0], one.at)
        for block, at in first.items():
            adopted[block].append(at)
    expected = sorted(min(adopted[block]) - at for block, at in forged.items() if block in adopted)
    found, _ = measured(ROOT / "examples/cluster/base-1", "cardano")
    assert found["adoption", "time, first host"] == pytest.approx([nanos / 1e9 for nanos in expected])


HDFS = """\
2021-07-15 22:43:01,002 INFO org.apache.hadoop.hdfs.server.datanode.DataNode: Receiving BP-78-192.168.0.61-15:blk_107_24 src: /192.168.0.61:59394 dest: /192.168.0.63:50010
2021-07-15 22:43:01,108 INFO org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace: src: /192.168.0.61:59394, dest: /192.168.0.63:50010, bytes: 1048576, op: HDFS_WRITE, cliID: DFSClient_1, offset: 0, srvID: 7f24777b, blockid: BP-78-192.168.0.61-15:blk_107_24, duration: 98000000
2021-07-15 22:43:01,108 INFO org.apache.hadoop.hdfs.server.datanode.DataNode: PacketResponder: BP-78:blk_107_24, type=LAST_IN_PIPELINE terminating
2021-07-15 22:43:03,500 INFO FSNamesystem.audit: allowed=true\tugi=hadoop (auth:KERBEROS)\tip=/10.0.0.9\tcmd=getfileinfo\tsrc=/tmp\tdst=null\tperm=null\tproto=rpc
"""
HDFS_OLD = """\
081109 203518 143 INFO dfs.DataNode$DataXceiver: Receiving block blk_-160 src: /10.250.19.102:54106 dest: /10.250.19.102:50010
081109 203519 143 INFO dfs.DataNode$PacketResponder: PacketResponder 1 for block blk_-160 terminating
081109 203521 145 INFO dfs.DataNode$PacketResponder: Received block blk_-160 of size 91178 from /10.250.10.6
"""
GETH = """\
INFO [05-05|01:02:24.528] Imported new potential chain segment     number=22,413,537 hash=f30523..3aa189 blocks=1  txs=202  mgas=13.965  elapsed=71.839ms   mgasps=194.390 blobs=0
INFO [05-05|01:02:24.640] Chain head was updated                   number=22,413,537 hash=f30523..3aa189 root=2d6b1f..aa11e0
INFO [05-05|01:02:36.528] Imported new potential chain segment     number=22,413,538 hash=f30524..3aa189 blocks=1  txs=1,202  mgas=13.965  elapsed=1.071s     mgasps=13.390
t=2024-11-03T17:52:35+0000 lvl=info msg="Imported new potential chain segment" number=127528789 blocks=1 txs=17 mgas=5.157262 elapsed=91.736ms mgasps=56.218 triedirty="0.00 B"
"""
KAFKA_TIMES = '"totalTimeMs":12.5,"requestQueueTimeMs":0.5,"localTimeMs":2,"remoteTimeMs":10,"throttleTimeMs":0,"responseQueueTimeMs":0.1,"sendTimeMs":0.2'
KAFKA = f"""\
[2026-11-21 18:44:07,123] DEBUG Completed request:{{"isForwarded":false,"requestHeader":{{"requestApiKey":0,"requestApiVersion":9,"correlationId":7,"clientId":"producer-1","requestApiKeyName":"PRODUCE"}},"request":{{"acks":-1}},"response":{{}},"connection":"127.0.0.1:9092",{KAFKA_TIMES},"securityProtocol":"PLAINTEXT"}} (kafka.request.logger)
[2020-09-09 18:37:12,886] DEBUG Completed request:RequestHeader(apiKey=FETCH, apiVersion=5, clientId=group-1, correlationId=8799) -- {{replicaId=-1}},response={{throttleTimeMs=0}} from connection 127.0.0.1:62610-3;totalTime:0.085,requestQueueTime:0.013,localTime:0.033,remoteTime:0.011,throttleTime:0,responseQueueTime:0.011,sendTime:0.015,sendIoTime:0.01,securityProtocol:PLAINTEXT (kafka.request.logger)
"""
COCKROACH = """\
I210401 22:57:20.047235 5475 9@util/log/event_log.go:32 ⋮ [n1,client=‹[::1]:59116›,hostnossl,user=root] 900 ={"Timestamp":1617317840045704000,"EventType":"query_execute","Statement":"‹SELECT * FROM users WHERE name = 'x'›","Tag":"SELECT","User":"‹root›","ApplicationName":"‹shop›","ExecMode":"exec","NumRows":1,"Age":1.583,"TxnCounter":12}
E210401 22:57:22.047235 5475 kv/server.go:32 ⋮ [n1] 901  liveness: a=b
I210401 22:57:23.047235 5475 9@util/log/event_log.go:32 ⋮ [n1,client=‹[::1]:59116›,user=root] 902 ={"Timestamp":1617317843045704000,"EventType":"slow_query","Statement":"‹x›","Tag":"UPDATE","ApplicationName":"‹shop›","Age":100.205,"ErrorText":"‹retry›"}
"""
EVENTS = json.dumps(
    {
        "kind": "List",
        "items": [
            {"reason": reason, "type": "Normal", "lastTimestamp": f"2026-11-21T18:44:{second:02}Z", "message": message,
             "involvedObject": {"kind": "Pod", "uid": "u-1"}}
            for second, reason, message in (
                (1, "Scheduled", "Successfully assigned shop/web-1 to node-2"),
                (2, "Pulling", 'Pulling image "nginx:1.25"'),
                (34, "Pulled", 'Successfully pulled image "nginx:1.25" in 32.053s (32.053s including waiting). Image size: 203831382 bytes.'),
                (35, "Started", "Started container web"),
            )
        ],
    },
    indent=1,
)  # fmt: skip

PUBLISHED = [
    ("hdfs", "hdfs.log", HDFS, {
        ("transfer", "duration", "HDFS_WRITE"): [0.098],
        ("transfer, bytes", "size", "HDFS_WRITE"): [1048576],
        ("calls", "throughput", "getfileinfo"): [0, 0],
        ("warnings", "rate"): [0, 0],
    }),
    ("hdfs", "hdfs.log", HDFS_OLD, {("block", "duration"): [3], ("warnings", "rate"): [0, 0, 0]}),
    ("geth", "geth.log", GETH, {
        ("import", "duration"): [0.071839, 0.091736, 1.071],
        ("import, speed", "gas"): [13.39e6, 56.218e6, 194.39e6],
    }),
    ("kafka", "kafka-request.log", KAFKA, {
        ("request", "time", "PRODUCE"): [0.0125], ("request", "time", "FETCH"): [0.000085],
        ("wait for followers", "time", "PRODUCE"): [0.01], ("sending", "time", "FETCH"): [0.000015],
    }),
    ("cockroachdb", "cockroach.log", COCKROACH, {
        ("statement", "latency", "SELECT", "shop"): [0.001583],
        ("statement", "latency-failed", "UPDATE", "shop"): [0.100205],
        ("errors", "rate"): [0, 0, 1],
    }),
    ("kubernetes", "events.json", EVENTS, {("pull", "duration"): [32.053], ("start of a pod", "duration"): [34]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "file", "text", "expected"), PUBLISHED, ids=[one[1] for one in PUBLISHED])
def test_published_lines(tmp_path, name, file, text, expected):
    found, account = measured(written(tmp_path, file, text), name)
    assert {of: found.get(of) for of in expected} == {of: pytest.approx(some) for of, some in expected.items()}
    assert (account.other, account.timeless, sum(account.unusable)) == (0, 0, 0)


def test_every_mapping_is_tried_and_says_where_its_numbers_come_from():
    here = (ROOT / "tests/logs/test_mappings.py").read_text()
    names = logs.built_in()
    assert not [name for name in names if f'"{name}"' not in here]
    assert not [name for name in names if not re.match("# (Checked|Written)", mappings.text_of(name))]


def test_two_builds_of_postgresql_differ(capsys):
    words = [f"{build}={SAMPLES}/postgresql/{build}-{number}" for build in ("on", "off") for number in range(1, 5)]
    assert main(["logs", *words, "--mapping", "postgresql-csv", "-f", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    verdicts = {row["group"]: row["verdict"] for row in rows if row["metric"] == "latency"}
    assert verdicts["command: UPDATE"] == "better"
