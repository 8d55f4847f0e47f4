"""The commands of an experiment file: words, or a text for a shell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from statera.experiment.placeholders import literal, names, template, templates
from statera.experiment.plan import Command

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from statera.experiment.document import Table
    from statera.experiment.placeholders import Value

SHELL: Final = "/bin/sh"


def command(
    table: Table,
    key: str,
    directory: str,
    values: Mapping[str, Value],
    *,
    later: Collection[str] = (),
    dropped: Collection[str] = (),
) -> Command:
    """Return the command of a key of a table, with the table's ``env``.

    Placeholders of a shell's text are variables (``$rev``): a value can never become part of the program.

    Args:
        table: the table.
        key: the key of the command.
        directory: where it runs.
        values: what placeholders stand for.
        later: placeholders that stay.
        dropped: a variable of ``env`` that names one of these placeholders is left out.

    Raises:
        Stop: a placeholder is wrong.

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
