"""Times from one event to another of the same key across hosts, in logs of a system that is not a chain."""

import csv
import io
import json
import random
import statistics

import pytest

from statera.cli import main
from statera.cluster import times
from statera.cluster.times import place_of
from statera.support.errors import Stop

STORE = """
name = "store"
[line]
time = "ts"
unit = "ns"
name = "msg"
[tables.events]
key = "text"
number = "natural"
[tables.answers]
key = "text"
[[events]]
event = "received"
names = ["received"]
required = ["key"]
fields = { key = ["key"] }
[[events]]
event = "applied"
names = ["applied"]
required = ["key"]
fields = { key = ["key"], number = ["number"] }
[[events]]
event = "answered"
table = "answers"
names = ["answered"]
required = ["key"]
fields = { key = ["key"] }
[[times]]
name = "apply"
title = "Received to applied"
from = "received"
to = "applied"
key = "key"
hosts = ["each", "first", "50%", "100%"]
[[times]]
name = "answer"
from = "received"
to = "answered"
key = "key"
"""
SECOND = 10**9


def store(folder, logs):
    """A run: for each host its lines, (time in ns, message, key)."""
    for host, lines in logs.items():
        (folder / host).mkdir(parents=True)
        text = "".join(json.dumps({"ts": at, "msg": what, "key": key}) + "\n" for at, what, key in lines)
        (folder / host / "log.json").write_text(text)
    return folder


@pytest.fixture
def mapping(tmp_path):
    path = tmp_path / "store.toml"
    path.write_text(STORE)
    return path


@pytest.fixture
def timed(tmp_path, mapping):
    def time(logs, **options):
        run = tmp_path / "run"
        return times.analyse(
            run if run.exists() else store(run, logs),
            tmp_path / "out",
            times.timed_mapping(mapping),
            memory="1GiB",
            **options,
        )

    return time


LOGS = {
    "a": [(10 * SECOND, "received", "k1"), (20 * SECOND, "received", "k2"), (11 * SECOND, "answered", "k1"),
          (12 * SECOND, "applied", "k1"), (10 * SECOND + 1, "received", "k1")],
    "b": [(13 * SECOND, "applied", "k1"), (40 * SECOND, "applied", "k1"), (19 * SECOND, "applied", "k2")],
    "c": [(16 * SECOND, "applied", "k1"), (9 * SECOND, "applied", "k3"), (50 * SECOND, "received", "k4")],
}  # fmt: skip


def test_times_run_from_the_earliest_event_of_a_key_to_the_earliest_on_each_host(timed):
    found = timed(LOGS).analysed.summary["metrics"]
    # k1: 2, 3 and 6 s; k2: -1 s on b, which is kept.
    assert found["apply"]["n"] == 4
    assert found["apply"]["mean"] == 2.5
    assert (found["apply"]["min"], found["apply"]["max"], found["apply"]["median"]) == (-1.0, 6.0, 2.5)
    assert (found["apply.first"]["n"], found["apply.first"]["mean"]) == (2, 0.5)
    # Two hosts of three, and all three: k2 was applied by one.
    assert (found["apply.50%"]["n"], found["apply.50%"]["mean"]) == (1, 3.0)
    assert (found["apply.100%"]["n"], found["apply.100%"]["mean"]) == (1, 6.0)
    assert (found["answer"]["n"], found["answer"]["mean"], found["answer"]["title"]) == (1, 1.0, "received to answered")


def test_keys_without_a_partner_and_negative_times_are_counted_and_told(timed):
    summary = timed(LOGS).analysed.summary
    assert summary["counts"]["apply"] == {"begun": 3, "neverEnded": 1, "neverBegun": 1, "negative": 1}
    assert summary["counts"]["answer"] == {"begun": 3, "neverEnded": 2, "neverBegun": 0, "negative": 0}
    told = [(one["code"], one["what"]) for one in summary["warnings"]]
    assert ("unmatched-keys", "apply: 1 key began and never ended, 1 ended and never began") in told
    assert ("negative-times", "apply: 1 time below zero, kept as logged") in told


def test_the_slowest_are_told_with_both_lines(timed):
    slowest = timed(LOGS, slowest=1).slowest
    assert [tuple(row) for row in slowest] == [
        ("apply", "k1", 6.0, "a", "a/log.json:1", "c", "c/log.json:1"),
        ("answer", "k1", 1.0, "a", "a/log.json:1", "a", "a/log.json:3"),
    ]


