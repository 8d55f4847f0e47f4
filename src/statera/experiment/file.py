"""An experiment file as a plan: its variants, what they need built, and a cell for each benchmark of each variant.

``Document`` is the form of the file: its tables and keys, with the lines of their errors.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import tomllib
from collections import Counter
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, cast

from statera import _native
from statera.experiment import builds
from statera.experiment.file_keys import LEVEL, LEVELS, TABLES, Key, Kind
from statera.experiment.host import ELSEWHERE, HERE, pinned
from statera.experiment.plan import (
    Build,
    Cell,
    Command,
    Machine,
    Plan,
    Rounds,
    Service,
    Variant,
    key_of,
    levels_in_words,
)
from statera.experiment.schedule import parse_duration, parse_rounds, with_looks
from statera.experiment.services import ONE_FOR_ALL, default_ready, fault_of
from statera.experiment.sources import AS_IT_IS, Source, left_out, resolved
from statera.experiment.suites import HARNESSES, choosing
from statera.experiment.words import LATER, SERVED, filled, joined, literal, names, template, templates
from statera.support.errors import Stop, unreadable
from statera.support.files import toml
from statera.support.settings.limits import parse_size
from statera.support.wording import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from statera.experiment.plan import Order
    from statera.experiment.words import Value

# Errors of a value, to which its place is added.
_OF_VALUES: Final = frozenset({"bad-placeholder", "bad-source"})
_LONGEST: Final = 80
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
# What statera itself fills in, and the keys that results have anyway.
_TAKEN: Final = frozenset(
    {"build", "source", "out", "round"}
    | {"variant", "benchmark", "metric", "value", "unit", "order", "program", "block", "process", "alpha_share"}
)
# The tables that a file may have several of.
_REPEATED: Final = ("service", "benchmark")
Place = tuple[str | int, ...]
SHELL: Final = "/bin/sh"


class Document(NamedTuple):
    """A file."""

    path: Path  # the file, as it was named
    text: str  # its content
    content: dict[str, Any]  # the same, parsed; options replace its keys
    written: bool = True  # whether there is such a file

    @property
    def folder(self) -> Path:
        """The folder of the file, from which its paths start."""
        return self.path.parent.absolute()

    def table(self, *place: str | int) -> Table:
        """Return the table at a place, such as ``("benchmark", 0)``."""
        return Table(self, place)

    def refuse(self, place: Sequence[str | int], why: str) -> NoReturn:
        """Stop, and name the line of a value, or of the table that should hold it."""
        found = (toml.line_of(self.text, place[:length]) for length in range(len(place), 0, -1))
        line = next(filter(None, found), 0)
        if not self.written:
            where = f"line {line} of " * bool(line)
            raise Stop("bad-experiment", f"--across, {where}the file that statera run --init writes: {why}")
        raise Stop("bad-experiment", f"{self.path}:{line}: {why}" if line else f"{self.path}: {why}")


class Table(NamedTuple):
    """A table of a file."""

    document: Document  # the file
    place: Place  # the keys that lead to the table

    @property
    def content(self) -> dict[str, Any]:
        """Its keys and values; none if it is not there."""
        found: Any = self.document.content
        for step in self.place:
            found = found.get(step, {}) if isinstance(found, dict) else found[step]
        return cast("dict[str, Any]", found)

    def refuse(self, key: str, why: str) -> NoReturn:
        """Stop, and name the line of a key."""
        self.document.refuse((*self.place, key), why)

    @contextmanager
    def at(self, key: str) -> Iterator[None]:
        """Name the line of a key in front of what is said of its value."""
        try:
            yield
        except Stop as stop:
            if stop.code not in _OF_VALUES:
                raise
            self.refuse(key, f"{key}: {stop}")


def load(
    path: Path, options: Mapping[str, object], levels: Mapping[str, Sequence[str]], text: str | None = None
) -> Document:
    """Read a file, or what it would hold as ``text``, and check its form.

    ``options`` are keys outside of tables, and ``levels`` those of factors, that replace those of the file.

    Raises ``Stop`` if it cannot be read, or its form is wrong.
    """
    try:
        content, found = toml.load(path, "bad-experiment") if text is None else (tomllib.loads(text), text)
    except OSError as error:
        raise Stop("bad-experiment", f"{unreadable(path, error)}. Name an experiment file (TOML)") from None
    document = Document(path, found, content, written=text is None)
    _check_document(document)
    for name, value in options.items():
        kind = TABLES[""][name].kind
        if not kind.fits(value):
            raise Stop("bad-option", f"{name} takes {kind.words}, not {_short(value)}")
    return _with_levels(document._replace(content={**content, **options}), levels)


def _with_levels(document: Document, levels: Mapping[str, Sequence[str]]) -> Document:
    """Replace levels of factors."""
    factors = document.content.get("factors", {})
    for name in levels:
        if name not in factors:
            known = suggestion(name, factors) or (f"; it has {', '.join(factors)}" if factors else "")
            raise Stop("bad-option", f"-L {name}: {document.path} has no factor of this name in [factors]{known}")
    if not levels:
        return document
    replaced = {name: [*levels.get(name, stated)] for name, stated in factors.items()}
    return document._replace(content={**document.content, "factors": replaced})


def _check_document(document: Document) -> None:
    content = document.content
    _check(document, (), "", content)
    for table in ("source", "build"):
        if table in content:
            _check(document, (table,), table, content[table])
    for name in _REPEATED:
        for number, table in enumerate(content.get(name, [])):
            _check(document, (name, number), name, table)
    if "factors" in content and "variant" in content:
        document.refuse(
            ("variant",),
            "[factors] makes variants of all combinations, and [[variant]] names them one by "
            "one. Leave one of them out",
        )
    for name, levels in content.get("factors", {}).items():
        _check_factor(document, ("factors", name), LEVELS, levels)
    for number, variant in enumerate(content.get("variant", [])):
        for name, level in variant.items():
            _check_factor(document, ("variant", number, name), LEVEL, level)


def _check(document: Document, place: Place, table: str, stated: dict[str, Any]) -> None:
    known = TABLES[table]
    for name, value in stated.items():
        if name not in known:
            document.refuse((*place, name), f"there is no key {name!r}{_place_in_words(table)}{_remedy(name, known)}")
        _check_value(document, (*place, name), known[name].kind, value)
    for name, key in known.items():
        if key.required and name not in stated:
            head = "[[benchmark]] is missing: name what is measured" if not table else f"{name} is missing"
            document.refuse(place, f"{head}{_place_in_words(table)}; it takes {key.kind.words}")


def _remedy(name: str, known: Mapping[str, Key]) -> str:
    elsewhere = [_place_in_words(table)[4:] for table, keys in TABLES.items() if table and name in keys]
    if elsewhere and known is TABLES[""]:
        return f"; it belongs into {' or '.join(elsewhere)}"
    if name in TABLES[""]:
        return "; it stands at the beginning of the file, before all tables"
    return suggestion(name, known) or f"; the keys are {', '.join(known)}"


def _place_in_words(table: str) -> str:
    return f" in [[{table}]]" if table in _REPEATED else f" in [{table}]" if table else ""


def _check_value(document: Document, place: Place, kind: Kind, value: object) -> None:
    if not kind.fits(value):
        document.refuse(place, f"{place[-1]} takes {kind.words}, not {_short(value)}")


def _check_factor(document: Document, place: Place, kind: Kind, value: object) -> None:
    name = str(place[-1])
    if not _NAME.fullmatch(name):
        document.refuse(place, f"{name!r} cannot name a factor: use letters, digits, _ and -, a letter first")
    if name in _TAKEN:
        document.refuse(place, f"{name!r} cannot name a factor: statera uses the word itself. Choose another")
    _check_value(document, place, kind, value)


def _short(value: object) -> str:
    return _native.shortened(repr(value), _LONGEST)


def command_of(
    table: Table,
    key: str,
    directory: str,
    values: Mapping[str, Value],
    *,
    later: Collection[str] = (),
    dropped: Collection[str] = (),
) -> Command:
    """Return the command of a key of a table, with the table's ``env``; it runs in a directory.

    Placeholders of a shell's text are variables (``$rev``): a value can never become part of the program. Those that
    ``later`` names stay, and a variable of ``env`` that names one of ``dropped`` is left out.

    Raises ``Stop`` if a placeholder is wrong.
    """
    stated, variables = table.content[key], table.content.get("env", {})
    with table.at("env"):
        environment = [
            (name, template(text, values, later)) for name, text in variables.items() if not names(text) & set(dropped)
        ]
    if isinstance(stated, dict):
        environment += _variables(stated["shell"], values, later)
        return Command((SHELL, "-c", literal(stated["shell"])), directory, tuple(environment))
    with table.at(key):
        return Command(templates(stated, values, later), directory, tuple(environment))


def _variables(text: str, values: Mapping[str, Value], later: Collection[str]) -> Iterable[tuple[str, str]]:
    """Return the variables that a text for a shell names."""
    for name in (*values, *later):
        if re.search(rf"\$\{{?{re.escape(name)}(?![A-Za-z0-9_])", text):
            yield name, template(f"{{{name}}}", values, later)


Values = dict[str, "Value"]
"""What placeholders stand for: the level of each factor, and the folders of a build."""
_MOST: Final = 1000
# A change of what builds do changes this number, and with it all keys.
_WAY: Final = 1
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
_PLACES: Final[Values] = {"source": "\0source", "build": "\0build"}
_AROUND: Final = ("setup", "prepare", "conclude", "cleanup")
_SEEDS: Final = 1 << 32
_COMMANDS: Final = ("command", "prepare", "conclude")


def variants_of(document: Document) -> list[tuple[Variant, Values]]:
    """Return the variants, the baseline first.

    Raises ``Stop`` if two are the same, one lacks a factor, or there are too many.
    """
    combinations = _listed(document) if "variant" in document.content else _combined(document)
    single = len(combinations[0]) == 1
    found = [(Variant(_name(levels, single=single), _pairs(levels)), levels) for levels in combinations]
    names = [variant.name for variant, _ in found]
    repeated = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated is not None:
        # Values such as "1 b=2" can make two names one.
        document.refuse(
            ("variant",) if "variant" in document.content else ("factors",),
            f"two variants are named {repeated!r}. Write levels without a space and an equals sign",
        )
    return found


def _combined(document: Document) -> list[Values]:
    factors = document.content.get("factors", {})
    number = 1
    for name, levels in factors.items():
        texts = [joined(_value(level)) for level in levels]
        repeated = next((each for each in texts if texts.count(each) > 1), None)
        if repeated is not None:
            document.refuse(("factors", name), f"{name} has the level {repeated!r} twice. Write it once")
        number *= len(levels)
    if number > _MOST:
        document.refuse(
            ("factors",),
            f"the factors have {number:,} combinations, and {_MOST:,} are allowed. Leave "
            "levels out, or name combinations with [[variant]]",
        )
    return [dict(zip(factors, map(_value, each), strict=True)) for each in product(*factors.values())]


def _listed(document: Document) -> list[Values]:
    found: list[Values] = []
    tables: list[dict[str, Any]] = document.content["variant"]
    for number, table in enumerate(tables):
        levels = {name: _value(table[name]) for name in tables[0] if name in table}
        odd = sorted(set(table) ^ set(tables[0]))
        if odd:
            document.refuse(("variant", number), f"every [[variant]] has the same factors, but {odd[0]} is not in all")
        if not levels:
            document.refuse(("variant", number), 'this [[variant]] states no factor, such as rev = "main"')
        if _pairs(levels) in map(_pairs, found):
            document.refuse(("variant", number), "this [[variant]] is there twice. Leave one out")
        found.append(levels)
    return found


def _value(level: object) -> Value:
    return tuple(level) if isinstance(level, list) else str(level)


def _pairs(levels: Values) -> tuple[tuple[str, str], ...]:
    return tuple((name, joined(value)) for name, value in levels.items())


def _name(levels: Values, *, single: bool) -> str:
    """Name a variant by its levels; by the level alone if there is one factor, and the level is not empty."""
    pairs = _pairs(levels)
    if single and pairs[0][1].strip():
        return pairs[0][1]
    return levels_in_words(pairs) or "baseline"


class PlannedBuilds:
    """What the variants need built."""

    def __init__(self, document: Document) -> None:
        self.all: list[Build] = []  # the builds, without repetition
        self._document = document
        self._table = document.table("source")
        self._paths: list[Values] = []
        self._sources: dict[str, Source] = {}
        self._tools = _tools()

    def number(self, levels: Values) -> int | None:
        """Return the number of the build that a variant needs, after adding it; None: it needs none.

        Raises ``Stop`` if a placeholder is wrong, or its revision does not exist.
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

    def paths(self, number: int | None) -> Values:
        """Return what ``{source}`` and ``{build}`` stand for."""
        return {} if number is None else self._paths[number]

    def _source(self, levels: Values) -> Source:
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

    def _build(self, source: Source, levels: Values) -> tuple[Build, Values]:
        stated = self._document.content.get("build", {})
        key = self._key(source, stated, levels)
        paths: Values = {"source": os.path.normpath(builds.tree_folder(key) / source.inside)}
        if stated:
            paths["build"] = str(builds.build_folder(key))
        build = Build(
            key=key,
            repository=source.repository,
            revision=source.revision,
            tree=str(builds.tree_folder(key)),
            folder=str(builds.build_folder(key)),
            command=self._command({**levels, **paths}) if stated else None,
            artefacts=tuple(stated.get("artefacts", ())),
            timeout=_seconds(stated.get("timeout")),
            content=source.content,
        )
        return build, paths

    def _key(self, source: Source, stated: dict[str, Any], levels: Values) -> str:
        """Return a digest of all that decides the bytes of a build."""
        decides: list[Any] = [_WAY, source.content, source.inside, *left_out(source)]
        if stated:
            command = self._command({**levels, **_PLACES})
            decides += [command, stated.get("artefacts", ()), self._tools, _program(command.arguments[0])]
        return key_of(json.dumps(decides, ensure_ascii=True))

    def _command(self, values: Values) -> Command:
        table = self._document.table("build")
        with table.at("directory"):
            directory = filled(table.content.get("directory", "."), values)
        place = os.path.normpath(Path(str(values["source"]), directory))
        return command_of(table, "command", place, values)


