"""Where the history of a command is, and its analysis; what is left out is said on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera._native import printable
from statera.cli import arguments
from statera.cli.ending import with_place
from statera.history import catalog, checkout
from statera.history import place as places
from statera.history.analysis import analyse
from statera.history.kept import Kept
from statera.history.left_out import of_orders
from statera.support.errors import Stop
from statera.support.wording import listed, suggestion

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping

    from statera.history.analysis import Analysis
    from statera.history.catalog import Catalog
    from statera.history.folder import Folder
    from statera.history.order import Order
    from statera.reading.observations import Observations
    from statera.support.settings.file import Settings


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
            arguments.say(f"  {problem}")
    if read.counted_apart:
        arguments.say(f"statera: counted apart: {read.counted_apart}")


def is_json(options: argparse.Namespace) -> bool:
    """Return whether the output is JSON."""
    return bool(options.output_format == "json")


def place(options: argparse.Namespace, settings: Settings) -> str:
    """Return where the history is; report it if nobody stated it."""
    found = places.place_of(options.history, settings.history)
    if not options.history and not settings.history.place:
        arguments.say(f"statera: the history is {found}, because neither --history nor the settings name another")
    return found


def folder(options: argparse.Namespace, settings: Settings) -> Folder:
    """Open the history."""
    return places.opened(place(options, settings))


def read(options: argparse.Namespace, settings: Settings) -> tuple[Folder, Catalog]:
    """Read the history; report what was left out."""
    opened = folder(options, settings)
    return opened, catalog_of(opened, settings)


def catalog_of(opened: Folder, settings: Settings) -> Catalog:
    """Read a history; report what was left out."""
    held = catalog.read(opened, settings.limits, Kept(opened.path))
    for problem in held.problems:
        arguments.say(f"statera: left out: {problem}")
    if left_out := catalog.doubled(held):
        is_named = opened.name not in {settings.history.place, places.DEFAULT}
        arguments.say(f"statera: {printable(with_place(left_out, opened.name) if is_named else left_out)}")
    if not held.held:
        raise Stop("no-history", f"{opened.name}: the history has no jobs yet; statera history add FILES… adds one")
    return held


def analysed(options: argparse.Namespace) -> tuple[Folder, Analysis]:
    """Read and analyse the history; report what was left out."""
    arguments.set_jobs(options.jobs)
    settings = arguments.reading(options)
    opened, held = read(options, settings)
    return opened, analysis_of(options, settings, opened, held)


def analysis_of(options: argparse.Namespace, settings: Settings, opened: Folder, held: Catalog) -> Analysis:
    """Analyse the history; report what was left out."""
    branch = options.branch or settings.history.branch
    wanted = (branch,) if branch else ()
    repository = checkout.here()
    parents = repository.first_parents({each.job.commit for each in held.held}) if repository else {}
    keys = lane(options, opened, held)
    analysis = analyse(held, keys, branches=wanted, parents=parents)._replace(policy=settings.policy)
    if branch and branch not in analysis.orders:
        known = ", ".join(sorted({each.job.branch for each in held.held}))
        raise Stop("no-branch", f"--branch {branch}: the history has no jobs of this branch; it has: {known}")
    say_orders(analysis.orders)
    return analysis


def lane(options: argparse.Namespace, opened: Folder, held: Catalog) -> tuple[str, ...]:
    """Return the facts that keep jobs apart.

    Raises ``Stop`` if no job states one of them, so that it would keep nothing apart.
    """
    if not options.lane:
        return opened.about.lane
    if options.lane == ["none"]:
        arguments.say("statera: jobs of all machines are pooled, as --lane none asks")
        return ()
    known = {key for each in held.held for key in each.job.environment}
    for key in options.lane:
        if known and key not in known:
            has = f"{suggestion(key, known)}; they state: {listed(sorted(known))}"
            raise Stop("bad-option", f"--lane {key}: no job states this fact about its machine{has}")
    return tuple(options.lane)


def with_subjects(commits: Iterable[str], name: Callable[[str], str] = printable) -> list[str]:
    """Return a line for each commit, with subject and author where the repository of the current folder has it."""
    named = list(commits)
    repository = checkout.here()
    known = repository.described(named) if repository else {}
    about = {sha: f"  {printable(each.subject)} ({printable(each.author)})" for sha, each in known.items()}
    return [f"{name(commit)}{about.get(commit, '')}" for commit in named]


def say_orders(orders: Mapping[str, Order]) -> None:
    """Report jobs that no line has."""
    for each in of_orders(orders):
        arguments.say(f"statera: {printable(str(each)).removesuffix('.')}")
