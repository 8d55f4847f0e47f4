"""Blocks: first events, forgers, sizes, battles, gaps, forging and what peers saw of them."""

import pytest
from small import Cluster


@pytest.fixture
def run(tmp_path):
    """Three hosts; a, b, c in slots 10, 20, 30, of which c is dropped."""
    cluster = Cluster(tmp_path, "h0", "h1", "h2")
    cluster.forge("h0", "a", 10, 0, "9")
    cluster.forge("h1", "b", 20, 1, "a")
    cluster.forge("h0", "c", 30, 2, "b")
    return cluster


def observation(result, block, host):
    names = {row["host"]: row["name"] for row in result.table("hosts")}
    [row] = [
        row for row in result.table("observations") if row["block"].startswith(block) and names[row["host"]] == host
    ]
    return row


def see(cluster, host, block, slot, *, notice=1.0, request=1.25, fetch=1.5, adopt=2.0, number=1):
    """Notice, request, fetch and adopt a block, so many seconds after its slot began."""
    for event, seconds, fields in (
        ("Noticed", notice, {"slot": slot, "block_no": number}),
        ("Requested", request, {}),
        ("Fetched", fetch, {}),
        ("Tip", adopt, {"delta": 1}),
    ):
        if seconds is not None:
            cluster.log(host, event, slot + seconds, block, **fields)


def test_first_is_the_smallest_time_whatever_the_order_of_lines(run):
    run.log("h1", "Requested", 11, "a", length=7)
    run.log("h1", "Requested", 10.5, "a", length=3)
    assert {row["length"] for row in run.analyse().table("host_blocks")} == {None, 3}


def test_of_equal_times_the_first_in_reading_order_counts_with_all_its_fields(run):
    run.log("h1", "Fetched", 11, "a", size=5)
    run.log("h1", "Fetched", 11, "a", size=6)
    assert run.analyse().blocks()["a"]["size"] == 5


def test_the_fields_of_a_later_line_never_fill_those_of_the_first(run):
    run.log("h1", "Fetched", 11, "a")
    run.log("h1", "Fetched", 12, "a", size=6)
    assert run.analyse().blocks()["a"]["size"] is None


def test_the_size_is_that_of_the_earliest_adopted_block_that_has_one(run):
    run.log("h1", "Fetched", 10.1, "a", size=1)
    run.log("h2", "AdoptedBlock", 12, "a", size=2)
    run.log("h0", "AdoptedBlock", 13, "a", size=3)
    run.log("h1", "AdoptedBlock", 11, "a")
    assert run.analyse().blocks()["a"]["size"] == 2


def test_without_an_adopted_block_the_size_is_that_of_the_earliest_fetch_and_of_equal_times_the_smaller_host(run):
    run.log("h2", "Fetched", 11, "a", size=1)
    run.log("h1", "Fetched", 11, "a", size=2)
    assert run.analyse().blocks()["a"]["size"] == 2


def test_the_forger_is_the_host_of_the_earliest_line_and_of_equal_times_the_smaller_name(tmp_path):
    cluster = Cluster(tmp_path, "h10", "h9", "h1")
    cluster.forge("h9", "a", 10, 0, "9")
    cluster.forge("h10", "a", 10, 0, "9")
    cluster.forge("h1", "a", 10, 0, "9", seconds=0.6)
    cluster.forge("h1", "b", 20, 1, "a")
    result = cluster.analyse()
    assert result.csv.splitlines()[1].split(",")[4] == "h10"
    assert result.summary["chain"]["duplicateForge"] == 2
    assert result.summary["hosts"]["h9"]["blocksForged"] == 0


def test_a_block_without_forger_has_its_slot_from_the_earliest_notice(tmp_path):
    cluster = Cluster(tmp_path, "h0", "h1")
    cluster.forge("h0", "a", 10, 0, "9")
    cluster.log("h1", "Noticed", 22, "b", slot=21, block_no=1)
    cluster.log("h0", "Noticed", 21.5, "b", slot=20, block_no=1)
    cluster.forge("h0", "c", 30, 2, "b")
    cluster.forge("h0", "d", 40, 3, "c")
    result = cluster.analyse()
    row = result.blocks()["b"]
    assert (row["slot"], row["forger"], row["prev"]) == (20, None, None)
    assert result.summary["chain"]["unknownForger"] == 1
    assert [warning["code"] for warning in result.summary["warnings"]] == ["unknown-forger"]
    # Without a forger every host is an observer.
    assert len([row for row in result.table("observations") if row["block"].startswith("b")]) == 2


