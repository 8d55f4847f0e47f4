"""What a format says of itself holds for what it reads, and the documentation says the same."""

import sys
from fnmatch import fnmatch

import format_cases

import statera
from statera import _native
from statera.reading import formats
from support import ROOT, go, noisy, write

sys.path.insert(0, str(ROOT / "bench/schema"))
import format_pages

FORMATS = _native.formats()
READ = format_cases.formats_with_results()
HARNESSES = [each for each in FORMATS if each.harness != "a table of your own" and not each.refused]


def own_keys(known):
    """The keys of a format without that of the lines between runs, which all outputs that scripts collect share.

    The tests of the readers put such lines between two outputs of each of these formats.
    """
    return [key for key in known.keys if key.name != "heading"]


def test_every_format_has_a_folder_of_cases():
    companions = {each.name for each in FORMATS if not each.has_results and not each.refused}
    assert {each.name for each in FORMATS} - companions <= {folder.name for folder in format_cases.CASES.iterdir()}


def test_every_format_does_what_it_says():
    wrong = format_cases.failures(does_what_it_says, {known.name: (known,) for known in READ})
    assert not wrong, format_cases.told(wrong)


def does_what_it_says(known):
    """What was read from the files of a format that have values is what its description says."""
    expected = format_cases.expectations(known.name)
    paths = [path for path in format_cases.files(known.name) if expected[format_cases.label(path)].get("rows")]
    read = [statera.read(path) for path in paths]
    assert {source.format for each in read for source in each.sources} == {known.name}
    assert all(any(fnmatch(path.name, pattern) for pattern in known.files) for path in paths for _ in known.files)
    assert set(known.meanings) <= {metric.name for each in read for metric in each.metrics}
    assert known.block is None or all(each.has_blocks for each in read)
    rows = [row for each in read for row in format_cases.rows(each)]
    if known.processes != "stated":
        assert {"process" in row for row in rows} == {known.processes == "one a file"}
    else:
        assert any("process" in row for row in rows)
    # A table can hold what any format holds.
    if known.harness != "a table of your own":
        found = {key for each in read for context in each.contexts for key in context.keys}
        assert {key.name for key in own_keys(known)} <= found
        assert known.values != "aggregates" or all(row.get("weight") != 1 for row in rows)


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
    orun = next(path for path in format_cases.files("sandmark", "traps") if "every-key-and-metric" in path.parts)
    texts = [orun.read_text().replace('"6.1"', f'"{kernel}"') for kernel in ("6.1", "6.2")]
    found = statera.compare(*write(tmp_path, old=texts[0], new=texts[1]))
    assert ["kernel.version" in note.text for note in found.notes if note.code == "machine-differs"] == [True]


def test_a_version_of_the_program_is_no_machine(tmp_path):
    texts = [go({"X": noisy(100)}, config={"version": version}) for version in ("1", "2")]
    found = statera.compare(*write(tmp_path, old=texts[0], new=texts[1]))
    codes = [note.code for note in found.notes if "version" in note.text]
    assert codes == ["configuration-differs"]


# The documentation.


def test_the_documentation_names_every_key_and_metric():
    missing = {known.name: list(unnamed(known, format_pages.page(known).read_text())) for known in HARNESSES}
    assert not {name: words for name, words in missing.items() if words}


def unnamed(known, section):
    """The keys and metrics of a format that its page does not name, and its blocks if it does not."""
    keys = [key.name for key in own_keys(known)]
    yield from (name for name in (*known.meanings, *keys) if f"`{name}`" not in section)
    if known.block is not None and known.block not in section:
        yield known.block
