"""Errors of a server: what is missing, and what is refused."""

from __future__ import annotations

from typing import Final

from statera.comparison.verdicts.catalogue.entry import Entry

SERVERS: Final[dict[str, Entry]] = {
    "bad-hook": Entry(
        "A hook cannot have this address or form.",
        "Hooks make the server send requests. Addresses need https, and the server refuses addresses in its own "
        "network, because whoever may add hooks could otherwise reach machines that only the server can reach.",
        "Write an address that begins with `https://`, without user name and password. `statera serve "
        "--allow-private-hooks` allows addresses in the server's own network.",
    ),
    "no-hook": Entry(
        "The project has no hook of this number.",
        "Each hook has a number and belongs to one project.",
        "`statera server hook list PROJECT` lists them.",
    ),
    "bad-database": Entry(
        "The address names no database that the server can use.",
        "The server works with SQLite and PostgreSQL.",
        "Write `sqlite:///FILE`, or `postgresql://USER@HOST/NAME`.",
    ),
    "bad-backup": Entry(
        "The file is not a backup, is damaged, or does not match its manifest.",
        "A partly restored backup would look like a complete one, so nothing was restored.",
        "Use another copy of the backup. The message names the member that is wrong.",
    ),
    "old-database": Entry(
        "The tables of the database are missing, or are those of an older version of statera.",
        "The server changes existing tables only on request.",
        "Write a backup, then run `statera server upgrade`. It adds what is missing, and keeps the data.",
    ),
    "newer-database": Entry(
        "A newer version of statera made the tables of the database.",
        "This version does not know their meaning, and could damage them.",
        "Use the version that made the tables, or a newer one.",
    ),
    "bad-project": Entry(
        "The project cannot have this name or setting.",
        "The name of a project is a part of its address, so it must be unique.",
        "Use letters, digits, dots, dashes and underscores, and a name that no other project has.",
    ),
    "bad-state": Entry(
        "The alert cannot get this state or link.",
        "A state that closes an alert needs a reason, so that others understand it, and a link needs the address of "
        "a page.",
        "Add what the message asks for.",
    ),
    "cannot-listen": Entry(
        "The server cannot listen on this address and port.",
        "Another program uses the port, or this machine does not have the address.",
        "Choose another `--port` or `--host`.",
    ),
    "no-project": Entry(
        "The server has no such project, or the caller may not read it.",
        "The server does not reveal whether a project exists to callers that may not read it.",
        "Check the name and the token. `statera server project list` lists the projects.",
    ),
    "server-busy": Entry(
        "Too many uploads are waiting to be stored.",
        "The server answers an upload only when it is on the disk, and limits the memory of waiting uploads.",
        "Try again after the seconds of the header `Retry-After`. Sending an upload twice changes nothing.",
    ),
    "bad-token": Entry(
        "A token cannot have this name, role or number of days.",
        "Lists and the record of changes show the name, so it must be readable.",
        "Use a name of at most 100 characters, the role read, write or admin, and a number of days.",
    ),
    "no-such-token": Entry(
        "The project has no token of this number, or the token has ended.",
        "A token that was revoked or has expired never becomes valid again.",
        "`statera server token list` lists the tokens with their numbers; `statera server token add` makes one.",
    ),
    "no-token": Entry(
        "The request has no token, or an invalid one.",
        "Reading a private project and changing any project need a token, and a token can expire.",
        "Send a token: `Authorization: Bearer statera_…`; commands of statera take it from `STATERA_TOKEN`. `statera "
        "server token add` creates one.",
    ),
    "not-allowed": Entry(
        "The role of the token does not allow this request.",
        "The role read only reads, write adds uploads and decisions, and admin also creates tokens.",
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
        "The address exists, but not with this method.",
        "GET reads; POST and DELETE change something.",
        "Use a method that the header `Allow` names; `/api/v1/openapi.json` describes them.",
    ),
    "bad-request": Entry(
        "A part of the request is invalid.",
        "The API never ignores a part of a request silently.",
        "Correct the part that the message names; `/api/v1/openapi.json` describes all parts.",
    ),
    "bad-body": Entry(
        "The body of the request is damaged or cut off.",
        "In half an upload, benchmarks would seem to have vanished.",
        "Send the request again; sending the same upload twice does no harm.",
    ),
    "bad-encoding": Entry(
        "The server does not support the compression of this upload.",
        "It supports gzip and zstd.",
        "Send the file with one of them, or uncompressed, and name the compression in `Content-Encoding`.",
    ),
    "other-content": Entry(
        "The content of the upload does not match `Idempotency-Key`.",
        "One key for two contents would hide one of them.",
        "Send the SHA-256 of the uncompressed file as the key, or leave out the header.",
    ),
    "too-large": Entry(
        "The body of the request is larger than the server allows, as sent or decompressed.",
        "The server keeps the body on its disk and its content in memory.",
        "Send less at once; the message names the limit.",
    ),
    "slow-body": Entry(
        "The body of the request arrived too slowly.",
        "A connection that stays open is not available to others.",
        "Send the request again, over a better connection or with `Content-Encoding: zstd`.",
    ),
    "database-away": Entry(
        "The database does not answer the server.",
        "It may be starting, or busy with a backup.",
        "Try again after the seconds of the header `Retry-After`. The log of the server has the details.",
    ),
    "server-defect": Entry(
        "The server failed unexpectedly, or its disk is full.",
        "The answer has no details, because they could name files and data of others.",
        "The operator of the server finds the details in its log.",
    ),
    "bad-server": Entry(
        "The place of the history is not the address of a project on a server, or the token is missing.",
        "Each request contains the token, so statera sends it only over https, or on this machine.",
        "Write `https://HOST/p/PROJECT`, and set `STATERA_TOKEN` to a token with the role write.",
    ),
    "server-refused": Entry(
        "The server of the history refuses the request, and repeating it does not help.",
        "The token does not allow the request, there is no such project, or the server cannot read the upload.",
        "Read the server's reason in the message. `statera server token list` lists the tokens of a project.",
    ),
    "server-failed": Entry(
        "The server of the history did not answer, or failed, several times.",
        "It may be starting, or the network may be down. Adding the same results twice changes nothing.",
        "Run the command again later.",
    ),
}
