"""An experiment file becomes a plan, and what is wrong with it is named with its line."""

import json
import tomllib

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repositories import commit, git, written

from statera.experiment.file import planned
from statera.experiment.file_keys import TABLES
from statera.experiment.plan import Machine
from statera.experiment.schedule import looks, width_looks
from statera.experiment.words import filled
from statera.support.errors import Stop
from support import ROOT, every, stopped

SCHEMA = json.loads((ROOT / "src/statera/output/schema/experiment-1.json").read_text())
SMALL = """
[[benchmark]]
name = "x"
command = ["true"]
"""
# The form that the documentation leads with.
WHOLE = """
rounds = "until decided"
[factors]                       # every combination is a variant
rev = ["v1", "main", "."]
gogc = ["100", "400"]
[source]
git = "."
revision = "{rev}"
[build]
command = ["cp", "a.c", "{build}/bench"]
[[benchmark]]
name = "decimal"
command = ["{build}/bench", "-test.bench=.", "-test.count=1"]
env = { GOGC = "{gogc}" }
format = "go"
"""


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    commit(folder, "v1", a_c="1")
    commit(folder, "v2", a_c="2")
    (folder / "a.c").write_text("3")
    return folder


def plan(folder, text, **options):
    return planned(written(folder, text), options)


def refused(folder, text, **options):
    return stopped(plan, folder, text, **options)


def test_every_combination_is_a_variant_and_shares_the_builds_that_do_not_depend_on_its_factors(repository):
    made = plan(repository, WHOLE)
    levels = [(rev, gogc) for rev in ("v1", "main", ".") for gogc in ("100", "400")]
    assert [each.name for each in made.variants] == [f"rev={rev} gogc={gogc}" for rev, gogc in levels]
    assert made.variants[0].levels == (("rev", "v1"), ("gogc", "100"))
    assert [cell.variant for cell in made.cells] == [0, 1, 2, 3, 4, 5]
    assert [dict(cell.command.environment)["GOGC"] for cell in made.cells] == ["100", "400"] * 3
    assert [cell.build for cell in made.cells] == [0, 0, 1, 1, 2, 2]
    assert [each.revision is None for each in made.builds] == [False, False, True]
    assert len({len(each.tree) for each in made.builds}) == len({len(each.folder) for each in made.builds}) == 1
    for cell in made.cells:
        assert cell.command.arguments[0] == f"{made.builds[cell.build].folder}/bench"
        assert (cell.format, cell.output) == ("go", "capture")
    # A folder within the repository stays one.
    (repository / "bench").mkdir()
    made = plan(repository / "bench", WHOLE)
    assert made.builds[0].command.directory == f"{made.builds[0].tree}/bench"
    assert made.cells[0].command.directory == str(repository / "bench")


def test_a_file_says_how_rounds_and_machine_are(tmp_path):
    head = """
rounds = 30
order = "abba"
seed = 7
warmup = 2
max_time = "1h30m"
timeout = 90
pin = [0]
nice = -5
memory = "1GiB"
cool = "500ms"
counters = ["instructions"]
accept_failures = true
"""
    made = plan(tmp_path, head + SMALL)
    assert (made.cells[0].output, plan(tmp_path, SMALL + 'output = "capture"').cells[0].output) == (
        "discard",
        "capture",
    )
    assert (made.rounds.number, made.rounds.until, made.rounds.looks, made.rounds.seconds) == (30, None, (), 5400)
    assert (made.order, made.seed, made.warmup) == ("abba", 7, 2)
    machine = made.machine
    assert (machine.cpus, machine.nice, machine.memory, machine.timeout) == ((0,), -5, 2**30, 90)
    assert (machine.cool, machine.counters, machine.accept_failures) == (0.5, ("instructions",), True)


def test_a_file_that_says_little_of_the_machine_leaves_the_rest_as_it_is(tmp_path):
    assert plan(tmp_path, SMALL).machine == Machine()
    stated = 'nice = 3\nmemory = "1GiB"\ntimeout = "1m"\ncool = 2\naccept_failures = [1, 2]\npin = "0"\n'
    wanted = Machine((0,), nice=3, memory=2**30, timeout=60.0, cool=2.0, accept_failures=True, accepted_codes=(1, 2))
    assert plan(tmp_path, stated + SMALL).machine == wanted
    assert ":2: pin 1000: core 1000 is not online" in refused(tmp_path, "\npin = [1000]\n" + SMALL)


def test_without_a_word_rounds_go_on_until_decided_and_the_seed_is_drawn(tmp_path):
    first, second = plan(tmp_path, SMALL), plan(tmp_path, SMALL)
    assert first.seed != second.seed
    assert (first.rounds.number, first.rounds.until) == (None, "decided")
    assert (first.rounds.looks, first.rounds.shares) == looks()
    rounds = plan(tmp_path, 'rounds = "width 1.5%"\n' + SMALL).rounds
    assert (rounds.until, rounds.width, rounds.looks) == ("width", 0.015, width_looks()[0])


