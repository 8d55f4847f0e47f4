"""What hooks are told: a row for each message and hook, and the threads that send what is due."""

from __future__ import annotations

import json
import logging
import threading
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from statera.server import hooks, messages, posting, projects, tables
from statera.server.moments import now
from statera.support.errors import Stop

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from statera.server.access import Token
    from statera.server.database import Database

# Seconds until the next attempt, after each; the last attempt has none after it. In all a day.
PAUSES: Final = (60, 120, 300, 900, 1800, 3600, 7200, 14400, 43200)
# A delivery that is being sent belongs to its sender for so long; whoever was killed meanwhile is followed by another.
_LEASE: Final = 120
_GONE: Final = 410
_SENDERS: Final = 4
# How often the database is asked, in seconds: another server may have written what is due.
_LOOK: Final = 5.0

_log = logging.getLogger("statera.server")


class Delivery(NamedTuple):
    """What became of a message.

    Attributes:
        id: its number, which the receiver sees.
        alert: the alert; empty of a test and of a token.
        event: ``new``, ``grown`` with a size, a test, or ``token-added``, ``token-rotated`` or ``token-revoked`` with
            the number of the token.
        attempts: how often it was tried.
        due: when it is tried next; None when it is done or given up.
        delivered: when it was answered with success.
        problem: what went wrong the last time.

    """

    id: int
    alert: str
    event: str
    attempts: int
    due: str | None
    delivered: str | None
    problem: str | None


def queue(connection: Connection, project_id: int, alert: str, event: str) -> int:
    """Tell all hooks of a project of an alert; what was told once is not told again.

    Args:
        connection: of a transaction that writes.
        project_id: the project.
        alert: the id of the alert, whose row is there.
        event: what happened to it, such as ``new``.

    Returns:
        how many messages are new.

    """
    own = hooks.listed(connection, project_id)
    if not own:
        return 0
    columns = tables.alert.c
    wanted = select(columns.document).where(columns.project_id == project_id, columns.id == alert)
    document = json.loads(connection.execute(wanted).scalar_one())
    content = messages.content(projects.numbered(connection, project_id).name, document, event)
    return sum(_queue(connection, hook.id, alert, event, content) is not None for hook in own)


def queue_token(connection: Connection, project_id: int, event: str, token: Token, by: str) -> None:
    """Tell all hooks of a project that a token was added, rotated or revoked, once.

    Args:
        connection: of the transaction that changes the token.
        project_id: the project.
        event: what happened to it, as ``messages.content_of_token`` takes it.
        token: the token.
        by: the name of the token that was used for it; empty of the command line.

    """
    own = hooks.listed(connection, project_id)
    if own:
        content = messages.content_of_token(projects.numbered(connection, project_id).name, event, token, by)
        for hook in own:
            _queue(connection, hook.id, "", f"token-{event} {token.id}", content)


def queue_test(connection: Connection, project_id: int, number: int) -> int:
    """Send a message to a hook that only shows that it arrives; return the number of the delivery.

    Raises:
        Stop: the project has no such hook.

    """
    hooks.named(connection, project_id, number)
    columns = tables.delivery.c
    last = connection.execute(select(func.max(columns.id)).where(columns.hook_id == number)).scalar() or 0
    content = messages.content(projects.numbered(connection, project_id).name, None, messages.TEST)
    made = _queue(connection, number, "", f"{messages.TEST} after {last}", content)
    if made is None:
        raise Stop("server-busy", "another test of this hook was sent at the same time; try again")
    return made


def _queue(connection: Connection, hook: int, alert: str, event: str, content: str) -> int | None:
    values = {"hook_id": hook, "alert": alert, "event": event, "content": content, "attempts": 0, "due": now()}
    made: int | None
    if connection.dialect.name == "sqlite":
        adding = sqlite.insert(tables.delivery).values(**values).on_conflict_do_nothing()
        made = connection.execute(adding.returning(tables.delivery.c.id)).scalar()
    else:
        also = postgresql.insert(tables.delivery).values(**values).on_conflict_do_nothing()
        made = connection.execute(also.returning(tables.delivery.c.id)).scalar()
    return made


