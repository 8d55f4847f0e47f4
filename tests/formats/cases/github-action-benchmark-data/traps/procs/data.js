window.BENCHMARK_DATA = {
  "lastUpdate": 1700000005000,
  "repoUrl": "https://example.org/store",
  "entries": {
    "store": [
      {
        "commit": { "id": "0123456789abcdef0123456789abcdef01234567", "message": "faster get" },
        "date": 1700000000000,
        "tool": "go",
        "benches": [
          { "name": "BenchmarkGet", "value": 900, "unit": "ns/op\t 16 B/op\t 1 allocs/op", "extra": "6000 times" },
          { "name": "BenchmarkGet - ns/op", "value": 900, "unit": "ns/op", "extra": "6000 times" },
          { "name": "BenchmarkGet - B/op", "value": 16, "unit": "B/op", "extra": "6000 times" },
          { "name": "BenchmarkGet", "value": 300, "unit": "ns/op\t 20 B/op\t 1 allocs/op", "extra": "16000 times\n4 procs" },
          { "name": "BenchmarkGet - ns/op", "value": 300, "unit": "ns/op", "extra": "16000 times\n4 procs" },
          { "name": "BenchmarkGet - B/op", "value": 20, "unit": "B/op", "extra": "16000 times\n4 procs" },
          { "name": "BenchmarkPut - ns/op", "value": 500, "unit": "ns/op", "extra": "9000 times\n4 procs" }
        ]
      }
    ]
  }
}
