"""Filters: their forms, and what each keeps."""

import pytest
from small import Cluster

from statera.cluster.filters import DEFAULT, Condition, chosen, parse
from statera.support.errors import Stop
from support import every


def words(*elements):
    return [str(condition) for condition in parse(elements)]


def test_a_condition_has_three_forms():
    as_object = {"tag": "CSlot", "contents": {"tag": "SlotGEq", "contents": 20}}
    as_json = '{"tag":"CSlot","contents":{"tag":"SlotGEq","contents":20}}'
    assert parse([as_object]) == parse([as_json]) == parse(["SlotGEq 20"]) == (Condition("CSlot", "SlotGEq", 20.0),)


def test_names_stand_for_their_conditions():
    assert words("unitary", "size-small", "epoch3+", "no-ebnd", "adopt-10", "nonnegative", "fromslot-20k") == [
        "BUnitaryChainDelta true", "BFullnessGEq 0.03", "BFullnessLEq 0.1", "EpochGEq 2", "EpSlotGEq 200",
        "BMinimumAdoptions 10", "BNonNegatives", "SlotGEq 20000",
    ]  # fmt: skip
    assert words("size-moderate") == ["BFullnessGEq 0.08", "BFullnessLEq 0.112"]
    assert words("size-moderate-2") == ["BFullnessGEq 0.076", "BFullnessLEq 0.105"]
    assert words("epoch4+", "epoch5+", "size-full") == ["EpochGEq 3", "EpochGEq 4", "BFullnessGEq 0.9"]


def test_the_command_line_goes_before_the_run_and_the_run_before_the_default():
    assert chosen(("SlotGEq 1",), ["unitary"]) == parse(["SlotGEq 1"])
    assert chosen(None, ["SlotGEq 2"]) == parse(["SlotGEq 2"])
    assert chosen(None, []) == ()
    assert chosen(("none",), ["unitary"]) == ()
    assert chosen(None, None) == DEFAULT == parse(["unitary"])


UNREADABLE = [
    "size-huge", "", "SlotGEq", "SlotGEq x", "SlotGEq 1 2", "BUnitaryChainDelta 1", "{", 3, None,
    {"tag": "CBlock", "contents": {"tag": "SlotGEq", "contents": 1}}, {"tag": "CSlot"},
    {"tag": "CSlot", "contents": {"tag": "SlotGEq", "contents": True}},
]  # fmt: skip


@every("wrong", UNREADABLE)
def test_what_nobody_can_read_stops(wrong):
    with pytest.raises(Stop) as stop:
        parse([wrong])
    assert stop.value.code == "bad-filter"


@pytest.fixture
def run(tmp_path):
    """Blocks a to e at heights 0 to 4 in slots 10, 110, 115, 205, 250; f on top is dropped. Epochs have 100 slots."""
    cluster = Cluster(tmp_path, "h0", "h1", "h2")
    slots = {"a": 10, "b": 110, "c": 115, "d": 205, "e": 250, "f": 260}
    sizes = {"a": 100, "b": 200, "c": 900, "d": 1000}
    before = "9"
    for number, (name, slot) in enumerate(slots.items()):
        cluster.forge("h0", name, slot, number, before)
        cluster.log("h0", "Leader", slot + 0.1, slot=slot)
        cluster.log("h0", "AdoptedBlock", slot + 0.6, name, size=sizes.get(name))
        cluster.adopt("h0", slot + 0.7, name, delta=2 if name == "b" else None if name == "c" else 1)
        before = name
    cluster.adopt("h1", 10.9, "a")
    cluster.adopt("h2", 10.9, "a")
    cluster.adopt("h1", 111, "b")
    cluster.log("h1", "Noticed", 249.5, "e", slot=250, block_no=4)
    cluster.start("h0", 5, 260)
    return cluster


