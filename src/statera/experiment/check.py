"""``statera run --check``: what on this machine disturbs measurements, and what to do. Nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.experiment import callgrind, host
from statera.experiment.host import System, cores
from statera.experiment.readings import LIMITS
from statera.output.views.columns import aligned
from statera.output.views.terminal import folded
from statera.support.wording import NOTHING, conjoined, counted, form

if TYPE_CHECKING:
    from collections.abc import Sequence


_CPU: Final = "sys/devices/system/cpu"
_PSTATE: Final = f"{_CPU}/intel_pstate/no_turbo"
_BOOST: Final = f"{_CPU}/cpufreq/boost"
_CLOCK: Final = "sys/devices/system/clocksource/clocksource0"
# The kernel reads these in tens of nanoseconds and without a call, all others in a microsecond or more.
_FAST_CLOCKS: Final = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "stp", "timebase")
_BUSY: Final = "`top` shows what runs: stop it, or measure when the machine is idle"
_MIB: Final = 1 << 20
# Version 1 of control groups writes this, rounded to pages, where there is no limit.
_NO_LIMIT: Final = 1 << 60
_STEAL: Final = 7
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
__all__ = ["Finding", "findings", "text"]
_HARMS = {True: "yes", False: "no", None: "unknown"}
_BOLD, _RED, _PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"


class Finding(NamedTuple):
    """The state of one thing that may disturb measurements.

    Attributes:
        name: what was looked at.
        state: how it is.
        harms: whether it disturbs measurements; None if the system does not tell how it is.
        why: what it does to measurements; empty if it does no harm.
        remedy: what to do: an exact command, or words.

    """

    name: str
    state: str
    harms: bool | None = False
    why: str = ""
    remedy: str = ""


def _unknown(name: str, path: str) -> Finding:
    """Return what is said where the system has no such file."""
    return Finding(name, f"no /{path}", None)


def _several(states: Sequence[str]) -> str:
    """Write the states of several cores: ``powersave on 8 of 8``."""
    counts = {state: states.count(state) for state in dict.fromkeys(states)}
    if len(counts) == 1:
        return f"{states[0]} on {len(states)} of {len(states)}"
    return conjoined([f"{state} on {count}" for state, count in counts.items()]) if counts else NOTHING


def _governor(system: System) -> Finding:
    """Look at who sets the clock rate."""
    states = system.texts(f"{_CPU}/cpu[0-9]*/cpufreq/scaling_governor")
    if not states:
        return _unknown("governor", f"{_CPU}/cpu0/cpufreq/scaling_governor")
    if set(states) == {"performance"}:
        return Finding("governor", _several(states))
    return Finding(
        "governor",
        _several(states),
        harms=True,
        why="the clock rate follows the load, so that a command is slower after a pause",
        remedy=f"echo performance | sudo tee /{_CPU}/cpu*/cpufreq/scaling_governor",
    )


def _turbo(system: System) -> Finding:
    """Look at whether the clock rate rises above the nominal one while there is heat to spare."""
    forbidden, boost = system.number(_PSTATE), system.number(_BOOST)
    if forbidden is None and boost is None:
        return _unknown("turbo", _BOOST)
    if forbidden or boost == 0:
        return Finding("turbo", "off")
    command = f"echo 1 | sudo tee /{_PSTATE}" if forbidden is not None else f"echo 0 | sudo tee /{_BOOST}"
    return Finding(
        "turbo", "on", harms=True, why="the clock rate depends on heat and on the other cores", remedy=command
    )


def _threads(system: System) -> Finding:
    """Look at whether two hardware threads share a core."""
    path = f"{_CPU}/smt/active"
    active = system.number(path)
    if active is None:
        return _unknown("SMT", path)
    if not active:
        return Finding("SMT", "off: each core has one thread")
    return Finding(
        "SMT",
        "on",
        harms=True,
        why="what runs on the other thread of a core takes up to half of it",
        remedy=f"echo off | sudo tee /{_CPU}/smt/control",
    )


def _heat(system: System) -> Finding:
    """Look at whether the processor was too hot since the machine started."""
    path = f"{_CPU}/cpu0/thermal_throttle/core_throttle_count"
    cores, packages = (_counts(system, of) for of in ("core", "package"))
    if not cores and not packages:
        return _unknown("thermal throttling", path)
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


def _clock(system: System) -> Finding:
    """Look at the clock that programs read."""
    current = system.text(f"{_CLOCK}/current_clocksource")
    if current is None:
        return _unknown("clock", f"{_CLOCK}/current_clocksource")
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


def _isolated(system: System) -> Finding:
    """Look for cores that the kernel leaves alone."""
    path = f"{_CPU}/isolated"
    cores = system.text(path)
    if cores is None:
        return _unknown("isolated cores", path)
    return Finding("isolated cores", f"{cores}: --pin isolated uses them" if cores else "none")


def _nodes(system: System) -> Finding:
    """Look at whether memory is nearer to some cores than to others."""
    path = "sys/devices/system/node/online"
    online = system.text(path)
    if online is None:
        return _unknown("NUMA", path)
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


def _load(system: System) -> Finding:
    """Look at how many processes ran or waited to run in the last minute."""
    words = (system.text("proc/loadavg") or "").split()
    if not words:
        return _unknown("load", "proc/loadavg")
    mean, number = float(words[0]), len(system.online()) or 1
    state = f"{mean:g} in the last minute" + (f" on {number} cores" if system.online() else "")
    if mean / number <= LIMITS["other-work"].above:
        return Finding("load", state)
    return Finding("load", state, harms=True, why="other work takes cores, caches and clock rate", remedy=_BUSY)


def _pressure(system: System) -> list[Finding]:
    """Look at how long tasks waited for a core, memory or a disk in the last minute."""
    remedies = {
        "cpu": _BUSY,
        "memory": "close programs that use much memory",
        "io": "stop what reads and writes files; `sudo iotop` shows it",
    }
    return [_one_pressure(system, of, remedy) for of, remedy in remedies.items()]


def _one_pressure(system: System, of: str, remedy: str) -> Finding:
    name, path = f"{of} pressure", f"proc/pressure/{of}"
    words = (system.text(path) or "").split()
    shares = dict(word.partition("=")[::2] for word in words[1:5])
    if "avg60" not in shares:
        return _unknown(name, path)
    share = float(shares["avg60"]) / 100
    state = f"{100 * share:.3g} % of the last minute"
    if share <= LIMITS[f"{of}-pressure"].above:
        return Finding(name, state)
    what = {"cpu": "a core", "memory": "memory", "io": "a disk"}[of]
    return Finding(name, state, harms=True, why=f"tasks wait for {what}, and so would the commands", remedy=remedy)


def _steal(system: System) -> Finding:
    """Look at the time that a hypervisor gave to others since the machine started."""
    lines = (system.text("proc/stat") or "").splitlines()
    counts = [int(word) for word in lines[0].split()[1:9]] if lines and lines[0].startswith("cpu ") else []
    if len(counts) <= _STEAL or not sum(counts):
        return _unknown("steal", "proc/stat")
    share = counts[_STEAL] / sum(counts)
    state = f"{100 * share:.2g} % since the machine started"
    if share <= LIMITS["steal"].above:
        return Finding("steal", state)
    return Finding(
        "steal",
        state,
        harms=True,
        why="the hypervisor stops this machine for others, which it sees only as lost time",
        remedy="use a machine with cores of its own, or measure at another time",
    )


def _swap(system: System) -> Finding:
    """Look at whether memory was written to disk."""
    text = system.text("proc/swaps")
    if text is None:
        return _unknown("swap", "proc/swaps")
    used = sum(int(line.split()[-2]) * 1024 for line in text.splitlines()[1:] if len(line.split()) > 3)  # noqa: PLR2004
    if not text.splitlines()[1:]:
        return Finding("swap", "none")
    if not used:
        return Finding("swap", "there, and not in use")
    return Finding(
        "swap",
        f"{used / _MIB:,.0f} MiB in use",
        harms=True,
        why="a command waits for the disk when its memory comes back from there",
        remedy="sudo swapoff -a",
    )


def _power(system: System) -> Finding:
    """Look at whether the machine runs on its battery."""
    path = "sys/class/power_supply"
    if not system.exists(path):
        return _unknown("power", path)
    kinds, states = system.texts(f"{path}/*/type"), system.texts(f"{path}/*/status")
    if "Battery" not in kinds:
        return Finding("power", "no battery")
    if "Discharging" not in states:
        return Finding("power", "from the mains")
    return Finding(
        "power", "from the battery", harms=True, why="the machine saves energy on its battery", remedy="plug it in"
    )


def _group(system: System) -> Finding:
    """Look at what our control group and its parents allow: a part of the cores' time, memory, some of the cores."""
    folders = {name: system.group(name) for name in ("cpu", "memory", "cpuset")}
    if not any(folders.values()):
        return _unknown("control group", "proc/self/cgroup")
    quota = min(filter(None, (_quota(system, at) for at in folders["cpu"])), default=None)
    memory = min(filter(None, (_memory(system, at) for at in folders["memory"])), default=None)
    parts = [
        f"{quota:g} cores' time" if quota else "",
        f"{memory / _MIB:,.0f} MiB of memory" if memory else "",
        _cores(system, folders["cpuset"]),
    ]
    state = f"limited to {conjoined([part for part in parts if part])}" if any(parts) else "no limits"
    if quota is None:
        return Finding("control group", state)
    return Finding(
        "control group",
        state + _stopped(system, folders["cpu"]),
        harms=True,
        why="all processes of the group stop for the rest of a period when its time is used up",
        remedy="give the container whole cores (docker run --cpuset-cpus=2,3) instead of a part of their time (--cpus)",
    )


