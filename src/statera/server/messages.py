"""What a hook receives: the facts of an alert or of a token as JSON or as a text for chats, signed with its secret."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any, Final

from statera import __version__, _native

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera.server.access import Token

TEST: Final = "test"
# Of an alert of a thousand series, the worst are told.
_CHANGES: Final = 20
_FACTS: Final = ("id", "branch", "first", "last", "raised", "worse", "better", "series", "state")
_OF_CHANGE: Final = ("name", "metric", "unit", "size", "low", "high", "ratio", "from", "to", "p", "worse", "commit")
_SHORT: Final = 8
# Columns of a name.
_NAME: Final = 60


def content(project: str, alert: Mapping[str, Any] | None, event: str) -> str:
    """Return what is kept of a message until it is sent.

    Args:
        project: the name of the project.
        alert: the document of the alert, as the pages have it; None for a test.
        event: what happened to it.

    """
    kind = TEST if alert is None else "alert"
    facts = None if alert is None else _facts(alert)
    return json.dumps({"statera": "hook/1", "kind": kind, "event": event, "project": project, "alert": facts})


def content_of_token(project: str, event: str, token: Token, by: str) -> str:
    """Return what is kept of a message about a token.

    Args:
        project: the name of the project.
        event: ``added``, ``rotated`` or ``revoked``.
        token: the token; of a rotation the new one.
        by: the name of the token that was used for it; empty of the command line.

    """
    facts = {"id": token.id, "name": token.name, "role": token.role.word, "by": by}
    return json.dumps({"statera": "hook/1", "kind": "token", "event": event, "project": project, "token": facts})


def body(stored: str, form: str, address: str) -> bytes:
    """Return the body of a message.

    Args:
        stored: what was kept of it.
        form: ``json`` or ``slack``.
        address: where browsers find the server.

    """
    document = json.loads(stored)
    alert = document.get("alert")
    page = f"{address}/p/{document['project']}/" + (f"alerts/{alert['id']}.html" if alert else "")
    if form == "slack":
        return json.dumps({"text": _chat(document, page)}).encode()
    return json.dumps({**document, "page": page}).encode()


def headers(delivery: int, sent: bytes, secret: str, moment: int) -> dict[str, str]:
    """Return the headers of a message: who sends what, when, and the signature over moment and body."""
    signed = hmac.new(secret.encode(), f"{moment}.".encode() + sent, hashlib.sha256)
    return {
        "Content-Type": "application/json",
        "User-Agent": f"statera/{__version__}",
        "X-Statera-Delivery": str(delivery),
        "X-Statera-Timestamp": str(moment),
        "X-Statera-Signature": f"sha256={signed.hexdigest()}",
    }


def _facts(alert: Mapping[str, Any]) -> dict[str, Any]:
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
    if document["kind"] == TEST:
        return f"<{page}|{project}>: a test of statera"
    if document["kind"] == "token":
        token = document["token"]
        by = f"with the token {_plain(token['by'])}" if token["by"] else "on the command line"
        return f"<{page}|{project}>: the token {_plain(token['name'])} ({token['role']}) was {document['event']} {by}"
    alert = document["alert"]
    first, last = (_plain(str(alert[name])[:_SHORT]) for name in ("first", "last"))
    begins = first if first == last else f"{first}..{last}"
    told = ", which has grown" if document["event"].startswith("grown") else ""
    return (
        f"{project}: <{page}|{_plain(alert['headline'])}>{told}, begins at {begins} on {_plain(str(alert['branch']))}"
    )


def _plain(text: str) -> str:
    """Escape a text for Slack."""
    return _native.printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
