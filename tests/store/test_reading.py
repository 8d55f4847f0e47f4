"""The folder of a run is one source for every verb: during the run, after it, and after its damage."""

import csv
import json
import os

import pytest

import statera
from recorded import Invoked, begin, end, invocation, look, manifest, plan, record, round_end, timed
from statera.experiment.plan import Rounds
from statera.reading.store import run_folder
from support import fails, go, noisy, stopped

TIMES = {"new": noisy(1.2, 12, seed=2), "old": noisy(1.0, 12, seed=1)}


def made(tmp_path, steps=None, *, name="run", finished=True, facts=None, **of_plan):
    steps = timed(TIMES) if steps is None else steps
    return record(tmp_path / name, plan(**of_plan), steps, finished=finished, **(facts or {}))


def table(tmp_path, *paths):
    """What ``convert`` writes."""
    statera.read(*paths).write(tmp_path / "table.csv", "csv")
    with (tmp_path / "table.csv").open() as file:
        return list(csv.DictReader(file))


def go_text(*values, name="X"):
    return go({name: list(values)})


def printed(rounds=6, variants=("old", "new")):
    """Rounds of a benchmark whose output is Go's: two values of each of two benchmarks."""
    return [
        Invoked(number, "suite", variant, output=go({"A": [100 + at + number, 101], "B": [7, 8 + at]}))
        for number in range(1, rounds + 1)
        for at, variant in enumerate(variants)
    ]


def test_the_variants_of_a_folder_are_compared_in_the_order_of_the_plan(run, tmp_path):
    made(tmp_path)
    done = run("compare", "run")
    assert done.out.splitlines()[1] == "old → new   statera run, work, 12 pairs"
    (row,) = (row for row in statera.compare(tmp_path / "run") if row.metric == "time")
    assert row.verdict == "worse"
    assert 0.19 < row.change < 0.21


def test_the_metrics_of_a_timed_command(tmp_path):
    read = statera.read(made(tmp_path))
    assert [metric.name for metric in read.metrics if metric.primary] == ["time", "cpu"]
    assert [metric.name for metric in read.metrics if not metric.primary] == [
        "user", "system", "memory", "minor-faults", "major-faults", "voluntary-switches", "involuntary-switches"
    ]  # fmt: skip
    assert not any(metric.may_be_exact for metric in read.metrics)


def test_convert_gives_variant_round_and_order(tmp_path):
    rows = table(tmp_path, made(tmp_path))
    times = [row for row in rows if row["metric"] == "time"]
    assert [(row["config.variant"], row["round"], row["config.order"]) for row in times[:3]] == [
        ("new", "1", "1"), ("old", "1", "2"), ("new", "2", "1")
    ]  # fmt: skip
    assert times[0]["block"] == times[1]["block"] != times[2]["block"]
    assert len({row["process"] for row in times}) == len(times)


def test_what_convert_writes_compares_as_the_run_does(run, tmp_path):
    looks = Rounds(until="decided", looks=(9, 13), shares=(0.1, 0.9))
    made(tmp_path, [*timed(TIMES), look(1, 9, 0.1, ["work"])], rounds=looks)
    assert run("convert", "run", "-o", "t.csv").code == 0
    shown = [run("compare", path, "--by", "variant", "--baseline", "old", "-f", "csv").out for path in ("run", "t.csv")]
    assert shown[0] == shown[1]
    with (tmp_path / "t.csv").open() as file:
        assert {row["alpha_share"] for row in csv.DictReader(file)} == {"0.1"}


def test_factors_are_compared_within_others_and_nothing_else_varied(run, tmp_path):
    levels = {f"{rev} {gogc}": {"rev": rev, "gogc": gogc} for rev in ("old", "new") for gogc in ("100", "400")}
    times = {name: noisy(1 + 0.1 * at, 12, seed=at + 1) for at, name in enumerate(levels)}
    made(tmp_path, timed(times), variants=tuple(levels), levels=levels)
    done = run("compare", "run", "--by", "rev", "--within", "gogc")
    assert done.out.splitlines()[1] == "old → new   statera run, work, 12 pairs"
    rows = [line.split()[:2] for line in done.out.split("\n\n")[1].splitlines()]
    assert {tuple(row) for row in rows} >= {("gogc", "old"), ("time", "100"), ("time", "400")}
    notes = statera.compare(tmp_path / "run", by="rev", within=["gogc"]).notes
    assert [note.code for note in notes if note.code in {"configuration-differs", "pooled"}] == []


