"""The end of a run: what it decided, what is missing, and the exit code."""

from __future__ import annotations

import argparse
import os
import shlex
from contextlib import contextmanager
from typing import TYPE_CHECKING

from statera.cli import gating, output
from statera.cli import options as shared
from statera.cli.run import planning
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.verdicts import Note
    from statera.comparison.verdicts.gate import Gate
    from statera.experiment.run import Ran


@contextmanager
def resumable(path: Path) -> Iterator[None]:
    """Say how to continue a run that ends early, by an interruption for instance."""
    from statera.reading.store import run_folder  # noqa: PLC0415 - --help does without

    try:
        yield
    except BaseException as error:
        # What another process runs, or ran there, is not this run.
        others = getattr(error, "code", None) in {"in-use", "folder-has-content"}
        if not others and run_folder.is_run(path) and not _is_finished(path):
            shared.say(f"statera: continue this run with: statera run --resume {shlex.quote(str(path))}")
        raise


def _is_finished(path: Path) -> bool:
    from statera.reading.store import run_folder  # noqa: PLC0415 - as above

    try:
        records = run_folder.replay(path)
    except Stop:
        return True
    return bool(records) and records[-1]["kind"] == "end"


def shown(
    options: argparse.Namespace,
    ran: Ran,
    gate: Gate | None,
    more: Callable[[Comparison], list[Note]] = lambda _: [],
) -> int:
    """Write the comparison, or the inspection of a single variant, and return the exit code.

    ``more`` are further notes on the comparison.

    0: done. 1: the gate holds. 2: a planned sample is missing.
    """
    from statera.experiment import progress  # noqa: PLC0415 - as above

    shared.say(f"statera: {progress.heading(ran.plan, ran.course)}")
    missing = progress.missing(ran.course)
    for line in missing:
        shared.say(f"statera: {line}{_how_to_see(options)} [missing-samples]")
    if options.export_json is not None:
        from statera.experiment import export  # noqa: PLC0415 - only where it is asked for
        from statera.reading.store import run_folder  # noqa: PLC0415

        output.write(export.text(ran.plan, run_folder.replay(ran.path)), options.export_json, "json")
    _need_values(ran)
    code = _compared(options, ran, gate, more) if len(ran.plan.variants) > 1 else _inspected(options, ran)
    return 2 if missing else code


def _how_to_see(options: argparse.Namespace) -> str:
    """Say how to see why commands of the command line fail; a file, and a format, keep what they print."""
    kept = not options.commands or planning.is_file(options.commands) or options.format or "inherit" in options.output
    return "" if kept else "; --output inherit shows what the commands print"


def _need_values(ran: Ran) -> None:
    """Refuse to compare with nothing; why the invocations failed was said when they did."""
    plan, samples = ran.plan, ran.course.samples
    baseline = plan.variants[0].name
    if not any(samples[benchmark, baseline] for benchmark in plan.benchmarks):
        done = "inspect" if len(plan.variants) == 1 else "compare with"
        raise Stop("nothing-to-compare", f"no invocation of {baseline!r} gave a sample: there is nothing to {done}")


def _of_a_run(result: Comparison | Inspection, ran: Ran, verb: str) -> list[Note]:
    """Let the notes name what shows more of a run: ``statera run`` itself does not take these options."""
    from statera.comparison.verdicts.notes import INCLUDES  # noqa: PLC0415 - as above

    shows = f"statera {verb} {shlex.quote(os.fspath(ran.path))} --all-metrics shows them"
    counts = [name for name in result.arrangement.unused_metrics if name in ran.plan.machine.counters]
    if counts:
        shows += f", and {' '.join(f'--metric {shlex.quote(name)}' for name in counts)} the counts alone"
    return [note._replace(text=note.text.replace(INCLUDES, shows)) for note in result.notes]


def _compared(
    options: argparse.Namespace, ran: Ran, gate: Gate | None, more: Callable[[Comparison], list[Note]]
) -> int:
    from statera.cli import compare  # noqa: PLC0415
    from statera.comparison import pipeline  # noqa: PLC0415 - as above
    from statera.experiment import drift, self_test  # noqa: PLC0415

    comparison = pipeline.compare([os.fspath(ran.path)], settings=ran.settings)
    comparison.notes = _of_a_run(comparison, ran, "compare")
    comparison.notes += self_test.notes(comparison, ran.plan)
    comparison.notes += more(comparison)
    comparison.notes += drift.notes(pipeline.inspect([os.fspath(ran.path)], settings=ran.settings), ran.plan.order)
    shape = view(options)
    kind = output.kind(shape)
    code, words = gating.examined(comparison, gate)
    gating.written(compare.shown(comparison, kind, shape), shape, kind, ran.settings, words)
    return code


def _inspected(options: argparse.Namespace, ran: Ran) -> int:
    from statera.cli import inspect  # noqa: PLC0415
    from statera.comparison import pipeline  # noqa: PLC0415 - as above

    inspection = pipeline.inspect([os.fspath(ran.path)], settings=ran.settings)
    inspection.notes = _of_a_run(inspection, ran, "inspect")
    shape = view(options)
    kind = output.kind(shape)
    shape.sort = "defects"
    output.write(inspect.shown(inspection, kind, shape), None, kind)
    return 0


def view(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options of the view: here ``--output`` says where the commands print to."""
    return argparse.Namespace(**{**vars(options), "output": None, "raw_csv": False, "changed": False, "propose": False})
