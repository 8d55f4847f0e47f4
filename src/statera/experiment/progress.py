"""How far a run is, in words: for ``--status``, and on standard error while it runs."""

from __future__ import annotations

import os
import re
import shlex
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.experiment.schedule import duration_in_words, most_rounds
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.course import Course
    from statera.experiment.plan import Plan
    from statera.reading.store.journal import LookRecord

# Rows that are shown; the comparison at the end shows all.
_MOST: Final = 12
# What a benchmark is that goes on.
_UNCLEAR: Final = "without a clear change"
_OPEN: Final = {"decided": _UNCLEAR, "width": "too wide", None: _UNCLEAR}
_ENDS: Final = {
    "complete": "all rounds are done",
    "decided": "every benchmark is decided",
    "limit": "the last look is done",
    "time": "the time is over",
}
_REDRAWN: Final = 0.5
_SECOND: Final = 1.0
_LINE: Final = 10.0
# Effects take time to compute: so many times as long passes between two computations, and at least two seconds.
_RARELY: Final = 20
_AT_LEAST: Final = 2.0
# The name of an output has the number of its invocation.
_OUTPUT: Final = re.compile(r"\braw/\d+")


def heading(plan: Plan, course: Course) -> str:
    """Say how many rounds are done, how long they took and may still take, and how many benchmarks go on."""
    if course.end is not None:
        missing = f"; {counted(course.end['missing'], 'sample')} missing" if course.end["missing"] else ""
        where = f" on {counted(len(course.rounds_on), 'host')}" * bool(plan.hosts)
        rounds = f"{counted(course.end['rounds'], 'round')}{where} in {duration_in_words(course.seconds)}"
        return f"{_ENDS[course.end['reason']]}: {rounds}{missing}"
    if not course.done:
        # Another thread may ask while the first one counts.
        warmed = sum([*course.warmed.values()])
        return f"warming up, {counted(warmed, 'invocation')} done" if warmed else "starting"
    parts = [f"{_rounds(plan, course)} done", *[duration_in_words(course.seconds)] * bool(course.rounds)]
    left = time_left(plan, course)
    if left and course.active:
        parts.append(f"{'' if plan.rounds.until is None else 'at most '}{duration_in_words(left)} left")
    if course.looks:
        parts.append(f"{len(course.active)} of {len(plan.benchmarks)} {_OPEN[plan.rounds.until]}")
    if course.failures:
        parts.append(f"{counted(len(course.failures), 'invocation')} failed")
    return ", ".join(parts)


def time_left(plan: Plan, course: Course) -> float | None:
    """Return the seconds that the rest takes if every round lasts as long as the last one; None if there was none."""
    if course.last_round is None:
        return None
    passes = most_rounds(plan.rounds) * (len(plan.variants) if plan.order == "sequential" else 1)
    left = course.last_round["seconds"] * (passes - course.passes)
    limit = plan.rounds.seconds
    return left if limit is None else min(left, max(limit - course.seconds, 0.0))


def effects(comparison: Comparison) -> list[str]:
    """Write change, interval and verdict of every row, the first rows only if there are many."""
    weighing = comparison.weighing
    lines = [_effect(comparison, row) for row in range(min(len(weighing), _MOST))]
    if left := max(len(weighing) - _MOST, 0):
        lines.append(f"and {counted(left, 'more row')}")
    return lines


def hopeless(plan: Plan, names: Sequence[str]) -> str:
    """Name the benchmarks that the last look will probably not decide."""
    return f"probably still {_OPEN[plan.rounds.until]} after {most_rounds(plan.rounds)} rounds: {listed(names, _MOST)}"


def missing(course: Course) -> list[str]:
    """Name the benchmarks and variants that lack samples."""
    lacking = [f"{benchmark}, {variant}: {count}" for (benchmark, variant), count in course.missing().items()]
    return [f"missing samples: {listed(lacking, _MOST)}"] if lacking else []


def unprinted(comparison: Comparison) -> list[str]:
    """Name the benchmarks that a program did not print in some rounds."""
    dropped: dict[tuple[str, str, str], list[int]] = {}
    for row in map(comparison.weighing.row_dict, range(len(comparison.weighing))):
        dropped.setdefault((row["group"], row["benchmark"], row["contender"]), []).append(row["pairs_dropped"])
    # A single metric may have no value in a round.
    lacking = [
        f"{shown(benchmark)}, {shown(contender)} or its baseline: {min(rounds)}"
        for (_, benchmark, contender), rounds in dropped.items()
        if min(rounds)
    ]
    return [f"missing samples: {listed(lacking, _MOST)}"] if lacking else []


def lost(plan: Plan, course: Course, path: Path) -> list[str]:
    """Name each host that takes part no more, and how its rounds can be made; ``path`` is the folder of the run."""
    known = {host: each for host, each in course.lost.items() if host in plan.hosts}
    lines = []
    for host, record in known.items():
        when = f"was lost in round {record['round']}" if record["round"] else "could not be used"
        has = f"{course.passes_on[host]} of {course.passes} rounds"
        lines.append(f"{host} {when} ({record['message']}): the results have {has} of it")
    if lines:
        way = "--resume" if course.end is None else "--more 20"
        what = "makes the missing rounds" if course.end is None else "adds rounds on all hosts"
        lines[-1] += f". statera run {way} {shlex.quote(str(path))} {what}"
    return lines