def test_two_folders_with_labels_are_two_variants(run, tmp_path):
    for number, name in enumerate(("a", "b"), 1):
        steps = timed({"it": noisy(number, 12, seed=number)})
        made(tmp_path, steps, name=name, variants=("it",), facts={"number": number})
    for words in (("x=a", "y=b"), ("a", "b")):
        done = run("compare", *words, "--metric", "time", "--notes")
        assert " → " in done.out.splitlines()[1]
        assert done.out.startswith("work: slower +")
        # Rounds of two runs were never measured together.
        assert "[paired]" not in done.out


def test_rounds_of_two_runs_of_one_label_are_different_rounds(tmp_path):
    for number in (1, 2):
        made(tmp_path, name=f"run{number}", facts={"number": number})
    blocks = {row["block"] for row in table(tmp_path, tmp_path)}
    assert len(blocks) == 24


def test_a_folder_among_others_is_one_source(tmp_path):
    made(tmp_path, printed(), name="tree/deep/run", benchmarks=("suite",), format="go")
    (tmp_path / "tree/loose.txt").write_text(go_text(1, name="Loose"))
    for place in (tmp_path / "tree", f"{tmp_path}/tree/**/*", f"{tmp_path}/tree/deep/*", f"{tmp_path}/tree/deep/run/*"):
        sources = statera.read(place).sources
        assert [source.format for source in sources if source.format == "statera-run"] == ["statera-run"]
        assert not any("raw" in source.name for source in sources)
    assert [source.format for source in statera.read(tmp_path / "tree/deep/run/raw/000001.txt").sources] == ["go"]


def test_every_verb_takes_the_folder(run, tmp_path):
    made(tmp_path)
    for words in (("inspect", "run"), ("report", "run", "-o", "r.md"), ("plot", "forest", "run", "-o", "p.svg")):
        done = run(*words)
        assert done.code == 0, done.err


def test_a_run_that_goes_on_is_read_up_to_its_last_whole_record(run, tmp_path):
    with run_folder.started(tmp_path / "run", manifest(plan())) as open_run:
        open_run.journal.append(begin())
        for number, of in enumerate(timed({"old": [1.0] * 4, "new": [2.0] * 3}), 1):
            open_run.journal.append(invocation(number, of))
        with (tmp_path / "run/journal.ndjson").open("ab") as file:
            file.write(b'{"kind":"invocation","number":8,"rou')
        done = run("compare", "run", "--metric", "time", "--strict", "--notes")
        assert done.code == 0
        assert "nothing was left out" in done.out
        assert (tmp_path / "run/lock").exists()


def test_incomplete_rounds_are_dropped_and_counted(tmp_path):
    steps = [step for step in timed(TIMES) if (step.round, step.variant) != (12, "new")]
    failed = [Invoked(12, "work", "new", failure="timeout")]
    found = statera.compare(made(tmp_path, [*steps, *failed]), metrics=["time"])
    row, failed = found
    # One run of twelve may fail by chance.
    assert (failed.metric, failed.verdict) == ("failed", "one-value")
    assert (row.baseline_n, row.contender_n) in {(12, 11), (11, 11)}
    assert found.observations.left_out_by_code == {"failed-invocation": 1}
    (note,) = (note for note in found.notes if note.code == "failed-invocation")
    assert "`work` of `new` failed in round 12 (timeout): timeout 2" in note.text


def test_a_baseline_that_never_ran_is_not_replaced_by_another_variant(run, tmp_path):
    steps = [Invoked(1, "work", "old", failure="not-found"), *timed({"new": [1.0] * 4, "next": [2.0] * 4})]
    made(tmp_path, steps, variants=("old", "new", "next"))
    fails(run("compare", "run"), "no value was read for the baseline 'old'", "not-found")
    assert run("compare", "run", "--baseline", "new").out.splitlines()[1] == "new → next   statera run, work, 4 pairs"
    assert run("inspect", "run").code == 0


