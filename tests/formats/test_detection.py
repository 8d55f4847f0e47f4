"""Which format a file has, what is said of a file that has none, and of files without results."""

import re
from collections import Counter

import format_cases
import pytest

import statera
from statera import _native
from support import every, fails, go, noisy, write

GOOD = go({"X": noisy(100)})
TEXT = "summary = 2000 in 00:00:59 = 33.9/s Avg: 58 Min: 10 Max: 402 Err: 3 (0.15%)\n"
SHORT = '{"results": [{"command": "ls", "time": 3}]}'
DATE, COMMIT = "20240102_030405", "0123456789abcdef0123456789abcdef01234567"


def candidates(text):
    """The nearest formats of a message, each with the reason why it does not fit."""
    return dict(re.findall(r"^  (\S+) \(.*, but (.+)$", text, re.MULTILINE))


def test_unknown_content_gets_the_three_nearest_formats_and_why_each_said_no(run, tmp_path):
    write(tmp_path, **{"x.json": SHORT, "new": GOOD})
    result = run("compare", "x.json", "new")
    assert result.code == 2
    near = candidates(result.err)
    assert len(near) == 3
    assert near["hyperfine"] == "it has no `results[].times`"
    assert "`statera formats` lists all" in result.err


def test_any_content_gets_three_candidates(tmp_path):
    for content in ("", "words\n", "<xml/>", "[]", "{}", "{", "a,b\n1,2\n"):
        write(tmp_path, x=content + " \nmore\n")
        with pytest.raises(statera.Stop) as stop:
            statera.inspect(tmp_path / "x")
        assert len(candidates(str(stop.value))) == 3, content


def test_text_for_people_is_refused_with_the_option_that_exports_samples(run, tmp_path):
    write(tmp_path, **{"x.txt": TEXT})
    fails(run("inspect", "x.txt"), "is what JMeter prints, with whole milliseconds", "jmeter -n -t PLAN -l FILE")


def test_text_for_people_in_a_folder_is_left_out(run, tmp_path):
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", **{"x.txt": TEXT, "y.txt": GOOD})
    assert statera.read(tmp_path / "d").left_out_by_code == {"no-samples": 1}
    assert run("inspect", "d", "--strict").code == 2


@pytest.fixture
def nights(tmp_path):
    """A folder of Sandmark with a log and a configuration beside the results."""
    folder = tmp_path / "sequential" / "turing" / DATE / COMMIT
    folder.mkdir(parents=True)
    record = '{"name": "X", "time_secs": 1.5, "maxrss_kB": 4096}\n'
    names = {"5.3.0_1.orun.summary.bench": record * 3, f"5.3.0.{DATE}.{COMMIT}.log": "make: done\n"}
    write(folder, **names, **{"run_config.json": '{"wrappers": [], "benchmarks": []}'})
    return tmp_path / "sequential"


def test_companions_are_counted_apart_and_do_not_fail_strict(run, nights):
    read = statera.read(nights)
    assert (read.left_out, read.files, read.counted_apart) == (0, 1, "2 companion files without results")
    result = run("inspect", nights, "--strict")
    assert result.code == 0
    assert "from 1 file; nothing was left out; counted apart: 2 companion files without results." in result.out


def test_numbers_that_stand_for_no_value_are_counted_in_the_last_line(run, tmp_path):
    record = '{"name": "X", "mean_latency": 0, "max_latency": 9, "distr_latency": {"99.0": 5}}\n'
    write(tmp_path, **{"x.bench": record * 3})
    assert statera.read(tmp_path / "x.bench").left_out == 0
    result = run("convert", "x.bench", "-o", "x.csv", "--strict")
    assert result.code == 0
    assert result.err.splitlines()[-1] == "statera: counted apart: 3 numbers that are no results"


def test_a_conversion_that_has_read_no_value_is_2(run, nights, tmp_path):
    log = next(nights.rglob("*.log")).parent
    write(tmp_path, **{"empty.txt": "goos: linux\nPASS\n", "none.csv": "benchmark,value\n"})
    for path in ("empty.txt", "none.csv", log / "run_config.json"):
        fails(run("convert", path, "-o", "x.csv"), "no value was read")
        assert not (tmp_path / "x.csv").exists()


def test_results_below_lines_of_text_are_named_with_the_line_on_which_they_begin(run, tmp_path):
    result = '[{"benchmark": "a.B.c", "mode": "avgt", "primaryMetric": {"score": 1}}]\n'
    write(tmp_path, **{"x.json": "> bench\n[INFO] 2 found\n\n" + result})
    said = run("inspect", "x.json").err
    assert "because of the text above line 4: what begins there is of jmh (JMH (-rf json -rff FILE))" in said
    assert not candidates(said)


