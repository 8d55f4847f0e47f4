"""Write large files of results in the shape that harnesses give them, for bench/reading.py.

Each writer yields a file piece by piece, and ends when there is no name left. Times are lognormal with 17 digits, as
harnesses print doubles. What stands around the values is that of the real files in tests/formats/cases.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import TYPE_CHECKING, Any

from generate import HEADER, go_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HOST: dict[str, Any] = {"host_name": "bench", "num_cpus": 8, "mhz_per_cpu": 2596, "cpu_scaling_enabled": False}
REPETITIONS = 10


def times(draw: random.Random, number: int, centre: float) -> list[float]:
    """Draw times around a centre."""
    return [centre * draw.lognormvariate(0, 0.03) for _ in range(number)]


def centre(draw: random.Random) -> float:
    """Draw a typical time of a benchmark, from 10 ns to 10 ms, in nanoseconds."""
    return float(10 ** draw.uniform(1, 7))


def google_benchmark(draw: random.Random, names: Iterator[str]) -> Iterator[str]:
    """Yield the JSON of Google Benchmark: a row a repetition, with a counter."""
    context = {"date": "2026-11-22T18:02:29+00:00", **HOST, "library_build_type": "release"}
    yield f'{{\n  "context": {json.dumps(context, indent=2)},\n  "benchmarks": ['
    for family, name in enumerate(names):
        rows = []
        for repetition, time in enumerate(times(draw, REPETITIONS, centre(draw))):
            fields = {
                "name": name, "family_index": family, "per_family_instance_index": 0, "run_name": name,
                "run_type": "iteration", "repetitions": REPETITIONS, "repetition_index": repetition, "threads": 1,
                "iterations": int(1e9 / time), "real_time": f"{time:.16e}", "cpu_time": f"{time * 0.998:.16e}",
                "time_unit": "ns", "bytes_per_second": f"{4096e9 / time:.16e}",
            }  # fmt: skip
            lines = ",\n".join(f'      "{key}": {_number(key, value)}' for key, value in fields.items())
            rows.append("    {\n" + lines + "\n    }")
        yield ("," if family else "") + "\n" + ",\n".join(rows)
    yield "\n  ]\n}\n"


def _number(key: str, value: object) -> str:
    return str(value) if key.endswith(("time", "second")) else json.dumps(value)


def jmh(draw: random.Random, names: Iterator[str]) -> Iterator[str]:
    """Yield the JSON of JMH: 5 forks of 10 iterations, with the rate of allocation."""
    for number, name in enumerate(names):
        middle = centre(draw)
        result = {
            "jmhVersion": "1.37", "benchmark": f"org.sample.Suite.{name.replace('/', '_')}", "mode": "avgt",
            "threads": 1, "forks": 5, "jvm": "/usr/lib/jvm/java-17-openjdk-amd64/bin/java", "jvmArgs": [],
            "jdkVersion": "17.0.15", "vmName": "OpenJDK 64-Bit Server VM", "vmVersion": "17.0.15+6",
            "warmupIterations": 5, "warmupTime": "1 s", "warmupBatchSize": 1, "measurementIterations": REPETITIONS,
            "measurementTime": "1 s", "measurementBatchSize": 1, "params": {"n": "16"},
            "primaryMetric": _jmh_metric(draw, middle, "ns/op"),
            "secondaryMetrics": {"gc.alloc.rate": _jmh_metric(draw, 1e6 / middle, "MB/sec")},
        }  # fmt: skip
        yield ("," if number else "[") + "\n" + json.dumps(result, indent=4)
    yield "\n]\n"


def _jmh_metric(draw: random.Random, middle: float, unit: str) -> dict[str, object]:
    forks = [times(draw, REPETITIONS, middle) for _ in range(5)]
    values = sorted(time for fork in forks for time in fork)
    shares = ("0.0", "50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "99.999", "99.9999", "100.0")
    percentiles = {share: values[min(49, int(float(share) / 2))] for share in shares}
    return {
        "score": sum(values) / 50, "scoreError": middle / 100, "scoreConfidence": [middle * 0.99, middle * 1.01],
        "scorePercentiles": percentiles, "scoreUnit": unit, "rawData": forks,
    }  # fmt: skip


def pyperf(draw: random.Random, names: Iterator[str]) -> Iterator[str]:
    """Yield the JSON of pyperf: 20 processes of 3 values a benchmark."""
    yield '{"benchmarks":['
    for number, name in enumerate(names):
        middle = centre(draw) * 1e-9
        runs = [
            {
                "metadata": {"date": "2026-11-22 17:57:19.038820", "duration": 0.9367616289964644,
                             "load_avg_1min": 3.52, "mem_max_rss": 19972096 + 4096 * process},
                "values": times(draw, 3, middle),
                "warmups": [[2097152, time] for time in times(draw, 1, middle)],
            }
            for process in range(20)
        ]  # fmt: skip
        benchmark = {"metadata": {"name": name, "loops": 2097152, "unit": "second"}, "runs": runs}
        yield ("," if number else "") + json.dumps(benchmark, separators=(",", ":"))
    shared = {"hostname": "bench", "cpu_count": 8, "perf_version": "2.10.0", "python_version": "3.11.7 (64-bit)"}
    yield f'],"metadata":{json.dumps(shared)},"version":"1.0"}}\n'


def csv(draw: random.Random, names: Iterator[str]) -> Iterator[str]:
    """Yield a table with a header: the values of ten runs of two variants."""
    yield "benchmark,variant,threads,run,time (ns)\n"
    for number, name in enumerate(names):
        for variant in ("old", "new"):
            values = enumerate(times(draw, REPETITIONS, centre(draw)))
            yield "".join(f"{name},{variant},{1 << number % 4},{run},{time}\n" for run, time in values)


def ndjson(draw: random.Random, names: Iterator[str]) -> Iterator[str]:
    """Yield an object a line, as `statera convert` writes them."""
    for name in names:
        values = enumerate(times(draw, REPETITIONS, centre(draw) * 1e-9))
        yield "".join(
            f'{{"benchmark":"{name}","metric":"time","unit":"s","variant":"old","value":{time},"block":null,'
            f'"process":{run},"goos":"linux","goarch":"amd64","cpu":"Example CPU"}}\n'
            for run, time in values
        )


def k6(draw: random.Random, names: Iterator[str]) -> Iterator[str]:
    """Yield the points of k6: metrics are declared, then each request has a point of each."""
    metrics = {"http_reqs": "counter", "http_req_duration": "trend", "http_req_waiting": "trend"}
    data: dict[str, Any]
    for name, kind in metrics.items():
        contains = "default" if kind == "counter" else "time"
        data = {"name": name, "type": kind, "contains": contains, "thresholds": [], "submetrics": None}
        yield json.dumps({"type": "Metric", "data": data, "metric": name}, separators=(",", ":")) + "\n"
    tags = (
        '"tags":{"expected_response":"true","group":"","method":"GET","name":"http://127.0.0.1:8080/api",'
        '"proto":"HTTP/1.1","scenario":"default","status":"200","url":"http://127.0.0.1:8080/api"}'
    )
    for request, _ in enumerate(names):
        second, micro = request // 1000 % 60, request % 1000 * 1000
        at = f"2026-11-22T18:{request // 60_000 % 60:02}:{second:02}.{micro:06}Z"
        for name, kind in metrics.items():
            value = 1 if kind == "counter" else round(draw.lognormvariate(1, 0.4), 6)
            yield f'{{"metric":"{name}","type":"Point","data":{{"time":"{at}","value":{value},{tags}}}}}\n'


def go(draw: random.Random, names: Iterator[str]) -> Iterator[str]:
    """Yield what `go test -bench -benchmem -count 10` prints."""
    yield HEADER
    for name in names:
        size, count = int(centre(draw)), int(centre(draw) ** 0.5)
        for time in times(draw, REPETITIONS, centre(draw)):
            memory = f"{size:8d} B/op\t{count:8d} allocs/op"
            yield f"Benchmark{name}-8  \t{1e8 / time:8.0f}\t{go_number(time)} ns/op\t{memory}\n"


FILES: dict[str, tuple[str, Callable[[random.Random, Iterator[str]], Iterator[str]]]] = {
    "google-benchmark": ("json", google_benchmark),
    "jmh": ("json", jmh),
    "pyperf": ("json", pyperf),
    "csv": ("csv", csv),
    "ndjson": ("ndjson", ndjson),
    "k6": ("ndjson", k6),
    "go": ("txt", go),
}
"""The formats with the ending of their files and what writes them."""


def write(folder: Path, name: str, size: int, seed: int = 1) -> Path:
    """Write a file of a format and of about this many bytes, and return its path; an existing one is kept."""
    ending, pieces = FILES[name]
    path = folder / f"large-{name}-{size}-{seed}.{ending}"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    names = (f"BM_Package{number % 97}/case:{number}/{8 << number % 12}" for number in itertools.count())
    enough = itertools.takewhile(lambda _: written < size, names)
    part = path.with_suffix(".part")
    with part.open("w") as file:
        for piece in pieces(random.Random(seed), enough):
            written += file.write(piece)
    part.rename(path)
    return path
