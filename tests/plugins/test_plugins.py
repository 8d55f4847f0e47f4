"""Plug-ins: the example package, installed and used as a user would; and what broken ones do, which is little."""

import os
import signal
import subprocess
import sys

import pytest

from support import ROOT, fails, go, noisy, write

EXAMPLE = ROOT / "examples" / "plugin"
SUITE = (
    '<test-run start-time="2026-01-01T00:00:00"><environment machine-name="h"/>'
    '<test-case fullname="a.b" result="Passed" duration="{}"/></test-run>'
)
PLAIN = """
from statera.plugins import *
def fits(head): return None if head.first_line == "mine" else "its first line is not `mine`"
def read(file):
    for number, line in list(file.lines())[1:]:
        if line: yield Observation("x", "time", float(line), line=number)
FORMAT = Format(name="mine", sign="a line `mine`", harness="my harness", fits=fits, read=read,
                metrics=(Metric("time", "ms", "time of one call"),))
"""


@pytest.fixture(scope="session")
def example(tmp_path_factory):
    """The example package, installed into a folder of its own."""
    target = tmp_path_factory.mktemp("packages")
    source = tmp_path_factory.mktemp("source") / "plugin"
    subprocess.run(["cp", "-r", EXAMPLE, source], check=True)
    words = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *words, "--target", target, source], check=True)
    return {"PYTHONPATH": str(target)}


@pytest.fixture
def plug_in(tmp_path):
    """Make a package with a plug-in of this source; give the environment in which it is installed."""

    def made(source=PLAIN, name="mine", package="my-package"):
        folder = tmp_path / "packages"
        info = folder / f"{package}-1.2.dist-info"
        info.mkdir(parents=True)
        module = package.replace("-", "_")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[statera.formats]\n{name} = {module}:FORMAT\n")
        (folder / f"{module}.py").write_text(source)
        return {"PYTHONPATH": str(folder)}

    return made


def values(centre):
    return "mine\n" + "".join(f"{value}\n" for value in noisy(centre))


# The example.


def test_the_example_compares_its_files_without_being_named(run, example):
    result = run("compare", EXAMPLE / "old", EXAMPLE / "new", env=example)
    assert result.code == 0, result.err
    assert "test_shop.test_search" in result.out
    assert [line for line in result.out.splitlines() if "test_search" in line and "SLOWER" in line.upper()]


def test_the_example_is_listed_with_its_package_and_described(run, example):
    listed = run("formats", env=example).out.splitlines()
    assert [line for line in listed if line.startswith("nunit ") and "plug-in of statera-nunit 0.1.0" in line]
    described = run("formats", "nunit", env=example).out
    assert "time of one test, without those that failed" in described
    assert "environment, date" in described


def test_the_example_is_completed_and_named(run, example, tmp_path):
    assert "nunit" in run("completion", "bash", env=example).out
    write(tmp_path, **{"a.xml": SUITE.format(1.5)})
    result = run("convert", "a.xml", "--format", "nunit", "-o", "a.csv", env=example)
    assert result.code == 0, result.err
    assert "a.b,time,s," in (tmp_path / "a.csv").read_text()
    assert "timestamp,hostname" in (tmp_path / "a.csv").read_text()


def test_the_example_reads_standard_input_and_compressed_files(run, example):
    result = run("inspect", "-", stdin=SUITE.format(2), env=example)
    assert result.code == 0, result.err


def test_what_the_example_cannot_read_is_a_problem_with_its_line(run, example, tmp_path):
    cases = '<test-case fullname="x" result="Passed" duration="1,234.5"/>\n<test-case fullname="y" result="Failed"/>\n'
    cases += '<test-case fullname="z" result="Skipped"/><test-case fullname="good" result="Passed" duration="0.5"/>'
    write(tmp_path, **{"a.xml": f"<test-run>\n{cases}\n</test-run>"})
    result = run("convert", "a.xml", "-o", "a.csv", env=example)
    assert "a.xml:2: x has the time 1,234.5, which is not a number [malformed-record]" in result.err
    assert "a.xml:3: y did not pass; its time is left out" in result.err
    assert "counted apart: 1 number that is no result" in result.err
    bomb = '<!DOCTYPE a [<!ENTITY e "x">]><test-run><test-case fullname="a" result="Passed"/></test-run>'
    write(tmp_path, **{"b.xml": bomb})
    result = run("inspect", "b.xml", env=example)
    assert "b.xml: the plug-in nunit of statera-nunit 0.1.0 failed: ValueError: line 1 declares an entity" in result.err
    assert "statera_nunit.py:" in result.err


