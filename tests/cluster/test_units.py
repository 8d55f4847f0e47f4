"""Each row of a cluster is written in one unit, in which its numbers are easy to read; documents keep base units."""

import csv
import io
import json

import pytest

from statera.cluster.comparison import compare
from statera.cluster.metrics import METRICS
from statera.cluster.numbers import suited
from statera.cluster.observations import Variant
from statera.cluster.views import comparison as text
from support import every

SUITED = [
    ("s", (0.000049474, 0.000050064), "µs", "49.474"),
    ("s", (0.052468, 0.066010), "ms", "52.468"),
    ("s", (0.9, 1.2), "s", "0.90000"),
    ("s", (3e-12, None), "ns", "0.0030000"),
    ("s", (0.0, 0.0), "s", "0"),
    ("s", (-0.002, 0.001), "ms", "-2"),
    ("B", (2996.0, 3011.2), "B", "2,996"),
    ("B", (44123.4, 44539.0), "kB", "44.123"),
    ("MiB", (9322.6, 9322.6), "MiB", "9,322.6"),
    ("MiB", (93220.6, 93220.6), "GiB", "91.036"),
    ("KiB/s", (0.00012, 0.00018), "B/s", "0.12288"),
    ("MiB/s", (42.728, 45.011), "MiB/s", "42.728"),
    ("%", (9.4044, 9.0), "%", "9.4044"),
    ("#", (1234567.0, 2.0), "#", "1,234,567"),
    ("s", (None, None), "s", "-"),
]


@every("unit, values, name, written", SUITED)
def test_the_unit_suits_the_larger_side(unit, values, name, written):
    found = suited(unit, values)
    assert (found.name, found.amount(values[0])) == (name, written)


def test_change_and_interval_have_the_unit_of_the_values():
    found = suited("s", (0.052468, 0.066010))
    assert found.difference(0.013542) == "+13.5"
    assert found.interval(0.0127, 0.0143) == "[+12.7, +14.3]"
    assert found.interval(None, 1.0) == "-"


def test_no_unit_loses_a_value():
    wrong = []
    for unit in sorted({metric.unit for metric in METRICS}):
        for exponent in range(-12, 12):
            value = 1.2345 * 10.0**exponent
            found = suited(unit, (value,))
            if float(found.amount(value, 6).replace(",", "")) * found.size != pytest.approx(value, rel=1e-5):
                wrong.append((unit, value, found))
    assert wrong == []


def test_documents_keep_the_base_units(noisy):
    old, new = noisy(seed=1), noisy(seed=2, size=1100, delay=0.05)
    comparison = compare([Variant("old", (old,)), Variant("new", (new,))])
    [row] = [row for row in csv.DictReader(io.StringIO(text.comma(comparison))) if row["metric"] == "cdfStarted"]
    mean = old.summary["metrics"]["cdfStarted"]["mean"]
    assert (float(row["baseline_centre"]), row["unit"]) == (pytest.approx(mean), "s")
    found = json.loads(text.json(comparison))["metrics"]["cdfStarted"]
    assert (found["base"], found["unit"]) == (mean, "s")
    [line] = [
        line
        for line in text.compared(comparison, "terminal").splitlines()
        if line.startswith("Forge loop tardiness, ms ")
    ]
    assert suited("s", (mean,)).amount(mean) in line
