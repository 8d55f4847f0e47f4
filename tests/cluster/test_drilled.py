"""What drill-downs write for programs: one table, named columns, texts as they were logged."""

import csv
import io
import json
import re

import pytest

from statera.cli import main
from statera.cluster.drill_down import Listing
from statera.cluster.views import analysis
from support import every, fails


@pytest.fixture(scope="module")
def out(several):
    return several / "base-1"


@pytest.fixture
def wrote(out, capsys):
    """What a command writes in a format."""

    def run(verb, *words, kind):
        assert main(["cluster", verb, str(out), *words, "-f", kind]) == 0
        return capsys.readouterr().out

    return run


COMMANDS = [("errors",), ("host", "node-1"), ("block", "8"), ("block", "1")]


@every("command", COMMANDS)
def test_comma_separated_values_are_one_table(wrote, command):
    lines = list(csv.reader(io.StringIO(wrote(*command, kind="csv"))))
    assert lines[0] == ["table", "row", "column", "value"]
    assert len(lines) > 8
    assert {len(line) for line in lines} == {4}
    places = [tuple(line[:3]) for line in lines[1:]]
    assert len(places) == len(set(places))
    assert all(map(all, places))


@every("command", COMMANDS)
def test_names_in_json_stand_once_and_are_not_empty(wrote, command):

    def pairs(found):
        names = [name for name, _ in found]
        assert all(names)
        assert len(names) == len(set(names))
        return dict(found)

    written = wrote(*command, kind="json")
    found = json.loads(written, object_pairs_hook=pairs)
    values = [value for rows in found.values() for row in rows for value in row.values()]
    flat = list(csv.DictReader(io.StringIO(wrote(*command, "--raw-csv", kind="csv"))))
    assert [row["value"] for row in flat] == ["" if value is None else str(value) for value in values]


def test_a_block_and_a_host_are_one_row(wrote):
    [block] = json.loads(wrote("block", "8", kind="json"))["Block"]
    assert (block["slot"], block["forger"], block["accepted"]) == (8, "node-2", True)
    [host] = json.loads(wrote("host", "node-1", kind="json"))["Host"]
    assert (host["name"], host["slots"]) == ("node-1", 500)
    assert re.search(r"^slot +8$", wrote("block", "8", kind="terminal"), re.MULTILINE)


def test_in_markdown_numbers_stand_at_the_right_and_words_at_the_left(wrote):
    text = wrote("block", "8", kind="markdown")
    assert "| host | class | slot to notice" in text
    assert "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |" in text
    assert "| host | event | time, UTC | since the first, s | line |\n| --- | --- | --- | ---: | --- |" in text
    hashes = Listing("Blocks", ("slot", "hash", "gap"), [(8, "1" * 64, 1.5), (9, "12ab" * 16, None)])
    assert "| slot | hash | gap |\n| --- | --- | ---: |" in analysis.listings([hashes], "markdown")


def test_comma_separated_values_hold_the_very_text_that_was_logged():
    logged = 'a\x1b[31m\x07,"b"\nc'
    found = [Listing("Examples", ("text",), [(logged,)])]
    [row] = csv.DictReader(io.StringIO(analysis.listings(found, "csv"), newline=""))
    assert row["value"] == logged
    for kind in ("terminal", "markdown", "json"):
        assert not re.search(r"[\x07\x1b]", analysis.listings(found, kind)), kind


def test_nothing_found_is_said():
    assert [analysis.listings([], kind) for kind in ("terminal", "markdown", "csv", "json")] == [
        "nothing\n", "nothing\n", "table,row,column,value\n", "{}\n",
    ]  # fmt: skip


@every("option", ("--sort=report", "--width=40", "--colour=never", "--changed"))
def test_a_lookup_takes_no_option_that_would_do_nothing(run, option):
    fails(run("cluster", "errors", ".", option), "unrecognized arguments")