def test_marks_of_rounds_are_counted_in_a_note(run, tmp_path):
    marks = [round_end(1, "steal", "cpu-pressure"), round_end(2, "steal"), round_end(3), round_end(4)]
    made(tmp_path, [*timed(TIMES), *marks])
    said = "\n⚠ run/journal.ndjson: 2 of 4 rounds were disturbed: steal (2), cpu-pressure (1)\n"
    assert said in run("compare", "run").out
    for words in (("compare", "--notes"), ("inspect",)):
        shown = run(*words, "run").out
        assert "2 of 4 rounds were disturbed: steal (2), cpu-pressure (1) [rounds-marked]" in shown
    assert run("report", "run", "-o", "r.md").code == 0
    assert "2 of 4 rounds were disturbed" in (tmp_path / "r.md").read_text()


def test_the_head_of_a_table_names_the_machine_without_details(run, tmp_path):
    made(tmp_path)
    shown = run("compare", "run", "--notes").out
    (line,) = (line for line in shown.splitlines() if "host: bench1" in line)
    assert "kernel" not in line
    assert json.loads(run("compare", "run", "-f", "json").out)["configuration"]["common"]["kernel"] == "Linux 6.1.0"


def test_what_the_names_of_variants_state_is_no_note(run, tmp_path):
    levels = {"old": {"rev": "old", "cc": "gcc"}, "new": {"rev": "new", "cc": "clang"}}
    made(tmp_path, levels=levels)
    out = run("compare", "run", "--notes").out
    assert "cc differs between the builds: gcc / clang. [configuration-differs]" in out
    assert "rev differs" not in out


def test_facts_of_the_machine_and_of_the_sources_are_keys(tmp_path):
    source = {"variant": "new", "revision": "0123abcd", "describe": "v1", "dirty": True}
    rows = table(tmp_path, made(tmp_path, facts={"sources": [source]}))
    of_new = next(row for row in rows if row["config.variant"] == "new")
    of_old = next(row for row in rows if row["config.variant"] == "old")
    assert (of_new["host"], of_new["kernel"], of_new["date"]) == ("bench1", "Linux 6.1.0", "2026-11-22T10:00:00+00:00")
    assert (of_new["commit"], of_new["dirty"]) == ("0123abcd", "true")
    assert of_old["commit"] == ""


def test_runs_of_different_machines_are_told(tmp_path):
    paths = []
    for number in (1, 2):
        facts = {"number": number, "host": {"host": f"bench{number}", "cpu": f"cpu {number}"}}
        steps = timed({"it": noisy(1, 8, seed=number)})
        paths.append(made(tmp_path, steps, name=f"run{number}", variants=("it",), facts=facts))
    notes = [note.text for note in statera.compare(*paths).notes if note.code == "machine-differs"]
    assert len(notes) == 2
    assert notes[0].startswith("host differs")


def test_the_share_of_alpha_is_that_of_the_look(tmp_path):
    rounds = Rounds(until="decided", looks=(9, 13, 20), shares=(0.1, 0.3, 0.6))
    going_on = look(1, 9, 0.1, ["work"], ["work"])
    for at, (looks, ended, share) in enumerate(
        [
            ([], False, "0.1"),
            ([going_on], False, "0.3"),
            ([look(1, 9, 0.1, ["work"])], False, "0.1"),
            ([going_on, look(2, 13, 0.3, ["work"], ["work"])], False, "0.6"),
            ([going_on, look(2, 13, 0.9, ["work"], ["work"])], True, "0.9"),
            ([look(1, 9, 0.1, ["other"])], False, "0.1"),
        ]
    ):
        rows = table(tmp_path, made(tmp_path, [*timed(TIMES), *looks], name=f"{at}", finished=ended, rounds=rounds))
        assert {row["alpha_share"] for row in rows} == {share}, looks
    assert "alpha_share" not in table(tmp_path, made(tmp_path))[0]