def test_options_replace_what_the_file_says(tmp_path):
    made = plan(tmp_path, "rounds = 30\ntimeout = 1\n" + SMALL, rounds=5, order="sequential", timeout=None)
    assert (made.rounds.number, made.order, made.machine.timeout) == (5, "sequential", 1)
    assert "order takes one of random, abba" in refused(tmp_path, SMALL, order="alphabetic")


def test_commands_around_the_measured_one(tmp_path):
    made = plan(
        tmp_path,
        SMALL
        + """
directory = "work"
input = "in.txt"
output = "out.txt"
setup = ["make"]
prepare = ["touch", "{round}"]
conclude = { shell = "rm -f *.o" }
cleanup = ["make", "clean"]
""",
    )
    cell = made.cells[0]
    work = str(tmp_path / "work")
    assert {each.directory for each in (cell.command, cell.setup, cell.prepare, cell.conclude)} == {work}
    assert (cell.input, cell.output) == (str(tmp_path / "in.txt"), str(tmp_path / "out.txt"))
    assert cell.prepare.arguments == ("touch", "{round}")
    assert cell.conclude.arguments == ("/bin/sh", "-c", "rm -f *.o")
    assert cell.cleanup.arguments == ("make", "clean")


def test_what_runs_once_gets_no_variable_of_an_invocation(tmp_path):
    text = SMALL + 'env = { A = "1", OUT = "{out}", R = "<{round}>" }\nsetup = ["make"]\nprepare = ["touch", "x"]\n'
    cell = plan(tmp_path, text).cells[0]
    every = (("A", "1"), ("OUT", "{out}"), ("R", "<{round}>"))
    assert cell.command.environment == cell.prepare.environment == every
    assert cell.setup.environment == (("A", "1"),)


def test_named_combinations(tmp_path):
    assert [each.name for each in plan(tmp_path, SMALL).variants] == ["baseline"]
    text = SMALL + '[[variant]]\ncc = "gcc"\nlevel = 2\n[[variant]]\nlevel = 3\ncc = "clang"\n'
    assert [each.levels for each in plan(tmp_path, text).variants] == [
        (("cc", "gcc"), ("level", "2")),
        (("cc", "clang"), ("level", "3")),
    ]


def test_a_single_commit_takes_the_place_of_the_revisions_of_a_file(repository):
    wanted = git(repository, "rev-parse", "v1")
    build = '[build]\ncommand = ["cp", "a.c", "{build}/bench"]\n'
    table = '[source]\nrevision = "{rev}"\n'

    @every(
        "text, variants",
        [
            (WHOLE, [f"rev={wanted} gogc=100", f"rev={wanted} gogc=400"]),
            (SMALL + build, ["baseline"]),
            (SMALL + '[source]\nrevision = "v2"\n', ["baseline"]),
            (SMALL + table + '[[variant]]\nrev = "v1"\n[[variant]]\nrev = "v2"\n', [wanted]),
            (SMALL + '[factors]\nn = ["2"]\n[source]\nrevision = "v{n}"\n', ["2"]),
        ],
    )
    def replaced(text, variants):
        made = planned(written(repository, text), revision=wanted)
        assert [each.name for each in made.variants] == variants
        assert {each.revision for each in made.builds} == {wanted}

    replaced()
    said = stopped(planned, written(repository, SMALL), revision=wanted)
    assert "every commit would run the same files. Add one of them [bad-experiment]" in said


def test_a_level_of_words_becomes_arguments(tmp_path):
    text = '[factors]\nflags = [[], ["-O3", "-g"]]\n[[benchmark]]\nname = "x"\ncommand = ["cc", "{flags}", "a.c"]\n'
    made = plan(tmp_path, text)
    assert [each.name for each in made.variants] == ["flags=", "-O3 -g"]
    assert [cell.command.arguments for cell in made.cells] == [("cc", "a.c"), ("cc", "-O3", "-g", "a.c")]


def test_a_hostile_level_stays_a_text(tmp_path):
    for level in ("$(touch evil)", "; touch evil", "{round}", "{{x}}", "'", '"', "-rf", "a\nb", "ünï"):
        head, now = f"[factors]\nx = [{json.dumps(level)}, 'other']\n", {"round": "1", "out": "/o"}
        cell = plan(tmp_path, head + SMALL.replace('"true"', '"true", "{x}", "<{x}>"')).cells[0]
        assert [filled(word, now) for word in cell.command.arguments] == ["true", level, f"<{level}>"]
        shell = plan(tmp_path, head + SMALL.replace('["true"]', '{ shell = "printf %s \\"$x\\"" }')).cells[0].command
        assert filled(shell.arguments[2], now) == 'printf %s "$x"'
        assert [(name, filled(text, now)) for name, text in shell.environment] == [("x", level)]