def _rounds(plan: Plan, course: Course) -> str:
    number = plan.rounds.number
    of = f"at most {most_rounds(plan.rounds)}" if number is None else f"{number}"
    return f"{course.rounds} of {of} rounds"


def _effect(comparison: Comparison, row: int) -> str:
    weighing = comparison.weighing
    fields = weighing.row_dict(row)
    names = [fields["benchmark"], fields["metric"]]
    # With two variants it is the other one.
    if comparison.labels[2:]:
        names.insert(1, fields["contender"])
    change = weighing.cells(row, ("change", "interval"))
    known = " ".join(cell for cell in change if cell and cell != "-")
    return f"{', '.join(map(shown, names))}: {known or 'too few runs'} {shown(weighing.cell(row, 'word'))}"


class Display:
    """Tells about a run. ``effects`` computes the lines of the running effects.

    While a command runs, another thread draws the lines again, every second on a terminal and every ten seconds
    elsewhere.
    """

    def __init__(self, plan: Plan, effects: Callable[[], list[str]]) -> None:
        self._plan, self._effects = plan, effects
        self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._lines: list[str] = []
        self._drawn = 0
        self._computed = time.monotonic()
        # The first lines of a terminal appear at once.
        self._shown = self._computed - (_REDRAWN if self._live else 0.0)
        self._cost = 0.0
        self._now: tuple[str, float] | None = None
        self._drawing = threading.RLock()
        self._over = threading.Event()
        self._clock: threading.Thread | None = None
        self._complaints: set[str] = set()

    def say(self, text: str) -> None:
        """Print a line that stays."""
        with self._drawing:
            self._erase()
            print(_native.for_terminal(f"statera: {text}"), file=sys.stderr, flush=True)

    def begins(self, what: str, course: Course) -> None:
        """Take note of a command that starts; the first one is shown at once."""
        self._now = what, time.monotonic()
        if self._clock is None:
            self._clock = threading.Thread(target=self._tick, args=(course,), daemon=True)
            self._clock.start()
            if self._live:
                self._show(course)

    def told(self, text: str) -> None:
        """Print a line that stays, if there is one."""
        if text:
            self.say(text)

    def complain(self, text: str) -> None:
        """Print a line about something wrong, once, whichever outputs it names."""
        kind = _OUTPUT.sub("", text)
        if kind not in self._complaints:
            self._complaints.add(kind)
            self.say(text)

    def made(self, course: Course) -> None:
        """Take note of an invocation."""
        now = time.monotonic()
        if now - self._shown >= (_REDRAWN if self._live else _LINE):
            self._show(course)

    def round_ended(self) -> None:
        """Take note of a round: on a terminal, compute the effects again where it costs little."""
        now = time.monotonic()
        if now - self._computed >= max(_AT_LEAST if self._live else _LINE, _RARELY * self._cost):
            self._compute()

    def looked(self, course: Course, look: LookRecord) -> None:
        """Take note of a look: name the benchmarks that it decided, and those that the last look will not decide."""
        self._now = None
        # The table of the comparison follows the look that decides the last benchmark.
        if look["undecided"]:
            self._compute()
            self._show(course)
        if look["hopeless"]:
            self.complain(hopeless(self._plan, look["hopeless"]))

    def close(self) -> None:
        """Take the live lines away."""
        self._over.set()
        if self._clock is not None:
            self._clock.join()
        self._erase()

    def _tick(self, course: Course) -> None:
        often = _SECOND if self._live else _LINE
        while not self._over.wait(often):
            # Standard error may be gone; the main thread finds out.
            with suppress(OSError, ValueError), self._drawing:
                if time.monotonic() - self._shown >= often / 2:
                    self._show(course)

    def _compute(self) -> None:
        begun = time.monotonic()
        self._lines = self._effects()
        self._computed = time.monotonic()
        self._cost = self._computed - begun

    def _show(self, course: Course) -> None:
        running = self._running()
        # Before the first invocation ended, what runs says more than that it starts.
        head = [heading(self._plan, course)] if course.done or course.warmed or not running else []
        lines = [*head, *running, *(f"  {line}" for line in self._lines)]
        with self._drawing:
            self._erase()
            if self._live:
                self._draw(lines)
            else:
                plain = (_native.for_terminal(f"statera: {line}") for line in lines)
                print(*plain, sep="\n", file=sys.stderr, flush=True)
            self._shown = time.monotonic()

    def _running(self) -> list[str]:
        """Say what runs, and for how long."""
        if self._now is None:
            return []
        what, since = self._now
        return [f"now {what}, for {duration_in_words(time.monotonic() - since)}"]

    def _draw(self, lines: list[str]) -> None:
        columns, rows = 80, 24
        with suppress(OSError):
            columns, rows = os.get_terminal_size(sys.stderr.fileno())
        shown = [_native.shortened(_native.printable(line), max(columns - 1, 1)) for line in lines[: max(rows - 1, 1)]]
        print("\n".join(shown), end="", file=sys.stderr, flush=True)
        self._drawn = len(shown)

    def _erase(self) -> None:
        if self._drawn:
            up = f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else ""
            print(f"\r{up}\x1b[J", end="", file=sys.stderr, flush=True)
            self._drawn = 0
