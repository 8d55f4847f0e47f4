"""Errors of a server: what is missing, and what is refused."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

SERVERS: Final[dict[str, Entry]] = {
    "bad-database": Entry(
        "The address names no database that the server can use.",
        "It works with SQLite and PostgreSQL.",
        "Write `sqlite:///FILE`, or `postgresql://USER@HOST/NAME`.",
    ),
    "old-database": Entry(
        "The tables of the database are missing, or those of an older statera.",
        "The server changes tables only when it is asked to, so that nobody is surprised by it.",
        "Write a backup. `statera server upgrade` then makes what is missing, and keeps what is there.",
    ),
    "newer-database": Entry(
        "A newer statera made the tables of the database.",
        "This one does not know what they mean, and could damage them.",
        "Use the statera that made them, or a newer one.",
    ),
    "bad-project": Entry(
        "A project cannot be made so.",
        "The name of a project is a part of addresses, and no two have the same.",
        "Use letters, digits, dots, dashes and underscores.",
    ),
    "no-project": Entry(
        "The server has no such project, or the caller may not read it.",
        "Whoever may not read a project is not told whether it exists.",
        "`statera server project list` names them; check the token.",
    ),
    "bad-state": Entry(
        "An alert cannot get this state.",
        "Some states say that there is nothing to do, which others need to understand.",
        "The message says what is missing.",
    ),
    "server-busy": Entry(
        "More uploads wait than the server keeps in memory.",
        "An upload is answered only when it is on the disk.",
        "Try again later, as the header `Retry-After` says; the same upload twice is one.",
    ),
}
