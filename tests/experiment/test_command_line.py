"""Commands and options on the command line as a plan; hyperfine's options mean what they mean there."""

import json

import pytest

from statera.cli import parser
from statera.cli.options import OPTIONS
from statera.cli.run import _plan
from statera.cli.run import run as run_verb
from statera.cli.verbs import found
from statera.experiment.schedule import LIMIT, looks
from statera.support.errors import Stop
from support import fails, stopped


def plan(*words):
    _, options = parser.parsed(["run", *words])
    return _plan(options, 0.05)


def arguments(made):
    return [cell.command.arguments for cell in made.cells]


def test_commands_are_variants_and_the_first_is_the_baseline():
    made = plan("./old input", "./new 'an input'")
    assert [each.name for each in made.variants] == ["./old input", "./new 'an input'"]
    assert arguments(made) == [("./old", "input"), ("./new", "an input")]
    assert (made.order, made.warmup, made.benchmarks) == ("random", 0, ("command",))
    assert (made.rounds.until, made.rounds.looks[-1], sum(made.rounds.shares)) == ("decided", LIMIT, pytest.approx(1))
    assert plan("grep a", "grep b").benchmarks == ("grep",)


def test_the_parameters_of_one_command_are_variants():
    made = plan("-L", "n", "1,2", "-P", "t", "0.5", "1.5", "-D", "0.5", "prog {n} {t}")
    assert [each.name for each in made.variants] == [f"t={t} n={n}" for t in ("0.5", "1.0", "1.5") for n in "12"]
    assert made.variants[1].levels == (("t", "0.5"), ("n", "2"))
    assert arguments(made)[1] == ("prog", "2", "0.5")


def test_the_parameters_of_several_commands_are_benchmarks():
    made = plan("-L", "n", "1,2", "old {n}", "new {n}")
    assert made.benchmarks == ("n=1", "n=2")
    assert [each.name for each in made.variants] == ["old {n}", "new {n}"]
    assert arguments(made) == [("old", "1"), ("new", "1"), ("old", "2"), ("new", "2")]


def test_the_values_of_a_parameter():
    for words, values in (
        (("-P", "x", "1", "4"), ["1", "2", "3", "4"]),
        (("-P", "x", "0.3", "0.7", "-D", "0.2"), ["0.3", "0.5", "0.7"]),
        (("-P", "x", "-1", "1"), ["-1", "0", "1"]),
        (("-P", "x", "5", "5"), ["5"]),
        (("-L", "x", r"a,b\,c,d e"), ["a", "b,c", "d e"]),
    ):
        assert [dict(each.levels)["x"] for each in plan(*words, "true {x}").variants] == values


def test_a_value_may_be_several_words_and_is_never_expanded_again():
    made = plan("-L", "a", "-O2 -g,{b}", "-L", "b", "1", "cc {a}")
    assert arguments(made) == [("cc", "-O2", "-g"), ("cc", "{{b}}")]


def test_braces_of_a_command_that_name_no_parameter_stay():
    assert arguments(plan("awk '{print $1}'", "true"))[0] == ("awk", "{{print $1}}")
    assert arguments(plan("prog {out} {round} {x}", "true"))[0] == ("prog", "{out}", "{round}", "{{x}}")


def test_a_shell_executes_what_it_is_asked_to():
    for shell, start in (("default", ("sh",)), ("bash", ("bash",)), ("bash --norc", ("bash", "--norc"))):
        assert arguments(plan("-S", shell, "a | b > c", "true"))[0] == (*start, "-c", "a | b > c")
    assert arguments(plan("-S", "none", "true", "false"))[0] == ("true",)
    assert arguments(plan("-N", "true", "false"))[0] == ("true",)


def test_what_only_a_shell_understands_is_refused_without_one_unless_it_is_quoted():
    for command in ("a | b", "a > b", "a && b", "a; b", "a &", "(a)", "a|b", "a <b"):
        assert "add -S default" in stopped(plan, command, "true"), command
    # What a parameter puts in is text.
    assert arguments(plan("-L", "x", "a|b,(c)", "echo {x}", "true"))[0] == ("echo", "a|b")
    for command in ("grep 'a|b' c", 'awk "$1 > 2"', "echo 'a;b'", "printf '(%s)' x"):
        assert len(arguments(plan(command, "true"))[0]) > 1


