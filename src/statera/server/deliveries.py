"""What hooks are told: a row for each message and hook, and the threads that send what is due.

A message has the facts of an alert or of a token, as JSON or as a text for chats, signed with the secret of the hook.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import threading
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import func, select, update

from statera import __version__, _native
from statera.server import hooks, projects, tables
from statera.server.database import add_new
from statera.server.tables import now
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from statera.server.database import Database

# Seconds until the next attempt, after each; the last attempt has none after it. In all a day.
PAUSES: Final = (60, 120, 300, 900, 1800, 3600, 7200, 14400, 43200)
# A delivery that is being sent belongs to its sender for so long; whoever was killed meanwhile is followed by another.
_LEASE: Final = 120
_GONE: Final = 410
_SENDERS: Final = 4
# How often the database is asked, in seconds: another server may have written what is due.
_LOOK: Final = 5.0

_TEST: Final = "test"
# Of an alert of a thousand series, the worst are told.
_CHANGES: Final = 20
_FACTS: Final = ("id", "branch", "first", "last", "candidates", "raised", "worse", "better", "series", "state")
_OF_CHANGE: Final = (
    "name", "metric", "unit", "size", "low", "high", "ratio", "from", "to", "p", "worse", "commit", "below_margin",
)  # fmt: skip
_SHORT: Final = 8
# Columns of a name.
_NAME: Final = 60
_log: Final = logging.getLogger("statera.server")


class Delivery(NamedTuple):
    """What became of a message."""

    id: int  # its number, which the receiver sees
    alert: str  # the alert; empty of a test and of a token
    # ``new``, ``grown`` with a size, a test, or ``token-added``, ``token-rotated`` or ``token-revoked`` with the number
    # of the token
    event: str
    attempts: int  # how often it was tried
    due: str | None  # when it is tried next; None when it is done or given up
    delivered: str | None  # when it was answered with success
    problem: str | None  # what went wrong the last time


def queue(connection: Connection, project_id: int, alert: str, event: str) -> int:
    """Tell all hooks of a project of an alert, whose row is there; what was told once is not told again.

    The event is what happened to it, such as ``new``. Return how many messages are new.
    """
    own = hooks.listed(connection, project_id)
    if not own:
        return 0
    columns = tables.alert.c
    wanted = select(columns.document).where(columns.project_id == project_id, columns.id == alert)
    facts = _facts_of(json.loads(connection.execute(wanted).scalar_one()))
    content = _content(projects.numbered(connection, project_id).name, "alert", event, facts)
    return sum(_queue(connection, hook.id, alert, event, content) is not None for hook in own)


def queue_token(connection: Connection, project_id: int, event: str, facts: Mapping[str, Any]) -> None:
    """Tell all hooks of a project, in the transaction that does it, that a token was added, rotated or revoked, once.

    The facts are id, name and role of the token (of a rotation the new one), and ``by``: the name of the token that was
    used for it, empty of the command line.
    """
    own = hooks.listed(connection, project_id)
    if own:
        content = _content(projects.numbered(connection, project_id).name, "token", event, facts)
        for hook in own:
            _queue(connection, hook.id, "", f"token-{event} {facts['id']}", content)


def queue_test(connection: Connection, project_id: int, number: int) -> int:
    """Send a message to a hook that only shows that it arrives; return the number of the delivery.

    Raises ``Stop`` if the project has no such hook.
    """
    hooks.named(connection, project_id, number)
    columns = tables.delivery.c
    last = connection.execute(select(func.max(columns.id)).where(columns.hook_id == number)).scalar() or 0
    content = _content(projects.numbered(connection, project_id).name, _TEST, _TEST, None)
    made = _queue(connection, number, "", f"{_TEST} after {last}", content)
    if made is None:
        raise Stop("server-busy", "another test of this hook was sent at the same time. Try again")
    return made


def _queue(connection: Connection, hook: int, alert: str, event: str, content: str) -> int | None:
    values = {"hook_id": hook, "alert": alert, "event": event, "content": content, "attempts": 0, "due": now()}
    return add_new(connection, tables.delivery, values)


def listed(connection: Connection, hook: int, before: int | None, limit: int) -> list[Delivery]:
    """Return deliveries of a hook, the newest first: those with numbers before this, and so many at most."""
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
        """Take the database, where browsers find the server, and whether hooks may be machines of its own network."""
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
            except Exception:
                # The next one may be sent, and a database that is away comes back: the threads must be there then.
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
            answer = hooks.Answer(None, str(stop))
        except Exception:
            # Otherwise it is sent again at the end of each lease, for ever.
            _log.exception("the delivery %d cannot be sent", claimed.id)
            answer = hooks.Answer(None, "the server failed; its log says why")
        self._record(claimed, answer)
        return True

    def _sent(self, claimed: _Claimed) -> hooks.Answer:
        where = hooks.target(claimed.url, allow_private=self._allow_private)
        body = body_of(claimed.content, claimed.form, self._address)
        headers = headers_of(claimed.id, body, claimed.secret, int(time.time()))
        return hooks.post(where, body, headers)

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

    def _record(self, claimed: _Claimed, answer: hooks.Answer) -> None:
        """Write down what became of an attempt, unless its lease ended before."""
        due = None
        if answer.problem is not None and answer.status != _GONE and claimed.attempts <= len(PAUSES):
            due = now(min(max(PAUSES[claimed.attempts - 1], answer.wait or 0), PAUSES[-1]))
        values = {"due": due, "problem": answer.problem, "delivered": None if answer.problem else now()}
        columns = tables.delivery.c
        with self._database.writing() as connection:
            done = update(tables.delivery).where(columns.id == claimed.id, columns.due == claimed.lease)
            connection.execute(done.values(**values))


def _content(project: str, kind: str, event: str, facts: Mapping[str, Any] | None) -> str:
    """Return what is kept of a message about an ``alert`` or ``token``, or of a test, until it is sent."""
    about = "token" if kind == "token" else "alert"
    return json.dumps({"statera": "hook/1", "kind": kind, "event": event, "project": project, about: facts})


def body_of(stored: str, form: str, address: str) -> bytes:
    """Return the body of a message, of which this was kept, in the form of a hook; ``address`` is the server's."""
    document = json.loads(stored)
    alert = document.get("alert")
    page = f"{address}/p/{document['project']}/" + (f"alerts/{alert['id']}.html" if alert else "")
    if form == "slack":
        return json.dumps({"text": _chat(document, page)}).encode()
    return json.dumps({**document, "page": page}).encode()


