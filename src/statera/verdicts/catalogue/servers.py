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
    "bad-backup": Entry(
        "The file is no backup, is damaged, or is not what its manifest says.",
        "A backup that is restored in part would look like a whole one. Nothing of it was restored.",
        "Take another copy of the backup. The message names the member that is wrong.",
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
    "bad-state": Entry(
        "An alert cannot get this state.",
        "Some states say that there is nothing to do, which others need to understand.",
        "The message says what is missing.",
    ),
    "cannot-listen": Entry(
        "The server cannot listen on this address and port.",
        "Another program has the port, or the address is not of this machine.",
        "State another `--port`, or `--host`.",
    ),
    "no-project": Entry(
        "The server has no such project, or the caller may not read it.",
        "Whoever may not read a project is not told whether it exists.",
        "`statera server project list` names them; check the token.",
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
    "no-token": Entry(
        "A request has no token, or none that is good.",
        "Whoever may read or change a project shows it by a token, which may have an end.",
        "State it: `Authorization: Bearer statera_…`, or for statera itself in `STATERA_TOKEN`. `statera server token "
        "add` makes one.",
    ),
    "not-allowed": Entry(
        "The role of the token does not include what was asked.",
        "The role read only reads, write adds uploads and decisions, and admin makes tokens.",
        "Use a token with the role that the message names.",
    ),
    "no-page": Entry(
        "The server has nothing at this address.",
        "The routes of the API begin with /api/v1, the pages of a project with /p/.",
        "`/api/v1/openapi.json` lists the routes of the API.",
    ),
    "no-series": Entry(
        "The project has no series of this key.",
        "A key is a hash of benchmark, metric, unit and factors; it changes when one of them does.",
        "The list of series has the keys.",
    ),
    "bad-method": Entry(
        "The address is right, and the method is not.",
        "GET reads; POST and DELETE change.",
        "The header `Allow` names the methods; `/api/v1/openapi.json` describes them.",
    ),
    "bad-request": Entry(
        "A part of the request has a form that the API does not take.",
        "What is not understood would otherwise be left out in silence.",
        "The message names the part; `/api/v1/openapi.json` describes all of them.",
    ),
    "bad-body": Entry(
        "The body of a request is damaged or was cut off.",
        "Half an upload would look like benchmarks that vanished.",
        "Send it again; to send the same upload twice does no harm.",
    ),
    "bad-encoding": Entry(
        "The body of an upload is compressed in a way that the server does not read.",
        "It reads gzip and zstd.",
        "Send one of them, or the file as it is, and say which in `Content-Encoding`.",
    ),
    "other-content": Entry(
        "The content of an upload is not the one that `Idempotency-Key` announced.",
        "A key that stands for two contents would hide one of them.",
        "State the SHA-256 of the file before it is compressed, or leave out the header.",
    ),
    "too-large": Entry(
        "The body of a request has more bytes than the server takes, or expands to more.",
        "A body stands on the disk of the server, and its content in memory.",
        "Send less at once; the message names the limit.",
    ),
    "slow-body": Entry(
        "The body of a request came too slowly.",
        "A connection that is held open is one that others lack.",
        "Send it again, from a better connection or with `Content-Encoding: zstd`.",
    ),
    "database-away": Entry(
        "The database does not answer the server.",
        "It may be starting, or busy with a backup.",
        "Try again after the seconds of the header `Retry-After`; whoever runs the server looks at its log.",
    ),
    "server-defect": Entry(
        "The server failed in a way that nobody foresaw, or its disk is full.",
        "The answer has no details, because they may name files and rows of others.",
        "Whoever runs the server finds the details in its log.",
    ),
    "bad-server": Entry(
        "The place of a history is no address of a project on a server, or the token is missing.",
        "The token travels with each request, so that it is sent only over https, or on this machine.",
        "Write `https://HOST/p/PROJECT`, and set `STATERA_TOKEN` to a token with the role write.",
    ),
    "server-refused": Entry(
        "The server of a history refuses a request for good.",
        "It does not let this token do it, has no such project, or cannot read what was sent.",
        "The message has the server's own words. `statera server token list` lists the tokens of a project.",
    ),
    "server-failed": Entry(
        "The server of a history does not answer, or failed, several times.",
        "It may be starting, or the network may be down. To add the same results twice changes nothing.",
        "Run the command again later.",
    ),
}
