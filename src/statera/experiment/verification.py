"""``statera run --verify``: whether the largest differences of a finished run stand when they are measured anew.

The rows that changed, first those that got worse, or those that are named, run again: alone, on cores of their own,
with counters, and in builds at another path, whose length moves the program's data in memory. What comes from other
work, from layout or from chance does not come again.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from statera import _native
from statera.comparison.codes import CHANGES, GAINS, LOSSES
from statera.comparison.verdicts import Note
from statera.experiment import check, counters, looks
from statera.experiment.host import HERE, System
from statera.experiment.plan import Build, Cell, Plan, Rounds, key_of
from statera.support.errors import Stop
from statera.support.patterns import matcher, without_threads
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.plan import Plan
    from statera.reading.store.journal import Record

MOST: Final = 3
"""So many rows are verified, the worst first."""
# Group, benchmark, metric and contender of a row.
_Names = tuple[str, str, str, str]
# With so many rounds the signed-rank test has the power that a difference needs that a run of fewer has found.
_LEAST_ROUNDS: Final = 20


class Suspect(NamedTuple):
    """A row of the first run that is measured again."""

    program: str  # the plan's benchmark
    # group, benchmark, metric, contender: the row's names
    group: str
    benchmark: str
    metric: str
    contender: str
    change: str  # its typical change with the interval, as the table shows it
    verdict: str = "worse"  # the code of its verdict

    @property
    def name(self) -> str:
        """Name the row in a sentence."""
        return ", ".join(_native.printable(each) for each in (self.benchmark, self.contender, self.metric))


def suspects(comparison: Comparison, plan: Plan, most: int = MOST, only: Sequence[str] = ()) -> list[Suspect]:
    """Return the rows that changed: those that got worse first, those that got better last, the largest change first.

    There are ``most`` rows at most. ``only`` has patterns of names of benchmarks, or of whole rows (``sort, new,
    time``): all rows that they select, and also those without a change if none of them changed.

    Raises ``Stop`` if there are none.
    """
    weighing = comparison.weighing
    open_ones = [code for code in CHANGES if code not in {*LOSSES, *GAINS}]
    of = (LOSSES, open_ones, GAINS)
    ordered = (weighing.order(weighing.with_verdict([*codes]), "effect", changed=False) for codes in of)
    changed = _found(comparison, plan, [row for rows in ordered for row in rows])
    if not only:
        if not changed:
            raise Stop("nothing-to-verify", "no row of this run changed, so there is nothing to verify")
        return changed[:most]
    fits = matcher(only)

    def named(rows: Sequence[Suspect]) -> list[Suspect]:
        return [each for each in rows if any(map(fits, (each.benchmark, each.program, each.name)))]

    found = named(changed) or named(_found(comparison, plan, range(len(weighing))))
    if not found:
        names = listed(dict.fromkeys(each.benchmark for each in _found(comparison, plan, range(len(weighing)))))
        raise Stop("nothing-to-verify", f"--only {' '.join(only)}: fits no row of this run. Its benchmarks are {names}")
    return found


def _found(comparison: Comparison, plan: Plan, rows: Iterable[int]) -> list[Suspect]:
    """Return rows by their names; a row of no benchmark of the plan is left out."""
    weighing, programs, found = comparison.weighing, looks.programs(comparison), []
    for row in rows:
        fields = weighing.row_dict(row)
        group = comparison.arrangement.groups.index(fields["group"])
        names = programs[fields["benchmark"], group] & set(plan.benchmarks)
        change, verdict = _change(weighing, row), fields["verdict"]
        found += [Suspect(name, *_names(fields), change, verdict) for name in sorted(names)[:1]]
    return found


def _change(weighing: _native.Weighing, row: int) -> str:
    verdict = weighing.row_dict(row)["verdict"]
    columns = ("tail",) if verdict in {"tail-worse", "tail-better"} else ("change", "interval")
    change, *interval = weighing.cells(row, columns)
    # Exact values have one number, which is written once.
    exact = interval and (interval[0] or "").startswith(f"{change} (")
    return " ".join(cell for cell in (*([] if exact else [change]), *interval) if cell)


def notes(found: Sequence[Suspect], comparison: Comparison, counts: Comparison | None = None) -> list[Note]:
    """Say of each row of the first run whether its difference stands in the new one, and what its instructions did.

    ``counts`` are the counts of instructions of the new run, if there are any.
    """
    rows, counted = _rows(comparison), {} if counts is None else _rows(counts)
    return [_note(each, rows, counted) for each in found]


def _rows(comparison: Comparison) -> dict[_Names, tuple[str, str]]:
    """Return verdict and change of each row."""
    weighing = comparison.weighing
    rows = ((row, weighing.row_dict(row)) for row in range(len(weighing)))
    return {_names(fields): (fields["verdict"], _change(weighing, row)) for row, fields in rows}


def _names(fields: dict[str, Any]) -> _Names:
    return fields["group"], fields["benchmark"], fields["metric"], fields["contender"]


def _note(suspect: Suspect, rows: dict[_Names, tuple[str, str]], counted: dict[_Names, tuple[str, str]]) -> Note:
    names = _again_named((suspect.group, suspect.benchmark, suspect.metric, suspect.contender), rows)
    if names is None:
        return Note("verify-undecided", f"{suspect.name}: was {suspect.change}, and has no values in the new run")
    verdict, now = rows[names]
    end = f"(was {suspect.change}){_instructions(suspect, counted)}"
    kind = next((codes for codes in (LOSSES, GAINS) if suspect.verdict in codes), ())
    if verdict in kind:
        return Note("verify-stands", f"{suspect.name} stands: {now} again {end}")
    if not kind:
        was = "was not settled" if suspect.verdict in CHANGES else "had no clear change"
        return Note("verify-undecided", f"{suspect.name} {was}: {now} now {end}")
    if verdict in {"equivalent", *LOSSES, *GAINS}:
        return Note("verify-does-not-stand", f"{suspect.name} does not stand: {now} now {end}")
    return Note("verify-undecided", f"{suspect.name} shows no clear change: {now} now {end}")


def _again_named(names: _Names, rows: Collection[_Names]) -> _Names | None:
    """Return the names of a row in the new run, where Go has another number of threads because of the cores."""
    if names in rows:
        return names
    group, benchmark, *rest = names
    known = [each for each in rows if [*each[2:]] == rest and without_threads(each[1]) == without_threads(benchmark)]
    # The number of threads may also name the group.
    same = [each for each in known if each[0] == group] or known
    return same[0] if len(same) == 1 else None


def _instructions(suspect: Suspect, counted: dict[_Names, tuple[str, str]]) -> str:
    """Return what became of the instructions of a row, or of the program that printed its values."""
    for (_, benchmark, metric, contender), (_, change) in counted.items():
        if contender == suspect.contender and benchmark in {suspect.benchmark, suspect.program}:
            return f", {metric}: {change or 'unchanged'}"
    return ""


def again(plan: Plan, wanted: Sequence[Suspect], records: Iterable[Record], system: System = HERE) -> Plan:
    """Return the plan that measures rows of a first run anew.

    The records of that run tell how many rounds there were, and how many cores a command keeps busy.
    """
    known = list(records)
    benchmarks = tuple(name for name in plan.benchmarks if name in {each.program for each in wanted})
    contenders = {each.contender for each in wanted}
    variants = tuple(each for at, each in enumerate(plan.variants) if at == 0 or each.name in contenders)
    cells = [cell for cell in plan.cells if plan.benchmarks[cell.benchmark] in benchmarks]
    cells = [cell for cell in cells if plan.variants[cell.variant] in variants]
    builds, cells = _elsewhere(plan.builds, cells)
    rounds = max((each["round"] for each in known if each["kind"] == "round"), default=0)
    machine = plan.machine._replace(
        cpus=plan.machine.cpus or _cores(known, benchmarks, system),
        counters=plan.machine.counters or _counters(system, cells),
    )
    return plan._replace(
        variants=variants,
        benchmarks=benchmarks,
        cells=tuple(
            cell._replace(
                benchmark=benchmarks.index(plan.benchmarks[cell.benchmark]),
                variant=variants.index(plan.variants[cell.variant]),
                suite=None,
            )
            for cell in cells
        ),
        builds=builds,
        rounds=Rounds(number=max(rounds, _LEAST_ROUNDS)),
        order="random",
        warmup=max(plan.warmup, 1),
        # Another order, so that what the first one favoured is not favoured again.
        seed=int(key_of(f"order {plan.seed}"), 16) % (1 << 32),
        machine=machine,
        self_test=False,
    )


def _elsewhere(builds: Sequence[Build], cells: Iterable[Cell]) -> tuple[tuple[Build, ...], list[Cell]]:
    """Return the builds at other paths, whose length differs from that of the first by no multiple of an alignment.

    The cells that need them follow.
    """
    folders = [(build, folder) for build in builds for folder in (build.tree, build.folder) if folder]
    moves = {folder: str(Path(folder).parent / "verified" / _key(build)) for build, folder in folders}
    moved = (cast("Build", _moved(build, moves))._replace(key=_key(build)) for build in builds)
    return tuple(moved), [cast("Cell", _moved(cell, moves)) for cell in cells]


def _moved(value: object, moves: dict[str, str]) -> object:
    """Return a value in whose texts other folders take the place of some."""
    if isinstance(value, str):
        for old, new in moves.items():
            value = value.replace(old, new)
    if isinstance(value, tuple):
        moved: object = getattr(value, "_make", tuple)(_moved(each, moves) for each in value)
        return moved
    return value


def _key(build: Build) -> str:
    return key_of(f"verified {build.key}")


def _cores(records: Iterable[Record], benchmarks: Sequence[str], system: System) -> tuple[int, ...]:
    """Return as many cores as the busiest benchmark used: isolated ones, else the last, as the first serves devices."""
    busy: dict[tuple[str, str], list[float]] = {}
    for each in records:
        if each["kind"] == "invocation" and each["benchmark"] in benchmarks and each["time"] > 0:
            used = (each["user"] + each["system"]) / each["time"]
            busy.setdefault((each["benchmark"], each["variant"]), []).append(used)
    # A tenth of a core is its own start and end.
    number = max((ceil(median(shares) - 0.1) for shares in busy.values()), default=1) or 1
    isolated = system.isolated()
    if len(isolated) >= number:
        return isolated[-number:]
    allowed = system.allowed()
    return allowed[-number:] if len(allowed) > number else ()


def _counters(system: System, cells: Iterable[Cell]) -> tuple[str, ...]:
    found, _ = check.countable(("instructions",), system)
    with_callgrind = counters.NAME in found and not counters.counts_nothing(cells)
    return found if check.can_count(system) or with_callgrind else ()
