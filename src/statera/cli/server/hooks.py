"""``statera server hook add``, ``list``, ``remove`` and ``test``: who is told of a project's alerts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.cli import options as common
from statera.cli.server import shared

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb and its verbs."""
    parser = verbs.add_parser(
        "hook",
        help="send alerts to other programs",
        description="Hooks: addresses to which the server sends the alerts of a project.",
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    adding = _verb(own, "add", "add a hook; its secret is shown only once", _add)
    adding.add_argument("url", metavar="URL", help="where messages are sent, beginning with https://")
    adding.add_argument("--form", choices=("json", "slack"), default="json", help="form of the messages (json)")
    _verb(own, "list", "list the hooks of a project", _list)
    for name, what, run in (
        ("remove", "remove a hook, and the messages that wait for it", _remove),
        ("test", "send a test message", _test),
    ):
        _verb(own, name, what, run).add_argument("number", type=int, metavar="N", help="the hook, as list numbers it")


def _verb(
    verbs: argparse._SubParsersAction[argparse.ArgumentParser], name: str, what: str, run: object
) -> argparse.ArgumentParser:
    parser = verbs.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
    parser.add_argument("project", metavar="PROJECT", help="the project")
    shared.add_database(parser)
    parser.set_defaults(run=run)
    return parser


def _add(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import audit, hooks, projects  # noqa: PLC0415 - --help does without

    with database.writing() as connection:
        project = projects.named(connection, options.project)
        made, secret = hooks.add(connection, project.id, options.url, options.form)
        audit.note(connection, "hook-added", project_id=project.id, detail=str(made.id))
    common.say(f"statera: hook {made.id} of {project.name}; its secret is shown only once")
    print(secret)
    return 0


def _list(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import hooks, projects  # noqa: PLC0415 - --help does without

    with database.reading() as connection:
        found = hooks.listed(connection, projects.named(connection, options.project).id)
    for each in found:
        print(f"{each.id}  {each.form:<5}  {each.created}  {_native.printable(each.url)}")
    return 0


def _remove(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import audit, hooks, projects  # noqa: PLC0415 - --help does without

    with database.writing() as connection:
        project = projects.named(connection, options.project)
        hooks.remove(connection, project.id, options.number)
        audit.note(connection, "hook-removed", project_id=project.id, detail=str(options.number))
    common.say(f"statera: hook {options.number} of {project.name} is removed")
    return 0


def _test(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import deliveries, projects  # noqa: PLC0415 - --help does without

    with database.writing() as connection:
        project = projects.named(connection, options.project)
        number = deliveries.queue_test(connection, project.id, options.number)
    common.say(f"statera: delivery {number} waits; statera serve sends it")
    return 0
