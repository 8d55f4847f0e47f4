"""The one reader of TOML files: it refuses documents that no part of statera could use."""

from __future__ import annotations

import tomllib

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any, Final

# Files of statera are nested only a few levels deep.
_DEEPEST: Final = 32
_BITS: Final = 64
# The lines of a file in which a value is sought; the search parses as many texts.
_SEARCHED: Final = 2000


def load(path: str | PathLike[str], code: str) -> tuple[dict[str, Any], str]:
    """Read a file; return the document, and its text for messages that name a line; ``code`` is that of the error.

    Raises ``Stop`` if it is not TOML in UTF-8, is nested too deeply, or holds an integer of too many bits, and
    ``OSError`` if it cannot be read.
    """
    with open(path, "rb") as file:
        content = file.read()
    return parsed(content, path, code), content.decode()


def parsed(content: bytes, path: str | PathLike[str], code: str) -> dict[str, Any]:
    """Return the document of a file; ``path`` is what messages call it.

    Raises ``Stop`` if it is not TOML in UTF-8, is nested too deeply, or holds an integer of too many bits.
    """
    try:
        document = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Stop(code, f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise Stop(code, f"{path}: {_TOO_DEEP}") from None
    except ValueError:
        # Python refuses to parse so many digits.
        raise Stop(code, f"{path}: {_TOO_LARGE}") from None
    _check(path, code, document)
    return document


def line_of(text: str, place: Sequence[str | int]) -> int:
    """Find the line on which a value begins, counted from 1; 0 if the text is too long or holds no such value.

    ``place`` has the keys and numbers that lead to the value, for instance ``("benchmark", 0, "env")``.
    """
    lines, read, begins = text.split("\n"), "", 1
    if not place or len(lines) > _SEARCHED:
        return 0
    # The parser itself tells where a value ends: after the first line with which it is there.
    for number, line in enumerate(lines, 1):
        read += f"{line}\n"
        try:
            if _holds(tomllib.loads(read), place):
                return begins
        except tomllib.TOMLDecodeError:
            continue
        begins = number + 1
    return 0


def _holds(document: Any, place: Sequence[str | int]) -> bool:
    for step in place:
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


_TOO_DEEP: Final = f"tables or lists are nested more than {_DEEPEST} levels deep. Remove the inner levels"
_TOO_LARGE: Final = f"an integer has more than {_BITS} bits. Write a smaller one"


def _check(path: str | PathLike[str], code: str, document: dict[str, Any]) -> None:
    """Refuse values that could not even be shown in a message."""
    level: list[Any] = [document]
    for _ in range(_DEEPEST):
        inner = [value for each in level for value in (each.values() if isinstance(each, dict) else each)]
        if any(isinstance(value, int) and value.bit_length() > _BITS for value in inner):
            raise Stop(code, f"{path}: {_TOO_LARGE}")
        level = [value for value in inner if isinstance(value, dict | list)]
    if level:
        raise Stop(code, f"{path}: {_TOO_DEEP}")
