"""``statera run --verify``: the worst rows of a finished run are measured anew."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from statera.cli import options as shared
from statera.cli import output
from statera.cli.run import results
from statera.support.errors import Stop
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    import argparse

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts import Note
    from statera.comparison.verdicts.gate import Gate
    from statera.experiment.plan import Plan
    from statera.experiment.verification import Suspect
    from statera.reading.store.journal import Record
    from statera.support.settings.file import Settings


def verify(options: argparse.Namespace, gate: Gate | None) -> int:
    """Measure the worst rows of a run again, in a folder of its own, and say whether their differences stand."""
    from statera.comparison import pipeline  # noqa: PLC0415 - --help does without
    from statera.experiment import run, verification  # noqa: PLC0415
    from statera.experiment.verification import again  # noqa: PLC0415

    plan, settings, records = _finished(Path(options.verify))
    found = verification.suspects(pipeline.compare([options.verify], settings=settings), plan)
    other = again(plan, found, records)
    path = run.default_folder() if options.folder is None else output.folder(options.folder)
    _say(found, other, path)
    with results.resumable(path):
        ran = run.begin(other, path, ["statera", *sys.argv[1:]], settings)

    def said(comparison: Comparison) -> list[Note]:
        return verification.notes(found, comparison, _counts(path, settings))

    return results.shown(options, ran, gate, said)


def _finished(path: Path) -> tuple[Plan, Settings, list[Record]]:
    from statera.experiment import run  # noqa: PLC0415 - as above
    from statera.reading.store import manifest as manifests  # noqa: PLC0415
    from statera.reading.store import run_folder  # noqa: PLC0415

    manifest = manifests.read(path / manifests.NAME)
    records = run_folder.replay(path)
    if not records or records[-1]["kind"] != "end":
        raise Stop("run-unfinished", f"{path}: this run has not ended; continue it with: statera run --resume {path}")
    return run.plan_of(manifest, path), run.settings_of(manifest, path), records


def _say(found: list[Suspect], plan: Plan, path: Path) -> None:
    names = listed((each.name for each in found), between="; ")
    shared.say(f"statera: {counted(len(found), 'row')} measured again ({names}), in {os.fspath(path)}")
    if not plan.builds:
        shared.say("statera: this experiment builds nothing, so the same programs run again")


def _counts(path: Path, settings: Settings) -> Comparison | None:
    """Return the comparison of the instructions alone; None if none were counted."""
    from statera.comparison import pairing, pipeline  # noqa: PLC0415 - as above

    try:
        return pipeline.compare([path], pairing.Request(metrics=("instructions*",)), settings)
    except Stop:
        return None