def _quota(system: System, at: str) -> float | None:
    words = (system.text(f"{at}/cpu.max") or "").split()
    if not words:
        words = [system.text(f"{at}/cpu.cfs_quota_us") or "", system.text(f"{at}/cpu.cfs_period_us") or ""]
    if len(words) != 2 or not all(word.isdigit() and int(word) for word in words):  # noqa: PLR2004
        return None
    return int(words[0]) / int(words[1])


def _memory(system: System, at: str) -> int | None:
    limit = system.number(f"{at}/memory.max") or system.number(f"{at}/memory.limit_in_bytes")
    return limit if limit and limit < _NO_LIMIT else None


def _cores(system: System, folders: list[str]) -> str:
    """Return the cores of our group, if they are not all."""
    names = [f"{at}/{name}" for at in folders[:1] for name in ("cpuset.cpus.effective", "cpuset.effective_cpus")]
    listed = next(filter(None, map(system.text, names)), "")
    return f"cores {listed}" if listed and set(cores(listed)) < set(system.online()) else ""


def _stopped(system: System, folders: list[str]) -> str:
    counts = [int(system.fields(f"{at}/cpu.stat", " ").get("nr_throttled", "0")) for at in folders]
    return f", which stopped it {max(counts):,} times" if any(counts) else ""


