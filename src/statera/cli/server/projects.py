"""``statera server project add``, ``list`` and ``change``: what a server has histories of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli.server import shared
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its verbs."""
    parser = verbs.add_parser(
        "project", help="make, list and change projects", description="Make, list and change projects."
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    adding = own.add_parser("add", help="make a project", description="Make a project.")
    adding.add_argument("name", metavar="NAME", help="letters, digits, dots, dashes and underscores")
    adding.add_argument("--public", action="store_true", help="everybody may read it, without a token")
    adding.add_argument("--commit-url", default="", metavar="URL", help="the page of a commit, with {commit} in it")
    adding.add_argument(
        "--lane", action="append", metavar="KEY", help="a fact about machines that keeps jobs apart (cpu and runner)"
    )
    shared.add_database(adding)
    adding.set_defaults(run=_add)
    listing = own.add_parser("list", help="list the projects", description="List the projects.")
    shared.add_database(listing)
    listing.set_defaults(run=_list)
    changing = own.add_parser("change", help="change a project", description="Change a project.")
    changing.add_argument("name", metavar="NAME", help="the project")
    which = changing.add_mutually_exclusive_group()
    which.add_argument("--public", dest="is_public", action="store_const", const=True, help="everybody may read it")
    which.add_argument("--private", dest="is_public", action="store_const", const=False, help="only tokens may read it")
    changing.add_argument("--commit-url", metavar="URL", help="the page of a commit, with {commit} in it")
    shared.add_database(changing)
    changing.set_defaults(run=_change, is_public=None)


def _add(options: argparse.Namespace) -> int:
    _check(options.commit_url)
    database = shared.database(options)
    from statera.history.folder import About  # noqa: PLC0415 - --help does without
    from statera.server import audit, projects  # noqa: PLC0415

    about = About(options.name, tuple(options.lane)) if options.lane else About(options.name)
    with database.writing() as connection:
        made = projects.create(connection, about, commit_url=options.commit_url, is_public=options.public)
        audit.note(connection, "project-added", project_id=made.id, detail=made.name)
    common.say(
        f"statera: {made.name} is made; statera server token add NAME --project {made.name} makes a token for it"
    )
    return 0


def _list(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import projects  # noqa: PLC0415 - --help does without

    with database.reading() as connection:
        found = projects.listed(connection)
    for each in found:
        who = "public" if each.is_public else "private"
        print(f"{each.name}  {who}  {'analysed' if each.analysed >= each.changed else 'waits for analysis'}")
    return 0


def _change(options: argparse.Namespace) -> int:
    _check(options.commit_url or "")
    database = shared.database(options)
    from statera.server import audit, projects  # noqa: PLC0415 - --help does without

    with database.writing() as connection:
        changed = projects.change(connection, options.name, commit_url=options.commit_url, is_public=options.is_public)
        who = "public" if changed.is_public else "private"
        audit.note(connection, "project-changed", project_id=changed.id, detail=f"{who} {changed.commit_url}")
    common.say(f"statera: {changed.name} is {who}")
    return 0


def _check(commit_url: str) -> None:
    if commit_url and ("{commit}" not in commit_url or not commit_url.startswith(("https://", "http://"))):
        raise Stop(
            "bad-option", f"--commit-url {commit_url}: write an address such as https://example.org/commit/{{commit}}"
        )
