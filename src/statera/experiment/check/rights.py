"""Checks of the system's kind and of what statera may do there: layout, virtualisation, counters, priority, limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.experiment import callgrind, host
from statera.experiment.check.finding import Finding, unknown

if TYPE_CHECKING:
    from statera.experiment.system import System

_RANDOM: Final = "proc/sys/kernel/randomize_va_space"
_PARANOID: Final = "proc/sys/kernel/perf_event_paranoid"
_EVENTS: Final = "sys/bus/event_source/devices"
# Hardware counters of a processor: x86, x86 with two kinds of cores, ARM, POWER, RISC-V.
_COUNTERS: Final = ("cpu", "cpu_core", "armv8*", "armv9*", "hv_24x7", "riscv*")
# Above this, a user may not count what his own programs do.
_OWN: Final = 2
_NICE, _ADMIN, _PERFMON = 23, 21, 38
_FULL: Final = 2
_INSTEAD: Final = "--counters callgrind counts instructions without them"


def layout(system: System) -> Finding:
    """Look at whether the addresses of a program are random."""
    value = system.number(_RANDOM)
    if value is None:
        return unknown("ASLR", _RANDOM)
    if value >= _FULL:
        return Finding("ASLR", "on, as it should be: no layout of memory favours a variant in every round")
    return Finding(
        "ASLR",
        "off" if value == 0 else "in part",
        harms=True,
        why="each variant keeps one layout of memory, whose luck looks like a difference",
        remedy="sudo sysctl kernel.randomize_va_space=2",
    )


def virtualisation(system: System) -> Finding:
    """Look at whether the machine shares its cores with others."""
    kind = host.virtualisation(system)
    if kind is None:
        return unknown("virtualisation", "proc/cpuinfo")
    if host.hypervisor(system) is None:
        return Finding("virtualisation", kind)
    return Finding(
        "virtualisation",
        kind,
        harms=True,
        why="other machines on the same host share caches, memory bandwidth and clock rate",
        remedy="use bare metal for small differences; more rounds help against noise that comes and goes",
    )


def counters(system: System) -> Finding:
    """Look at whether hardware counters exist, and whether a user may read them."""
    paranoid = system.number(_PARANOID)
    if paranoid is None or not system.exists(_EVENTS):
        return unknown("hardware counters", _PARANOID if paranoid is None else _EVENTS)
    instead = "" if callgrind.missing() else f"; {_INSTEAD}"
    if not any(system.texts(f"{_EVENTS}/{name}/type") for name in _COUNTERS):
        return Finding(
            "hardware counters",
            f"none: the kernel knows no PMU of this {'virtual ' if host.hypervisor(system) else ''}machine",
            harms=True,
            why="without counts of instructions a small difference rests on times alone",
            remedy=_INSTEAD if instead else "install valgrind: " + _INSTEAD,
        )
    if paranoid > _OWN and not _may(system, _PERFMON, _ADMIN):
        return Finding(
            "hardware counters",
            f"not permitted: perf_event_paranoid is {paranoid}",
            harms=True,
            why="--counters instructions cannot count",
            remedy=f"sudo sysctl kernel.perf_event_paranoid=2{instead}",
        )
    return Finding("hardware counters", f"available (perf_event_paranoid is {paranoid})")


def priority(system: System) -> Finding:
    """Look at whether commands may have a higher priority than other processes."""
    status = system.text("proc/self/status")
    if status is None:
        return unknown("priority", "proc/self/status")
    highest = next(
        (line.split()[-2] for line in (system.text("proc/self/limits") or "").splitlines() if "nice priority" in line),
        "0",
    )
    if _may(system, _NICE) or highest == "unlimited":
        return Finding("priority", "free: nice = -20 in an experiment file puts its commands before all others")
    lowest = 20 - int(highest) if highest.isdigit() and int(highest) else 0
    if lowest < 0:
        return Finding("priority", f"nice = {lowest} is allowed in an experiment file")
    return Finding("priority", "no higher than usual: nice takes 0 to 19 here, and lower numbers as root")


def memory_limit(system: System) -> Finding:
    """Look at whether a command's memory can be limited, which takes a control group of our own."""
    own = system.group("memory")[:1]
    if not own:
        return unknown("memory limit", "proc/self/cgroup")
    if system.writable(own[0]):
        return Finding("memory limit", "possible: memory = '2GiB' in an experiment file")
    return Finding(
        "memory limit",
        "not possible: the control group is not ours; "
        "systemd-run --user --scope -p Delegate=yes statera run … gives one",
    )


def _may(system: System, *capabilities: int) -> bool:
    """Return whether we have one of these capabilities, by the bits of their set."""
    held = int(system.fields("proc/self/status").get("CapEff", "0"), 16)
    return any(held >> each & 1 for each in capabilities)
