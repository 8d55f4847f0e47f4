import gzip
import json
import shutil
from pathlib import Path

import pytest

from support import every, fails, go, noisy, write

LEDGER = "slot\tslotGap\ttotalTime\tmut\tgc\n"


def gate(run, paths, what, *options):
    return run("compare", *paths, "--fail-on", what, *options)


@pytest.fixture
def worse(tmp_path):
    return write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(110, seed=2)}))


@pytest.fixture
def one_process(tmp_path):
    sides = {}
    for side, factor in (("old", 1.0), ("new", 1.3)):
        values = noisy(1000 * factor, 30, seed=3, spread=0.1)
        sides[side] = LEDGER + "".join(
            f"{slot}\t1\t{int(v * 100)}\t{int(v * 90)}\t10\n" for slot, v in enumerate(values)
        )
    return write(tmp_path, **sides)


def test_few_runs_count_only_where_a_t_test_is_accepted(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100, 3)}), new=go({"X": noisy(300, 3, seed=2)}))
    fails(
        gate(run, paths, "worse"),
        "what differs is not judged. Measure more ",
        ", or pass --accept-parametric [nothing-judged]",
        "1 benchmark differs for the worse, but by a t-test of few runs, so the gate does not judge",
    )
    # The rows of few runs need another word than those of one process.
    assert gate(run, paths, "worse", "--accept-one-process").code == 2
    accepted = gate(run, paths, "worse", "--accept-parametric")
    assert accepted.code == 1
    assert "differs (few runs)" in accepted.err
    assert gate(run, paths, "worse:500%", "--accept-parametric").code == 0


@every("judged", ["another metric", "another benchmark"])
def test_what_differs_for_the_worse_is_no_pass_because_something_else_is_judged(run, tmp_path, judged):
    sides = []
    for factor in (1, 3):
        text = go({"X": noisy(100 * factor, 3, seed=factor)})
        same = {"X": [64.0] * 3} if judged == "another metric" else {"Y": noisy(9, seed=factor)}
        sides.append(text + go(same, unit="B/op" if judged == "another metric" else "ns/op"))
    paths = write(tmp_path, old=sides[0], new=sides[1])
    fails(gate(run, paths, "worse"), "1 benchmark differs for the worse", "what differs is not judged")
    assert gate(run, list(reversed(paths)), "worse").code == 0


def test_a_change_in_an_unknown_direction_is_no_pass(run, tmp_path):
    def table(value, *same):
        head = ",".join(("benchmark", "score", *(name for name, _ in same)))
        lines = zip(noisy(value, seed=value), *(of for _, of in same), strict=True)
        return head + "\n" + "".join(f"A,{','.join(map(str, each))}\n" for each in lines)

    alone = write(tmp_path, **{"old.csv": table(100), "new.csv": table(300)})
    fails(
        gate(run, alone, "worse"), "whether more score is better is unknown. State it with --better", "[nothing-judged]"
    )
    assert gate(run, alone, "worse", "--better", "score=lower").code == 1
    assert gate(run, alone, "worse:300%").code == 0
    assert gate(run, alone, "changed").code == 1
    some = [table(value, ("time_ms", noisy(9, seed=value))) for value in (100, 300)]
    beside = gate(run, write(tmp_path, **dict(zip(("old.csv", "new.csv"), some, strict=True))), "worse")
    assert (beside.code, ", 1 changed in an unknown direction (A +20" in beside.err) == (0, True)


def test_what_does_not_fail_is_counted(run, tmp_path):
    gone = write(tmp_path, old=go({"X": noisy(100), "Y": noisy(9)}), new=go({"X": noisy(100)}))
    assert ": 1 gone (Y), 0 with no clear change\n" in gate(run, gone, "worse").err
    single = [go({"X": noisy(100, seed=seed), "Y": [seed]}) for seed in (2, 3)]
    assert (
        ": 0 gone, 1 not judged (Y +50.0%), " in gate(run, write(tmp_path, old=single[0], new=single[1]), "worse").err
    )
    wide = [go({"X": noisy(100, 8, seed=seed, spread=0.3)}) for seed in (1, 7)]
    paths = write(tmp_path, old=wide[0], new=wide[1])
    said = {what: gate(run, paths, what).err for what in ("missing", "worse")}
    assert all(": 0 gone, 1 with no clear change" in err for err in said.values())
    # Only a gate for the worse is left open by what may be worse.
    assert [", which may still be slower: X [−19.6%, +59.2%]" in err for err in said.values()] == [False, True]
    # One run in forty at twice the time before, eleven now.
    some = [
        [value * (2 if place in places else 1) for place, value in enumerate(noisy(100, 40, seed=len(places)))]
        for places in ({7}, {1, 4, 9, 12, 16, 18, 23, 27, 30, 34, 38})
    ]
    paths = write(tmp_path, old=go({"X": some[0]}), new=go({"X": some[1]}))
    said = {what: gate(run, paths, what).err for what in ("tail-worse:150%", "tail-worse:5%")}
    assert all(f"--fail-on {what}: 0 gone" in err for what, err in said.items())
    assert ["slow runs more frequent" in err for err in said.values()] == [False, True]


