"""Output of different work in one file is never repetitions: what a script prints between the runs is a key."""

import collections
import json

import format_cases

import statera
from statera import _native

# What scripts print above two runs of different work.
LABELS = (
    ("=== small ===", "=== large ==="),
    ("# small", "# large"),
    ("small:", "large:"),
    ("size=4k", "size=8k"),
    ("threads: 4", "threads: 8"),
    ("4 threads", "3 threads"),
    ("Test 1: read", "Test 2: write"),
    ("small", "large"),
    ("[small]", "[large]"),
    (">>> small", ">>> large"),
    ("+ echo small\nsmall", "+ echo large\nlarge"),
    ("2026-11-01 10:00:00 small", "2026-11-01 10:05:00 large"),
    ("On branch main", "On branch feature-x"),
)
# What stands above two runs of the same work.
REPETITIONS = (("", ""), ("Run 1", "Run 2"), ("same", "same"), ("1", "2"))
# Go's own lines `key: value` are its labels, and its benchmarks print what they like. Above the times of a shell stands
# what was timed: it is the name of the benchmark.
OTHERS = {"go", "shell-time"}


def works(path):
    """Count the values of each benchmark, metric and configuration."""
    places = {"line", "process", "order", "file", "variant", "statera.work", "value", "iteration", "block"}
    found = collections.Counter()
    for row in format_cases.outcome(path).get("rows", ()):
        found[json.dumps({key: value for key, value in row.items() if key not in places}, sort_keys=True)] += 1
    return found


def printed():
    """Give the first real output of each format that text can be put between."""
    names = {form.name for form in _native.formats() if any(key.name == "heading" for key in form.keys)}
    for name in sorted(names - OTHERS):
        real = [path for path in format_cases.files(name, "real") if path.stat().st_size < 60_000]
        if real and not real[0].read_bytes().startswith((b"{", b"[", b"<")):
            yield name, real[0]


def test_runs_below_different_labels_are_different_work(tmp_path):
    pooled, tried = [], 0
    for name, path in printed():
        text = path.read_text().rstrip("\n")
        target = tmp_path / path.name

        def found(above, below, text=text, target=target):
            target.write_text(f"{above}\n{text}\n\n{below}\n{text}\n")
            return works(target)

        together = {labels: found(*labels) for labels in REPETITIONS}
        bare = together["", ""]
        if min(bare.values(), default=0) < 2:
            continue  # Its results have numbers in place of names, or the file is one report.
        tried += 1
        pooled += [(name, labels) for labels, works_of in together.items() if len(works_of) != len(bare)]
        pooled += [(name, labels) for labels in LABELS if len(found(*labels)) != 2 * len(bare)]
    assert tried > 40
    assert pooled == [], "\n".join(map(str, pooled))


def test_labels_hold_for_all_pieces_of_a_large_file(tmp_path):
    """Files above 2 MiB are read in pieces."""
    results = "".join(f"BenchmarkA{number}-8 \t 1000\t {number} ns/op\n" for number in range(40_000))
    path = tmp_path / "x.txt"
    path.write_text(f"=== small ===\n{results}=== large ===\n{results}")
    assert path.stat().st_size > 2 << 20
    read = statera.read(path)
    assert {row["heading"] for row in format_cases.rows(read)} == {"small", "large"}
    assert len(read) == 80_000
