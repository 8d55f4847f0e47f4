"""Lines, sound and spoilt, against the specification in plain Python."""

import os
import random
from collections import Counter

import oracle
from generator.chain import blocks
from generator.host import Host
from generator.settings import Settings
from test_read import read_run, rows, small_run

# STATERA_EXAMPLES=20000 searches further.
ROUNDS = int(os.environ.get("STATERA_EXAMPLES", "300"))
SPLICES = [
    *(b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b" ", b"\t", b"\r", b"\x00", b"\xff", b"\xc3\xa9", b"0", b"-1"),
    *(
        b"1e5",
        b"1.0",
        b"true",
        b"false",
        b"null",
        b"NaN",
        b'{"unSlotNo":3}',
        b'{"unBlockNo":4}',
        b'"risingEdge":false,',
    ),
    *(
        b'"rollBackTo":1,',
        b'"kind":"TraceNodeIsLeader",',
        b'"val":{"kind":"x"},',
        b"Cardano.Node.",
        b"\\u0061",
        b"\\ud800",
    ),
    *(b" +01:00", b"Z", b"UTC", b":60", b'["Forge","Loop","LedgerView"]', b"9223372036854775808", b'"length":3,', b"A"),
]


def sound_lines():
    settings = Settings(hosts=4, slots=60, tracing=("new", "array", "legacy", "mixed"), block_rate=0.4, battles=0.3)
    chain = blocks(settings)
    hosts = [Host(settings, number, chain) for number in range(4)]
    return [line.encode() for host in hosts for slot in host.slots() for line in slot]


def spoilt(draw, line):
    for _ in range(draw.choice((0, 1, 1, 1, 2, 4))):
        start = draw.randrange(len(line) + 1)
        end = min(len(line), start + draw.choice((0, 0, 1, 2, 7)))
        line = line[:start] + draw.choice(SPLICES) + line[end:]
    return line[: draw.randrange(len(line) + 1)] if draw.random() < 0.02 else line


def expected(content):
    counts, events = Counter(), []
    lines = content.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip(b" \t\r\x0b\x0c"):
            continue
        kind, event = oracle.classified(line, unfinished=number == len(lines))
        counts["lines"] += 1
        counts[kind] += 1
        if event is not None and event[0] is not None:
            counts["mapped"] += 1
            if event[2] is not None:
                counts["analysed"] += 1
                events.append((number, *event))
    return counts, events


def test_spoilt_lines_are_what_the_specification_says(tmp_path):
    draw, sound = random.Random(5), sound_lines()
    content = b"\n".join(spoilt(draw, draw.choice(sound)) for _ in range(ROUNDS * 50))
    counts, events = expected(content)
    read = read_run(small_run(tmp_path, {"a/x.json": content}), tmp_path / "out")
    for key in ("lines", "noise", "broken", "cut", "other", "emitted", "mapped", "analysed"):
        assert getattr(read.hosts[0].counts, key) == counts[key], key
    assert min(counts["broken"], counts["noise"], counts["other"], counts["mapped"] - counts["analysed"]) > 20
    found = rows(read, "slots", "blocks", "resources")
    fixed = {"host", "event", "at", "file", "line", "seq"}
    for row, event in zip(sorted(found, key=lambda row: row["line"]), events, strict=True):
        values = {key: value for key, value in row.items() if key not in fixed and value is not None}
        assert (row["line"], row["event"], row["at"], values) == event