# Outputs in formats.


def test_outputs_give_the_metrics_of_their_format(tmp_path):
    rows = table(tmp_path, made(tmp_path, printed(), benchmarks=("suite",), format="go"))
    assert {row["benchmark"] for row in rows} == {"A", "B"}
    assert {row["metric"] for row in rows} == {"sec/op"}
    assert {row["program"] for row in rows} == {"suite"}
    first = [row for row in rows if row["round"] == "1" and row["config.variant"] == "old"]
    assert [float(row["value"]) for row in first] == [101e-9, 7e-9, 101e-9, 8e-9]
    # Iterations of one start share its process and its round.
    assert len({(row["process"], row["block"]) for row in first}) == 1
    assert len({row["process"] for row in rows}) == 12


def test_timed_and_printed_benchmarks_live_in_one_run(tmp_path):
    steps = [*printed(), *timed({"old": [1.0] * 6, "new": [2.0] * 6}, "timed")]
    path = made(tmp_path, steps, benchmarks=("suite", "timed"), format=("go", None))
    programs = {(row["benchmark"], row["program"]) for row in table(tmp_path, path)}
    assert programs == {("A", "suite"), ("B", "suite"), ("timed", "")}
    # A program is named only where benchmarks need it.
    assert {row.group for row in statera.compare(path)} == {""}


def test_programs_with_benchmarks_of_one_name_are_not_pooled(tmp_path):
    steps = [
        Invoked(number, program, variant, output=go_text(100 * size))
        for number in range(1, 7)
        for size, program in enumerate(("small", "large"), 1)
        for variant in ("old", "new")
    ]
    path = made(tmp_path, steps, benchmarks=("small", "large"), format="go")
    assert sorted(row.baseline_centre for row in statera.compare(path)) == pytest.approx([100e-9, 200e-9])


def test_processes_that_an_output_states_stay_distinct(tmp_path):
    text = "benchmark,value,unit,process\nA,1,s,p\nA,2,s,q\nA,3,s,q\n"
    steps = [Invoked(1, "suite", variant, output=text) for variant in ("old", "new")]
    rows = table(tmp_path, made(tmp_path, steps, benchmarks=("suite",), format="csv"))
    assert [row["process"] for row in rows] == ["0", "1", "1", "2", "3", "3"]


def test_of_a_folder_the_files_of_the_format_are_read(tmp_path):
    files = {"b.txt": go_text(2, name="B"), "a.txt": go_text(1, name="A"), "log": "no result\n", ".hidden": go_text(3)}
    steps = [Invoked(1, "suite", variant, output=files) for variant in ("old", "new")]
    read = statera.read(made(tmp_path, steps, benchmarks=("suite",), format="go"))
    assert read.benchmarks == ["A", "B"]
    assert read.left_out == 0


def test_what_an_output_states_of_the_machine_is_nearer_than_the_manifest(tmp_path):
    text = "goos: linux\ncpu: Zen\nvariant: mine\n" + go_text(1)
    (row,) = table(tmp_path, made(tmp_path, [Invoked(1, "s", "old", output=text)], benchmarks=("s",), format="go"))
    assert (row["cpu"], row["goos"], row["config.variant"], row["host"]) == ("Zen", "linux", "old", "bench1")


def test_an_output_without_results_is_named(tmp_path):
    steps = [*printed(4), Invoked(5, "suite", "old", output="panic\n"), Invoked(5, "suite", "new", output={"x": "?"})]
    read = statera.read(made(tmp_path, steps, benchmarks=("suite",), format="go"))
    problems = [problem for problem in read.problems if problem.code == "no-results"]
    assert [problem.what for problem in problems] == [
        "`suite` of `old` in round 5 left no value of the format go in raw/000009.txt",
        "`suite` of `new` in round 5 left no value of the format go in raw/000010",
    ]
    assert [problem.line for problem in problems] == [10, 11]


