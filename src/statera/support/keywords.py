"""Messages of the command line in the words of the library: its parameters in place of the options."""

from __future__ import annotations

import re
import shlex
from typing import Final

# The parameter of each option, where its name is another.
_PARAMETERS: Final = {
    "--benchmark": "benchmarks",
    "--metric": "metrics",
    "--unit": "units",
    "--factor": "factors",
    "--variants": "manifest",
    "--name-pattern": "name_patterns",
    "--column": "columns",
    "--all-metrics": "all_metrics",
    "--cost-run": "cost_run",
    "--cost-iteration": "cost_iteration",
    "--unpaired": 'pair="unpaired"',
    "--correction": "the policy's correction",
    "--better": "the policy's directions",
    "--limit": "limits",
    **{
        f"--{name}": name
        for name in (
            "by", "where", "pool", "within", "pair", "pairs", "baseline", "rename", "quantiles", "apart", "format",
            "alpha", "machine", "margin", "aa", "splits",
        )
    },
}  # fmt: skip
# A command, which keeps its options, or an option.
_OPTION: Final = re.compile(r"`[^`]*`|\bstatera [a-z](?:(?!\. )[^;`])*|(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w-])")
_FORMAT: Final = re.compile(r"--format ([a-z][a-z0-9-]*)")
_WORD: Final = r"(?:'[^']*'|[^\s'])+"
_COLUMNS: Final = re.compile(rf"--column {_WORD}(?: --column {_WORD})*")


def in_keywords(message: str) -> str:
    """Name the parameters of the library where a message names options; the words of a command stay."""
    return "\n".join(map(_of_line, message.split("\n")))


def _of_line(line: str) -> str:
    # What another program is to be told has the options of that program.
    line, export, rest = line.partition("Export them with: ")
    if not line.lstrip().startswith("statera "):
        line = _COLUMNS.sub(_columns, line)
    line = _FORMAT.sub(r'format="\1"', line)
    return _OPTION.sub(lambda option: _PARAMETERS.get(option[0], option[0]), line) + export + rest


def _columns(options: re.Match[str]) -> str:
    """Write options that name columns as the dictionary that the library takes."""
    text = options[0].rstrip(",;.")
    try:
        words = shlex.split(text)
    except ValueError:
        return options[0]
    roles: dict[str, list[str]] = {}
    for word in words:
        role, equals, name = word.partition("=")
        if equals:
            roles.setdefault(role, []).append(name)
    named = {role: names[0] if len(names) == 1 else names for role, names in roles.items()}
    return f"columns={named!r}{options[0][len(text) :]}"
