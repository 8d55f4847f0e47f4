"""The samples beside the repository: logs of small runs, and what a reference implementation makes of them."""

import importlib.util
import json

import oracle
import pytest

from statera import _native
from statera.cluster import analysis
from statera.cluster.comparison import compare, document
from statera.cluster.logs.events import Counts, HostEvents
from statera.cluster.logs.files import layout
from statera.cluster.logs.mapping import load as load_mapping
from statera.cluster.observations import Variant
from statera.cluster.run import RunEvents, open_run
from statera.cluster.samples import load

RUNS = ("base", "variant", "workbench")
LISTS = {"others": [], "skips": [], "events": [], "unmapped": [], "examples": []}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("samples")


@pytest.fixture
def samples(shared):
    folder = shared / "data/cluster"
    if not folder.is_dir():
        pytest.skip(f"no samples at {folder}: the tests on them are extra")
    return folder


@pytest.fixture
def differences(samples):
    """Hold a document against the reference's; give what differs."""
    spec = importlib.util.spec_from_file_location("judge", samples / "judge.py")
    judge = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(judge)

    def differ(expected, actual):
        bad = []
        assert judge.walk(json.loads(expected.read_text()), actual, "", 1e-9, bad) > 100
        return bad

    return differ


@pytest.fixture
def analysed(samples, cache):
    """Analyse a sample from the events of the naive reader; once a session."""

    def analyse(name):
        out = cache / name
        if not (out / "summary.json").exists():
            analysis.analyse_events(naive(samples / name, out), out, analysis.Options())
        return out

    return analyse


def naive(path, out):
    """Read a run line by line."""
    hosts = []
    for number, (host, files) in enumerate(layout(path).logs.items()):
        events, resources, counts = oracle.read_host([file.path for file in files])
        folder = out / "events" / str(number)
        tables = oracle.write_host(
            folder, host, events, resources, counts=counts | LISTS, files=[file.name for file in files]
        )
        hosts.append(HostEvents(host, tables, tuple(file.name for file in files), Counts.of(counts | LISTS)))
    return RunEvents(load_mapping(), tuple(hosts), (), open_run(path))


pytestmark = pytest.mark.skipif(not hasattr(_native, "log_time"), reason="the compiled part is an older one")


@pytest.mark.parametrize("name", RUNS)
def test_every_value_is_that_of_the_reference(samples, analysed, differences, name):
    out = analysed(name)
    assert differences(samples / name / "expected.json", json.loads((out / "summary.json").read_text())) == []


@pytest.mark.parametrize("name", RUNS)
def test_the_table_of_blocks_is_that_of_the_reference(samples, analysed, name):
    assert (analysed(name) / "blocks.csv").read_text() == (samples / name / "expected.blocks.csv").read_text()


def test_the_comparison_is_that_of_the_reference(samples, analysed, differences):
    variants = [Variant(name, (load(analysed(name)),)) for name in ("base", "variant")]
    found = compare(variants)
    assert differences(samples / "expected-compare.json", document(found)) == []
    verdicts = {row.metric.key: row.cells[0].verdict for row in found.rows}
    slower = {"cdfForgerAdoption", "cdfPeerAdoption", "xForgerAddedToChain", "Alloc"}
    assert {key for key, verdict in verdicts.items() if verdict == "differs"} == slower
    assert not set(verdicts.values()) & {"better", "worse", "changed"}
    for row in found.rows:
        [cell] = row.cells
        assert (
            cell.reason or cell.verdict == "one-value" if cell.low is None else cell.low <= cell.delta <= cell.high
        ), row.metric.key


def test_a_real_block_has_the_values_worked_out_for_it(shared, tmp_path):
    """Real lines of a forged block; a second block is put on top, since the highest one is dropped."""
    lines = shared / "data/cardano-lines"
    wanted = dict(
        row.split("\t")[:2] for row in (lines / "worked-example.expected.tsv").read_text().splitlines() if row[0] != "#"
    )
    # What the example calls adoption is the chain's own stamp.
    wanted["xForgerAddedToChain"] = wanted.pop("cdfForgerAdoption")
    block = "69d8596842d23528b2cabaf83c329290d10b3b8828d2930dfb7d8e791a55f302"
    data = {"block": "0" * 64, "blockNo": 26, "blockPrev": block, "slot": 700}
    above = {"at": "2026-08-25T18:20:13.5Z", "ns": "Forge.Loop.ForgedBlock", "data": data}
    run = tmp_path / "run"
    (run / "alpha").mkdir(parents=True)
    real = (lines / "worked-example.forging-slot683.jsonl").read_text()
    (run / "alpha/x.json").write_text(f"{real}{json.dumps(above)}\n")
    about = {"systemStart": "2026-08-25T18:08:33Z", "slotLength": 1, "epochLength": 1000}
    (run / "run.json").write_text(json.dumps(about))
    metrics = analysis.analyse(run, tmp_path / "out", analysis.Options())["metrics"]
    assert {key: metrics[key]["n"] for key in wanted} == dict.fromkeys(wanted, 1)
    assert {key: f"{metrics[key]['mean']:.9f}" for key in wanted} == wanted
    assert metrics["cdfBlockSize"]["mean"] == 81608
