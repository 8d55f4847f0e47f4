"""Calls of git that run nothing of the repository's own: no hook, and no program that its configuration names."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# Configuration of a repository can name programs; the command line wins over it.
_SAFE: Final = (
    "--no-optional-locks",
    "--literal-pathspecs",
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "submodule.recurse=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "gc.auto=0"),
)


# No protocol: nothing is fetched.
_ALONE: Final = ("-c", "protocol.allow=never")
# What a user's variables say of connections: keys, certificates, and the user's own configuration.
_OF_CONNECTIONS: Final = frozenset(
    {
        *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_ASKPASS"),
        *("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY"),
        *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    }
)


class GitError(Exception):
    """A call that git refused; the text is what it said."""


def git(
    folder: Path,
    *words: str,
    environment: Mapping[str, str] | None = None,
    standard_input: bytes | None = None,
    remote: bool = False,
) -> str:
    """Run git in a folder; return what it printed, without the last line break.

    With ``remote`` it may reach another repository, with what the user's variables say of connections.

    Raises ``GitError`` if git refused, and ``Stop`` if there is no git, or no folder.
    """
    with _named(folder):
        done = subprocess.run(  # noqa: S603 - no shell
            _command(words, remote=remote),
            cwd=folder,
            env=_environment(environment, remote=remote),
            input=b"" if standard_input is None else standard_input,
            capture_output=True,
            check=False,
        )
    if done.returncode:
        raise GitError(os.fsdecode(done.stderr).strip())
    return os.fsdecode(done.stdout).removesuffix("\n")


@contextmanager
def conversation(folder: Path, *words: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Run a git that answers line by line; yield what it reads and what it prints.

    Raises ``Stop`` if there is no git, or no folder.
    """
    with _named(folder):
        process = subprocess.Popen(  # noqa: S603 - no shell
            _command(words, remote=False),
            cwd=folder,
            env=_environment(None, remote=False),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    if process.stdin is None or process.stdout is None:
        raise AssertionError
    try:
        with process.stdin as asked, process.stdout as answers:
            yield asked, answers
    finally:
        process.kill()
        process.wait()


def without_filters(folder: Path) -> dict[str, str]:
    """Return variables with which git reads files of the work tree as they are, and starts no filter for them.

    The configuration names the filters, and attributes name the files. A filter without a program changes nothing.
    """
    try:
        pattern = r"^filter\..*\.(clean|smudge|process|required)$"
        named = git(folder, "config", "-z", "--name-only", "--get-regexp", pattern)
    except GitError:
        # There is none.
        return {}
    keys = [key for key in dict.fromkeys(named.split("\0")) if key]
    variables = {"GIT_CONFIG_COUNT": str(len(keys))}
    for number, key in enumerate(keys):
        variables[f"GIT_CONFIG_KEY_{number}"] = key
        variables[f"GIT_CONFIG_VALUE_{number}"] = "false" if key.endswith(".required") else ""
    return variables


def _command(words: tuple[str, ...], *, remote: bool) -> list[str]:
    return ["git", *_SAFE, *(() if remote else _ALONE), *words]


def _environment(more: Mapping[str, str] | None, *, remote: bool) -> dict[str, str]:
    # A hook that starts statera has set variables that would lead git to another repository.
    kept = _OF_CONNECTIONS if remote else frozenset[str]()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in kept}
    return inherited | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", **(more or {})}


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """Say what is missing where git does not start."""
    try:
        yield
    except FileNotFoundError:
        if not folder.is_dir():
            raise Stop("bad-source", f"{folder}: there is no such folder. Name the one of a git repository") from None
        raise Stop("bad-source", "git is not installed, and this needs it. Install it") from None
    except OSError as error:
        raise Stop("bad-source", f"{folder}: git cannot be started there: {error.strerror}") from None
