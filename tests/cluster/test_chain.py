"""The walk down the main chain, each rule worked out by hand."""

from statera.cluster.chain import Block, Chain, best, walk
from support import every


def block(name, number, slot=None, prev=None, forger=0, *, adopters=1, forgers=1):
    slot = number * 10 if slot is None else slot
    return Block(name, slot, number, prev, forger, forgers if forger is not None else 0, adopters, 0, None)


def names(chain):
    return [one.block for one in chain.blocks]


def test_the_chain_goes_from_the_base_to_the_block_below_the_highest():
    chain = walk([block("a", 0), block("b", 1, prev="a"), block("c", 2, prev="b")])
    assert names(chain) == ["a", "b"]
    assert chain.dropped.block == "c"
    assert (chain.missing, chain.unknown_forger, chain.abandoned) == (0, 0, ())


def test_without_a_forged_block_there_is_no_chain():
    chain = walk([block("a", 0, forger=None)])
    assert chain == Chain((), None, 0, 0, (), 0)


def test_a_single_block_is_dropped_and_leaves_an_empty_chain():
    chain = walk([block("a", 0)])
    assert names(chain) == []
    assert chain.dropped.block == "a"


RIVALS = [
    ([block("b", 5, slot=1, adopters=2), block("a", 5, slot=2, adopters=3)], "a"),
    ([block("b", 5, slot=1, adopters=3), block("a", 5, slot=2, adopters=3)], "b"),
    ([block("b", 5, slot=2, adopters=3), block("a", 5, slot=2, adopters=3)], "a"),
]


@every("blocks, wanted", RIVALS)
def test_the_best_block(blocks, wanted):
    assert best(blocks).block == wanted


def test_the_top_is_the_highest_forged_block_not_the_highest_known():
    chain = walk([block("a", 0), block("b", 1, prev="a"), block("c", 2, forger=None)])
    assert names(chain) == ["a"]
    assert chain.dropped.block == "b"


def test_a_block_without_forger_leads_on_to_the_height_below():
    """c is known from its headers alone: its parent is looked for at height 1."""
    chain = walk(
        [
            block("a", 0),
            block("b", 1, prev="a"),
            block("c", 2, forger=None),
            block("d", 3, prev="c"),
            block("e", 4, prev="d"),
        ]
    )
    assert names(chain) == ["a", "b", "c", "d"]
    assert (chain.missing, chain.unknown_forger) == (0, 1)


def test_a_named_parent_that_nobody_logged_is_bridged_below_its_height():
    """d names c, which nobody logged. Another block of c's height cannot be its parent."""
    chain = walk([block("a", 0), block("b", 1, prev="a"), block("x", 2, prev="b"), block("d", 3, prev="c"),
                  block("e", 4, prev="d")])  # fmt: skip
    assert names(chain) == ["a", "b", "d"]
    assert chain.missing == 1
    assert chain.abandoned == ("x",)


def test_a_bridge_may_span_many_heights():
    chain = walk([block("a", 0), block("b", 1, prev="a"), block("f", 6, prev="e"), block("g", 7, prev="f")])
    assert names(chain) == ["a", "b", "f"]
    assert chain.missing == 4


def test_a_bridge_only_leads_to_earlier_slots():
    """The block at height 1 has a later slot than d: the bridge goes on to height 0."""
    chain = walk([block("a", 0, slot=1), block("b", 1, slot=99, prev="a"), block("d", 3, slot=30, prev="c"),
                  block("e", 4, slot=40, prev="d")])  # fmt: skip
    assert names(chain) == ["a", "d"]
    assert chain.missing == 2


def test_a_bridge_takes_the_best_of_the_blocks_that_are_early_enough():
    chain = walk([block("b", 1, slot=5, adopters=2), block("c", 1, slot=7, adopters=3),
                  block("d", 1, slot=40, adopters=9),
                  block("e", 3, slot=30, prev="x"), block("f", 4, slot=41, prev="e")])  # fmt: skip
    assert names(chain) == ["c", "e"]
    assert chain.abandoned == ("b", "d")


def test_a_genesis_parent_ends_the_chain():
    chain = walk([block("a", 0, prev="genesis"), block("b", 1, prev="a")])
    assert names(chain) == ["a"]


def test_a_forged_block_without_a_parent_is_bridged_like_one_with_an_unknown_parent():
    chain = walk([block("a", 0), block("b", 1, prev="a"), block("c", 2, prev=None), block("d", 3, prev="c")])
    assert names(chain) == ["a", "c"]
    assert chain.missing == 1


def test_blocks_that_name_each_other_end_the_walk():
    chain = walk([block("a", 1, prev="b"), block("b", 2, prev="a"), block("c", 3, prev="b")])
    assert names(chain) == ["a", "b"]


def test_abandoned_blocks_lie_between_base_and_tip():
    """x and y lie at heights of the chain, z at that of the dropped block, w below the base."""
    chain = walk([block("w", 1, slot=99), block("a", 2, slot=20), block("x", 2, slot=21), block("b", 3, prev="a"),
                  block("y", 3, forger=None), block("c", 4, prev="b", adopters=2), block("z", 4)])  # fmt: skip
    assert names(chain) == ["a", "b"]
    assert chain.abandoned == ("x", "y")


def test_further_forgers_of_a_block_are_counted():
    chain = walk([block("a", 0, forgers=3), block("b", 1, prev="a", forgers=2)])
    assert chain.duplicate_forge == 3


@every("named", ("c", "d", "e"))
def test_a_block_that_names_its_own_descendant_as_parent_is_bridged(named):
    blocks = [block("a", 0), block("b", 1, prev="a"), block("c", 2, prev=named), block("d", 3, prev="c")]
    chain = walk([*blocks, block("e", 4, prev="d")])
    assert names(chain) == ["a", "b", "c", "d"]
    assert (chain.circles, chain.missing) == (1, 0)


def test_a_circle_at_the_base_ends_the_chain_there():
    chain = walk([block("a", 0, prev="a"), block("b", 1, prev="a"), block("c", 2, prev="b")])
    assert names(chain) == ["a", "b"]
    assert chain.circles == 1
