"""A run from its folder's point of view: a new one, one that continues, or one that gets more rounds.

More rounds are those of ``--more``, or of ``-r`` and ``-M`` with ``--resume``. The looks of a run share alpha. What no
look has spent is for the looks of the extension. If nothing is left, because the run ended undecided at its last look,
an extension is a new chance of a false alarm: it spends half of alpha, the next one a quarter, and so on, so that a run
has at most twice the probability. Statera says how much it is.
"""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import suppress
from datetime import UTC, datetime
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from statera.experiment import host, progress, schedule
from statera.experiment.builds import make_all, sources_of
from statera.experiment.course import Course
from statera.experiment.hosts import RemoteSite
from statera.experiment.invocations import Invoker
from statera.experiment.launcher import Launcher, left_behind
from statera.experiment.looks import ResultsSoFar
from statera.experiment.loop import Loop
from statera.experiment.plan import Rounds, as_json, from_json
from statera.experiment.progress import Display
from statera.experiment.readings import Readings
from statera.reading.store import run_folder
from statera.reading.store.run_folder import Manifest
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.names import as_text
from statera.support.settings import Policy, checked
from statera.support.settings.file import Settings, differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.experiment.plan import Plan
    from statera.reading.store.journal import ExtendRecord, Record
    from statera.reading.store.run_folder import OpenRun

_NO_FILES: Final = frozenset({"discard", "capture", "inherit"})


class Ran(NamedTuple):
    """A run that reached the end of its plan."""

    plan: Plan  # what was run
    path: Path  # its folder
    settings: Settings  # by which its looks judged
    course: Course  # what happened


def begin(plan: Plan, path: Path, command: Sequence[str], settings: Settings) -> Ran:
    """Run an experiment in a folder that does not exist, or is empty; the manifest gets the words of the command line.

    Raises ``Stop`` if the folder cannot be used, a command cannot be started, or a result cannot be written.
    """
    new = [each for each in (path, *path.parents) if not each.exists()]
    try:
        with Launcher() as starter, run_folder.started(path, _manifest(plan, command, settings)) as run:
            return Ran(plan, path, settings, _conducted(plan, run, settings, starter))
    except Stop as stop:
        if stop.code in {"cannot-start", "service-failed", "host-lost", "no-ssh"} and _discard(path, new):
            # The lines of a service that failed are the last ones.
            end = "\nNothing of the run is kept" if "\n" in str(stop) else "; nothing of the run is kept"
            raise Stop(stop.code, f"{stop}{end}") from None
        raise


def _discard(path: Path, new: Sequence[Path]) -> bool:
    """Remove a run without a sample, and its new folders: after its command is corrected, its plan is another one."""
    folder = run_folder.RunFolder(path)
    if any(record["kind"] == "invocation" and record["round"] for record in run_folder.replay(path)):
        return False
    shutil.rmtree(path / run_folder.RAW)
    folder.journal.unlink()
    folder.manifest.unlink()
    with suppress(OSError):
        for each in new:
            each.rmdir()
    return True


def resume(path: Path, more: Extension | None = None) -> Ran:
    """Continue an interrupted run to the end of its plan; a finished one is returned as it is, or extended by ``more``.

    Raises ``Stop`` if there is no such run, it is in use, or another machine began it; and as ``begin``.
    """
    if more is None and (ran := finished(path)):
        return ran
    with Launcher() as starter, run_folder.resumed(path, ended=more is not None) as run:
        settings = settings_of(run.manifest, path)
        plan = plan_of(run.manifest, path)
        if not plan.hosts:
            _same_machine(run.manifest, path)
        if more is not None:
            _extend(run, path, more, settings)
        plan = extended(plan, run.records)
        left_behind(run.manifest.id)
        return Ran(plan, path, settings, _conducted(plan, run, settings, starter))


def finished(path: Path) -> Ran | None:
    """Return a run that has ended; None if it has not. Raises ``Stop`` if there is no run."""
    manifest, records = run_folder.read(path / run_folder.NAME), run_folder.replay(path)
    if not run_folder.has_ended(records):
        return None
    plan = extended(plan_of(manifest, path), records)
    return Ran(plan, path, settings_of(manifest, path), Course(plan, records))


def _extend(run: OpenRun, path: Path, more: Extension, settings: Settings) -> None:
    """Record an extension."""
    plan = extended(plan_of(run.manifest, path), run.records)
    record = record_of(plan, Course(plan, run.records), more, path, settings.policy.alpha)
    run.journal.append(record)
    run.records.append(record)


