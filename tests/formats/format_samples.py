"""For each format a small file in its place, as the harness writes it: every key and metric that the format knows."""

import json

_HASH = "0123456789abcdef0123456789abcdef01234567"
_RUN = f"parallel/turing/20240102_030405/{_HASH}/5.3.0_1"
_HOST = json.dumps({"hostname": "turing", "kernel": "Linux", "version": "6.1", "arch": "x86_64"})
_OCAML = {"version": "5.3.0", "c_compiler": "gcc", "architecture": "amd64", "system": "linux"}
_COUNTERS = ("instructions", "cpucycles", "contextswitches", "pagefaults", "branchinstructions", "branchmisses")
_BLOCK = {
    "slot": 64,
    "slotGap": 1,
    "totalTime": 30,
    "mut": 20,
    "gc": 10,
    "majGcCount": 1,
    "minGcCount": 2,
    "allocatedBytes": 4096,
    "mut_forecast": 1,
    "mut_headerTick": 2,
    "mut_headerApply": 3,
    "mut_blockTick": 4,
    "mut_blockApply": 5,
}
_METADATA = {
    "ledgerApplicationMode": "full-application",
    "gitRevison": "4ee9",
    "compilerName": "ghc",
    "compilerVersion": "9.6",
    "machineArchitecture": "x86_64",
    "operatingSystem": "linux",
}
_REPLAY = "ledger-ops-cost-4ee9-haskell96-from-63-nr-blocks-1"


def _lines(*objects):
    return "\n".join(each if isinstance(each, str) else json.dumps(each) for each in objects) + "\n"


def _go():
    head = "goos: linux\ngoarch: amd64\npkg: example.com/x\ncpu: Zen\n"
    return head + "BenchmarkX-8\t100\t12 ns/op\t5 MB/s\t64 B/op\t2 allocs/op\n"


def _bench_bitcoin():
    cycles = "#Benchmark,count,min,max,average,min_cycles,max_cycles,average_cycles\nX,8,0.1,0.3,0.2,10,30,20\n"
    return cycles + "# Benchmark, evals, iterations, total, min, max, median\nX, 5, 10, 10, 0.1, 0.3, 0.2\n"


def _nanobench_json():
    epoch = dict.fromkeys(("elapsed", *_COUNTERS), 0.5)
    result = {"title": "t", "name": "X", "unit": "byte", "batch": 8, "median(elapsed)": 0.5, "measurements": [epoch]}
    return json.dumps({"results": [result]})


def _nanobench_csv():
    columns = (
        "title",
        "name",
        "unit",
        "batch",
        "elapsed",
        "error %",
        "instructions",
        "branches",
        "branch misses",
        "total",
    )
    return ";".join(f'"{name}"' for name in columns) + '\n"t";"X";"byte";8;0.5;0.01;100;20;1;5\n'


def _hyperfine():
    one = {"command": "x", "times": [1.0], "memory_usage_byte": [4096], "user": 0.5, "system": 0.1, "exit_codes": [3]}
    return json.dumps({"results": [one | {"parameter": "8"}]})


def _orun():
    fields = {"time_secs": 1.5, "user_time_secs": 1.2, "sys_time_secs": 0.1, "maxrss_kB": 4096, "codesize": 1000}
    return _lines(_HOST, {"name": "X", **fields, "ocaml": _OCAML})


def _pausetimes():
    fields = {"mean_latency": 2, "max_latency": 9, "distr_latency": {"99.0": 5, "99.9": 7}}
    return _lines(_HOST, {"name": "X", **fields})


def _perfstat():
    events = ("1,000 page-faults", "2,000,000 instructions", "3,000,000 cycles")
    times = ("1.5 seconds time elapsed", "1.2 seconds user", "0.1 seconds sys")
    body = "\n".join(f"     {line}" for line in (*events, *times))
    return f"{_HOST}\n\n Performance counter stats for './x.exe 1':\n\n{body}\n"


def _ledger_csv():
    return "\t".join(_BLOCK) + "\n" + "\t".join(map(str, _BLOCK.values())) + "\n"


def _google_benchmark():
    context = {
        "date": "2026-01-02T03:04:05+00:00",
        "host_name": "turing",
        "num_cpus": 2,
        "cpu_scaling_enabled": False,
        "aslr_enabled": True,
        "executable": "./b",
        "library_build_type": "release",
        "library_version": "v1.9",
    }
    row = {"name": "X", "run_type": "iteration", "real_time": 2, "cpu_time": 1, "time_unit": "ns", "label": "l"}
    rates = {"bytes_per_second": 8, "items_per_second": 1}
    return json.dumps({"context": context, "benchmarks": [row | rates]})


