"""``statera explain``: explain a code that an output shows, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import output
from statera.errors import Stop

if TYPE_CHECKING:
    import argparse


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "explain",
        help="explain a code that an output shows",
        description="Explain what a finding, a warning, an error or a column of the table means, and what to "
        "do about it. "
        "Without CODE, list all codes.",
    )
    parser.add_argument(
        "code", nargs="?", metavar="CODE", help="a code in square brackets in an output, or the name of a column"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain one code, or list all of them."""
    from statera.verdicts.catalogue import CATALOGUE  # noqa: PLC0415 - only here

    if options.code is None:
        width = max(map(len, CATALOGUE))
        output.write("".join(f"{code:{width}}  {entry.meaning}\n" for code, entry in CATALOGUE.items()), None)
        return 0
    code = "-".join(options.code.strip("[]:").lower().split())
    # The column says at which level its interval is.
    code = "interval" if code.endswith("%-interval") else code
    if code not in CATALOGUE:
        from difflib import get_close_matches  # noqa: PLC0415 - only here

        near = get_close_matches(code, CATALOGUE, n=3)
        did_you_mean = f"; did you mean {' or '.join(near)}?" if near else "; statera explain lists all"
        raise Stop("no-such-code", f"no code is named {options.code!r}{did_you_mean}")
    output.write(CATALOGUE[code].text(code) + "\n", None)
    return 0
