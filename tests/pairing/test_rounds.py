"""Rounds that start the program anew: the blocks pair the sides although every value has a process of its own."""

import random
from statistics import median

import statera
from support import compare, every, noisy, table, write

LOAD = [100, 150, 220, 130, 400, 310, 180, 260, 120, 500, 610, 90]


def rounds(values, *, benchmark="X", processes_a_round=1):
    """A table of rounds, each with a list of iterations; further processes repeat the round."""
    return table(
        [
            {"benchmark": benchmark, "value": value, "unit": "s", "block": f"r{i}", "process": f"{benchmark}{i}.{k}"}
            for i, iterations in enumerate(values)
            for k in range(processes_a_round)
            for value in iterations
        ]
    )


def one_each(values):
    return [[value] for value in values]


def test_rounds_of_one_process_are_paired_by_round(tmp_path):
    noise = noisy(1.05, len(LOAD))
    result = compare(
        tmp_path, rounds(one_each(LOAD)), rounds(one_each(v * f for v, f in zip(LOAD, noise, strict=True)))
    )
    row = result[0]
    assert (row.design, row.method, row.baseline_n, row.verdict) == ("paired", "exact", len(LOAD), "worse")
    assert not {"one-process", "blocks-repeated"} & {*row.warnings}
    assert [note.text for note in result.notes if note.code == "paired"] == ["Paired by block."]


def test_iterations_of_a_round_count_once_as_their_median(tmp_path):
    old = [[v, v * 1.5, v * 0.99] for v in LOAD]
    new = [[v * 1.1, v * 9, v] for v in LOAD]
    row = compare(tmp_path, rounds(old), rounds(new))[0]
    plain = compare(tmp_path, rounds(one_each(map(median, old))), rounds(one_each(map(median, new))))[0]
    assert (row.design, row.baseline_values, row.baseline_n) == ("paired", 36, 12)
    assert "blocks-repeated" not in row.warnings
    assert (row.p, row.change, row.change_low) == (plain.p, plain.change, plain.change_low)


def test_a_round_that_was_repeated_leaves_the_others_paired_and_is_said(tmp_path):
    again = rounds(one_each(LOAD)) + "X,170,s,r1,other\n"
    row = compare(tmp_path, again, rounds(one_each(v * 1.05 for v in LOAD)))[0]
    assert (row.design, row.baseline_n) == ("paired", 12)
    assert "blocks-repeated" in row.warnings


def test_blocks_of_many_processes_do_not_take_their_place(tmp_path):
    days = [noisy(100, 10), noisy(120, 10, seed=2)]
    lines = [
        {"benchmark": "X", "value": value, "unit": "s", "block": f"day{i}", "process": f"{i}.{k}"}
        for i, values in enumerate(days)
        for k, value in enumerate(values)
    ]
    row = compare(tmp_path, table(lines), table(lines))[0]
    assert (row.design, row.baseline_n) == ("nested", 20)


def test_processes_that_measured_many_blocks_are_units_themselves(tmp_path):
    lines = [
        {"benchmark": "X", "value": 10**i * value, "unit": "s", "block": f"b{i}", "process": f"p{k}"}
        for k, value in enumerate(noisy(1, 5))
        for i in range(4)
    ]
    row = compare(tmp_path, table(lines), table(lines))[0]
    assert (row.design, row.baseline_n) == ("nested", 5)


def test_pairing_by_block_on_request_allows_iterations_of_a_round(tmp_path):
    text = rounds([[v, v * 1.01] for v in LOAD])
    assert compare(tmp_path, text, text, pair="block")[0].design == "paired"


def test_three_variants_are_tested_over_their_rounds(tmp_path):
    names = ["a", "b", "c"]
    texts = {
        name: rounds([[v * 1.1**k * f, v * 1.1**k] for v, f in zip(LOAD, noisy(1, 12, seed=k), strict=True)])
        for k, name in enumerate(names)
    }
    result = statera.compare(*write(tmp_path, **texts))
    assert {row.design for row in result} == {"paired"}
    assert [(each["test"], each["n"]) for each in result.omnibus] == [("friedman", 12)]


def test_an_inspection_keeps_the_spread_between_rounds(tmp_path):
    values = noisy(100, 12, spread=0.05)
    [file] = write(tmp_path, one=rounds([[v, v * 1.001] for v in values]))
    row = statera.inspect(file)[0]
    assert (row.sampled, row.n) == ("runs", 12)
    assert row.iqr > 1
    [file] = write(tmp_path, single=rounds(one_each(values)))
    row = statera.inspect(file)[0]
    assert (row.sampled, row.n) == ("values", 12)
    assert "by-block" not in row.defects


def test_a_self_test_deals_rounds_that_pair_nothing(tmp_path):
    [file] = write(tmp_path, one=rounds([[v, v * 1.001] for v in noisy(100, 20)]))
    tested = statera.inspect(file, aa=True).self_test
    assert (tested.dealt, tested.processes) == ("runs", 20)
    assert tested.rows[0].called.trials > 0


@every("seed", range(3))
def test_pairing_by_round_removes_what_a_round_shares(tmp_path, seed):
    chance = random.Random(seed)  # noqa: S311 - noise, no secret
    shared = [chance.lognormvariate(0, 0.3) for _ in range(20)]
    old, new = ([[s * f * chance.gauss(1, 0.005)] for s in shared] for f in (1, 1.05))
    assert compare(tmp_path, rounds(old), rounds(new))[0].verdict == "worse"
