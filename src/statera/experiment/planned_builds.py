"""The builds of an experiment file: one for each source tree and command, however many variants share it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statera.experiment import cache, commands
from statera.experiment.durations import parse_duration
from statera.experiment.placeholders import filled
from statera.experiment.plan import Build, Command
from statera.experiment.sources import AS_IT_IS, Source, resolved

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from statera.experiment.document import Document
    from statera.experiment.variants import Levels

# A change of what builds do changes this number, and with it all keys.
_WAY: Final = 1
_DIGITS: Final = 16
# What decides the bytes of a build beside its command: compilers, and the variables that they read.
_TOOLS: Final = (
    *("cc", "gcc", "g++", "clang", "clang++", "ld", "as", "make", "cmake", "ninja"),
    *("go", "rustc", "cargo", "ghc", "cabal", "stack", "ocamlfind", "ocamlopt", "dune", "opam", "javac", "zig"),
)
_VARIABLES: Final = (
    *("CC", "CXX", "CFLAGS", "CPPFLAGS", "CXXFLAGS", "LDFLAGS", "AR", "LD", "CPATH", "LIBRARY_PATH", "MAKEFLAGS"),
    *("GOFLAGS", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "GOTOOLCHAIN", "CGO_ENABLED", "CGO_CFLAGS"),
    *("RUSTFLAGS", "RUSTUP_TOOLCHAIN", "CARGO_BUILD_TARGET", "CARGO_ENCODED_RUSTFLAGS"),
    *("OCAMLPARAM", "OPAMSWITCH", "OPAM_SWITCH_PREFIX", "GHC_PACKAGE_PATH", "JAVA_HOME"),
)
# What stands for the places of a build in its own key, which cannot depend on the key. No text of a file is the same.
_PLACES: Final[Levels] = {"source": "\0source", "build": "\0build"}


class PlannedBuilds:
    """What the variants need built.

    Attributes:
        all: the builds, without repetition.

    """

    def __init__(self, document: Document) -> None:
        self.all: list[Build] = []
        self._document = document
        self._table = document.table("source")
        self._paths: list[Levels] = []
        self._sources: dict[str, Source] = {}
        self._tools = _tools()

    def number(self, levels: Levels) -> int | None:
        """Return the number of the build that a variant needs, after adding it; None: it needs none.

        Raises:
            Stop: a placeholder is wrong, or its revision does not exist.

        """
        if not {"source", "build"} & set(self._document.content):
            return None
        source = self._source(levels)
        build, paths = self._build(source, levels)
        keys = [each.key for each in self.all]
        if build.key not in keys:
            self.all.append(build)
            self._paths.append(paths)
            return len(keys)
        return keys.index(build.key)

    def paths(self, number: int | None) -> Levels:
        """Return what ``{source}`` and ``{build}`` stand for."""
        return {} if number is None else self._paths[number]

    def _source(self, levels: Levels) -> Source:
        stated = self._table.content
        with self._table.at("revision"):
            revision = filled(stated.get("revision", AS_IT_IS), levels)
        with self._table.at("git"):
            folder = self._document.folder / filled(stated.get("git", "."), levels)
        name = f"{folder}\0{revision}"
        if name not in self._sources:
            with self._where():
                self._sources[name] = resolved(folder, revision)
        return self._sources[name]

    def _where(self) -> AbstractContextManager[None]:
        """Name the line that asks for a source: without ``[source]``, ``[build]`` does."""
        stated = self._table.content
        key = next((key for key in ("revision", "git") if key in stated), None)
        if key is not None:
            return self._table.at(key)
        return self._document.table().at("source" if "source" in self._document.content else "build")

    def _build(self, source: Source, levels: Levels) -> tuple[Build, Levels]:
        stated = self._document.content.get("build", {})
        key = self._key(source, stated, levels)
        paths: Levels = {"source": os.path.normpath(cache.tree(key) / source.inside)}
        if stated:
            paths["build"] = str(cache.build(key))
        build = Build(
            key=key,
            repository=source.repository,
            revision=source.revision,
            tree=str(cache.tree(key)),
            folder=str(cache.build(key)),
            command=self._command({**levels, **paths}) if stated else None,
            artefacts=tuple(stated.get("artefacts", ())),
            timeout=parse_duration(str(stated["timeout"])) if "timeout" in stated else None,
            content=source.content,
        )
        return build, paths

    def _key(self, source: Source, stated: dict[str, Any], levels: Levels) -> str:
        """Return a digest of all that decides the bytes of a build."""
        decides: list[Any] = [_WAY, source.content, source.inside]
        if stated:
            command = self._command({**levels, **_PLACES})
            decides += [command, stated.get("artefacts", ()), self._tools, _program(command)]
        text = json.dumps(decides, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]

    def _command(self, values: Levels) -> Command:
        table = self._document.table("build")
        with table.at("directory"):
            directory = filled(table.content.get("directory", "."), values)
        place = os.path.normpath(os.path.join(str(values["source"]), directory))  # noqa: PTH118 - symbolic in a key
        return commands.command(table, "command", place, values)


def _tools() -> list[Any]:
    """Identify the compilers without starting them: a program that was replaced has another size or time."""
    return [*map(_program_file, _TOOLS), *((name, os.environ.get(name)) for name in _VARIABLES)]


def _program(command: Command) -> Any:  # noqa: ANN401 - JSON
    return _program_file(command.arguments[0])


def _program_file(name: str) -> Any:  # noqa: ANN401 - JSON
    found = shutil.which(name)
    if found is None:
        return None
    real = Path(found).resolve()
    about = real.stat()
    return [str(real), about.st_size, about.st_mtime_ns]
