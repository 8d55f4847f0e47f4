"""``statera history backfill``: measure the commits at which a change may begin, until one is left."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera._native import printable
from statera.cli import arguments, ending, history_place, output, run
from statera.cli.progress import paused
from statera.cli.words import with_defaults
from statera.experiment.schedule import duration_in_words, parse_duration
from statera.history import backfill, catalog, checkout, upload, wording
from statera.history.alerts import bisect, followed, named
from statera.history.analysis import analyse
from statera.history.cases import cases
from statera.history.job import lane_name, lane_of
from statera.reading import observations
from statera.support.errors import Stop
from statera.support.wording import counted, form, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis
    from statera.history.backfill import Backfilled, Budget, Step
    from statera.history.checkout import Checkout
    from statera.history.folder import Folder
    from statera.history.job import Lane
    from statera.support.settings.file import Settings

# Why a commit cannot be measured: it does not build, or its program does not start, or lacks the benchmarks.
_OF_THE_COMMIT: Final = frozenset({"nothing-to-run", "nothing-to-add", "no-suite", "cannot-start", "service-failed"})


class _Measuring(NamedTuple):
    """What measures commits and adds them to a history."""

    options: argparse.Namespace  # those of the verb
    settings: Settings  # the same with the settings file
    folder: Folder  # the history
    repository: Checkout  # of the current folder
    facts: dict[str, str]  # about the machine, as options state them
    keys: tuple[str, ...]  # of those that keep jobs apart
    now: list[Alert]  # the alert as the last analysis tells it

    @property
    def lane(self) -> Lane:
        """Return the lane of what this machine measures."""
        return lane_of({**upload.machine(), **self.facts}, self.keys)

    def again(self) -> Analysis:
        """Analyse the history as it is; what is left out of it was said before."""
        held = catalog.read(self.folder, self.settings.limits)
        branch = self.options.branch or self.settings.history.branch
        parents = self.repository.first_parents({each.job.commit for each in held.held})
        return analyse(held, self.keys, branches=(branch,) if branch else (), parents=parents)

    def job(self, branch: str, step: Step, budget: Budget) -> bool:
        """Build and measure a commit, and add the job; return whether there is one."""
        (name,) = history_place.with_subjects([step.commit], wording.short)
        likely = f"{_probable(step.chances, 1)} of {counted(len(step.chances), 'commit')}"
        time = f"{duration_in_words(max(budget.left, 0.0))} left"
        arguments.say(f"statera: measuring {name} (its job {step.job}; {likely}; {time})")
        try:
            self._add(branch, step.commit)
        except Stop as stop:
            if stop.code not in _OF_THE_COMMIT:
                raise
            arguments.say(f"statera: {wording.short(step.commit)} is skipped: {stop}")
            return False
        return True

    def told(self, alert: Alert, analysis: Analysis) -> None:
        """Say where the change may begin now."""
        self.now[:] = [alert]
        arguments.say(f"statera: {wording.headline(alert)}, from {wording.commits(alert, analysis)} (alert {alert.id})")

    def _add(self, branch: str, commit: str) -> None:
        how = with_defaults(
            "run",
            commands=[self.options.experiment],
            runs=self.options.runs,
            parameter_list=self.options.parameter_list,
        )
        with tempfile.TemporaryDirectory(prefix="statera-backfill-") as place:
            path = Path(place) / "run"
            # A run has lines of its own.
            with paused():
                ran = run.commit_alone(how, commit, path, self.settings)
            if not any(ran.course.samples.values()):
                raise Stop("nothing-to-run", "no invocation of it gave a sample")
            read = observations.read([os.fspath(path)], limits=self.settings.limits)
            if len(read) == 0:
                raise observations.nothing_read(read)
            wanted = {name for part in self.now[0].parts for name in part.track.series.names}
            if not wanted & {*read.benchmarks}:
                lacks = f"its results lack {listed(sorted(wanted), _NAMED)}, and have {listed(read.benchmarks, _NAMED)}"
                raise Stop("nothing-to-add", lacks)
            stated = upload.Stated(
                project=self.folder.about.project, branch=branch, commit=commit, environment=self.facts
            )
            upload.add(self.folder, read, stated, self.repository, limits=self.settings.limits)


def fill(options: argparse.Namespace) -> int:
    """Measure the commits at which changes may begin, and return the exit code: 2 if none could be measured."""
    seconds = parse_duration(options.budget)
    if seconds is None:
        raise Stop("bad-option", f"--budget {options.budget}: write a length of time above 0, such as 30m or 1h30m")
    measuring, analysis = _opened(options)
    wanted = _wanted(options, analysis, measuring)
    if not wanted:
        output.write("No open alert may begin at several commits.\n", None)
        return 0
    if options.dry_run:
        output.write("\n".join("\n".join(_would(alert, analysis)) for alert in wanted) + "\n", None)
        return 0
    budget = backfill.Budget(seconds)
    first, failed = analysis, False
    for alert in wanted:
        # The jobs for one alert may have told where another one begins.
        now = followed(alert, first.orders[alert.branch], analysis)
        if now is None:
            continue
        with _kept(measuring):
            done = _narrowed(now, analysis, measuring, budget)
        analysis = done.analysis
        output.write("\n".join(_ended(done, options.budget)) + "\n", None)
        failed = failed or bool(done.skipped and not done.measured)
    return ending.COULD_NOT if failed else 0


def _opened(options: argparse.Namespace) -> tuple[_Measuring, Analysis]:
    """Open the history and the repository.

    Raises ``Stop`` if there is no repository, or no experiment file; or the history cannot be read.
    """
    repository = checkout.here()
    if repository is None:
        raise Stop("no-commit", "this folder is in no git repository, so no commit can be built. Run this in a clone")
    if not Path(options.experiment).is_file():
        raise Stop(
            "missing-file",
            f"{options.experiment}: there is no such experiment file. Name one with --experiment, or make one with "
            "statera run --init",
        )
    arguments.set_jobs(options.jobs)
    settings = arguments.reading(options)
    folder, held = history_place.read(options, settings)
    analysis = history_place.analysis_of(options, settings, folder, held)
    keys = () if options.lane == ["none"] else tuple(options.lane) or folder.about.lane
    facts = history_place.facts(options.environment)
    return _Measuring(options, settings, folder, repository, facts, keys, []), analysis


def _wanted(options: argparse.Namespace, analysis: Analysis, measuring: _Measuring) -> list[Alert]:
    """Return the alert that is named, otherwise all open ones of this machine with several commits, the newest first.

    Raises ``Stop`` if what this machine measures does not count for the alert that is named.
    """
    facts = {**upload.machine(), **measuring.facts}
    if options.alert:
        alert = named(options.alert, analysis)
        if not backfill.on_machine(alert, facts, measuring.keys):
            there, here = alert.parts[0].track.line.lane, measuring.lane
            raise Stop(
                "other-machine",
                f"alert {alert.id} is of {printable(lane_name(there))}, and this machine is "
                f"{printable(lane_name(here))}: what it measures says nothing about that change. Run this there",
            )
        return [alert]
    several = [case.alert for case in cases(analysis) if case.is_open and case.alert.first < case.alert.last]
    own = [alert for alert in several if backfill.on_machine(alert, facts, measuring.keys)]
    if len(own) < len(several):
        others = len(several) - len(own)
        arguments.say(
            f"statera: {counted(others, 'alert')} {form(others, 'is', 'are')} of other machines, and not measured here"
        )
    return own


def _would(alert: Alert, analysis: Analysis) -> list[str]:
    """List what a bisection would measure."""
    if alert.first == alert.last:
        return _heading(alert, analysis)
    commits = bisect(alert, analysis).commits
    if not commits:
        return [*_heading(alert, analysis), "Every commit that it may begin at was measured; some are measured again."]
    about = counted(backfill.about(alert.last - alert.first + 1), "measurement")
    return [
        *_heading(alert, analysis),
        f"About {about} of these {counted(len(commits), 'commit')}, in about this order, or more if they are noisy:",
        *(f"  {line}" for line in history_place.with_subjects(commits)),
    ]


# Names that a message states.
_NAMED: Final = 5
# So many commits are named with their probabilities, and none that is less probable.
_SHOWN: Final = 10
_LEAST: Final = 0.01
_ALMOST: Final = 0.995


def _heading(alert: Alert, analysis: Analysis) -> list[str]:
    return [f"Alert {alert.id}: {wording.headline(alert)}, from {wording.commits(alert, analysis)}."]


def _narrowed(alert: Alert, analysis: Analysis, measuring: _Measuring, budget: Budget) -> Backfilled:
    measuring.told(alert, analysis)
    return backfill.narrow(
        alert,
        analysis,
        measure=lambda step: measuring.job(alert.branch, step, budget),
        again=measuring.again,
        told=measuring.told,
        budget=budget,
        lane=measuring.lane,
    )


@contextmanager
def _kept(measuring: _Measuring) -> Iterator[None]:
    """Say what is kept if the end comes early."""
    before = len(measuring.folder.uploads())
    try:
        yield
    except BaseException:
        if added := len(measuring.folder.uploads()) - before:
            jobs = counted(added, "job")
            arguments.say(f"statera: the history keeps {jobs} of this command. {_go_on(measuring.now[0].id)}")
        raise


def _go_on(alert: str) -> str:
    return f"The same command with alert {alert} goes on from there."


def _ended(done: Backfilled, budget: str) -> list[str]:
    """Say where a change begins, or may begin, how probable that is, and why nothing more is known."""
    alert, analysis = done.alert, done.analysis
    jobs = f"{counted(len(done.measured), 'measurement')} of {counted(len({*done.measured}), 'commit')}"
    if done.reason == "gone":
        before = f"Before, it began at {wording.commits(alert, analysis)}."
        return [f"Alert {alert.id}: with {jobs}, nothing tells this change from noise any longer. {before}"]
    shown = [pair for pair in done.chances[:_SHOWN] if pair[1] >= _LEAST] or list(done.chances[:1])
    subjects = history_place.with_subjects([commit for commit, _ in shown])
    lines = [f"  {_percent(chance):>9}  {line}" for (_, chance), line in zip(shown, subjects, strict=True)]
    if done.reason == "found":
        head = f"{wording.headline(alert)}, begins at {wording.short(shown[0][0])} with {_percent(shown[0][1])}"
        return [f"{head} ({jobs}, alert {alert.id}):", *lines]
    why = {
        "skipped": f"{counted(len(done.skipped), 'commit')} could not be measured, and no other tells more.",
        "budget": f"The budget of {budget} allows no further measurement. {_go_on(alert.id)}",
    }[done.reason]
    rest = len(done.chances) - len(shown)
    others = [f"  {counted(rest, 'other commit')}"] if rest else []
    head = f"{wording.headline(alert)}, begins at one of {counted(len(done.chances), 'commit')}: not decided"
    return [f"{head} ({jobs}, alert {alert.id}):", *lines, *others, why]


def _probable(chances: Sequence[tuple[str, float]], count: int) -> str:
    return ", ".join(f"{wording.short(commit)} with {_percent(chance)}" for commit, chance in chances[:count])


def _percent(chance: float) -> str:
    """Write a probability; nothing that was measured is certain."""
    return "over 99 %" if chance > _ALMOST else f"{100 * chance:.0f} %"