def test_a_broken_line_of_an_output_is_named_with_its_file(tmp_path):
    steps = [Invoked(1, "suite", "old", output=go_text(1) + "BenchmarkX 100 NaN ns/op\n")]
    path = made(tmp_path, steps, benchmarks=("suite",), format="go")
    (problem,) = statera.read(path).problems
    assert (problem.source, problem.line, problem.code) == (str(path / "raw/000001.txt"), 2, "not-finite")


def test_lines_of_problems_are_those_of_their_own_file(tmp_path):
    files = {f"{name}.txt": go_text(1, 2, 3) + "BenchmarkX 100 NaN ns/op\n" for name in "abc"}
    path = made(tmp_path, [Invoked(1, "suite", "old", output=files)], benchmarks=("suite",), format="go")
    assert [problem.line for problem in statera.read(path).problems] == [4, 4, 4]


# Counters.


def test_counters_are_metrics_and_a_missing_one_is_not_zero(tmp_path):
    steps = [
        Invoked(1, "work", variant, more={"counters": {"instructions": 10**9, "cycles": "no PMU in this machine"}})
        for variant in ("old", "new")
    ]
    read = statera.read(made(tmp_path, steps))
    assert "instructions" in [metric.name for metric in read.metrics]
    assert "cycles" not in [metric.name for metric in read.metrics]
    (problem,) = read.problems
    assert (problem.code, problem.what) == ("not-counted", "cycles was not counted: no PMU in this machine")


def test_exact_counts_are_metrics_without_a_round(tmp_path):
    of_work = {"kind": "count", "number": 99, "benchmark": "work"}
    counts = [
        {**of_work, "variant": name, "counters": {"instructions (callgrind)": count}}
        for name, count in (("old", 1000), ("new", 1001))
    ]
    found = statera.compare(made(tmp_path, [*timed(TIMES), *counts]), metrics=["instructions*"])
    (row,) = found
    assert (row.design, row.verdict) == ("exact", "worse")


# Damage.


def test_records_of_later_versions_and_warm_ups_are_skipped(tmp_path):
    steps = [
        {"kind": "weather", "sun": True},
        invocation(9, Invoked(0, "work", "old", 9.0)) | {"warmup": True},
        *timed(TIMES),
    ]
    read = statera.read(made(tmp_path, steps))
    assert (read.left_out, len(read)) == (0, 24 * 9)


def test_damage_is_a_problem_with_its_line_and_the_rest_is_read(tmp_path):
    path = made(tmp_path)
    lines = (path / "journal.ndjson").read_text().splitlines()
    for line, code in [
        ('{"kind":"invocation","round":1}', "malformed-record"),
        ('{"kind":"inv', "malformed-record"),
        ("[]", "malformed-record"),
        ('{"kind":"look","look":"x"}', "malformed-record"),
        (json.dumps(invocation(1, Invoked(1, "strange", "old"))), "contradiction"),
        (json.dumps(invocation(1, Invoked(1, "work", "strange"))), "contradiction"),
        (json.dumps(invocation(1, Invoked(1, "work", "old")) | {"time": "NaN"}), "not-finite"),
        (json.dumps(invocation(1, Invoked(1, "work", "old")) | {"time": -1}), "negative"),
        (json.dumps(invocation(1, Invoked(1, "work", "old")) | {"time": []}), "malformed-number"),
    ]:
        (path / "journal.ndjson").write_text("\n".join([*lines[:3], line, *lines[3:]]) + "\n")
        read = statera.read(path)
        assert [(problem.code, problem.line) for problem in read.problems] == [(code, 4)], line
        assert len(read) >= 24 * 9, line


def test_no_path_leads_out_of_the_folder(tmp_path):
    (tmp_path / "secret.txt").write_text(go_text(1, name="Secret"))
    path = made(tmp_path, [*printed(2)], benchmarks=("suite",), format="go")
    (path / "raw/link").symlink_to(tmp_path / "secret.txt")
    text = (path / "journal.ndjson").read_text()
    outside = ("../secret.txt", "/etc/passwd", "raw/../../secret.txt", "raw/folder/../../../secret.txt")
    for name in (*outside, "", "raw/link", "raw/gone"):
        hostile = invocation(99, Invoked(3, "suite", "old"), 1, name)
        (path / "journal.ndjson").write_text(f"{text}{json.dumps(hostile)}\n")
        read = statera.read(path)
        assert "Secret" not in read.benchmarks, name
        (problem,) = read.problems
        assert problem.code == "unreadable-file", name
        assert "`suite` of `old` in round 3" in problem.what, name


