"""``statera history import``: results of several commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli.history import shared
from statera.support.wording import counted, form, listed

if TYPE_CHECKING:
    import argparse

    from statera.history.batch import Imported
    from statera.reading.observations import Observations
    from statera.support.settings.file import Settings


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "import",
        help="import the results of many commits, such as those of asv or github-action-benchmark",
        description="Import results that state their commits: the results folder of asv, the data.js of "
        "github-action-benchmark, the files of Otava, a tree of Sandmark, or any table with a column commit. Each "
        "commit, machine and execution becomes a job. The order of the commits comes from the repository of the "
        "current folder if it has them, otherwise from the results. Importing the same results twice changes nothing.",
    )
    parser.add_argument("inputs", nargs="+", metavar="PATH", help="files, folders, quoted patterns or -")
    shared.add_history(parser)
    job = parser.add_argument_group("jobs")
    job.add_argument("--branch", metavar="NAME", help="the branch of all commits (the branch in the results)")
    job.add_argument("--project", metavar="NAME", help="the name of the project")
    job.add_argument("--url", metavar="URL", help="a page about the results")
    shared.add_facts(job)
    keys = parser.add_argument_group("series")
    keys.add_argument("--variant", metavar="NAME", help="only this variant (all variants, each with its own series)")
    keys.add_argument(
        "--within",
        action="append",
        default=[],
        metavar="KEY",
        help="make each value of this key a series of its own (repeatable)",
    )
    keys.add_argument(
        "--pool",
        action="append",
        default=[],
        metavar="KEY",
        help="pool the values of this key, such as a version that each commit states, into one series (repeatable)",
    )
    common.add_reading(parser)
    parser.set_defaults(run=_import)


def _import(options: argparse.Namespace) -> int:
    from statera.cli.progress import Progress  # noqa: PLC0415
    from statera.reading import observations  # noqa: PLC0415 - --help does without

    common.set_jobs(options.jobs)
    settings = common.reading(options)
    with Progress("reading"):
        read = observations.read(
            options.inputs,
            format=options.format,
            columns=common.columns(options.column),
            limits=settings.limits,
        )
        if len(read) == 0:
            raise observations.nothing_read(read)
        place, found = _brought(options, settings, read)
    shared.say_left_out(read)
    for line in _words(found, place):
        common.say(f"statera: {line}")
    return common.left_out(options, read)


def _brought(options: argparse.Namespace, settings: Settings, read: Observations) -> tuple[str, Imported]:
    from statera.history import batch, checkout, place  # noqa: PLC0415 - --help does without
    from statera.history.batch import Wanted  # noqa: PLC0415
    from statera.history.upload import Stated, project_of  # noqa: PLC0415
    from statera.support.environment import origin  # noqa: PLC0415

    repository = checkout.here()
    project = options.project or settings.history.project
    where = place.place_of(options.history, settings.history)
    folder, new = place.opened_or_made(where, project_of(project, repository, origin()))
    stated = Stated(
        project=project or None, branch=options.branch, url=options.url, environment=shared.facts(options.environment)
    )
    wanted = Wanted(options.variant, tuple(options.within), tuple(options.pool))
    with place.used(folder, new=new):
        brought = batch.bring(folder, read, stated, wanted, repository, branch=settings.history.branch)
    if new:
        common.say(f"statera: a new history of {folder.about.project} in {folder.name}")
    return folder.name, brought


def _words(found: Imported, place: str) -> list[str]:
    jobs = counted(found.jobs, "job")
    what = f"{jobs} of {counted(found.commits, 'commit')} on {listed(found.branches)}"
    known = found.jobs - found.new
    news = (
        f"imported {what} into {place}"
        if not known
        else f"{what}: {found.new:,} imported into {place}, {known:,} known"
    )
    lines = [news, f"the order of the commits comes from {found.order}"]
    if found.other:
        jobs = f"{counted(found.other, 'job')} {form(found.other, 'is', 'are')}"
        lines.append(f"{jobs} known with other values, which count beside the new ones")
    if found.unknown:
        lines.append(
            f"{counted(found.unknown, 'commit')} unknown to the repository: nothing connects "
            f"{form(found.unknown, 'it', 'them')} with the others"
        )
    if found.without_commit:
        lines.append(f"{counted(found.without_commit, 'value')} without a commit left out")
    if found.of_commits:
        keys = listed(found.of_commits)
        lines.append(
            f"{keys} {form(len(found.of_commits), 'has', 'have')} one value at each commit, and each value has series "
            f"of its own; --pool {found.of_commits[0]} joins them"
        )
    return lines
