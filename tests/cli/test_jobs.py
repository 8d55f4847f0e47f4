"""Threads are as many as asked for, and never more than the machine has cores."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COUNTED = """
import sys
from statera.cli import main
code = main(sys.argv[1:])
threads = next(line for line in open("/proc/self/status") if line.startswith("Threads:"))
print(threads.split()[1], file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="threads are counted by Linux")
@pytest.mark.parametrize("words", [[], ["--jobs", "0"], ["--jobs", "60000"]])
def test_neither_a_variable_nor_a_number_makes_thousands(pair, tmp_path, words):
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, "compare", *pair, *words],
        env={**os.environ, "RAYON_NUM_THREADS": "3000"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0
    # The one that started, and one that reads.
    assert int(done.stderr.split()[-1]) <= (os.cpu_count() or 1) + 2
