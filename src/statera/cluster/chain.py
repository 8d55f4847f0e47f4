"""The main chain of a run, found by a walk from its top block down to its base."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Block(NamedTuple):
    """A known block."""

    block: str  # its hash, 64 hexadecimal digits in lower case
    slot: int  # the slot that it was forged for
    block_no: int  # its height
    prev: str | None  # the hash of its parent, if its forger's line names one
    forger: int | None  # the number of the host that forged it; None if no line names it
    forgers: int  # the number of hosts that state that they forged it
    adopters: int  # the number of hosts that adopted it
    battles: int  # the number of other known blocks of its height
    size: int | None  # its size in bytes, if known


class Chain(NamedTuple):
    """The main chain."""

    blocks: tuple[Block, ...]  # oldest first; the first is the base, the last the tip
    dropped: Block | None  # the block above the tip; it is not used, as the end of the run may cut its propagation
    missing: int  # the number of blocks between main-chain blocks that no host logged
    unknown_forger: int  # the number of main-chain blocks whose forger is unknown
    abandoned: tuple[str, ...]  # hashes of known blocks off the chain with a height between base and tip, sorted
    duplicate_forge: int  # the number of claims to have forged a block that another host forged earlier
    circles: int = 0  # the number of blocks that name themselves, or a block above them, as their parent


class _Heights:
    """Known blocks by height."""

    def __init__(self, known: Iterable[Block]) -> None:
        self.at: dict[int, list[Block]] = {}
        for block in known:
            self.at.setdefault(block.block_no, []).append(block)
        self._sorted = sorted(self.at)

    def bridge(self, cur: Block, below: int) -> Block | None:
        """Return the best block at the largest height under ``below`` that has a block of a slot before ``cur``."""
        for place in range(bisect_left(self._sorted, below) - 1, -1, -1):
            earlier = [block for block in self.at[self._sorted[place]] if block.slot < cur.slot]
            if earlier:
                return best(earlier)
        return None


def best(blocks: Iterable[Block]) -> Block:
    """Return the block with the most adopting hosts; ties go to the smaller slot, then to the smaller hash."""
    return min(blocks, key=lambda block: (-block.adopters, block.slot, block.block))


def walk(known: Iterable[Block]) -> Chain:
    """Find the main chain among the known blocks."""
    by_hash = {block.block: block for block in known}
    duplicates = sum(max(block.forgers - 1, 0) for block in by_hash.values())
    forged = [block for block in by_hash.values() if block.forger is not None]
    if not forged:
        return Chain((), None, 0, 0, (), duplicates)
    top = max(block.block_no for block in forged)
    dropped = best(block for block in forged if block.block_no == top)
    blocks, missing, circles = _down(dropped, by_hash)
    return Chain(
        blocks=blocks,
        dropped=dropped,
        missing=missing,
        unknown_forger=sum(block.forger is None for block in blocks),
        abandoned=_abandoned(blocks, by_hash),
        duplicate_forge=duplicates,
        circles=circles,
    )


def _down(dropped: Block, by_hash: dict[str, Block]) -> tuple[tuple[Block, ...], int, int]:
    """Walk down from the dropped block; return the blocks below, oldest first, and the numbers of gaps and circles."""
    heights = _Heights(by_hash.values())
    cur, missing, circles, met = dropped, 0, 0, {dropped.block}
    found: list[Block] = []
    while True:
        parent = by_hash.get(cur.prev or "") if cur.forger is not None else None
        # Ignore a parent that is the block itself or a block above it.
        circle = parent is not None and parent.block in met
        if parent is None or circle:
            # An unknown parent is not one of the known blocks of its height.
            named = cur.forger is not None and not circle
            parent = heights.bridge(cur, cur.block_no - named)
            missing += cur.block_no - 1 - parent.block_no if parent else 0
            circles += circle
        if parent is None or parent.block in met:
            return tuple(reversed(found)), missing, circles + (parent is not None)
        met.add(parent.block)
        found.append(parent)
        cur = parent


def _abandoned(blocks: tuple[Block, ...], by_hash: dict[str, Block]) -> tuple[str, ...]:
    if not blocks:
        return ()
    on_chain = {block.block for block in blocks}
    lowest, highest = blocks[0].block_no, blocks[-1].block_no
    return tuple(
        sorted(
            block.block
            for block in by_hash.values()
            if block.block not in on_chain and lowest <= block.block_no <= highest
        )
    )
