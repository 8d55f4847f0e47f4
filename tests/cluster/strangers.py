"""Runs whose every name and value was written by a stranger who means harm."""

import json
import random

from small import Cluster, hash_of

# What runs in a browser sets window.__pwned.
HOSTILE = (
    "<script>window.__pwned=1</script>",
    "<img src=x onerror=window.__pwned=1>",
    "\"><svg onload=window.__pwned=1>'><b onmouseover='window.__pwned=1'>",
    "</script><script>window.__pwned=1</script><!--",
    "datum.value];window.__pwned=1",
    "{{7*7}} {% raw %} ${7*7} #{7*7}",
    '#panic("x") #[x] $x$ *bold* _it_ @ref <lab> \\u{7}',
    "[link](javascript:window.__pwned=1) ![i](https://example.invalid/x.png) `code` |cell|",
    "\u202egnp.exe\u2066 \x07\x1b[31m \u200b\ufeff",
    "first\nsecond\ttab",
    "'; DROP TABLE blocks; -- %s %(a)s",
    "../../etc/passwd",
)


def make(folder, *, seed=1, blocks=30, hosts=HOSTILE[:8], slower=1.0):
    """Analyse a run with hosts and facts of such names; few metrics have values, so that there are few charts."""
    chance = random.Random(seed)
    cluster = Cluster(
        folder, *hosts, identifier=HOSTILE[0], batch=HOSTILE[8], profile=HOSTILE[7], era=HOSTILE[6],
        ghcVersion=HOSTILE[10], analysisDate=HOSTILE[1],
    )  # fmt: skip
    before = "f"
    for number in range(blocks):
        name, at = f"{number:02x}f", number * 5
        forger = hosts[number % len(hosts)]
        cluster.start(forger, at, after=0.1)
        cluster.forge(forger, name, at, number, before, seconds=0.2)
        for host in hosts:
            cluster.adopt(host, at + slower * (0.5 + 0.05 * chance.random()), name)
        before = name
    for host in hosts:
        for second in range(1, 60):
            usage = {"CentiCpu": second * 10 + chance.randrange(3), "RSS": 2**20 * chance.randrange(90, 110)}
            cluster.use(host, float(second), **usage)
    cluster.analyse()
    path = folder / "summary.json"
    summary = json.loads(path.read_text())
    for place, component in enumerate(summary["manifest"]["components"].values()):
        component |= {"version": HOSTILE[place % len(HOSTILE)], "commit": HOSTILE[2]}
    summary["manifest"]["workload"] |= {
        "plutusScript": HOSTILE[3],
        "tps": [HOSTILE[5]],
        "delegators": {"a": HOSTILE[9]},
    }
    warning = {"code": "bridged", "source": HOSTILE[2], "line": 0, "what": HOSTILE[2]}
    summary |= {"warnings": [warning], "run": HOSTILE[11]}
    path.write_text(json.dumps(summary))
    return folder


def silent(folder):
    """Analyse a run in which no block was made, and no host told what it used."""
    cluster = Cluster(folder, "a", "b")
    cluster.start("a", 1, 2, 3)
    cluster.analyse()
    return folder


__all__ = ("HOSTILE", "hash_of", "make", "silent")
