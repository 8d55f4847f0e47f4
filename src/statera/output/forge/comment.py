"""The one comment of statera in a request: found again by a hidden mark and its author, and written or updated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from statera.support.errors import Stop
from statera.support.http import Refused, Unsure

if TYPE_CHECKING:
    from statera.output.forge.forge import Comment, Forge

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ATTEMPTS: Final = 3
_GONE: Final = frozenset({404, 410})

Done = Literal["written", "updated", "unchanged", "not needed"]


def mark(name: str) -> str:
    """Return the hidden first line of a comment; comments of several names stand side by side.

    Raises ``Stop`` if the name cannot stand in one.
    """
    if not _NAME.fullmatch(name) or "--" in name:
        raise Stop("bad-option", f"--name {name}: use up to 64 letters, digits, dots, hyphens and underscores")
    return f"<!-- statera comment {name} -->\n"


def deliver(forge: Forge, number: int, name: str, text: str, *, wanted: bool) -> Done:
    """Write the comment of a name in a pull request, or update the one that is there.

    ``wanted`` says whether to write one if there is none; an old one is always corrected.

    Raises ``Refused`` if the token may not, and ``Stop`` if the API does not answer.
    """
    first = mark(name)
    body = first + text
    author = forge.author()
    for _ in range(_ATTEMPTS):
        own = _single(forge, number, first, author)
        if own is not None and _says(own, body):
            return "unchanged"
        if own is not None:
            forge.edit(number, own.id, body)
            return "updated"
        if not wanted:
            return "not needed"
        try:
            forge.comment(number, body)
        except Unsure as unsure:
            # It may be there all the same: the next look finds out.
            why = str(unsure)
            continue
        # Another job may have written one meanwhile: the oldest stays, with what was said last.
        own = _single(forge, number, first, author)
        if own is not None and not _says(own, body):
            forge.edit(number, own.id, body)
        return "written"
    if _single(forge, number, first, author) is not None:
        return "written"
    raise Stop("forge-failed", f"{why}. Run the job again later")


def _single(forge: Forge, number: int, first: str, author: str) -> Comment | None:
    """Return the oldest comment with the mark that the token's owner wrote, and remove further ones.

    Anybody can copy the mark: what others wrote stays.
    """
    own = [
        each
        for each in forge.comments(number)
        if each.author.lower() == author.lower() and each.body.replace("\r\n", "\n").startswith(first)
    ]
    for each in own[1:]:
        try:
            forge.remove(number, each.id)
        except Refused as refused:
            # The job that wrote it has removed it.
            if refused.status not in _GONE:
                raise
    return own[0] if own else None


def _says(comment: Comment, body: str) -> bool:
    return comment.body.replace("\r\n", "\n").rstrip() == body.rstrip()
