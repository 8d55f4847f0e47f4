"""Simulate builds that were measured in one session each, and compare them with and without the allowance for sessions.

Each benchmark of a session shares a factor over its runs, which its runs cannot show.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from calibration_tables import Cells, Share, markdown, repetitions

import statera
from statera import Policy

TABLE = "sessions"
SESSIONS, NOISES, ALLOWED, CHANGES = (0.0, 0.002, 0.005, 0.01), (0.005, 0.01), (0.0, 0.005, 0.01), (0.03, 0.05)
_ROWS, _RUNS = 20, 10


def simulated(count: int) -> Cells:
    """Count the false verdicts of unchanged benchmarks, and the changes of one of twenty that are found."""
    chance = np.random.default_rng(20_260_101)
    cells: Cells = {}
    with tempfile.TemporaryDirectory() as folder:
        for session in SESSIONS:
            for noise in NOISES:
                row = f"{100 * session:g} %, {100 * noise:g} %"
                for what in ("unchanged", *CHANGES):
                    suites = [_suite(chance, session, noise, what) for _ in range(max(10, count // 10))]
                    for allowed in ALLOWED:
                        cells[TABLE, row, f"{100 * allowed:g} %", str(what)] = _counted(folder, suites, what, allowed)
    return cells


def _suite(chance: np.random.Generator, session: float, noise: float, what: str | float) -> list[np.ndarray]:
    sides = []
    for side in (0, 1):
        factors = session * chance.standard_normal((_ROWS, 1))
        logs = factors + noise * chance.standard_normal((_ROWS, _RUNS))
        if side and not isinstance(what, str):
            logs[0] += np.log1p(what)
        sides.append(np.exp(logs))
    return sides


def _counted(folder: str, suites: list[list[np.ndarray]], what: str | float, allowed: float) -> Share:
    count = of = 0
    for sides in suites:
        paths = []
        for name, values in zip(("old.csv", "new.csv"), sides, strict=True):
            lines = [f"B{place},{value:.8f}" for place, row in enumerate(values) for value in row]
            paths.append(Path(folder, name))
            paths[-1].write_text("\n".join(["benchmark,time_s", *lines, ""]))
        rows = statera.compare(*paths, policy=Policy(session=allowed))
        asked = list(rows) if isinstance(what, str) else [row for row in rows if row.benchmark == "B0"]
        count += sum(row.verdict in ({"better", "worse"} if isinstance(what, str) else {"worse"}) for row in asked)
        of += len(asked)
    return Share(count, of)


def table(cells: Cells) -> list[str]:
    """Write what is called without and with the allowance."""
    rows = list(dict.fromkeys(row for name, row, _, _ in cells if name == TABLE))
    allowed = [f"{100 * each:g} %" for each in ALLOWED]
    counted = {"unchanged": "called", **{str(each): f"+{100 * each:g} % found" for each in CHANGES}}
    words = [f"{words}, allowed {each}" for words in counted.values() for each in allowed]
    head = ["%, sd of a session and of a run", *words]
    body = [[row, *(cells[TABLE, row, each, what].percent for what in counted for each in allowed)] for row in rows]
    return [*markdown(head, body), *repetitions(cells, TABLE, 0.5)]
