"""The manifest of a run: what was planned, and on which machine. It is written once, before the first record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_origin, get_type_hints

from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.names import as_text, as_texts

if TYPE_CHECKING:
    from pathlib import Path

NAME: Final = "manifest.json"
KEY: Final = "statera"
VERSION: Final = "run/1"
_KIND: Final = "run/"
# A manifest holds a plan of thousands of cells and an environment; more than this is none.
_MOST: Final = 1 << 28
_HEAD: Final = 64


class Manifest(NamedTuple):
    """What stands in a manifest.

    Attributes:
        id: 32 hexadecimal digits, different for each run.
        created: date and time, ISO 8601.
        command: the words of the command line.
        plan: the plan as JSON objects, with the names of its fields.
        environment: variables of the shell, without those whose names look secret.
        host: facts about the machine, by name.
        tools: versions of compilers and interpreters, by name.
        sources: ``variant``, ``revision``, ``describe`` and ``dirty`` of each variant that has sources.
        policy: settings that differ from the defaults.

    """

    id: str
    created: str
    command: list[str]
    plan: dict[str, Any]
    environment: dict[str, str]
    host: dict[str, Any]
    tools: dict[str, Any]
    sources: list[dict[str, Any]]
    policy: dict[str, Any]


def write(path: Path, manifest: Manifest) -> None:
    """Write a manifest, completely or not at all.

    Raises:
        Stop: it cannot be written.

    """
    document = {KEY: VERSION, **manifest._asdict()}
    # With escapes, no text can control a terminal.
    outputs.write(path, json.dumps(as_texts(document), indent=1, allow_nan=False) + "\n")


def is_manifest(path: Path) -> bool:
    """Return whether a file begins like the manifest of a run, of any version."""
    try:
        with path.open("rb") as file:
            return begins(file.read(_HEAD))
    except OSError:
        return False


def begins(content: bytes) -> bool:
    """Return whether a content begins like a manifest."""
    head = content[:_HEAD].replace(b" ", b"").replace(b"\n", b"")
    return head.startswith(f'{{"{KEY}":"{_KIND}'.encode())


def read(path: Path) -> Manifest:
    """Read a manifest.

    Raises:
        Stop: there is none, a newer version of statera wrote it, or it is damaged.

    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST)
    except OSError as error:
        raise Stop("no-run", f"{path.parent}: holds no run of statera ({path.name}: {error.strerror})") from None
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, f"it is not JSON ({error})") from None
    version = document.get(KEY) if isinstance(document, dict) else None
    if not isinstance(version, str) or not version.startswith(_KIND):
        raise Stop("no-run", f'{path}: is not the manifest of a run: it does not begin with "{KEY}": "{VERSION}"')
    if version != VERSION:
        raise Stop(
            "newer-run",
            f"{path}: is of the kind {as_text(version)}, but this version of statera knows {VERSION} only. Install "
            "the version that wrote it, or a newer one",
        )
    return _checked(path, document)


def variants(manifest: Manifest) -> list[str]:
    """Return the names of a run's variants, the baseline first."""
    return [str(each.get("name")) for each in _objects(manifest)]


def levels(manifest: Manifest) -> str:
    """Return the levels of a run's factors in words: ``main+next_100+400`` for two factors of two levels each."""
    of: dict[str, dict[str, None]] = {}
    for each in _objects(manifest):
        pairs = each.get("levels")
        for pair in pairs if isinstance(pairs, list) else []:
            match pair:
                case [factor, level]:
                    of.setdefault(str(factor), {})[str(level)] = None
    return "_".join("+".join(each) for each in of.values()) or "+".join(variants(manifest))


def _objects(manifest: Manifest) -> list[dict[str, Any]]:
    found = manifest.plan.get("variants")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _checked(path: Path, document: dict[str, Any]) -> Manifest:
    for name, hint in get_type_hints(Manifest).items():
        kind = get_origin(hint) or hint
        if name not in document:
            raise _damaged(path, f"`{name}` is missing")
        if not isinstance(document[name], kind):
            raise _damaged(path, f"`{name}` is not {_WORDS[kind]}")
    return Manifest(**{name: document[name] for name in Manifest._fields})


_WORDS: Final = {str: "a text", list: "a list", dict: "an object"}


def _damaged(path: Path, what: str) -> Stop:
    return Stop("damaged-run", f"{path}: {what}. Restore the file from a copy, or run the experiment again")
