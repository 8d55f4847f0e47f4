"""Counts and lists in words, and lists of which the first are named: the one place of plurals and of what is left."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final

NOTHING: Final = "-"
# Names that stay as they are where a sentence begins with them.
_PROGRAMS: Final = frozenset({"criterion", "git", "go", "hyperfine", "perf", "python", "statera", "timeit", "wrk"})


def counted(count: int, one: str, several: str = "") -> str:
    """Write a count with its noun: ``1 value``, ``2 values``."""
    return f"{count:,} {form(count, one, several)}"


def unchanged(total: int, noun: str, verdicts: Iterable[str]) -> str:
    """Say that nothing changed; that no difference was found, if some or all are undecided.

    ``total`` counts what was judged: neither single values nor what is new.
    """
    if set(verdicts) - {"one-value", "new"} == {"equivalent"}:
        return f"{counted(total, noun)} unchanged"
    return f"No difference found in {counted(total, noun)}"


def form(count: int, one: str, several: str = "") -> str:
    """Choose the form of a word by a number: ``value`` or ``values``, ``is`` or ``are``."""
    return one if count == 1 else several or one + "s"


def listed(
    names: Iterable[str], most: int = 20, *, between: str = ", ", last: str = " and ", total: int | None = None
) -> str:
    """Write the first names, and how many more there are; ``total`` counts them where not all names are given."""
    every = list(names)
    left = (len(every) if total is None else total) - min(most, len(every))
    return between.join(every[:most]) + (f"{last}{left:,} more" if left > 0 else "")


def conjoined(names: Sequence[str]) -> str:
    """Write names in a sentence: ``a, b and c``."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def several(names: Sequence[str], most: int = 6) -> str:
    """Write the first names in a sentence, and how many more there are; ``nothing`` for no names."""
    left = len(names) - most
    return conjoined([*names[:most], f"{left:,} more"] if left > 0 else names) or "nothing"


def sentence(text: str) -> str:
    """Begin a text with a capital letter, unless it begins with code, a path or the name of a program."""
    first = text.split(" ", 1)[0]
    is_word = first.rstrip(",:").isalpha() and first not in _PROGRAMS
    return text[:1].upper() + text[1:] if is_word else text


def shown(cell: str | None) -> str:
    """Write a cell of a table: a dash where there is nothing."""
    return NOTHING if cell is None else cell


def suggestion(word: str, known: Iterable[str], most: int = 1) -> str:
    """Write ``; did you mean NAME?`` if a known word is near; otherwise nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where a word is unknown

    near = get_close_matches(word, list(dict.fromkeys(known)), n=most)
    return f"; did you mean {' or '.join(near)}?" if near else ""