def test_a_single_pair_has_no_interval(run, tmp_path):
    paths = write(tmp_path, old=go({"X": [100]}), new=go({"X": [103]}))
    done = gate(run, paths, "worse", "--pair", "order", "--all-rows")
    assert not any(word in done.out for word in (" at 0%", "95 % interval", "━"))
    assert "which may still be slower: X\n" in done.err


def test_answer_table_and_gate_count_what_has_no_clear_change_alike(run, tmp_path):
    wide = [{"X": noisy(100, 8, seed=seed, spread=0.3)} for seed in (1, 7)]
    sides = [go(values) + go(values, unit="B/op") for values in wide]
    done = gate(run, write(tmp_path, old=sides[0], new=sides[1]), "worse")
    assert done.out.startswith("X: ")
    assert "\n  2 metrics with no clear change: " in done.out
    assert ": 0 gone, 1 with no clear change" in done.err


def test_a_row_that_is_less_steady_may_still_be_slower(run, tmp_path):
    new = [value * (1 if place < 14 else 1.6) for place, value in enumerate(noisy(1000, 30, seed=2, spread=0.01))]
    paths = write(tmp_path, old=go({"X": noisy(1000, 30, spread=0.005)}), new=go({"X": new}))
    done = gate(run, paths, "worse")
    assert (done.code, "X: less steady" in done.out) == (0, True)
    assert ": 0 gone, 0 with no clear change, 1 unclear in part, which may still be slower: X [−" in done.err
    assert gate(run, paths, "worse,inconclusive").code == 1


def test_a_benchmark_of_several_metrics_is_named_once(run, tmp_path):
    values = {name: noisy(9) for name in "ABCDE"}
    two = go(values) + go(values, unit="MB/s")
    gone = write(tmp_path, old=two, new=go({"A": noisy(9)}) + go({"A": noisy(9)}, unit="MB/s"))
    assert ": 4 gone (B, C, D and 1 more), " in gate(run, gone, "worse").err
    gone = write(tmp_path, old=two, new=go(values, unit="MB/s"))
    assert ": 0 gone, 5 lack a metric (A sec/op, B sec/op, C sec/op and 2 more), " in gate(run, gone, "worse").err


def test_the_message_names_the_row_its_change_and_its_interval(run, worse):
    err = gate(run, worse, "worse").err
    assert "1 benchmark fails the gate:" in err
    line = next(line for line in err.splitlines() if line.startswith("  X"))
    assert "sec/op" in line
    assert line.endswith("slower")
    assert "%" in line
    assert "[" in line


def test_one_process_per_build_does_not_count_unless_accepted(run, one_process):
    fails(
        gate(run, one_process, "worse", "--metric", "totalTime"),
        "what differs is not judged",
        "1 benchmark differs for the worse, but each build ran in one process, so the gate does not judge",
        "Four or more processes per build would settle this. More values of one process would not.",
        "--accept-one-process makes the gate judge it.",
    )
    accepted = gate(run, one_process, "worse", "--metric", "totalTime", "--accept-one-process")
    assert accepted.code == 1
    assert "ignores" not in accepted.err
    assert "differs (one process per build)" in accepted.err
    assert gate(run, one_process, "worse:50%", "--metric", "totalTime", "--accept-one-process").code == 0
    better = gate(run, list(reversed(one_process)), "worse", "--metric", "totalTime", "--accept-one-process")
    assert better.code == 0
    assert "ignores" not in better.err


def test_each_word_of_a_repeated_option_counts(run, worse):
    both = gate(run, worse, "worse", "--fail-on", "missing")
    assert (both.code, "--fail-on worse,missing: " in both.err) == (1, True)