def listed(connection: Connection, hook: int, before: int | None, limit: int) -> list[Delivery]:
    """Return deliveries of a hook, the newest first.

    Args:
        connection: of the database.
        hook: its number.
        before: only those with smaller numbers.
        limit: so many at most.

    """
    columns = tables.delivery.c
    wanted = select(*(columns[name] for name in Delivery._fields)).where(columns.hook_id == hook)
    if before is not None:
        wanted = wanted.where(columns.id < before)
    return [Delivery(*row) for row in connection.execute(wanted.order_by(columns.id.desc()).limit(limit))]


class _Claimed(NamedTuple):
    """A delivery that is this sender's until the lease ends."""

    id: int
    attempts: int
    lease: str
    content: str
    url: str
    form: str
    secret: str


class Sender:
    """Threads that send what is due. It survives restarts, and several servers may share a database."""

    def __init__(self, database: Database, address: str, *, allow_private: bool = False) -> None:
        """Take the database; ``start`` begins.

        Args:
            database: the database.
            address: where browsers find the server.
            allow_private: whether hooks may be machines of the server's own network.

        """
        self._database = database
        self._address = address
        self._allow_private = allow_private
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._run, name=f"sender-{n}", daemon=True) for n in range(_SENDERS)]

    def start(self) -> None:
        """Begin to send."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End; a message on its way arrives first."""
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                found = self.send_one()
            except Exception:  # noqa: BLE001 - whatever it is, the next one may be sent
                # A database that is away comes back; the threads must be there then.
                _log.exception("deliveries cannot be sent")
                found = False
            if not found:
                self._ended.wait(_LOOK)

    def send_one(self) -> bool:
        """Send a delivery that is due; return whether there was one."""
        claimed = self._claim()
        if claimed is None:
            return False
        try:
            answer = self._sent(claimed)
        except Stop as stop:
            answer = posting.Answer(None, str(stop))
        except Exception:  # noqa: BLE001 - otherwise it is sent again at the end of each lease, for ever
            _log.exception("the delivery %d cannot be sent", claimed.id)
            answer = posting.Answer(None, "the server failed; its log says why")
        self._record(claimed, answer)
        return True

    def _sent(self, claimed: _Claimed) -> posting.Answer:
        where = hooks.target(claimed.url, allow_private=self._allow_private)
        body = messages.body(claimed.content, claimed.form, self._address)
        headers = messages.headers(claimed.id, body, claimed.secret, int(time.time()))
        return posting.post(where, body, headers)

    def _claim(self) -> _Claimed | None:
        """Take the delivery that waits longest; None if none is due, or another sender took it."""
        columns, hook = tables.delivery.c, tables.hook.c
        known = (columns.id, columns.attempts, columns.due, columns.content, hook.url, hook.form, hook.secret)
        wanted = (
            select(*known)
            .join(tables.hook, hook.id == columns.hook_id)
            .where(columns.due <= now())
            .order_by(columns.due, columns.id)
            .limit(_SENDERS)
        )
        with self._database.reading() as connection:
            rows = connection.execute(wanted).all()
        for row in rows:
            id_, attempts, due, *rest = row
            lease = now(_LEASE)
            taking = update(tables.delivery).where(columns.id == id_, columns.due == due)
            with self._database.writing() as connection:
                taken = connection.execute(taking.values(due=lease, attempts=attempts + 1)).rowcount
            if taken:
                return _Claimed(id_, attempts + 1, lease, *rest)
        return None

    def _record(self, claimed: _Claimed, answer: posting.Answer) -> None:
        """Write down what became of an attempt, unless its lease ended before."""
        due = None
        if answer.problem is not None and answer.status != _GONE and claimed.attempts <= len(PAUSES):
            due = now(min(max(PAUSES[claimed.attempts - 1], answer.wait or 0), PAUSES[-1]))
        values = {"due": due, "problem": answer.problem, "delivered": None if answer.problem else now()}
        columns = tables.delivery.c
        with self._database.writing() as connection:
            done = update(tables.delivery).where(columns.id == claimed.id, columns.due == claimed.lease)
            connection.execute(done.values(**values))
