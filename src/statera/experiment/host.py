"""The machine: the files of /proc and /sys, the cores of ``--pin``, and the facts that the manifest of a run states.

What the system does not tell is None, never a guess.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.errors import Stop
from statera.support.files.names import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera.experiment.plan import Command, Plan

# More cores than any system has; a list beyond it is a mistake.
_MOST: Final = 1 << 16
_GIB: Final = 1 << 30
_SECONDS: Final = 10.0
# How each compiler or interpreter says its version.
_TOOLS: Final = {
    **dict.fromkeys(("cc", "gcc", "g++", "c++", "clang", "clang++", "rustc", "cargo", "ghc", "cabal"), "--version"),
    **dict.fromkeys(("node", "python", "python3", "ruby", "perl", "make", "cmake", "dune", "dotnet"), "--version"),
    **dict.fromkeys(("ocaml", "ocamlopt", "java", "javac"), "-version"),
    **dict.fromkeys(("go", "zig"), "version"),
}
# These start compilers by their own rules.
_STARTED_BY: Final = {
    "cargo": ("rustc",),
    "cabal": ("ghc",),
    "dune": ("ocamlopt",),
    "make": ("cc",),
    "cmake": ("cc", "c++"),
}
_SECRET: Final = re.compile("TOKEN|SECRET|PASSW|KEY|CREDENTIAL|AUTH|COOKIE", re.IGNORECASE)
_PASSWORD_IN_URL: Final = re.compile(r"://[^/\s@]*:[^/\s@]*@")


class System(NamedTuple):
    """The files of a system."""

    root: str = "/"  # the folder that holds ``proc``, ``sys`` and ``etc``

    def text(self, path: str) -> str | None:
        """Return the content of a file without the space around it; None if it cannot be read."""
        try:
            return (Path(self.root) / path).read_text(errors="replace").strip()
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        """Return the whole number that a file holds; None if it holds none."""
        text = self.text(path)
        try:
            return None if text is None else int(text)
        except ValueError:
            return None

    def fields(self, path: str, between: str = ":") -> dict[str, str]:
        """Return the lines ``name: value`` of a file, the first of each name; empty if it cannot be read."""
        found: dict[str, str] = {}
        for line in (self.text(path) or "").splitlines():
            name, divider, value = line.partition(between)
            if divider:
                found.setdefault(name.strip(), value.strip())
        return found

    def texts(self, pattern: str) -> list[str]:
        """Return the contents of the files that match a pattern, in the order of their names."""
        paths = sorted(Path(self.root).glob(pattern))
        found = [self.text(str(path.relative_to(self.root))) for path in paths]
        return [text for text in found if text is not None]

    def exists(self, path: str) -> bool:
        """Return whether there is such a file or folder."""
        return (Path(self.root) / path).exists()

    def writable(self, path: str) -> bool:
        """Return whether we may write there."""
        return os.access(Path(self.root) / path, os.W_OK)

    def online(self) -> tuple[int, ...]:
        """Return the numbers of the cores that run; empty if unknown."""
        listed = self.text("sys/devices/system/cpu/online")
        if listed is not None:
            return cores(listed)
        lines = (self.text("proc/stat") or "").splitlines()
        return tuple(int(word[3:]) for word, *_ in map(str.split, lines) if word[:3] == "cpu" and word[3:].isdigit())

    def isolated(self) -> tuple[int, ...]:
        """Return the cores on which the kernel starts no process, unless it is asked to."""
        return cores(self.text("sys/devices/system/cpu/isolated") or "")

    def allowed(self) -> tuple[int, ...]:
        """Return the cores that a container or ``taskset`` leaves to us, and those that are isolated."""
        allowed = self.fields("proc/self/status").get("Cpus_allowed_list", "")
        return tuple(sorted({*cores(allowed), *self.isolated()})) if allowed else ()

    def group(self, controller: str) -> list[str]:
        """Return the folders of our control group for a controller, then those of its parents.

        Version 2 has one tree for all controllers, and version 1 a tree for each.
        """
        for line in (self.text("proc/self/cgroup") or "").splitlines():
            _, _, rest = line.partition(":")
            controllers, _, path = rest.partition(":")
            for at in _mounts(controllers, controller):
                if path and self.exists(at + path) and self.exists(f"{at}{path}/cgroup.procs"):
                    parts = [part for part in path.split("/") if part]
                    return ["/".join([at, *parts[:count]]) for count in range(len(parts), -1, -1)]
        return []


HERE: Final = System()
# Of a machine that is not known yet.
ELSEWHERE: Final = System("/dev/null")


def _mounts(controllers: str, controller: str) -> list[str]:
    if controller in controllers.split(","):
        return [f"sys/fs/cgroup/{controller}", f"sys/fs/cgroup/{controllers}"]
    return [] if controllers else ["sys/fs/cgroup"]


def cores(listed: str) -> tuple[int, ...]:
    """Return the numbers of a list of cores, such as ``0-2,5``, ascending.

    Raises ``ValueError`` if it is no such list.
    """
    found: set[int] = set()
    for part in filter(None, listed.strip().split(",")):
        first, _, last = part.partition("-")
        low, high = int(first), int(last or first)
        if not 0 <= low <= high <= _MOST:
            raise ValueError(part)
        found.update(range(low, high + 1))
    return tuple(sorted(found))


def as_list(numbers: tuple[int, ...]) -> str:
    """Write numbers of cores as the system does: ``0-2,5``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def facts(system: System = HERE) -> dict[str, str]:
    """Return what identifies the machine; a fact that the system does not tell is left out."""
    found = {
        "host": system.text("proc/sys/kernel/hostname"),
        "kernel": system.text("proc/sys/kernel/osrelease"),
        "cpu": cpu(system),
        "microcode": _microcode(system),
        "cores": as_list(system.online()),
        "memory": _memory(system),
        "architecture": system.text("proc/sys/kernel/arch") or os.uname().machine,
        "os": _os(system),
        "boot": boot(system),
        "virtualisation": virtualisation(system),
        "libc": _libc(system),
    }
    return {name: as_text(value) for name, value in found.items() if value}


