"""Audit the dependencies: licences and sources of the Rust crates, and advisories of both languages.

Exit codes: 0 nothing found, 1 something found, or with --require-advisories a list of advisories that cannot be had.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DENY = "0.20.2"
PIP_AUDIT = "pip-audit==2.10.1"


class Outcome(NamedTuple):
    """What a check found: nothing, something, or that it could not be made."""

    word: str
    text: str = ""


PASSED, FOUND, NOT_CHECKED = "passed", "FOUND", "NOT CHECKED"


def crates(*checks: str) -> Outcome:
    """Run cargo-deny over the locked crates; deny.toml says what is allowed."""
    if shutil.which("cargo-deny") is None:
        return Outcome(NOT_CHECKED, f"cargo-deny is missing: cargo install cargo-deny --locked --version {DENY}")
    done = _run("cargo", "deny", "--locked", "check", *checks)
    if "failed to fetch advisory database" in done.stderr:
        return Outcome(NOT_CHECKED, "the list of RustSec cannot be fetched from here")
    return Outcome(FOUND, done.stderr) if done.returncode else Outcome(PASSED)


def packages() -> Outcome:
    """Run pip-audit over the locked packages of Python."""
    uv = ROOT / ".venv/bin/uv"
    locked = _run(uv, "export", "--frozen", "--no-emit-project", "--no-hashes", "--quiet").stdout
    command = (uv, "tool", "run", "--from", PIP_AUDIT, "pip-audit", "--no-deps", "--disable-pip", "--format", "json")
    done = _run(*command, "--requirement", "/dev/stdin", given=locked)
    try:
        found = json.loads(done.stdout)["dependencies"]
    except ValueError:
        return Outcome(NOT_CHECKED, done.stderr.strip().rpartition("\n")[2])
    skipped = [each["name"] for each in found if "skip_reason" in each]
    faulty = [f"{each['name']} {each['version']}: {each['vulns']}" for each in found if each.get("vulns")]
    if faulty:
        return Outcome(FOUND, "\n".join(faulty))
    if skipped:
        return Outcome(
            NOT_CHECKED, f"no advisories to be had for {len(skipped)} of {len(found)}: {', '.join(skipped[:5])}…"
        )
    return Outcome(PASSED)


def _run(*command: object, given: str | None = None) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, input=given, capture_output=True, text=True, check=False, timeout=900)


def main() -> int:
    """Audit everything, say each outcome, and give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--require-advisories", action="store_true", help="fail where advisories cannot be checked")
    options = parser.parse_args()
    outcomes = {
        "crates: licences, sources, versions": crates("licenses", "sources", "bans"),
        "crates: advisories": crates("advisories"),
        "packages: advisories": packages(),
    }
    for what, outcome in outcomes.items():
        print(f"{what}: {outcome.word}{': ' if outcome.text else ''}{outcome.text}")
    words = [outcome.word for outcome in outcomes.values()]
    missing = NOT_CHECKED in words and (options.require_advisories or PASSED not in words)
    return 1 if FOUND in words or missing else 0


if __name__ == "__main__":
    sys.exit(main())