def _google_benchmark_csv():
    header = "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred"
    return f'{header},error_message\n"X",9,2,1,ns,8,1,"l",,\n'


def _pyperf():
    metadata = {
        "name": "X",
        "hostname": "turing",
        "cpu_model_name": "Zen",
        "platform": "Linux",
        "python_version": "3.13",
        "python_implementation": "cpython",
        "python_executable": "python3",
        "commit_id": _HASH,
        "commit_branch": "main",
    }
    run = {"values": [0.5], "metadata": {"date": "2026-01-02 03:04:05", "mem_max_rss": 4096}}
    return json.dumps({"benchmarks": [{"runs": [run]}], "metadata": metadata, "version": "1.0"})


def _jmh():
    fields = dict.fromkeys(("jmhVersion", "jvm", "jdkVersion", "vmName", "vmVersion"), "1")
    fields |= {"benchmark": "X", "threads": 1, "measurementBatchSize": 2, "jvmArgs": ["-Xmx1g"]}
    units = {"thrpt": "ops/s", "avgt": "s/op", "sample": "s/op", "ss": "s/op"}
    return json.dumps(
        [
            fields | {"mode": mode, "primaryMetric": {"scoreUnit": unit, "rawData": [[0.5]]}}
            for mode, unit in units.items()
        ]
    )


def _pytest_benchmark():
    machine = {"node": "turing", "machine": "x86_64", "system": "Linux", "release": "6.1", "cpu": {"brand_raw": "Zen"}}
    machine |= {"python_version": "3.13", "python_implementation": "CPython"}
    commit = {"id": _HASH, "branch": "main"}
    result = {"name": "X", "fullname": "t.py::X", "group": "g", "params": None, "stats": {"data": [0.5]}}
    head = {"machine_info": machine, "commit_info": commit, "datetime": "2026-01-02T03:04:05"}
    return json.dumps(head | {"benchmarks": [result]})


def _criterion():
    return json.dumps({"sampling_mode": "Flat", "iters": [2.0], "times": [10.0]})


def _table(separator):
    rows = (("benchmark", "value", "unit", "better", "process", "block"), ("X", "1", "s", "lower", "p", "b"))
    return "".join(separator.join(row) + "\n" for row in rows)


SAMPLES = {
    "go": ("x.txt", _go),
    "bench_bitcoin": ("x.csv", _bench_bitcoin),
    "nanobench-json": ("x.json", _nanobench_json),
    "nanobench-csv": ("x.csv", _nanobench_csv),
    "hyperfine": ("x.json", _hyperfine),
    "google-benchmark": ("x.json", _google_benchmark),
    "google-benchmark-csv": ("x.csv", _google_benchmark_csv),
    "pyperf": ("x.json", _pyperf),
    "jmh": ("x.json", _jmh),
    "pytest-benchmark": ("x.json", _pytest_benchmark),
    "criterion": ("target/criterion/X/new/sample.json", _criterion),
    "sandmark": (f"{_RUN}.orun.summary.bench", _orun),
    "sandmark-pausetimes": (f"{_RUN}.pausetimes.summary.bench", _pausetimes),
    "sandmark-perfstat": (f"{_RUN}.perfstat.summary.bench", _perfstat),
    "ledger-ops": (f"{_REPLAY}.csv", _ledger_csv),
    "ledger-ops-json": (f"{_REPLAY}.json", lambda: json.dumps(_METADATA) + json.dumps(_BLOCK)),
    "csv": ("x.csv", lambda: _table(",")),
    "tsv": ("x.tsv", lambda: _table("\t")),
    "ndjson": ("x.ndjson", lambda: _lines({"benchmark": "X", "value": 1, "unit": "s", "process": "p"})),
}


# What lies beside the sample.
_BESIDE = {
    "criterion": ("target/criterion/X/new/benchmark.json", json.dumps({"full_id": "X", "throughput": {"Bytes": 64}})),
}


def placed(folder, name):
    """Write the sample of a format; give its path."""
    place, text = SAMPLES[name]
    files = [(place, text()), *([_BESIDE[name]] if name in _BESIDE else [])]
    for beside, content in files:
        (folder / beside).parent.mkdir(parents=True, exist_ok=True)
        (folder / beside).write_text(content)
    return folder / place
