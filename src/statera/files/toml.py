"""The one reader of TOML files: it refuses documents that no part of statera could use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera.errors import Stop

if TYPE_CHECKING:
    from os import PathLike

# Files of statera are nested only a few levels deep.
_DEEPEST: Final = 32
_BITS: Final = 64


def load(path: str | PathLike[str], code: str) -> tuple[dict[str, Any], str]:
    """Read a file; return the document, and its text for messages that name a line.

    Args:
        path: the file.
        code: the code of the error if the file cannot be used.

    Raises:
        Stop: it is not TOML in UTF-8, is nested too deeply, or holds an integer of too many bits.
        OSError: it cannot be read.

    """
    import tomllib  # noqa: PLC0415 - only where there is a file

    with open(path, "rb") as file:  # noqa: PTH123 - pathlib costs a tenth of a small comparison
        content = file.read()
    try:
        text = content.decode()
        document = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Stop(code, f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise Stop(code, f"{path}: {_TOO_DEEP}") from None
    except ValueError:
        # Python refuses to parse so many digits.
        raise Stop(code, f"{path}: {_TOO_LARGE}") from None
    _check(path, code, document)
    return document, text


_TOO_DEEP: Final = f"tables or lists are nested more than {_DEEPEST} levels deep; remove the inner levels"
_TOO_LARGE: Final = f"an integer has more than {_BITS} bits; write a smaller one"


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
