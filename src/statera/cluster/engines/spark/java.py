"""Checks for a Java that Spark runs on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from statera.support.errors import Stop

LEAST = 17
_WANTED = "Spark needs Java 17 or 21 (on Debian: apt-get install openjdk-17-jre-headless)"
_SECONDS = 30


def check_java() -> None:
    """Raise Stop unless Spark will find a Java that it runs on."""
    program = _program()
    if program is None:
        raise Stop("spark-unusable", f"there is no Java: {_WANTED}")
    version = _version(program)
    if version is None:
        raise Stop("spark-unusable", f"{program} does not print its version: {_WANTED}")
    if version < LEAST:
        raise Stop("spark-unusable", f"{program} is Java {version}: {_WANTED}, and JAVA_HOME must name it")


def _program() -> str | None:
    home = os.environ.get("JAVA_HOME")
    if not home:
        return shutil.which("java")
    program = Path(home) / "bin" / "java"
    if not program.is_file():
        raise Stop("spark-unusable", f"JAVA_HOME is {home}, which holds no Java: {_WANTED}")
    return str(program)


def _version(program: str) -> int | None:
    """Return the major version of a Java: 17 for ``17.0.15``, 8 for ``1.8.0_402``."""
    try:
        said = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    return int(found[1]) if found else None
