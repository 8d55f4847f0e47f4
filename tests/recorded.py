"""Folders of runs, written by statera's own store: no command runs, the values are made up by the test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.experiment import plan as planned
from statera.reading.store import run_folder
from statera.reading.store.run_folder import Manifest

if TYPE_CHECKING:
    from statera.reading.store.journal import FailureRecord, InvocationRecord

HOST = {"host": "bench1", "kernel": "Linux 6.1.0", "cpu": "Some CPU @ 3 GHz"}


class Invoked(NamedTuple):
    """An invocation of a test: its time, or what it printed, or why it failed."""

    round: int
    benchmark: str
    variant: str
    time: float = 1.0
    output: str | dict[str, str] | None = None
    failure: str | None = None
    more: dict[str, Any] | None = None


def plan(variants=("old", "new"), benchmarks=("work",), *, format=None, rounds=None, levels=None):
    """A plan; ``levels`` gives each variant its factors, ``format`` a format or one for each benchmark."""
    formats = format if isinstance(format, tuple) else (format,) * len(benchmarks)
    return planned.Plan(
        variants=tuple(
            planned.Variant(name, tuple((levels or {}).get(name, {"variant": name}).items())) for name in variants
        ),
        benchmarks=tuple(benchmarks),
        cells=tuple(
            planned.Cell(benchmark, variant, planned.Command(("program", name)), formats[benchmark])
            for benchmark in range(len(benchmarks))
            for variant, name in enumerate(variants)
        ),
        builds=(),
        rounds=rounds or planned.Rounds(number=4),
        order="random",
        warmup=0,
        seed=1,
        machine=planned.Machine(),
    )


def as_json(value):
    """A plan as JSON holds it."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return (
            [as_json(each) for each in value] if names is None else dict(zip(names, map(as_json, value), strict=True))
        )
    return value


def manifest(planned_run, *, host=None, sources=(), created="2026-11-22T10:00:00+00:00", number=1):
    return Manifest(
        id=f"{number:08x}{0:024x}",
        created=created,
        command=["statera", "run"],
        plan=as_json(planned_run),
        environment={"LANG": "C"},
        host=dict(HOST if host is None else host),
        tools={},
        sources=list(sources),
        policy={},
    )


def invocation(number, of, order=1, output=None) -> InvocationRecord:
    record: InvocationRecord = {
        "kind": "invocation",
        "number": number,
        "round": of.round,
        "order": order,
        "benchmark": of.benchmark,
        "variant": of.variant,
        "started": float(number),
        "time": of.time,
        "user": round(0.7 * of.time, 9),
        "system": round(0.2 * of.time, 9),
        "memory": 1_800_000,
        "minor_faults": 90,
        "major_faults": 0,
        "voluntary_switches": 1,
        "involuntary_switches": 2,
        "exit": 0,
    }
    if output is not None:
        record["output"] = output
    record.update(of.more or {})
    return record


def failure(number, of, order=1) -> FailureRecord:
    return {
        "kind": "failure",
        "number": number,
        "round": of.round,
        "order": order,
        "benchmark": of.benchmark,
        "variant": of.variant,
        "reason": of.failure,
        "message": f"{of.failure} 2",
    }


def begin() -> dict[str, Any]:
    return {"kind": "session", "started": "2026-11-22T10:00:00+00:00", "boot": "b0", "process": 1}


def end(rounds, reason="complete", missing=0) -> dict[str, Any]:
    return {"kind": "end", "reason": reason, "rounds": rounds, "missing": missing}


def round_end(number, *marks) -> dict[str, Any]:
    return {"kind": "round", "round": number, "seconds": 1.0, "machine": {"steal": 0.0}, "marks": list(marks)}


def look(number, at, share, benchmarks, undecided=()) -> dict[str, Any]:
    return {
        "kind": "look",
        "look": number,
        "round": at,
        "share": share,
        "benchmarks": list(benchmarks),
        "undecided": list(undecided),
        "hopeless": [],
    }


def record(folder, planned_run, steps, *, finished=True, **facts) -> Path:
    """Write the folder of a run: invocations are numbered in order, and other records stand as they are."""
    folder, number, places = Path(folder), 0, {}
    with run_folder.started(folder, manifest(planned_run, **facts)) as run:
        run.journal.append(begin())
        for step in steps:
            if not isinstance(step, Invoked):
                run.journal.append(step)
                continue
            number += 1
            key = (step.round, step.benchmark)
            places[key] = places.get(key, 0) + 1
            output = _printed(run.folder, number, step.output)
            made = failure if step.failure else invocation
            run.journal.append(made(number, step, places[key], *([] if step.failure else [output])))
        if finished:
            run.journal.append(end(max((step.round for step in steps if isinstance(step, Invoked)), default=0)))
    return folder


def _printed(folder, number, output):
    if output is None:
        return None
    name = folder.output(number, folder=isinstance(output, dict))
    path = folder.path / name
    if isinstance(output, dict):
        path.mkdir()
        for file, text in output.items():
            (path / file).write_text(text)
    else:
        path.write_text(output)
    return name


def timed(times, benchmark="work"):
    """Invocations of a benchmark, round by round: {variant: [seconds]}."""
    rounds = max(map(len, times.values()))
    return [
        Invoked(number + 1, benchmark, variant, values[number])
        for number in range(rounds)
        for variant, values in times.items()
        if number < len(values)
    ]
