"""Real servers of ssh on loopback, as hosts of ``--on``: a daemon for each, under a user of the system of its own.

Nothing of the user who runs the tests is readable there, so that what a host is to have must have been copied.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

_DAEMON = "/usr/sbin/sshd"
_USER = f"statera-test-{os.getpid()}"


class Hosts:
    """Hosts of the names that were given to ``start``, which the ``ssh`` first in ``path`` knows.

    Attributes:
        folder: what is theirs and the user's of the daemons.

    """

    def __init__(self):
        if not Path(_DAEMON).exists() or shutil.which("ssh") is None:
            pytest.skip("there is no sshd: apt-get install openssh-server")
        if os.getuid() != 0:
            pytest.skip("a user of its own for sshd is made by root alone: run these tests as root")
        # Outside of the folders of pytest, which are closed to other users.
        self.folder = folder = Path(tempfile.mkdtemp(prefix="statera-ssh-"))
        self.cache = folder / "cache"
        self._make_user()
        self._running = {}
        self._ports = {}
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        shutil.copy(folder / "user.pub", folder / "authorized")
        program = folder / "bin" / "ssh"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {folder}/config "$@"\n')
        program.chmod(0o755)
        for each in (folder, *folder.iterdir()):
            shutil.chown(each, _USER)

    def _make_user(self):
        words = ["useradd", "--system", "--no-create-home", "--shell", "/bin/sh"]
        made = subprocess.run([*words, "--home-dir", self.folder, _USER], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            shutil.rmtree(self.folder)
            pytest.skip(f"no user can be made for sshd: {made.stderr.strip()}")

    @property
    def environment(self):
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def start(self, *names, forced=""):
        """Start a daemon for each name; ``forced`` is a command that runs in place of every other one."""
        for name in names:
            if name not in self._ports:
                with socket.socket() as free:
                    free.bind(("127.0.0.1", 0))
                    self._ports[name] = free.getsockname()[1]
            (self.folder / f"{name}.config").write_text(
                f"Port {self._ports[name]}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\nPidFile none\n"
                f"AuthorizedKeysFile {self.folder}/authorized\nPasswordAuthentication no\nUsePAM no\nStrictModes no\n"
                f"KbdInteractiveAuthentication no\nSetEnv XDG_CACHE_HOME={self.cache}\n"
                + (f"ForceCommand {forced}\n" if forced else "")
            )
            with (self.folder / f"{name}.log").open("ab") as log:
                words = [_DAEMON, "-D", "-e", "-f", self.folder / f"{name}.config"]
                self._running[name] = subprocess.Popen(
                    words, stderr=log, start_new_session=True, user=_USER, group=_USER, extra_groups=[]
                )
        (self.folder / "config").write_text(
            "".join(
                f"Host {name}\n HostName 127.0.0.1\n Port {port}\n User {_USER}\n IdentityFile {self.folder}/user\n"
                f" IdentitiesOnly yes\n StrictHostKeyChecking no\n UserKnownHostsFile {self.folder}/known\n"
                " LogLevel ERROR\n"
                for name, port in self._ports.items()
            )
        )
        for name in names:
            self._wait(name)

    def _wait(self, name):
        until = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._ports[name]), 1).close()
            except OSError:
                assert time.monotonic() < until, (self.folder / f"{name}.log").read_text()
                time.sleep(0.01)
            else:
                return

    def end(self, name):
        """End a daemon with its connections, as if the machine were gone."""
        daemon = self._running.pop(name)
        # A stopped daemon accepts no connection while its connections are listed.
        daemon.send_signal(signal.SIGSTOP)
        for process in _below(daemon.pid):
            # The end of a connection's child ends the connection before its turn comes.
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        daemon.kill()
        daemon.wait()

    def close(self):
        for name in list(self._running):
            self.end(name)
        number = pwd.getpwnam(_USER).pw_uid
        for process in Path("/proc").glob("[0-9]*"):
            # Nobody else has this user.
            with suppress(OSError):
                if process.stat().st_uid == number:
                    os.kill(int(process.name), signal.SIGKILL)
        subprocess.run(["userdel", _USER], check=True, capture_output=True)
        shutil.rmtree(self.folder)


def _below(process):
    """The processes of the daemon that a process started; what commands started is not theirs."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = status.read_text().split(" (", 1)[1].rsplit(") ", 1)
        except OSError:
            continue
        if name.startswith("sshd") and int(rest.split()[1]) == process:
            number = int(status.parent.name)
            found += [*_below(number), number]
    return found
