"""Outputs as people paste them into documents, mails and comments: cut, below labels, and beside other text."""

import format_cases
import pytest

import statera
from support import write

GO = "goos: linux\nBenchmarkA-8 \t 100 \t 5.5 ns/op\n"

PASTED = {
    # The first row of a group is bold, and quotes are references.
    "bold": (
        (
            "| Method | N | Mean | Error | StdDev |\n|--- |--- |---:|---:|---:|\n"
            "| **&#39;a b&#39;** | **1** | **1.5 us** | **0.1 us** | **0.1 us** |\n|c|1|2.5 us|0.1 us|0.1 us|\n"
        ),
        {("a b", "time", 1.5e-6), ("c", "time", 2.5e-6)},
    ),
    "no bars at the ends": (
        "Method | Mean | Error | StdDev |\n--- |---:|---:|---:|\na | 1.5 us | 0.1 us | 0.1 us |\n",
        {("a", "time", 1.5e-6)},
    ),
    "the header begins a comment": (
        "/*\n* Benchmark  (n)  Mode  Cnt  Score   Error  Units\nA.a          1  avgt    5    1.5 ±   0.1  us/op\n*/\n",
        {("A.a", "avgt", 1.5e-6)},
    ),
    # The same figure under two labels is one value.
    "said twice": (
        "=== Serving Benchmark Result ===\nRequest throughput (req/s): 2\nMedian TTFT (ms): 4.5\nP50 TTFT (ms): 4.5\n",
        {("requests", "throughput", 2), ("requests", "ttft-p50", 0.0045)},
    ),
    "names begin as those of Go": (
        "Benchmark  Time  CPU  Iterations\n----\nBenchmark_f/8  15 ns  14 ns  64\nBenchmark_f_RMS  1 %  2 %\n",
        {("Benchmark_f/8", "real_time", 15e-9), ("Benchmark_f/8", "cpu_time", 14e-9)},
    ),
    "a comparison below": (
        GO + "\n  │ a.txt │ b.txt │\n  │ sec/op │ sec/op vs base │\nA-8  5.5n ± 1%  5.5n ± 1%  ~ (p=1.0 n=10)\n",
        {("A-8", "sec/op", 5.5e-9)},
    ),
    "the ends are cut": ("CPU speed:\n    events per second:  40.5\n", {("cpu", "throughput", 40.5)}),
    "wide names": (
        (
            "│ (index) │ Task Name   │ ops/sec │ Average Time (ns) │ Margin │ Samples │\n"
            "│ 0       │ 'find it'   │ '4,711' │ 212.5             │ '±1%'  │ 471     │\n"
        ),
        {("find it", "time", 212.5e-9)},
    ),
    "rates below each other": ("a x  1,234 ops/sec ±0.60% (91 runs sampled)\n", {("a", "rate", 1234)}),
    "threads are left out": (
        (
            "Running 10s test @ http://a/\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"
            "    Latency     1.50ms    0.50ms   2.50ms   91.00%\nRequests/sec:   2.50\n"
        ),
        {
            ("http://a/", "latency-mean", 0.0015),
            ("http://a/", "latency-max", 0.0025),
            ("http://a/", "throughput", 2.5),
            ("http://a/", "errors", 0),
        },
    ),
    "an old word": (
        "1+0 records in\n1+0 records out\n512 bytes transferred in 0.25 seconds (2048 bytes/sec)\n",
        {("copy of 512 bytes", "time", 0.25)},
    ),
    "the first line is indented by blanks": (
        'It:\n  Command being timed: "a"\n\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:01.50\n\tExit status: 0\n',
        {("a", "time", 1.5)},
    ),
    "blanks for a sign": (
        (
            "benchmark  avg (min … max) p75   p99    (min … top 1%)\n------ -----\n"
            "a  12.5 µs/iter   7.5 µs █\n   (4.5 µs … 1.5 ms) 116.5 µs █▁\n"
        ),
        {
            ("a", "time", 12.5e-6),
            ("a", "p75", 7.5e-6),
            ("a", "p99", 116.5e-6),
            ("a", "min", 4.5e-6),
            ("a", "max", 1.5e-3),
        },
    ),
    "a comment of a source file": (
        "x = 1\n\n    # " + GO.replace("\nB", "\n    # B") + "y = 2\n",
        {("A-8", "sec/op", 5.5e-9)},
    ),
}


@pytest.mark.parametrize("name", PASTED)
def test_what_is_pasted_is_read(tmp_path, name):
    text, expected = PASTED[name]
    write(tmp_path, **{"x.md": text})
    runs = statera.read(tmp_path / "x.md")
    found = [(row["benchmark"], row["metric"], row["value"]) for row in format_cases.rows(runs)]
    assert sorted(found) == [(*names, pytest.approx(value)) for *names, value in sorted(expected)]
    assert not runs.problems


def test_a_source_file_of_a_folder_is_no_result(tmp_path):
    write(tmp_path, **{"a.go": "package a\n\n// " + GO.replace("\nB", "\n// B"), "b.txt": GO})
    assert len(format_cases.rows(statera.read(tmp_path))) == 1


def test_tests_of_a_network_are_apart_without_their_first_lines(tmp_path):
    test = (
        "[  5] local 10.0.0.1 port 4 connected to 10.0.0.2 port 5201\n"
        "[ ID] Interval           Transfer     Bitrate\n"
        "[  5]   0.00-1.00   sec  1.00 MBytes  8.00 Mbits/sec                  receiver\n"
    )
    write(tmp_path, **{"x.txt": f"offload = on\n{test}\noffload = off\n{test}"})
    assert [row["offload"] for row in format_cases.rows(statera.read(tmp_path / "x.txt"))] == ["on", "off"]


def test_a_sentence_between_runs_of_one_name_is_told(tmp_path):
    write(
        tmp_path,
        **{
            "said.txt": f"{GO}PASS\nand these are with the new map\n{GO}",
            "printed.txt": f"{GO}2026/01/02 03:04:05 the server of the test is ready\n{GO}PASS\nok  \ta\t1.5s\n{GO}",
        },
    )
    [problem] = statera.read(tmp_path / "said.txt").problems
    assert "`and these are with the new map` stands between results of one name" in problem.what
    assert not statera.read(tmp_path / "printed.txt").problems
