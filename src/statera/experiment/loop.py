"""The loop of an experiment: warm-ups, rounds and looks; every invocation is on disk before the next one begins.

What comes next depends on the plan and on the records alone. A resumed run therefore goes through the same loop, and
skips what its journal holds.
"""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from statera.experiment import host, looks, schedule
from statera.experiment.builds import make_all
from statera.experiment.counters import count_all
from statera.experiment.hosts import Site, made
from statera.experiment.invocations import Task, name_of
from statera.experiment.launcher import HOPELESS
from statera.experiment.services import with_values
from statera.experiment.ssh import HostLost
from statera.support.errors import Stop
from statera.support.interruption import put_off
from statera.support.wording import conjoined, counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.experiment.course import Course
    from statera.experiment.hosts import RemoteSite
    from statera.experiment.invocations import Invoker, Recorded
    from statera.experiment.looks import ResultsSoFar
    from statera.experiment.plan import Cell, Command, Plan
    from statera.experiment.progress import Display
    from statera.experiment.readings import Readings
    from statera.experiment.schedule import Pass, Place
    from statera.reading.store.journal import FailureRecord, Journal, LookRecord, Record, RoundRecord

Reason = Literal["complete", "decided", "limit", "time"]
# After so many failures, and no sample, a baseline is given up.
_PATIENCE: Final = 3
# Benchmarks that a message names.
_NAMED: Final = 5


