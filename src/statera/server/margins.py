"""The margins of a project, in the words of a settings file: which changes are too small to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from statera import _native
from statera.history.cases import stated_margins
from statera.history.series import Series
from statera.server import tables
from statera.support.errors import Stop
from statera.support.files import toml
from statera.support.settings.file import from_mapping
from statera.support.settings.policy import NOISE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from statera.support.settings import Policy

# So many margins a project states at most, in patterns and amounts of so many characters.
_MOST: Final = 1000
_LONGEST: Final = 1000
_AMOUNT: Final = 40
# The code of what is no margin.
CODE: Final = "bad-settings"


def policy_of(margins: Mapping[str, Any], name: str) -> Policy:
    """Return the policy that states margins; ``name`` is the project. Raises ``Stop`` if one of them is no margin."""
    try:
        return from_mapping({"margin": dict(margins)}, _place(name))
    except Stop as stop:
        raise Stop(CODE, str(stop)) from None


def checked(connection: Connection, project_id: int, margins: Mapping[str, Any], name: str) -> dict[str, str | float]:
    """Return margins if all of them can be margins of what a project holds.

    Raises ``Stop`` if one of them cannot, or there are too many.
    """
    place = _place(name)
    long = any(len(each) > _LONGEST or "\0" in each or len(str(amount)) > _AMOUNT for each, amount in margins.items())
    if long or len(margins) > _MOST:
        raise Stop(
            CODE,
            f"{place}: a project has up to {_MOST:,} margins: patterns of up to {_LONGEST:,} characters without NUL, "
            f"and amounts of up to {_AMOUNT}. Join some by a pattern such as Parse/*",
        )
    for pattern, amount in margins.items():
        if amount == NOISE:
            raise Stop(
                CODE, f"{place}: margin.{pattern}: a server measures no noise. Write 2%, 0.02, or an amount such as 1ms"
            )
    policy = policy_of(margins, name)
    columns = tables.series.c
    wanted = select(columns.metric, columns.unit, columns.quantity).where(columns.project_id == project_id).distinct()
    try:
        stated_margins([Series("", *row, None, None, "{}") for row in connection.execute(wanted)], policy)
    except Stop as stop:
        raise Stop(CODE, f"{place}: {stop}") from None
    return dict(margins)


def from_text(text: str, name: str) -> dict[str, Any]:
    """Read margins as a settings file has them in its table ``margin``; ``checked`` says whether they are some.

    Raises ``Stop`` if it is not TOML.
    """
    return toml.parsed(text.replace("\r\n", "\n").encode(), _place(name), CODE)


def to_text(margins: Mapping[str, str | float]) -> str:
    """Write margins as a settings file has them in its table ``margin``."""
    return "".join(
        f"{_quoted(pattern)} = {_quoted(amount) if isinstance(amount, str) else repr(amount)}\n"
        for pattern, amount in margins.items()
    )


def in_line(margins: Mapping[str, str | float]) -> str:
    """Write margins in a line, for lists and records."""
    return ", ".join(f"{pattern}={amount}" for pattern, amount in margins.items()) or "none"


def _quoted(text: str) -> str:
    """Write a text of TOML that any page can show."""
    shown = (each if _native.printable(each) == each else f"\\U{ord(each):08x}" for each in text)
    return '"' + "".join(f"\\{each}" if each in {'"', "\\"} else each for each in shown) + '"'


def _place(name: str) -> str:
    return f"margins of {name}"
