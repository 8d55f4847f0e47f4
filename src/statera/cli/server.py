"""``statera serve``, and ``statera server``: histories over HTTP, and the care for their database."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from sqlalchemy.exc import DBAPIError

from statera import _native
from statera.cli import arguments, history_changes
from statera.history.folder import About
from statera.server import (
    access,
    audit,
    backup,
    compaction,
    deliveries,
    hooks,
    margins,
    migrations,
    process,
    projects,
    tokens,
    trust,
)
from statera.server.database import Database, is_away
from statera.support import stages
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.settings import Limits
from statera.support.settings.limits import parse_size
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from statera.server.backup import Held
    from statera.server.projects import Project
    from statera.server.trust import Trust

_VARIABLE: Final = "STATERA_DATABASE"


def _url(options: argparse.Namespace) -> str:
    """Return the address of the database; empty if nobody states it."""
    return options.database or os.environ.get(_VARIABLE, "")


def _opened(options: argparse.Namespace) -> Database:
    """Return the database, whatever tables it has. Raises ``Stop`` if nobody states it, or it is none."""
    address = _url(options)
    if not address:
        raise Stop("bad-option", f"--database is missing: write sqlite:///FILE, or set {_VARIABLE}")
    return Database(address)


def _database(options: argparse.Namespace) -> Database:
    """Return the database, whose tables are those of this statera.

    Raises ``Stop`` if nobody states it, it is none, it does not answer, or it has other tables.
    """
    found = _opened(options)

    with _answering(found):
        migrations.check(found)
    return found


@contextmanager
def _answering(database: Database) -> Iterator[None]:
    """Report a database that does not answer as an error of the caller's."""
    try:
        yield
    except DBAPIError as error:
        if not is_away(error):
            raise
        raise Stop("bad-database", f"{database.url}: {error.orig}") from None


@contextmanager
def _writing_about_project(options: argparse.Namespace) -> Iterator[tuple[Connection, Project]]:
    """Yield a connection that writes, and the project that is named."""
    with _database(options).writing() as connection:
        yield connection, projects.named(connection, options.project)


_NO_MARGINS: Final = "none"
_MOST_PORT: Final = 65_535


# Of a value, SQLite stores so many bytes, and PostgreSQL 7 % more.
_LARGEST: Final = 1_000_000_000
_BARE: Final = ("", "", "")


def serve(options: argparse.Namespace) -> None:
    """Serve until an interruption."""
    if not 0 <= options.port <= _MOST_PORT:
        raise Stop("bad-option", f"--port {options.port}: write a number up to {_MOST_PORT}")
    if options.address and not _is_origin(options.address):
        raise Stop(
            "bad-option", f"--address {options.address}: write https:// and the host, as https://perf.example.org"
        )
    data = Path(options.data)
    process.serve(
        process.Options(
            _url(options) or f"sqlite:///{data / 'statera.db'}",
            data,
            options.host,
            options.port,
            options.address,
            Limits(),
            _size("--most-received", options.most_received),
            _size("--most-expanded", options.most_expanded, _LARGEST),
            options.allow_private_hooks,
            options.open_metrics,
        ),
        lambda text: arguments.say(f"statera: {text}"),
    )