def test_many_random_keys_agree_with_a_naive_reading(timed):
    draw = random.Random(7)
    logs = {host: [] for host in "abcd"}
    for number in range(300):
        begun = draw.randrange(10**12, 2 * 10**12)
        logs[draw.choice("abcd")].append((begun, "received", f"k{number}"))
        for host in draw.sample("abcd", draw.randrange(5)):
            logs[host].append((begun + draw.randrange(5 * SECOND), "applied", f"k{number}"))
    for lines in logs.values():
        draw.shuffle(lines)
    begun = {key: at for lines in logs.values() for at, what, key in lines if what == "received"}
    ends = {key: sorted(at for lines in logs.values() for at, what, k in lines if what == "applied" and k == key)
            for key in begun}  # fmt: skip
    expected = {
        "apply": [(at - begun[key]) / 1e9 for key, all_ends in ends.items() for at in all_ends],
        "apply.first": [(of[0] - begun[key]) / 1e9 for key, of in ends.items() if of],
        "apply.50%": [(of[1] - begun[key]) / 1e9 for key, of in ends.items() if len(of) > 1],
        "apply.100%": [(of[3] - begun[key]) / 1e9 for key, of in ends.items() if len(of) > 3],
    }
    found = timed(logs).analysed.summary["metrics"]
    for key, values in expected.items():
        assert found[key]["n"] == len(values)
        assert found[key]["mean"] == pytest.approx(statistics.fmean(values), rel=1e-12)
        assert found[key]["median"] == pytest.approx(statistics.median(values), rel=1e-12)
        assert found[key]["stddev"] == pytest.approx(statistics.stdev(values), rel=1e-12)


def test_a_share_of_the_cluster_is_rounded_up(subtests):
    for across, machines, place in (("50%", 3, 2), ("100%", 52, 52), ("1%", 3, 1), ("first", 9, 1)):
        with subtests.test(across=across):
            assert place_of(across, machines) == place


WRONG_TIMES = [
    ('to = "applied"', 'to = "aplied"', "no event aplied"),
    ('from = "received"\nto = "answered"\nkey = "key"', 'from = "received"\nto = "answered"\nkey = "number"',
     "answers of answered has no column number"),
    ('"first"', '"last"', "shares of the cluster"),
    ('"50%"', '"0%"', "shares of the cluster"),
    ('name = "answer"', 'name = "apply"', "two times"),
    ('title = "Received', 'titel = "Received', "no titel"),
    ('name = "answer"\n', "", "lacks name"),
    ('title = "Received to applied"', 'better = "up"', "not up"),
    ('title = "Received to applied"', 'title = " "', "the title is empty"),
    ('number = "natural"', '"num ber" = "natural"', "letters, digits and _"),
]  # fmt: skip


def test_times_that_do_not_hold_end_it(subtests, mapping):
    for old, new, words in WRONG_TIMES:
        with subtests.test(old=old):
            assert old in STORE
            mapping.write_text(STORE.replace(old, new))
            with pytest.raises(Stop, match=words) as stop:
                times.timed_mapping(mapping)
            assert stop.value.code == "event-mapping"


def test_a_mapping_that_times_nothing_says_so():
    with pytest.raises(Stop, match=r"no \[\[times\]\]"):
        times.timed_mapping("cardano")


def steady(seconds, count=200):
    """Requests, each applied and answered so much later, with a little noise."""
    draw = random.Random(seconds)
    lines = []
    for number in range(count):
        key, at = f"k{number:04}", number * SECOND
        lines.append((at, "received", key))
        lines += [(at + int(draw.gauss(seconds, seconds / 20) * SECOND), what, key) for what in ("applied", "answered")]
    return {"a": lines}


