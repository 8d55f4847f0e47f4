"""The report of runs has every table, row, chart and dictionary entry of the report that people made by hand."""

import re
import sys

import pytest
from reported import COMPONENTS, ENDINGS, dense, make, words_of
from seed import MACHINES, TABLES, TITLES

from statera.cli import main
from support import every

OVER_SLOTS = ("CentiCpu", "CentiGC", "CentiMut", "Alloc", "GcsMajor", "GcsMinor", "Heap", "Live", "RSS")
DISTRIBUTIONS = (
    "cdfStarted", "cdfBlkCtx", "cdfLgrState", "cdfLgrView", "cdfLeading", "cdfDensity", "cdfBlockGap", "cdfSpanLensCpu",
    "cdfSpanLensCpuEpoch", "cdfForgerLead", "cdfForgerTicked", "cdfForgerMemSnap", "cdfForgerForge",
    "cdfForgerAnnounce", "cdfForgerSend", "cdfPeerNoticeFirst", "cdfPeerAdoption", "cdf0.50", "cdf0.80", "cdf0.90",
    "cdf0.96",
)  # fmt: skip
MANIFEST = (
    "Analysis date", "Cluster system start date", "Cluster system start time", "Identifier", "Run batch", "GHC version",
    *(f"{name} version" for name in COMPONENTS), *(f"{name} git" for name in COMPONENTS), "Era", "Delegation map size",
    "Stuffed UTxO size", "DRep count", "Extra tx payload", "Tx inputs", "Tx outputs", "TPS", "Transaction count",
    "Plutus script", "Machines", "Number of filters applied", "Log objects emitted per host",
    "Log objects analysed per host", "Host run time, s", "Host log line rate, Hz", "Total log objects analysed",
    "Run time, s", "Analysed run duration, s", "Run time efficiency", "Node start spread, s", "Node stop spread, s",
    "Slots analysed", "Blocks analysed", "Blocks rejected",
)  # fmt: skip
# A row of seconds or bytes is written in the unit in which it is easy to read.
UNIT = re.compile(r",(s|B)$")
INTERVAL = re.compile(r"\[[-+]?[\d.,e+-]+,[-+]?[\d.,e+-]+\]")


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Two runs, the second of which adopts and forges more slowly and allocates more."""
    folder = tmp_path_factory.mktemp("runs")
    make(folder / "old", side=1)
    return folder / "old", make(folder / "new", side=2, seed=1, adoption=1.5, allocation=1.2)


@pytest.fixture(scope="module")
def written(pair, tmp_path_factory, plain_pictures_of_module):
    """The report of both in every output: its words, without blanks."""
    folder = tmp_path_factory.mktemp("report")
    paths = {ending: folder / f"report.{ending}" for ending in ENDINGS}
    words = ["cluster", "report", *map(str, pair), *(part for path in paths.values() for part in ("-o", str(path)))]
    plain_pictures_of_module.setattr(sys, "argv", ["statera", *words])
    assert main(words) == 0
    return {ending: words_of(path) for ending, path in paths.items()}


def pattern(row):
    """Give the pattern of a row's title, whatever the unit in which it is written."""
    return UNIT.sub(lambda found: {"s": ",[mµ]?s", "B": ",k?B"}[found[1]], re.escape(dense(row)))


def part(text, first, last):
    """Give what stands between two titles; the contents have them too, so that the last ones count."""
    begin = text.rindex(dense(first))
    return text[begin : text.index(dense(last), begin + len(first))]


@every("ending", ENDINGS)
def test_every_row_of_the_manifest_is_there_with_what_both_runs_state(written, ending):
    text = part(written[ending], "7 Manifest", "8 Reproduction")
    assert [title for title in MANIFEST if dense(title) not in text] == []
    for side in (1, 2):
        stated = [f"2025-03-0{side}", f"9.{side}.7", f"Loop{side}", str(1000 + side), str(2000 + side)]
        stated += [f"{place}.{side}.5" for place in range(7)] + [f"{side}{place}abcde" for place in range(7)]
        assert [value for value in stated if value not in text] == []
    assert re.search(r"statera[\d.]+\S*·resultsof\d+[A-Z][a-z]+20\d\d", written[ending])
    assert "2025-02-14" in text
    assert "18:40:58" in text
    assert "differs" in text


@every("ending", ENDINGS)
def test_every_row_of_the_five_tables_is_there_with_interval_and_verdict(written, ending):
    titles = [*TABLES, "2.6 Beyond the five tables"]
    for (title, rows), following in zip(TABLES.items(), titles[1:], strict=True):
        text = part(written[ending], title, following)
        missing = [row for row in rows.values() if not re.search(pattern(row), text)]
        assert (title, missing) == (title, [])
        # Where there is none, the verdict says why.
        assert len(INTERVAL.findall(text)) + text.count("noclearchange:") >= len(rows), title
        assert INTERVAL.search(text), title
        assert "(onerunperbuild)" in text, title


@every("ending", ENDINGS)
def test_every_chart_is_there(written, ending):
    # Paper leaves a caption to the title inside of the picture, Markdown to the words that stand for it.
    shares = [re.escape(dense(f"{TITLES[key]} ({key})")) + r"\.?(?!over)" for key in DISTRIBUTIONS]
    courses = [re.escape(dense(TITLES[key])) + rf"(\({re.escape(key)}\))?overslots" for key in OVER_SLOTS]
    absent = [pattern for pattern in shares + courses if not re.search(pattern, written[ending])]
    assert absent == []


@every("ending", ENDINGS)
def test_every_entry_of_the_dictionary_is_there_in_its_group(written, ending):
    text = part(written[ending], "6 Data dictionary", "7 Manifest")
    begin = text.index(dense("Cluster performance metrics"))
    of_blocks, of_machines = text[:begin], text[begin:]
    for key, title in TITLES.items():
        assert dense(f"{title} ({key})") in (of_machines if key in MACHINES else of_blocks), key


@every("ending", ENDINGS)
def test_findings_come_first_and_tell_what_differs(written, ending):
    assert re.search(r"\d+of57metricsdiffer\(worst[^)]*,onerunperbuild\)", written[ending])
    text = part(written[ending], "1 Findings", "2 Analysis")
    for title in ("Fetched to adopted, ms", "RTS alloc rate, MiB/s"):
        assert re.search(dense(title) + r"\W?[\d.,|]+.*?\+[\d.]+%.*?differs", text), title
    assert "worseby" not in text
    assert dense("could not be decided") in text
    assert dense("The runs also differ in: GHC version, cardano-node version") in text


@every("ending", ENDINGS)
def test_chain_hosts_method_and_reproduction_are_there(written, ending):
    text = part(written[ending], "4 Chain and hosts", "5 Method")
    assert "noise" in text
    for title in ("abandoned blocks", "battles of accepted blocks", "missing blocks, bridged", "restarts of hosts"):
        assert dense(title) in text
    assert [f"node-{number}" for number in range(6) if f"node-{number}" not in text] == []
    rest = written[ending][written[ending].rindex(dense("How verdicts are decided")) :]
    for words in ("Law & Carson 1979", "Benjamini-Hochberg", "statera cluster report", "duckdb", "SHA-256"):
        assert dense(words) in rest, words
