"""Addresses such as ``s3://bucket/run``, which are no paths of this machine, and the command that copies from them."""

from __future__ import annotations

import re
import shlex
from typing import Final
from urllib.parse import unquote, urlsplit

from statera.support.errors import Stop

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_FILE: Final = re.compile(r"\.[A-Za-z]\w*$")
# How an address is written for the program that copies, and the program; any other scheme is one of Hadoop.
_COPIES: Final = {
    "s3": ("s3", "aws s3 cp"), "s3a": ("s3", "aws s3 cp"), "s3n": ("s3", "aws s3 cp"),
    "gs": ("gs", "gcloud storage cp -r"), "http": ("http", "curl -fL -o"), "https": ("https", "curl -fL -o"),
}  # fmt: skip


def scheme(word: str) -> str:
    """Return the scheme of an address, ``s3`` for ``s3://bucket/run``; empty for a path."""
    found = _SCHEME.match(word)
    return found[1].lower() if found else ""


def local(word: str) -> str:
    """Return the path that ``file:///run`` means; any other word as it is.

    Raises ``Stop`` if the address names another machine.
    """
    if scheme(word) != "file":
        return word
    parts = urlsplit(word)
    if parts.netloc not in {"", "localhost"}:
        raise Stop("bad-option", f"{word}: names the machine {parts.netloc}. Write file:///PATH, with three slashes")
    return unquote(parts.path)


def copying(word: str) -> str:
    """Return the command that copies what is at an address to the folder this one is in, ready for a shell."""
    own, program = _COPIES.get(scheme(word), (scheme(word), "hadoop fs -get"))
    url = f"{own}://{word.partition('://')[2]}".rstrip("/")
    name = url.rpartition("/")[2]
    if program.startswith("aws") and not _FILE.search(name):
        program += " --recursive"
    return " ".join((program, *map(shlex.quote, (name, url) if program.startswith("curl") else (url, name))))


def refuse(word: str, also: str = "") -> None:
    """Refuse an address where only paths are read; ``also`` says what else can be done.

    Raises ``Stop``, whose text has the command that copies it.
    """
    found = scheme(word)
    if found == "file":
        raise Stop("bad-option", f"{word}: is an address. Write the path: {shlex.quote(local(word))}")
    if found:
        raise Stop(
            "bad-option",
            f"{word}: {found}:// is no path of this machine. Copy it and name the copy: {copying(word)}{also}",
        )