def test_a_margin_wider_than_that_of_the_gate_is_said(run, worse):
    wide = gate(run, worse, "worse:5%", "--margin", "50%")
    assert (wide.code, "--fail-on worse:5%: 0 gone, 1 worse within its margin (X +" in wide.err) == (0, True)
    assert "margin" not in gate(run, worse, "worse", "--margin", "50%").err


def test_times_of_0_are_no_pass(run, tmp_path):
    def sides(unit):
        return write(tmp_path, old=go({"A": [0.0] * 5}, unit=unit), new=go({"A": [0.0] * 6}, unit=unit))

    fails(gate(run, sides("ns/op"), "worse"), "every time is 0, so that nothing was measured", "[nothing-judged]")
    assert gate(run, sides("allocs/op"), "worse").code == 0


def test_what_is_not_shown_still_fails(run, worse):
    assert gate(run, worse, "worse", "--sort", "name", "--changed", "-f", "csv").code == 1


def test_the_message_goes_to_standard_error_alone(run, worse):
    result = gate(run, worse, "worse", "-f", "csv")
    assert "fails the gate" not in result.out
    assert "fails the gate" in result.err


def test_more_than_twenty_rows_are_counted_not_listed(run, tmp_path):
    names = [f"B{i}" for i in range(25)]
    paths = write(tmp_path, old=go({n: noisy(100) for n in names}), new=go({n: noisy(150, seed=2) for n in names}))
    err = gate(run, paths, "worse").err
    assert "25 benchmarks fail the gate:" in err
    assert sum(line.startswith("  B") for line in err.splitlines()) == 20
    assert "and 5 more" in err


