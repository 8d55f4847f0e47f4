"""Each field of the policy and of the limits does something: for each an input whose result it changes."""

import gzip
import random

import pytest

import statera
from statera import Stop
from statera.support.settings import Limits, Policy
from support import every, go, noisy, table, write


def independent(folder, policy, limits):
    """Two builds with ten runs each: a time that varies, a count that varies, an exact count and an own unit."""
    texts = [
        go(
            {
                name: {
                    "ns/op": noisy(100 * factor, 10, seed=seed, spread=0.02),
                    "allocs/op": [1000 * factor + run for run in range(10)],
                    "B/op": [64 + 64 * (factor > 1)] * 10,
                    "points": noisy(50 * factor, 10, seed=seed + 1),
                }
                for seed, name in enumerate("ABCD", start=start)
            }
        )
        for factor, start in ((1, 1), (1.015, 11))
    ]
    return statera.compare(*write(folder, old=texts[0], new=texts[1]), policy=policy, limits=limits)


def noise(folder, policy, limits):
    """The same, with margins from the noise floor if there is one."""
    if policy.noise:
        policy = policy._replace(margins=(("*", "noise"),))
    return independent(folder, policy, limits)


def long(folder, policy, limits):
    """Two builds with so many runs that the bands of a shift function are resampled."""
    texts = [go({"X": noisy(centre, 60, seed=centre)}) for centre in (100, 101)]
    return statera.compare(*write(folder, old=texts[0], new=texts[1]), policy=policy, limits=limits)


def paired(folder, policy, limits):
    """Three variants over the same twelve blocks."""
    rows = [
        {"benchmark": "X", "value": value, "unit": "s", "variant": variant, "block": f"b{block}"}
        for number, variant in enumerate("abc")
        for block, value in enumerate(
            noisy(10**block * (1 + 0.002 * number), 1, seed=100 * number + block)[0] for block in range(12)
        )
    ]
    return statera.compare(*write(folder, all=table(rows)), by="variant", policy=policy, limits=limits)


# For each field an input and a value of which the result must not be that of the defaults.
POLICY = {
    "alpha": (independent, 0.2),
    "correction": (independent, "bonferroni"),
    "margin_time": (independent, 0.2),
    "margin_count": (independent, 0.2),
    "margin_other": (independent, 0.2),
    "margin_exact": (independent, 2.0),
    "margins": (independent, (("B/op", 2.0),)),
    "noise": (noise, (("*", 0.2),)),
    "directions": (independent, (("B/op", "higher"),)),
    "scale": (independent, "difference"),
    "power": (independent, 0.5),
    "omnibus": (paired, "quade"),
    "relabelings": (independent, 20),
    "resamples": (long, 50),
    "seed": (long, 1),
    "session": (independent, 0.1),
    "mean": (independent, True),
}
# Of these the result is seen only with another field beside them.
BESIDE = {"relabelings": {"correction": "westfall-young"}}


def found(comparison):
    """Everything that was computed, without the settings by which it was."""
    shifts = comparison.distribution().shifts
    parts = comparison.to_csv(), comparison.omnibus, comparison.family, comparison.weighing.summaries(), shifts
    return [repr(part) for part in parts]


def test_the_tables_are_complete():
    assert list(POLICY) == list(Policy._fields)
    assert set(LIMITS) == set(Limits._fields)


@every("field", Policy._fields)
def test_a_field_of_the_policy_changes_a_result(tmp_path, field):
    make, value = POLICY[field]
    policy = Policy(**BESIDE.get(field, {}))
    before = found(make(tmp_path, policy, Limits()))
    assert before == found(make(tmp_path, policy, Limits()))
    assert before != found(make(tmp_path, policy._replace(**{field: value}), Limits()))


MANY = go({"X": noisy(100, 50)})
KEYS = go({"X": [1]}, config={"a": "1", "b": "2", "c": "3"})
NOISE = random.Random(1).randbytes(400_000).hex("\n", 40).encode()  # noqa: S311 - no secret
# A table whose rows are under two levels of a key.
LEVELS = table([{"benchmark": "X", "value": value, "k": value % 2} for value in range(1, 21)])

# For each limit the files of a folder that a small value of it refuses, or of which it leaves something out.
LIMITS = {
    "files": ({"x": MANY, "y": MANY + "\n"}, 1),
    "bytes": ({"x": MANY}, 100),
    # Empty lines shrink to a thousandth, noise to a half: together the file is within the default.
    "expansion": ({"x": gzip.compress(MANY.encode() + NOISE + b"\n" * (33 << 20), 1)}, 2),
    "line": ({"x": go({"X": [1], "Y" * 200: [2]})}, 100),
    "values": ({"x": MANY}, 10),
    "keys": ({"x": KEYS}, 2),
    "contexts": ({"x": LEVELS}, 1),
    "inherited": ({"x": KEYS}, 1),
    "metrics": ({"x": go({"X": {"ns/op": [1], "B/op": [2]}})}, 1),
    "pairs": ({"x": MANY, "y": MANY + "\n", "z": MANY + "\n\n"}, 1),
    "groups": ({"x": LEVELS}, 1),
}


def outcome(paths, limits):
    """What a comparison gives, or why it stops."""
    try:
        comparison = statera.compare(*paths, limits=limits)
    except Stop as stop:
        return str(stop)
    return comparison.to_csv(), comparison.observations.left_out_by_code


@pytest.mark.parametrize("field", Limits._fields)
def test_a_limit_limits(tmp_path, field):
    files, value = LIMITS[field]
    (tmp_path / "old").mkdir()
    write(tmp_path / "old", **files)
    several = field == "pairs"
    paths = (
        [str(tmp_path / "old" / name) for name in files]
        if several
        else [f"a={tmp_path / 'old'}", f"b={tmp_path / 'old'}"]
    )
    free = outcome(paths, Limits())
    assert isinstance(free, tuple), free
    refused = outcome(paths, Limits(**{field: value}))
    assert field == "line" or f"the limit is {field}={value}." in refused
    assert free != refused
