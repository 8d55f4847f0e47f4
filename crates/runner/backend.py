"""The build backend of Python: maturin, after cargo has built the executable that the wheel contains."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import maturin
from maturin import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

NAME = "statera-runner"


def build_wheel(*arguments: Any, **named: Any) -> str:  # noqa: ANN401 - maturin's own
    """Build the executable, then the wheel."""
    _build()
    return maturin.build_wheel(*arguments, **named)


def build_editable(*arguments: Any, **named: Any) -> str:  # noqa: ANN401 - maturin's own
    """Build the executable, then the wheel that points to the source tree."""
    _build()
    return maturin.build_editable(*arguments, **named)


def _build() -> None:
    cargo = shutil.which("cargo")
    if cargo is None:
        raise SystemExit("statera: building needs Rust 1.89 or later (https://rustup.rs)")
    options = ["--release", "--locked", "--target-dir", "target", "--package", NAME]
    subprocess.run([cargo, "build", *options], check=True)  # noqa: S603 - the words stand here
    shutil.copy(Path("target/release", NAME), Path("src/statera/experiment", NAME))