def test_rows_that_fail_name_the_variant_and_the_group(run, tmp_path):
    lines = ["benchmark,version,threads,time_ms"]
    for version, centre in (("a", 100), ("b", 120), ("c", 130)):
        lines += [f"Encode,{version},{n},{value}" for n in (1, 2) for value in noisy(centre, seed=n)]
    (path := tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    err = run("compare", path, "--by", "version", "--within", "threads", "--fail-on", "worse").err
    named = [line.split("  ")[1] for line in err.splitlines() if line.startswith("  ")]
    assert sorted(named) == [f"Encode of {version} at threads: {n}" for version in "bc" for n in (1, 2)]


@every(
    ("old", "new", "why"),
    [
        (go({"A-8": [9] * 5}), go({"A-16": [9] * 5}), "--pool gomaxprocs compares them"),
        (go({"ParseJSON": [9] * 5}), go({"DecodeJSON": [9] * 5}), "--rename ParseJSON=DecodeJSON compares"),
        (go({"A": [9] * 5}), go({"Zzz": [9] * 5}), "--rename OLD=NEW compares"),
        (go({"A": [9] * 5}), go({"A": [9] * 5}, unit="B/op"), "sec/op in the baseline, B/op in the contender"),
        ("benchmark,time,unit\nA,1,s\nA,2,s\n", "benchmark,time,unit\nA,1,widgets\nA,2,widgets\n", "in widgets"),
        (go({"A": [9]}), go({"A": [12]}), "there is one value per build. Measure more"),
    ],
    ids=["processors", "renamed", "other names", "other metric", "other unit", "one value"],
)
def test_without_anything_judged_no_gate_passes(run, tmp_path, old, new, why):
    ending = ".csv" if old.startswith("bench") else ""
    paths = write(tmp_path, **{f"old{ending}": old, f"new{ending}": new})
    result = gate(run, paths, "worse")
    fails(result, why, "[nothing-judged]")
    if "one value" not in why:
        assert "Nothing could be compared: " in result.out.splitlines()[0]
        assert why in result.out.splitlines()[0]


def test_a_renamed_benchmark_is_compared_with_its_new_name(run, tmp_path):
    paths = write(tmp_path, old=go({"ParseJSON": noisy(100)}), new=go({"DecodeJSON": noisy(150, seed=2)}))
    result = gate(run, paths, "worse", "--rename", "ParseJSON=DecodeJSON")
    assert result.code == 1
    assert "DecodeJSON  sec/op  +" in result.err


@every(
    ("word", "why"),
    [
        ("Parse=X", "no benchmark has the first name; the nearest: "),
        ("A", "write OLD=NEW"),
        ("A=", "no benchmark has the first name"),
        ("A=B", "has both, so they are not the same benchmark"),
        ("S/n=1=S/n=2", "old has both"),
        ("B=Kept", "has both, so they are not the same benchmark"),
    ],
)
def test_names_that_cannot_be_renamed_are_refused(run, tmp_path, word, why):
    names = {"A": noisy(9), "B": noisy(9), "S/n=1": noisy(9), "S/n=2": noisy(9)}
    paths = write(tmp_path, old=go(names), new=go(names))
    fails(run("compare", *paths, "--rename", "A=Kept", "--rename", word), why)


def test_what_cannot_be_read_keeps_a_gate_from_passing(run, tmp_path):
    same = {"X": noisy(100)}
    old, new, extra = write(tmp_path, old=go(same), new=go(same), **{"extra.txt": "no results"})
    (tmp_path / "folder").mkdir()
    for path in (new, extra):
        shutil.move(path, tmp_path / "folder")
    fails(gate(run, [old, tmp_path / "folder"], "worse"), "not everything could be read: ", "[unread-results]")
    assert run("compare", old, tmp_path / "folder").code == 0


def test_what_one_file_of_both_builds_lost_keeps_a_gate_from_passing(run, tmp_path):
    values = {version: [noisy(9, seed=seed) for seed in (version, version + 2)] for version in (1, 2)}
    lines = ["benchmark,version,time_ms"]
    for version, (a, b) in values.items():
        lines += [f"A,{version},{value}" for value in a]
        lines += [f"B,{version},{value if version == 1 else 'failed'}" for value in b]
    (path := tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    fails(
        gate(run, [path], "worse", "--by", "version"),
        "1 benchmark is gone, and may be among the results that were left out, ",
    )


def table(version, runs, lost):
    """Write the lines of a build in which the first values of some benchmarks are lost."""
    benchmarks = {"A": noisy(100, runs, seed=version), "B": noisy(9, runs, seed=version + 5)}
    return "".join(
        f"{name},{version},{'timeout' if number < lost.get(name, 0) else value}\n"
        for name, values in benchmarks.items()
        for number, value in enumerate(values)
    )


@pytest.mark.parametrize(
    ("lost", "by", "why"),
    [
        (((10, {}), (10, {"B": 6})), (), "new lost 6 results and old 0, and what is lost may be the worst, "),
        (((10, {"B": 6}), (10, {})), (), ""),
        # A benchmark that is broken in both builds, and as many failures of fewer runs.
        (((10, {"B": 10}), (10, {"B": 10})), (), ""),
        (((20, {"B": 8}), (10, {"B": 4})), (), ""),
        (((20, {"B": 4}), (10, {"B": 4})), (), "new lost 4 results and old 4, "),
        # A harness chose the numbers of values.
        (((40, {"B": 1}), (36, {"B": 1})), (), ""),
        (((10, {"A": 5}), (10, {"B": 5})), (), "B has 10 values of old and 5 of new, and results were left out, "),
        (((10, {}), (10, {"B": 6})), ("--by", "version"), "B has 10 values of 1 and 4 of 2, "),
        (((10, {"B": 6}), (10, {})), ("--by", "version"), ""),
    ],
)
def test_a_build_that_lost_more_results_than_the_other_does_not_pass(run, tmp_path, lost, by, why):
    old, new = lost
    head, sides = "benchmark,version,time_ms\n", [table(1, *old), table(2, *new)]
    texts = {"both.csv": head + "".join(sides)} if by else {"old.csv": head + sides[0], "new.csv": head + sides[1]}
    ended = gate(run, write(tmp_path, **texts), "missing", *(by or ("--pool", "version")))
    if why:
        fails(ended, why, "`timeout` is not a number", "[unread-results]")
    else:
        assert ended.code == 0, ended.err


def test_what_was_measured_elsewhere_keeps_a_gate_from_passing(run, tmp_path):
    def side(name, *of):
        (tmp_path / name).mkdir()
        for number, values in enumerate(of, 1):
            text = go({each: noisy(size, seed=number + len(name)) for each, size in values.items()})
            (tmp_path / name / f"{number}.txt").write_text(f"cpu: X{number}\n{text}")
        return tmp_path / name

    paths = side("old", {"A": 9, "B": 5}, {"A": 9}), side("later", {"A": 9}, {"A": 9, "B": 15})
    fails(
        gate(run, paths, "worse,missing"),
        "under other circumstances: B (old at cpu: X1; later at cpu: X2).",
        "--pool cpu",
    )
    assert gate(run, paths, "worse", "--pool", "cpu").code == 1
    # Values of another machine or branch among those of the new build.
    paths = side("one", {"A": 9}), side("both", {"A": 9}, {"A": 15})
    fails(gate(run, [paths[0] / "1.txt", paths[1]], "worse"), "A (both at cpu: X2).")
    assert gate(run, [paths[1], paths[0] / "1.txt"], "worse").code == 0


def test_what_was_asked_for_and_no_build_has_keeps_a_gate_from_passing(run, tmp_path):
    paths = write(tmp_path, **{side: go({"A": noisy(9, seed=len(side))}) for side in ("old", "later")})
    fails(gate(run, paths, "worse", "--benchmark", "A", "--benchmark", "Z"), "no answer: --benchmark Z selects nothing")
    fails(gate(run, paths, "worse", "--metric", "sec/op", "--metric", "B/op"), "--metric B/op selects nothing")
    assert gate(run, paths, "worse", "--benchmark", "!Z", "--margin", "Z=5%").code == 0


def test_files_of_other_benchmarks_change_no_answer(run, tmp_path):
    """Whether a file is a run is decided for each benchmark."""
    sizes = {"old": 100, "new": 150}
    sides = {side: {"A": noisy(size, seed=size), "B": noisy(9, seed=size)} for side, size in sizes.items()}
    together = write(tmp_path, **{side: go(of) for side, of in sides.items()})
    files = write(tmp_path, **{f"{side}{name}": go({name: of[name]}) for side, of in sides.items() for name in of})
    apart = [f"{Path(path).name[:3]}={path}" for path in files]
    one, several = (run("compare", *paths, "--fail-on", "worse", "-f", "csv") for paths in (together, apart))
    assert (one.code, several.code) == (1, 1)
    assert one.out == several.out


@every("how", ["no final newline", "CRLF", "gzip", "in another order", "split", "beside others"])
def test_the_same_values_never_pass_where_they_failed(run, tmp_path, how):
    sides = {"old": {"A": noisy(100), "B": noisy(9)}, "new": {"A": noisy(100, seed=2), "B": noisy(12, seed=3)}}
    folders = {}
    for side, of in sides.items():
        folders[side] = tmp_path / how / side
        folders[side].mkdir(parents=True)
        text = go(of)
        match how:
            case "no final newline":
                files = {"a": text.rstrip("\n").encode()}
            case "CRLF":
                files = {"a": text.replace("\n", "\r\n").encode()}
            case "gzip":
                files = {"a.gz": gzip.compress(text.encode())}
            case "in another order":
                files = {"a": "".join(sorted(text.splitlines(keepends=True))).encode()}
            case "split":
                files = {name: go({name: values}).encode() for name, values in of.items()}
            case "beside others":
                files = {"a": text.encode(), "c": go({"C": noisy(7)}).encode()}
        for name, content in files.items():
            (folders[side] / name).write_bytes(content)
    result = gate(run, folders.values(), "worse")
    assert result.code == 1, result.err


def test_rows_with_a_verdict_are_shown_and_the_answer_is_that_of_all(run, tmp_path):
    old, new = (
        {name: noisy(100 * factor, 40, seed=len(name)) for name, factor in each}
        for each in ((("Slow", 1), ("Quick", 1), ("Same", 1)), (("Slow", 1.2), ("Quick", 0.8), ("Same", 1)))
    )
    paths = write(tmp_path, old=go(old), new=go(new))
    every_row = run("compare", *paths, "-f", "json", "--fail-on", "worse")
    for words, names in ((["slower"], ["Slow"]), (["better,worse"], ["Slow", "Quick"]), (["gone"], [])):
        only = [word for each in words for word in ("--only", each)]
        result = run("compare", *paths, "-f", "json", "--fail-on", "worse", *only)
        assert (result.code, result.err) == (1, every_row.err)
        document, whole = json.loads(result.out), json.loads(every_row.out)
        assert [row["benchmark"] for row in document["rows"]] == names
        assert document["answer"] == whole["answer"]
        table = run("compare", *paths, "-f", "csv", *only).out.splitlines()
        assert len(table) == 1 + len(names)
    fails(run("compare", "absent", "gone", "--only", "quicker"), "[bad-option]")
