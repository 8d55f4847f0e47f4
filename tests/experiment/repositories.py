"""Repositories and experiment files for tests."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# The configuration of whoever runs the tests must not matter.
_NEUTRAL = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    **{f"GIT_{who}_{what}": "tester" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    **{f"GIT_{who}_DATE": "2026-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")},
}


def git(folder: Path, *words: str) -> str:
    """Run git as a user does."""
    done = subprocess.run(["git", *words], cwd=folder, env=_NEUTRAL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder: Path, tag: str, **files: str) -> str:
    """Write files (``a_c`` stands for ``a.c``), commit everything and tag it; return the commit."""
    if not (folder / ".git").exists():
        folder.mkdir(exist_ok=True)
        git(folder, "init", "--quiet", "--initial-branch=main")
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", tag)
    git(folder, "tag", tag)
    return git(folder, "rev-parse", "HEAD")


def files(folder: Path) -> dict[str, str]:
    """Return the text of every file below a folder, by its path in it."""
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def written(folder: Path, text: str) -> Path:
    """Write an experiment file."""
    path = folder / "experiment.toml"
    path.write_text(text)
    return path