def test_commands_around_are_one_for_all_or_one_for_each():
    made = plan("-s", "s", "-c", "c", "-p", "p", "-C", "x", "-C", "y", "a", "b")
    assert [cell.prepare.arguments for cell in made.cells] == [("p",), ("p",)]
    assert [cell.conclude.arguments for cell in made.cells] == [("x",), ("y",)]
    assert [(cell.setup.arguments, cell.cleanup.arguments) for cell in made.cells] == [(("s",), ("c",))] * 2
    assert plan("-L", "n", "1,2", "-p", "p {n}", "a {n}").cells[1].prepare.arguments == ("p", "2")


def test_streams_and_variables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = plan(
        "--output", "pipe", "--output", "out.{n}", "--input", "in", "--env", "A=b=c", "-L", "n", "1", "a", "b {n}"
    )
    assert [cell.output for cell in made.cells] == ["capture", f"{tmp_path}/out.1"]
    assert {cell.input for cell in made.cells} == {f"{tmp_path}/in"}
    assert {cell.command.environment for cell in made.cells} == {(("A", "b=c"),)}
    assert {cell.command.directory for cell in made.cells} == {str(tmp_path)}
    assert [cell.output for cell in plan("a", "b").cells] == ["discard"] * 2
    assert {cell.input for cell in plan("--input", "null", "a", "b").cells} == {None}
    words = {"null": "discard", "pipe": "capture", "inherit": "inherit", "x": f"{tmp_path}/x"}
    assert {given: plan("--output", given, "a", "b").cells[1].output for given in words} == words
    read = [plan("--format", "go", *words, "a").cells[0].output for words in ((), ("--output", "pipe"))]
    assert read == ["capture"] * 2


def test_names_are_those_of_commands_or_of_variants():
    assert [each.name for each in plan("-n", "x", "a", "b").variants] == ["x", "b"]
    assert [each.name for each in plan("-n", "x", "-n", "y", "-L", "n", "1,2", "a {n}").variants] == ["x", "y"]


def test_rounds_and_looks():
    assert plan("-r", "7", "a", "b").rounds.number == 7
    assert [plan(*words, "a").rounds.number for words in ((), ("-m", "30"), ("-M", "5"))] == [20, 30, 5]
    assert plan("--self-test", "a").rounds.until == "decided"
    assert plan("-M", "30", "a", "b").rounds.looks == looks(30)[0]
    made = plan("-m", "15", "-M", "30", "a", "b").rounds
    assert made.looks == tuple(each for each in looks(30)[0] if each >= 15)
    assert made.shares[:-1] == looks(30)[1][-len(made.shares) : -1]
    assert sum(made.shares) == pytest.approx(1)
    assert plan("--until", "width:1.5%", "a", "b").rounds.width == pytest.approx(0.015)
    assert plan("--max-time", "1h30m", "a", "b").rounds.seconds == 5400


def test_the_machine():
    made = plan("--timeout", "1.5s", "--pin", "0", "--counters", "instructions,cycles", "-i", "a", "b").machine
    assert (made.timeout, made.cpus, made.counters) == (1.5, (0,), ("instructions", "cycles"))
    assert (made.accept_failures, made.accepted_codes) == (True, ())
    assert plan("--ignore-failure=1,3", "a", "b").machine.accepted_codes == (1, 3)
    assert not plan("a", "b").machine.accept_failures


def test_seeds_are_drawn_anew_unless_one_is_given():
    assert len({plan("a", "b").seed for _ in range(4)}) == 4
    assert plan("--seed", "9", "a", "b").seed == 9


def test_the_self_test_adds_the_baseline_and_only_selects_benchmarks():
    made = plan("--self-test", "a", "b")
    assert len(made.variants) == 3
    assert arguments(made)[2] == ("a",)
    assert plan("--only", "n=[23]", "-L", "n", "1,2,3", "a {n}", "b {n}").benchmarks == ("n=2", "n=3")


