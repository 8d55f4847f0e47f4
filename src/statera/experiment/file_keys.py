"""The keys of an experiment file: which tables there are, and what each key takes. Others are refused."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any, Final, NamedTuple, get_args

from statera.experiment import counters
from statera.experiment.plan import Order, Scope
from statera.experiment.schedule import parse_duration, parse_rounds
from statera.experiment.services import FORMS, is_form
from statera.experiment.ssh import is_name
from statera.experiment.suites import HARNESSES
from statera.reading import formats
from statera.support.settings.limits import parse_size

if TYPE_CHECKING:
    from collections.abc import Callable

_ORDERS: Final = get_args(Order)
_SCOPES: Final = get_args(Scope)
_SIGNALS: Final = tuple(each.name.removeprefix("SIG") for each in signal.Signals if each.name.isalpha())
_HIGHEST_CODE: Final = 255
_LARGEST: Final = 2**63
# The niceness of a process lies between these.
_NICE: Final = (-20, 19)
_TEXT: Final = {"type": "string", "minLength": 1}


class Kind(NamedTuple):
    """The values that a key accepts."""

    words: str  # a description of the values
    fits: Callable[[Any], bool]  # whether a value is one of them
    schema: dict[str, Any]  # the same as JSON Schema, as far as that can say it


class Key(NamedTuple):
    """A key of a table."""

    kind: Kind  # the values that it accepts
    meaning: str  # what it states, and what holds without it
    required: bool = False  # whether it must be there


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def _is_word(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_whole(value: object, least: int = 0, most: int = _LARGEST) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_list(value: object, fits: Callable[[Any], bool], least: int = 1) -> bool:
    return isinstance(value, list) and len(value) >= least and all(map(fits, value))


def _is_command(value: object) -> bool:
    if isinstance(value, dict):
        return set(value) == {"shell"} and _is_text(value["shell"])
    return isinstance(value, list) and _is_list(value, _is_word) and _is_text(value[0])


def _is_level(value: object) -> bool:
    return _is_word(value) or _is_whole(value, -_LARGEST) or _is_list(value, _is_word, 0)


def _is_duration(value: object) -> bool:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return parse_duration(f"{value:f}") is not None
    return isinstance(value, str) and parse_duration(value) is not None


def _is_size(value: object) -> bool:
    return _is_whole(value, 1) or (isinstance(value, str) and bool(parse_size(value)))


def _is_environment(value: object) -> bool:
    return isinstance(value, dict) and all(
        name and not set(name) & set("=\0") and _is_word(text) for name, text in value.items()
    )


def _is_format(value: object) -> bool:
    return isinstance(value, str) and formats.is_known(value)


_SOME_TEXT: Final = Kind("a text that is not empty", _is_text, _TEXT)
_WORDS: Final = {"type": "array", "items": {"type": "string"}}
_COMMAND: Final = Kind(
    'a list of a program and its arguments such as ["make", "-j2"], or { shell = "…" }',
    _is_command,
    {
        "oneOf": [
            {**_WORDS, "minItems": 1},
            {"type": "object", "properties": {"shell": _TEXT}, "required": ["shell"], "additionalProperties": False},
        ]
    },
)
_DURATION: Final = Kind(
    'a number of seconds, or a text such as "90s", "10m" or "1h30m"', _is_duration, {"type": ["number", "string"]}
)
_ENVIRONMENT: Final = Kind(
    'a table of texts such as { GOGC = "100" }',
    _is_environment,
    {"type": "object", "additionalProperties": {"type": "string"}},
)
_COUNT: Final = Kind("a whole number from 0 on", _is_whole, {"type": "integer", "minimum": 0})
_TABLE: Final = Kind("a table", lambda value: isinstance(value, dict), {})
_TABLES: Final = Kind(
    "one or more tables", lambda value: _is_list(value, lambda one: isinstance(one, dict)), {"minItems": 1}
)

_CORES: Final = Kind(
    'a list of numbers of cores such as [2, 3], or a text such as "2-3" or "isolated"',
    lambda value: _is_text(value) or _is_list(value, _is_whole),
    {"anyOf": [_TEXT, {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 1}]},
)

_EXPERIMENT: Final[dict[str, Key]] = {
    "rounds": Key(
        Kind(
            'a whole number from 1 on, "until decided" or a width such as "width 1%"',
            lambda value: parse_rounds(value) is not None,
            {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^(until decided|width .+)$"}]},
        ),
        'how many rounds there are: a number; `"until decided"` (the default); or until every interval is narrower '
        'than a relative width, `"width 1%"`',
    ),
    "order": Key(
        Kind(f"one of {', '.join(_ORDERS)}", lambda value: value in _ORDERS, {"enum": list(_ORDERS)}),
        "how the invocations of a round follow each other; default `random`",
    ),
    "seed": Key(_COUNT, "the seed of all random choices; default: one is drawn, and the manifest of the run holds it"),
    "warmup": Key(_COUNT, "invocations of each command before the first round, which are not samples; default 0"),
    "max_time": Key(_DURATION, "the look at which so much time has passed is the last; default: no limit"),
    "timeout": Key(_DURATION, "an invocation that lasts longer is ended and gives no sample; default: no limit"),
    "pin": Key(_CORES, "the cores that commands may use; default: all"),
    "nice": Key(
        Kind(
            f"a whole number from {_NICE[0]} to {_NICE[1]}",
            lambda value: _is_whole(value, *_NICE),
            {"type": "integer", "minimum": _NICE[0], "maximum": _NICE[1]},
        ),
        "the niceness of commands; default: that of statera",
    ),
    "memory": Key(
        Kind('a size such as "2GiB", or a number of bytes', _is_size, {"type": ["integer", "string"]}),
        "the memory that a command and its children may use; default: no limit",
    ),
    "cool": Key(_DURATION, "how long to wait between two invocations; default: not at all"),
    "counters": Key(
        Kind(
            f"a list of {counters.WORDS}",
            lambda value: _is_list(value, counters.is_event),
            {"type": "array", "items": {"type": "string", "pattern": counters.PATTERN}, "minItems": 1},
        ),
        "the events to count; `callgrind` counts instructions without a counter of the processor; default: none",
    ),
    "accept_failures": Key(
        Kind(
            "true, false or a list of exit codes such as [1]",
            lambda value: isinstance(value, bool) or _is_list(value, lambda one: _is_whole(one, 1, _HIGHEST_CODE)),
            {"anyOf": [{"type": "boolean"}, {"type": "array", "items": {"type": "integer", "minimum": 1}}]},
        ),
        "whether a command that ends with another exit code than 0, or with one of these, still gives a sample; "
        "default `false`",
    ),
    "decide": Key(
        _SOME_TEXT,
        "the metric that decides when a benchmark ends, and that a gate judges: `time`, `cpu`, `instructions`, another "
        "metric, or `any` primary one; default: `time`, or `cpu` where the machine is busy",
    ),
    "on": Key(
        Kind(
            'a list of names of hosts such as ["alpha", "user@beta"]',
            lambda value: _is_list(value, lambda one: isinstance(one, str) and is_name(one)),
            {**_WORDS, "minItems": 1},
        ),
        "the hosts that commands run on, by ssh; default: this machine",
    ),
    "factors": Key(_TABLE, "`[factors]`, see below"),
    "variant": Key(_TABLES, "`[[variant]]`, see below"),
    "source": Key(_TABLE, "`[source]`, see below"),
    "build": Key(_TABLE, "`[build]`, see below"),
    "service": Key(_TABLES, "`[[service]]`, see below"),
    "benchmark": Key(_TABLES, "`[[benchmark]]`, see below", required=True),
}
_SOURCE: Final[dict[str, Key]] = {
    "git": Key(_SOME_TEXT, "a folder of a git repository, relative to the file; default `.`, the folder of the file"),
    "revision": Key(
        _SOME_TEXT,
        "a commit, a tag or a branch; `.` is the tree as it is, with changes that are not committed and new files that "
        "are not ignored; default `.`",
    ),
}
_BUILD: Final[dict[str, Key]] = {
    "command": Key(_COMMAND, "what builds; it runs in the source tree and writes to `{build}`", required=True),
    "directory": Key(_SOME_TEXT, "where it runs, relative to `{source}`; default `{source}`"),
    "env": Key(_ENVIRONMENT, "variables in addition to those of statera"),
    "artefacts": Key(
        Kind('a list of files such as ["bench"]', lambda value: _is_list(value, _is_text), _WORDS),
        "the files in `{build}` whose content is recorded and compared between variants; default: all",
    ),
    "timeout": Key(_DURATION, "a build that lasts longer is ended and has failed; default: no limit"),
}
_BENCHMARK: Final[dict[str, Key]] = {
    "name": Key(_SOME_TEXT, "its name, unique in the file", required=True),
    "command": Key(_COMMAND, "what is measured", required=True),
    "directory": Key(_SOME_TEXT, "where its commands run, relative to the file; default: the folder of the file"),
    "env": Key(_ENVIRONMENT, "variables for its commands, in addition to those of statera"),
    "format": Key(
        Kind("the name of a format", _is_format, _TEXT),
        "the format of what the command prints, or leaves in `{out}`; default: the command itself is timed",
    ),
    "harness": Key(
        Kind(
            f"one of {', '.join(HARNESSES)}",
            lambda value: isinstance(value, str) and value in HARNESSES,
            {"enum": list(HARNESSES)},
        ),
        "each benchmark that this harness lists is one of the experiment, and is decided by itself; `command` starts "
        "the harness; default: none",
    ),
    "input": Key(_SOME_TEXT, "the file that the command reads from standard input; default: none"),
    "output": Key(
        _SOME_TEXT,
        "what becomes of its standard output: `discard` (the default), `capture` (kept with the results), or the path "
        "of a file; with `format` it is always kept",
    ),
    "setup": Key(_COMMAND, "runs once before the first round, unmeasured like all that follow"),
    "prepare": Key(_COMMAND, "runs before every invocation"),
    "conclude": Key(_COMMAND, "runs after every invocation"),
    "cleanup": Key(_COMMAND, "runs once after the last round"),
}
_SERVICE: Final[dict[str, Key]] = {
    "name": Key(_SOME_TEXT, "its name, unique in the file", required=True),
    "command": Key(_COMMAND, "what serves until it is stopped", required=True),
    "ready": Key(
        Kind(
            f"{FORMS}, or a command as a list",
            lambda value: is_form(value) if isinstance(value, str) else _is_command(value),
            {"anyOf": [{"type": "string", "pattern": "^(tcp:|https?://|log:)"}, *_COMMAND.schema["oneOf"]]},
        ),
        "how to see that it serves: its port accepts connections, its address answers, a line of its output fits, or a "
        "command ends with exit code 0; default: `tcp:{port}` if its command names `{port}`, else it serves at once",
    ),
    "ready_within": Key(_DURATION, "how long that may take; then the experiment ends; default 60 s"),
    "scope": Key(
        Kind(f"one of {', '.join(_SCOPES)}", lambda value: value in _SCOPES, {"enum": list(_SCOPES)}),
        "how long it lives: for one `run` of a benchmark (the default), for all runs of a `variant`, or for the whole "
        "`experiment`",
    ),
    "prepare": Key(_COMMAND, "runs before each of its starts"),
    "directory": Key(_SOME_TEXT, "where its commands run, relative to the file; default: the folder of the file"),
    "env": Key(_ENVIRONMENT, "variables for its commands, in addition to those of statera"),
    "pin": Key(_CORES, "its cores; those of the benchmarks are the `pin` of the experiment; default: all"),
    "stop": Key(
        Kind(
            "the name of a signal such as TERM, INT or QUIT",
            lambda value: isinstance(value, str) and value.upper().removeprefix("SIG") in _SIGNALS,
            _TEXT,
        ),
        "the signal that stops it; default `TERM`",
    ),
    "stop_within": Key(_DURATION, "how long that may take; then it is killed; default 10 s"),
}

TABLES: Final[dict[str, dict[str, Key]]] = {
    "": _EXPERIMENT,
    "source": _SOURCE,
    "build": _BUILD,
    "service": _SERVICE,
    "benchmark": _BENCHMARK,
}
"""The keys of each table, in the order of the documentation; the first ones stand outside of tables."""

LEVEL: Final = Kind(
    'a text, a whole number, or a list of arguments such as ["-O3", "-g"]',
    _is_level,
    {"anyOf": [{"type": ["string", "integer"]}, _WORDS]},
)
LEVELS: Final = Kind(
    'a list of levels such as ["main", "."]',
    lambda value: _is_list(value, _is_level),
    {"type": "array", "items": LEVEL.schema, "minItems": 1},
)