def boot(system: System = HERE) -> str:
    """Return the identity of the machine's boot; empty if unknown."""
    return system.text("proc/sys/kernel/random/boot_id") or ""


def cpu(system: System) -> str | None:
    """Return the model of the processor; those of ARM have numbers instead of a name."""
    fields = system.fields("proc/cpuinfo")
    for name in ("model name", "Processor", "cpu model", "uarch", "cpu"):
        if fields.get(name):
            return fields[name]
    if "CPU part" not in fields:
        return None
    return f"{fields.get('CPU implementer', '')} {fields['CPU part']} r{fields.get('CPU variant', '')}".strip()


def _microcode(system: System) -> str | None:
    return system.text("sys/devices/system/cpu/cpu0/microcode/version") or system.fields("proc/cpuinfo").get(
        "microcode"
    )


def _memory(system: System) -> str | None:
    words = system.fields("proc/meminfo").get("MemTotal", "").split()
    return f"{int(words[0]) * 1024 / _GIB:.1f} GiB" if words and words[0].isdigit() else None


def _os(system: System) -> str | None:
    fields = system.fields("etc/os-release", "=") or system.fields("usr/lib/os-release", "=")
    name = fields.get("PRETTY_NAME") or fields.get("NAME")
    return name.strip("\"'") if name else None


def virtualisation(system: System) -> str | None:
    """Return what the machine is instead of bare metal: a container, a hypervisor; ``none`` if it says it is neither.

    None means that the system does not tell.
    """
    found = [
        system.text("run/systemd/container")
        or ("docker" if system.exists(".dockerenv") else None)
        or ("podman" if system.exists("run/.containerenv") else None),
        hypervisor(system),
    ]
    named = " in ".join(each for each in found if each)
    flags = system.fields("proc/cpuinfo").get("flags")
    return named or (None if flags is None else "none")


def hypervisor(system: System) -> str | None:
    """Return the kind of virtual machine; None if there is none, or the system does not tell."""
    product = system.text("sys/class/dmi/id/product_name")
    kind = system.text("sys/hypervisor/type")
    if kind:
        return kind
    if "hypervisor" in system.fields("proc/cpuinfo").get("flags", "").split():
        return f"virtual machine ({product})" if product else "virtual machine"
    return None


