"""Errors of the server: what is missing, and what is refused."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

SERVERS: Final[dict[str, Entry]] = {
    "bad-database": Entry(
        "The address names no database that statera can use.",
        "A server keeps its histories in SQLite or PostgreSQL, in a database of its own.",
        "Write `sqlite:///FILE` or `postgresql://USER@HOST/NAME`. The message says what is wrong.",
    ),
    "old-database": Entry(
        "The tables of the database are missing, or those of an older statera.",
        "The server changes tables only when it is asked to, so that nobody is surprised by it.",
        "`statera server upgrade` makes what is missing and keeps what is there. Write a backup before.",
    ),
    "newer-database": Entry(
        "A newer statera made the tables of the database.",
        "This one does not know what they mean, and could damage them.",
        "Use the statera that made them, or a newer one.",
    ),
    "bad-project": Entry(
        "The name of a project is none, or there is such a project.",
        "Names of projects are parts of addresses.",
        "Take 1 to 64 letters, digits, dots, dashes and underscores; the first one is a letter or digit.",
    ),
    "no-project": Entry(
        "The server has no project of this name.",
        "Each project has a history of its own.",
        "Check the name, or make the project.",
    ),
    "server-busy": Entry(
        "More uploads wait to be stored than the server keeps in memory.",
        "Without a bound, many uploads at once would take all memory.",
        "Send the upload again some seconds later.",
    ),
}
