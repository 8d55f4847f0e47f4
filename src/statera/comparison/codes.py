"""The codes that rows carry, as the compiled part lists them, and what its table says of verdicts."""

from __future__ import annotations

from statera import _native
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

_EVERY: Final = _native.codes()
WARNINGS: Final = tuple(_EVERY["warnings"])
DESIGNS: Final = tuple(_EVERY["designs"])
GRADES: Final = tuple(_EVERY["grades"])


class Verdict(NamedTuple):
    """What the table in crates/weighing/src/verdict.rs says of a verdict."""

    code: str  # the verdict, as data holds it
    # what it says of the contender: ``bad``, ``good``, ``unknown`` (it changed, without a known direction), ``open``
    # (it differs, and more data may take that back) or ``none``
    harm: str
    part: str  # what it is about: ``typical``, ``tail``, ``shape``, ``presence`` (a side has no values) or ``none``
    asks: bool  # whether its rows ask for somebody's look
    is_settled: bool  # whether more measurements are not expected to change it
    gate: str  # the word of ``--fail-on`` that counts its rows; empty if none does
    tone: str  # the tone of texts and pictures
    ansi: str  # the colour on terminals; empty if it has none
    shape: str  # the outline in pictures
    word: str  # the word that people read, where it is not of one metric: ``no clear change``


TABLE: Final = tuple(Verdict(**each) for each in _native.verdicts())
OF: Final = {each.code: each for each in TABLE}
VERDICTS: Final = tuple(OF)
"""Every verdict, in the order in which counts of verdicts stand wherever they are written or drawn: the worst first,
the best last, and between them what is undecided or not judged."""
LOSSES: Final = tuple(each.code for each in TABLE if each.harm == "bad")
GAINS: Final = tuple(each.code for each in TABLE if each.harm == "good")
CHANGES: Final = tuple(each.code for each in TABLE if each.harm != "none")
JUDGED: Final = tuple(code for code in CHANGES if OF[code].harm != "open")
"""The verdicts of changes that stand."""
ASKING: Final = tuple(each.code for each in TABLE if each.asks)
SETTLED: Final = tuple(each.code for each in TABLE if each.is_settled)
OF_TAILS: Final = tuple(each.code for each in TABLE if each.part in {"tail", "shape"})


def tallied(counts: Sequence[int]) -> dict[str, int]:
    """Name counts in the order of ``VERDICTS``: those above zero by their verdict."""
    return {code: count for code, count in zip(VERDICTS, counts, strict=True) if count}


def word(verdict: str, quantity: str, change: float | None) -> str:
    """Return the word for the verdict of a change of a quantity: slower or faster, more or less, higher or lower."""
    if verdict not in {"worse", "better"} or not change:
        return OF[verdict].word
    better = "lower" if (change > 0) == (verdict == "worse") else "higher"
    return _native.series_moved(quantity, better, change > 0)


def words(code: str) -> str:
    """Write a code as people read it: ``one value`` for ``one-value``."""
    return code.replace("-", " ")


# What people say of a time, a size or a rate.
_SAID_OF: Final = {
    **dict.fromkeys(("slower", "more", "regression", "regressed"), "worse"),
    **dict.fromkeys(("faster", "less", "improvement", "improved"), "better"),
    **dict.fromkeys(("tail-slower",), "tail-worse"),
    **dict.fromkeys(("tail-faster",), "tail-better"),
    **dict.fromkeys(("no-clear-change", "undecided", "unclear"), "inconclusive"),
    **dict.fromkeys(("unchanged", "same"), "equivalent"),
    **dict.fromkeys(("gone", "vanished"), "missing"),
    **dict.fromkeys(("less-steady", "steadier"), "shape-changed"),
}
_SAID: Final = ("slower", "faster", "no clear change", "unchanged", "tail slower", "gone", "new")


def chosen(words: Iterable[str]) -> tuple[str, ...]:
    """Return the codes of verdicts; each word may hold several with commas between.

    Raises ``Stop`` if a word is no verdict.
    """
    named = [name for word in words for name in word.split(",") if name.strip()]
    return tuple(dict.fromkeys(map(_code_of, named)))


def _code_of(name: str) -> str:
    word = "-".join(name.lower().replace("-", " ").replace("_", " ").split())
    code = _SAID_OF.get(word, word)
    if code not in VERDICTS:
        raise Stop(
            "bad-option",
            f"--only {name.strip()}: there is no such verdict. There are {', '.join(_SAID)}, and the codes "
            f"{', '.join(VERDICTS)}",
        )
    return code