def _tools() -> list[Any]:
    """Identify the compilers without starting them: a program that was replaced has another size or time."""
    return [*map(_program, _TOOLS), *((name, os.environ.get(name)) for name in _VARIABLES)]


def _program(name: str) -> list[object] | None:
    found = shutil.which(name)
    if found is None:
        return None
    real = Path(found).resolve()
    about = real.stat()
    return [str(real), about.st_size, about.st_mtime_ns]


def planned(
    path: str | Path,
    options: Mapping[str, object] | None = None,
    levels: Mapping[str, Sequence[str]] | None = None,
    text: str | None = None,
    revision: str | None = None,
) -> Plan:
    """Return the plan of an experiment file. Revisions are looked up, and nothing is built or run.

    ``options``, such as ``{"rounds": 20}``, replace keys of the file that stand outside of tables, unless they are
    None, and ``levels`` replace those of factors. ``text`` is what the file would hold, where there is none. Of
    ``revision``, the full name of a commit, the files are built and run, whichever the file states.

    Raises ``Stop`` if the file cannot be used; the text names the line and the remedy.
    """
    given = {name: value for name, value in (options or {}).items() if value is not None}
    document = load(Path(path), given, levels or {}, text)
    if revision is not None:
        document = _of_revision(document, revision)
    content = document.content
    found = variants_of(document)
    _refuse_served(document)
    builds = PlannedBuilds(document)
    of_variant = [builds.number(levels) for _, levels in found]
    names = _names(document)
    values = [levels | builds.paths(build) for (_, levels), build in zip(found, of_variant, strict=True)]
    services = [_services(document, each) for each in values]
    cells = [
        _cell(document, (benchmark, variant), values[variant], of_variant[variant], services[variant])
        for benchmark in range(len(names))
        for variant in range(len(found))
    ]
    _refuse_difference(document, services)
    return Plan(
        variants=tuple(variant for variant, _ in found),
        benchmarks=names,
        cells=tuple(cells),
        builds=tuple(builds.all),
        rounds=_rounds(content),
        order=cast("Order", content.get("order", "random")),
        warmup=content.get("warmup", 0),
        seed=content["seed"] if "seed" in content else secrets.randbelow(_SEEDS),
        machine=_machine(document),
        decide=content.get("decide"),
        hosts=tuple(content.get("on", ())),
    )


