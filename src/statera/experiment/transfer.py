"""What the commands of a plan need on a host, and their cells with the paths that it has there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from statera.experiment.placeholders import literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.experiment.plan import Cell, Command, Plan


def _commands(cell: Cell) -> Iterator[Command]:
    yield from filter(None, (cell.command, cell.setup, cell.prepare, cell.conclude, cell.cleanup))


def _texts(plan: Plan) -> Iterator[str]:
    for cell in plan.cells:
        for command in _commands(cell):
            yield from command.arguments
            yield from (value for _, value in command.environment)
            yield command.directory or ""


def directories(plan: Plan) -> set[str]:
    """Return the folders in which commands of a plan run."""
    return {command.directory or str(Path.cwd()) for cell in plan.cells for command in _commands(cell)}


def needed(plan: Plan) -> list[Path]:
    """Return the files and folders that commands of a plan find on a host.

    These are builds, source trees that a command names, standard input, and files that a word of a command names by a
    relative path.
    """
    texts = [*_texts(plan)]
    found = {Path(build.folder) for build in plan.builds}
    found |= {Path(build.tree) for build in plan.builds if build.tree and any(build.tree in text for text in texts)}
    found |= {Path(cell.input) for cell in plan.cells if cell.input}
    for cell in plan.cells:
        for command in _commands(cell):
            folder = command.directory or str(Path.cwd())
            words = (word.replace("{{", "{").replace("}}", "}") for word in command.arguments)
            named = (Path(os.path.normpath(f"{folder}/{word}")) for word in words if word and word[0] != "/")
            found |= {each for each in named if _is_file(each)}
    return sorted(each for each in found if each.is_dir() or _is_file(each))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # A long argument, or one with a zero byte, names no file.
        return False


def moved(cell: Cell, plan: Plan, work: str) -> Cell:
    """Return a cell with the paths that what it needs has below ``work``."""
    places = {place for build in plan.builds for place in (build.folder, build.tree) if place}
    pattern = re.compile(
        "|".join(re.escape(literal(each)) for each in sorted(places, key=len, reverse=True)) or r"(?!)"
    )

    def text(given: str) -> str:
        return pattern.sub(lambda found: literal(work) + found[0], given)

    def command(given: Command | None) -> Command | None:
        return None if given is None else _command(given)

    def _command(given: Command) -> Command:
        return given._replace(
            arguments=tuple(map(text, given.arguments)),
            environment=tuple((name, text(value)) for name, value in given.environment),
            directory=work + (given.directory or str(Path.cwd())),
        )

    return cell._replace(
        command=_command(cell.command),
        setup=command(cell.setup),
        prepare=command(cell.prepare),
        conclude=command(cell.conclude),
        cleanup=command(cell.cleanup),
        input=work + cell.input if cell.input and _is_file(Path(cell.input)) else cell.input,
    )
