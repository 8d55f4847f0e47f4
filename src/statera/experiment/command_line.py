"""Commands on the command line, with the options of hyperfine 2, as a plan."""

from __future__ import annotations

import os
import re
from decimal import Decimal, InvalidOperation
from itertools import product
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.experiment.looks import SHELLS
from statera.experiment.plan import (
    Cell,
    Command,
    Machine,
    Order,
    Plan,
    Rounds,
    Scope,
    Service,
    Variant,
    levels_in_words,
)
from statera.experiment.services import ONE_FOR_ALL, default_ready, fault_of, is_form
from statera.experiment.words import LATER, SERVED, Split, filled, names, parametrized
from statera.experiment.words import split as split_words
from statera.reading import formats
from statera.support.errors import Stop
from statera.support.files.names import as_text
from statera.support.wording import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# A number of values that is larger is a mistake in a range.
_MOST: Final = 10_000
_NAME: Final = re.compile(r"[^\W\d][\w-]*")
Levels = tuple[tuple[str, str], ...]
_DIFFERENT: Final = "command"
# The format of what a load generator prints; with an option, where it prints otherwise then.
_PRINTED: Final = {
    "redis-benchmark": ("redis-benchmark", {"--csv": "redis-benchmark-csv"}),
    "valkey-benchmark": ("redis-benchmark", {"--csv": "redis-benchmark-csv"}),
    "memtier_benchmark": ("memtier", {}),
    "pgbench": ("pgbench", {}),
    **{name: (name, {}) for name in ("wrk", "wrk2", "hey", "oha", "ab", "h2load", "bombardier", "go-wrk", "siege")},
}


def parameter_combinations(
    lists: Iterable[tuple[str, str]], scans: Iterable[tuple[str, str, str]], steps: Iterable[str]
) -> list[Levels]:
    """Return every combination of the parameters' values; one empty combination where there is no parameter.

    A list is a name, and values with commas between them; a scan is a name, its first and its last value. Without
    ``steps`` the step of each scan is 1.

    Raises ``Stop`` if a name, a number or the number of values cannot be used.
    """
    steps, scans = list(steps), list(scans)
    if len(steps) > len(scans):
        raise Stop("bad-option", "-D is the step of -P: give as many -D as -P, or none")
    steps += ["1"] * (len(scans) - len(steps))
    named = [(name, _range(name, low, high, step)) for (name, low, high), step in zip(scans, steps, strict=True)]
    named += [(name, split(name, text)) for name, text in lists]
    _check([name for name, _ in named])
    found = [tuple(zip((name for name, _ in named), values, strict=True)) for values in _product(named)]
    return list(dict.fromkeys(found))


def _product(named: list[tuple[str, list[str]]]) -> Iterable[tuple[str, ...]]:
    count = 1
    for _, values in named:
        count *= len(values)
    if count > _MOST:
        raise Stop("bad-option", f"the parameters have {count:,} combinations, and at most {_MOST:,} can be run")
    return product(*(values for _, values in named))


def _check(names: list[str]) -> None:
    for name in names:
        if not _NAME.fullmatch(name):
            raise Stop("bad-option", f"parameter {name!r}: a name begins with a letter and has letters, digits, _ or -")
        if names.count(name) > 1:
            raise Stop("bad-option", f"parameter {name} is given twice. Give all its values in one -L {name} A,B")
        if name in {"out", "round", "build"}:
            raise Stop("bad-option", f"parameter {name}: {{{name}}} is replaced by statera itself. Use another name")


