"""``statera server token add``, ``list``, ``rotate`` and ``revoke``, and ``audit``: who may what, and who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cli import options as common
from statera.cli.server import shared

if TYPE_CHECKING:
    import argparse

    from sqlalchemy import Connection

_ROLES: Final = ("read", "write", "admin")
_OF: Final = "the project (without it, the server's own)"


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verbs."""
    parser = verbs.add_parser(
        "token", help="make, list, rotate and revoke tokens", description="Make, list, rotate and revoke tokens."
    )
    own = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    adding = own.add_parser(
        "add",
        help="make a token; it is shown only once",
        description="Make a token, and write it to standard output; it is not shown again. A token of a project may do "
        "what its role allows; a token of the server may do everything.",
    )
    adding.add_argument("name", metavar="NAME", help="its name in lists and decisions")
    adding.add_argument("--project", metavar="NAME", help=_OF)
    adding.add_argument("--role", choices=_ROLES, default="read", help="its role in the project (read)")
    adding.add_argument("--days", type=int, metavar="N", help="days until it expires (never)")
    shared.add_database(adding)
    adding.set_defaults(run=_add)
    listing = own.add_parser("list", help="list tokens", description="List tokens, without their secrets.")
    listing.add_argument("--project", metavar="NAME", help=_OF)
    shared.add_database(listing)
    listing.set_defaults(run=_list)
    for name, what, run in (
        ("rotate", "replace a token by a new one of the same name, role and end; the old one stops working", _rotate),
        ("revoke", "end a token, and the browser sessions that use it", _revoke),
    ):
        one = own.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        one.add_argument("number", type=int, metavar="N", help="the token, as list numbers it")
        shared.add_database(one)
        one.set_defaults(run=run)
    record = verbs.add_parser(
        "audit",
        help="list who changed what, and refused tokens",
        description="List who changed what, and refused tokens, newest first.",
    )
    record.add_argument("--project", metavar="NAME", help=_OF)
    record.add_argument("--most", type=int, default=100, metavar="N", help="list at most this many (100)")
    shared.add_database(record)
    record.set_defaults(run=_audit)


def _add(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import access, tokens  # noqa: PLC0415 - --help does without

    with database.writing() as connection:
        project_id = _project(connection, options.project)
        role = access.Role[options.role.upper()]
        made, secret = tokens.add(connection, tokens.Changer(), options.name, role, project_id, days=options.days)
    common.say(f"statera: token {made.id} of {options.project or 'the server'}; it is shown only once")
    print(secret)
    return 0


def _list(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import access  # noqa: PLC0415 - --help does without

    with database.reading() as connection:
        found = access.listed(connection, _project(connection, options.project))
    for each in found:
        end = f"revoked {each.revoked}" if each.revoked else f"good until {each.expires or 'revoked'}"
        used = f"used {each.used}" if each.used else "never used"
        print(f"{each.id}  {each.role.word:<5}  {end}  {used}  {_native.printable(each.name)}")
    return 0


def _rotate(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import access, tokens  # noqa: PLC0415 - --help does without

    with database.writing() as connection:
        project_id = access.project_of(connection, options.number)
        made, secret = tokens.rotate(connection, tokens.Changer(), options.number, project_id)
    common.say(f"statera: token {made.id} replaces {options.number}; it is shown only once")
    print(secret)
    return 0


def _revoke(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import access, tokens  # noqa: PLC0415 - --help does without

    with database.writing() as connection:
        project_id = access.project_of(connection, options.number)
        tokens.revoke(connection, tokens.Changer(), options.number, project_id)
    common.say(f"statera: token {options.number} no longer works")
    return 0


def _audit(options: argparse.Namespace) -> int:
    database = shared.database(options)
    from statera.server import audit  # noqa: PLC0415 - --help does without

    with database.reading() as connection:
        found = audit.listed(connection, _project(connection, options.project), most=max(options.most, 1))
    for each in found:
        who = f"{each.who} ({each.address})" if each.address else each.who or "the command line"
        print(f"{each.moment}  {each.action:<16}  {_native.printable(f'{who}  {each.detail}')}")
    return 0


def _project(connection: Connection, name: str | None) -> int | None:
    from statera.server import projects  # noqa: PLC0415 - --help does without

    return None if name is None else projects.named(connection, name).id
