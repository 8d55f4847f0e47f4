"""Parts of names are keys; a filter takes a part of a name; a row says at which level it is missing."""

import json

import pytest

import statera
from statera.comparison.pairing.keys import in_words
from statera.support.errors import Stop
from support import every, fails, go, noisy, write

SIZES = {
    f"CRC/poly={poly}/size={size}-8": noisy(centre * size) for poly, centre in (("A", 1), ("B", 2)) for size in (8, 64)
}


@pytest.fixture
def parts(tmp_path):
    return write(tmp_path, x=go(SIZES))[0]


def names(found):
    return [(row.benchmark, row.group) for row in found]


def test_names_stay_whole_by_default(parts):
    assert [row.benchmark for row in statera.compare(f"a={parts}", f"b={parts}")] == list(SIZES)


def test_a_key_leaves_the_name(parts):
    found = statera.compare(parts, by="poly")
    assert found.labels == ["A", "B"]
    assert names(found) == [("CRC/size=8-8", ""), ("CRC/size=64-8", "")]
    assert all(row.verdict == "worse" for row in found)


def test_levels_are_groups(parts):
    found = statera.compare(parts, by="poly", within=["size"])
    assert names(found) == [("CRC-8", "size: 8"), ("CRC-8", "size: 64")]


def test_pooled_parts_are_levels_of_one_benchmark(parts):
    (row,) = statera.compare(parts, by="poly", pool=["size", "gomaxprocs"])
    assert (row.benchmark, row.baseline_values) == ("CRC", 20)


def test_a_filter_leaves_the_name(parts):
    found = statera.compare(f"a={parts}", f"b={parts}", where={"size": "64"})
    assert names(found) == [("CRC/poly=A/size=64-8", ""), ("CRC/poly=B/size=64-8", "")]
    assert [row.benchmark for row in statera.compare(parts, by="poly", where={"size": "8"})] == ["CRC/size=8-8"]


def test_the_whole_name_and_its_places_are_keys(parts):
    assert statera.compare(parts, by="benchmark").labels == list(SIZES)
    assert statera.compare(parts, by="name.2").labels == ["poly=A", "poly=B"]


def test_an_inspection_takes_them(parts):
    found = statera.inspect(parts, within=["size"])
    assert {(row.benchmark, row.group) for row in found} == {
        (f"CRC/poly={p}-8", f"size: {s}") for p in "AB" for s in (8, 64)
    }


@every("options", [{"by": "ploy"}, {"by": "poly", "within": ["x"]}, {"by": "poly", "where": {"x": "1"}}])
def test_an_unknown_key_lists_those_of_names(parts, options):
    with pytest.raises(Stop, match=r"poly.*gomaxprocs") as stop:
        statera.compare(parts, **options)
    assert stop.value.code == "no-such-key"


def test_a_single_variant_lists_them_too(parts):
    with pytest.raises(Stop, match=r"in the names of benchmarks: .*poly"):
        statera.compare(parts)


def test_what_the_file_states_otherwise_keeps_its_key(tmp_path):
    text = go({"X/cpu=1": noisy(1), "X/cpu=2": noisy(2)}, config={"cpu": "Zen", "size": "5"})
    (path,) = write(tmp_path, x=text)
    assert statera.compare(path, by="param.cpu").labels == ["1", "2"]
    with pytest.raises(Stop, match="only the value 'Zen'"):
        statera.compare(path, by="cpu")


def test_of_two_parts_with_one_key_the_last_leaves_the_name(tmp_path):
    sizes = {f"F/a={a}/a={b}-8": noisy(10**a + b) for a in (1, 2) for b in (3, 4)}
    (path,) = write(tmp_path, x=go(sizes))
    found = statera.compare(path, by="a")
    assert (found.labels, [row.benchmark for row in found]) == (["3", "4"], ["F/a=1-8", "F/a=2-8"])
    processors = {f"F/gomaxprocs={a}-{b}": noisy(a * b) for a in (2, 4) for b in (8, 16)}
    (path,) = write(tmp_path, x=go(processors))
    found = statera.compare(path, by="gomaxprocs")
    assert (found.labels, [row.benchmark for row in found]) == (["8", "16"], ["F/gomaxprocs=2", "F/gomaxprocs=4"])


