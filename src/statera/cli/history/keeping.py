"""``statera history verify`` and ``compact``: whether a history is whole, and how it stays small."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import ending
from statera.cli import options as common
from statera.cli.history import shared
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

_DAYS = 31
_MOST_DAYS = 36_500


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verbs."""
    verify = verbs.add_parser(
        "verify",
        help="check every file of a history",
        description="Check that no file is missing and that the content of every file matches its name, read all jobs, "
        "values and decisions, and compare history.toml with the jobs. "
        "If something is wrong, list it and exit with code 2.",
    )
    shared.add_place(verify)
    verify.set_defaults(run=_verify)
    compact = verbs.add_parser(
        "compact",
        help="merge the uploads of past months, and remove values that no analysis needs",
        description="Merge the uploads of each past month into one file. Keep the values of the last jobs of each "
        "series and of the jobs around each change (samples and around in history.toml), and only the summary of all "
        "other jobs. The analysis stays the same.",
    )
    shared.add_place(compact)
    compact.add_argument(
        "--older",
        type=int,
        default=_DAYS,
        metavar="DAYS",
        help=f"only months that ended at least this many days ago ({_DAYS})",
    )
    compact.set_defaults(run=_compact)


def _verify(options: argparse.Namespace) -> int:
    from statera.history.verify import verify  # noqa: PLC0415 - --help does without

    settings = common.reading(options)
    folder = shared.folder(options, settings)
    found = verify(folder, settings.limits)
    for problem in found.problems:
        common.say(f"  {problem}")
    wrong = f"{counted(len(found.problems), 'problem')}" if found.problems else "nothing is wrong"
    common.say(
        f"statera: {folder.name}: {counted(found.files, 'file')} with {counted(found.jobs, 'job')} checked, {wrong}"
    )
    return ending.COULD_NOT if found.problems else 0


def _compact(options: argparse.Namespace) -> int:
    from statera.history import catalog, checkout  # noqa: PLC0415 - --help does without
    from statera.history.analysis import analyse  # noqa: PLC0415
    from statera.history.compact import compact  # noqa: PLC0415

    if not 0 <= options.older <= _MOST_DAYS:
        raise Stop("bad-option", f"--older takes a number of days up to {_MOST_DAYS}, not {options.older}")
    settings = common.reading(options)
    folder = shared.folder(options, settings)
    held = catalog.read(folder, settings.limits)
    repository = checkout.here()
    parents = repository.first_parents({each.job.commit for each in held.held}) if repository else {}
    done = compact(folder, analyse(held, folder.about.lane, parents=parents), settings.limits, options.older)
    for problem in (*held.problems, *done.problems):
        common.say(f"statera: not merged: {problem}")
    if done.months:
        common.say(
            f"statera: {folder.name}: {counted(len(done.replaced), 'upload')} replaced by "
            f"{counted(len(done.months), 'merged file')} ({', '.join(done.months)})"
        )
    else:
        common.say(f"statera: {folder.name}: nothing to merge in months that ended {counted(options.older, 'day')} ago")
    return 0