def test_battles_are_the_other_known_blocks_of_the_height(run):
    run.forge("h2", "d", 21, 1, "a")
    run.log("h0", "Noticed", 25, "e", slot=22, block_no=1)
    result = run.analyse()
    assert {name: row["battles"] for name, row in result.blocks().items()} == {"a": 0, "b": 2}
    assert [name.rstrip("0") for name in result.summary["chain"]["abandoned"]] == ["d", "e"]


def test_gaps_are_seconds_and_a_bridge_has_none(tmp_path):
    cluster = Cluster(tmp_path, "h0", slot_length=0.5)
    for name, slot, number, prev in (("a", 10, 0, "9"), ("b", 13, 1, "a"), ("d", 30, 3, "c"), ("e", 40, 4, "d"),
                                     ("f", 50, 5, "e")):  # fmt: skip
        cluster.forge("h0", name, slot, number, prev)
    result = cluster.analyse()
    assert {name: row["gap"] for name, row in result.blocks().items()} == {"a": None, "b": 1.5, "d": None, "e": 5.0}
    assert result.metric("cdfBlockGap")["n"] == 2
    assert result.summary["chain"]["missing"] == 1


def test_the_phases_of_forging_add_up(tmp_path):
    cluster = Cluster(tmp_path, "h0", "h1")
    stamps = {"Start": 0.5, "BlkCtx": 1, "LgrState": 2, "LgrView": 4, "Leader": 8, "Ticked": 16, "MemSnap": 32}
    for event, seconds in stamps.items():
        cluster.log("h0", event, 10 + seconds, slot=10)
        cluster.log("h1", event, 10, slot=10)
    cluster.forge("h0", "a", 10, 0, "9", seconds=64)
    cluster.log("h0", "Announced", 10 + 65, "a")
    cluster.log("h0", "Sending", 10 + 66, "a")
    cluster.log("h0", "AdoptedBlock", 10 + 67, "a")
    cluster.log("h0", "Tip", 10 + 66.5, "a")
    cluster.forge("h0", "b", 20, 1, "a")
    row = cluster.analyse().blocks()["a"]
    assert {key: row[key] for key in row if key.startswith("forger_")} == {
        "forger_start": 0.5, "forger_blk_ctx": 0.5, "forger_lgr_state": 1, "forger_lgr_view": 2, "forger_lead": 4,
        "forger_ticked": 8, "forger_mem_snap": 16, "forger_forge": 32, "forger_announce": 1, "forger_send": 2,
        "forger_adoption": 3, "forger_announce_cum": 65, "forger_lead_to_forged": 56, "forger_added_to_chain": 2.5,
    }  # fmt: skip


def test_a_stamp_that_no_line_gives_is_null_and_another_slots_stamp_is_not_taken(run):
    run.log("h0", "Start", 9.1, slot=9)
    run.log("h0", "Leader", 10.2, slot=10)
    row = run.analyse().blocks()["a"]
    assert row["forger_start"] is None
    assert row["forger_lead"] is None
    assert row["forger_lead_to_forged"] == pytest.approx(0.3)


def test_phases_of_an_observer(run):
    see(run, "h0", "b", 20)
    run.log("h0", "Announced", 21.6, "b")
    run.log("h0", "Sending", 21.4, "b")
    result = run.analyse()
    row = observation(result, "b", "h0")
    assert row["class"] == "valid"
    assert [row[key] for key in ("notice", "request", "fetching", "adoption")] == [1.0, 0.25, 0.25, 0.5]
    # Sending before the fetch is negative: the observation is valid all the same, and its send is null.
    [peer] = result.table("peers")
    assert peer["announce"] == pytest.approx(0.1)
    assert peer["send"] is None
    assert result.metric("cdfPeerSend")["n"] == 0
    assert result.metric("cdfPeerAnnounce")["n"] == 1


