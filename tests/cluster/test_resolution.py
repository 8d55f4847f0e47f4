"""What the resolution of logged times hides is not compared, and said first."""

import json
from pathlib import Path

import pytest
from generator.run import generate
from generator.settings import Settings as GeneratorSettings
from test_read import read_run, small_run

from statera.cluster.analysis import Options
from statera.cluster.comparison import ClusterComparison, below_resolution
from statera.cluster.inputs import compare_paths
from statera.cluster.metrics import BY_KEY
from statera.cluster.observations import Variant
from statera.cluster.samples import Analysed
from statera.cluster.views.comparison import compared
from statera.comparison.pairing import Request
from statera.support.errors import Stop
from statera.support.settings.file import Settings

LINE = '{{"at":"2025-02-14T18:40:{:02d}.{}Z","ns":"Forge.Loop.NodeIsLeader","data":{{"slot":{}}}}}\n'


@pytest.mark.parametrize(
    ("fraction", "resolution"),
    [("{:09d}", 1), ("{:06d}", 1_000), ("{:03d}", 1_000_000), ("{:02d}", 10_000_000), ("0", 10**9)],
)
def test_the_resolution_of_a_host_is_that_of_its_times(tmp_path, fraction, resolution):
    text = "".join(LINE.format(slot % 60, fraction.format(7 + slot % 90), slot) for slot in range(200))
    [host] = read_run(small_run(tmp_path, {"a/x.json": text.encode()}), tmp_path / "out").hosts
    assert host.counts.resolution == resolution


def test_a_few_times_tell_no_resolution_and_one_in_a_hundred_changes_none(tmp_path):
    coarse = [LINE.format(slot % 60, f"{slot % 100:02d}", slot) for slot in range(300)]
    fine = LINE.format(1, "123456789", 1)
    files = {"few/x.json": "".join(coarse[:19]), "many/x.json": "".join([*coarse, fine])}
    found = read_run(small_run(tmp_path, {name: text.encode() for name, text in files.items()}), tmp_path / "out").hosts
    assert [host.counts.resolution for host in found] == [None, 10_000_000]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two clusters that differ in the form of their logs only: legacy logs have times of 10 ms."""
    folder = tmp_path_factory.mktemp("resolutions")
    for name, tracing in (("old", "new"), ("new", "legacy")):
        generate(folder / name, GeneratorSettings(hosts=4, slots=500, seed=3, tracing=(tracing,)), 1)
    return folder


def test_two_resolutions_are_the_first_finding_and_no_metric_changed(runs):
    found = compare_paths([f"old={runs / 'old'}", f"new={runs / 'new'}"], Options())
    assert found.clocks.startswith("Times are logged to 1 ns in old and 10 ms in new. ")
    assert "Ledger state acquisition delay" in {metric.title for metric in found.withheld}
    assert not [cell.metric.key for row in found.rows for cell in row.cells if cell.changed]
    text = compared(found, "terminal")
    assert text.splitlines()[0].startswith("Times are logged to 1 ns in old and 10 ms in new.")
    assert "below the resolution" in text
    document = json.loads(compared(found, "json"))
    assert document["resolution"] == {"old": 1e-9, "new": pytest.approx(0.01)}
    assert set(document["belowResolution"]) == {metric.key for metric in found.withheld}


def test_equal_fine_resolutions_hide_nothing(runs):
    found = compare_paths([f"a={runs / 'old'}", f"b={runs / 'old'}"], Options())
    assert (found.withheld, found.clocks) == ((), "")


def test_metrics_that_are_all_hidden_are_refused_with_the_reason(runs):
    with pytest.raises(
        Stop, match=r"Times are logged to 1 ns in old and 10 ms in new\. 1 metric .* Select other"
    ) as stop:
        compare_paths(
            [f"old={runs / 'old'}", f"new={runs / 'new'}"], Options(), request=Request(metrics=("cdfLgrState",))
        )
    assert stop.value.code == "nothing-to-compare"


def test_a_run_of_unknown_resolution_differs_from_none():
    """An analysis of before, or one of a few lines, has none: what the other's hides is withheld, and said of it."""
    metric = BY_KEY["cdfLgrState"]
    stated = [{"metrics": {metric.key: {"mean": mean, "n": 9}}} for mean in (0.005, 0.006)]
    stated[1]["resolution"] = {"a": 10_000_000}
    runs = [Analysed(Path("x"), summary, {}, {}) for summary in stated]
    assert below_resolution(runs, [metric]) == (metric,)
    assert below_resolution(runs[:1], [metric]) == ()
    variants = (Variant("old", (runs[0],)), Variant("new", (runs[1],)))
    said = ClusterComparison(variants, (metric,), Settings(), None, (metric,)).clocks
    assert said.startswith("Times are logged to 10 ms. 1 metric below that is not compared")
