"""The offsets of hosts' clocks from the blocks that they exchange."""

import random

import pytest
from generator.run import generate
from generator.settings import Settings
from small import Cluster

from statera.cli import main
from statera.cluster import consistency
from statera.cluster.engine import DuckDB
from statera.cluster.offsets import offsets
from statera.cluster.samples import load_summary

NS = 10**9


@pytest.fixture
def engine(tmp_path):
    with DuckDB(tmp_path / "tables") as engine:
        yield engine


def exchanged(engine, ahead, blocks, *, seed=1, silent=()):
    """The clocks of hosts that each forge so many blocks, which all notice after 20 ms and more."""
    chance = random.Random(seed)
    engine.put("host", {"host": "INTEGER", "name": "VARCHAR"}, [(k, f"h{k}") for k in range(len(ahead))])
    known, events = [], []
    for number in range(blocks * len(ahead)):
        forger, forged = number % len(ahead), number * 20.0
        known.append((f"b{number}", forger, 1))
        for host, offset in enumerate(ahead):
            if host in silent and host != forger:
                continue
            delay = 0.0 if host == forger else 0.02 + chance.expovariate(1 / 0.05)
            at = round((forged + delay + offset) * NS)
            events.append((f"b{number}", host, at if host == forger else None, None if host == forger else at))
    engine.put("known_blocks", {"block": "VARCHAR", "forger": "INTEGER", "forgers": "INTEGER"}, known)
    columns = {"block": "VARCHAR", "host": "INTEGER", "forged_at": "BIGINT", "noticed_at": "BIGINT"}
    engine.put("host_blocks", columns, events)
    return offsets(engine)


def test_clocks_that_are_off_are_named_with_an_interval_that_holds_the_offset(engine, subtests):
    ahead = (0.7, -0.15, 0.06, 0.0, 0.0, 0.0, 0.0)
    for seed in range(5):
        with subtests.test(seed=seed):
            found = exchanged(engine, ahead, 30, seed=seed)
            assert [one.is_off for one in found] == [True, True, True, False, False, False, False]
            for one, offset in zip(found, ahead, strict=True):
                assert one.offset == pytest.approx(offset, abs=0.015)
                assert one.low <= offset <= one.high
                assert one.pairs == 6


def test_clocks_that_agree_are_never_named(engine):
    for seed in range(40):
        for blocks in (1, 2, 20):
            found = exchanged(engine, (0.0,) * 4, blocks, seed=seed)
            assert not [one for one in found if one.is_off], (seed, blocks)
            assert consistency.told(found) is None


def test_a_host_that_notices_nothing_has_no_clock_and_two_hosts_share_their_offset(engine):
    found = exchanged(engine, (0.5, 0.0, 0.0, 0.0), 10, silent=(0,))
    assert [one.host for one in found] == ["h1", "h2", "h3"]
    two = exchanged(engine, (0.5, 0.0), 10)
    assert [round(one.offset, 1) for one in two] == [0.2, -0.2] or [round(one.offset, 1) for one in two] == [0.3, -0.3]
    assert exchanged(engine, (0.0,), 3) == []
    assert exchanged(engine, (0.5, 0.0), 10, silent=(0, 1)) == []


def test_the_worst_are_named_first_and_not_too_many(engine):
    found = exchanged(engine, [0.0] * 12 + [0.3, -1.5, *(2.0 + k for k in range(6))], 3)
    told = consistency.told(found)
    assert told.startswith("the clocks of hosts differ: h19 is 7.004 s ahead [+6")
    assert told.endswith(" and 2 more")
    assert "h13" not in told
    assert "h14" in told


def test_corrected_times_are_those_of_clocks_that_agree(tmp_path):
    def made(folder, ahead):
        cluster = Cluster(folder, "a", "b", "c")
        for number in range(9):
            forger, before = "abc"[number % 3], f"f{number - 1}" if number else "ff"
            for host in "abc":
                cluster.start(host, number, after=0.1 + ahead.get(host, 0))
            cluster.forge(forger, f"f{number}", number, number, before, seconds=0.5 + ahead.get(forger, 0))
            for place, host in enumerate("abc"):
                if host != forger:
                    noticed = number + 0.6 + place / 100 + ahead.get(host, 0)
                    cluster.log(host, "Noticed", noticed, f"f{number}", slot=number, block_no=number)
        return cluster

    right = made(tmp_path / "right", {}).analyse().summary
    wrong = made(tmp_path / "wrong", {"b": 2.0})
    logged = wrong.analyse().summary
    assert logged["clocks"]["b"]["offset"] == pytest.approx(2.0, abs=0.03)
    assert any("b is 1.995 s ahead" in one["what"] for one in logged["warnings"])
    assert logged["metrics"]["cdfStarted"]["mean"] == pytest.approx(0.1 + 2 / 3)
    corrected = wrong.analyse(ahead={"b": 2 * NS}).summary
    assert corrected["metrics"] == right["metrics"]
    assert corrected["clocks"]["b"]["offset"] == pytest.approx(0.0, abs=0.03)


def test_the_command_writes_corrected_times_beside_the_logged_ones(tmp_path, capsys):
    run, out = tmp_path / "run", tmp_path / "out"
    generate(run, Settings(hosts=4, slots=300, block_rate=0.2), 1)
    words = ["cluster", "analyse", str(run), "-o", str(out), "--correct-clocks"]
    assert main(words) == 0
    right = load_summary(out)["metrics"]
    assert "none is off by more than delays explain" in capsys.readouterr().out
    assert not (out / "corrected").exists()
    # The clock of a host is an hour ahead; all slots are within minutes.
    for log in (run / "node-1").glob("*.json"):
        log.write_text(log.read_text().replace('"at":"2025-02-14T18:', '"at":"2025-02-14T19:'))
    assert main(words) == 0
    assert f"corrected={out}/corrected" in capsys.readouterr().out
    logged, corrected = (load_summary(folder)["metrics"] for folder in (out, out / "corrected"))
    for key in ("cdf1.00", "cdfPeerNoticeFirst"):
        assert corrected[key]["mean"] == pytest.approx(right[key]["mean"], abs=0.03)
    assert abs(logged["cdfStarted"]["mean"] - right["cdfStarted"]["mean"]) > 800
    # Without the option nothing of an earlier one stays.
    assert main(words[:-1]) == 0
    assert not (out / "corrected/summary.json").exists()