WRONG = [
    ("rounds = 0\n", 1, 'rounds takes a whole number from 1 on, "until decided" or a width such as "width 1%", not 0'),
    ('rounds = "20"\n', 1, "rounds takes"),
    ("rounds = true\n", 1, "rounds takes"),
    ('rounds = "width 0%"\n', 1, "rounds takes"),
    ('\n\norder = "fast"\n', 3, "order takes one of random, abba, interleaved, sequential, duet, not 'fast'"),
    ('timeout = "soon"\n', 1, "timeout takes a number of seconds, or a text"),
    ("timeout = 0\n", 1, "timeout takes"),
    ("memory = -1\n", 1, "memory takes a size"),
    ("pin = []\n", 1, "pin takes a list of numbers of cores"),
    ('counters = ["cycle"]\n', 1, "counters takes a list of instructions, cycles"),
    ("accept_failures = [0]\n", 1, "accept_failures takes true, false or a list of exit codes"),
    ("nice = 20\n", 1, "nice takes a whole number from -20 to 19"),
    (f"seed = {2**63 + 1}\n", 1, "seed takes a whole number from 0 on, not 9223372036854775809"),
    ("ronuds = 3\n", 1, "there is no key 'ronuds'; did you mean rounds?"),
    ('format = "go"\n', 1, "there is no key 'format'; it belongs into [[benchmark]]"),
    ("[build]\ncomand = ['x']\n", 2, "there is no key 'comand' in [build]; did you mean command?"),
    ('[build]\ncommand = ["make"]\n', 1, "is in no git repository"),
    ('[source]\n\nrevision = "main"\n', 3, "revision: "),
    ('[source]\n\ngit = "gone"\n', 3, "there is no such folder"),
    ("[source]\ntimeout = 3\n", 2, "there is no key 'timeout' in [source]; it stands at the beginning of the file"),
    ("[build]\n", 1, "command is missing in [build]; it takes a list of a program and its arguments"),
    ('[build]\ncommand = "make all"\n', 2, "command takes a list of a program and its arguments"),
    ("[build]\ncommand = []\n", 2, "command takes"),
    ('[build]\ncommand = { shel = "make" }\n', 2, "command takes"),
    ('[build]\ncommand = ["make"]\nenv = { A = 1 }\n', 3, "env takes a table of texts"),
    ('[factors]\nrev = "main"\n', 2, "rev takes a list of levels"),
    ("[factors]\nrev = []\n", 2, "rev takes a list of levels"),
    ("[factors]\nrev = [1.5]\n", 2, "rev takes a list of levels"),
    ('[factors]\nrev = ["a", "b",\n "a"]\n', 2, "rev has the level 'a' twice"),
    ('[factors]\n"a b" = ["x"]\n', 2, "'a b' cannot name a factor: use letters"),
    ('[factors]\nround = ["x"]\n', 2, "'round' cannot name a factor: statera uses the word itself"),
    ('[factors]\na = ["x"]\n[[variant]]\nb = "x"\n', 3, "Leave one of them out"),
    ('[factors]\na = ["1", "1 b=2"]\nb = ["2 b=3", "3"]\n', 1, "two variants are named 'a=1 b=2 b=3'"),
    ('[[variant]]\na = "x"\n\n[[variant]]\nb = "x"\n', 4, "every [[variant]] has the same factors"),
    ('[[variant]]\na = "x"\n[[variant]]\na = "x"\n', 3, "this [[variant]] is there twice"),
    ("[[variant]]\n", 1, "this [[variant]] states no factor"),
    ('[[benchmark]]\nname = "y"\n', 1, "command is missing in [[benchmark]]"),
    ('[[benchmark]]\nname = " "\ncommand = ["y"]\n', 2, "name takes a text that is not empty"),
    ('[[benchmark]]\nname = "y"\n# more\ncommand = ["{x}"]\n', 4, "command: '{x}': there is no placeholder {x}"),
    ('[[benchmark]]\nname = "y"\ncommand = ["y"]\nsetup = ["{round}"]\n', 4, "there is no placeholder {round}"),
    ('[[benchmark]]\nname = "y"\ncommand = ["y"]\nenv = { A = "{" }\n', 4, "env: '{': a { is not closed"),
    (
        '[[benchmark]]\nname = "y"\ncommand = ["y"]\nformat = "go"\noutput = "f"\n',
        5,
        "with format the output is always",
    ),
    (
        '[factors]\nport = ["1", "2"]\n[[service]]\nname = "s"\ncommand = ["s"]\n',
        2,
        "{port} is what statera gives a service. Name the factor otherwise",
    ),
    ('[[benchmark]]\nname = "y"\ncommand = ["y"]\nformat = "gone"\n', 4, "format takes the name of a format"),
    ('[[benchmark]]\nname = "y"\ncommand = ["y"]\ninput = "{build}/x"\n', 4, "there is no placeholder {build}"),
]