def test_the_whole_name_is_a_filter(parts):
    found = statera.compare(f"a={parts}", f"b={parts}", where={"benchmark": "CRC/poly=A/*"})
    assert names(found) == [("CRC/poly=A/size=8-8", ""), ("CRC/poly=A/size=64-8", "")]
    found = statera.compare(parts, by="poly", where={"benchmark": "*/size=8-8"})
    assert names(found) == [("CRC/size=8-8", "")]


def test_what_is_listed_is_accepted(tmp_path):
    names = [f"J/{key}={level}" for key in ("file", "benchmark") for level in (1, 2)]
    (path,) = write(tmp_path, x=go({name: noisy(1) for name in names}))
    with pytest.raises(Stop, match=r"names of benchmarks: file, gomaxprocs, param\.benchmark, benchmark, name\.1"):
        statera.compare(path)
    for key in ("file", "param.benchmark"):
        found = statera.compare(path, by=key)
        assert (found.labels, [row.benchmark for row in found]) == (["1", "2"], ["J"])
    assert statera.compare(path, by="benchmark").labels == names


# hyperfine, whose names are commands.


def hyperfine(folder, *results):
    every = [{"command": command, "times": noisy(1 + n), "parameters": p} for n, (command, p) in enumerate(results)]
    return write(folder, **{"h.json": json.dumps({"results": every}, indent=1)})[0]


def test_commands_are_compared(tmp_path):
    found = statera.compare(hyperfine(tmp_path, ("sort a", {}), ("sort b", {})), by="command")
    assert (found.labels, [row.benchmark for row in found]) == (["sort a", "sort b"], ["command"])


def test_a_parameter_is_taken_out_of_the_commands(tmp_path):
    every = [(f"{tool} -j{n} in1", {"n": str(n), "tool": tool}) for tool in ("sort", "uniq") for n in (1, 2)]
    path = hyperfine(tmp_path, *every)
    assert [row.benchmark for row in statera.compare(path, by="n")] == ["sort -j{n} in1", "uniq -j{n} in1"]
    found = statera.compare(path, by="command", within=["n"])
    assert found.labels == ["sort -j{n} in1", "uniq -j{n} in1"]
    assert names(found) == [("command", "n: 1"), ("command", "n: 2")]


@every(("threads", "sizes"), [((1, 2, 4), (1, 2)), ((1, 2), (10, 20)), ((1, 2, 4, 8), (4, 8))])
def test_a_grid_of_parameters_has_a_command_for_each_other_level(tmp_path, threads, sizes):
    every = [(f"sort -j{n} f{size}", {"n": str(n), "size": str(size)}) for n in threads for size in sizes]
    path = hyperfine(tmp_path, *every)
    labels = [str(n) for n in threads]
    for options in ({}, {"within": ["size"]}):
        found = statera.compare(path, by="n", pairs="all", **options)
        assert found.labels == labels
        assert "missing" not in {row.verdict for row in found}
        assert {row.benchmark for row in found} == (
            {"sort -j{n} f{size}"} if options else {f"sort -j{{n}} f{size}" for size in sizes}
        )
    both = statera.compare(path, by=["n", "size"])
    assert {row.benchmark for row in both} == {"sort -j{n} f{size}"}
    assert len(both.labels) == len(threads) * len(sizes)


def test_names_that_are_no_commands_do_not_contain_parameters(tmp_path):
    """``v1`` with n = 1 and ``v2`` with n = 2 are two benchmarks."""
    stats = {"stats": {"data": noisy(1)}}
    every = [
        {"name": f"v{v}[{n}]", "fullname": f"v{v}[{n}]", "params": {"n": n}, **stats} for v in (1, 2) for n in (1, 2)
    ]
    document = {"machine_info": {}, "benchmarks": every}
    (path,) = write(tmp_path, **{"p.json": json.dumps(document, indent=1)})
    assert [row.benchmark for row in statera.compare(path, by="n")] == ["v1", "v2"]


