"""What statera, or a family of its verbs, answers where no verb is named: help, or which verb may be meant."""

from __future__ import annotations

import os
import sys

from statera.cli import verbs
from statera.cli.streams import silence, write
from statera.support.files import names
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Final, NoReturn

    from statera.cli.verbs import Verb

WIDTH: Final = 80
_VERB: Final = 18
# How alike two words are, between 0 and 1, if one may be meant by the other.
_ALIKE: Final = 0.6

SENTENCE: Final = (
    "Compare one build of a program with another: which differences are real, how large they are, and what to do next."
)
CODES: Final = (
    "Exit codes: 0 done, 1 the condition of --fail-on holds, 2 the command failed, 70 a defect of statera, 130 "
    "interrupted. statera explain CODE explains any code that an output shows."
)
_EXAMPLES: Final = (
    ("statera compare old.txt new.txt", "two result files"),
    ("statera run './old input' './new input'", "two commands, alternating"),
    ("statera report old.txt new.txt -o report.html", "a page with pictures"),
)


def answer(family: Verb | None, words: Sequence[str]) -> None:
    """Answer the words behind the name of a family, or all words of a command: write the help that they ask for.

    Raises ``SystemExit`` if they ask for none.
    """
    if words and words[0] in {"-h", "--help"}:
        write(_help(family))
        return
    if not words:
        # A script whose verb is an empty variable has compared nothing, so that it must not pass as a gate.
        try:
            write(_help(family) if family else _short_help())
        except BrokenPipeError:
            silence()
        raise SystemExit(2)
    word = names.as_text(words[0])
    if word.startswith("-"):
        _refuse(family, f"unrecognized arguments: {word}; an option follows its verb")
    if family is None and _is_path(words[0]):
        _refuse(family, f"{word} is {_kind(words[0])}, not a verb; did you mean: {_with_verb(words)}")
    _refuse(family, f"there is no verb {word!r}{_meant(family, word)}")


def program(verb: Verb | None) -> str:
    """Return how a verb, or statera itself, is called."""
    return f"statera {verb.name}" if verb else "statera"


def _refuse(family: Verb | None, message: str) -> NoReturn:
    from statera._native import printable  # noqa: PLC0415 - help does without the compiled part

    name = program(family)
    print(f"{name}: error: {printable(message)}\n{name} --help lists the verbs.", file=sys.stderr)
    raise SystemExit(2)


def _meant(family: Verb | None, word: str) -> str:
    """Ask whether the nearest verb is meant, if one is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where a word is wrong

    near = get_close_matches(word, list(_known(family)), n=1, cutoff=_ALIKE)
    return f"; did you mean {near[0]}?" if near else ""


def _is_path(word: str) -> bool:
    return os.path.lexists(word) or os.path.lexists(word.partition("=")[2] or word)


def _kind(word: str) -> str:
    return "a folder" if os.path.isdir(word) else "a file"


def _with_verb(words: Sequence[str]) -> str:
    """Return a command that begins with a path, with the verb that it lacks."""
    from shlex import join  # noqa: PLC0415 - as above

    verb = "compare" if sum(map(_is_path, words)) > 1 else "inspect"
    return names.as_text(join(["statera", verb, *words]))


def _known(family: Verb | None) -> dict[str, Verb]:
    start = f"{family.name} " if family else ""
    return {verb.name.removeprefix(start): verb for verb in verbs.below(family)}


def wrapped(text: str, indent: str, hanging: str = "") -> str:
    """Break a text into lines of help."""
    from textwrap import fill  # noqa: PLC0415 - only help needs it

    return fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent + hanging, break_on_hyphens=False)


def _help(family: Verb | None) -> str:
    """Return the list of the verbs of a family, or of all that begin a command."""
    lines = [f"usage: {program(family)} VERB [options]", "", wrapped(family.sentence if family else SENTENCE, "")]
    lines += [] if family else ["", *_examples()]
    lines += ["", "verbs:"]
    for name, verb in _known(family).items():
        lines.append(wrapped(f"  {name:{_VERB}}{verb.help}", "", " " * (_VERB + 2)))
    lines += ["", f"{program(family)} VERB -h shows its main options, --help all of them."]
    return "\n".join(lines + ([] if family else ["", wrapped(CODES, "")]) + [""])


def _short_help() -> str:
    """Return what statera is for, in a few lines."""
    closing = "statera --help lists all verbs, and statera help VERB explains one."
    return "\n".join([wrapped(SENTENCE, ""), "", *_examples(), "", closing, ""])


def _examples() -> Iterable[str]:
    column = max(len(command) for command, _ in _EXAMPLES) + 2
    return (f"  {command:{column}}{meaning}" for command, meaning in _EXAMPLES)