KEPT = {
    "BUnitaryChainDelta true": "acde",
    "BUnitaryChainDelta false": "abcde",
    "BSizeGEq 200": "bcd",
    "BSizeLEq 200": "ab",
    "BFullnessGEq 0.9": "cd",
    "BFullnessLEq 0.2": "ab",
    "BMinimumAdoptions 2": "ab",
    "BMinimumAdoptions 3": "a",
    "BNonNegatives": "abcd",
    "SlotGEq 115": "cde",
    "SlotLEq 115": "abc",
    "EpochGEq 1": "bcde",
    "EpochLEq 1": "abc",
    "EpSlotGEq 10": "abce",
    "EpSlotLEq 10": "abd",
    # floor(epoch slot × 0.05 / 10) is 0 for all slots of an epoch of 100.
    "EpochSafeIntLEq 0": "abcde",
    "SlotHasLeaders false": "abcde",
}


def test_what_a_condition_keeps(run):
    """All conditions in one analysis, which tells of each block which of them it fails."""
    result = run.analyse(*KEPT)
    failed = {(row["block"].rstrip("0"), row["number"]) for row in result.table("block_failures")}
    kept = {
        condition: "".join(name for name in result.blocks() if (name, number) not in failed)
        for number, condition in enumerate(KEPT, 1)
    }
    assert kept == KEPT
    assert not any(row["accepted"] for row in result.blocks().values())


@pytest.mark.parametrize(("condition", "kept"), [("none", "abcde"), ("BMinimumAdoptions 2", "ab")])
def test_a_block_that_fails_a_condition_is_rejected(run, condition, kept):
    result = run.analyse(condition)
    assert "".join(name for name, row in result.blocks().items() if row["accepted"]) == kept
    tag = condition.split()[0]
    rejected = result.summary["chain"]["rejectedBy"]
    assert rejected == ({} if tag == "none" else {tag: 5 - len(kept)})


def test_safe_intervals_count_from_the_beginning_of_the_epoch(run):
    """Epoch slot × 0.5 / 10, rounded down: 10 → 0, 15 → 0, 5 → 0, 50 → 2."""
    run.facts |= {"activeSlotsCoeff": 0.5}
    result = run.analyse("EpochSafeIntGEq 2")
    assert [name for name, row in result.blocks().items() if row["accepted"]] == ["e"]


def test_a_block_may_fail_several_conditions(run):
    result = run.analyse("BSizeGEq 200", "EpochGEq 1", "BUnitaryChainDelta true")
    assert result.summary["chain"]["rejectedBy"] == {"BSizeGEq": 2, "EpochGEq": 1, "BUnitaryChainDelta": 1}
    assert result.csv.splitlines()[1].split(",")[8:10] == ["0", "BSizeGEq;EpochGEq"]
    assert result.summary["manifest"]["filtersApplied"] == 3
    assert result.summary["manifest"]["blocksAnalysed"] == 2
    assert result.summary["manifest"]["blocksRejected"] == 3


@pytest.mark.parametrize(
    ("conditions", "slots"),
    [
        (("none",), 256),
        # Without any of them there would be more slots.
        (("EpochGEq 1", "EpochLEq 1", "EpSlotGEq 10", "EpSlotLEq 89"), 80),
        (("SlotGEq 101", "SlotLEq 150", "SlotHasLeaders false"), 48),
        (("SlotHasLeaders true",), 6),
        (("BSizeGEq 10000",), 256),
    ],
)
def test_conditions_on_slots_choose_the_slots_too(run, conditions, slots):
    """h0 starts in slots 5 and 260: its population is every slot between that passes."""
    result = run.analyse(*conditions)
    assert result.metric("cdfStarts")["n"] == slots
    assert result.summary["hosts"]["h0"]["slots"] == slots


def test_a_condition_that_needs_what_the_run_does_not_state_stops(run):
    run.facts |= {"maxBlockBodySize": None}
    with pytest.raises(Stop, match="maxBlockBodySize"):
        run.analyse("BFullnessGEq 0.5")
