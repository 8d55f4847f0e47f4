"""``statera server``: projects, tokens, hooks and the database of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli.server import backups, databases, hooks, projects, tokens

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its verbs."""
    parser = verbs.add_parser(
        "server",
        help="administer a server: projects, tokens, webhooks, backups, the record of changes",
        description="Administer the database of statera serve, whether it runs or not. Whoever can access the database "
        "may do everything.",
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for part in (projects, tokens, hooks, databases, backups):
        part.add(own)
