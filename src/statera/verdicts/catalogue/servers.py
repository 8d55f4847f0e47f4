"""Errors of a server: what is missing, and what is refused."""

from __future__ import annotations

from typing import Final

from statera.verdicts.catalogue.entry import Entry

SERVERS: Final[dict[str, Entry]] = {
    "bad-hook": Entry(
        "A hook cannot have this address or form.",
        "Hooks make the server send requests. Only https reaches other machines, and machines of the server's own "
        "network are refused, because whoever may add hooks could reach what only the server can.",
        "Write an address that begins with `https://`, without name and password. `--allow-private-hooks` of "
        "`statera serve` allows machines of the own network.",
    ),
    "no-hook": Entry(
        "The project has no hook of this number.",
        "Hooks are numbered; those of other projects are not shown.",
        "`statera server hook list PROJECT` lists them.",
    ),
    "bad-database": Entry(
        "The address names no database that the server can use.",
        "It works with SQLite and PostgreSQL.",
        "Write `sqlite:///FILE`, or `postgresql://USER@HOST/NAME`.",
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
