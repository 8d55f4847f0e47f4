"""What whoever waits for a run sees: a few calm lines on a terminal that go away, plain lines elsewhere."""

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time

from recorded import look, plan
from statera.experiment import progress
from statera.experiment.course import Course
from statera.experiment.plan import Rounds
from support import compare, fails, go, noisy, terminal_of


def on_a_terminal(folder, *words, columns=80, rows=24):
    """Run with standard error on a terminal; return what standard output and the terminal get."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    with os.fdopen(theirs, "wb") as stream:
        command = [sys.executable, "-m", "statera", "run", *words]
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=stream, env={**os.environ, "TERM": "xterm"}
        )
    text = terminal_of(ours)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out.decode(), text


def screen(text, columns=80):
    """The lines that a terminal shows in the end."""
    lines, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[\d*[AJK]|\r|\n|[^\x1b\r\n]+", text):
        if piece == "\r":
            column = 0
        elif piece == "\n":
            row += 1
            if row == len(lines):
                lines.append("")
        elif piece.endswith("A") and piece.startswith("\x1b"):
            row = max(row - int(piece[2:-1] or 1), 0)
        elif piece == "\x1b[J":
            lines[row] = lines[row][:column]
            del lines[row + 1 :]
        elif piece.startswith("\x1b"):
            lines[row] = lines[row][:column]
        else:
            lines[row] = lines[row][:column].ljust(column) + piece + lines[row][column + len(piece) :]
            column += len(piece)
            assert column <= columns or "statera:" in lines[row]
    return [line for line in lines if line.strip()]


def test_a_terminal_shows_the_running_effects_and_nothing_of_them_stays(tmp_path):
    words = ("-r", "7", "-o", "run", "-n", "a", "-n", "b", "sleep 0.1", "sleep 0.11")
    out, text = on_a_terminal(tmp_path, *words)
    assert "\na → b   statera run, sleep, 7 pairs\n" in out
    drawn = re.findall(r"(\d+) of 7 rounds done", text)
    assert len(drawn) >= 2
    assert [int(each) for each in drawn] == sorted(map(int, drawn))
    left = screen(text)
    assert len(left) == 2
    assert left[0].startswith("statera: the run is in run")
    assert left[1].startswith("statera: all rounds are done: 7 rounds")


def test_a_small_terminal_is_never_overfull_and_no_name_controls_it(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty, terminal.fileno = lambda: True, lambda: 2
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(os, "get_terminal_size", lambda _: (30, 4))
    monkeypatch.setenv("TERM", "xterm")
    effects = [f"a\x1b]0;title\x07, time {number}: +5.0% [+4.1%, +5.9%] worse" for number in range(9)]
    display, course = progress.Display(plan(), lambda: effects), Course(plan(), rounds(1.0, 2.0))
    for text in ("one", "two"):
        display.looked(course, look(1, 2, 0.5, ["work"], ["work"]))
        display.say(text)
    display.made(course)
    display.looked(course, look(2, 2, 0.5, ["work"], ["work"]))
    display.close()
    text = terminal.getvalue()
    assert "worse" in text
    assert not re.search("\x07|\x1b\\]", text)
    for drawing in re.split(r"\r(?:\x1b\[\d+A)?\x1b\[J", text):
        lines = [line for line in drawing.replace("\r", "").split("\n") if "statera:" not in line]
        assert len(lines) <= 4
        assert all(len(line) < 30 for line in lines)
    # As the terminal's driver ends lines.
    assert screen(text.replace("\n", "\r\n"), 30) == ["statera: one", "statera: two"]


def test_elsewhere_lines_are_plain_and_appear_at_looks(run, tmp_path):
    # Eight pairs decide nothing at this level, whatever they are.
    words = ("-M", "8", "--alpha", "0.001", "-n", "a", "-n", "b", "true", "true")
    done = run("run", "-o", tmp_path / "out", *words)
    assert done.code == 0, done.err
    assert "\x1b" not in done.err
    assert re.search(r"^statera: \d+ of at most 8 rounds done, .* without a clear change$", done.err, re.MULTILINE)
    assert re.search(r"^statera:   true, cpu: ", done.err, re.MULTILINE)


def test_the_look_that_decides_everything_is_followed_by_the_table_alone(run, tmp_path):
    # Margins that no machine exceeds, however busy it is.
    margins = ("--margin", "time=1000000%", "--margin", "cpu=1000000%")
    done = run("run", "-o", tmp_path / "out", "-n", "a", "-n", "b", "true", "true", *margins)
    assert done.code == 0, done.err
    assert "every benchmark is decided: 9 rounds" in done.err
    assert '"reason":"decided"' in (tmp_path / "out/journal.ndjson").read_text()
    assert [line for line in done.err.splitlines() if ":   true, " in line] == []


def test_benchmarks_that_go_on_are_named_by_what_they_lack():
    names = ["long", "short"]
    decided = plan(rounds=Rounds(until="decided", looks=(5, 23), shares=(0.5, 0.5)))
    assert progress.hopeless(decided, names) == "probably still without a clear change after 23 rounds: long, short"
    narrow = plan(rounds=Rounds(until="width", width=0.01, looks=(5, 23), shares=(1.0, 1.0)))
    assert progress.hopeless(narrow, names[:1]) == "probably still too wide after 23 rounds: long"


def test_a_failure_is_told_once_whichever_output_shows_it(run, tmp_path):
    done = run("run", "-r", "4", "-o", tmp_path / "out", "-n", "a", "-n", "b", "--format", "go", "true", "true")
    assert done.code == 2
    assert len([line for line in done.err.splitlines() if line.startswith("statera: true, b: ")]) == 1


def test_a_baseline_without_a_sample_ends_in_one_sentence(run, tmp_path):
    done = run("run", "-r", "2", "-o", tmp_path / "out", "false", "true")
    fails(done, "no invocation of 'false' gave a sample: there is nothing to compare with [nothing-to-compare]")
    assert "--baseline" not in done.err


def test_what_failing_commands_print_can_be_shown(run, tmp_path):
    words = ("-r", "1", "-n", "a", "-n", "b", "sh -c 'echo told; echo why >&2; exit 1'", "true")
    hint = "--output inherit shows what the commands print"
    assert hint in run("run", "-o", tmp_path / "first", *words).err
    shown = run("run", "-o", tmp_path / "second", "--output", "inherit", *words).err
    assert "\ntold\nwhy\n" in shown
    assert hint not in shown


def test_notes_of_a_run_name_a_command_that_takes_their_options(run, tmp_path):
    for verb, commands in (("compare", ("true", "true 2")), ("inspect", ("true",))):
        folder = tmp_path / verb
        done = run("run", "-r", "2", "-o", folder, "--notes", *commands)
        assert f"statera {verb} {folder} --all-metrics shows them. [metrics-not-compared]" in done.out
        assert "user" in run(verb, folder, "--all-metrics").out


def rounds(*seconds):
    return [
        {"kind": "round", "round": number, "seconds": each, "machine": {}, "marks": []}
        for number, each in enumerate(seconds, 1)
    ]


def test_the_time_left_follows_from_the_last_round():
    for planned, order, left in (
        (Rounds(number=10), "random", 14.0),
        (Rounds(until="decided", looks=(5, 23), shares=(0.5, 0.5)), "random", 40.0),
        (Rounds(number=10, seconds=8.0), "random", 3.0),
        (Rounds(number=10, seconds=4.0), "random", 0.0),
        # Each variant has its rounds.
        (Rounds(number=10), "sequential", 34.0),
    ):
        experiment = plan(rounds=planned)._replace(order=order)
        assert progress.time_left(experiment, Course(experiment, rounds(1.0, 2.0, 2.0))) == left, planned


def test_more_rows_than_are_shown_are_counted(tmp_path):
    most = progress._MOST
    sides = [{f"B{number}": noisy(100, 4, seed=number) for number in range(most + 2)} for _ in range(2)]
    lines = progress.effects(compare(tmp_path, *map(go, sides)))
    assert len(lines) == most + 1
    assert lines[-1] == "and 2 more rows"
    few = {"B": noisy(100, 4)}
    assert len(progress.effects(compare(tmp_path, go(few), go(few)))) == 1


def test_what_runs_is_shown_at_once_and_every_second_on_a_terminal(tmp_path):
    _, text = on_a_terminal(tmp_path, *("-r", "1", "-o", "run", "-n", "a", "-n", "b", "sleep 1.3", "true"))
    assert re.search(r"now (sleep, a|command, [ab]) in round 1, for 0.0 s", text)
    assert re.search(r"now command, a in round 1, for 1.\d s", text)


def test_elsewhere_a_line_comes_while_a_command_runs(monkeypatch):
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(progress, "_LINE", 0.02)
    display = progress.Display(plan(), list)
    display.begins("work, a in round 1", Course(plan()))
    while "now work, a in round 1, for 0." not in shown.getvalue():
        time.sleep(0.01)
    display.close()
    assert "starting" not in shown.getvalue()
