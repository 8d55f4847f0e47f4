"""Ten benchmarks of pytest-benchmark; JOIN chooses how texts are joined."""

import hashlib
import json
import os
import re
import zlib

import pytest

WORDS = "the quick brown fox jumps over the lazy dog".split() * 12
TEXT = " ".join(WORDS)


def join(words):
    """Write words with commas between them."""
    if os.environ.get("JOIN") == "method":
        return ",".join(words)
    text = ""
    for word in words:
        text += "," * bool(text) + word
    return text


@pytest.mark.parametrize("number", [4, 108])
def test_join(benchmark, number):
    """Join some words."""
    assert benchmark(join, WORDS[:number]).count(",") == number - 1


def test_split(benchmark):
    """Split a text."""
    assert benchmark(TEXT.split) == WORDS


def test_sort(benchmark):
    """Sort words."""
    assert benchmark(sorted, WORDS)[0] == "brown"


def test_count(benchmark):
    """Count words."""
    assert benchmark(WORDS.count, "the") == 24


def test_set(benchmark):
    """Make a set."""
    assert len(benchmark(set, WORDS)) == 8


def test_json(benchmark):
    """Write JSON."""
    assert benchmark(json.dumps, WORDS)


def test_regular_expression(benchmark):
    """Find words."""
    assert benchmark(re.compile("(qu|br)[a-z]+").findall, TEXT)


def test_sha256(benchmark):
    """Hash a text."""
    assert benchmark(lambda: hashlib.sha256(TEXT.encode()).digest())


def test_crc32(benchmark):
    """Check a text."""
    assert benchmark(zlib.crc32, TEXT.encode())
