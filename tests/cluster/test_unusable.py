"""What is not an analysis, or a damaged one: every command that reads it says which part, and what to do."""

import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from statera.cli import main
from statera.cluster import samples
from statera.cluster.samples import open_tables
from statera.cluster.summary import fault
from statera.support.errors import Stop
from support import every

READERS = (
    ("compare", "{out}", "{out}", "-f", "json"),
    ("report", "{out}", "-o", "{out}/report.html"),
    ("errors", "{out}", "-f", "json"),
    ("host", "{out}", "node-1", "-f", "json"),
    ("block", "{out}", "8", "-f", "json"),
)


@pytest.fixture(scope="module")
def whole(several):
    """The analysis of one of them; nobody may change it."""
    return several / "base-1"


@pytest.fixture
def out(whole, tmp_path):
    """One that a test may damage."""
    return shutil.copytree(whole, tmp_path / "out")


@pytest.fixture
def said(capsys):
    """Run a command that cannot be done, and give what it says."""

    def run(*words):
        assert main(["cluster", *map(str, words)]) == 2
        found = capsys.readouterr()
        assert found.out == ""
        return found.err

    return run


def words(command, out):
    return [word.format(out=out) for word in command]


ABSENT = object()


def damaged(whole, path, value):
    """The summary with another value at a path, or none."""
    document = part = json.loads((whole / "summary.json").read_text())
    *above, last = path.split("/")
    for key in above:
        part = part[key]
    if value is ABSENT:
        del part[last]
    else:
        part[last] = value
    return document


DAMAGE = [
    ("warnings", [5], "warnings[0] is not an object"),
    ("warnings", 5, "warnings is not a list"),
    ("warnings", None, "warnings is not a list"),
    ("warnings", "x", "warnings is not a list"),
    ("warnings", [{"code": "a", "source": "b", "line": "c", "what": "d"}], "warnings[0].line is not a count"),
    ("observations", [], "observations is not an object"),
    ("hosts", None, "hosts is not an object"),
    ("hosts", [5], "hosts is not an object"),
    ("hosts/node-1/cut", "1", "hosts.node-1.cut is not a count"),
    ("manifest", [], "manifest is not an object"),
    ("manifest", None, "manifest is not an object"),
    ("manifest/machines", True, "manifest.machines is not a count"),
    ("manifest/workload", 5, "manifest.workload is not an object"),
    ("metrics", {}, "metrics.cdfStarts is missing"),
    ("metrics/RSS/mean", "much", "metrics.RSS.mean is not a number"),
    ("metrics/RSS/mean", 10**400, "metrics.RSS.mean is not a number"),
    ("metrics/RSS/quantiles", 5, "metrics.RSS.quantiles is not an object"),
    ("filters", 5, "filters is not a list"),
    ("filters", [5], "filters[0] is not text"),
    ("chain", 5, "chain is not an object"),
    ("timing", None, "timing is not an object"),
    ("ignoredHosts", 5, "ignoredHosts is not a list"),
    ("runs", 5, "runs is not a list"),
    ("spec", 2, "spec is not a version that this statera reads"),
    *((path, ABSENT, f"{path.replace('/', '.')} is missing")
      for path in ("observations", "hosts", "manifest", "chain/tip", "metrics/RSS/n", "filters")),
]  # fmt: skip


@every("path, value, wrong", DAMAGE)
def test_a_part_of_a_summary_that_is_not_as_it_should_be_is_named(whole, path, value, wrong):
    assert fault(damaged(whole, path, value)) == wrong


@every("command", READERS)
def test_every_command_names_the_part(whole, out, said, command):
    path, value, wrong = DAMAGE[0]
    (out / "summary.json").write_text(json.dumps(damaged(whole, path, value)))
    message = said(*words(command, out))
    assert f"{out}/summary.json: {wrong}. Analyse the run again [not-analysed]" in message


NO_SUMMARIES = ["", "5", "[]", "{", "[" * 100_000, '{"a": NaN}', '{"a": 1e999}', '{"a": "\\ud800"}', "\x00", "null"]


@every("text", NO_SUMMARIES)
def test_what_is_no_summary_at_all_is_told(tmp_path, said, text):
    (tmp_path / "summary.json").write_text(text)
    message = said("compare", tmp_path, tmp_path)
    assert f"{tmp_path}/summary.json: " in message
    assert message.endswith(". Analyse the run again [not-analysed]\n")