def split(name: str, text: str) -> list[str]:
    r"""Split at commas; ``\,`` is a comma within a value."""
    values = [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", text)]
    if not all(values):
        raise Stop("bad-option", f"-L {name} {text!r}: a value is empty. Write them with commas between, as in 1,2,4")
    return values


def _range(name: str, first: str, last: str, step: str) -> list[str]:
    try:
        low, high, by = Decimal(first), Decimal(last), Decimal(step)
        finite = all(each.is_finite() for each in (low, high, by))
    except InvalidOperation:
        finite = False
    if not finite or by <= 0 or low > high:
        raise Stop(
            "bad-option",
            f"-P {name} {first} {last} -D {step}: write two numbers, the smaller first, and a step above 0",
        )
    count = int((high - low) / by) + 1 if (high - low) / by < _MOST else _MOST + 1
    if count > _MOST:
        raise Stop(
            "bad-option", f"-P {name} {first} {last} -D {step}: gives more than {_MOST:,} values. Use a larger -D"
        )
    return [f"{low + by * number:f}" for number in range(count)]


class Words(NamedTuple):
    """What was given on the command line."""

    commands: tuple[str, ...]  # the baseline first
    names: tuple[str, ...] = ()  # of the commands, or of all variants
    # lists, scans, steps: of parameters, as ``parameter_combinations`` takes them
    lists: tuple[tuple[str, str], ...] = ()
    scans: tuple[tuple[str, str, str], ...] = ()
    steps: tuple[str, ...] = ()
    shell: tuple[str, ...] = ()  # the words of a shell that executes each command; empty: none
    # setup, cleanup: at most one command each
    setup: str | None = None
    cleanup: str | None = None
    # prepare, conclude: one for all, or one for each command
    prepare: tuple[str, ...] = ()
    conclude: tuple[str, ...] = ()
    # inputs: files or ``null``; outputs: ``null``, ``pipe``, ``inherit`` or a file; one for all, or one for each
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()  # variables for all commands
    format: str | None = None  # the format of what the commands print
    services: tuple[str, ...] = ()  # commands of servers
    ready: tuple[str, ...] = ()  # how to see that each serves: one for all, or one for each
    scope: Scope = "run"  # how long services live
    service_cpus: tuple[int, ...] = ()  # their cores; empty: all

    @property
    def served(self) -> tuple[str, ...]:
        """The placeholders that stand for what services are given."""
        return SERVED if self.services else ()


class _Column(NamedTuple):
    """A variant, or a benchmark: which command and which values of the parameters it stands for."""

    name: str
    command: int | None
    levels: Levels


def planned(words: Words, *, rounds: Rounds, order: Order, warmup: int, seed: int, machine: Machine) -> Plan:
    """Return the plan of commands.

    Several commands are variants of each other, and each combination of parameters is a benchmark. With one command the
    combinations are the variants.

    Raises ``Stop`` if a command or an option cannot be used.
    """
    _refuse_unknown(words.format)
    combinations = parameter_combinations(words.lists, words.scans, words.steps)
    variants, benchmarks = _columns(words, combinations)
    _refuse_served(words, combinations)
    make = _Cells(words._replace(format=words.format or _format_of_load(words)))
    cells = [
        make.cell(number, benchmark, at, variant)
        for (number, benchmark), (at, variant) in product(enumerate(benchmarks), enumerate(variants))
    ]
    if words.scope == "experiment" and len({cell.services for cell in cells}) > 1:
        raise Stop("bad-option", f"--service-scope experiment: {ONE_FOR_ALL}")
    return Plan(
        variants=tuple(Variant(as_text(each.name), _as_texts(each.levels)) for each in variants),
        benchmarks=tuple(as_text(each.name) for each in benchmarks),
        cells=tuple(cells),
        builds=(),
        rounds=rounds,
        order=order,
        warmup=warmup,
        seed=seed,
        machine=machine,
    )


def _refuse_served(words: Words, combinations: list[Levels]) -> None:
    """Refuse parameters that are named as what a service is given, and options of services without one."""
    taken = next((name for name, _ in combinations[0] if name in words.served), None)
    if taken:
        raise Stop("bad-option", f"parameter {taken}: {{{taken}}} is what statera gives a service. Use another name")
    for option, given in (
        ("--ready", words.ready),
        ("--service-scope", words.scope != "run"),
        ("--service-pin", words.service_cpus),
    ):
        if given and not words.services:
            raise Stop("bad-option", f"{option} is about a service. Name its command with --service")


def _format_of_load(words: Words) -> str | None:
    """Return the format of what a load generator prints beside a service; None if its command is timed."""
    if not words.services or words.outputs or words.shell:
        return None
    found = set()
    for command in words.commands:
        program, *options = command.split() or [""]
        name, others = _PRINTED.get(program.rpartition("/")[2], (None, {}))
        found.add(next((others[each] for each in options if each in others), name))
    return found.pop() if len(found) == 1 else None


def _refuse_unknown(name: str | None) -> None:
    if name is not None and not formats.is_known(name):
        known = formats.every()
        others = suggestion(name, known) or f"; there are {', '.join(known)}"
        raise Stop("bad-option", f"--format {name}: no format has this name{others}")


def words_of(text: str, shell: Sequence[str] = ()) -> tuple[str, ...]:
    """Split a command into words, or hand it to a shell.

    Raises ``Stop`` if a quote is not closed, or there is no word.
    """
    if shell:
        return (*shell, "-c", text)
    found = _split(text).words
    if not found or not found[0]:
        raise Stop("bad-option", f"{text!r}: this is not a command. Name a program, with its arguments")
    return tuple(found)


def _split(text: str) -> Split:
    try:
        return split_words(text)
    except ValueError as error:
        raise Stop("bad-option", f"{text!r}: {error}. Close the quote, or escape it with \\") from None


def _refuse_operators(text: str) -> None:
    """Refuse ``a | b`` without a shell: the program would get the bar as an argument."""
    if found := _split(text).operator:
        raise Stop(
            "bad-option",
            f"{text!r}: only a shell understands {found}, and there is none: add -S default, or quote {found}",
        )


def literal_words(words: Words) -> list[str]:
    """Return the words of all commands in which a shell would replace something, and which stay as they are.

    The program that a command gives to a shell is none of them.
    """
    found = [_split(text) for text in _texts(words) if text and not words.shell]
    return [*dict.fromkeys(word for each in found if not _has_program(each.words) for word in each.literal)]


def without_service(words: Words) -> list[str]:
    """Return the placeholders of services in commands that no service runs beside, and which stay as they are."""
    given = {name for name, *_ in (*words.lists, *words.scans)}
    named = set[str]().union(*map(names, filter(None, _texts(words)))) if not words.services else set()
    return [f"{{{name}}}" for name in SERVED if name in named - given]


def _texts(words: Words) -> tuple[str | None, ...]:
    return (words.setup, words.cleanup, *words.commands, *words.prepare, *words.conclude)


def _has_program(words: Sequence[str]) -> bool:
    """Return whether a command is a shell with its program, such as ``sh -c 'echo $HOME'``."""
    return bool(words) and PurePath(words[0]).name in SHELLS and "-c" in words


def _columns(words: Words, combinations: list[Levels]) -> tuple[list[_Column], list[_Column]]:
    """Return variants and benchmarks."""
    commands = words.commands
    if len(commands) == 1:
        texts = [levels_in_words(each) for each in combinations] if combinations != [()] else list(commands)
        names = _names(words.names, texts, "variants")
        variants = [_Column(name, 0, levels) for name, levels in zip(names, combinations, strict=True)]
        return variants, [_Column(_program(commands), None, ())]
    names = _names(words.names, list(commands), "commands")
    benchmarks = [_Column(levels_in_words(levels) or _program(commands), None, levels) for levels in combinations]
    return [_Column(name, number, ()) for number, name in enumerate(names)], benchmarks


def _names(given: Sequence[str], texts: list[str], what: str) -> list[str]:
    if len(given) > len(texts):
        raise Stop("bad-option", f"-n is given {len(given)} times, and there are {len(texts)} {what}")
    names = [*given, *texts[len(given) :]]
    for name in given:
        if not name.strip():
            raise Stop("bad-option", "-n: a name is empty. Give each command another name")
    for name in names:
        if names.count(name) > 1:
            raise Stop(
                "bad-option",
                f"{name!r} names two {what}. To run the same command twice, name them: -n first -n second",
            )
    return names


def _program(commands: Sequence[str]) -> str:
    """Return the name of the program that all commands start; ``command`` where they start different ones."""
    found = {(text.split() or [""])[0].rpartition("/")[2] for text in commands}
    return found.pop() or _DIFFERENT if len(found) == 1 else _DIFFERENT


def _as_texts(levels: Levels) -> Levels:
    return tuple((name, as_text(value)) for name, value in levels)


class _Cells:
    """Makes the cells: every word of a command with the values of the parameters in place of their names."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._directory = str(Path.cwd())
        count = len(words.commands)
        self._prepare = _each("-p", words.prepare, count)
        self._conclude = _each("-C", words.conclude, count)
        self._input = _each("--input", words.inputs, count)
        self._output = _each("--output", words.outputs, count)
        self._later = (*LATER, *words.served)
        self._ready = _each("--ready", words.ready, len(words.services), "services")

    def cell(self, number: int, benchmark: _Column, at: int, variant: _Column) -> Cell:
        """Return the cell of a benchmark and a variant."""
        words, of = self._words, variant.command or 0
        values = dict(variant.levels + benchmark.levels)

        def command(text: str | None) -> Command | None:
            return None if text is None else self._command(text, values)

        return Cell(
            benchmark=number,
            variant=at,
            command=self._command(words.commands[of], values),
            format=words.format,
            input=self._source(self._input[of], values),
            output=self._target(self._output[of], values),
            setup=command(words.setup),
            cleanup=command(words.cleanup),
            prepare=command(self._prepare[of]),
            conclude=command(self._conclude[of]),
            services=self._services(values),
        )

    def _services(self, values: Mapping[str, str]) -> tuple[Service, ...]:
        found: list[Service] = []
        for text, ready in zip(self._words.services, self._ready, strict=True):
            service = self._service(text, ready, values)
            same = sum(each.name.partition(" ")[0] == service.name for each in found)
            found.append(service._replace(name=f"{service.name} {same + 1}" if same else service.name))
        return tuple(found)

    def _service(self, text: str, ready: str | None, values: Mapping[str, str]) -> Service:
        command = self._command(text, values)
        stated = None if ready is None or not is_form(ready) else parametrized(ready, values, self._later)
        asks = None if ready is None or is_form(ready) else self._command(ready, values)
        service = Service(
            name=self._name_of_service(text),
            command=command,
            scope=self._words.scope,
            ready=default_ready(command) if ready is None else stated,
            ready_command=asks,
            cpus=self._words.service_cpus,
        )
        why = fault_of(service)
        if why:
            raise Stop("bad-option", f"--ready {ready}: {why}")
        return service

    def _name_of_service(self, text: str) -> str:
        """Name a service by its program; one that differs between variants has no name of its own."""
        program = (words_of(text)[0] if not self._words.shell else text.split(maxsplit=1)[0]).rpartition("/")[2]
        return "service" if "{" in program else program

    def _command(self, text: str, values: Mapping[str, str]) -> Command:
        # As in hyperfine, a value is put in before the text is split, so that it may be several words. What looks like
        # an operator in a value is text.
        if not self._words.shell:
            _refuse_operators(text)
        words = words_of(parametrized(text, values, self._later), self._words.shell)
        environment = tuple((name, parametrized(value, values, self._later)) for name, value in self._words.environment)
        return Command(words, self._directory, environment)

    def _source(self, given: str | None, values: Mapping[str, str]) -> str | None:
        return None if given is None or given == "null" else self._path(given, values)

    def _target(self, given: str | None, values: Mapping[str, str]) -> str:
        if self._words.format is not None:
            if given not in {None, "pipe"}:
                raise Stop(
                    "bad-option", f"--output {given}: with --format statera keeps the output itself. Leave it out"
                )
            return "capture"
        kinds = {None: "discard", "null": "discard", "pipe": "capture", "inherit": "inherit"}
        return kinds.get(given) or self._path(given or "", values)

    def _path(self, given: str, values: Mapping[str, str]) -> str:
        return os.path.join(self._directory, filled(parametrized(given, values, ()), {}))  # noqa: PTH118


def _each(option: str, given: Sequence[str], count: int, what: str = "commands") -> list[str | None]:
    """Return what an option gives each command: one for all, or one for each."""
    if len(given) in {0, 1}:
        return [given[0] if given else None] * count
    if len(given) != count:
        raise Stop(
            "bad-option", f"{option} is given {len(given)} times: give it once, or once for each of {count} {what}"
        )
    return list(given)
