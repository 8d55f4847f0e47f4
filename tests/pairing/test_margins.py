"""Margins by name: of metrics, of benchmarks, relative or as an amount; the last that matches counts."""

import pytest

import statera
from statera.support.settings.policy import Amount, parse_amount, parse_margins
from support import by_name, every, go, noisy, stopped, write


def policy(*words):
    return parse_margins(list(words), statera.Policy(session=0.0))


def verdicts(tmp_path, *words, old=20e6, new=20.9e6, names=("DocA", "DocB", "Enc")):
    """The verdict of each benchmark, with values in nanoseconds."""
    paths = write(
        tmp_path,
        old=go({name: noisy(old, 40, spread=0.001) for name in names}),
        new=go({name: noisy(new, 40, seed=2, spread=0.001) for name in names}),
    )
    found = by_name(statera.compare(*paths, policy=policy(*words)))
    return {name: row.verdict for name, row in found.items()}


@every(
    ("text", "amount"),
    [
        ("1ms", Amount(1e-3, "s")),
        ("1.5 µs", Amount(1.5e-6, "s")),
        ("16B", Amount(16, "B")),
        ("2KiB", Amount(2048, "B")),
        ("3MB/s", Amount(3e6, "B/s")),
        ("100/s", Amount(100, "1/s")),
        ("+3", Amount(3, "")),
        ("3", None),
        ("5%", None),
        ("ms", None),
        ("1.2.3ms", None),
        ("1 parsec", None),
        ("noise", None),
        (0.02, None),
    ],
)
def test_amounts(text, amount):
    found = parse_amount(text)
    assert found == amount or (found.unit == amount.unit and abs(found.amount / amount.amount - 1) < 1e-12)


_TIMES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 0.001, "s": 1, "min": 60, "h": 3600}
_SIZES = {"": 1, "k": 1000, "K": 1000, "M": 10**6, "G": 10**9, "Ki": 1024, "Mi": 1024**2, "Gi": 1024**3}


def test_every_unit_of_an_amount():
    wanted = {unit: (amount, "s") for unit, amount in _TIMES.items()}
    wanted |= {prefix + unit: (amount, unit) for prefix, amount in _SIZES.items() for unit in ("B", "B/s")}
    for unit, (amount, base) in wanted.items():
        found = parse_amount(f"2.5{unit}")
        assert (found.amount, found.unit) == (pytest.approx(2.5 * amount), base), unit


@every(
    ("words", "wanted"),
    [
        ((), "worse worse worse"),
        (("5%",), "equivalent equivalent equivalent"),
        (("1ms",), "equivalent equivalent equivalent"),
        (("0.8ms",), "worse worse worse"),
        (("Doc*=5%",), "equivalent equivalent worse"),
        (("Doc*=1ms",), "equivalent equivalent worse"),
        (("DocA=1ms", "Enc=1ms"), "equivalent worse equivalent"),
        (("Doc*=5%", "DocA=1%"), "worse equivalent worse"),
        # The last one counts.
        (("DocA=1%", "Doc*=5%"), "equivalent equivalent worse"),
        (("Doc*=5%", "1%"), "worse worse worse"),
        (("1%", "Doc*=5%"), "equivalent equivalent worse"),
        # An amount of another unit is of other metrics.
        (("16B", "Doc*=3B"), "worse worse worse"),
        (("sec/op=1ms",), "equivalent equivalent equivalent"),
        (("ns/op=+0.001",), "equivalent equivalent equivalent"),
        (("nothing=5%",), "worse worse worse"),
    ],
)
def test_the_margin_of_a_row(tmp_path, words, wanted):
    assert " ".join(verdicts(tmp_path, *words).values()) == wanted


def test_an_amount_reaches_as_far_down_as_up(tmp_path):
    # 20 ms to 19.02 ms is 4.9% less, and 5% as a ratio reaches down to 4.76%.
    assert set(verdicts(tmp_path, "1ms", new=19.02e6).values()) == {"equivalent"}
    assert set(verdicts(tmp_path, "5%", new=19.02e6).values()) == {"better"}
    assert set(verdicts(tmp_path, "1ms", new=18.9e6).values()) == {"better"}


@every(
    ("words", "wanted"),
    [
        ((), "worse"),
        (("allocs/op=+2",), "equivalent"),
        (("allocs/op=+1",), "worse"),
        (("X=+2",), "equivalent"),
        # A margin of all metrics, or of a benchmark, is not one of exact values; an amount is.
        (("X=500%",), "worse"),
        (("500%",), "worse"),
        (("+2",), "equivalent"),
    ],
)
def test_an_amount_is_a_margin_of_exact_values_too_also_from_nothing(tmp_path, words, wanted):
    paths = write(tmp_path, old=go({"X": [0] * 10}, unit="allocs/op"), new=go({"X": [2] * 10}, unit="allocs/op"))
    assert [row.verdict for row in statera.compare(*paths, policy=policy(*words))] == [wanted]


def test_runs_needed_are_those_of_the_margin_of_the_row(tmp_path):
    paths = write(
        tmp_path,
        old=go({name: noisy(20e6, 10, spread=0.05) for name in ("A", "B")}),
        new=go({name: noisy(20.1e6, 10, seed=2, spread=0.05) for name in ("A", "B")}),
    )
    found = by_name(statera.compare(*paths, policy=policy("2%", "A=0.2ms")))
    relative = by_name(statera.compare(*paths, policy=policy("2%", "A=1%")))
    assert found["B"].runs_needed < 0.5 * found["A"].runs_needed
    assert abs(found["A"].runs_needed / relative["A"].runs_needed - 1) < 0.1


def test_a_benchmark_of_go_has_its_name_without_its_threads(tmp_path):
    assert verdicts(tmp_path, "DocA=5%", names=("DocA-8", "DocB-8")) == {"DocA-8": "equivalent", "DocB-8": "worse"}


def test_an_amount_of_another_unit_than_the_metric_is_refused(tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(1)}), new=go({"X": noisy(1)}))
    stop = stopped(statera.compare, *paths, policy=policy("sec/op=16B"))
    assert "margin sec/op: 16B is no amount of sec/op, whose values are in s" in stop
    assert "Write 2%, 0.02, or an amount such as 1ms" in stopped(policy, "X=5q")


def test_a_name_that_fits_nothing_is_noted(tmp_path):
    paths = write(tmp_path, old=go({"Doc": noisy(1)}), new=go({"Doc": noisy(1)}))
    noted = statera.compare(*paths, policy=policy("Doc=5%", "ns/op=1%", "Dok=5%")).notes
    assert ["Dok" in note.text for note in noted if "--margin" in note.text] == [True]


def test_the_settings_file_has_them_too(run, tmp_path):
    write(tmp_path, old=go({n: noisy(20e6, 40) for n in "AB"}), new=go({n: noisy(20.9e6, 40, seed=2) for n in "AB"}))
    (tmp_path / "statera.toml").write_text('[margin]\n"A" = "2ms"\n')
    result = run("compare", "old", "new", "-f", "csv")
    assert sorted("equivalent" in line for line in result.out.splitlines()[1:]) == [False, True]
    assert "margin A = 2ms" in result.err