def test_the_drawings_of_criterion_are_companions(tmp_path):
    names = ("report/index.html", "report/pdf.svg", "report/both/pdf.svg", "report/change/t-test.svg")
    for name in (*names, "new/sample.json"):
        (tmp_path / "sum" / name).parent.mkdir(parents=True, exist_ok=True)
        content = '{"iters": [1, 2], "times": [5, 11]}' if name.endswith("json") else "<svg/>\n"
        (tmp_path / "sum" / name).write_text(content)
    read = statera.read(tmp_path / "sum")
    assert (read.left_out, read.counted_apart) == (0, "4 companion files without results")


CSV = """ab-percentages celero ghz-csv haskell-criterion-csv hey-csv hyperfine-csv jmeter jmh-csv k6-csv locust-csv
         microbenchmark nanobench-csv oha-csv otava-csv redis-benchmark-csv"""


def test_comments_above_a_csv_file_move_its_lines_and_nothing_else(tmp_path):
    wrong = format_cases.failures(moves_its_lines, {name: (tmp_path / name, name) for name in CSV.split()})
    assert not wrong, format_cases.told(wrong)


def moves_its_lines(folder, name):
    known = format_cases.expectations(name)
    path = next(path for path in format_cases.files(name) if known[format_cases.label(path)].get("rows"))
    plain, commented = folder / "plain" / path.name, folder / "commented" / path.name
    for copy, above in ((plain, ""), (commented, "# host a, load 1,2\n\n#\n")):
        copy.parent.mkdir(parents=True)
        copy.write_text(above + path.read_text())
    found, expected = format_cases.outcome(commented), format_cases.outcome(plain)
    assert found["format"] == name
    assert [{**row, "line": row["line"] - 3} for row in found["rows"]] == expected["rows"]


def test_a_report_of_sysbench_without_its_first_lines_is_called_so(run, tmp_path):
    report = "Threads started!\n\nGeneral statistics:\n  total time: 1.0s\n\nThreads fairness:\n  events: 5/0\n"
    write(tmp_path, **{"x.txt": report})
    assert candidates(run("inspect", "x.txt").err)["sysbench"] == "it has no line with sysbench's version"


def test_nothing_is_of_no_format():
    """A rule over all lines of a file holds where there is none."""
    for content in (b"\n" * 300_000, b" \n\t\n" * 100, b" ", b"\r\n" * 50, b"# a\n" * 100, b"-\n" * 50, b"\0" * 10):
        assert _native.fitting_formats(content) == [], content[:9]


def test_the_outputs_of_two_programs_in_a_file_are_all_read(tmp_path):
    """A key tells them apart, and a format that is named says what it leaves out."""
    outputs = [next(path for path in format_cases.files(name, "real")) for name in ("hey", "ab")]
    both = tmp_path / "both"
    both.write_text("\n".join(path.read_text() for path in outputs))
    alone = [len(format_cases.rows(statera.read(path))) for path in outputs]
    found = format_cases.rows(statera.read(both))
    assert len(found) == sum(alone)
    assert {row["program"] for row in found} == {"hey", "ab"}
    named = statera.read(both, format="hey")
    assert any("leaves out the results of ab" in problem.what for problem in named.problems)


HEY = """Summary:
  Slowest: 0.2 secs
  Fastest: 0.1 secs
  Average: 0.15 secs
  Requests/sec: 10.0

Status code distribution:
  [200] 5 responses

"""
WRK = """Running 1s test @ http://a/
  2 threads and 3 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.00ms    0.10ms   2.00ms   90.00%
    Req/Sec     5.00      1.00     6.00     90.00%
  9 requests in 1.00s, 1.00KB read
Requests/sec:      9.00
Transfer/sec:      1.00KB

"""
JMH = 'Result "a.B.parse":\n  2.0 ±(99.9%) 1.0 ns/op [Average]\n  (min, avg, max) = (1.0, 2.0, 3.0), stdev = 0.5\n\n'
LIBTEST = "test b ... bench: 120 ns/iter (+/- 3)\n\n"


@every("outputs", [(HEY, WRK), (WRK, HEY), (JMH, LIBTEST), (LIBTEST, JMH)])
def test_a_line_that_two_programs_can_print_is_of_the_one_around_it(tmp_path, outputs):
    def values(text):
        (tmp_path / "x.txt").write_text(text)
        return Counter((row["metric"], row["value"]) for row in format_cases.rows(statera.read(tmp_path / "x.txt")))

    assert values("".join(outputs)) == values(outputs[0]) + values(outputs[1])
