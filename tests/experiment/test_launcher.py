"""Commands that are started for real: what is measured, what is kept, and what is said of those that fail."""

import os
import shutil
import time

import pytest
from starting import asked, python, shell

from statera.experiment.launcher import Launcher
from support import stopped

MIB = 1 << 20


@pytest.fixture
def program(tmp_path):
    """Write an executable file, and return its path."""

    def write(text, mode=0o755):
        path = tmp_path / "program"
        path.write_bytes(text)
        path.chmod(mode)
        return str(path)

    return write


def test_a_command_is_measured_on_the_monotonic_clock(launcher):
    before = time.monotonic()
    outcome = launcher.run(asked("sleep", "0.02"))
    assert before <= outcome.started <= outcome.started + outcome.time <= time.monotonic()
    assert outcome.time >= 0.02
    assert (outcome.exit, outcome.signal, outcome.failure, outcome.left_over) == (0, None, None, 0)


def test_time_on_the_processor_includes_awaited_children(launcher):
    spin = "import os, time\nwhile time.process_time() < 0.1: pass"
    outcome = launcher.run(shell('"$@"; "$@"', python("").arguments[0], "-c", spin))
    assert outcome.cpu >= 0.2


def test_memory_is_that_of_the_command_and_not_of_an_earlier_one_nor_of_python(launcher):
    large = launcher.run(python("b'1' * (150 << 20)"))
    assert large.memory > 150 * MIB
    ballast = bytes(range(256)) * (1 << 19)
    assert launcher.run(asked("true")).memory <= 4 * MIB
    assert len(ballast) == 128 * MIB


def test_faults_and_switches_are_counted(launcher):
    small, large = launcher.run(asked("true")), launcher.run(python("b'x' * (16 << 20)"))
    assert 0 < small.minor_faults < large.minor_faults
    assert launcher.run(shell("sleep 0.001")).voluntary_switches > 0


def test_a_program_that_does_not_exist(launcher):
    for name, what in {"no-such": "not found in the PATH", "./no": "does not exist"}.items():
        outcome = launcher.run(asked(name))
        assert (outcome.failure, what in outcome.message, outcome.exit) == ("not-found", True, None)


def test_a_program_is_looked_up_in_the_path_that_the_command_gets(launcher, program, tmp_path):
    program(b"#!/bin/sh\nexit 7")
    relative = asked("program", directory=tmp_path)
    assert launcher.run(relative._replace(environment=(("PATH", ""),))).exit == 7
    assert launcher.run(relative._replace(environment=(("PATH", f"/nowhere:{tmp_path}"),))).exit == 7
    assert "no PATH" in launcher.run(relative._replace(environment=())).message


def test_a_program_that_is_not_executable(launcher, program, tmp_path):
    path = program(b"#!/bin/sh\n", mode=0o644)
    assert launcher.run(asked(path)).failure == "not-permitted"
    named = asked("program")._replace(environment=(("PATH", f"{tmp_path}:/nowhere"),))
    assert "chmod +x" in launcher.run(named).message
    assert "is a directory" in launcher.run(asked(str(tmp_path))).message


def test_a_file_that_cannot_be_executed(launcher, program):
    for text, what in {
        b"echo 1\n": "needs a first line such as #!/bin/sh",
        b"#!/no/such/shell\n": "the interpreter that",
        b"\x7fELF garbage": "is not a program",
    }.items():
        outcome = launcher.run(asked(program(text)))
        assert (outcome.failure, what in outcome.message) == ("cannot-start", True), text


def test_an_exit_code_and_a_signal(launcher):
    outcome = launcher.run(shell("exit 3"))
    assert (outcome.exit, outcome.failure, outcome.message) == (3, "exit", "it ended with exit code 3")
    outcome = launcher.run(shell("kill -SEGV $$"))
    assert (outcome.exit, outcome.signal, outcome.failure) == (None, 11, "signal")
    assert "SIGSEGV" in outcome.message


def test_directory_input_and_environment_are_those_asked_for(launcher, tmp_path):
    (tmp_path / "in").write_text("given\n")
    out = tmp_path / "out"
    given = shell("cat; pwd; echo $A; env | wc -l", environment=[("A", "b=c")], directory=tmp_path)
    assert launcher.run(given._replace(input=str(tmp_path / "in"), output=str(out))).failure is None
    text, directory, variable, number = out.read_text().splitlines()
    assert (text, directory, variable) == ("given", str(tmp_path), "b=c")
    assert int(number) <= 4  # PATH and A; the shell adds PWD and OLDPWD


def test_without_files_the_streams_are_empty(launcher, tmp_path):
    names = "for each in 0 1 2; do readlink /proc/self/fd/$each; done >&3"
    assert launcher.run(shell(f"exec 3> {tmp_path}/names; {names}")).exit == 0
    assert set((tmp_path / "names").read_text().split()) <= {"/dev/null", str(tmp_path / "names")}


def test_a_command_has_no_other_descriptors(launcher, tmp_path):
    out = tmp_path / "out"
    launcher.run(python("import os; print(os.listdir('/proc/self/fd'))", output=str(out), errors=str(tmp_path / "e")))
    assert out.read_text() == "['0', '1', '2', '3']\n"  # 3 is the folder that is listed


def test_what_cannot_be_opened_is_named(launcher, tmp_path):
    missing = str(tmp_path / "no" / "file")
    for given in (asked("true", directory=missing), asked("true", input=missing), asked("true", output=missing)):
        outcome = launcher.run(given)
        assert outcome.failure in {"cannot-start", "starter"}
        assert missing in outcome.message
        assert "no such file or directory" in outcome.message
    # A named pipe is refused instead of waited for.
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    for given in (asked("true", input=pipe), asked("true", output=pipe)):
        assert "named pipe" in launcher.run(given).message
    outcome = launcher.run(shell("echo text", output="/dev/full"))
    assert outcome.failure == "disk-full"
    assert "/dev/full cannot be written: no space left on device" in outcome.message


