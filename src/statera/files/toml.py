"""TOML as people write it: what no reader of it could use is refused here, before anything meets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera.errors import Stop

if TYPE_CHECKING:
    from os import PathLike

# Nothing that statera reads is nested more than a few deep.
_DEEPEST: Final = 32
_BITS: Final = 64


def load(path: str | PathLike[str], code: str) -> tuple[dict[str, Any], str]:
    """Read a file: the document, and its text for who wants to name a line.

    Args:
        path: the file.
        code: of the message where it cannot be used.

    Raises:
        Stop: it is no TOML in UTF-8, is nested too deeply, or holds an integer that no machine does.
        OSError: it cannot be read.

    """
    import tomllib  # noqa: PLC0415 - only where there is a file

    with open(path, "rb") as file:  # noqa: PTH123 - pathlib costs a tenth of a small comparison
        content = file.read()
    try:
        text = content.decode()
        document = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Stop(code, f"{path}: no TOML: {error}") from None
    except RecursionError:
        raise Stop(code, f"{path}: {_TOO_DEEP}") from None
    except ValueError:
        # Python makes no number of so many digits.
        raise Stop(code, f"{path}: {_TOO_LARGE}") from None
    _check(path, code, document)
    return document, text


_TOO_DEEP: Final = f"tables or lists are nested more than {_DEEPEST} deep; nothing that statera reads is"
_TOO_LARGE: Final = f"an integer has more than {_BITS} bits; write a smaller one"


def _check(path: str | PathLike[str], code: str, document: dict[str, Any]) -> None:
    """Refuse what could not even be shown in a message."""
    level: list[Any] = [document]
    for _ in range(_DEEPEST):
        inner = [value for each in level for value in (each.values() if isinstance(each, dict) else each)]
        if any(isinstance(value, int) and value.bit_length() > _BITS for value in inner):
            raise Stop(code, f"{path}: {_TOO_LARGE}")
        level = [value for value in inner if isinstance(value, dict | list)]
    if level:
        raise Stop(code, f"{path}: {_TOO_DEEP}")
