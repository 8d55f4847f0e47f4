"""The reference of the command line, from the tables of verbs and options: a page of the docs, and a man page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cli.families import CODES, SENTENCE
from statera.cli.options import FLAG, OPTIONS, SET
from statera.cli.parser import said, usage
from statera.cli.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.cli.options import Option

_HEAD: Final = """# Reference: verbs and options

`make schema` writes this page from the tables that the program itself reads (`src/statera/cli/verbs.py`, `options.py`).
`statera VERB -h` shows the main options of a verb, `statera help VERB` all of them, `statera --version` the version,
and `make man` the same as a manual. An option means something to the verbs beside it; every other verb refuses it.

## Verbs

| verb | does |
| --- | --- |
"""


def page() -> str:
    """Give the page: the verbs, then the options in groups, each with the verbs that take it."""
    verbs = "".join(f"| `{usage(verb)}` | {_markdown(verb.help)} |\n" for verb in VERBS if verb.run)
    return f"{_HEAD}{verbs}\n{CODES}\n{''.join(map(_group, _groups()))}"


def _groups() -> list[str]:
    return list(dict.fromkeys(option.group for option in OPTIONS.values()))


def _of_group(group: str) -> Iterator[tuple[Option, list[str]]]:
    """Give the options of a group, each with the verbs that take it."""
    for key, option in OPTIONS.items():
        if option.group == group:
            yield option, _briefly([verb.name for verb in VERBS if key in verb.keys])


def _briefly(names: list[str]) -> list[str]:
    """Name a family of verbs in place of all of its verbs."""
    for family in (verb.name for verb in VERBS if not verb.run):
        own = [verb.name for verb in VERBS if verb.run and verb.name.startswith(f"{family} ")]
        if len(own) > 1 and set(own) <= set(names):
            at = names.index(own[0])
            names = [*names[:at], f"all of {family}", *(name for name in names[at:] if name not in own)]
    return names


def _group(group: str) -> str:
    title = f"{group[:1].upper()}{group[1:]}" if group else "Arguments"
    lines = ["", f"## {title}", "", "| option | means | verbs |", "| --- | --- | --- |"]
    for option, verbs in _of_group(group):
        lines.append(f"| `{_named(option)}` | {_meaning(option)} | {', '.join(verbs)} |")
    return "\n".join([*lines, ""])


def _named(option: Option) -> str:
    value = f" {option.value}" if option.value and option.kind not in {FLAG, SET} else ""
    return (option.value or option.dest.upper()) if option.is_argument else ", ".join(option.flags.split()) + value


def _meaning(option: Option) -> str:
    choices = option.choices if isinstance(option.choices, tuple) else ()
    told = f": {', '.join(choices)}" if choices and not all(choice in said(option) for choice in choices) else ""
    setting = f"; in the settings file `{option.setting}`" if option.setting else ""
    return _markdown(said(option) + told) + setting


def _markdown(text: str) -> str:
    for sign in "\\*_<>|[]{}":
        text = text.replace(sign, f"\\{sign}")
    return text


def man() -> str:
    """Give the manual in the macros of man."""
    lines = [
        '.TH STATERA 1 "" "" "statera"',
        ".SH NAME",
        "statera \\- weigh one build of a program against another",
        ".SH SYNOPSIS",
        ".B statera",
        "VERB [options]",
        ".SH DESCRIPTION",
        _roff(SENTENCE),
        ".SH VERBS",
    ]
    for verb in VERBS:
        if verb.run:
            lines += [".TP", f".B {_roff(usage(verb))}", _roff(verb.sentence)]
    for group in _groups():
        lines += [f".SH {_roff(group.upper() or 'ARGUMENTS')}"]
        for option, verbs in _of_group(group):
            lines += [".TP", f".B {_roff(_named(option))}", _roff(said(option)), f"({', '.join(verbs)})"]
    examples = [line for verb in VERBS for each in verb.examples for line in (".PP", ".nf", _roff(each), ".fi")]
    return "\n".join([*lines, ".SH EXAMPLES", *examples, ".SH EXIT STATUS", _roff(CODES), ""])


def _roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "\\[u2026]")
    return f"\\&{escaped}" if escaped[:1] in {".", "'"} else escaped
