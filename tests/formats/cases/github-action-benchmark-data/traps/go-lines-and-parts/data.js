window.BENCHMARK_DATA = {"lastUpdate": 1700000000000, "repoUrl": "x", "entries": {"Go": [
{"commit": {"id": "aaaa"}, "date": 1700000000000, "tool": "go", "benches": [
 {"name": "BenchmarkPut", "value": 1200, "unit": "ns/op\t   48.5 MB/s\t     634 B/op\t      24 allocs/op", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - ns/op", "value": 1200, "unit": "ns/op", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - MB/s", "value": 48.5, "unit": "MB/s", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - B/op", "value": 634, "unit": "B/op", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - allocs/op", "value": 24, "unit": "allocs/op", "extra": "100 times\n4 procs"}]},
{"commit": {"id": "bbbb"}, "date": 1700000100000, "tool": "go", "benches": [
 {"name": "BenchmarkPut", "value": 2400, "unit": "ns/op\t   24.2 MB/s\t     636 B/op\t      24 allocs/op", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - ns/op", "value": 2400, "unit": "ns/op", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - MB/s", "value": 24.2, "unit": "MB/s", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - B/op", "value": 636, "unit": "B/op", "extra": "100 times\n4 procs"},
 {"name": "BenchmarkPut - allocs/op", "value": 24, "unit": "allocs/op", "extra": "100 times\n4 procs"}]}
]}}
