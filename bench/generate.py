"""Write pairs of Go result files of any size, as printed by `go test -bench -benchmem -count`.

Times are lognormal around a base drawn between 10 ns and 10 ms, with 1 to 5 % noise; one benchmark in ten changes by up
to 20 %. Bytes and allocations are constant for most benchmarks and vary for some, as with pooled buffers.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

HEADER = "goos: linux\ngoarch: amd64\npkg: example.com/generated\ncpu: Example CPU @ 3.00GHz\n"


def go_number(value: float) -> str:
    """Print a time like the testing package: about four digits, an integer from 100 on."""
    if value == 0 or value >= 99.95:
        return f"{value:10.0f}"
    if value >= 9.995:
        return f"{value:12.1f}"
    return f"{value:13.2f}" if value >= 0.9995 else f"{value:14.3f}"


def pair(folder: Path, benchmarks: int, samples: int, *, ties: bool = True, seed: int = 1) -> tuple[Path, Path]:
    """Write old.txt and new.txt and return their paths; existing files are kept.

    Without ties every value has nine digits and every unit varies. No real harness prints this, but it avoids ties for
    a peer that is slow on them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kind = "" if ties else "-untied"
    paths = (
        folder / f"old-{benchmarks}x{samples}{kind}.txt",
        folder / f"new-{benchmarks}x{samples}{kind}.txt",
    )
    if all(path.exists() for path in paths):
        return paths
    draw = np.random.default_rng(seed)
    base = np.exp(draw.uniform(np.log(10), np.log(1e7), benchmarks))
    noise = draw.uniform(0.01, 0.05, benchmarks)
    factor = np.where(draw.random(benchmarks) < 0.1, np.exp(draw.normal(0, 0.1, benchmarks)), 1.0)
    size = np.round(np.exp(draw.uniform(np.log(8), np.log(1e6), benchmarks)))
    count = np.round(np.exp(draw.uniform(0, np.log(1e4), benchmarks)))
    jitter = draw.random(benchmarks) < 0.2
    for side, path in enumerate(paths):
        with path.open("w") as file:
            file.write(HEADER)
            for i in range(benchmarks):
                name = f"BenchmarkPackage{i % 97}/case={i}/size={1 << (i % 20)}-8"
                times = base[i] * (factor[i] if side else 1.0) * np.exp(draw.normal(0, noise[i], samples))
                extra = draw.integers(0, 3, samples) if jitter[i] else np.zeros(samples, int)
                for time, more in zip(times, extra, strict=True):
                    if not ties:
                        wide = draw.random(2) * 0.02 + 0.99
                        file.write(
                            f"{name} {max(1, int(1e8 / time))} {time:.9g} ns/op {size[i] * wide[0]:.9g} B/op "
                            f"{count[i] * wide[1]:.9g} allocs/op\n"
                        )
                        continue
                    runs = max(1, int(1e8 / time))
                    file.write(
                        f"{name}  \t{runs:8d}\t{go_number(time)} ns/op"
                        f"\t{int(size[i]) + 16 * int(more):8d} B/op\t{int(count[i]) + int(more):8d} allocs/op\n"
                    )
            file.write("PASS\nok  \texample.com/generated\t100.000s\n")
    return paths


if __name__ == "__main__":
    print(*pair(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
