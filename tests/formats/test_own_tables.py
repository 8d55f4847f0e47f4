"""Tables that people write: no harness claims them, and the first suggestion of a refusal reads them."""

import random
import re
import shlex

import format_cases
import pytest

import statera
from statera import _native
from statera.support.errors import Stop
from support import write

TABLES = {"csv", "tsv", "ndjson", "numbers"}
SUGGESTION = re.compile(r"^It reads with: (.*)$", re.MULTILINE)


def words(dice):
    return [dice.choice(["parse", "render", "read/4k", "encode_utf8", "query 7", "größer"]) for _ in range(8)]


# The cells of a column by its kind.
CELLS = {
    "name": words,
    "build": lambda dice: [dice.choice(["old", "new"]) for _ in range(8)],
    "commit": lambda dice: [f"{dice.getrandbits(28):07x}" for _ in range(8)],
    "date": lambda dice: [f"2026-0{dice.randint(1, 9)}-1{dice.randint(0, 9)}" for _ in range(8)],
    "level": lambda dice: [str(dice.choice([1, 2, 4, 8])) for _ in range(8)],
    "count": lambda _: [str(1 + at) for at in range(8)],
    "flag": lambda _: [str(at % 2) for at in range(8)],
    "decimals": lambda dice: [f"{dice.uniform(0.1, 90):.3f}" for _ in range(8)],
    "whole": lambda dice: [str(dice.randint(900, 99_000)) for _ in range(8)],
    "unit": lambda dice: [f"{dice.uniform(1, 90):.2f} {dice.choice(['ms', 'µs'])}" for _ in range(8)],
    "spread": lambda dice: [f"{dice.uniform(1, 90):.2f} ± 0.2 ms" for _ in range(8)],
    "rate": lambda dice: [f"{dice.uniform(1, 9):.2f}GB/s" for _ in range(8)],
}
HEADERS = {
    "name": ["benchmark", "case", "workload", "function", "query"],
    "build": ["build", "branch", "which"],
    "commit": ["commit", "rev"],
    "date": ["date", "day"],
    "level": ["threads", "size", "depth", "k"],
    "count": ["run", "trial_num", "iteration", "row", ""],
    "flag": ["pass_memory", "warm", "cached"],
    "decimals": ["time_ms", "latency (us)", "seconds", "default", "x", "stddev_ms", "score"],
    "whole": ["ns", "cycles", "rss_kb", "ops", "total"],
    "unit": ["time", "latency", "result"],
    "spread": ["time", "mean"],
    "rate": ["throughput", "speed"],
}


def table(seed):
    """Deal a table: its separator, its header or none, and its rows."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    kinds = dice.sample(sorted(CELLS), dice.randint(2, 6))
    if not {"decimals", "whole", "unit", "rate", "spread"} & set(kinds):
        kinds.append("decimals")
    separator = dice.choice(",,,;\t")
    columns = [CELLS[kind](dice) for kind in kinds]
    names = {}
    for kind in kinds:
        names[dice.choice([name for name in HEADERS[kind] if name not in names])] = kind
    header = [] if dice.random() < 0.2 else [list(names)]
    return "\n".join(separator.join(row) for row in [*header, *zip(*columns, strict=True)]) + "\n"


def columns_of(options):
    """Give the roles of columns that options name, as the library takes them."""
    found = {}
    for word in shlex.split(options):
        if word not in {"--column", "--format"}:
            role, equals, name = word.partition("=")
            found.setdefault(role, []).append(name) if equals else found.update(format=word)
    return found


def reads(path, options):
    """Read by a suggestion; the message names the options that fail."""
    roles = columns_of(options)
    read = statera.read(path, format=roles.pop("format", None), columns=roles)
    assert len(read) > 0, options
    assert {each.code for each in read.problems} <= {"assumed-column"}, (options, read.problems)


def test_no_harness_claims_a_table_of_people():
    claimed = {}
    for seed in range(500):
        text = table(seed)
        if others := set(_native.fitting_formats(text.encode())) - TABLES:
            claimed[seed] = (others, text)
    assert not claimed


def test_most_tables_of_people_are_read_at_once_or_by_the_first_suggestion(tmp_path):
    """What is suggested always reads the table, and a suggestion is seldom missing."""
    without, path = {}, tmp_path / "t.csv"
    for seed in range(500):
        path.write_text(table(seed))
        try:
            statera.read(path)
        except Stop as stop:
            if found := SUGGESTION.search(stop.typed):
                reads(path, found[1])
            else:
                without[seed] = str(stop).partition("\n")[0]
    assert len(without) < 25, without


def test_every_suggestion_of_a_refusal_works():
    suggested = 0
    for name in ("csv", "tsv", "ndjson", "numbers"):
        for path in format_cases.files(name, "real", "traps"):
            refusal = format_cases.expectations(name).get(format_cases.label(path), {}).get("refused", "")
            if found := SUGGESTION.search(refusal):
                reads(path, found[1])
                suggested += 1
    assert suggested > 20


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("case,time_ms\na,1.5\nb,2.5\n", [("a", "time", 0.0015), ("b", "time", 0.0025)]),
        ("benchmark,time\na,12.5 ms\na,1.5 s\n", [("a", "time", 0.0125), ("a", "time", 1.5)]),
        ("a,12.5\nb,1.25\n", [("a", "value", 12.5), ("b", "value", 1.25)]),
        (",time_ms\na,1.5\n", [("a", "time", 0.0015)]),
    ],
    ids=["one column of texts", "units in cells", "no header", "names of rows"],
)
def test_what_has_one_reading_is_read(tmp_path, text, rows):
    write(tmp_path, **{"t.csv": text})
    found = format_cases.rows(statera.read(tmp_path / "t.csv"))
    assert [(row["benchmark"], row["metric"], row["value"]) for row in found] == rows


def test_a_refusal_has_the_whole_command(run, tmp_path):
    write(tmp_path, **{"it's.csv": "a,old,1.5\nb,new,2.5\na,new,1.6\nb,old,2.4\n"})
    result = run("inspect", "it's.csv")
    assert result.code == 2
    line = result.err.split("It reads with:\n")[1].split("\n")[0].strip()
    assert line.startswith("statera inspect 'it'\"'\"'s.csv' --column benchmark=column1")
    assert run(*shlex.split(line)[1:]).code == 0


def test_a_column_that_nothing_reads_is_named_by_the_command(run, tmp_path):
    header = "| Scenario | ops/s | ns/op | Notes |\n|---|---|---|---|\n"
    write(tmp_path, **{"t.md": f"{header}| cheap | 2168M | 0.5 | fast |\n| dear | 17M | 57.5 | slow |\n"})
    result = run("inspect", "t.md")
    line = result.err.split("It reads with:\n")[1].split("\n")[0].strip()
    assert line == "statera inspect t.md --column benchmark=Scenario --column ignore=ops/s"
    assert run(*shlex.split(line)[1:]).code == 0
