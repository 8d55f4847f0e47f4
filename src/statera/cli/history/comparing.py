"""``statera history compare``: the jobs of two commits as an ordinary comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import compare, documents, gating, output, selection
from statera.cli import options as common
from statera.cli.history import shared
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.comparison.pairing import Request
    from statera.comparison.pipeline import Read
    from statera.comparison.verdicts.gate import Gate
    from statera.history.analysis import Analysis, Track
    from statera.history.catalog import Catalog
    from statera.history.comparison import Side
    from statera.history.folder import Folder
    from statera.history.job import Stored
    from statera.support.settings.file import Settings


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "compare",
        help="compare the results of two commits",
        description="Compare all jobs of two commits, as statera compare compares files: the jobs are the runs. With "
        "--stretch, compare all jobs at the levels of the two commits.",
    )
    parser.add_argument("commits", metavar="OLD..NEW", help="two commits that were measured, the baseline first")
    shared.add_analysis(parser).add_argument(
        "--stretch",
        action="store_true",
        help="compare all jobs at the level of each commit, between the changes around it",
    )
    selection.add_what(parser, "what is compared with what")
    view = output.add_view(parser, output.SORTS, (*output.FORMATS, *output.DOCUMENTS), machine="file")
    output.add_changed(view)
    output.add_all_rows(view)
    common.add_mean(view)
    gating.add(parser)
    common.add_policy(parser)
    parser.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> int:
    from statera.comparison import pipeline  # noqa: PLC0415 - --help does without

    common.set_jobs(options.jobs)
    kind = output.kind(options, documents=True)
    gate = gating.gate(options)
    settings = common.settings(options)
    request = selection.wanted(options)
    output.check(options.output, [settings.file])
    with output.Progress("reading"):
        found, request = _read(options, settings, request)
        if kind in output.DOCUMENTS:
            return _report(found, request, options, settings, gate)
        comparison = pipeline.compared(found.observations, found.named, request, settings)
        text = compare.shown(comparison, kind, options)
    code, words = gating.examined(comparison, gate)
    gating.written(text, options, kind, settings, words)
    return code


def _report(found: Read, request: Request, options: argparse.Namespace, settings: Settings, gate: Gate | None) -> int:
    from statera.output.report import (  # noqa: PLC0415
        Options,
        dates,
        document,
        questions,
        writers,
    )

    if options.output is None:
        raise Stop("bad-option", f"-f {options.output_format}: a document needs a file; name it with -o")
    with writers.announced([writers.kind_of(options.output)]):
        material = questions.gathered(found, request, settings, command=documents.command())
        writers.write(document(material, Options(date=dates.stated_date())), options.output)
    if material.reason is not None or not material.questions:
        common.say(f"statera: {material.reason} [{material.reason.code if material.reason else ''}]")
        return 2
    code, words = gating.examined(material.questions[0].comparison, gate)
    for line in words:
        common.say(line)
    return code


def _read(options: argparse.Namespace, settings: Settings, request: Request) -> tuple[Read, Request]:
    """Read the values of both sides; return them, and the request as it can be answered."""
    from statera.comparison.pipeline import Read  # noqa: PLC0415
    from statera.history import comparison  # noqa: PLC0415 - --help does without

    opened, held = shared.read(options, settings)
    old, new = _stretches(options, settings, opened, held) if options.stretch else _commits(options, held)
    lane = shared.lane(options, opened, held)
    old, new, left = comparison.on_same_machines(old, new, lane)
    if left:
        common.say(f"statera: {counted(left, 'job')} of machines that measured one side only left out")
    common.say(f"statera: {old.label}: {counted(len(old.jobs), 'job')}; {new.label}: {counted(len(new.jobs), 'job')}")
    observations, request = comparison.read(held, [old, new], lane, settings.limits, request)
    return Read(observations, [(side.label, side.label) for side in (old, new)]), request


def _commits(options: argparse.Namespace, held: Catalog) -> tuple[Side, Side]:
    from statera.history.comparison import of_commits  # noqa: PLC0415 - --help does without

    jobs = [each for each in held.held if options.branch in {None, each.job.branch}]
    return of_commits(jobs, *_named(options, jobs))


def _stretches(options: argparse.Namespace, settings: Settings, opened: Folder, held: Catalog) -> tuple[Side, Side]:
    from statera.history.comparison import at_level, sides  # noqa: PLC0415 - --help does without

    analysis = shared.analysis_of(options, settings, opened, held)
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
    from statera.history.checkout import here  # noqa: PLC0415 - --help does without
    from statera.history.comparison import both, measured  # noqa: PLC0415

    repository = here()
    old, new = (measured(name, jobs, repository) for name in both(options.commits))
    return old, new


def _tracks(analysis: Analysis, options: argparse.Namespace) -> list[Track]:
    """Return the series that are compared, whose changes bound the levels."""
    from statera.support.patterns import chosen  # noqa: PLC0415 - --help does without

    tracks = [track for track in analysis.tracks if track.series.is_primary or options.all_metrics or options.metric]
    for patterns, name, option in (
        (options.benchmark, "benchmark", "--benchmark"),
        (options.metric, "metric", "--metric"),
    ):
        if patterns:
            taken = chosen([getattr(track.series, name) for track in tracks], patterns, option)
            tracks = [track for track, is_taken in zip(tracks, taken, strict=True) if is_taken]
    return tracks
