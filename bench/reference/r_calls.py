"""Call a function of R on many samples in one process; numbers pass in both directions without losing a digit."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import numpy as np

_LOOP = """
invisible(suppressMessages({SETUP}))
f <- FUNCTION
args <- commandArgs(TRUE)
input <- file(args[1], "rb")
one <- function() readBin(input, "double", readBin(input, "integer", 1, endian = "little"), endian = "little")
for (i in seq_len(as.integer(args[2]))) {
  x <- one()
  a <- one()
  cat(paste(sprintf("%.17g", f(x, a)), collapse = " "), "\\n")
}
"""


def call(function: str, samples: list[np.ndarray], arguments: list[list[float]] | None = None, setup: str = "") -> list:
    """Return what the R function (x, a) returns for each sample and its arguments, as arrays."""
    arguments = arguments or [[]] * len(samples)
    with tempfile.TemporaryDirectory() as folder:
        script, data = Path(folder) / "script.R", Path(folder) / "data"
        script.write_text(_LOOP.replace("SETUP", setup or "NULL").replace("FUNCTION", function))
        with data.open("wb") as out:
            for sample, argument in zip(samples, arguments, strict=True):
                for numbers in (sample, argument):
                    out.write(np.array([len(numbers)], "<i4").tobytes())
                    out.write(np.array(numbers, "<f8").tobytes())
        words = ["Rscript", "--vanilla", str(script), str(data), str(len(samples))]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    rows = [[float(word.replace("NA", "nan")) for word in line.split()] for line in done.stdout.splitlines()]
    if len(rows) != len(samples):
        raise SystemExit(f"R gave {len(rows)} answers to {len(samples)} samples: {done.stderr}")
    return [np.array(row) for row in rows]


def versions(*packages: str) -> str:
    """Return the versions of R and its packages."""
    words = ", ".join(f'paste("{p}", packageVersion("{p}"))' for p in packages)
    script = f'cat(paste(c(paste("R", getRversion()), {words or "NULL"}), collapse = ", "))'
    return subprocess.run(["Rscript", "--vanilla", "-e", script], capture_output=True, text=True, check=True).stdout