def test_summaries_that_an_analysis_writes_are_as_they_should_be(several):
    for name in ("base-1", "slower-1", "pooled"):
        assert fault(json.loads((several / name / "summary.json").read_text())) is None


@pytest.mark.usefixtures("plain_pictures")
def test_the_columns_that_are_asked_for_are_all_that_is_read(whole, out, capsys):
    """Tables of these columns alone give the same outputs."""
    for path in (out / "tables").iterdir():
        kept = samples.wanted_columns(path.stem)
        if kept:
            pq.write_table(pq.read_table(path).select(list(kept)), path)
        else:
            path.unlink()
    assert main(["cluster", "report", str(out), "-o", str(out / "report.html")]) == 0
    for command in (READERS[0], *READERS[2:]):
        found = []
        for analysis in (whole, out):
            assert main(["cluster", *words(command, analysis)]) == 0, command
            found.append(capsys.readouterr().out)
        assert found[0] == found[1]


TABLES = (
    "host_means", "hosts", "host_slots", "usage", "intervals", "spans", "epoch_spans", "host_facts", "blocks",
    "known_blocks", "block_failures", "observations", "peers",
)  # fmt: skip


@every("table", TABLES)
def test_a_table_of_other_columns_is_told(out, table):
    shutil.copy(out / "tables/adoptions.parquet", out / "tables" / f"{table}.parquet")
    with pytest.raises(Stop, match=f"{out}/tables/{table}.parquet: has no column .*. Analyse the run again") as stop:
        open_tables(out, table)
    assert stop.value.code == "tables-unusable"


@every("command, table", [*zip(READERS, ("peers", "usage", "hosts", "host_means", "blocks"), strict=True)])
def test_every_command_tells_a_table_of_other_columns(out, said, command, table):
    path = out / "tables" / f"{table}.parquet"
    content = path.read_bytes()
    shutil.copy(out / "tables/adoptions.parquet", path)
    message = said(*words(command, out))
    assert f"{path}: has no column " in message
    assert message.endswith(". Analyse the run again [tables-unusable]\n")
    path.write_bytes(content)


def test_a_table_that_is_gone_is_told(out, said):
    (out / "tables/blocks.parquet").unlink()
    assert "blocks.parquet is missing" in said("compare", out, out)


def test_a_column_of_another_kind_is_told(out, said):
    path = out / "tables/blocks.parquet"
    table = pq.read_table(path)
    place = table.column_names.index("gap")
    pq.write_table(table.set_column(place, "gap", pa.array(["long"] * len(table))), path)
    assert "blocks.parquet: its column gap must hold number, not VARCHAR. Analyse" in said("block", out, "8")


def test_a_table_that_was_cut_is_told_with_what_to_do(subtests, whole, out, said):
    for share in (0, 0.3, 0.999):
        for table in ("blocks", "block_failures"):
            with subtests.test(share=share, table=table):
                path = out / "tables" / f"{table}.parquet"
                content = (whole / "tables" / path.name).read_bytes()
                path.write_bytes(content[: int(len(content) * share)])
                message = said("block", out, "8")
                assert f"{table}.parquet" in message
                assert message.endswith(". Analyse the run again [tables-unusable]\n")
                path.write_bytes(content)


def test_a_table_that_is_damaged_within_is_told_with_what_to_do(out, said):
    path = out / "tables/blocks.parquet"
    content = bytearray(path.read_bytes())
    end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    content[4:end] = bytes(end - 4)
    path.write_bytes(content)
    message = said("block", out, "8")
    assert f"{out}/tables" in message
    assert message.endswith(". Analyse the run again [tables-unusable]\n")


def test_damaged_events_must_go_before_they_are_read_anew(out, said):
    path = out / "events/node-1/blocks.parquet"
    content = path.read_bytes()
    for damaged, where in (
        (b"PAR1" + bytes(len(content) - 8) + b"PAR1", "events/node-1"),
        (content[:4] + bytes(len(content) // 2) + content[4 + len(content) // 2 :], "events"),
    ):
        path.write_bytes(damaged)
        message = said("block", out, "8")
        assert f". Delete {out}/{where}" in message
        assert message.endswith(" and analyse the run again [tables-unusable]\n")


@every("record", ("[]", "{}", '{"key": [1, 2, []], "counts": []}', "[" * 100_000))
def test_a_damaged_record_of_a_host_is_told(out, said, record):
    (out / "events/node-1/host.json").write_text(record)
    assert f"{out}/events/node-1: cannot be read" in said("errors", out)