def test_who_names_nothing_is_told_of_the_experiment_that_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiment.toml").touch()
    with pytest.raises(Stop, match=r"Here is one: statera run experiment\.toml"):
        plan()


def test_what_cannot_be_used_is_refused_with_the_remedy():
    for words, says in [
        ((), "nothing to run"),
        (("a", "a"), "-n first -n second"),
        (("-n", "x", "-n", "x", "a", "b"), "names two commands"),
        (("-n", "x", "-n", "y", "-n", "z", "a", "b"), "given 3 times"),
        (("-n", " ", "a", "b"), "name is empty"),
        (("",), "not a command"),
        (("''",), "not a command"),
        (("a 'b", "c"), "Close the quote"),
        (("-r", "0", "a", "b"), "-r takes a number from 1"),
        (("-r", "5", "-M", "9", "a", "b"), "-r fixes"),
        (("-r", "5", "--until", "decided", "a", "b"), "-r fixes"),
        (("--until", "decided", "a"), "compared with nothing"),
        (("-m", "30", "-M", "5", "a"), "-M takes a number from 30"),
        (("-m", "30", "-M", "20", "a", "b"), "Raise -M"),
        (("--until", "bored", "a", "b"), "write decided, or width:1%"),
        (("--until", "width:0%", "a", "b"), "write decided, or width:1%"),
        (("--max-time", "soon", "a", "b"), "--max-time soon"),
        (("--timeout", "0", "a", "b"), "--timeout 0"),
        (("-w", "-1", "a", "b"), "-w takes a number from 0"),
        (("-p", "x", "-p", "y", "a", "b", "c"), "once for each of 3"),
        (("-D", "2", "a", "b"), "-D is the step of -P"),
        (("-P", "x", "3", "1", "a {x}"), "the smaller first"),
        (("-P", "x", "1", "two", "a {x}"), "two numbers"),
        (("-P", "x", "1", "nan", "a {x}"), "two numbers"),
        (("-P", "x", "1", "1e9", "a {x}"), "larger -D"),
        (("-P", "x", "1", "200", "-P", "y", "1", "100", "a {x} {y}"), "20,000 combinations, and at most 10,000"),
        (("-L", "x", "1,,2", "a {x}"), "a value is empty"),
        (("-L", "x", "1", "-L", "x", "2", "a {x}"), "given twice"),
        (("-L", "out", "1", "a"), "replaced by statera itself"),
        (("-L", "x y", "1", "a"), "a name begins with a letter"),
        (("--env", "A", "a", "b"), "NAME=VALUE"),
        (("--ignore-failure", "true", "a"), "or -i for all"),
        (("--counters", "luck", "a", "b"), "no event has this name"),
        (("--pin", "9999", "a", "b"), "--pin 9999"),
        (("--order", "duet", "a", "b", "c"), "two variants"),
        (("--order", "sequential", "a", "b"), "-r"),
        (("--order", "sequential", "-r", "5", "--max-time", "1s", "a", "b"), "without --max-time"),
        (("--format", "goo", "a", "b"), "did you mean go?"),
        (("--format", "unknown", "a", "b"), "there are go, "),
        (("--format", "go", "--output", "null", "a", "b"), "Leave it out"),
        (("--seed", "-1", "a", "b"), "--seed takes"),
        (("--only", "z", "a", "b"), "fits none"),
        (("-S", "", "a", "b"), "name a shell"),
    ]:
        assert says in stopped(plan, *words), words


FILE = """
rounds = 7
seed = 3
max_time = "10m"
[factors]
level = ["1", "2"]
[[benchmark]]
name = "one"
command = ["prog", "{level}"]
"""


