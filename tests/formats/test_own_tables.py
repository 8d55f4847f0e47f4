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


@pytest.mark.parametrize(
    ("text", "options"),
    [
        # Rows that are otherwise alike differ in what was varied.
        ("probes,time_ms\n4,1.5\n8,2.5\n16,4.5\n", "setting=probes"),
        ("query,a_ms,winner\n1,2.5,TBD\n2,3.5,TBD\n", "ignore=winner setting=query"),
        ("share,hit_ms,miss_ms\n0.0,1.5,2.5\n0.25,1.6,2.6\n1.0,1.7,2.7\n", "setting=share"),
        (
            "u8,32,0.5,2.5\nu8,64,0.6,2.6\nu16,32,0.7,2.7\n",
            "benchmark=column1 setting=column2 metric=column3 metric=column4",
        ),
        # Where a column counts the runs they differ in what was measured, and a mere number of rows is neither.
        ("size,rep,hash,wall_ms\n64,1,8,60\n64,2,9,65\n64,3,8,59\n", "metric=hash"),
        ("frame,gpu_ms\n0,1.5\n1,2.5\n2,1.7\n", "ignore=frame"),
        # Moments and the places of queues are no results.
        (
            "kernel,queue-index,EndNs,DurationNs\nfft,2,7100,40\nfft,5,7300,41\nfft,6,7500,43\n",
            "benchmark=kernel ignore=queue-index ignore=EndNs",
        ),
        ("benchmark,time,latency_ms\np,1700000000,5\np,1700000060,6\n", "ignore=time"),
        # What failed is a result, and no other work; the file of a run is neither.
        ("name,c,rps,failed,error_rate\na,1,500,0,0\na,8,900,12,0.1\n", "setting=c metric=failed metric=error_rate"),
        ("kind,run,time_s,log\na,1,1.5,o/1.txt\na,2,1.6,o/2.txt\n", "ignore=log benchmark=kind"),
        # Two builds can stand beside each other with their units, and a name can be a number.
        ("case,Zeta,Eta\nsum,36 ms,55 ms\nsort,17 ms,24 ms\n", "benchmark=case variant=Zeta variant=Eta"),
        ("Benchmark,iter/s,p-value\n01,152.5,0.3\n02,208.5,0.1\n", "ignore=p-value"),
        # What stands beside two builds is no third one.
        (
            "method,points,before,after,diff\ndense,300,8.3,5.8,-2.5\ndense,3000,99.5,52.5,-47.0\nsparse,500,170,66,-104\n",
            "benchmark=method setting=points variant=before variant=after ignore=diff",
        ),
        # Nor is the number of a row beside times of its size a build.
        (
            "Id,lang,N,Tiempo\n1,c,500,0.3\n2,c,500,0.4\n3,c,900,3.2\n4,go,500,2.5\n5,go,500,2.6\n6,go,900,32.5\n",
            "variant=lang ignore=Id metric=Tiempo",
        ),
        # Data frames number columns without a name from 0 on.
        ("case,0,1\na,1.5,1.6\nb,2.5,2.6\n", "benchmark=case metric=0 metric=1"),
        ("case,Iter,took_ns\na,1200,5.5\nb,3400,7.5\n", "benchmark=case ignore=Iter"),
        # Among numbered runs, what ended in another way is kept apart.
        ("test,trial_num,ok,time_ms\na,1,0,9.8\na,2,1,9.9\na,3,1,9.7\n", "setting=ok"),
        # How a run ended names no benchmark.
        ("size,swaps,time (ms),sorted\n10,22,0.5,true\n20,81,1.5,true\n", "setting=sorted metric=swaps"),
        (
            "case,build,run_ms,kernel_run\na,old,1.5,\na,new,1.6,12.5+-0.2\n",
            "benchmark=case variant=build metric=run_ms",
        ),
    ],
)
def test_a_suggestion_pools_no_different_work_and_takes_no_mark_as_a_result(tmp_path, text, options):
    write(tmp_path, **{"t.csv": text})
    with pytest.raises(Stop) as stop:
        statera.read(tmp_path / "t.csv")
    found = SUGGESTION.search(stop.value.typed)
    assert found
    assert found[1].replace("--column ", "") == options
    assert ("trial_num: run number (" in stop.value.typed) == ("trial_num" in text)
    reads(tmp_path / "t.csv", found[1])