def test_the_class_of_an_observation(tmp_path):
    """Each block is seen by the other host in another way, one after the other."""
    cases = [
        ({}, "valid"),
        ({"notice": None, "request": None}, "missingNotice"),
        ({"request": None, "fetch": None}, "missingRequest"),
        ({"fetch": None, "adopt": None}, "missingFetch"),
        ({"adopt": None}, "missingAdoption"),
        ({"notice": -1.0}, "negative"),
        ({"request": 0.5}, "negative"),
        ({"fetch": 1.125}, "negative"),
        ({"adopt": 1.25}, "negative"),
        ({"notice": 0.0, "request": 0.0, "fetch": 0.0, "adopt": 0.0}, "valid"),
    ]
    # Only a block that is fetched and adopted alone is unitary.
    alone = [
        (2, 1, "nonUnitary"), (None, 2, "nonUnitary"), (1, 0, "nonUnitary"), (1, None, "valid"), (None, 1, "valid"),
    ]  # fmt: skip
    cluster, wanted = Cluster(tmp_path, "h0", "h1"), {}
    for number, case in enumerate([*cases, *alone, None]):
        # The last one is dropped.
        name, slot = f"{number:02x}f", 20 * (number + 1)
        cluster.forge("h1", name, slot, number, f"{number - 1:02x}f" if number else "9")
        if case is None:
            break
        *how, wanted[name] = case
        if len(how) == 1:
            see(cluster, "h0", name, slot, number=number, **how[0])
        else:
            see(cluster, "h0", name, slot, number=number, request=None, adopt=None)
            cluster.log("h0", "Requested", slot + 1.25, name, length=how[0])
            cluster.log("h0", "Tip", slot + 2, name, delta=how[1])
    result = cluster.analyse("none")
    assert {name: observation(result, name, "h0")["class"] for name in wanted} == wanted
    counted = {name: list(wanted.values()).count(name) for name in result.summary["observations"]}
    assert result.summary["observations"] == counted


def test_adoption_is_the_earlier_of_tip_and_adopted_block(run):
    see(run, "h0", "b", 20, adopt=3.0)
    run.log("h0", "AdoptedBlock", 22.5, "b")
    assert observation(run.analyse(), "b", "h0")["adoption"] == 1.0


def test_first_notice_and_fetch_are_of_any_observer_whose_stamp_is_not_negative(run):
    see(run, "h0", "b", 20, notice=-0.5, request=None, fetch=0.75, adopt=None)
    see(run, "h2", "b", 20, notice=0.5, request=None, fetch=-1, adopt=None)
    row = run.analyse().blocks()["b"]
    assert (row["peer_notice_first"], row["peer_fetch_first"]) == (0.5, 0.75)


def test_the_forger_is_no_observer_but_adopts(run):
    see(run, "h1", "b", 20, notice=0.1, fetch=0.2, adopt=0.75)
    row = run.analyse().blocks()["b"]
    assert (row["peer_notice_first"], row["peer_fetch_first"]) == (None, None)
    assert row["adoption_50"] is None
    assert row["adopters"] == 1


def test_adoption_by_a_share_of_the_whole_cluster(tmp_path):
    """Five hosts, four of which adopt: 50 % is the third, 80 % the fourth, and everything above the fifth."""
    cluster = Cluster(tmp_path, "h0", "h1", "h2", "h3", "h4")
    cluster.forge("h0", "a", 10, 0, "9")
    cluster.forge("h0", "b", 20, 1, "a")
    for host, seconds in (("h0", 14.0), ("h1", 12.0), ("h3", 11.0), ("h4", 13.0)):
        cluster.adopt(host, seconds, "a")
    row = cluster.analyse().blocks()["a"]
    assert (row["adoption_50"], row["adoption_80"], row["adoption_90"]) == (3.0, 4.0, None)


def test_hosts_blocks_and_ratios(run):
    """h0 forged a (on the chain) and c (dropped), h1 b; h2 nothing. The filter keeps b alone."""
    run.forge("h0", "d", 21, 1, "a")
    run.start("h2", 1)
    result = run.analyse("SlotGEq 20")
    hosts = result.summary["hosts"]
    assert [hosts[name]["blocksForged"] for name in ("h0", "h1", "h2")] == [3, 1, 0]
    assert [hosts[name]["blocksChained"] for name in ("h0", "h1", "h2")] == [1, 1, 0]
    assert [hosts[name]["blocksAccepted"] for name in ("h0", "h1", "h2")] == [0, 1, 0]
    assert result.metric("cdfBlocksPerHost")["n"] == 3
    assert result.metric("cdfBlocksChainedRatio")["mean"] == pytest.approx((1 / 3 + 1) / 2)
    assert result.metric("cdfBlocksFilteredRatio")["mean"] == 0.5
