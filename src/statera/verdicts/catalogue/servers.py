"""Errors of a server: what it refuses, and what it lacks."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

SERVERS: Final[dict[str, Entry]] = {
    "bad-database": Entry(
        "The address of the database is none, or of a kind that statera does not know.",
        "A server stores everything in one database: SQLite for a small team, PostgreSQL for a larger one.",
        "Write `sqlite:///FILE` or `postgresql://USER@HOST/NAME`, with `--database` or in `STATERA_DATABASE`.",
    ),
    "bad-project": Entry(
        "A project was to be made with a name that it cannot have, or that is taken.",
        "The name is a part of addresses.",
        "State a name of letters, digits, dots, dashes and underscores; `statera server project list` lists the names "
        "that are taken.",
    ),
    "no-project": Entry(
        "The server has no project of this name, or it does not show it to whoever asks.",
        "Whether a private project exists is nobody's business who may not read it.",
        "Check the name, and that the token is of this project. `statera server project add` makes a project.",
    ),
    "server-busy": Entry(
        "More uploads wait than the server stores at once.",
        "What waits stands in memory.",
        "Send the upload again after the seconds of the header `Retry-After`: to send the same twice does no harm.",
    ),
    "bad-token": Entry(
        "A token was to be made with a name, a role or an end that it cannot have.",
        "Lists and the record of changes show the name, so that it has to be readable.",
        "State a name of at most 100 characters, a role of read, write or admin, and a number of days.",
    ),
    "no-such-token": Entry(
        "There is no token of this number in the project, or it has ended.",
        "A token that was revoked or has expired is never good again.",
        "`statera server token list` lists the tokens with their numbers; `statera server token add` makes one.",
    ),
}
