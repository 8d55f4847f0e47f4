"""What the metrics of a slower benchmark say together, and where they say nothing."""

from material import of, section

from statera.output.report import model
from statera.output.report.sections.cards import Known, counters, ratios, reading
from support import go, noisy, write


def known(metric, change, verdict="changed", quantity="count", scale="ratio"):
    """A metric with a change, as the comparison gives it."""
    fields = {"metric": metric, "change": change, "verdict": verdict, "scale": scale}
    return Known(f"{100 * change:+.1f}%", quantity, fields)


def slower(by=0.34):
    return known("sec/op", by, "worse", "time")


def test_instructions_in_proportion_to_time_are_more_work_others_are_not():
    for others, meaning in (
        ([("instructions", 0.33)], "More work (instructions +33.0%)"),
        ([("instructions", -0.005, "equivalent")], "More time for the same work (instructions -0.5%)"),
        (
            [("instructions:u", -0.005, "equivalent"), ("cycles:u", 0.33)],
            "More cycles for the same work (instructions:u -0.5%, cycles:u +33.0%)",
        ),
        ([("Ir", -0.2)], "More time for less work (Ir -20.0%)"),
        (
            [("instructions", 0.001, "equivalent"), ("cycles", 0.002, "equivalent")],
            "Waiting or a slower clock, for the same work (instructions +0.1%, cycles +0.2%)",
        ),
        (
            [("instructions", -0.005, "equivalent"), ("cache-misses", 0.5)],
            "More time for the same work (instructions -0.5%); more cache-misses (+50.0%)",
        ),
    ):
        assert reading(slower(), [known(*each) for each in others]) == f"{meaning}."


def test_counters_that_decide_nothing_have_no_reading():
    for others in (
        [],
        [("instructions", 0.3, "inconclusive")],
        [("instructions", 0.1)],
        [("instructions", 2.0)],
        [("cache-misses", -0.5)],
        [("GC cycles per hour", 5.0)],
        [("instructions", 8.0, "changed", "count", "difference")],
    ):
        assert reading(slower(), [known(*each) for each in others]) == "", others


def test_what_is_not_slower_has_no_reading():
    more = [known("instructions", 0.3)]
    assert reading(known("sec/op", -0.3, "better", "time"), more) == ""
    assert reading(known("sec/op", 0.005, "worse", "time"), more) == ""
    assert reading(known("B/op", 0.3, "worse", "bytes"), more) == ""


def test_bytes_and_allocations_that_rose_are_named_also_from_nothing():
    memory = [
        known("B/op", 80.0, "worse", "bytes", "difference"),
        known("allocs/op", 2.0, "worse", "count", "difference"),
    ]
    assert reading(slower(), memory) == "More B/op (+8000.0%) and allocs/op (+200.0%)."


def test_counters_are_ordered_by_what_they_explain():
    names = ["page-faults", "LLC-load-misses", "rss", "cycles:u", "instructions:u"]
    assert counters(names) == ["cycles:u", "instructions:u", "LLC-load-misses", "page-faults"]


def test_a_card_reads_the_counters_of_its_benchmark(tmp_path):
    def side(time, cycles, misses, seed):
        return {
            "Hot": {
                "ns/op": noisy(100 * time, 12, seed=seed),
                "instructions": noisy(1e6, 12, seed=seed + 1, spread=0.001),
                "cycles": noisy(2e6 * cycles, 12, seed=seed + 2),
                "branch-misses": noisy(3000 * misses, 12, seed=seed + 3),
            },
            "Cold": {"ns/op": noisy(100, 12, seed=seed + 4)},
        }

    files = {"old.txt": go(side(1, 1, 1, 1)), "new.txt": go(side(1.34, 1.33, 0.32, 50))}
    document = of(write(tmp_path, **files))[1]
    (card,) = [block for block in section(document, "suspects").blocks if isinstance(block, model.Card)]
    assert card.title == "Hot"
    assert card.reading.startswith("More cycles for the same work (instructions ")
    assert "; branch-misses −6" in card.reading
    assert [row[0].text for row in card.table.rows] == [
        *("sec/op", "instructions", "cycles", "branch-misses", "insn per cycle")
    ]
    assert [figure.picture.kind for figure in card.figures] == ["strip", "ridgeline", "trace"]
    assert all("Cold" not in str(figure.picture.spec) for figure in card.figures)


def medians(metric, old, new):
    return {"metric": metric, "baseline_centre": old, "contender_centre": new}


def test_ratios_of_counters_are_those_that_no_metric_states():
    found = [medians("instructions:u", 20.0, 30.0), medians("cycles:u", 10.0, 20.0), medians("branches", 0.0, None)]
    found += [medians("branch-misses", 1.0, 2.0), medians("cache-misses", 1.0, 2.0), medians("cache-references", 8, 8)]
    assert [[cell.text for cell in row] for row in ratios(found)] == [
        ["insn per cycle", "", "", "2", "1.5", "-"],
        ["cache-misses of all cache refs", "", "", "12.5 %", "25 %", "-"],
    ]
    assert len([*ratios([*found, medians("insn per cycle", 2.0, 1.5)])]) == 1
