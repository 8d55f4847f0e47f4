"""Lines to files, with the faults that befall files, and the count of what was written."""

from __future__ import annotations

import gzip
import random
from collections import Counter
from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from pathlib import Path

    from .host import Host
    from .settings import Settings

NOISE = ("Listening on http://127.0.0.1:12798", "12345", 'node-x | {"at": 1}', "[]", "\tat Foo.hs:12")
BROKEN = ('{"broken": ', '{"at":"2025-02-14T18:41:00Z","ns":"Forge.Loop.NodeNotLeader","data":{"slot":NaN}}', "{]")
OTHER = ('{"msg":"no namespace"}', '{"at":"not a time","ns":"Forge.Loop.NodeNotLeader","data":{"slot":1}}', "{}")
TRUNCATED = 0.8


def write_host(run: Path, settings: Settings, host: Host) -> Counter:
    """Write the logs of a host; give how many lines are of which class."""
    draw = random.Random(f"{settings.seed}/{host.number}/files")
    ending = settings.compression[host.number % len(settings.compression)]
    truth: Counter = Counter()
    folder = run / host.name
    folder.mkdir(parents=True)
    share = -(-settings.slots // settings.files)
    silent = settings.hosts - host.number <= settings.silent
    slots = iter([]) if silent else host.slots()
    for number in range(settings.files):
        path = folder / f"{host.name}-{number:02d}.json{ending}"
        last = number + 1 == settings.files
        with opened(path, ending) as file:
            _write_file(file, settings, draw, slots, share=None if last else share, truth=truth)
            if last and host.number < settings.cut:
                truth["lines"] += 1
                truth["cut"] += 1
                file.write(b'{"at":"2025-02-14T19:14:20.484600586Z","ns":["Forge","Loop","Sta')
    if ending and host.number < settings.truncated:
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * TRUNCATED)])
    return truth


def opened(path: Path, ending: str):
    if ending == ".gz":
        return gzip.open(path, "wb", compresslevel=1)
    if ending == ".zst":
        return pa.CompressedOutputStream(str(path), "zstd")
    return path.open("wb")


def _write_file(file, settings: Settings, draw: random.Random, slots, *, share: int | None, truth: Counter) -> None:
    faults = (("noise", settings.noise, NOISE), ("broken", settings.broken, BROKEN), ("other", settings.other, OTHER))
    clean = not any(rate for _, rate, _ in faults) and not settings.duplicates and not settings.disorder
    for count, told in enumerate(slots, start=1):
        lines = told if clean else _spoilt(told, settings, draw, faults, truth)
        truth["lines"] += len(lines)
        for line in lines:
            truth["mempool"] += "ddedTx" in line
            truth["falling"] += '"risingEdge":false' in line
        file.write(("\n".join(lines) + "\n").encode())
        if count == share:
            return


def _spoilt(lines, settings: Settings, draw: random.Random, faults, truth: Counter) -> list[str]:
    spoilt = []
    for line in lines:
        for name, rate, texts in faults:
            if rate and draw.random() < rate:
                spoilt.append(draw.choice(texts))
                truth[name] += 1
        spoilt.append(line)
        if settings.duplicates and draw.random() < settings.duplicates:
            spoilt.append(line)
        if settings.disorder and draw.random() < settings.disorder:
            draw.shuffle(spoilt)
    return spoilt