def headers_of(delivery: int, sent: bytes, secret: str, moment: int) -> dict[str, str]:
    """Return the headers of a message: who sends what, when, and the signature over moment and body."""
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + sent, hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": f"statera/{__version__}",
        "X-Statera-Delivery": str(delivery),
        "X-Statera-Timestamp": str(moment),
        "X-Statera-Signature": f"sha256={signed.hexdigest()}",
    }


def _facts_of(alert: Mapping[str, Any]) -> dict[str, Any]:
    changes = list(alert.get("changes", ()))
    return {
        **{name: alert.get(name) for name in _FACTS},
        "headline": _headline(alert, changes),
        "changes": [{name: each.get(name) for name in _OF_CHANGE} for each in changes[:_CHANGES]],
    }


def _headline(alert: Mapping[str, Any], changes: list[dict[str, Any]]) -> str:
    """Describe an alert in a line: the worst change, and how many others."""
    worst = changes[0] if changes else {}
    size = worst.get("size")
    what = _native.percent(size) if worst.get("ratio") and size is not None else "changed"
    others = int(alert.get("series") or len(changes)) - 1
    more = f" and {others} more" if others > 0 else ""
    name = _native.shortened(_native.printable(str(worst.get("name", "series"))), _NAME)
    return f"{name} {what}{more}"


def _chat(document: dict[str, Any], page: str) -> str:
    """Write a message for a chat. Its three signs of control stand in the link alone, never in a name."""
    project = _plain(document["project"])
    if document["kind"] == _TEST:
        return f"<{page}|{project}>: a test of statera"
    if document["kind"] == "token":
        token = document["token"]
        by = f"with the token {_plain(token['by'])}" if token["by"] else "on the command line"
        return f"<{page}|{project}>: the token {_plain(token['name'])} ({token['role']}) was {document['event']} {by}"
    alert = document["alert"]
    several = alert["first"] != alert["last"]
    one_of = f"one of {alert.get('candidates') or 'several'} commits up to " if several else ""
    begins = f"{one_of}{_plain(str(alert['last'])[:_SHORT])}"
    told = ", which has grown" if document["event"].startswith("grown") else ""
    return (
        f"{project}: <{page}|{_plain(alert['headline'])}>{told}, begins at {begins} on {_plain(str(alert['branch']))}"
    )


def _plain(text: str) -> str:
    """Escape a text for Slack."""
    return _native.printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