# Filters on names.

NAMES = ["Encode/json", "Encode/gob", "Decode/json", "Cmp-2", "Cmp-20", "a[1]"]


@pytest.fixture
def named(tmp_path):
    return write(tmp_path, x=go({name: noisy(1, 4) for name in NAMES}))[0]


@every(
    ("patterns", "left"),
    [
        (["Encode"], [0, 1]),
        (["json"], [0, 2]),
        (["Cmp-2"], [3]),
        (["Cmp"], [3, 4]),
        (["a[1]"], [5]),
        (["Enc*"], [0, 1]),
        (["!json", "!Cmp"], [1, 5]),
        (["/^Decode/", "gob"], [1, 2]),
    ],
)
def test_a_text_selects_a_name_or_all_that_contain_it(named, patterns, left):
    found = statera.compare(f"a={named}", f"b={named}", benchmarks=patterns)
    assert [row.benchmark for row in found] == [NAMES[place] for place in left]


@pytest.mark.parametrize("verb", ["compare", "inspect"])
def test_a_filter_that_leaves_nothing_lists_the_nearest_names(run, named, verb):
    arguments = [f"a={named}", f"b={named}"] if verb == "compare" else [named]
    result = run(verb, *arguments, "--benchmark", "encdoe")
    fails(result, "the nearest are: Encode/gob, Encode/json, Decode/json,")
    assert "Cmp" not in result.err.partition("Decode/json")[0]
    assert run(verb, *arguments, "--benchmark", "!/./").err.count("every one of the 6 names is excluded") == 1


# Levels.


def test_a_row_says_at_which_level_it_is_missing(tmp_path, run):
    old = {f"X/threads={n}": noisy(1) for n in (4, 8)} | {"Y/threads=4": noisy(1)}
    new = {"X/threads=4": noisy(1), "Z/threads=4": noisy(1), "Z/threads=8": noisy(1)}
    paths = write(tmp_path, old=go(old), new=go(new))
    found = statera.compare(*paths, within=["threads"])
    verdicts = {(row.benchmark, row.group): (row.verdict, row.reason) for row in found}
    assert verdicts["X", "threads: 8"] == ("missing", "at-level")
    assert verdicts["Y", "threads: 4"] == ("missing", None)
    assert verdicts["Z", "threads: 8"] == ("new", None)
    said = "Gone: Y. Gone at some levels: X at threads: 8."
    assert said in found.findings
    gone = "2 gone: Y at threads: 4, X at threads: 8"
    for output in ("terminal", "markdown"):
        assert gone in run("compare", *paths, "--within", "threads", "-f", output).out
    assert run("compare", *paths, "--within", "threads", "--fail-on", "missing").code == 1


def test_a_group_of_very_many_keys_is_named_by_the_first_and_its_number():
    keys = [f"k{number:02}" for number in range(13)]
    levels = dict.fromkeys(keys, "1")
    assert in_words(keys[:12], levels, 0) == ", ".join(f"{key}: 1" for key in keys[:12])
    assert in_words(keys[:2], {"k00": "1"}, 0) == "k00: 1, k01: (none)"
    assert in_words(keys, levels, 4) == f"{', '.join(f'{key}: 1' for key in keys[:12])} and 1 more (level 5)"


def test_filters_may_leave_out_a_level_that_is_not_the_baseline(tmp_path):
    path = tmp_path / "all.txt"
    path.write_text(
        "".join(go({"X": noisy(centre)}, config={"tool": tool}) for tool, centre in (("a", 1), ("b", 2), ("c", 3)))
    )
    found = statera.compare(path, by="tool", baseline="a", where={"tool": "/a|c/"})
    assert [row.contender for row in found] == ["c"]
    with pytest.raises(Stop, match="the filters leave no value of a"):
        statera.compare(path, by="tool", baseline="a", where={"tool": "/b|c/"})
    with pytest.raises(Stop, match="the filters leave no value of b"):
        statera.compare(path, by="tool", baseline="a", where={"tool": "a"})
