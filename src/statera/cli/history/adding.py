"""``statera history add``: the results of one job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli.history import shared, syncing
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.history.upload import Added, Stated


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "add",
        help="add the results of a commit",
        description="Add the results of one job: any format, one commit, one machine. Commit, parents and branch come "
        "from the repository of the current folder, or from the variables of the CI; options override both. Adding the "
        "same results twice changes nothing.",
    )
    parser.add_argument("inputs", nargs="+", metavar="PATH", help="files, folders, quoted patterns or -")
    shared.add_history(parser, server=True)
    parser.add_argument(
        "--push",
        action="store_true",
        help="then fetch and push the branch of the history, as statera history sync does",
    )
    job = parser.add_argument_group("job")
    job.add_argument("--commit", metavar="NAME", help="the commit that was measured")
    job.add_argument("--branch", metavar="NAME", help="the branch that it belongs to")
    job.add_argument("--project", metavar="NAME", help="the name of the project")
    job.add_argument(
        "--line", metavar="FILE", help="the commit and its first parents, newest first, a line each (-: standard input)"
    )
    job.add_argument("--started", metavar="TIME", help="when the job began, ISO 8601")
    job.add_argument("--url", metavar="URL", help="the page of the run")
    shared.add_facts(job)
    job.add_argument(
        "--foreign",
        action="store_true",
        help="the results come from another machine, so record no facts about this one",
    )
    job.add_argument("--variant", metavar="NAME", help="the variant to add, if the results have several")
    job.add_argument(
        "--new-unit",
        action="store_true",
        help="accept series that the history has only in another unit, as new series",
    )
    common.add_reading(parser)
    parser.set_defaults(run=_add)


def _add(options: argparse.Namespace) -> int:
    from statera.history import checkout, place, remote, upload  # noqa: PLC0415
    from statera.reading import observations  # noqa: PLC0415 - --help does without
    from statera.reading.store.named import resolved  # noqa: PLC0415
    from statera.support.environment import origin  # noqa: PLC0415

    common.set_jobs(options.jobs)
    settings = common.reading(options)
    stated = _stated(options, settings.history.project, settings.history.branch)
    where = shared.place(options, settings)
    branch = syncing.branch_of(where) if options.push else None
    named, _ = resolved([(None, word) for word in options.inputs])
    read = observations.read(
        [path for _, path in named],
        format=options.format,
        columns=common.columns(options.column),
        limits=settings.limits,
    )
    if len(read) == 0:
        raise observations.nothing_read(read)
    repository = checkout.here()
    project = upload.project_of(stated.project, repository, origin())
    folder, new = place.receiver(where, project)
    if remote.is_remote(where) and stated.project is None:
        # The address names the project.
        stated = stated._replace(project=folder.about.project)
    with place.used(folder, new=new):
        added = upload.add(
            folder,
            read,
            stated,
            repository,
            variant=options.variant,
            new_unit=options.new_unit,
            limits=settings.limits,
        )
    if new:
        common.say(f"statera: a new history of {project} in {folder.name}")
    shared.say_left_out(read)
    for remark in added.remarks:
        common.say(f"statera: {remark}")
    common.say(_words(added, folder.about.lane, folder.name))
    if branch:
        syncing.synced(branch, settings.limits)
    return common.left_out(options, read)


def _words(added: Added, lane: tuple[str, ...], name: str) -> str:
    from statera.history.job import lane_name, lane_of  # noqa: PLC0415 - --help does without
    from statera.history.wording import short  # noqa: PLC0415

    job = added.job
    what = f"{counted(added.series, 'series', 'series')} of commit {short(job.commit)} on {job.branch}"
    machine = lane_name(lane_of(job.environment, lane))
    if not added.new:
        return f"statera: {name} has these results already: {what} ({machine})"
    return f"statera: added {what} ({machine}) to {name}"


def _stated(options: argparse.Namespace, project: str, branch: str) -> Stated:
    from statera.history.upload import Stated  # noqa: PLC0415 - --help does without

    line = _line(options.line) if options.line else None
    return Stated(
        project=options.project or project or None,
        branch=options.branch or branch or None,
        commit=options.commit or (line[0] if line else None),
        line=line,
        started=_time(options.started) if options.started else None,
        url=options.url,
        environment=shared.facts(options.environment),
        foreign=options.foreign,
    )


def _line(name: str) -> tuple[str, ...]:
    import sys  # noqa: PLC0415 - only where a file is named

    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Stop("missing-file", f"--line {name}: {error}") from None
    commits = tuple(text.split())
    if not commits:
        raise Stop("bad-option", f"--line {name}: it names no commit; git rev-list --first-parent COMMIT writes them")
    return commits


def _time(text: str) -> str:
    from datetime import UTC, datetime  # noqa: PLC0415 - only where a time is stated

    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Stop("bad-option", f"--started {text}: write ISO 8601, such as 2026-11-21T08:00:00+00:00") from None
    return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC).isoformat(timespec="seconds")