def test_runs_are_compared_by_batches_of_keys(tmp_path, mapping, capsys):
    base, slower = store(tmp_path / "base", steady(0.1)), store(tmp_path / "slower", steady(0.2))
    assert main(["cluster", "times", str(base), str(slower), "--mapping", str(mapping), "-f", "json"]) == 0
    rows = {row["metric"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    row = rows["answer"]
    assert (row["verdict"], row["design"], row["warnings"]) == ("differs", "series", ["one-process"])
    assert 0.097 < row["change_low"] < 0.1 < row["change_high"] < 0.103


def test_earlier_runs_of_the_baseline_judge_one_run(tmp_path, mapping, capsys):
    runs = [store(tmp_path / str(number), steady(seconds)) for number, seconds in enumerate((0.1, 0.103, 0.102, 0.2))]
    words = [str(runs[0]), str(runs[3]), "--baseline-runs", *map(str, runs[1:3]), "--mapping", str(mapping)]
    assert main(["cluster", "times", *words, "-f", "json"]) == 0
    rows = {row["metric"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    row = rows["answer"]
    assert (row["verdict"], row["method"], row["baseline_n"]) == ("worse", "prediction", 3)


def test_runs_of_one_label_are_weighed_as_runs(tmp_path, mapping, capsys):
    words = []
    for number, seconds in enumerate((0.100, 0.103, 0.2, 0.204)):
        words.append(f"{'old' if number < 2 else 'new'}={store(tmp_path / str(number), steady(seconds))}")
    assert main(["cluster", "times", *words, "--mapping", str(mapping), "-f", "csv"]) == 0
    rows = {row["metric"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert rows["answer"]["verdict"] == "worse"
    assert (rows["answer"]["design"], rows["answer"]["baseline_n"]) == ("nested", "2")


def test_hostile_keys_are_shown_and_do_nothing(subtests, tmp_path, mapping, capsys):
    evil = "<script>alert(1)</script>\x1b[31m'; DROP TABLE times; --"
    run = store(tmp_path / "run", {"a": [(0, "received", evil), (SECOND, "applied", evil), (2, "answered", evil)]})
    for kind in ("terminal", "markdown", "csv", "json"):
        with subtests.test(kind=kind):
            assert main(["cluster", "times", str(run), "--mapping", str(mapping), "-f", kind]) == 0
            out = capsys.readouterr().out
            assert "script" in out
            assert kind == "csv" or "\x1b" not in out
            assert kind != "markdown" or "<script>" not in out


def test_several_runs_of_one_label_have_nothing_to_be_compared_with(tmp_path, mapping, capsys):
    runs = [store(tmp_path / name, steady(0.1)) for name in ("one", "two")]
    assert main(["cluster", "times", f"a={runs[0]}", f"a={runs[1]}", "--mapping", str(mapping)]) == 2
    assert "Name runs with two labels" in capsys.readouterr().err


NOTHING_TIMED = [
    ('time = "ts"', 'time = "when"', ("11 lines: not a log object, no usable time, as a/log.json:1",)),
    ('required = ["key"]\nfields = { key = ["key"]', 'fields = { key = ["id"]',
     ("11 lines: events without the key",)),
    ('required = ["key"]\nfields = { key = ["key"]', 'required = ["key"]\nfields = { key = ["id"]',
     ("11 lines: skipped (4 received has no usable key, 6 applied has", "a/log.json:1")),
    ('ed"]\nrequired', 'ing"]\nrequired', ("11 lines: names that are not in the mapping (applied, received,",)),
]  # fmt: skip


def test_a_run_in_which_nothing_is_timed_ends_it_and_says_what_its_lines_are(subtests, timed, mapping):
    for old, new, words in NOTHING_TIMED:
        with subtests.test(old=old):
            assert old in STORE
            mapping.write_text(STORE.replace(old, new))
            with pytest.raises(Stop) as stop:
                timed(LOGS)
            assert stop.value.code == "nothing-timed"
            for word in ("received, applied, answered of the mapping store", "in 11 lines of 3 hosts", *words):
                assert word in str(stop.value)


def test_hosts_and_lines_that_were_left_out_are_told(tmp_path, mapping, capsys):
    run = store(tmp_path / "run", LOGS)
    more = '{"broken\ntext\n{"ts":1,"msg":"applied"}\n{"ts":1,"msg":"other"}\n{"msg":"applied","key":"k"}\n{"cut'
    (run / "c/more.json").write_text(more)
    assert main(["cluster", "times", str(run), "--mapping", str(mapping)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["run", "3", "17", "11", "1", "5"] in rows
    for words in (
        "1 line left out: broken JSON c/more.json:1",
        "1 line left out: text, or JSON other than an object c/more.json:2",
        "1 line left out: skipped, applied has no usable key c/more.json:3",
        "1 line left out: not a log object, no usable time c/more.json:5",
        "1 line left out: cut off at the end of a file c/more.json:6",
    ):
        assert words.split() in rows
    assert main(["cluster", "times", f"a={run}", f"b={run}", "--mapping", str(mapping)]) == 0
    assert "Hosts: a 3, b 3." in capsys.readouterr().out