class Cells:
    """The cells that are left."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._left = {(cell.benchmark, cell.variant): cell for cell in plan.cells}

    def __iter__(self) -> Iterator[Cell]:
        """Yield the cells that are left, also while others are left out."""
        return (cell for pair, cell in list(self._left.items()) if pair in self._left)

    def waiting(self, place: Place, number: int, course: Course, host: str) -> tuple[Cell, ...]:
        """Return the cells of a place that are still to be run on a host in round ``number``."""
        cells = (self._left.get((each, place.variant)) for each in place.benchmarks)
        return tuple(cell for cell in cells if cell and (host, number, *self._plan.names(cell)) not in course.done)

    def units(self) -> list[tuple[Cell, ...]]:
        """Return the cells that are left, those together that one process runs."""
        found: dict[object, list[Cell]] = {}
        for cell in self:
            own = cell.benchmark if cell.suite is None else cell.suite
            found.setdefault((own, cell.variant), []).append(cell)
        return [*map(tuple, found.values())]

    def active(self, course: Course) -> tuple[int, ...]:
        """Return the numbers of the benchmarks that no look has settled and that have cells left."""
        left = {benchmark for benchmark, _ in self._left}
        return tuple(number for number in course.active if number in left)

    def leave_out(self, failed: set[tuple[int, int]]) -> None:
        """Leave out cells, as (benchmark, variant), and benchmarks in which nothing is left to compare.

        Raises ``Stop`` if nothing is left.
        """
        left = Counter(benchmark for benchmark, variant in self._left if (benchmark, variant) not in failed)
        least = min(len(self._plan.variants), 2)
        for benchmark, variant in list(self._left):
            if (benchmark, variant) in failed or left[benchmark] < least:
                del self._left[benchmark, variant]
        if not self._left:
            none = "no two variants are left to compare" if least > 1 else "nothing is left to run"
            raise Stop("nothing-to-run", f"builds or setup commands failed, and {none}")

    def once(self, what: Literal["setup", "cleanup"], invoker: Invoker, display: Display) -> None:
        """Run the setup or the cleanup of every cell; cells with the same command share it."""
        ended: dict[object, str] = {}
        for cell in self:
            own = invoker.own(cell)
            command = own.setup if what == "setup" else own.cleanup
            if command is None:
                continue
            values = invoker.services.lasting(cell)
            key = with_values(command, values)
            if key not in ended:
                ended[key] = invoker.once(command, what, values)
            if ended[key]:
                display.complain(f"{', '.join(self._plan.names(cell))}: {ended[key]}")
                if what == "setup":
                    self.leave_out({(cell.benchmark, cell.variant)})


class Loop:
    """An experiment that runs."""

    def __init__(
        self,
        plan: Plan,
        course: Course,
        journal: Journal,
        *,
        invoker: Invoker,
        results: ResultsSoFar,
        readings: Readings,
        display: Display,
        remote: Sequence[RemoteSite] = (),
    ) -> None:
        """Take what a run needs; without ``remote``, the hosts of ``--on``, commands run on this machine.

        ``invoker`` makes builds, and invocations on this machine, and ``readings`` are of this machine too.
        """
        self.course = course  # what happened so far
        self._plan, self._journal, self._invoker = plan, journal, invoker
        self._results, self._display = results, display
        self._remote = remote
        self._sites = [] if plan.hosts else [Site("", invoker, readings)]
        self._since = time.monotonic()
        self._cells = Cells(plan)
        # Pairs of which standard error was shown.
        self._quoted: set[tuple[str, str]] = set()

    def all(self) -> None:
        """Run everything that is left of the plan.

        Raises ``Stop`` if a command cannot be started at all, or a result cannot be written.
        """
        self._record(
            {
                "kind": "session",
                "started": datetime.now(tz=UTC).isoformat(timespec="seconds"),
                "boot": host.boot(),
                "process": os.getpid(),
            }
        )
        self._connect()
        self._build()
        for cell in self._cells:
            self._invoker.services.lasting(cell)
            self._say_one_start(cell)
        self._at_each(lambda site: self._cells.once("setup", site.invoker, self._display))
        if not self._plan.hosts:
            _check_programs(self._plan, self._cells)
        self._warm_up()
        if looks.by_counts(self._plan):
            self._count()
        reason = self._rounds()
        self._fix_what_decides()
        self._count()
        self._at_each(lambda site: self._cells.once("cleanup", site.invoker, self._display))
        # A host that was lost makes up for its rounds, where no look has used the results.
        if self._plan.rounds.until is not None or not self.course.behind():
            missing = sum(self.course.missing().values())
            self._record({"kind": "end", "reason": reason, "rounds": self.course.rounds, "missing": missing})
        self._journal.sync(force=True)

    def _connect(self) -> None:
        """Connect to the hosts, and record what they are.

        Raises ``Stop`` if none can be used, or one is another machine than before.
        """
        for remote in self._remote:
            name = remote.name
            try:
                site, facts = remote.opened()
            except HostLost as lost:
                self._lose(name, lost, 0)
                continue
            _refuse_other(name, self.course, facts)
            self._say_same(name, facts)
            before = self.course.hosts.get(name)
            if before and before["facts"].get("boot") != facts.get("boot"):
                self._display.say(
                    f"{name} was started again since it was used; a difference between its rounds may come from it"
                )
            self._record({"kind": "host", "host": name, "facts": facts})
            self._sites.append(site)
        self._need_sites()

    def _say_same(self, name: str, facts: dict[str, str]) -> None:
        """Say where two names are one machine, whose commands would run at the same time."""
        others = (self.course.hosts[site.host] for site in self._sites)
        same = [each["host"] for each in others if facts.get("boot") and each["facts"].get("boot") == facts["boot"]]
        if same:
            self._display.complain(
                f"{same[0]} and {name} are one machine: their commands disturb each other. Name each machine once"
            )

    def _lose(self, name: str, lost: HostLost, number: int) -> None:
        """Record that a host takes part no more. Raises ``Stop`` if no other one does."""
        self._record({"kind": "lost", "host": name, "round": number, "message": lost.why})
        self._sites = [site for site in self._sites if site.host != name]
        where = f"was lost in round {number}" if number else "cannot be used"
        self._display.say(f"{name} {where}: {lost.why} [host-lost]")

    def _need_sites(self) -> None:
        if not self._sites:
            raise Stop("host-lost", "no host is left. Make one of them reachable with ssh, without a question")

    def _at_each(self, work: Callable[[Site], object], number: int = 0) -> None:
        """Do something at each site; a host on which it cannot be done is lost."""
        for site in list(self._sites):
            try:
                work(site)
            except HostLost as lost:
                self._lose(site.host, lost, number)
        self._need_sites()

    def _say_one_start(self, cell: Cell) -> None:
        """Say where all values of a variant come from one process, as intervals cannot tell."""
        names = [each.name for each in cell.services if each.scope == "variant"]
        if names and len(self._plan.variants) > 1:
            self._display.complain(
                f"{listed(names)} runs once for each variant, so that what differs between two starts looks like a "
                "difference between variants [one-start]"
            )

    def _build(self) -> None:
        run, identity, display = self._invoker.launcher.run, self._invoker.identity, self._display
        failed = make_all(self._plan, self.course, run, identity=identity, display=display, record=self._record)
        self._cells.leave_out(failed)
        # What failed is not there.
        remote = {each.name: each for each in self._remote}
        self._at_each(lambda site: remote[site.host].receive() if site.host else None)

    def _count(self) -> None:
        invoker, display = self._invoker, self._display
        count_all(self._plan, self._cells, self.course, invoker=invoker, display=display, record=self._record)

    def _warm_up(self) -> None:
        for cells in self._cells.units():
            for place in range(1, self._plan.warmup + 1):
                wanted = [(site, self._cold(cells, place, site)) for site in self._sites]
                asked = [(site, [(cold, place)]) for site, cold in wanted if cold]
                if asked:
                    self._make(asked, 0)

    def _cold(self, cells: tuple[Cell, ...], place: int, site: Site) -> tuple[Cell, ...]:
        """Return the cells that still need warm-up number ``place`` at a site."""
        return tuple(each for each in cells if self.course.warmed[site.host, *self._plan.names(each)] < place)

    def _rounds(self) -> Reason:
        """Run the rounds that are left, and return why they ended."""
        self._since = time.monotonic()
        # A host that was lost first makes up for what others have.
        known = self.course.passes
        for number, current in enumerate(schedule.passes(self._plan)):
            behind = [site for site in self._sites if self.course.passes_on[site.host] <= number]
            if behind:
                self._pass(current, behind)
            if number < known - 1:
                continue
            reason = self._looked(current.round)
            if reason is not None:
                return reason
        return "complete"

    def _pass(self, current: Pass, sites: Sequence[Site]) -> None:
        taking_part = {site.host for site in sites}

        def at_each(work: Callable[[Site], object]) -> None:
            self._at_each(lambda site: work(site) if site.host in taking_part else None, current.round)

        at_each(lambda site: site.readings.begin())
        active = self._cells.active(self.course)
        # What failed once would fail the others of its process again.
        failed = {self._plan.benchmarks.index(each["benchmark"]) for each in self.course.failures}
        steps = {site.host: schedule.steps(self._plan, current, active, site.host, failed) for site in sites}
        for number in range(len(next(iter(steps.values())))):
            wanted = []
            for site in self._sites:
                places = steps[site.host][number] if site.host in taking_part else ()
                found = [
                    (self._cells.waiting(each, current.round, self.course, site.host), each.order) for each in places
                ]
                waiting = [(cells, order) for cells, order in found if cells]
                if waiting:
                    wanted.append((site, waiting))
            if wanted:
                self._make(wanted, current.round)
        now = time.monotonic()
        seconds, self._since = now - self._since, now
        ended: list[RoundRecord] = []

        def end(site: Site) -> None:
            machine, marks = site.readings.end()
            record: RoundRecord = {
                "kind": "round",
                "round": current.round,
                "seconds": seconds,
                "machine": machine,
                "marks": marks,
            }
            ended.append({**record, "host": site.host} if site.host else record)

        at_each(end)
        self._record(*ended)
        self._journal.sync()
        self._display.round_ended()

    def _looked(self, number: int) -> Reason | None:
        """Look at the data after a round if a look is due; return the reason if the rounds end here."""
        extensions = self.course.extensions
        if extensions and number <= extensions[-1]["after"]:
            return None
        rounds = self._plan.rounds
        late = rounds.seconds is not None and self.course.seconds >= rounds.seconds
        if rounds.until is None:
            return "time" if late and number < schedule.most_rounds(rounds) else None
        final = late or number == rounds.looks[-1]
        if not final and number not in rounds.looks:
            return None
        made = self.course.looks
        look = made[-1] if made and made[-1]["round"] == number else self._look(number, final=final)
        if not look["undecided"]:
            return "decided"
        return ("time" if late else "limit") if final else None

    def _fix_what_decides(self) -> dict[str, str]:
        """Return the metric that decides each benchmark; it is fixed before the first look sees a difference."""
        known = self.course.decide
        if known is not None:
            return known["metrics"]
        marks: set[str] = set()
        self._at_each(lambda site: marks.update(site.readings.so_far()), self.course.rounds)
        busy = not looks.BUSY.isdisjoint(marks)
        found = looks.chosen(self._plan, self.course, busy=busy)
        self._record({"kind": "decide", "busy": busy, "metrics": found})
        # Where the number of rounds is fixed, there is nothing to decide.
        if self._plan.decide is None and self._plan.rounds.until is not None:
            self._display.told(looks.said(found))
        return found

    def _look(self, number: int, *, final: bool) -> LookRecord:
        names = [self._plan.benchmarks[each] for each in self._cells.active(self.course)]
        rounds, at = self._plan.rounds, len(self.course.looks) + 1
        # A look that ends the run early spends what is left of alpha.
        share = schedule.share_of_last(rounds, at) if final else rounds.shares[at - 1]
        found = self._results.look(names, at, share, self._fix_what_decides())
        if found.without:
            self._display.complain(
                f"{listed(found.without, _NAMED)}: there is no metric {self._plan.decide}, so that each primary metric "
                "decides. Name another one with --decide-by in a new run"
            )
        record: LookRecord = {
            "kind": "look",
            "look": at,
            "round": number,
            "share": share,
            "benchmarks": names,
            "undecided": list(found.undecided),
            "hopeless": list(found.hopeless),
        }
        self._record(record)
        self._display.looked(self.course, record)
        return record

    def _make(self, wanted: Sequence[tuple[Site, list[tuple[tuple[Cell, ...], int]]]], number: int) -> None:
        """Make invocations at the same time: those of a step, at each site that takes part."""
        at = self.course.number
        asked = []
        for site, places in wanted:
            tasks = []
            for cells, place in places:
                tasks.append(Task.of(cells, at + 1, number, place, self._cpus(place)))
                at += len(cells)
            asked.append((site, tuple(tasks)))
        # Each host has an order of its own.
        shown = dict.fromkeys(cell.benchmark for _, places in wanted for cells, _ in places for cell in cells)
        named = self._named([cells for cells, _ in wanted[0][1]], number, shown if self._plan.hosts else None)
        self._display.begins(named, self.course)
        for site, records in made(asked, self._display.complain):
            if isinstance(records, HostLost):
                self._lose(site.host, records, number)
            else:
                self._take(site, records)
        self._need_sites()

    def _take(self, site: Site, records: Sequence[Recorded]) -> None:
        """Record invocations, and say what failed."""
        for record in records:
            if record["kind"] == "failure":
                self._failed(site, record)
        self._record(*records)
        self._display.made(self.course)
        for record in records:
            if record["kind"] == "failure" and record["variant"] == self._plan.variants[0].name:
                self._without_baseline(record)

    def _named(self, units: list[tuple[Cell, ...]], number: int, benchmarks: Iterable[int] | None) -> str:
        names = " beside ".join(name_of(self._plan, cells) for cells in units)
        if benchmarks is not None:
            those = conjoined([self._plan.benchmarks[each] for each in benchmarks])
            names = f"{those} on {counted(len(self._sites), 'host')}"
        return f"{names} in round {number}" if number else f"{names} in the warm-up"

    def _failed(self, site: Site, record: FailureRecord) -> None:
        where = f", on {site.host}" * bool(site.host)
        words = f"{record['benchmark']}, {record['variant']}{where}: {record['message']}"
        # Before the second round: no later one can give a sample either.
        if record["round"] <= 1 and record["reason"] in HOPELESS:
            raise Stop("cannot-start", f"{words}. Correct the command")
        pair = record["benchmark"], record["variant"]
        printed = site.invoker.printed(record)
        if printed and pair not in self._quoted:
            self._quoted.add(pair)
            words += f"; it printed: {printed}"
        self._display.complain(words)

    def _without_baseline(self, record: FailureRecord) -> None:
        """Leave a benchmark out whose baseline only fails: nothing can be compared with it.

        Raises ``Stop`` if no other benchmark is left.
        """
        pair = record["benchmark"], record["variant"]
        failures = [each for each in self.course.failures if (each["benchmark"], each["variant"]) == pair]
        if len(failures) < _PATIENCE or self.course.samples[pair]:
            return
        printed = next(filter(None, map(self._invoker.printed, reversed(failures))), "")
        quoted = f". It printed: {printed}" if printed else ""
        words = (
            f"{', '.join(pair)}: the baseline failed {len(failures)} times and gave no sample: "
            f"{record['message']}{quoted}"
        )
        number = self._plan.benchmarks.index(record["benchmark"])
        mine = {(cell.benchmark, cell.variant) for cell in self._plan.cells if cell.benchmark == number}
        if all((cell.benchmark, cell.variant) in mine for cell in self._cells):
            raise Stop("baseline-fails", f"{words}. Correct the command, and start a new run")
        self._display.say(f"{words}. The benchmark is left out [baseline-fails]")
        self._cells.leave_out(mine)

    def _cpus(self, place: int) -> tuple[int, ...]:
        cpus = self._plan.machine.cpus
        return cpus if self._plan.order != "duet" else schedule.halves(cpus)[place - 1]

    def _record(self, *records: Record) -> None:
        # An interruption between the two would make a record that the course does not know.
        with put_off():
            self._journal.append(*records)
            for record in records:
                self.course.add(record)


def _refuse_other(name: str, course: Course, facts: dict[str, str]) -> None:
    """Refuse a host whose name means another machine than before: times of the two would be compared."""
    before = course.hosts.get(name)
    for fact in ("host", "cpu"):
        if before and before["facts"].get(fact) != facts.get(fact):
            raise Stop(
                "other-machine",
                f"{name}: was a machine whose {fact} is {before['facts'].get(fact)}, and is now one whose {fact} is "
                f"{facts.get(fact)}. Start a new run",
            )


def _check_programs(plan: Plan, cells: Iterable[Cell]) -> None:
    """Look up the program of every cell, unless the command before each invocation may make it.

    Raises ``Stop`` if one does not exist.
    """
    for cell in cells:
        if cell.prepare is None and _is_absent(cell.command):
            raise Stop(
                "cannot-start",
                f"{', '.join(plan.names(cell))}: {cell.command.arguments[0]} is not found. Correct the command, or "
                "name the program with its path",
            )


def _is_absent(command: Command) -> bool:
    program, variables = command.arguments[0], {**os.environ, **dict(command.environment)}
    if "{" in program:
        # It differs between invocations.
        return False
    if "/" in program:
        return not os.access(Path(command.directory or "", program), os.F_OK)
    return shutil.which(program, path=variables.get("PATH")) is None
