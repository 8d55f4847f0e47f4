"""How the packages are installed that only some verbs need."""

from __future__ import annotations

from statera.support.wording import sentence


def how(extra: str) -> str:
    """Return the command that installs the packages of an extra; statera is in no index of packages yet."""
    return f"in a clone of statera, run: pip install '.[{extra}]'"


def advice(extra: str) -> str:
    """Return the same as a sentence of its own."""
    return sentence(how(extra))
