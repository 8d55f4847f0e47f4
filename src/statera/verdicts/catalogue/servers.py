"""Errors of a server: what it refuses."""

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
}