def _of_revision(document: Document, revision: str) -> Document:
    """Return a document of one revision: the factor that names revisions has that level alone.

    Raises ``Stop`` if it takes no files from a repository, so that the same ones would run for every revision.
    """
    content = document.content
    if not {"source", "build"} & set(content):
        document.refuse(
            (), "neither [source] nor [build] is there, so that every commit would run the same files. Add one of them"
        )
    source = content.get("source", {})
    factor = _revision_factor(document)
    if factor in content.get("factors", {}):
        return document._replace(content={**content, "factors": {**content["factors"], factor: [revision]}})
    if factor and "variant" in content:
        tables = [{**table, factor: revision} for table in content["variant"]]
        once = [table for number, table in enumerate(tables) if table not in tables[:number]]
        return document._replace(content={**content, "variant": once})
    return document._replace(content={**content, "source": {**source, "revision": revision}})


def _names(document: Document) -> tuple[str, ...]:
    for what in ("service", "benchmark"):
        names = [table["name"] for table in document.content.get(what, [])]
        for number, name in enumerate(names):
            if name in names[:number]:
                document.refuse((what, number, "name"), f"two {what}s are named {name!r}. Rename one")
    return tuple(names)


def _refuse_served(document: Document) -> None:
    """Refuse factors that are named as what a service is given."""
    content = document.content
    named = [*content.get("factors", {}), *(name for table in content.get("variant", []) for name in table)]
    taken = next((name for name in named if name in SERVED), None)
    if taken and "service" in content:
        where = "factors" if "factors" in content else "variant"
        document.refuse((where, taken), f"{{{taken}}} is what statera gives a service. Name the factor otherwise")


