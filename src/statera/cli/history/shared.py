"""What the verbs of histories share: their options, and the analysis that they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.support.errors import Stop
from statera.support.wording import listed, suggestion

if TYPE_CHECKING:
    import argparse

    from statera.history.analysis import Analysis
    from statera.history.catalog import Catalog
    from statera.history.folder import Folder
    from statera.reading.observations import Observations
    from statera.support.settings.file import Settings


def add_facts(group: argparse._ActionsContainer) -> None:
    """Add facts about the machine that the caller states."""
    group.add_argument(
        "--environment",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a fact about the machine, such as cpu or runner; it overrides the fact that was found (repeatable)",
    )


def facts(words: list[str]) -> dict[str, str]:
    """Parse ``KEY=VALUE`` words."""
    found = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise Stop("bad-option", f"--environment {word}: write KEY=VALUE, for instance runner=rack-7")
        found[key] = value
    return found


def say_left_out(read: Observations) -> None:
    """Report what was read in vain, without the files that only accompany results."""
    for problem in read.problems:
        if problem.code not in read.counted_apart_by_code:
            common.say(f"  {problem}")
    if read.counted_apart:
        common.say(f"statera: counted apart: {read.counted_apart}")


def add_place(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add where the history is, and the settings."""
    group = parser.add_argument_group("history")
    add_history(group)
    common.add_settings(group)
    return group


def add_history(group: argparse._ActionsContainer, *, server: bool = False) -> None:
    """Add where the history is; a server takes results, and shows its histories itself."""
    also = "; also https://HOST/p/PROJECT, with a token in STATERA_TOKEN" if server else ""
    group.add_argument(
        "--history",
        metavar="PLACE",
        help=f"a folder, or git:BRANCH or git:REMOTE:BRANCH for a branch of a remote repository{also} (place in the "
        "table [history] of the settings, otherwise, in a git repository, git:statera-history)",
    )


def add_analysis(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add where the history is, and what of it is analysed."""
    group = add_place(parser)
    group.add_argument("--branch", metavar="NAME", help="only this branch (branch in the settings, otherwise all)")
    group.add_argument(
        "--lane",
        action="append",
        metavar="KEY",
        help="facts about machines that keep jobs apart, instead of those of the history (repeatable; none: pool all)",
    )
    group.add_argument("--jobs", type=int, default=0, metavar="N", help="number of threads (all cores)")
    return group


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the format of the output."""
    parser.add_argument(
        "-f",
        "--output-format",
        choices=("terminal", "json"),
        default="terminal",
        metavar="FORMAT",
        help="terminal or json (terminal)",
    )


def is_json(options: argparse.Namespace) -> bool:
    """Return whether the output is JSON."""
    return bool(options.output_format == "json")


def place(options: argparse.Namespace, settings: Settings) -> str:
    """Return where the history is; report it if nobody stated it."""
    from statera.history.place import place_of  # noqa: PLC0415 - --help does without

    found = place_of(options.history, settings.history)
    if not options.history and not settings.history.place:
        common.say(f"statera: the history is {found}, because neither --history nor the settings name another")
    return found


def folder(options: argparse.Namespace, settings: Settings) -> Folder:
    """Open the history."""
    from statera.history.place import opened  # noqa: PLC0415 - --help does without

    return opened(place(options, settings))


def read(options: argparse.Namespace, settings: Settings) -> tuple[Folder, Catalog]:
    """Read the history; report what was left out."""
    from statera._native import printable  # noqa: PLC0415 - --help does without
    from statera.history import catalog  # noqa: PLC0415

    opened = folder(options, settings)
    held = catalog.read(opened, settings.limits)
    for problem in held.problems:
        common.say(f"statera: left out: {problem}")
    if left_out := catalog.doubled(held):
        common.say(f"statera: {printable(left_out)}")
    if not held.held:
        raise Stop("no-history", f"{opened.name}: the history has no jobs yet; statera history add FILES… adds one")
    return opened, held


def analysed(options: argparse.Namespace) -> tuple[Folder, Analysis]:
    """Read and analyse the history; report what was left out."""
    common.set_jobs(options.jobs)
    settings = common.reading(options)
    opened, held = read(options, settings)
    return opened, analysis_of(options, settings, opened, held)


def analysis_of(options: argparse.Namespace, settings: Settings, opened: Folder, held: Catalog) -> Analysis:
    """Analyse the history; report what was left out."""
    from statera.history import checkout  # noqa: PLC0415 - --help does without
    from statera.history.analysis import analyse  # noqa: PLC0415

    branch = options.branch or settings.history.branch
    wanted = (branch,) if branch else ()
    repository = checkout.here()
    parents = repository.first_parents({each.job.commit for each in held.held}) if repository else {}
    analysis = analyse(held, lane(options, opened, held), branches=wanted, parents=parents)
    if branch and branch not in analysis.orders:
        known = ", ".join(sorted({each.job.branch for each in held.held}))
        raise Stop("no-branch", f"--branch {branch}: the history has no jobs of this branch; it has: {known}")
    _say_order(analysis)
    return analysis


def lane(options: argparse.Namespace, opened: Folder, held: Catalog) -> tuple[str, ...]:
    """Return the facts that keep jobs apart.

    Raises:
        Stop: no job states one of them, so that it would keep nothing apart.

    """
    if options.lane is None:
        return opened.about.lane
    if options.lane == ["none"]:
        common.say("statera: jobs of all machines are pooled, as --lane none asks")
        return ()
    known = {key for each in held.held for key in each.job.environment}
    for key in options.lane:
        if known and key not in known:
            has = f"{suggestion(key, known)}; they state: {listed(sorted(known))}"
            raise Stop("bad-option", f"--lane {key}: no job states this fact about its machine{has}")
    return tuple(options.lane)


def _say_order(analysis: Analysis) -> None:
    """Report jobs that no line has."""
    from statera.support.wording import counted  # noqa: PLC0415 - --help does without

    for branch, order in analysis.orders.items():
        if order.off_line:
            jobs = counted(len(order.off_line), "job")
            common.say(f"statera: {branch}: {jobs} of commits that are no longer on the branch are left out")
        if order.unconnected:
            jobs = counted(len(order.unconnected), "job")
            common.say(
                f"statera: {branch}: {jobs} of commits that nothing connects with the newest one are left out; run "
                "this in a clone of the repository that reaches back to them"
            )