def test_what_is_wrong_is_named_with_its_line(tmp_path):
    for text, line, why in WRONG:
        message = refused(tmp_path, text + SMALL)
        assert message.startswith(f"{tmp_path / 'experiment.toml'}:{line}: "), (why, message)
        assert why in message
    levels = json.dumps([str(number) for number in range(40)])
    message = refused(tmp_path, f"[factors]\na = {levels}\nb = {levels}\n" + SMALL)
    assert ":1: the factors have 1,600 combinations, and 1,000 are allowed" in message
    assert ":7: two benchmarks are named 'x'. Rename one" in refused(tmp_path, SMALL + SMALL)
    assert "[[benchmark]] is missing: name what is measured" in refused(tmp_path, "rounds = 3\n")
    for broken in ("[[benchmark", "a = 1\na = 2", "\x00"):
        assert "experiment.toml: not TOML" in refused(tmp_path, broken)
    assert "there is no such file or folder" in stopped(planned, tmp_path / "gone.toml")


def test_a_line_is_found_after_texts_of_several_lines(tmp_path):
    text = '[factors]\na = ["""\n[build]\ncommand = 3\n"""]\n\n[build]\n# here\ncommand = 3\n'
    assert ":9: command takes" in refused(tmp_path, text + SMALL)


def test_sources_of_builds(repository):
    message = refused(repository, WHOLE.replace('"main"', '"mian"'))
    assert ":8: revision: " in message
    assert "there is no revision 'mian'; there are, for instance," in message
    text = '[build]\ncommand = ["make"]\nenv = { A = "{round}" }\n'
    assert ":3: env: '{round}': there is no placeholder {round}" in refused(repository, text + SMALL)
    # Without a source, it is the folder as it is.
    made = plan(repository, '[build]\ncommand = ["cp", "a.c", "{build}/a"]\n' + SMALL)
    assert [each.revision for each in made.builds] == [None]


_VALUES = st.recursive(
    st.sampled_from(
        [True, False, 0, 1, 3, -1, 0.5, "", " ", "x", "{x}", "{", "90s", "1GiB", "go", "until decided", "0"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["shell", "a", "b c"]), inner, max_size=2)
    ),
    max_leaves=4,
)
_TABLE = {name: st.fixed_dictionaries({}, optional=dict.fromkeys(keys, _VALUES)) for name, keys in TABLES.items()}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    head=_TABLE[""],
    factors=st.dictionaries(st.sampled_from(["a", "b", "x"]), st.lists(_VALUES, max_size=3), max_size=2),
    benchmark=st.fixed_dictionaries(
        {"name": st.just("y"), "command": st.sampled_from([["y"], ["y", "{a}"], {"shell": "echo $x"}])},
        optional={name: _VALUES for name in TABLES["benchmark"] if name not in {"name", "command"}},
    ),
)
def test_whatever_a_file_holds_it_is_a_plan_or_refused_and_the_schema_allows_every_plan(
    tmp_path, head, factors, benchmark
):
    plain = {
        name: value
        for name, value in head.items()
        if name not in {"benchmark", "factors", "variant", "source", "build"}
    }
    document = {**plain, "factors": factors, "benchmark": [benchmark]}
    path = written(tmp_path, "".join(f"{name} = {toml(value)}\n" for name, value in document.items()))
    try:
        planned(path)
    except Stop as stop:
        refusal = str(stop)
    else:
        refusal = None
        jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert refusal is None or refusal.startswith(f"{path}:")


def toml(value):
    """Write a value as TOML, tables within a line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(name)} = {toml(each)}" for name, each in value.items()) + " }"
    return f"[{', '.join(map(toml, value))}]" if isinstance(value, list) else json.dumps(value)


def test_the_schema_accepts_what_statera_accepts_and_refuses_what_it_refuses(repository):
    schema = jsonschema.Draft202012Validator(SCHEMA)
    for text in (WHOLE, SMALL, SMALL + '[[variant]]\ncc = ["gcc", "-g"]\n'):
        plan(repository, text)
        schema.validate(tomllib.loads(text))
    for text in ("ronuds = 3\n", "rounds = 0\n", 'order = "fast"\n', "[build]\n", '[build]\ncommand = "make"\n'):
        assert refused(repository, text + SMALL), text
        assert not schema.is_valid(tomllib.loads(text + SMALL)), text
