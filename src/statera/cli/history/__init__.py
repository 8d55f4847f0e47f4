"""``statera history``: results over commits, changes of level, and what is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli.history import (
    adding,
    bisecting,
    checking,
    comparing,
    deciding,
    exporting,
    importing,
    issues,
    keeping,
    showing,
    site,
    syncing,
)

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its verbs."""
    parser = verbs.add_parser(
        "history",
        help="watch benchmarks over commits, and report each change once",
        description="Keep the results of every commit, find changes of level, and report each change once. A history "
        "is a folder or a branch; statera history add creates it.",
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for part in (
        adding,
        importing,
        showing,
        checking,
        comparing,
        bisecting,
        deciding,
        syncing,
        keeping,
        site,
        exporting,
        issues,
    ):
        part.add(own)