def _layout(system: System) -> Finding:
    """Look at whether the addresses of a program are random."""
    value = system.number(_RANDOM)
    if value is None:
        return _unknown("ASLR", _RANDOM)
    if value >= _FULL:
        return Finding("ASLR", "on, as it should be: no layout of memory favours a variant in every round")
    return Finding(
        "ASLR",
        "off" if value == 0 else "in part",
        harms=True,
        why="each variant keeps one layout of memory, whose luck looks like a difference",
        remedy="sudo sysctl kernel.randomize_va_space=2",
    )


def _virtualisation(system: System) -> Finding:
    """Look at whether the machine shares its cores with others."""
    kind = host.virtualisation(system)
    if kind is None:
        return _unknown("virtualisation", "proc/cpuinfo")
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
        return _unknown("hardware counters", _PARANOID if paranoid is None else _EVENTS)
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


def _priority(system: System) -> Finding:
    """Look at whether commands may have a higher priority than other processes."""
    status = system.text("proc/self/status")
    if status is None:
        return _unknown("priority", "proc/self/status")
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


def _memory_limit(system: System) -> Finding:
    """Look at whether a command's memory can be limited, which takes a control group of our own."""
    own = system.group("memory")[:1]
    if not own:
        return _unknown("memory limit", "proc/self/cgroup")
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


def findings(system: System | None = None) -> list[Finding]:
    """Look at everything; what the system does not tell is unknown, never fine."""
    system = system or System()
    return [
        _virtualisation(system),
        _governor(system),
        _turbo(system),
        _threads(system),
        _heat(system),
        _power(system),
        _layout(system),
        _load(system),
        *_pressure(system),
        _steal(system),
        _swap(system),
        _group(system),
        _clock(system),
        _isolated(system),
        _nodes(system),
        counters(system),
        _priority(system),
        _memory_limit(system),
    ]


def text(found: Sequence[Finding], width: int | None = None, *, colour: bool = False) -> str:
    """Write a line for each finding, then what to do about those that harm."""
    rows = [["", "harms", "state"]]
    rows += [[each.name, _HARMS[each.harms], _native.printable(each.state)] for each in found]
    lines = aligned(rows, left=3).splitlines()
    if colour:
        lines[0] = f"{_BOLD}{lines[0]}{_PLAIN}"
        marked = [each.harms for each in found]
        lines[1:] = [f"{_RED}{line}{_PLAIN}" if harms else line for line, harms in zip(lines[1:], marked, strict=True)]
    return "\n".join([*lines, "", folded(_summary(found), width), *_advice(found, width), ""])


def _summary(found: Sequence[Finding]) -> str:
    harming = [each for each in found if each.harms]
    untold = sum(each.harms is None for each in found)
    told = f" {counted(untold, 'thing')} {form(untold, 'is', 'are')} unknown here." if untold else ""
    if not harming:
        return f"Nothing that statera could look at disturbs measurements.{told}"
    number = counted(len(harming), "thing")
    return f"{number} {form(len(harming), 'disturbs', 'disturb')} measurements; statera changes none of them.{told}"


def _advice(found: Sequence[Finding], width: int | None) -> list[str]:
    lines: list[str] = []
    for each in found:
        if each.harms:
            lines += ["", folded(f"{each.name}: {each.why}", width), f"    {_native.printable(each.remedy)}"]
    return lines