def _service(document: Document, number: int, values: Values) -> Service:
    table = document.table("service", number)
    content = table.content
    with table.at("directory"):
        directory = os.path.normpath(document.folder / filled(content.get("directory", "."), values))

    def command(key: str) -> Command | None:
        given = content.get(key)
        return (
            None if given is None or isinstance(given, str) else command_of(table, key, directory, values, later=SERVED)
        )

    ready = content.get("ready")
    serves = command_of(table, "command", directory, values, later=SERVED)
    with table.at("ready"):
        stated = template(ready, values, SERVED) if isinstance(ready, str) else None
    found = Service(
        name=content["name"],
        command=serves,
        scope=content.get("scope", "run"),
        ready=default_ready(serves) if ready is None else stated,
        ready_command=command("ready"),
        ready_within=_seconds(content.get("ready_within", 60)) or 0.0,
        prepare=command("prepare"),
        cpus=_cores(document, ("service", number)),
        stop=content.get("stop", "TERM").upper().removeprefix("SIG"),
        stop_within=_seconds(content.get("stop_within", 10)) or 0.0,
    )
    why = fault_of(found)
    if why:
        table.refuse("ready" if ready is not None else "command", why)
    return found


def _services(document: Document, values: Values) -> tuple[Service, ...]:
    return tuple(_service(document, number, values) for number in range(len(document.content.get("service", []))))


