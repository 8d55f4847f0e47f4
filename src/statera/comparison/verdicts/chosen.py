"""The verdicts that a user names, by a word that people say or by the code that data has."""

from __future__ import annotations

from statera.comparison.codes import VERDICTS
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

# What people say of a time, a size or a rate.
_WORDS: Final = {
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

    Raises:
        Stop: a word is no verdict.

    """
    named = [name for word in words for name in word.split(",") if name.strip()]
    return tuple(dict.fromkeys(map(_code, named)))


def _code(name: str) -> str:
    word = "-".join(name.lower().replace("-", " ").replace("_", " ").split())
    code = _WORDS.get(word, word)
    if code not in VERDICTS:
        raise Stop(
            "bad-option",
            f"--only {name.strip()}: there is no such verdict. There are {', '.join(_SAID)}, and the codes "
            f"{', '.join(VERDICTS)}",
        )
    return code
