"""The blocks of a run: who forged what, when, upon what."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .settings import Settings

GENESIS = "c5d02160f1f83f7c740400f54d34ec7aff385668e1f9df48b5f21b726f5ca1ff"


class Block(NamedTuple):
    slot: int
    number: int
    hash: str
    parent: str
    forger: int
    size: int
    # The block that won where this one lost.
    winner: str | None


def blocks(settings: Settings) -> dict[int, list[Block]]:
    """Draw the blocks by slot; the last of a slot is on the main chain."""
    draw = random.Random(f"{settings.seed}/chain")
    found: dict[int, list[Block]] = {}
    parent, number = GENESIS, 0
    for slot in range(settings.slots):
        if draw.random() >= settings.block_rate:
            continue
        name = f"{draw.getrandbits(256):064x}"
        forger, size = draw.randrange(settings.hosts), draw.randrange(900, 90_000)
        here = found.setdefault(slot, [])
        if settings.hosts > 1 and draw.random() < settings.battles:
            rival = (forger + 1 + draw.randrange(settings.hosts - 1)) % settings.hosts
            here.append(Block(slot, number, f"{draw.getrandbits(256):064x}", parent, rival, size, name))
        here.append(Block(slot, number, name, parent, forger, size, None))
        parent, number = name, number + 1
    return found
