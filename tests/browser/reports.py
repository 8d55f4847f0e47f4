"""The reports that the browser opens, made as users make them."""

import itertools

import material
from strangers import make as cluster_run

from forked import FORKS
from support import ROOT, go, noisy, table

EXAMPLES = ROOT / "examples"

# Each fits one place where names are written; what runs in any of them sets window.__pwned.
HOSTILE = (
    "<script>window.__pwned=1</script>",
    "<img src=x onerror=window.__pwned=1>",
    "\"><svg onload=window.__pwned=1>'><b onmouseover='window.__pwned=1'>",
    "</script><script>window.__pwned=1</script><!--",
    "</title></style></textarea><script>window.__pwned=1</script>",
    "javascript:window.__pwned=1",
    "');window.__pwned=1;//",
    '\\");window.__pwned=1;//',
    "datum.value];window.__pwned=1",
    "{signal: 'window.__pwned=1'}",
    "a.b[0]\\.c['d']",
    "{{7*7}} {% raw %} {# gone #} ${7*7} #{7*7}",
    "#set page(1pt); #panic(1) #[x] $x$ *bold* _it_ @ref <lab>",
    "\\input{/etc/passwd} $\\frac12$ %c ~\\&",
    "[link](javascript:window.__pwned=1) ![i](https://example.invalid/x.png) `code` |cell|",
    "https://example.invalid/x.png",
    "\u202egnp.exe\u2066 \x07\x1b[31m\x00 \u200b\ufeff",
    "first\nsecond\r\nthird\ttab",
    "&lt;b&gt; &amp; &#60;",
    "wide-" + "W" * 495,
)


def pair(folder):
    return [EXAMPLES / "go-decimal" / "old", EXAMPLES / "go-decimal" / "new"]


def factorial(folder):
    paths = sorted((EXAMPLES / "go-popcount").glob("*-amd64v?.txt"))
    return [*paths, "--name-pattern", "{way}-amd64{level}", "--by=way", "--within=level", "--baseline=table"]


def runs(folder):
    return [
        f"{side}={path}" for side in ("old", "new") for path in sorted((EXAMPLES / "hyperfine-hexyl" / side).iterdir())
    ]


def alone(folder):
    return [EXAMPLES / "go-decimal" / "old"]


def atlas(folder):
    """The inspection of 31 runs, with its atlas."""
    return [EXAMPLES / "hyperfine-31-runs" / "runs"]


def suite(folder):
    """One value a side."""
    return sorted((ROOT / "tests/cases/sandmark-suite").glob("*.bench"))


def unchanged(folder):
    """Eight benchmarks, two metrics, the same program on both sides."""
    for side, seed in (("old", 1), ("new", 500)):
        names = [f"{verb}/{size}" for verb in ("Encode", "Decode", "Scan", "Merge") for size in ("small", "medium")]
        rows = {
            name: {"ns/op": noisy(100 * place, 20, seed=seed + place, spread=0.01), "B/op": [64 * place] * 20}
            for place, name in enumerate(names, 1)
        }
        (folder / side).write_text(go(rows))
    return [folder / "old", folder / "new"]


def one_suspect(folder):
    """One of 500 benchmarks is slower."""
    for side, seed in (("old", 1), ("new", 9_000)):
        times = {
            f"pkg{n % 20}/Case{n:03}": noisy(
                (100 + n) * (1.18 if (side, n) == ("new", 137) else 1), seed=seed + n, spread=0.01
            )
            for n in range(500)
        }
        (folder / side).write_text(go(times))
    return [folder / "old", folder / "new"]


def many_suspects(folder):
    """Six benchmarks are slower, with so few values that most of their cards have one picture."""
    for side, factor in (("old", 1.0), ("new", 1.2)):
        times = {
            f"Case{n}": noisy(100 * (n + 1) * factor, 8, seed=n + int(100 * factor), spread=0.01) for n in range(6)
        }
        (folder / side).write_text(go(times))
    return [folder / "old", folder / "new"]