def status(path: Path) -> list[str]:
    """Describe how far a run is, also while it runs: rounds, time left, running effects.

    Raises ``Stop`` if there is no run.
    """
    manifest, records = run_folder.read(path / run_folder.NAME), run_folder.replay(path)
    plan = extended(plan_of(manifest, path), records)
    course = Course(plan, records)
    effects = ResultsSoFar(plan, path, settings_of(manifest, path)).effects()
    lost = progress.lost(plan, course, path)
    return [progress.heading(plan, course), *lost, *progress.missing(course) * (course.end is not None), *effects]


def build(plan: Plan) -> bool:
    """Make the builds of a plan alone; return whether one failed."""
    course, display = Course(plan), Display(plan, list)
    identity = secrets.token_hex(16)
    with Launcher() as starter:
        return bool(make_all(plan, course, starter.run, identity=identity, display=display, record=course.add))


def plan_of(manifest: Manifest, path: Path) -> Plan:
    """Return the plan of a manifest."""
    return from_json(manifest.plan, f"{path / 'manifest.json'}: plan")


def settings_of(manifest: Manifest, path: Path) -> Settings:
    """Return the settings of a manifest: a run is judged by the same ones to its end."""
    values: dict[str, Any] = {name: _pairs(value) for name, value in manifest.policy.items()}
    try:
        return Settings(checked(Policy(**values)))
    except TypeError as error:
        raise Stop("damaged-run", f"{path / 'manifest.json'}: policy: {error}; another version wrote it") from None


def inputs(plan: Plan) -> list[str]:
    """Return the files that are standard input of a command."""
    return sorted({cell.input for cell in plan.cells if cell.input is not None})


def refuse_overwriting(plan: Plan, folder: Path) -> None:
    """Refuse a plan whose commands would write to an input, or into the folder of the run."""
    read, own = {os.path.realpath(name) for name in inputs(plan)}, os.path.realpath(folder)
    for name in sorted({cell.output for cell in plan.cells} - _NO_FILES):
        path = os.path.realpath(name)
        if path in read:
            raise outputs.input_refused(name)
        if os.path.commonpath([path, own]) == own:
            raise Stop(
                "bad-option", f"--output {name}: is in the folder of the run, which has other files. Name another"
            )


def default_folder() -> Path:
    """Name the folder of a run for which the user names none."""
    return Path("statera-runs") / f"{datetime.now().astimezone():%Y-%m-%d}-{secrets.token_hex(3)}"


def newest() -> Path | None:
    """Return the newest of the runs for which the user named no folder; None if there is none."""
    found = [path for path in default_folder().parent.glob("*") if run_folder.is_run(path)]
    return max(found, key=lambda path: (path / run_folder.NAME).stat().st_mtime, default=None)


def _pairs(value: object) -> object:
    return tuple(tuple(each) for each in value) if isinstance(value, list) else value


def _manifest(plan: Plan, command: Sequence[str], settings: Settings) -> Manifest:
    return Manifest(
        id=secrets.token_hex(16),
        created=datetime.now(tz=UTC).isoformat(timespec="seconds"),
        command=[as_text(word) for word in command],
        plan=as_json(plan),
        environment=host.environment(),
        host=dict(host.facts()),
        tools=dict(host.tools(host.named_tools(plan))),
        sources=sources_of(plan),
        policy={each.name: each.value for each in differences(settings.policy)},
    )


def _same_machine(manifest: Manifest, path: Path) -> None:
    """Refuse to continue on another machine: its times would be compared with those of the first."""
    now = host.facts()
    for name in ("host", "cpu"):
        before = manifest.host.get(name)
        if before and now.get(name) and before != now[name]:
            raise Stop(
                "other-machine",
                f"{path}: began on a machine whose {name} is {before}, and this one's is {now[name]}. Continue there, "
                "or start a new run here",
            )


def _conducted(plan: Plan, run: OpenRun, settings: Settings, starter: Launcher) -> Course:
    course = Course(plan, run.records)
    results = ResultsSoFar(plan, run.folder.path, settings)
    display = Display(plan, results.effects)
    _say_what_changed(plan, course, display)
    remote = [RemoteSite(each, plan, run.folder, run.manifest.id, display.say) for each in plan.hosts]
    try:
        with Readings(() if plan.hosts else plan.machine.cpus) as readings:
            invoker = Invoker(plan, run.folder, run.manifest.id, starter)
            invoker.say = display.say
            loop = Loop(
                plan,
                course,
                run.journal,
                invoker=invoker,
                results=results,
                readings=readings,
                display=display,
                remote=remote,
            )
            try:
                loop.all()
            finally:
                invoker.services.close()
                for each in remote:
                    each.close()
    finally:
        display.close()
    return course


