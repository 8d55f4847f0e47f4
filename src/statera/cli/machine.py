"""``statera machine``: what identifies a machine, for results that do not say it."""

from __future__ import annotations

from statera import _native
from statera.cli import arguments, output
from statera.cli.streams import write
from statera.experiment.host import facts
from statera.support.files import csv_json, outputs
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def machine(options: argparse.Namespace) -> int:
    """Show the facts of this machine, or write them to a file."""
    output.check(options.output)
    # Which boot it is says nothing of a machine.
    found = {name: value for name, value in facts().items() if name != "boot"}
    if options.output is None:
        width = max(map(len, found))
        write("".join(f"{name:{width}}  {_native.printable(value)}\n" for name, value in found.items()))
        return 0
    outputs.write(options.output, csv_json.document({"machine": found}))
    arguments.say(f"statera: wrote {_native.printable(options.output)}")
    return 0
