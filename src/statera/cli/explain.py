"""``statera explain``: explain a code that an output shows, and what to do about it."""

from __future__ import annotations

import re

from statera.cli import output
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import suggestion

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "explain",
        help="explain a code or a column of an output",
        description="Explain a code or a column of an output: what it means, why it is there, and what to do. Without "
        "CODE, list them all.",
    )
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code in square brackets, as an output shows it, or a column's name"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain one code, or list all of them."""
    from statera.comparison.verdicts.catalogue import CATALOGUE, entry  # noqa: PLC0415 - only here

    columns = entry.meanings()
    if options.code is None:
        meanings = {code: each.meaning for code, each in CATALOGUE.items()}
        meanings |= {name: found[0][1] for name, found in columns.items() if name not in CATALOGUE}
        width = max(map(len, CATALOGUE))
        output.write("".join(f"{code:{width}}  {meaning}\n" for code, meaning in meanings.items()), None)
        return 0
    # A column may name its level or its correction: `95% interval`, `p (corrected)`.
    code = entry.word(re.sub(r"^[\d.]+%|\(.*\)$", "", options.code.strip("[]:")))
    named = code
    if code not in CATALOGUE and f"{code}s" in CATALOGUE:
        code += "s"  # The column `verdict` is explained with all verdicts.
    told = [CATALOGUE[code].text(code)] if code in CATALOGUE else [named]
    told += [entry.meanings_text(columns[named])] if named in columns else []
    if told == [named]:
        near = suggestion(code, [*CATALOGUE, *columns], 3) or "; statera explain lists all"
        raise Stop("no-such-code", f"no code is named {options.code!r}{near}")
    output.write("\n\n".join(told) + "\n", None)
    return 0
