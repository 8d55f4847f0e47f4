"""``statera history bisect`` and ``badge``: which commits to measure next, and the state in a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli import output
from statera.cli.history import shared
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.history.alerts import Bisection

_ENDING = ".svg"


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verbs."""
    bisect = verbs.add_parser(
        "bisect",
        help="list the commits to measure to find the beginning of a change",
        description="List the commits at which a change may begin and that were not measured, in the order in which to "
        "measure them: each halves the rest.",
    )
    bisect.add_argument("alert", metavar="ALERT", help="the alert, as statera history points names it")
    bisect.add_argument(
        "--experiment", metavar="FILE", help="an experiment file; also print the commands that measure the commits"
    )
    shared.add_analysis(bisect)
    bisect.set_defaults(run=_bisect)
    badge = verbs.add_parser(
        "badge", help="draw the open alerts as a badge", description="Draw the number of open alerts as SVG."
    )
    badge.add_argument("-o", "--output", required=True, metavar="FILE", help="the file, .svg")
    shared.add_analysis(badge)
    badge.set_defaults(run=_badge)


def _bisect(options: argparse.Namespace) -> int:
    from statera.history import wording  # noqa: PLC0415 - --help does without
    from statera.history.alerts import bisect, named  # noqa: PLC0415

    folder, analysis = shared.analysed(options)
    alert = named(options.alert, analysis)
    found = bisect(alert, analysis)
    lines = [f"{wording.headline(alert)}, from {wording.commits(alert, analysis)}."]
    if not found.commits:
        measured = counted(found.measured, "commit")
        lines.append(f"Every commit that it may begin at was measured ({measured}); more jobs of each would say which.")
        output.write("\n".join(lines) + "\n", None)
        return 0
    jobs = counted(found.jobs, "job")
    lines.append(f"{counted(len(found.commits), 'commit')} not measured; {jobs} of each tell on which side it is:")
    lines += [f"  {wording.printed(commit)}" for commit in found.commits]
    if options.experiment:
        lines += ["", "Measure them in this order, and ask again after each:"]
        lines += [f"  {command}" for command in _commands(options.experiment, found, folder.name)]
    output.write("\n".join(lines) + "\n", None)
    return 0


def _commands(experiment: str, found: Bisection, place: str) -> list[str]:
    """Return the commands that measure the first commit in a checkout of its own."""
    from pathlib import Path  # noqa: PLC0415 - only here
    from shlex import quote  # noqa: PLC0415

    from statera.history.checkout import FULL  # noqa: PLC0415

    commit = found.commits[0]
    if not FULL.fullmatch(commit):
        raise Stop("no-commit", f"{commit}: is not the name of a git commit, so no command can check it out")
    tree = f"../bisect-{commit[:12]}"
    folder = Path(place)
    history = quote(str(folder.resolve()) if folder.is_dir() else place)
    runs = [f"run-{number + 1}" for number in range(found.jobs)]
    return [
        f"git worktree add --detach {tree} {commit} && cd {tree}",
        *(f"statera run {quote(experiment)} -o {run} && statera history add {run} --history {history}" for run in runs),
    ]


def _badge(options: argparse.Namespace) -> int:
    from statera.history import badge  # noqa: PLC0415 - --help does without
    from statera.history.alerts import alerts, expectations, state_of  # noqa: PLC0415

    if not options.output.endswith(_ENDING):
        raise Stop("bad-option", f"-o {options.output}: the badge is an SVG; name a file that ends with {_ENDING}")
    output.check(options.output)
    _, analysis = shared.analysed(options)
    announced = expectations(analysis.catalog)
    found = alerts(analysis)
    open_ones = [
        alert
        for alert in found
        if not state_of(alert, analysis.orders[alert.branch], analysis.catalog, announced).is_quiet
    ]
    text = badge.drawn([alert.worse > 0 for alert in open_ones])
    output.write(text, options.output)
    common.say(f"statera: {options.output}: {counted(len(open_ones), 'open alert')} of {len(found):,}")
    return 0