def long_names(folder):
    """Names of 120 characters, which differ near their beginning and at their end."""
    path = "example.com/storage/engine/internal/compaction"
    for side, seed in (("old", 1), ("new", 700)):
        times = {
            f"{path}/{verb}Benchmark/leveled_compaction_with_bloom_filters/size={size}MiB": noisy(
                100 * place, 12, seed=seed + place
            )
            for place, (verb, size) in enumerate(itertools.product(("Read", "Write"), (1, 2, 4, 8, 16, 32, 64)), 1)
        }
        (folder / side).write_text(go(times))
    return [folder / "old", folder / "new"]


def nothing(folder):
    """Two variants of which neither was run as the other was."""
    for name in ("left", "right"):
        (folder / name).write_text(go({"X": noisy(100)}, config={"goarch": name}))
    return [folder / "left", folder / "right", "--within", "goarch"]


def strangers(folder):
    """Two variants without a common benchmark."""
    for name in ("Left", "Right"):
        (folder / name).write_text(go({name: noisy(100)}))
    return [folder / "Left", folder / "Right"]


def hostile(folder, names=HOSTILE):
    """Every name as benchmark, some also as metric, level, variant and title; and prose that tries the same."""
    for side, centre in (("old", 1.0), ("new", 1.1)):
        rows = [
            {"benchmark": name, "metric": f"time {HOSTILE[0]}", "unit": "s", "value": value, "config": level}
            for place, name in enumerate(names)
            for level in (HOSTILE[1], HOSTILE[11])
            for value in noisy(centre * (place + 1), 21, seed=place + len(side), spread=0.02)
        ]
        (folder / side).write_text(table(rows), newline="")
    (folder / "notes.md").write_text(
        "# summary\n<script>window.__pwned=1</script> <img src=x onerror=window.__pwned=1>\n\n"
        "[a](javascript:window.__pwned=1) ![b](https://example.invalid/x.png)\n"
    )
    new = f"{HOSTILE[1].replace('=', '')}={folder / 'new'}"
    words = [f"<b>old={folder / 'old'}", new, "--within", "config", "--title", HOSTILE[3]]
    return [*words, "--notes", folder / "notes.md"]


def hostile_drawn(folder):
    """Few enough of them that all kinds of pictures are drawn."""
    return hostile(folder, (HOSTILE[0], HOSTILE[8], HOSTILE[11], HOSTILE[19]))


def many(folder, benchmarks=5_000):
    """Three metrics of 5,000 benchmarks."""
    for side, centre in (("old", 100), ("new", 101)):
        few = [noisy(centre, 6, seed=seed) for seed in range(20)]
        names = {f"Package{n % 97}/case={n}": few[n % 20] for n in range(benchmarks)}
        units = {name: {"ns/op": v, "B/op": v, "allocs/op": v} for name, v in names.items()}
        (folder / side).write_text(go(units))
    return [folder / "old", folder / "new"]


def nine(folder):
    """Nine variants: three builds under three compilers."""
    return [*material.nine(folder), "--by=build", "--within=cc", "--baseline=base"]


def cluster(folder):
    """Two runs of a cluster, whose hosts, labels and descriptions are names of strangers."""
    runs = [cluster_run(folder / f"run{seed}", seed=seed, slower=seed) for seed in (1, 2)]
    return [f"<b onclick>old={runs[0]}", f"{HOSTILE[11]}={runs[1]}", "--title", HOSTILE[3]]


def cluster_pair(folder):
    """Three runs a side of the generated example."""
    return [f"{side}={EXAMPLES / 'cluster'}/{side}-{run}" for side in ("base", "slower") for run in (1, 2, 3)]


MADE = {
    made.__name__: made
    for made in (pair, factorial, runs, alone, atlas, suite, nothing, strangers, hostile, hostile_drawn, many, cluster)
}
# What only some tests open.
MORE = {made.__name__: made for made in (nine, unchanged, one_suspect, many_suspects, long_names, cluster_pair)}


def make(name, folder, ending="html"):
    """Write a report by the command line; give its path."""
    folder.mkdir(exist_ok=True)
    path = folder / f"report.{ending}"
    verb, more = (["cluster", "report"], []) if name.startswith("cluster") else (["report"], ["--no-config"])
    words = [*verb, *(MADE | MORE)[name](folder), "-o", path, *more]
    done = FORKS.run(words, cwd=folder)
    assert done.code == (2 if name == "nothing" else 0), done.err
    return path