def test_garbage_is_kept_as_it_is(launcher, tmp_path):
    out = tmp_path / "out"
    outcome = launcher.run(python("import os; os.write(1, bytes(range(256)) * 4096)", output=str(out)))
    assert out.read_bytes() == bytes(range(256)) * 4096
    assert (outcome.failure, outcome.output_bytes, outcome.output_cut) == (None, MIB, False)


def test_output_and_errors_are_kept_apart_or_together(launcher, tmp_path):
    out, errors = tmp_path / "out", tmp_path / "errors"
    out.write_text("of an earlier invocation")
    both = shell("echo one; echo two >&2; echo three")
    launcher.run(both._replace(output=str(out), errors=str(errors)))
    assert (out.read_text(), errors.read_text()) == ("one\nthree\n", "two\n")
    launcher.run(both._replace(errors=str(errors)))
    assert errors.read_text() == "two\n"
    outcome = launcher.run(both._replace(output=str(out), errors=str(out)))
    assert out.read_text() == "one\ntwo\nthree\n"
    assert outcome.output_bytes == 14


def test_output_without_end_ends_the_command(launcher, tmp_path):
    for stream in ("output", "errors"):
        out = tmp_path / stream
        outcome = launcher.run(shell("yes >&2 & exec yes", captured=100_000, **{stream: str(out)}))
        assert (outcome.failure, outcome.output_cut) == ("output-limit", True)
        assert "100000 bytes" in outcome.message
        assert out.stat().st_size == 100_000


def test_output_up_to_the_limit_is_kept(launcher, tmp_path):
    out = tmp_path / "out"
    outcome = launcher.run(shell("printf 12345", captured=5, output=str(out)))
    assert (outcome.failure, outcome.output_cut, out.read_text()) == (None, False, "12345")
    outcome = launcher.run(shell("printf 123456", captured=5, output=str(out)))
    assert (outcome.failure, outcome.output_cut, out.read_text()) == ("output-limit", True, "12345")


def test_a_command_that_closes_its_output_goes_on(launcher, tmp_path):
    outcome = launcher.run(shell("echo 1; exec >&- 2>&-; sleep 0.05; exit 4", output=str(tmp_path / "out")))
    assert outcome.exit == 4
    assert (tmp_path / "out").read_text() == "1\n"
    assert outcome.time >= 0.05


def test_arguments_that_are_too_long_or_have_a_zero_byte_are_refused(launcher):
    for argument, what in (("x" * (1 << 18), "too long"), ("a\0b", "zero byte")):
        outcome = launcher.run(asked("true", argument))
        assert (outcome.failure, what in outcome.message) == ("cannot-start", True)
    assert launcher.run(asked("true")).failure is None


def test_a_huge_environment_passes_and_leaves_the_starter_small(launcher, tmp_path):
    variables = [(f"V{i}", "x" * 100_000) for i in range(10)]
    outcome = launcher.run(shell("env | wc -c", environment=variables, output=str(tmp_path / "out")))
    assert outcome.failure is None
    assert int((tmp_path / "out").read_text()) > 1_000_000
    assert launcher.run(asked("true")).memory <= 4 * MIB


def test_names_that_are_not_utf_8_pass(launcher, tmp_path):
    odd = os.fsdecode(b'\xff\xfe \xc3\xa9 \xe2\x82\xac\n"\\')
    folder = tmp_path / odd
    folder.mkdir()
    script = folder / odd
    shutil.copy("/bin/sh", script)
    words = [str(script), "-c", 'printf %s "$1$V$PWD"', "sh", odd]
    given = asked(*words, environment=[("V", odd)], directory=folder, output=str(folder / "out"))
    assert launcher.run(given).failure is None
    assert (folder / "out").read_bytes() == os.fsencode(odd + odd + str(folder))
    assert odd in launcher.run(asked(odd)).message


def test_two_commands_start_together(launcher, tmp_path):
    for name in ("a", "b"):
        os.mkfifo(tmp_path / name)
    # Each waits for the other; one after the other they would never end.
    one = shell("echo 1 > a; read x < b", directory=tmp_path, timeout=60)
    other = shell("read x < a; echo 1 > b; exit 5", directory=tmp_path, timeout=60)
    first, second = launcher.both(one, other)
    assert (first.exit, second.exit) == (0, 5)
    assert first.started < second.started + second.time
    assert second.started < first.started + first.time


def test_without_the_executable_it_says_how_to_get_it(tmp_path):
    message = stopped(Launcher, tmp_path / "statera-runner")
    assert "make setup" in message
    assert message.endswith("[no-runner]")


# So many processes hold so many bytes each, all at the same time.
TOGETHER = """
import os, sys, time
count, size = map(int, sys.argv[1:])
ready, grown = os.pipe()
for _ in range(count):
    if os.fork() == 0:
        held = b"x" * size
        os.write(grown, b".")
        time.sleep(0.3)
        os._exit(0)
for _ in range(count):
    os.read(ready, 1)
while True:
    try:
        os.wait()
    except ChildProcessError:
        break
"""


def test_the_memory_of_processes_at_once_is_that_of_all_of_them(launcher):
    size = 24 << 20
    one, four = (launcher.run(python(TOGETHER, count, size)) for count in (1, 4))
    assert one.memory < 2 * size < 4 * size < four.memory == four.together < 6 * size
    assert launcher.run(shell("exec true")).together == 0
