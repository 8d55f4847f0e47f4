"""The blocks that changed most: which they are, split by what strikes some of them."""

import json
import random

import pytest

import statera
from support import fails

HEAD = "slot\tslotGap\ttotalTime\tmut\tgc\tmajGcCount\t...era-specific stats\n"


@pytest.fixture
def replays(tmp_path):
    """Two replays of 30 slots: 10 % slower, slot 107 halves, slot 111 has a major collection in the new build alone."""
    draw = random.Random(1)
    for name, factor in (("old", 1.0), ("new", 1.1)):
        lines = [HEAD]
        for slot in range(101, 131):
            mut = round(20_000 * draw.uniform(0.999, 1.001) * (0.5 if (slot, name) == (107, "new") else factor))
            major = (slot, name) == (111, "new")
            gc = 90_000 if major else 100
            lines.append(f"{slot}\t1\t{mut + gc}\t{mut}\t{gc}\t{int(major)}\t{slot - 100}\t650\t0\n")
        (tmp_path / f"{name}.csv").write_text("".join(lines))
    return tmp_path


def test_blocks_are_split_and_the_largest_ratio_is_first(replays):
    found = statera.compare(replays / "old.csv", replays / "new.csv").changed_blocks(2)
    total = found[0]
    assert total.event == "a major collection"
    assert [each.block for each in total.most] == ["111", "107"]
    assert [each.struck for each in total.most] == [True, False]
    assert total.most[0].change == pytest.approx(112 / 20.1 - 1, rel=0.01)
    assert [(part.words, part.blocks) for part in total.parts] == [
        ("all", 30),
        ("without a major collection", 29),
        ("with a major collection", 1),
    ]
    assert total.parts[1].change == pytest.approx(0.1, rel=0.02)


def test_outputs_show_the_blocks_that_were_asked_for(replays, run):
    done = run("compare", "old.csv", "new.csv", "--blocks=2", cwd=replays)
    assert "ledger-ops, totalTime: the slots that changed most, of 30" in done.out
    assert "without a major collection" in done.out
    assert (
        "slots that changed most" in run("compare", "old.csv", "new.csv", "--blocks", "-f", "markdown", cwd=replays).out
    )
    document = json.loads(run("compare", "old.csv", "new.csv", "--blocks", "-f", "json", cwd=replays).out)
    assert [each["block"] for each in document["blocks"][0]["most"]][:2] == ["111", "107"]
    assert len(document["blocks"][0]["most"]) == 10
    for words, said in (
        (("--blocks=0",), "--blocks 0: write how many, from 1 to 100,000"),
        (("--blocks", "-f", "csv"), "--blocks adds tables, which CSV does not hold"),
    ):
        fails(run("compare", "old.csv", "new.csv", *words, cwd=replays), said)


def test_times_for_each_transaction_are_metrics_of_their_own(replays):
    found = statera.compare(replays / "old.csv", replays / "new.csv", metrics=["*/tx"])
    assert [row.metric for row in found] == ["totalTime/tx", "mut/tx"]
    assert found[1].change == pytest.approx(0.1, rel=0.02)
    assert [each.block for each in found.changed_blocks(1)[0].most] == ["111"]


def test_a_hostile_name_of_a_block_is_text(tmp_path, run):
    table = "benchmark,block,variant,time (s)\n" + "".join(
        f"b,{'x' + chr(27) + '[31m' if block == 3 else block},{variant},{1 + block / 50 * (variant == 'new')}\n"
        for block in range(9)
        for variant in ("old", "new")
    )
    (tmp_path / "t.csv").write_text(table)
    done = run("compare", "t.csv", "--by", "variant", "--blocks=9", cwd=tmp_path)
    assert "the blocks that changed most, of 9" in done.out, done.out + done.err
    assert chr(27) not in done.out


def test_who_asks_for_blocks_and_has_none_is_told(tmp_path, run):
    for build in ("old", "new"):
        (tmp_path / f"{build}.txt").write_text("BenchmarkSort 1 5 ns/op\nBenchmarkSort 1 6 ns/op\n")
    done = run("compare", "old.txt", "new.txt", "--blocks", cwd=tmp_path)
    assert "--blocks names none" in done.err
    assert "--blocks" not in run("compare", "old.txt", "new.txt", cwd=tmp_path).err


@pytest.mark.later
def test_the_report_of_a_replay_has_them(replays, run):
    assert run("report", "old.csv", "new.csv", "-o", "r.md", cwd=replays).code == 0
    text = (replays / "r.md").read_text()
    assert "What changed most" in text
    assert "| 111 | " in text
