"""An experiment file as a plan."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from statera.experiment import commands, variants
from statera.experiment.document import load
from statera.experiment.durations import parse_duration
from statera.experiment.pinning import pinned
from statera.experiment.placeholders import LATER, filled
from statera.experiment.plan import Cell, Machine, Plan, Rounds
from statera.experiment.planned_builds import PlannedBuilds
from statera.experiment.rounds import parse_rounds, with_looks
from statera.support.errors import Stop
from statera.support.files.sizes import parse_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statera.experiment.document import Document, Table
    from statera.experiment.plan import Command, Order
    from statera.experiment.variants import Levels

_AROUND: Final = ("setup", "prepare", "conclude", "cleanup")
_SEEDS: Final = 1 << 32
_REPEATED: Final = ("command", "prepare", "conclude")


def planned(
    path: str | Path,
    options: Mapping[str, object] | None = None,
    levels: Mapping[str, Sequence[str]] | None = None,
) -> Plan:
    """Return the plan of an experiment file. Revisions are looked up, and nothing is built or run.

    Args:
        path: the file.
        options: values of keys that stand outside of tables, such as ``{"rounds": 20}``; they replace those of the
            file, and None stands for an option that was not given.
        levels: levels of factors that replace those of the file.

    Raises:
        Stop: the file cannot be used; the text names the line and the remedy.

    """
    given = {name: value for name, value in (options or {}).items() if value is not None}
    document = load(Path(path), given, levels or {})
    content = document.content
    found = variants.variants_of(document)
    builds = PlannedBuilds(document)
    of_variant = [builds.number(levels) for _, levels in found]
    names = _names(document)
    cells = [
        _cell(document, (benchmark, variant), {**levels, **builds.paths(of_variant[variant])}, of_variant[variant])
        for benchmark in range(len(names))
        for variant, (_, levels) in enumerate(found)
    ]
    return Plan(
        variants=tuple(variant for variant, _ in found),
        benchmarks=names,
        cells=tuple(cells),
        builds=tuple(builds.all),
        rounds=_rounds(content),
        order=cast("Order", content.get("order", "random")),
        warmup=content.get("warmup", 0),
        seed=content["seed"] if "seed" in content else secrets.randbelow(_SEEDS),
        machine=_machine(document),
    )


def _names(document: Document) -> tuple[str, ...]:
    names = [table["name"] for table in document.content["benchmark"]]
    for number, name in enumerate(names):
        if name in names[:number]:
            document.refuse(("benchmark", number, "name"), f"two benchmarks are named {name!r}; rename one")
    return tuple(names)


def _cell(document: Document, at: tuple[int, int], values: Levels, build: int | None) -> Cell:
    benchmark, variant = at
    table = document.table("benchmark", benchmark)
    content = table.content

    def path(key: str, otherwise: str = "") -> str:
        with table.at(key):
            return os.path.normpath(document.folder / filled(content.get(key, otherwise), values))

    def command(key: str) -> Command:
        if key in _REPEATED:
            return commands.command(table, key, directory, values, later=LATER)
        return commands.command(table, key, directory, values, dropped=LATER)

    directory = path("directory", ".")
    return Cell(
        benchmark=benchmark,
        variant=variant,
        command=command("command"),
        format=content.get("format"),
        input=path("input") if "input" in content else None,
        output=_output(table) or path("output"),
        build=build,
        **{key: command(key) for key in _AROUND if key in content},
    )


def _output(table: Table) -> str:
    """Return what becomes of standard output; nothing if it goes to a file."""
    has_format = "format" in table.content
    output: str = table.content.get("output", "capture" if has_format else "discard")
    if has_format and output != "capture":
        table.refuse("output", "with format the output is always kept; leave output out")
    return output if output in {"discard", "capture"} else ""


def _rounds(content: dict[str, Any]) -> Rounds:
    rounds = with_looks(parse_rounds(content.get("rounds", "until decided")) or Rounds())
    return rounds._replace(seconds=_seconds(content.get("max_time")))


def _machine(document: Document) -> Machine:
    content = document.content
    memory, accepted = content.get("memory"), content.get("accept_failures", False)
    return Machine(
        cpus=_cores(document),
        nice=content.get("nice"),
        memory=parse_size(memory) if isinstance(memory, str) else memory,
        timeout=_seconds(content.get("timeout")),
        counters=tuple(dict.fromkeys(content.get("counters", ()))),
        cool=_seconds(content.get("cool")) or 0.0,
        accept_failures=bool(accepted),
        accepted_codes=tuple(accepted) if isinstance(accepted, list) else (),
    )


def _cores(document: Document) -> tuple[int, ...]:
    stated = document.content.get("pin")
    if stated is None:
        return ()
    try:
        return pinned(stated if isinstance(stated, str) else ",".join(map(str, stated)))
    except Stop as stop:
        document.refuse(("pin",), str(stop).removeprefix("--"))


def _seconds(stated: object) -> float | None:
    return None if stated is None else parse_duration(str(stated))
