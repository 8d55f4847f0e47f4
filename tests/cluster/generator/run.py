"""A whole run, several hosts at a time."""

from __future__ import annotations

import json
import os
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from .chain import blocks
from .files import write_host
from .host import Host

if TYPE_CHECKING:
    from pathlib import Path

    from .settings import Settings


def generate(run: Path, settings: Settings, processes: int | None = None) -> dict[str, dict[str, int]]:
    """Write a run; give, for each host, how many lines are of which class (also in truth.json)."""
    run.mkdir(parents=True)
    numbers = range(settings.hosts - settings.missing)
    if processes == 1:
        counts = [_host(run, settings, number) for number in numbers]
    else:
        with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
            counts = list(pool.map(_host, [run] * len(numbers), [settings] * len(numbers), numbers))
    truth = {f"node-{number}": count for number, count in zip(numbers, counts, strict=True)}
    (run / "run.json").write_text(json.dumps(_description(settings), indent=1))
    (run / "truth.json").write_text(json.dumps(truth, indent=1))
    return truth


def _host(run: Path, settings: Settings, number: int) -> dict[str, int]:
    truth = write_host(run, settings, Host(settings, number, blocks(settings)))
    classes = {key: truth[key] for key in ("lines", "noise", "broken", "cut", "other")}
    emitted = truth["lines"] - sum(truth[key] for key in ("noise", "broken", "cut", "other"))
    analysed = emitted - truth["mempool"] - truth["falling"]
    return classes | {"emitted": emitted, "analysed": analysed, "skipped": truth["falling"]}


def _description(settings: Settings) -> dict[str, object]:
    return {
        "format": "statera-run/1", "identifier": f"generated-{settings.seed}", "batch": "generated",
        "profile": "generated", "era": "conway", "systemStart": settings.system_start, "slotLength": 1,
        "epochLength": settings.epoch_length, "securityParam": 10, "activeSlotsCoeff": settings.block_rate,
        "maxBlockBodySize": 90112, "hosts": [f"node-{number}" for number in range(settings.hosts)],
    }  # fmt: skip
