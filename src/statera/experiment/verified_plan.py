"""The plan that measures rows of a finished run anew: alone, on cores of their own, in builds at other paths."""

from __future__ import annotations

import hashlib
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.experiment import callgrind
from statera.experiment.check import rights
from statera.experiment.plan import Build, Cell, Command, Plan, Rounds
from statera.experiment.system import System, cores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.experiment.verify import Suspect
    from statera.reading.store.records import Record

# With so many rounds the signed-rank test has the power that a difference needs that a run of fewer has found.
_LEAST_ROUNDS: Final = 20
_DIGITS: Final = 16


def again(plan: Plan, wanted: Sequence[Suspect], records: Iterable[Record], system: System | None = None) -> Plan:
    """Return the plan that measures these rows anew.

    Args:
        plan: that of the first run.
        wanted: the rows.
        records: those of the first run; they tell how many rounds there were, and how many cores a command keeps busy.
        system: the machine.

    """
    system, known = system or System(), list(records)
    benchmarks = tuple(name for name in plan.benchmarks if name in {each.program for each in wanted})
    contenders = {each.contender for each in wanted}
    variants = tuple(each for at, each in enumerate(plan.variants) if at == 0 or each.name in contenders)
    cells = [cell for cell in plan.cells if plan.benchmarks[cell.benchmark] in benchmarks]
    cells = [cell for cell in cells if plan.variants[cell.variant] in variants]
    builds, moved = _elsewhere(plan.builds)
    rounds = max((each["round"] for each in known if each["kind"] == "round"), default=0)
    machine = plan.machine._replace(
        cpus=plan.machine.cpus or _cores(known, benchmarks, system), counters=plan.machine.counters or _counters(system)
    )
    return plan._replace(
        variants=variants,
        benchmarks=benchmarks,
        cells=tuple(
            moved.cell(cell)._replace(
                benchmark=benchmarks.index(plan.benchmarks[cell.benchmark]),
                variant=variants.index(plan.variants[cell.variant]),
            )
            for cell in cells
        ),
        builds=builds,
        rounds=Rounds(number=max(rounds, _LEAST_ROUNDS)),
        order="random",
        warmup=max(plan.warmup, 1),
        # Another order, so that what the first one favoured is not favoured again.
        seed=int(_digest(f"order {plan.seed}"), 16) % (1 << 32),
        machine=machine,
        self_test=False,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


class _Moved(NamedTuple):
    """Folders of builds, and those that take their place."""

    pairs: tuple[tuple[str, str], ...]

    def text(self, text: str) -> str:
        """Return a text with the new folders."""
        for old, new in self.pairs:
            text = text.replace(old, new)
        return text

    def command(self, command: Command) -> Command:
        """Return a command with the new folders."""
        return Command(
            tuple(map(self.text, command.arguments)),
            command.directory and self.text(command.directory),
            tuple((name, self.text(value)) for name, value in command.environment),
        )

    def cell(self, cell: Cell) -> Cell:
        """Return a cell with the new folders."""
        fields: dict[str, Any] = {
            name: self.command(value) for name, value in cell._asdict().items() if isinstance(value, Command)
        }
        return cell._replace(**fields, input=cell.input and self.text(cell.input), output=self.text(cell.output))

    def build(self, build: Build) -> Build:
        """Return a build with the new folders."""
        return build._replace(
            key=_key(build),
            tree=build.tree and self.text(build.tree),
            folder=self.text(build.folder),
            command=build.command and self.command(build.command),
        )


def _elsewhere(builds: Sequence[Build]) -> tuple[tuple[Build, ...], _Moved]:
    """Return the builds at other paths, whose length differs from that of the first by no multiple of an alignment."""
    folders = [(build, folder) for build in builds for folder in (build.tree, build.folder) if folder]
    moved = _Moved(tuple((folder, str(Path(folder).parent / "verified" / _key(build))) for build, folder in folders))
    return tuple(map(moved.build, builds)), moved


def _key(build: Build) -> str:
    return _digest(f"verified {build.key}")


def _cores(records: Iterable[Record], benchmarks: Sequence[str], system: System) -> tuple[int, ...]:
    """Return as many cores as the busiest benchmark used: isolated ones, else the last, as the first serves devices."""
    busy: dict[tuple[str, str], list[float]] = {}
    for each in records:
        if each["kind"] == "invocation" and each["benchmark"] in benchmarks and each["time"] > 0:
            used = (each["user"] + each["system"]) / each["time"]
            busy.setdefault((each["benchmark"], each["variant"]), []).append(used)
    # A tenth of a core is its own start and end.
    number = max((ceil(median(shares) - 0.1) for shares in busy.values()), default=1) or 1
    isolated = cores(system.text("sys/devices/system/cpu/isolated") or "")
    if len(isolated) >= number:
        return isolated[-number:]
    allowed = system.allowed()
    return allowed[-number:] if len(allowed) > number else ()


def _counters(system: System) -> tuple[str, ...]:
    if rights.counters(system).harms is False:
        return ("instructions",)
    return () if callgrind.missing() else (callgrind.NAME,)
