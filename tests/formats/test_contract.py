"""What a format says of itself holds for what it reads, and the documentation says the same."""

import os
from fnmatch import fnmatch
from pathlib import Path

import pytest
from format_samples import SAMPLES, placed

import statera
from statera import _native, formats
from support import ROOT, go, noisy, write

FORMATS = _native.formats()
READ = [each for each in FORMATS if each.name in SAMPLES]
PAGE = ROOT / "docs" / "formats.md"
# The headings of the page that do not begin with the harness.
_HEADINGS = {"db-analyser": "Ledger replays", "a table of your own": "Tables of your own"}


def test_every_format_with_results_has_a_sample():
    # Parquet is a table as the others are, but no text.
    assert set(SAMPLES) | {"parquet"} == {each.name for each in FORMATS if each.has_results}


@pytest.fixture(params=READ, ids=lambda each: each.name)
def sample(request, tmp_path):
    path = placed(tmp_path, request.param.name)
    read = statera.read(path)
    assert not read.left_out, read.problems
    return request.param, path, read


def test_a_sample_is_of_its_format(sample):
    known, path, read = sample
    assert [source.format for source in read.sources] == [known.name]
    assert all(any(fnmatch(path.name, pattern) for pattern in known.files) for _ in known.files)


def test_every_metric_with_a_meaning_is_read(sample):
    known, _, read = sample
    assert set(known.meanings) <= {metric.name for metric in read.metrics}


def test_every_key_is_read(sample):
    known, _, read = sample
    if known.harness != "a table of your own":
        assert {key.name for key in known.keys} == {key for context in read.contexts for key in context.keys}


def test_blocks_and_processes_are_read_where_the_format_has_them(sample, tmp_path):
    known, _, read = sample
    assert read.has_blocks or known.block is None
    (table,) = write(tmp_path, table="")
    read.write(table, "ndjson")
    stated = '"process":' in Path(table).read_text() and '"process":null' not in Path(table).read_text()
    assert stated == (known.processes in {"one a file", "stated"})


def test_a_key_means_the_same_in_every_format():
    known = {}
    for each in FORMATS:
        assert len({key.name for key in each.keys}) == len(each.keys)
        for key in each.keys:
            assert known.setdefault(key.name, (key.role, key.pooling)) == (key.role, key.pooling), key.name


def test_runs_are_pooled_and_different_work_never_is():
    always = {name: key.role for name, key in formats.keys().items() if key.pooling == "always"}
    assert set(always.values()) == {"commit", "date", "run", "outcome"}
    never = {name: key.role for name, key in formats.keys().items() if key.pooling == "never"}
    assert set(never.values()) == {"setting", "environment"}


def test_a_kernel_of_another_version_is_another_machine(tmp_path):
    texts = [placed(tmp_path, "sandmark").read_text().replace('"6.1"', f'"{kernel}"') for kernel in ("6.1", "6.2")]
    found = statera.compare(*write(tmp_path, old=texts[0], new=texts[1]))
    assert ["kernel.version" in note.text for note in found.notes if note.code == "machine-differs"] == [True]


def test_a_version_of_the_program_is_no_machine(tmp_path):
    texts = [go({"X": noisy(100)}, config={"version": version}) for version in ("1", "2")]
    found = statera.compare(*write(tmp_path, old=texts[0], new=texts[1]))
    codes = [note.code for note in found.notes if "version" in note.text]
    assert codes == ["configuration-differs"]


# The documentation.


def heading(known):
    return _HEADINGS.get(known.harness, known.harness)


def table():
    """The lists of formats as docs/formats.md has them."""
    rows = ["| name | written by | files | recognized by |", "| --- | --- | --- | --- |"]
    for each in FORMATS:
        anchor = heading(each).lower().replace(" ", "-")
        files = ", ".join(f"`{pattern}`" for pattern in each.files) or "any"
        rows.append(f"| [`{each.name}`](#{anchor}) | {each.written_by} | {files} | {each.sign} |")
    rows += ["", "| name | a value is | processes | blocks | states |", "| --- | --- | --- | --- | --- |"]
    for each in FORMATS:
        if each.has_results:
            value = {"samples": "a measurement", "averages": "an average over iterations"}[each.values]
            row = (f"`{each.name}`", value, each.processes, each.block or "none", ", ".join(each.states) or "nothing")
            rows.append(f"| {' | '.join(row)} |")
    return "\n".join(rows) + "\n"


BEGIN, END = "<!-- formats: STATERA_ACCEPT=1 pytest tests/formats writes this list -->\n", "<!-- end -->\n"


def test_the_list_of_formats_is_that_of_the_readers():
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    expected = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if os.environ.get("STATERA_ACCEPT"):
        PAGE.write_text(expected)
    assert PAGE.read_text() == expected


@pytest.mark.parametrize(
    "known", [each for each in FORMATS if each.harness != "a table of your own"], ids=lambda each: each.name
)
def test_the_documentation_names_every_key_and_metric(known):
    sections = {part.partition("\n")[0].lower(): part for part in PAGE.read_text().split("\n## ")}
    section = sections[heading(known).lower()]
    missing = [name for name in (*known.meanings, *(key.name for key in known.keys)) if f"`{name}`" not in section]
    assert not missing
    assert known.block is None or known.block in section
