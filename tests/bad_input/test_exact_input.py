"""What JSON and other formats may not lose without a word: keys that stand twice, digits beyond 2^53."""

import json

import polars as pl

import statera
from support import every, write

BEYOND = 2**53 + 1
LEDGER = '{"slot":1,"totalTime":5,"mut":3,"gc":2,\n"totalTime":7}'
DOUBLED = {
    "hyperfine": '{"results": [{"command": "x",\n "times": [1, 2], "times": [3]}]}',
    "nanobench-json": (
        '{"results": [{"name": "x", "median(elapsed)": 1, "measurements": [\n{"elapsed": 1, "elapsed": 2}]}]}'
    ),
    "sandmark": '{"name":"a","time_secs":1,"maxrss_kB":1}\n{"name":"b","time_secs":1,"maxrss_kB":1,"maxrss_kB":2}\n',
    "ledger-ops-json": LEDGER,
    "ndjson": '{"benchmark":"x","value":1}\n{"benchmark":"x","value":1,"value":2}\n',
}


@every("name", DOUBLED)
def test_a_key_that_stands_twice_is_a_problem_with_its_line(tmp_path, name):
    (path,) = write(tmp_path, f=DOUBLED[name])
    read = statera.read(path)
    assert {source.format for source in read.sources} == {name}
    assert [(problem.code, problem.line) for problem in read.problems] == [("duplicate-key", 2)]
    assert read.left_out_by_code == {"duplicate-key": 1}


def test_the_first_of_two_keys_stands(tmp_path):
    read = statera.read(*write(tmp_path, f=DOUBLED["ndjson"]))
    assert pl.DataFrame(read)["value"].to_list() == [1, 1]


LARGE = {
    "go": f"BenchmarkX 1 {BEYOND} widgets\n",
    "csv": f"benchmark,value\nX,{BEYOND}\n",
    "csv-quoted": f'benchmark,value\n"X",{BEYOND}\n',
    "ndjson": f'{{"benchmark":"x","value":{BEYOND}}}\n',
    "ndjson-text": f'{{"benchmark":"x","value":"{BEYOND}"}}\n',
    "ndjson-huge": '{"benchmark":"x","value":100000000000000000001}\n',
    "hyperfine": f'{{"results": [{{"command": "x", "times": [1], "memory_usage_byte": [{BEYOND}]}}]}}',
    "ledger": f"slot\tslotGap\ttotalTime\tmut\tgc\n1\t0\t{BEYOND}\t1\t1\n",
    "sandmark": f'{{"name":"a","time_secs":1,"maxrss_kB":1,"codesize":{BEYOND}}}\n',
    "bench_bitcoin": f"# Benchmark, evals, iterations, total, min, max, median\nX, 1, 1, {BEYOND}, 1, 1, 1\n",
}


@every("name", LARGE)
def test_a_whole_number_beyond_a_double_is_used_and_said_to_be_rounded(tmp_path, name):
    read = statera.read(*write(tmp_path, f=LARGE[name]))
    assert read.remarks_by_code == {"rounded-number": 1}
    assert read.left_out == 0
    (problem,) = read.problems
    assert problem.line > 0
    assert "was rounded" in problem.what
    assert len(read) > 0


def test_a_parquet_file_with_such_a_number_says_so_too(tmp_path):
    pl.DataFrame({"benchmark": ["X", "X"], "value": [1, BEYOND]}).write_parquet(tmp_path / "f.parquet")
    read = statera.read(tmp_path / "f.parquet")
    assert [(problem.code, problem.line) for problem in read.problems] == [("rounded-number", 2)]


def test_numbers_that_a_double_holds_are_not_spoken_of(tmp_path):
    text = f"benchmark,value\nX,{2**53}\nX,{2**60}\nX,1e300\nX,0.1234567890123456789\nX,-{2**53}\n"
    assert statera.read(*write(tmp_path, f=text)).problems == []


def test_the_remark_stands_in_every_output(run, tmp_path):
    write(tmp_path, old=LARGE["go"] * 6, new=LARGE["go"] * 6)
    assert "⚠ old:1: 9007199254740993 has more digits t" in run("compare", "old", "new").out
    assert "[rounded-number]" in run("compare", "old", "new", "--notes").out
    document = json.loads(run("compare", "old", "new", "-f", "json").out)
    assert "rounded-number" in [note["code"] for note in document["notes"]]
    assert "⚠ old:1: 9007199254740993 has more digits" in run("compare", "old", "new", "-f", "markdown").out
    assert "[rounded-number]" in run("inspect", "old").out
    assert "[rounded-number]" in run("convert", "old", "-o", "x.csv").err


def test_a_column_that_stands_twice_in_parquet_is_named(tmp_path):
    import pyarrow as pa  # noqa: PLC0415 - here alone
    from pyarrow import parquet  # noqa: PLC0415

    columns = [pa.array(["a", "b"]), pa.array([1.5, 2.5]), pa.array([9.0, 9.0])]
    parquet.write_table(pa.table(columns, names=["benchmark", "value", "value"]), tmp_path / "t.parquet")
    read = statera.read(tmp_path / "t.parquet")
    assert [problem.what for problem in read.problems] == ["a second column `value`"]
    assert len(read) == 2
