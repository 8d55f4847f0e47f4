"""Calls of git that run nothing of the repository's own: no hook, and no program that its configuration names."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Final

from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# Configuration of a repository can name programs; the command line wins over it. No protocol: nothing is fetched.
_SAFE: Final = (
    "--no-optional-locks",
    "--literal-pathspecs",
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "protocol.allow=never"),
    *("-c", "submodule.recurse=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "gc.auto=0"),
)


class GitError(Exception):
    """A call that git refused; the text is what it said."""


def git(
    folder: Path, *words: str, environment: Mapping[str, str] | None = None, standard_input: bytes | None = None
) -> str:
    """Run git in a folder; return what it printed, without the last line break.

    Raises:
        GitError: git refused.
        Stop: there is no git.

    """
    # A hook that starts statera has set variables that would lead git to another repository.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    inherited |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", **(environment or {})}
    try:
        done = subprocess.run(  # noqa: S603 - no shell
            ["git", *_SAFE, *words],  # noqa: S607 - the git of the user
            cwd=folder,
            env=inherited,
            input=b"" if standard_input is None else standard_input,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        if not folder.is_dir():
            raise Stop("bad-source", f"{folder}: there is no such folder; [source] git names one") from None
        raise Stop("bad-source", "git is not installed, and [source] needs it; install it") from None
    except OSError as error:
        raise Stop("bad-source", f"{folder}: git cannot be started there: {error.strerror}") from None
    if done.returncode:
        raise GitError(os.fsdecode(done.stderr).strip())
    return os.fsdecode(done.stdout).removesuffix("\n")