def test_options_replace_what_a_file_says(tmp_path):
    path = tmp_path / "experiment.toml"
    path.write_text(FILE)
    made = plan(str(path))
    assert (made.rounds.number, made.seed, made.rounds.seconds, made.order) == (7, 3, 600, "random")
    made = plan("-r", "9", "--seed", "4", "--max-time", "5m", "--order", "abba", "-w", "2", "--pin", "0", str(path))
    assert (made.rounds.number, made.seed, made.rounds.seconds, made.order) == (9, 4, 300, "abba")
    assert (made.warmup, made.machine.cpus) == (2, (0,))
    assert plan("--until", "decided", "-M", "30", str(path)).rounds.looks == looks(30)[0]
    assert plan("--self-test", str(path)).self_test
    assert [each.name for each in plan("-L", "level", "7,8", str(path)).variants] == ["7", "8"]


def test_what_a_file_excludes_is_refused(tmp_path):
    path = tmp_path / "experiment.toml"
    path.write_text(FILE)
    for words, says in [
        (("-M", "30"), "fixes the number of rounds, and -M leaves it open"),
        (("-p", "true"), "-p is for commands on the command line"),
        (("-L", "x", "1"), "has no factor of this name"),
        (("-L", "level", "1,,2"), "a value is empty"),
        (("-L", "level", "1", "-L", "level", "2"), "names a factor twice"),
        (("-L", "level", "1,1"), "twice. Write it once"),
        (("--order", "duet", "--pin", "0"), "needs two cores"),
    ]:
        assert says in stopped(plan, *words, str(path)), words


def test_modes_take_no_option_that_would_change_nothing():
    for words, says in {
        ("--status", "x", "--resume", "x"): "--status and --resume do different things",
        ("--resume", "x", "-w", "5"): "--resume does not take -w. Leave it out",
        ("--resume", "x", "true"): "--resume does not take a command",
        ("--status", "x", "-f", "json"): "--status does not take -f. Leave it out",
        ("--check", "--list"): "--check and --list do different things",
        ("--init", "-w", "3"): "--init does not take -w",
    }.items():
        _, options = parser.parsed(["run", *words])
        assert says in stopped(run_verb, options), words


def test_arguments_that_are_not_text_reach_the_program(run, tmp_path):
    name = "caf\udce9"
    script = tmp_path / "show"
    script.write_text('#!/bin/sh\nprintf "%s" "$1"\n')
    script.chmod(0o755)
    done = run("run", "-r", "2", "--output", "pipe", "-o", tmp_path / "out", f"./show {name}", "./show b")
    assert done.code == 0, done.err
    printed = {path.read_bytes() for path in (tmp_path / "out/raw").glob("0*.txt")}
    assert printed == {b"caf\xe9", b"b"}
    assert r"caf\xE9" in done.out


def test_the_exported_times_are_read_again(run, tmp_path):
    words = ("-r", "5", "-L", "n", "1,2", "-o", tmp_path / "out", "--export-json", tmp_path / "times.json", "true {n}")
    assert run("run", *words).code == 0
    results = json.loads((tmp_path / "times.json").read_text())["results"]
    assert [each["parameters"] for each in results] == [{"n": "1"}, {"n": "2"}]
    assert [each["command"] for each in results] == ["true 1", "true 2"]
    assert {len(each["times"]) for each in results} == {5}
    fields = "command mean stddev median user system min max times memory_usage_byte exit_codes parameters"
    assert [list(each) for each in results] == [fields.split()] * 2
    assert all(each["min"] <= each["median"] <= each["max"] < each["min"] + 60 for each in results)
    rows = json.loads(run("inspect", tmp_path / "times.json", "-f", "json", "--all-metrics").out)["rows"]
    assert {"time", "memory"} <= {row["metric"] for row in rows}
    assert {row["values"] for row in rows if row["metric"] == "time"} == {5}
    words = (
        "-r",
        "1",
        "-n",
        "one",
        "-o",
        tmp_path / "named",
        "--export-json",
        tmp_path / "named.json",
        "true",
        "true 2",
    )
    assert run("run", *words).code == 0
    results = json.loads((tmp_path / "named.json").read_text())["results"]
    assert [each["command"] for each in results] == ["one", "true 2"]


