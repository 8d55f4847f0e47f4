"""Installs the wheel in a clean environment, away from the source tree, compares the example results, starts a command.

Usage: python tests/wheel.py DIST. Builds nothing; ``make wheel`` has built it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

START = """
from statera.experiment.launcher import Invocation
from statera.experiment.launcher import Launcher
with Launcher() as launcher:
    print(launcher.run(Invocation(("/bin/sh", "-c", "exit 7"), (), "/")).exit)
"""
EXAMPLES = Path(__file__).parent.parent / "examples" / "go-decimal"


def main() -> None:
    (wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], check=True, cwd=folder
        )
        builds = [EXAMPLES / "old", EXAMPLES / "new"]
        words = [Path(folder, "bin", "statera"), "compare", "--fail-on", "worse", *builds]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
        if done.returncode != 1 or "2 SLOWER" not in done.stdout:
            raise SystemExit(f"the installed wheel does not work:\n{done.stdout}{done.stderr}")
        done = subprocess.run([python, "-c", START], capture_output=True, text=True, check=False, cwd=folder)
        if done.stdout != "7\n":
            raise SystemExit(f"the installed wheel starts no commands:\n{done.stdout}{done.stderr}")
    print(f"{wheel.name} installs and runs without the source tree")


if __name__ == "__main__":
    main()