def test_the_library_reads_by_a_plug_in(example, tmp_path):
    write(tmp_path, **{"a.xml": SUITE.format(1.5)})
    script = "import statera, sys; read = statera.read(sys.argv[1]); print(read.sources[0].format, len(read))"
    words = [sys.executable, "-c", script, tmp_path / "a.xml"]
    done = subprocess.run(words, env={**os.environ, **example}, capture_output=True, text=True, check=True)
    assert done.stdout == "nunit 1\n"


# Any plug-in.


def test_a_plug_in_reads_values_in_its_unit(run, plug_in, tmp_path):
    write(tmp_path, old=values(100), new=values(120))
    result = run("compare", "old", "new", env=plug_in())
    assert result.code == 0, result.err
    assert " 100 ms " in result.out
    assert result.out.startswith("x: slower ")


def test_a_plug_in_is_a_candidate_with_its_reason(run, plug_in, tmp_path):
    write(tmp_path, x="hers mine\n")
    fails(run("inspect", "x", env=plug_in()), "  mine (my harness): a line `mine`, but its first line is not `mine`")


def test_a_file_of_two_plug_ins_names_both_and_either_can_be_named(run, plug_in, tmp_path):
    plug_in()
    env = plug_in(PLAIN.replace('"mine",', '"other",', 1), "other", "other-package")
    write(tmp_path, x=values(1))
    fails(run("inspect", "x", env=env), "the content fits several formats (mine, other). Name one with --format")
    assert run("inspect", "x", "--format", "other", env=env).code == 0


BROKEN = {
    "import nothing.at.all": "cannot be loaded: ModuleNotFoundError: No module named 'nothing'",
    "def f(:": "cannot be loaded: SyntaxError",
    "raise SystemExit(3)": "cannot be loaded: SystemExit: 3",
    "FORMAT = 3": "does not describe a format: the entry point leads to 3",
    PLAIN.replace('"mine",', '"go",', 1): "does not describe a format: the entry point has the name mine",
    PLAIN.replace("my harness", ""): "does not describe a format: harness is empty",
    PLAIN
    + "import dataclasses\nFORMAT = dataclasses.replace(FORMAT, values='means')": "values is `means`; it is one of",
    PLAIN + "import dataclasses\nFORMAT = dataclasses.replace(FORMAT, keys=(Key('commit', 'setting', ''),))": (
        "key commit: other formats have it with role `commit` and pooling `always`"
    ),
}


@pytest.mark.parametrize("source", BROKEN)
def test_a_broken_plug_in_says_what_is_wrong_and_breaks_nothing_else(run, plug_in, tmp_path, source):
    env = plug_in(source)
    good = go({"X": noisy(100)})
    write(tmp_path, **{"x": values(1), "go.txt": good})
    for words in (("inspect", "x"), ("inspect", "x", "--format", "mine"), ("formats", "mine")):
        result = run(*words, env=env)
        fails(result, "the plug-in mine of my-package 1.2 ", BROKEN[source])
        assert "Traceback" not in result.err
    assert run("inspect", "go.txt", env=env).err == ""
    listed = run("formats", env=env)
    assert (listed.code, "the plug-in mine of my-package 1.2" in listed.err) == (0, True)
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", **{"x": values(1), "go.txt": good})
    result = run("inspect", "d", "--strict", env=env)
    assert "the content is of no known format; the plug-in mine" in result.out


