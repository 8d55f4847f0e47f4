"""Checks of the processor: its clock rate, its threads, its heat, its clocks and its layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.experiment.check.finding import Finding, several, unknown
from statera.support.wording import counted

if TYPE_CHECKING:
    from statera.experiment.system import System

_CPU: Final = "sys/devices/system/cpu"
_PSTATE: Final = f"{_CPU}/intel_pstate/no_turbo"
_BOOST: Final = f"{_CPU}/cpufreq/boost"
_CLOCK: Final = "sys/devices/system/clocksource/clocksource0"
# The kernel reads these in tens of nanoseconds and without a call, all others in a microsecond or more.
_FAST_CLOCKS: Final = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "stp", "timebase")


def governor(system: System) -> Finding:
    """Look at who sets the clock rate."""
    states = system.texts(f"{_CPU}/cpu[0-9]*/cpufreq/scaling_governor")
    if not states:
        return unknown("governor", f"{_CPU}/cpu0/cpufreq/scaling_governor")
    if set(states) == {"performance"}:
        return Finding("governor", several(states))
    return Finding(
        "governor",
        several(states),
        harms=True,
        why="the clock rate follows the load, so that a command is slower after a pause",
        remedy=f"echo performance | sudo tee /{_CPU}/cpu*/cpufreq/scaling_governor",
    )


def turbo(system: System) -> Finding:
    """Look at whether the clock rate rises above the nominal one while there is heat to spare."""
    forbidden, boost = system.number(_PSTATE), system.number(_BOOST)
    if forbidden is None and boost is None:
        return unknown("turbo", _BOOST)
    if forbidden or boost == 0:
        return Finding("turbo", "off")
    command = f"echo 1 | sudo tee /{_PSTATE}" if forbidden is not None else f"echo 0 | sudo tee /{_BOOST}"
    return Finding(
        "turbo", "on", harms=True, why="the clock rate depends on heat and on the other cores", remedy=command
    )


def threads(system: System) -> Finding:
    """Look at whether two hardware threads share a core."""
    path = f"{_CPU}/smt/active"
    active = system.number(path)
    if active is None:
        return unknown("SMT", path)
    if not active:
        return Finding("SMT", "off: each core has one thread")
    return Finding(
        "SMT",
        "on",
        harms=True,
        why="what runs on the other thread of a core takes up to half of it",
        remedy=f"echo off | sudo tee /{_CPU}/smt/control",
    )


def heat(system: System) -> Finding:
    """Look at whether the processor was too hot since the machine started."""
    path = f"{_CPU}/cpu0/thermal_throttle/core_throttle_count"
    cores, packages = (_counts(system, of) for of in ("core", "package"))
    if not cores and not packages:
        return unknown("thermal throttling", path)
    # Each core of a package tells the count of the package.
    times = sum(cores) + max(packages, default=0)
    if not times:
        return Finding("thermal throttling", "none since the machine started")
    return Finding(
        "thermal throttling",
        f"{counted(times, 'time')} since the machine started",
        harms=True,
        why="the processor slows down when it is too hot, so that later commands take longer",
        remedy="let it cool between the commands (cool = '2s' in an experiment file); turbo off helps as well",
    )


def _counts(system: System, of: str) -> list[int]:
    counts = system.texts(f"{_CPU}/cpu[0-9]*/thermal_throttle/{of}_throttle_count")
    return [int(count) for count in counts if count.isdigit()]


def clock(system: System) -> Finding:
    """Look at the clock that programs read."""
    current = system.text(f"{_CLOCK}/current_clocksource")
    if current is None:
        return unknown("clock", f"{_CLOCK}/current_clocksource")
    if current in _FAST_CLOCKS:
        return Finding("clock", current)
    available = (system.text(f"{_CLOCK}/available_clocksource") or "").split()
    better = next((name for name in _FAST_CLOCKS if name in available), None)
    return Finding(
        "clock",
        current,
        harms=True,
        why="programs that time themselves wait a microsecond or more for each reading",
        remedy=f"echo {better} | sudo tee /{_CLOCK}/current_clocksource"
        if better
        else "the kernel offers no faster clock; let a benchmark read the clock seldom",
    )


def isolated(system: System) -> Finding:
    """Look for cores that the kernel leaves alone."""
    path = f"{_CPU}/isolated"
    cores = system.text(path)
    if cores is None:
        return unknown("isolated cores", path)
    return Finding("isolated cores", f"{cores}: --pin isolated uses them" if cores else "none")


def nodes(system: System) -> Finding:
    """Look at whether memory is nearer to some cores than to others."""
    path = "sys/devices/system/node/online"
    online = system.text(path)
    if online is None:
        return unknown("NUMA", path)
    if online.isdigit():
        return Finding("NUMA", "one node")
    first = system.text("sys/devices/system/node/node0/cpulist")
    return Finding(
        "NUMA",
        f"nodes {online}",
        harms=True,
        why="a command is slower when its memory is at another node than its core",
        remedy=f"--pin {first}" if first else "--pin with the cores of one node (lscpu lists them)",
    )
