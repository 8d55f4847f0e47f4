"""Ten benchmarks of pytest-benchmark: WAY chooses loops of Python or its functions; the last one is the same in both."""

import hashlib
import os

import pytest

LOOPS = os.environ.get("WAY") == "loops"
NUMBERS = list(range(1, 1001))
WORDS = "the quick brown fox jumps over the lazy dog".split() * 100


def total(values):
    """Add in a loop."""
    result = 0
    for value in values:
        result += value
    return result


def largest(values):
    """Find the largest in a loop."""
    result = values[0]
    for value in values:
        result = max(result, value)
    return result


def smallest(values):
    """Find the smallest in a loop."""
    result = values[0]
    for value in values:
        result = min(result, value)
    return result


def joined(words):
    """Join in a loop."""
    result = ""
    for word in words:
        result += word
    return result


def copied(values):
    """Copy in a loop."""
    result = []
    for value in values:
        result.append(value)  # noqa: PERF402 - it is what is measured
    return result


def distinct(words):
    """Make a set in a loop."""
    result = set()
    for word in words:
        result.add(word)
    return result


def numbered(values):
    """Number in a loop."""
    result = {}
    for number, value in enumerate(values):
        result[number] = value
    return result


def backwards(values):
    """Reverse in a loop."""
    result = []
    for value in values:
        result.insert(0, value)
    return result


def count(words):
    """Count in a loop."""
    result = 0
    for word in words:
        result += word == "fox"
    return result


CASES = {
    "sum": (total, sum, NUMBERS),
    "max": (largest, max, NUMBERS),
    "min": (smallest, min, NUMBERS),
    "join": (joined, "".join, WORDS),
    "list": (copied, list, NUMBERS),
    "set": (distinct, set, WORDS),
    "dict": (numbered, lambda values: dict(enumerate(values)), NUMBERS),
    "reverse": (backwards, lambda values: values[::-1], NUMBERS),
    "count": (count, lambda words: words.count("fox"), WORDS),
}


@pytest.mark.parametrize("name", CASES)
def test_way(benchmark, name):
    """Measure one of two ways, and check it against the other."""
    loop, function, values = CASES[name]
    assert benchmark(loop if LOOPS else function, values) == function(values)


def test_sha256(benchmark):
    """Measure what does not depend on the way."""
    assert benchmark(lambda: hashlib.sha256(bytes(4096)).digest())
