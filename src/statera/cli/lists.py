"""``statera formats``, ``explain`` and ``machine``: what statera knows of formats, codes and this machine, as lists."""

from __future__ import annotations

import re

from statera import _native
from statera.cli import arguments, output
from statera.cli.streams import write
from statera.comparison.verdicts.catalogue import ALIASES, CATALOGUE, entry
from statera.experiment.host import facts
from statera.output.views import formats as view
from statera.reading import formats as known
from statera.reading import observations, plug_ins
from statera.support.errors import Stop
from statera.support.files import csv_json, outputs
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import suggestion

if TYPE_CHECKING:
    import argparse


def formats(options: argparse.Namespace) -> None:
    """List the formats, or describe one."""
    if options.name is not None:
        if not known.is_known(options.name):
            raise observations.unknown_format(options.name)
        write(view.description(known.by_name()[options.name], known.package(options.name)))
        return
    every = list(known.every().values())
    write(view.listing(every, {each.name: known.package(each.name) for each in every}))
    for each in plug_ins.loaded().values():
        if each.failure:
            arguments.say(each.failure)


def explain(options: argparse.Namespace) -> None:
    """Explain one code, or list all of them."""
    columns = entry.meanings()
    if not options.code:
        meanings = {code: each.meaning for code, each in CATALOGUE.items()}
        meanings |= {name: found[0][1] for name, found in columns.items() if name not in CATALOGUE}
        width = max(map(len, CATALOGUE))
        write("".join(f"{code:{width}}  {meaning}\n" for code, meaning in meanings.items()))
        return
    # A column may name its level or its correction: `95% interval`, `p (corrected)`.
    asked = " ".join(options.code)
    named = entry.word(re.sub(r"^[\d.]+ ?%|\(.*\)$", "", asked.strip("[]:")))
    code = ALIASES.get(named, named)
    if code not in CATALOGUE and f"{code}s" in CATALOGUE:
        code += "s"  # The column `verdict` is explained with all verdicts.
    told = [CATALOGUE[code].text(code)] if code in CATALOGUE else [named]
    told += [entry.meanings_text(columns[named])] if named in columns else []
    if told == [named]:
        near = suggestion(code, [*CATALOGUE, *ALIASES, *columns], 3) or "; statera explain lists all"
        raise Stop("no-such-code", f"no code is named {asked!r}{near}")
    write("\n\n".join(told) + "\n")


def machine(options: argparse.Namespace) -> None:
    """Show the facts of this machine, or write them to a file."""
    output.check(options.output)
    # Which boot it is says nothing of a machine.
    found = {name: value for name, value in facts().items() if name != "boot"}
    if options.output is None:
        width = max(map(len, found))
        write("".join(f"{name:{width}}  {_native.printable(value)}\n" for name, value in found.items()))
        return
    outputs.write(options.output, csv_json.document({"machine": found}))
    arguments.say(f"statera: wrote {_native.printable(options.output)}")