def test_commands_may_stand_before_and_behind_options(run):
    done = run("run", "--dry-run", "one", "-w", "2", "two", "--seed", "1", "three")
    assert done.code == 0, done.err
    assert [line.partition(": ")[2] for line in done.out.splitlines()[:3]] == ["one", "two", "three"]
    fails(run("run", "--dry-run", "one", "--no-such-option", "two"), "unrecognized arguments: --no-such-option two")


def test_an_experiment_file_that_is_not_there_is_no_command(run, tmp_path):
    done = run("run", "no.toml", cwd=tmp_path)
    assert (done.code, done.err) == (
        2,
        "statera: no.toml: there is no such experiment file. --init writes one [bad-option]\n",
    )
    assert run("run", "--list", "program no.toml", cwd=tmp_path).code == 0


def test_placeholders_of_services_without_one_are_told(run):
    done = run("run", "--dry-run", "a -p {port} {data} {x}")
    assert "there is no --service, so that {port}, {data} in the commands is plain text" in done.err
    for words in (("--service", "db {port}"), ("-L", "port", "1,2")):
        assert "plain text" not in run("run", "--dry-run", *words, "a -p {port}").err


@pytest.mark.parametrize("option", [("--fail-on", "worse"), ("--decide-by", "cpu"), ("--until", "decided")])
def test_what_is_about_differences_is_refused_for_a_single_variant(option, run, tmp_path):
    fails(run("run", *option, "-o", tmp_path / "r", "true"), f"{option[0]}: a single variant is compared with nothing")
    assert not (tmp_path / "r").exists()


def test_a_dry_run_shows_services(run):
    done = run("run", "--dry-run", "--service", "db --port {port}", "a")
    assert "\n1 service\n  db (for each run): db --port '{port}'\n\norder random" in done.out


def test_a_dry_run_shows_commands_and_order(run, tmp_path):
    done = run("run", "--dry-run", "--seed", "1", "-L", "n", "1,2", "a {n}", "b {n}")
    assert done.code == 0
    assert "n=2, b {n}: b 2" in done.out
    assert "order random, seed 1, at most 60 rounds" in done.out
    assert "seed 1, 5 rounds; " in run("run", "--dry-run", "--seed", "1", "-r", "5", "a", "b").out
    assert list(tmp_path.iterdir()) == []


def test_what_would_run_can_be_read_by_programs(run):
    words = ("--seed", "1", "-r", "5", "-n", "old", "-n", "new", "a", "b")
    described = json.loads(run("run", "--dry-run", "-f", "json", *words).out)
    listed = json.loads(run("run", "--list", "-f", "json", *words).out)
    assert described.items() >= listed.items()
    assert (described["variants"], described["baseline"], described["most_rounds"]) == (["old", "new"], "old", 5)
    assert [each["arguments"] for each in described["commands"]] == [["a"], ["b"]]
    assert len(described["first_rounds"]) == 3
    fails(run("run", "--list", "-f", "csv", *words), "--list writes text or JSON, not csv")


def test_every_option_of_hyperfine_that_is_offered_has_its_name():
    verb, _ = found(["run"])
    known = {flag for key in verb.keys for flag in OPTIONS[key].flags.split()}
    short = {"-r", "-w", "-m", "-M", "-s", "-p", "-C", "-c", "-n", "-P", "-D", "-L", "-S", "-N", "-i"}
    long = (
        "runs warmup min-runs max-runs setup prepare conclude cleanup command-name parameter-scan parameter-list shell"
    )
    assert short | {f"--{name}" for name in long.split()} <= known
    assert {"--parameter-step-size", "--ignore-failure", "--output", "--input", "--export-json"} <= known


def test_a_number_behind_the_option_of_names_is_told_to_be_no_number_of_runs(run):
    said = "-n names the first command 6. -r 6 sets the number of runs"
    assert said in run("run", "--dry-run", "a", "b", "-n", "6").err
    for words in (("-n", "6", "-r", "9"), ("-n", "8", "-n", "9"), ("-n", "v6")):
        assert "-n names" not in run("run", "--dry-run", "a", "b", *words).err