def _is_origin(address: str) -> bool:
    """Return whether an address is a scheme and a host: pages name each other by paths from there on."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    named = parts.scheme in {"http", "https"} and parts.hostname and port != 0
    return bool(named and "@" not in parts.netloc and address.isprintable() and parts[2:] in {_BARE, ("/", "", "")})


def _size(option: str, text: str, most: int = sys.maxsize) -> int:
    size = parse_size(text)
    if not size:
        raise Stop("bad-option", f"{option} {text}: write a size such as 64MiB")
    if size > most:
        raise Stop("bad-option", f"{option} {text}: no database stores more than {most:,} bytes at once. Write less")
    return size


def project_add(options: argparse.Namespace) -> None:
    """Make a project."""
    _check(options.commit_url)
    database = _database(options)
    about = About(options.name, tuple(options.lane)) if options.lane else About(options.name)
    with database.writing() as connection:
        made = projects.create(connection, about, commit_url=options.commit_url, is_public=options.public)
        audit.note(connection, "project-added", project_id=made.id, detail=made.name)
    arguments.say(
        f"statera: {made.name} is made; statera server token add NAME --project {made.name} makes a token for it"
    )


def project_list(options: argparse.Namespace) -> None:
    """List the projects."""
    with _database(options).reading() as connection:
        found = projects.listed(connection)
    for each in found:
        who = "public" if each.is_public else "private"
        print(f"{each.name}  {who}  {'analysed' if each.analysed >= each.changed else 'waits for analysis'}")


def project_change(options: argparse.Namespace) -> None:
    """Change a project."""
    _check(options.commit_url or "")
    with _database(options).writing() as connection:
        kept = {"samples": options.samples, "around": options.around, "margins": _margins(options.margin)}
        shown = {"commit_url": options.commit_url, "is_public": options.is_public}
        changed = projects.change(connection, options.name, **shown, **kept)
        who = "public" if changed.is_public else "private"
        stated = margins.in_line(changed.margins)
        detail = f"{who} {changed.commit_url} margins {stated}"
        audit.note(connection, "project-changed", project_id=changed.id, detail=detail)
    arguments.say(f"statera: {changed.name} is {who}; margins: {_native.printable(stated)}")


def _margins(words: list[str]) -> dict[str, str] | None:
    """Return margins by patterns, the last word first, as it counts; None if there are no words."""
    if not words:
        return None
    if words == [_NO_MARGINS]:
        return {}
    if _NO_MARGINS in words:
        raise Stop("bad-option", f"--margin {_NO_MARGINS} removes all margins. State it alone")
    found: dict[str, str] = {}
    for word in reversed(words):
        pattern, _, amount = word.rpartition("=")
        found.setdefault(pattern or "*", amount)
    return found


def compact_project(options: argparse.Namespace) -> None:
    """Merge the uploads of past months of a project."""
    history_changes.refuse_older(options.older)
    database = _database(options)
    with _answering(database):
        with database.reading() as connection:
            project = projects.named(connection, options.project)
        done = compaction.compact(database, project, Limits(), options.older, dry=options.dry_run)
    history_changes.say_compacted(project.name, done, options)


def _check(commit_url: str) -> None:
    if commit_url and ("{commit}" not in commit_url or not commit_url.startswith(("https://", "http://"))):
        raise Stop(
            "bad-option", f"--commit-url {commit_url}: write an address such as https://example.org/commit/{{commit}}"
        )


def token_add(options: argparse.Namespace) -> None:
    """Make a token, and write it to standard output."""
    with _database(options).writing() as connection:
        project_id = _project(connection, options.project)
        role = access.Role[options.role.upper()]
        made, secret = tokens.add(connection, tokens.Changer(), options.name, role, project_id, days=options.days)
    arguments.say(f"statera: token {made.id} of {options.project or 'the server'}; it is shown only once")
    print(secret)


def token_list(options: argparse.Namespace) -> None:
    """List tokens, without their secrets."""
    with _database(options).reading() as connection:
        found = tokens.listed(connection, _project(connection, options.project))
    for each in found:
        end = f"revoked {each.revoked}" if each.revoked else f"good until {each.expires or 'revoked'}"
        used = f"used {each.used}" if each.used else "never used"
        print(f"{each.id}  {each.role.word:<5}  {end}  {used}  {_native.printable(each.name)}")


def token_rotate(options: argparse.Namespace) -> None:
    """Replace a token by a new one."""
    with _database(options).writing() as connection:
        project_id = tokens.project_of(connection, options.number)
        made, secret = tokens.rotate(connection, tokens.Changer(), options.number, project_id)
    arguments.say(f"statera: token {made.id} replaces {options.number}; it is shown only once")
    print(secret)


def token_revoke(options: argparse.Namespace) -> None:
    """End a token."""
    with _database(options).writing() as connection:
        project_id = tokens.project_of(connection, options.number)
        tokens.revoke(connection, tokens.Changer(), options.number, project_id)
    arguments.say(f"statera: token {options.number} no longer works")


def audit_list(options: argparse.Namespace) -> None:
    """List who changed what."""
    with _database(options).reading() as connection:
        found = audit.listed(connection, _project(connection, options.project), most=max(options.most, 1))
    for each in found:
        who = f"{each.who} ({each.address})" if each.address else each.who or "the command line"
        print(f"{each.moment}  {each.action:<16}  {_native.printable(f'{who}  {each.detail}')}")


def _project(connection: Connection, name: str | None) -> int | None:
    return None if name is None else projects.named(connection, name).id


def hook_add(options: argparse.Namespace) -> None:
    """Add a hook, and write its secret to standard output."""
    with _writing_about_project(options) as (connection, project):
        made, secret = hooks.add(connection, project.id, options.url, options.form)
        audit.note(connection, "hook-added", project_id=project.id, detail=str(made.id))
    arguments.say(f"statera: hook {made.id} of {project.name}; its secret is shown only once")
    print(secret)


def hook_list(options: argparse.Namespace) -> None:
    """List the hooks of a project."""
    with _database(options).reading() as connection:
        found = hooks.listed(connection, projects.named(connection, options.project).id)
    for each in found:
        print(f"{each.id}  {each.form:<5}  {each.created}  {_native.printable(each.url)}")


def hook_remove(options: argparse.Namespace) -> None:
    """Remove a hook."""
    with _writing_about_project(options) as (connection, project):
        hooks.remove(connection, project.id, options.number)
        audit.note(connection, "hook-removed", project_id=project.id, detail=str(options.number))
    arguments.say(f"statera: hook {options.number} of {project.name} is removed")


def hook_test(options: argparse.Namespace) -> None:
    """Queue a test message."""
    with _writing_about_project(options) as (connection, project):
        number = deliveries.queue_test(connection, project.id, options.number)
    arguments.say(f"statera: delivery {number} waits; statera serve sends it")


def trust_add(options: argparse.Namespace) -> None:
    """Trust jobs of an issuer."""
    claims = {}
    for text in options.claim:
        name, between, pattern = text.partition("=")
        if not between or name in claims:
            raise Stop("bad-option", f"--claim {text}: write NAME=PATTERN, each name once")
        claims[name] = pattern
    with _writing_about_project(options) as (connection, project):
        made = trust.add(connection, project.id, options.issuer, options.audience, claims)
        audit.note(connection, "trust-added", project_id=project.id, detail=f"{made.id}: {_trusted(made)}")
    arguments.say(f"statera: {project.name} trusts jobs of {_native.printable(made.issuer)}")


def trust_list(options: argparse.Namespace) -> None:
    """List what a project trusts."""
    with _database(options).reading() as connection:
        found = trust.listed(connection, projects.named(connection, options.project).id)
    for each in found:
        print(f"{each.id}  {_native.printable(_trusted(each))}")


def trust_remove(options: argparse.Namespace) -> None:
    """Trust jobs no longer."""
    with _writing_about_project(options) as (connection, project):
        trust.remove(connection, project.id, options.number)
        audit.note(connection, "trust-removed", project_id=project.id, detail=str(options.number))
    arguments.say(f"statera: entry {options.number} of {project.name} is removed")


def _trusted(entry: Trust) -> str:
    claims = "  ".join(f"{name}={pattern}" for name, pattern in entry.claims.items())
    return f"{entry.issuer}  for {entry.audience}  {claims}"


def upgrade(options: argparse.Namespace) -> None:
    """Make the tables that a database lacks."""
    database = _opened(options)
    with _answering(database):
        stages.enter("upgrading")
        migrations.upgrade(database)
    arguments.say(f"statera: {database.url}: the tables are up to date")


def backup_write(options: argparse.Namespace) -> None:
    """Write all projects into one file."""
    outputs.check(options.output)
    database = _database(options)
    with _answering(database):
        stages.enter("writing")
        held = backup.write(database, options.output)
    arguments.say(f"statera: {options.output}: {_words(held)} written")


def restore(options: argparse.Namespace) -> None:
    """Read a backup into an empty database."""
    database = _opened(options)
    with _answering(database):
        stages.enter("restoring")
        held = backup.restore(database, options.input, Limits())
    arguments.say(f"statera: {database.url}: {_words(held)} restored")


def _words(held: Held) -> str:
    return f"{counted(held.projects, 'project')} with {counted(held.uploads, 'upload')}"
