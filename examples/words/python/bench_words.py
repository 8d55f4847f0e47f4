"""The benchmarks: pytest bench_words.py, with the folder of a build in PYTHONPATH."""

import words

TEXT = " ".join(f"word{number * number % 97}" for number in range(2000))


def test_count(benchmark):
    benchmark.pedantic(words.count, args=(TEXT,), rounds=10, iterations=5, warmup_rounds=1)


def test_longest(benchmark):
    benchmark.pedantic(words.longest, args=(TEXT,), rounds=10, iterations=20, warmup_rounds=1)
