"""The walk down the main chain, each rule worked out by hand."""

from statera.cluster.chain import Block, Chain, best, walk
from support import every


def block(name, number, slot=None, prev=None, forger=0, *, adopters=1, forgers=1):
    slot = number * 10 if slot is None else slot
    return Block(name, slot, number, prev, forger, forgers if forger is not None else 0, adopters, 0, None)


A, B, C, D, E = (block(name, number, prev=chr(96 + number)) for number, name in enumerate("abcde"))
# Blocks, the chain from its base to the highest block, which is dropped, and what else is not nothing.
CHAINS = {
    "the highest is dropped": ([A, B, C], "abc", {}),
    "a single block leaves an empty chain": ([A], "a", {}),
    "the top is the highest forged block, not the highest known": ([A, B, block("c", 2, forger=None)], "ab", {}),
    # c is known from its headers alone: its parent is looked for at height 1.
    "a block without forger leads on to the height below": (
        [A, B, block("c", 2, forger=None), D, E], "abcde", {"unknown_forger": 1},
    ),
    # d names c, which nobody logged. Another block of c's height cannot be its parent.
    "a parent that nobody logged is bridged below its height": (
        [A, B, block("x", 2, prev="b"), D, E], "abde", {"missing": 1, "abandoned": ("x",)},
    ),
    "a bridge may span many heights": (
        [A, B, block("f", 6, prev="e"), block("g", 7, prev="f")], "abfg", {"missing": 4},
    ),
    # The block at height 1 has a later slot than d: the bridge goes on to height 0.
    "a bridge only leads to earlier slots": (
        [block("a", 0, slot=1), block("b", 1, slot=99, prev="a"), block("d", 3, slot=30, prev="c"),
         block("e", 4, slot=40, prev="d")], "ade", {"missing": 2, "abandoned": ("b",)},
    ),
    "a bridge takes the best of the blocks that are early enough": (
        [block("b", 1, slot=5, adopters=2), block("c", 1, slot=7, adopters=3), block("d", 1, slot=40, adopters=9),
         block("e", 3, slot=30, prev="x"), block("f", 4, slot=41, prev="e")],
        "cef", {"missing": 1, "abandoned": ("b", "d")},
    ),
    "a genesis parent ends the chain": ([block("a", 0, prev="genesis"), B], "ab", {}),
    "a block without a parent is bridged like one with an unknown parent": (
        [A, B, block("c", 2, prev=None), D], "acd", {"missing": 1, "abandoned": ("b",)},
    ),
    "blocks that name each other end the walk": (
        [block("a", 1, prev="b"), block("b", 2, prev="a"), block("c", 3, prev="b")], "abc", {"circles": 1},
    ),
    # x and y lie at heights of the chain, z at that of the dropped block, w below the base.
    "abandoned blocks lie between base and tip": (
        [block("w", 1, slot=99), block("a", 2, slot=20), block("x", 2, slot=21), block("b", 3, prev="a"),
         block("y", 3, forger=None), block("c", 4, prev="b", adopters=2), block("z", 4)],
        "abc", {"abandoned": ("x", "y")},
    ),
    "further forgers of a block are counted": (
        [block("a", 0, forgers=3), block("b", 1, prev="a", forgers=2)], "ab", {"duplicate_forge": 3},
    ),
    "a circle at the base ends the chain there": ([block("a", 0, prev="a"), B, C], "abc", {"circles": 1}),
    **{
        f"c names its descendant {named} and is bridged": (
            [A, B, block("c", 2, prev=named), D, E], "abcde", {"circles": 1, "missing": 0},
        )
        for named in "cde"
    },
}  # fmt: skip


@every("blocks, chain, other", CHAINS.values(), CHAINS)
def test_the_walk(blocks, chain, other):
    found = walk(blocks)
    assert [one.block for one in (*found.blocks, found.dropped)] == [*chain]
    nothing = {"missing": 0, "unknown_forger": 0, "abandoned": (), "duplicate_forge": 0, "circles": 0}
    assert {name: getattr(found, name) for name in nothing} == nothing | other


def test_without_a_forged_block_there_is_no_chain():
    assert walk([block("a", 0, forger=None)]) == Chain((), None, 0, 0, (), 0)


RIVALS = [
    ([block("b", 5, slot=1, adopters=2), block("a", 5, slot=2, adopters=3)], "a"),
    ([block("b", 5, slot=1, adopters=3), block("a", 5, slot=2, adopters=3)], "b"),
    ([block("b", 5, slot=2, adopters=3), block("a", 5, slot=2, adopters=3)], "a"),
]


@every("blocks, wanted", RIVALS)
def test_the_best_block(blocks, wanted):
    assert best(blocks).block == wanted