def _refuse_difference(document: Document, services: Sequence[tuple[Service, ...]]) -> None:
    """Refuse a service of the whole experiment that differs between variants."""
    for number, each in enumerate(zip(*services, strict=True)):
        if each[0].scope == "experiment" and len(set(each)) > 1:
            document.refuse(("service", number, "scope"), ONE_FOR_ALL)


def _cell(
    document: Document, at: tuple[int, int], values: Values, build: int | None, services: tuple[Service, ...]
) -> Cell:
    benchmark, variant = at
    table = document.table("benchmark", benchmark)
    content = table.content

    def path(key: str, otherwise: str = "") -> str:
        with table.at(key):
            return os.path.normpath(document.folder / filled(content.get(key, otherwise), values))

    served = SERVED if "service" in document.content else ()

    def command(key: str) -> Command:
        if key in _COMMANDS:
            return command_of(table, key, directory, values, later=(*LATER, *served))
        return command_of(table, key, directory, values, later=served, dropped=LATER)

    directory = path("directory", ".")
    around: dict[str, Any] = {key: command(key) for key in _AROUND if key in content}
    return Cell(
        benchmark=benchmark,
        variant=variant,
        command=command("command"),
        format=content.get("format"),
        harness=_harness(table),
        input=path("input") if "input" in content else None,
        output=_output(table) or path("output"),
        build=build,
        services=services,
        **around,
    )