FAILING = {
    'def fits(head): raise KeyError("k")': "KeyError: 'k' (",
    "def fits(head): return 3": "fits gave 3; it gives None or a sentence",
    'def read(file): raise ValueError("no\\x1b[31m")': "ValueError: no",
    "def read(file): yield 7": "read gave 7; it gives Observation, Problem and NoValue",
    'def read(file): yield Observation("x", "time", "1.5")': "the value '1.5' of 'x' is not a number",
    'def read(file): yield Observation("x", "time", 1, keys={"n": 4})': "the key 'n' has the value 4",
    'def read(file): yield Observation("x", "other", 1)': "the metric other is not declared and has no unit",
    'def read(file): yield Observation("x", "time", 1, process=1)': "x has a process, but the description says",
    'def read(file): yield Observation("x", "time", 1, block="1")': "x has a block, but the description has no word",
    'def read(file): yield Observation("x", "time", 1, line=-1)': "failed: ",
    'def read(file): yield Observation("x", "time", 10**400)': "failed: ",
    "def read(file): return None": "failed: ",
    "def read(file): raise SystemExit": "SystemExit",
    "def read(file): yield from read(file)": "RecursionError",
}


@pytest.mark.parametrize("function", FAILING)
def test_an_error_of_a_plug_in_is_a_message(run, plug_in, tmp_path, function):
    place = PLAIN.index("FORMAT")
    env = plug_in(f"{PLAIN[:place]}{function}\n{PLAIN[place:]}")
    write(tmp_path, x=values(1))
    result = run("inspect", "x", env=env)
    fails(result, "x: ", "the plug-in mine of my-package 1.2 failed: ", FAILING[function])
    assert not {"Traceback", "\x1b"} & set(result.err.split())


def test_impossible_values_of_a_plug_in_are_problems(run, plug_in, tmp_path):
    write(tmp_path, x="mine\nnan\n-1\n2\n")
    result = run("convert", "x", "-o", "x.csv", env=plug_in())
    assert "x:2: time of x is NaN" in result.err
    assert "x:3: time of x is negative" in result.err


def test_values_beyond_the_limit_end_reading(run, plug_in, tmp_path):
    place = PLAIN.index("FORMAT")
    endless = 'import itertools\ndef read(file): return (Observation("x", "time", 1) for _ in itertools.count())\n'
    env = plug_in(PLAIN[:place] + endless + PLAIN[place:])
    write(tmp_path, x=values(1))
    fails(run("inspect", "x", "--limit", "values=1000", env=env), "[too-much]")


def test_two_packages_with_one_name_are_an_error(run, plug_in, tmp_path):
    plug_in()
    env = plug_in(package="other-package")
    write(tmp_path, x=values(1))
    result = run("inspect", "x", "--format", "mine", env=env)
    assert "have the same name mine. Remove one" in result.err


def test_a_file_of_a_format_of_statera_loads_no_plug_in(run, plug_in, tmp_path):
    env = plug_in("import pathlib\npathlib.Path('loaded').touch()\n" + PLAIN)
    write(tmp_path, **{"go.txt": go({"X": noisy(100)})})
    run("inspect", "go.txt", env=env)
    assert not (tmp_path / "loaded").exists()


def test_a_run_reads_what_a_harness_prints_by_a_plug_in(run, plug_in, tmp_path):
    write(tmp_path, out=values(5))
    words = ["run", "--runs", "3", "--format", "mine", "-o", "kept", "cat out", "cat ./out"]
    result = run(*words, env=plug_in())
    assert result.code == 0, result.err
    assert [line for line in result.out.splitlines() if line.startswith("x ") and " ms " in line]
    again = run("compare", "kept", env={"PYTHONPATH": str(tmp_path / "packages")})
    assert "x " in again.out
    assert "the format `mine` cannot be read" in run("compare", "kept").out + run("compare", "kept").err


def test_an_interruption_waits_for_a_plug_in_and_is_130(plug_in, tmp_path):
    # Python would abort if it ended while another thread runs it.
    slow = PLAIN.replace(
        "def fits(head): ", "import sys, time\ndef fits(head): print('asked', flush=True); time.sleep(2); "
    )
    write(tmp_path, x=values(100))
    process = subprocess.Popen(
        [sys.executable, "-m", "statera", "inspect", tmp_path / "x"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | plug_in(slow),
    )
    try:
        assert process.stdout.readline() == "asked\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, err) == (130, "statera: interrupted\n")