def _say_what_changed(plan: Plan, course: Course, display: Display) -> None:
    if not plan.hosts and course.sessions and course.sessions[-1]["boot"] != host.boot():
        display.say("the machine was started again since this run began; a difference between rounds may come from it")


# All looks of a run together spend at most so many times alpha, whatever is added to it.
_MOST: Final = 2.0
_PER_CENT: Final = 100


class Extension(NamedTuple):
    """How many rounds a run shall have."""

    number: int  # of rounds
    # ``more``: in addition to those that it has; ``exactly``: altogether; ``most``: at most, with looks
    way: Literal["more", "exactly", "most"]
    option: str  # how a message names it


def extended(plan: Plan, records: Iterable[Record]) -> Plan:
    """Return a plan with the rounds of the last extension among the records, or as it is."""
    last = next((each for each in reversed([*records]) if each["kind"] == "extend"), None)
    return plan if last is None else plan._replace(rounds=_rounds(plan, last))


def record_of(plan: Plan, course: Course, wanted: Extension, path: Path, alpha: float) -> ExtendRecord:
    """Return the record of an extension of a plan with its earlier ones; the looks share ``alpha``.

    Benchmarks without a decision go on; if there are none, all go on.

    Raises ``Stop`` if there are no more rounds than before, or the order allows none; it names the folder of the run.
    """
    done = course.rounds
    last = wanted.number + done if wanted.way == "more" else wanted.number
    if plan.order == "sequential":
        raise Stop("bad-option", f"{wanted.option}: {path} is of sequential order, to which nothing can be added")
    if last <= done:
        raise Stop("bad-option", f"{wanted.option} {last}: {path} has {done} rounds already. Give a larger number")
    spent = spent_by(plan, course)
    numbers, shares = _looks(plan, done, last, spent, alpha) if len(plan.variants) > 1 else ((), ())
    if wanted.way != "most" and numbers:
        numbers, shares = (last,), (shares[0] if plan.rounds.until == "width" else sum(shares),)
    looks = course.looks
    active = [plan.benchmarks[number] for number in course.active]
    return {
        "kind": "extend",
        "after": done,
        "rounds": last,
        "looks": [*(each["round"] for each in looks), *numbers],
        "shares": [*(each["share"] for each in looks), *shares],
        "spent": spent,
        "benchmarks": active or list(plan.benchmarks),
    }


def spent_by(plan: Plan, course: Course) -> float:
    """Return how often alpha was spent by the looks so far; the end of a fixed number of rounds spends all of it."""
    before = course.extensions[-1] if course.extensions else None
    if before is None and plan.rounds.until is None:
        return float(course.ended)
    if before is None:
        return sum(look["share"] for look in course.looks)
    known = len([each for each in before["looks"] if each <= before["after"]])
    return before["spent"] + sum(look["share"] for look in course.looks[known:])


def extension_in_words(plan: Plan, course: Course, alpha: float) -> str:
    """Say how probable a false alarm is after extensions; nothing if no more than without them."""
    if not course.extensions or plan.rounds.until == "width" or not course.extensions[-1]["looks"]:
        return ""
    last = course.extensions[-1]
    total = last["spent"] + sum(
        share for at, share in zip(last["looks"], last["shares"], strict=True) if at > last["after"]
    )
    if total <= 1 or isclose(total, 1):
        return ""
    return (
        f"this run was extended after its end: a false alarm has a probability of at most "
        f"{_PER_CENT * alpha * total:.3g} % in place of {_PER_CENT * alpha:.3g} %"
    )


def _looks(plan: Plan, done: int, last: int, spent: float, alpha: float) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the looks after round ``done``, and their shares."""
    numbers, shares = (schedule.width_looks if plan.rounds.until == "width" else schedule.looks)(last, alpha)
    left = [(number, share) for number, share in zip(numbers, shares, strict=True) if number > done]
    if plan.rounds.until == "width":
        return tuple(number for number, _ in left), tuple(share for _, share in left)
    unspent = 1.0 - spent
    total = (_MOST - spent) / 2 if unspent <= 0 or isclose(unspent, 0, abs_tol=1e-9) else unspent
    whole = sum(share for _, share in left)
    return tuple(number for number, _ in left), tuple(total * share / whole for _, share in left)


def _rounds(plan: Plan, record: ExtendRecord) -> Rounds:
    if not record["looks"]:
        return Rounds(number=record["rounds"])
    until = plan.rounds.until or "decided"
    return Rounds(until=until, width=plan.rounds.width, looks=tuple(record["looks"]), shares=tuple(record["shares"]))
