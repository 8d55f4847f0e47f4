"""Real results of real harnesses, where they lie beside the repository."""

import json
import math

import pandas as pd
import pytest

import statera
from statera import Policy
from support import by_name

LINK = "CBOR/link_v3_2392f05c3b72f235_167bytes-2"


def cadence(shared, old, new):
    folder = shared / "data/go/cadence-rerun"
    return statera.compare(folder / f"clean-interleaved-{old}.txt", folder / f"clean-interleaved-{new}.txt")


def test_the_change_that_was_made_is_found_in_all_its_rows(shared):
    rows = by_name(cadence(shared, "old", "new"))
    assert -0.60 < rows[f"Encode{LINK}", "sec/op"].change < -0.45
    times = {name: row for (name, metric), row in rows.items() if metric == "sec/op" and "codeCBOR" in name}
    assert len(times) == 12
    assert {row.verdict for row in times.values()} == {"better"}
    decodes = [row.change for name, row in times.items() if name.startswith("Decode")]
    assert len(decodes) == 6
    assert all(-0.43 < change < -0.31 for change in decodes)


def test_one_binary_against_itself_raises_no_alarm(shared):
    times = [row for row in cadence(shared, "new", "new-again") if row.metric == "sec/op"]
    assert len(times) == 14
    assert not {row.verdict for row in times} & {"better", "worse", "changed"}


def reference(shared):
    return json.loads((shared / "reference/seed-000.json").read_text())


def replay(shared, names, compiler, build):
    (path,) = (shared / "data/db-analyser").glob(
        f"ledger-ops-cost-{names['files'][build]}-{names['files']['ghc'][compiler]}-from-63-nr-blocks-100000.csv"
    )
    return f"{build}={path}"


PAIRS = [
    (compiler, contender, baseline)
    for compiler in ("8.10.7", "9.2", "9.6.2")
    for contender, baseline in (("SplitUMElem", "baseline"), ("NoFailT", "baseline"), ("SplitUMElem", "NoFailT"))
]


@pytest.mark.parametrize(("compiler", "contender", "baseline"), PAIRS)
def test_ledger_replays_paired_by_slot_give_the_reference(shared, compiler, contender, baseline):
    known = reference(shared)
    names = "8.10.7", "9.2", "9.6.2"
    assert compiler in names
    paths = [replay(shared, known, compiler, build) for build in (baseline, contender)]
    key = f"{contender} vs {baseline}"

    ratio = statera.compare(*paths, metrics=["totalTime"])
    (row,) = ratio
    # The reference names "SplitUMElem vs NoFailT"; either of the two may be meant as the baseline.
    want = known["wilcoxon_signed_rank_on_log_ratios"]["values"][compiler][key]
    assert row.p == pytest.approx(want["p"], rel=1e-9)
    typical = 1 + row.change
    assert typical == pytest.approx(want["typical_ratio"], rel=1e-9) or 1 / typical == pytest.approx(
        want["typical_ratio"], rel=1e-9
    )

    difference = statera.compare(*paths, metrics=["totalTime"], policy=Policy(scale="difference"))
    assert difference[0].p == pytest.approx(known["wilcoxon_signed_rank_raw_p"][compiler][key], rel=1e-9)

    for result in (ratio, difference):
        assert (result[0].design, result[0].baseline_n) == ("paired", 122)
        assert "Paired by slot." in [note.text for note in result.notes]
        assert "one-process" in result[0].warnings
        assert "one process" in result.weighing.cell(0, "verdict")


def test_the_seeds_faulty_pairing_is_not_repeated(shared):
    known = reference(shared)
    paths = [replay(shared, known, "8.10.7", build) for build in ("baseline", "NoFailT")]
    (row,) = statera.compare(*paths, metrics=["totalTime"], policy=Policy(scale="difference"))
    assert row.p == pytest.approx(0.4951224177278769, rel=1e-9)
    assert row.verdict not in {"better", "worse"}


def orun(path):
    records = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    return pd.Series({record["name"]: record["time_secs"] for record in records if "name" in record})


def test_sandmarks_variants_are_a_suite_with_pandas_quantiles(shared):
    paths = [shared / "data/sandmark/old-2019" / f"4.06.1+{name}.orun.bench" for name in ("stock", "multicore")]
    result = statera.compare(*paths, metrics=["time_secs"])
    old, new = map(orun, paths)
    change = (new / old - 1).dropna()
    (summary,) = result.weighing.summaries()
    wanted = change.quantile([0.10, 0.25, 0.50, 0.75, 0.95, 0.99])
    assert summary["quantiles"] == pytest.approx(list(wanted), rel=1e-9)
    assert summary["mean_change"] == pytest.approx(change.mean(), rel=1e-9)
    judged = {row.verdict for row in result}
    assert judged <= {"one-value", "missing", "new"}
    assert {row.benchmark for row in result if row.verdict == "missing"} == set(old.index) - set(new.index)
    worst = change.sort_values(ascending=False).index[:3]
    text = repr(result)
    assert all(name in text for name in worst)
    assert "99%" in text


def test_nanobench_epochs_are_nested_in_runs(shared):
    folder = shared / "data/bench_bitcoin/nanobench-generated"
    arguments = [f"{'old' if run <= 5 else 'new'}={folder / f'bench.run{run}.json'}" for run in range(1, 11)]
    result = statera.compare(*arguments)
    assert len(result) > 1
    for row in result:
        assert (row.design, row.baseline_n, row.contender_n, row.baseline_values) == ("nested", 5, 5, 55)


def test_nanobench_legacy_tables_are_independent_runs(shared):
    folder = shared / "data/bench_bitcoin/nanobench-generated"
    arguments = [f"{'old' if run <= 5 else 'new'}={folder / f'legacy.run{run}.csv'}" for run in range(1, 11)]
    for row in statera.compare(*arguments):
        assert (row.design, row.baseline_n, row.contender_n) == ("independent", 5, 5)
        assert not math.isnan(row.change)
