window.BENCHMARK_DATA = {"lastUpdate": 1700000000000, "repoUrl": "x", "entries": {"Go": [
{"commit": {"id": "aaaa"}, "date": 1700000000000, "tool": "go", "benches": [{"name": "BenchmarkFib", "value": 120.5, "unit": "ns/op\t      48 B/op\t       2 allocs/op", "extra": "100 times\n8 procs"}]},
{"commit": {"id": "bbbb"}, "date": 1700000100000, "tool": "go", "benches": [{"name": "BenchmarkFib", "value": 240.5, "unit": "ns/op\t      50 B/op\t       2 allocs/op", "extra": "100 times\n8 procs"}]}
]}}