def _harness(table: Table) -> str | None:
    content = table.content
    if "harness" not in content:
        return None
    for key in ("format", "output"):
        if key in content:
            table.refuse(key, f"with harness the {key} is that of the harness. Leave {key} out")
    if isinstance(content["command"], dict):
        table.refuse("command", "with harness the command is a list, to which statera adds which benchmark to run")
    harness: str = content["harness"]
    chosen = choosing(HARNESSES[harness], content["command"])
    if chosen is not None:
        table.refuse("command", f"statera adds which benchmark {harness} runs. Leave {chosen!r} out, and use --only")
    return harness


def _output(table: Table) -> str:
    """Return what becomes of standard output; nothing if it goes to a file."""
    has_format = "format" in table.content
    output: str = table.content.get("output", "capture" if has_format else "discard")
    if has_format and output != "capture":
        table.refuse("output", "with format the output is always kept. Leave output out")
    return output if output in {"discard", "capture"} else ""


def _rounds(content: dict[str, Any]) -> Rounds:
    rounds = with_looks(parse_rounds(content.get("rounds", "until decided")) or Rounds())
    return rounds._replace(seconds=_seconds(content.get("max_time")))


def _machine(document: Document) -> Machine:
    content = document.content
    memory, accepted = content.get("memory"), content.get("accept_failures", False)
    return Machine(
        cpus=_cores(document),
        nice=content.get("nice"),
        memory=parse_size(memory) if isinstance(memory, str) else memory,
        timeout=_seconds(content.get("timeout")),
        counters=tuple(dict.fromkeys(content.get("counters", ()))),
        cool=_seconds(content.get("cool")) or 0.0,
        accept_failures=bool(accepted),
        accepted_codes=tuple(accepted) if isinstance(accepted, list) else (),
    )


def _cores(document: Document, place: tuple[str | int, ...] = ()) -> tuple[int, ...]:
    stated = document.table(*place).content.get("pin")
    if stated is None:
        return ()
    system = ELSEWHERE if document.content.get("on") else HERE
    try:
        return pinned(stated if isinstance(stated, str) else ",".join(map(str, stated)), system)
    except Stop as stop:
        document.refuse((*place, "pin"), str(stop).removeprefix("--"))


def _seconds(stated: object) -> float | None:
    return None if stated is None else parse_duration(str(stated))


def _revision_factor(document: Document) -> str:
    """Return the factor that alone states the revision of the source; nothing if none does."""
    revision = document.content.get("source", {}).get("revision", "")
    return revision[1:-1] if isinstance(revision, str) and re.fullmatch(r"\{[^{}]+\}", revision) else ""


def factor_of_revisions(path: str | Path) -> str:
    """Return the factor of an experiment file whose levels are the revisions of its source.

    Raises ``Stop`` if the file has none, or cannot be used.
    """
    document = load(Path(path), {}, {})
    name = _revision_factor(document)
    if name in document.content.get("factors", {}):
        return name
    raise Stop(
        "bad-option",
        f'--across: {path} builds no revision by a factor. Write revision = "{{rev}}" below [source], and '
        'rev = ["HEAD", "."] below [factors]',
    )
