"""``statera history compare``: the jobs of two commits as an ordinary comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import arguments, compare, gate, history_place, output, report
from statera.comparison import pipeline
from statera.comparison.pipeline import Read
from statera.history import comparison as of_jobs
from statera.history.checkout import here
from statera.history.comparison import at_level, both, measured, of_commits, sides
from statera.output.report import Options, document, questions, writers
from statera.output.report.material import stated_date
from statera.support.errors import Stop
from statera.support.patterns import chosen
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.comparison.pairing import Request
    from statera.comparison.verdicts.gate import Gate
    from statera.history.analysis import Analysis
    from statera.history.catalog import Catalog
    from statera.history.comparison import Side
    from statera.history.folder import Folder
    from statera.history.job import Stored
    from statera.history.track import Track
    from statera.support.settings.file import Settings


def compare_commits(options: argparse.Namespace) -> int:
    """Compare the jobs of two commits, and return the exit code of the gate."""
    arguments.set_jobs(options.jobs)
    kind = output.kind(options, documents=True)
    asked = gate.parsed(options)
    settings = arguments.settings(options)
    request = arguments.wanted(options)
    compare.only(options)
    output.check(options.output, [settings.file])
    found, request = _read(options, settings, request)
    if kind in output.DOCUMENTS:
        return _report(found, request, options, settings, asked)
    comparison = pipeline.compared(found.observations, found.named, request, settings)
    text = compare.shown(comparison, kind, options)
    code, words = gate.examined(comparison, asked)
    gate.written(text, options, kind, settings, words)
    return code


def _report(found: Read, request: Request, options: argparse.Namespace, settings: Settings, asked: Gate | None) -> int:
    if options.output is None:
        raise Stop("bad-option", f"-f {options.output_format}: a document needs a file. Name it with -o")
    with writers.announced([writers.kind_of(options.output)]):
        material = questions.gathered(found, request, settings, command=report.command())
        writers.write(document(material, Options(date=stated_date())), options.output)
    if material.reason is not None or not material.questions:
        arguments.say(f"statera: {material.reason} [{material.reason.code if material.reason else ''}]")
        return 2
    code, words = gate.examined(material.questions[0].comparison, asked)
    for line in words:
        arguments.say(line)
    return code


def _read(options: argparse.Namespace, settings: Settings, request: Request) -> tuple[Read, Request]:
    """Read the values of both sides; return them, and the request as it can be answered."""
    opened, held = history_place.read(options, settings)
    old, new = _stretches(options, settings, opened, held) if options.stretch else _commits(options, held)
    lane = history_place.lane(options, opened, held)
    old, new, left = of_jobs.on_same_machines(old, new, lane)
    if left:
        arguments.say(f"statera: {counted(left, 'job')} of machines that measured only one of the two left out")
    arguments.say(
        f"statera: {old.label}: {counted(len(old.jobs), 'job')}; {new.label}: {counted(len(new.jobs), 'job')}"
    )
    observations, request = of_jobs.read(held, [old, new], lane, settings.limits, request)
    return Read(observations, [(side.label, side.label) for side in (old, new)]), request


def _commits(options: argparse.Namespace, held: Catalog) -> tuple[Side, Side]:
    jobs = [each for each in held.held if options.branch in {None, each.job.branch}]
    return of_commits(jobs, *_named(options, jobs))


def _stretches(options: argparse.Namespace, settings: Settings, opened: Folder, held: Catalog) -> tuple[Side, Side]:
    analysis = history_place.analysis_of(options, settings, opened, held)
    jobs = [job for line in analysis.lines for job in line.jobs]
    old, new = _named(options, jobs)
    branch = {job.job.commit: job.job.branch for job in jobs}
    tracks = _tracks(analysis, options)
    before, after = (at_level(analysis, branch[commit], commit, tracks) for commit in (old, new))
    if {job.id for job in before} & {job.id for job in after}:
        raise Stop(
            "same-level",
            f"{options.commits}: no change of level lies between these commits; without --stretch their own jobs are "
            "compared",
        )
    return sides(old, new, before, after)


def _named(options: argparse.Namespace, jobs: list[Stored]) -> tuple[str, str]:
    repository = here()
    old, new = (measured(name, jobs, repository) for name in both(options.commits))
    return old, new


def _tracks(analysis: Analysis, options: argparse.Namespace) -> list[Track]:
    """Return the series that are compared, whose changes bound the levels."""
    tracks = [track for track in analysis.tracks if track.series.is_primary or options.all_metrics or options.metric]
    for patterns, name, option in (
        (options.benchmark, "benchmark", "--benchmark"),
        (options.metric, "metric", "--metric"),
    ):
        if patterns:
            taken = chosen([getattr(track.series, name) for track in tracks], patterns, option)
            tracks = [track for track, is_taken in zip(tracks, taken, strict=True) if is_taken]
    return tracks