def _libc(system: System) -> str | None:
    if system.root != "/":
        return None
    try:
        return os.confstr("CS_GNU_LIBC_VERSION")
    except (OSError, ValueError):
        return "musl" if any(Path("/lib").glob("ld-musl-*")) else None


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables of the environment without those that look secret, by their name or a password in a URL."""
    given = os.environ if variables is None else variables
    return {
        as_text(name): as_text(value)
        for name, value in sorted(given.items())
        if not _SECRET.search(name) and not _PASSWORD_IN_URL.search(value)
    }


def tools(names: Iterable[str]) -> dict[str, str]:
    """Return the versions of compilers and interpreters: the first line of what each says; unknown ones are left out.

    They are looked up in the PATH, but not below folders that it names relative to the current one, and start in the
    root folder, so that no file of a stranger's tree decides what runs. Each has ten seconds.
    """
    found = {name: _version(name, _TOOLS[name]) for name in sorted(set(names) & set(_TOOLS))}
    return {name: version for name, version in found.items() if version}


def named_tools(plan: Plan) -> set[str]:
    """Return the tools that the commands and builds of a plan name, also within a line for a shell."""
    names: set[str] = set()
    for command in _commands(plan):
        for argument in command.arguments:
            names.update(Path(word).name for word in re.split(r"[\s;&|()]+", argument)[:64] if word)
    return {other for name in names for other in (name, *_STARTED_BY.get(name, ()))} & set(_TOOLS)


def _commands(plan: Plan) -> Iterable[Command]:
    for build in plan.builds:
        if build.command:
            yield build.command
    for cell in plan.cells:
        yield cell.command
        yield from (each for each in (cell.setup, cell.prepare) if each)


def _version(name: str, option: str) -> str | None:
    folders = (folder for folder in os.get_exec_path() if Path(folder).is_absolute())
    program = shutil.which(name, path=os.pathsep.join(folders))
    # Go must not download the toolchain that some file asks for.
    variables = {**os.environ, "LC_ALL": "C", "GOTOOLCHAIN": "local"}
    return None if program is None else _first_line([program, option], variables)


def _first_line(words: list[str], variables: dict[str, str]) -> str | None:
    # A file, and no pipe: a child that the program leaves behind could keep a pipe open for ever.
    with tempfile.TemporaryFile() as output:
        try:
            started = subprocess.Popen(  # noqa: S603 - a known compiler at an absolute path
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                env=variables,
                start_new_session=True,
            )
        except OSError:
            return None
        try:
            ended = started.wait(_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            ended = started.wait()
        output.seek(0)
        lines = output.read(1 << 16).decode(errors="replace").strip().splitlines()
    return lines[0].strip() if lines and ended == 0 else None


def pinned(words: str, system: System = HERE) -> tuple[int, ...]:
    """Return the numbers of the cores of ``--pin``: a list such as ``0`` or ``0-1,4``, or ``isolated``.

    ``ELSEWHERE`` has no known cores, so that every list can be right.

    Raises ``Stop`` if it is no such list, a core is not online or not ours, or no core is isolated.
    """
    if words.strip() == "isolated":
        if system is ELSEWHERE:
            raise Stop("bad-option", "--pin isolated: hosts isolate different cores. Name cores that all of them have")
        return _ours(_isolated(system), words, system)
    try:
        numbers = cores(words)
    except ValueError:
        numbers = ()
    if not numbers:
        raise Stop(
            "bad-option", f"--pin {words}: write numbers of cores, such as 2, 0-1 or 0,2, or isolated; {_there(system)}"
        )
    return _ours(numbers, words, system)


def _isolated(system: System) -> tuple[int, ...]:
    isolated = system.isolated()
    if not isolated:
        raise Stop(
            "bad-option",
            "--pin isolated: the kernel isolates no core. Boot with isolcpus=LIST on its command line, or name cores; "
            + _there(system),
        )
    return isolated


def _ours(numbers: tuple[int, ...], words: str, system: System) -> tuple[int, ...]:
    for known, what in ((system.online(), "not online"), (system.allowed(), "not among those that statera may use")):
        wrong = tuple(number for number in numbers if number not in known)
        if known and wrong:
            are = "core {} is" if len(wrong) == 1 else "cores {} are"
            raise Stop("bad-option", f"--pin {words}: {are.format(as_list(wrong))} {what}; {_there(system)}")
    return numbers


def _there(system: System) -> str:
    online = system.online()
    return f"this machine has {as_list(online)}" if online else "the system does not tell which cores there are"