def test_links_and_pipes_within_an_output_folder_are_left_out(tmp_path):
    (tmp_path / "secret.txt").write_text(go_text(1, name="Secret"))
    path = made(
        tmp_path, [Invoked(1, "s", "old", output={"a.txt": go_text(1, name="A")})], benchmarks=("s",), format="go"
    )
    (path / "raw/000001/link.txt").symlink_to(tmp_path / "secret.txt")
    (path / "raw/000001/up").symlink_to(tmp_path)
    os.mkfifo(path / "raw/000001/pipe")
    assert statera.read(path).benchmarks == ["A"]


def test_an_output_that_is_a_pipe_does_not_block(tmp_path):
    path = made(tmp_path, [Invoked(1, "s", "old", output=go_text(1))], benchmarks=("s",), format="go")
    (path / "raw/000001.txt").unlink()
    os.mkfifo(path / "raw/000001.txt")
    (problem,) = statera.read(path).problems
    assert "is a pipe" in problem.what


def test_a_format_that_cannot_be_read_is_named(tmp_path):
    for name in ("unheard-of", "statera-run", "sandmark-config"):
        steps = [Invoked(1, "s", "old", output="x")]
        path = made(tmp_path, steps, name=name, benchmarks=("s",), format=name)
        assert f"the format `{name}` cannot be read" in stopped(statera.compare, path)


def test_a_journal_needs_its_manifest(tmp_path):
    path = made(tmp_path)
    text = (path / "manifest.json").read_text()
    for manifest_text, said in [
        (text.replace("run/1", "run/2"), "a later version of statera wrote it"),
        (text[:200], "it ends too early"),
        ('{"statera":"run/1","plan":{}}', "no variants or no benchmarks"),
        ('{"statera":"run/1"}', "it has no plan"),
        ("{}", "it is not the manifest of a run"),
    ]:
        (path / "manifest.json").write_text(manifest_text)
        assert said in stopped(statera.inspect, path / "journal.ndjson"), said
    (path / "manifest.json").unlink()
    assert "there is no manifest.json beside it" in stopped(statera.inspect, path / "journal.ndjson")


def test_limits_hold_over_outputs(run, tmp_path):
    made(tmp_path, printed(), benchmarks=("suite",), format="go")
    for limit in ("bytes=6kB", "values=20", "files=5"):
        fails(run("inspect", "run", "--limit", limit), "[too-much]")
    folder = {f"{number}.txt": go_text(1) for number in range(20)}
    made(tmp_path, [Invoked(1, "suite", "old", output=folder)], name="many", benchmarks=("suite",), format="go")
    assert "[too-much]" in run("inspect", "many", "--limit", "files=15").err


def test_hostile_names_are_harmless(run, tmp_path):
    names = ("\x1b[31mred", "new\n# heading", "=1+1", "\u202etxt", "\udc80")
    times = {name: noisy(1 + at, 6, seed=at) for at, name in enumerate(names)}
    made(tmp_path, timed(times, "\x1b]0;title\x07"), variants=names, benchmarks=("\x1b]0;title\x07",))
    for words in (("compare", "run"), ("inspect", "run"), ("compare", "run", "-f", "json")):
        done = run(*words)
        assert done.code == 0, done.err
        assert "\x1b" not in done.out + done.err


def test_an_empty_run_is_told(run, tmp_path):
    made(tmp_path, [], finished=False)
    fails(run("compare", "run"), "no value was read")
    (tmp_path / "run/journal.ndjson").unlink()
    assert run("compare", "run").code == 2


def test_end_records_do_not_matter_for_the_values(tmp_path):
    one = table(tmp_path, made(tmp_path, name="a"))
    two = table(tmp_path, made(tmp_path, [*timed(TIMES), end(12)], name="b", finished=False))
    assert [row["value"] for row in one] == [row["value"] for row in two]
