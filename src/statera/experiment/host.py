"""What the manifest of a run says about the machine, its compilers and its environment."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera.experiment.system import System, as_list
from statera.support.files.names import as_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera.experiment.plan import Command, Plan

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


def facts(system: System | None = None) -> dict[str, str]:
    """Return what identifies the machine; a fact that the system does not tell is left out."""
    system = system or System()
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


def boot(system: System | None = None) -> str:
    """Return the identity of the machine's boot; empty if unknown."""
    return (system or System()).text("proc/sys/kernel/random/boot_id") or ""


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
