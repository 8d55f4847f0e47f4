window.BENCHMARK_DATA = {
  "lastUpdate": 1714816800000,
  "repoUrl": "https://example.org/repo",
  "entries": {
    "Rust": [
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "message": "change 1\n\nwith <b>markup</b>",
          "timestamp": "2024-05-01T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "date": 1714644000123,
        "tool": "cargo",
        "benches": [
          {
            "name": "fib_10",
            "value": 254,
            "range": "± 35",
            "unit": "ns/iter"
          },
          {
            "name": "fib_20",
            "value": 34001,
            "range": "± 2802",
            "unit": "ns/iter"
          }
        ]
      },
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "cccccccccccccccccccccccccccccccccccccccc",
          "message": "change 2\n\nwith <b>markup</b>",
          "timestamp": "2024-05-02T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/cccccccccccccccccccccccccccccccccccccccc"
        },
        "date": 1714730400123,
        "tool": "cargo",
        "benches": [
          {
            "name": "fib_10",
            "value": 300,
            "range": "± 35",
            "unit": "ns/iter"
          },
          {
            "name": "fib_20",
            "value": 33001,
            "range": "± 2802",
            "unit": "ns/iter"
          }
        ]
      }
    ],
    "Python": [
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "message": "change 1\n\nwith <b>markup</b>",
          "timestamp": "2024-05-01T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "date": 1714644000123,
        "tool": "pytest",
        "benches": [
          {
            "name": "bench.py::test_fib",
            "value": 59573.92304802095,
            "unit": "iter/sec",
            "range": "stddev: 4.841850108131118e-7",
            "extra": "mean: 16.785867856879705 usec\nrounds: 40161"
          }
        ]
      }
    ],
    "Java": [
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "message": "change 1\n\nwith <b>markup</b>",
          "timestamp": "2024-05-01T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "date": 1714644000123,
        "tool": "jmh",
        "benches": [
          {
            "name": "Bench.run",
            "value": 512.5,
            "unit": "ops/ms",
            "extra": "iterations: 5\nforks: 1\nthreads: 1"
          }
        ]
      }
    ],
    "Go": [
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "message": "change 1\n\nwith <b>markup</b>",
          "timestamp": "2024-05-01T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "date": 1714644000123,
        "tool": "go",
        "benches": [
          {
            "name": "BenchmarkFib - ns/op",
            "value": 41653,
            "unit": "ns/op",
            "extra": "30000 times\n8 procs"
          },
          {
            "name": "BenchmarkFib - B/op",
            "value": 16,
            "unit": "B/op"
          },
          {
            "name": "BenchmarkFib - MB/s",
            "value": 12,
            "unit": "MB/s"
          }
        ]
      }
    ],
    "Coverage": [
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "message": "change 1\n\nwith <b>markup</b>",
          "timestamp": "2024-05-01T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "date": 1714644000123,
        "tool": "customBiggerIsBetter",
        "benches": [
          {
            "name": "lines",
            "value": 81.5,
            "unit": "%"
          },
          {
            "name": "speed",
            "value": 9,
            "unit": "ops/s"
          },
          {
            "name": "none",
            "value": 9,
            "unit": ""
          }
        ]
      }
    ],
    "Size": [
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "message": "change 1\n\nwith <b>markup</b>",
          "timestamp": "2024-05-01T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "date": 1714644000123,
        "tool": "customSmallerIsBetter",
        "benches": [
          {
            "name": "binary",
            "value": 3.5,
            "unit": "MB"
          },
          {
            "name": "lines",
            "value": 18.5,
            "unit": "%"
          }
        ]
      }
    ],
    "Plain": [
      {
        "commit": {
          "author": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "committer": {
            "email": "a@example.org",
            "name": "A",
            "username": "a"
          },
          "distinct": true,
          "id": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "message": "change 1\n\nwith <b>markup</b>",
          "timestamp": "2024-05-01T12:00:00+02:00",
          "tree_id": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
          "url": "https://example.org/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "date": 1714644000123,
        "tool": "benchmarkdotnet",
        "benches": [
          {
            "name": "x",
            "value": 1,
            "unit": ""
          }
        ]
      }
    ]
  }
}