@pytest.mark.parametrize(
    ("text", "values", "problems"),
    [
        # Whoever draws a table writes all of its numbers in one way.
        ("| benchmark | time |\n|---|---|\n| a | 11.9 µs |\n| b | 1,050 µs |\n", [11.9e-6, 1050e-6], 0),
        ("| benchmark | time (ms) | memory (MB) |\n|---|---|---|\n| a | 1,050 | 1.5 |\n", [1.05], 0),
        ("| benchmark | time |\n|---|---|\n| a | ~50 ms |\n| b | <0.01 ms |\n", [0.05], 1),
        ("| benchmark | time (ms) |\n|---|---|\n| a | 1 050.5 |\n| b | 7 |\n", [1.0505, 0.007], 0),
        ("| benchmark | time | ops/s |\n|---|---|---|\n| a | 0.007 ms | 142,540 |\n", [7e-6], 0),
        # A number of rows in brackets is no unit of the cells.
        ("| benchmark | time (768d) |\n|---|---|\n| a | 93 ns |\n", [93e-9], 0),
        # The mean below numbered runs is none of them.
        (
            "| run | benchmark | time |\n|---|---|---|\n| 1 | a | 1.5 s |\n| 2 | a | 2.5 s |\n| **Mean** | a | 2 s |\n",
            [1.5, 2.5],
            1,
        ),
        # A table above the results that has no numbers is left out.
        ("| part | is |\n|---|---|\n| CPU | X9 |\n\n| benchmark | time |\n|---|---|\n| a | 5 ms |\n", [0.005], 1),
        # What follows from two results is no configuration, and no comparison of another harness.
        ("| Benchmark | Time | |\n|---|---|---|\n| a | 5 ms | 1.2x slower |\n", [0.005], 0),
    ],
)
def test_what_documents_draw_is_read(tmp_path, text, values, problems):
    write(tmp_path, **{"t.md": text})
    read = statera.read(tmp_path / "t.md")
    rows = format_cases.rows(read)
    assert [row["value"] for row in rows if row["metric"] in {"time", "Time"}] == pytest.approx(values)
    assert not any("x slower" in str(row) for row in rows)
    assert len(read.problems) == problems


def test_failures_beside_rates_make_a_comparison_invalid(run, tmp_path):
    text = "name,rps,failed\na,500,{}\n"
    write(tmp_path, **{"a.csv": text.format(0), "b.csv": text.format(120)})
    result = run("compare", tmp_path / "a.csv", tmp_path / "b.csv", "--column", "metric=failed")
    assert "invalid" in result.out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("benchmark,time (ms),x\n", "no cells below its header"),
        ("| Statistic | ops/s |\n|---|---|\n| Mean | 862 |\n| Std Dev | 161 |\n", "of statistics"),
        ("| case | score |\n|---|---|\n| a | 59.49K |\n| b | 6.3K |\n", "59.49K"),
    ],
)
def test_a_table_without_results_says_what_it_lacks(tmp_path, text, why):
    name = "t.md" if text.startswith("|") else "t.csv"
    write(tmp_path, **{name: text})
    with pytest.raises(Stop, match=why):
        statera.read(tmp_path / name)


def test_a_list_in_which_commas_group_digits_is_no_table(tmp_path):
    write(tmp_path, **{"t.md": "3 runs, 0 failed:\n- Run 1: 15,237.8 TPS\n- Run 2: 20,250.3 TPS\n"})
    with pytest.raises(Stop, match="known formats") as stop:
        statera.read(tmp_path / "t.md")
    assert not SUGGESTION.search(stop.value.typed)


def test_a_refusal_has_the_whole_command(run, tmp_path):
    write(tmp_path, **{"it's.csv": "a,old,1.5\nb,new,2.5\na,new,1.6\nb,old,2.4\n"})
    result = run("inspect", "it's.csv")
    assert result.code == 2
    line = result.err.split("It reads with:\n")[1].split("\n")[0].strip()
    assert line.startswith("statera inspect 'it'\"'\"'s.csv' --column benchmark=column1")
    assert run(*shlex.split(line)[1:]).code == 0


def test_a_column_that_nothing_reads_is_named_by_the_command(run, tmp_path):
    header = "| Scenario | B/op | ns/op | Notes |\n|---|---|---|---|\n"
    write(tmp_path, **{"t.md": f"{header}| cheap | 2168k | 0.5 | fast |\n| dear | 17k | 57.5 | slow |\n"})
    result = run("inspect", "t.md")
    line = result.err.split("It reads with:\n")[1].split("\n")[0].strip()
    assert line == "statera inspect t.md --column benchmark=Scenario --column ignore=B/op"
    assert run(*shlex.split(line)[1:]).code == 0
