"""Another machine, reached by the program ``ssh`` with the configuration of the user.

One connection carries everything (``ControlMaster``): a shell that answers questions, copies of files, and the
executable that starts commands, whose requests and answers pass unchanged. It measures there as it does here, so that
no time of the network is in a value.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import select
import shlex
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple, cast

from statera.experiment.launcher import EXECUTABLE, Launcher, Outcome, Starter
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.experiment.launcher import Invocation

# What may be between the parts of a name; no part begins like an option.
_PART: Final = r"[A-Za-z0-9_][A-Za-z0-9_.+-]*"
_NAME: Final = re.compile(rf"(?:{_PART}@)?(?:{_PART}|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*)|ssh://(?:{_PART}@)?{_PART}(?::\d+)?")
_CONNECTS: Final = 15
# A connection over which nothing comes for so many seconds, three times, is lost.
_SILENT: Final = 5
_OPTIONS: Final = (
    *("-T", "-x", "-o", "BatchMode=yes", "-o", "RemoteCommand=none", "-o", "ClearAllForwardings=yes"),
    *("-o", f"ConnectTimeout={_CONNECTS}", "-o", f"ServerAliveInterval={_SILENT}", "-o", "ServerAliveCountMax=3"),
)
# The longest that a shell may take to answer, without a byte.
_ANSWERS: Final = 60.0
_ENDS: Final = 5.0
_SAYS: Final = 1.0
_BLOCK: Final = 1 << 16
_QUOTED: Final = 300


class HostLost(Exception):
    """A host cannot be used, or no more; ``why`` is what ``ssh`` or the host said."""

    def __init__(self, host: str, why: str) -> None:
        super().__init__(f"{host}: {why}")
        self.host, self.why = host, why


def is_name(text: str) -> bool:
    """Return whether a text can only be the name of a host: nothing in it is an option of ``ssh``, or for a shell."""
    return _NAME.fullmatch(text) is not None


class Answer(NamedTuple):
    """What a script on a host printed on standard output, and its exit code."""

    output: bytes
    code: int

    @property
    def text(self) -> str:
        """The output as text."""
        return self.output.decode(errors="surrogateescape").strip()


class Host:
    """A machine to which there is a connection, until ``close``."""

    def __init__(self, name: str) -> None:
        """Connect. Raises ``HostLost`` if it cannot be reached, and ``Stop`` if there is no ``ssh``."""
        self.name = name  # as the user calls it
        program = shutil.which("ssh")
        if program is None:
            raise Stop("no-ssh", "--on needs the program ssh, which is not in the PATH. Install it (openssh-client)")
        # A socket has a short path.
        self._folder = Path(tempfile.mkdtemp(prefix="statera-"))
        self._ssh = (program, *_OPTIONS, "-S", str(self._folder / "socket"))
        self._errors = (self._folder / "errors").open("wb+")
        self._shell: subprocess.Popen[bytes] | None = None
        try:
            # It carries all others, and ends with this process, whichever way that ends.
            words = [*self._ssh, "-o", "ControlMaster=yes", "-o", "ControlPersist=no", "--", name, "exec sh"]
            self._shell = self._popen(words)
            # What the files of a login print comes before.
            self.ask(":")
        except BaseException:
            self.close()
            raise

    def _start(self, script: str) -> subprocess.Popen[bytes]:
        return self._popen(self.words(script))

    def _popen(self, words: list[str]) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        return subprocess.Popen(  # noqa: S603 - ssh, with a name that is_name allows
            words, stdin=pipe, stdout=pipe, stderr=self._errors, start_new_session=True
        )

    def words(self, script: str) -> list[str]:
        """Return the words that run a script there, through the connection."""
        return [*self._ssh, "-o", "ControlMaster=no", "--", self.name, script]

    def lost(self, otherwise: str) -> HostLost:
        """Return why it is lost: the last line of ``ssh``, if there is one."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            # It may be about to say it.
            if self._shell is not None:
                self._shell.wait(_SAYS)
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return HostLost(self.name, lines[-1].strip().rstrip(".")[:_QUOTED] if lines else otherwise)

    def ask(self, script: str) -> Answer:
        """Let the shell execute a script, whose words are quoted. Raises ``HostLost`` if the connection ended."""
        shell = self._shell
        if shell is None:
            raise self.lost("the connection ended")
        requests = cast("IO[bytes]", shell.stdin)
        mark = secrets.token_hex(8)
        try:
            # The mark is not in what is sent, so that an echo of it is none.
            text = f"{{ {script}\n}} </dev/null\nprintf '\\n%s%s %s\\n' {mark[:8]} {mark[8:]} $?\n"
            requests.write(os.fsencode(text))
            requests.flush()
        except (BrokenPipeError, ValueError):
            raise self.lost("the connection ended") from None
        return self._answer(shell, mark.encode())

    def _answer(self, shell: subprocess.Popen[bytes], mark: bytes) -> Answer:
        found, handle = bytearray(), cast("IO[bytes]", shell.stdout).fileno()
        while True:
            ready, _, _ = select.select([handle], [], [], _ANSWERS)
            block = os.read(handle, _BLOCK) if ready else b""
            if not block:
                raise self.lost("the connection ended" if ready else f"its shell did not answer for {_ANSWERS:.0f} s")
            found += block
            at = found.rfind(b"\n" + mark + b" ", max(len(found) - len(block) - len(mark) - 8, 0))
            if at >= 0 and found.endswith(b"\n"):
                return Answer(bytes(found[:at]), int(found[at + len(mark) + 2 :]))

    def alive(self) -> bool:
        """Return whether it answers."""
        try:
            return self.ask(":").code == 0
        except HostLost:
            return False

    def send(self, paths: Iterable[Path], folder: str) -> None:
        """Copy files and folders below a folder there, each at its absolute path.

        Raises ``HostLost`` if the connection ended, or the host could not write, and ``Stop`` if a file cannot be read.
        """
        sender = self._start(f"exec tar -xpof - -C {shlex.quote(folder)}")
        pipe = cast("IO[bytes]", sender.stdin)
        try:
            with contextlib.suppress(BrokenPipeError), pipe, tarfile.open(fileobj=pipe, mode="w|") as archive:
                for path in paths:
                    # A program may be a link; what a build made stays as it is.
                    whole = path if path.is_dir() else path.resolve()
                    archive.add(whole, arcname=str(path.absolute()).lstrip("/"))
        except OSError as error:
            raise Stop("unreadable-file", f"{error.filename or path}: {error.strerror}") from None
        finally:
            code = sender.wait()
            cast("IO[bytes]", sender.stdout).close()
        if code != 0:
            raise self.lost(f"tar ended there with exit code {code}")

    def fetch_folder(self, there: str, here: Path) -> None:
        """Copy a folder from there. Raises ``HostLost`` as ``ask``."""
        with tempfile.TemporaryFile() as archive:
            archive.write(self.ask(f"tar -cf - -C {shlex.quote(there)} .").output)
            archive.seek(0)
            here.mkdir(parents=True, exist_ok=True)
            with tarfile.open(fileobj=archive) as content:
                content.extractall(here, filter="data")

    def copy_starter(self, base: str) -> str:
        """Copy the executable that starts commands to a folder of the user's own, unless it is there; return its path.

        Raises ``HostLost`` if it cannot be written, or not executed.
        """
        content = EXECUTABLE.read_bytes()
        path = f"{base}/starters/{hashlib.sha256(content).hexdigest()[:32]}"
        quoted = shlex.quote(path)
        if self.ask(f"test -x {quoted}").code != 0:
            part = shlex.quote(f"{path}.{secrets.token_hex(4)}")
            folder = shlex.quote(f"{base}/starters")
            script = f"mkdir -p {folder} && cat >{part} && chmod 700 {part} && mv {part} {quoted}"
            sender = self._start(f"exec sh -c {shlex.quote(script)}")
            sender.communicate(content)
            if sender.returncode != 0:
                raise self.lost(f"{path} could not be written there")
        # Without requests it ends at once.
        tried = self.ask(f"{quoted} 2>&1")
        if tried.code != 0:
            said = tried.text.splitlines()[-1:] or [f"exit code {tried.code}"]
            raise HostLost(self.name, f"statera's executable does not run there: {said[0][:_QUOTED]}")
        return path

    def close(self) -> None:
        """End the connection, and what runs over it."""
        process, self._shell = self._shell, None
        if process is not None:
            process.terminate()
            try:
                process.wait(_ENDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(BrokenPipeError):
                    cast("IO[bytes]", pipe).close()
        self._errors.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class RemoteLauncher(Launcher):
    """Starts commands on a host."""

    def __init__(self, host: Host, executable: str) -> None:
        self._host = host
        self._is_over = False
        self._mark = secrets.token_hex(8)
        self._passing = host.words(f"echo {self._mark} && cd / && exec env -i {shlex.quote(executable)}")
        self._begin()

    def abort(self) -> None:
        """Let what runs end without an answer, and start nothing more."""
        self._is_over = True
        super().abort()

    def _starter(self) -> Starter:
        if self._is_over:
            raise self._host.lost("the run was interrupted")
        starter = Starter(self._passing, None)
        try:
            # What the files of a login print comes before.
            starter.skip_to(self._mark.encode())
        except BaseException:
            starter.close()
            raise
        return starter

    def _clear(self, invocations: Sequence[Invocation]) -> None:
        """Leave it to the executable there, which ends with its connection and ends what it started."""

    def _gone(self) -> Outcome:
        """Tell a lost host from a starter that something ended there: both end ``ssh`` with exit code 255."""
        if not self._host.alive():
            raise self._host.lost("the connection ended")
        return super()._gone()
