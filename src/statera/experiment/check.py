"""``statera run --check``: what on this machine disturbs measurements, and what to do. Nothing is changed.

A check looks at the files of the system and returns the state of one thing; ``_CHECKS`` is the table of all of them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.experiment import counters, host
from statera.experiment.host import HERE, System, cores
from statera.experiment.readings import LIMITS
from statera.output.views.tables import aligned
from statera.output.views.texts import folded
from statera.support.wording import NOTHING, conjoined, counted, form, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CPU: Final = "sys/devices/system/cpu"
_PSTATE: Final = f"{_CPU}/intel_pstate/no_turbo"
_BOOST: Final = f"{_CPU}/cpufreq/boost"
_CLOCK: Final = "sys/devices/system/clocksource/clocksource0"
_NODES: Final = "sys/devices/system/node"
_POWER: Final = "sys/class/power_supply"
_RANDOM: Final = "proc/sys/kernel/randomize_va_space"
_PARANOID: Final = "proc/sys/kernel/perf_event_paranoid"
_EVENTS: Final = "sys/bus/event_source/devices"
# The kernel reads these in tens of nanoseconds and without a call, all others in a microsecond or more.
_FAST_CLOCKS: Final = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "stp", "timebase")
# Hardware counters of a processor: x86, x86 with two kinds of cores, ARM, POWER, RISC-V.
_COUNTERS: Final = ("cpu", "cpu_core", "armv8*", "armv9*", "hv_24x7", "riscv*")
_FULLY_RANDOM: Final = 2
# Above this, a user may not count what his own programs do.
_OWN: Final = 2
# Capabilities.
_NICE, _ADMIN, _PERFMON = 23, 21, 38
_MIB: Final = 1 << 20
# Version 1 of control groups writes this, rounded to pages, where there is no limit.
_NO_LIMIT: Final = 1 << 60
# The field of /proc/stat.
_STEAL: Final = 7
_BUSY: Final = "`top` shows what runs: stop it, or measure when the machine is idle"
_INSTEAD: Final = "--counters callgrind counts instructions without them"


class Finding(NamedTuple):
    """The state of one thing that may disturb measurements."""

    name: str  # what was looked at
    state: str  # how it is
    harms: bool | None = False  # whether it disturbs measurements; None if the system does not tell how it is
    why: str = ""  # what it does to measurements; empty if it does no harm
    remedy: str = ""  # what to do: an exact command, or words


class _Missing(NamedTuple):
    """The file that would tell is not there."""

    path: str


class _Harmful(NamedTuple):
    """A state that disturbs measurements; ``why`` replaces what the table says."""

    state: str
    remedy: str
    why: str = ""


# A text is a state that does no harm.
_State = str | _Missing | _Harmful


def _virtualisation(system: System) -> _State:
    kind = host.virtualisation(system)
    if kind is None:
        return _Missing("proc/cpuinfo")
    if host.hypervisor(system) is None:
        return kind
    return _Harmful(kind, "use bare metal for small differences; more rounds help against noise that comes and goes")


def _governor(system: System) -> _State:
    states = system.texts(f"{_CPU}/cpu[0-9]*/cpufreq/scaling_governor")
    if not states:
        return _Missing(f"{_CPU}/cpu0/cpufreq/scaling_governor")
    if set(states) == {"performance"}:
        return _of_cores(states)
    return _Harmful(_of_cores(states), f"echo performance | sudo tee /{_CPU}/cpu*/cpufreq/scaling_governor")


def _of_cores(states: Sequence[str]) -> str:
    """Write the states of several cores: ``powersave on 8 of 8``."""
    counts = {state: states.count(state) for state in dict.fromkeys(states)}
    if len(counts) == 1:
        return f"{states[0]} on {len(states)} of {len(states)}"
    return conjoined([f"{state} on {count}" for state, count in counts.items()]) if counts else NOTHING


def _turbo(system: System) -> _State:
    forbidden, boost = system.number(_PSTATE), system.number(_BOOST)
    if forbidden is None and boost is None:
        return _Missing(_BOOST)
    if forbidden or boost == 0:
        return "off"
    return _Harmful("on", f"echo 1 | sudo tee /{_PSTATE}" if forbidden is not None else f"echo 0 | sudo tee /{_BOOST}")


def _threads(system: System) -> _State:
    path = f"{_CPU}/smt/active"
    active = system.number(path)
    if active is None:
        return _Missing(path)
    return _Harmful("on", f"echo off | sudo tee /{_CPU}/smt/control") if active else "off: each core has one thread"


def _heat(system: System) -> _State:
    of_cores, of_packages = (
        [int(count) for count in counts if count.isdigit()]
        for counts in (
            system.texts(f"{_CPU}/cpu[0-9]*/thermal_throttle/{of}_throttle_count") for of in ("core", "package")
        )
    )
    if not of_cores and not of_packages:
        return _Missing(f"{_CPU}/cpu0/thermal_throttle/core_throttle_count")
    # Each core of a package tells the count of the package.
    times = sum(of_cores) + max(of_packages, default=0)
    if not times:
        return "none since the machine started"
    return _Harmful(
        f"{counted(times, 'time')} since the machine started",
        "let it cool between the commands (cool = '2s' in an experiment file); turbo off helps as well",
    )


def _power(system: System) -> _State:
    if not system.exists(_POWER):
        return _Missing(_POWER)
    if "Battery" not in system.texts(f"{_POWER}/*/type"):
        return "no battery"
    if "Discharging" not in system.texts(f"{_POWER}/*/status"):
        return "from the mains"
    return _Harmful("from the battery", "plug it in")


def _layout(system: System) -> _State:
    value = system.number(_RANDOM)
    if value is None:
        return _Missing(_RANDOM)
    if value >= _FULLY_RANDOM:
        return "on, as it should be: no layout of memory favours a variant in every round"
    return _Harmful("off" if value == 0 else "in part", "sudo sysctl kernel.randomize_va_space=2")


def _load(system: System) -> _State:
    words = (system.text("proc/loadavg") or "").split()
    if not words:
        return _Missing("proc/loadavg")
    mean, number = float(words[0]), len(system.online()) or 1
    state = f"{mean:g} in the last minute" + (f" on {number} cores" if system.online() else "")
    return state if mean / number <= LIMITS["other-work"].above else _Harmful(state, _BUSY)


def _pressure(system: System, of: str, remedy: str) -> _State:
    path = f"proc/pressure/{of}"
    words = (system.text(path) or "").split()
    shares = dict(word.partition("=")[::2] for word in words[1:5])
    if "avg60" not in shares:
        return _Missing(path)
    share = float(shares["avg60"]) / 100
    state = f"{100 * share:.3g} % of the last minute"
    return state if share <= LIMITS[f"{of}-pressure"].above else _Harmful(state, remedy)


def _steal(system: System) -> _State:
    lines = (system.text("proc/stat") or "").splitlines()
    counts = [int(word) for word in lines[0].split()[1:9]] if lines and lines[0].startswith("cpu ") else []
    if len(counts) <= _STEAL or not sum(counts):
        return _Missing("proc/stat")
    share = counts[_STEAL] / sum(counts)
    state = f"{100 * share:.2g} % since the machine started"
    if share <= LIMITS["steal"].above:
        return state
    return _Harmful(state, "use a machine with dedicated cores, or measure at another time")


def _swap(system: System) -> _State:
    text = system.text("proc/swaps")
    if text is None:
        return _Missing("proc/swaps")
    # Filename, type, size, used, priority; a name may hold spaces.
    areas = [line.split() for line in text.splitlines()[1:]]
    used = sum(int(used) * 1024 for _, _, *_, used, _ in (area for area in areas if area[3:]))
    if not areas:
        return "none"
    return _Harmful(f"{used / _MIB:,.0f} MiB in use", "sudo swapoff -a") if used else "there, and not in use"


def _group(system: System) -> _State:
    """Look at what our control group and its parents allow: a part of the cores' time, memory, some of the cores."""
    folders = {name: system.group(name) for name in ("cpu", "memory", "cpuset")}
    if not any(folders.values()):
        return _Missing("proc/self/cgroup")
    quota = min(filter(None, (_quota(system, at) for at in folders["cpu"])), default=None)
    memory = min(filter(None, (_memory(system, at) for at in folders["memory"])), default=None)
    parts = [
        f"{quota:g} cores' time" if quota else "",
        f"{memory / _MIB:,.0f} MiB of memory" if memory else "",
        _some_cores(system, folders["cpuset"]),
    ]
    state = f"limited to {conjoined([part for part in parts if part])}" if any(parts) else "no limits"
    if quota is None:
        return state
    stops = max(int(system.fields(f"{at}/cpu.stat", " ").get("nr_throttled", "0")) for at in folders["cpu"])
    return _Harmful(
        state + (f", which stopped it {stops:,} times" if stops else ""),
        "give the container whole cores (docker run --cpuset-cpus=2,3) instead of a part of their time (--cpus)",
    )


def _quota(system: System, at: str) -> float | None:
    words = (system.text(f"{at}/cpu.max") or "").split()
    if not words:
        words = [system.text(f"{at}/cpu.cfs_quota_us") or "", system.text(f"{at}/cpu.cfs_period_us") or ""]
    match words:
        case [quota, period] if quota.isdigit() and period.isdigit() and int(quota) and int(period):
            return int(quota) / int(period)
    return None


def _memory(system: System, at: str) -> int | None:
    limit = system.number(f"{at}/memory.max") or system.number(f"{at}/memory.limit_in_bytes")
    return limit if limit and limit < _NO_LIMIT else None


def _some_cores(system: System, folders: list[str]) -> str:
    """Return the cores of our group, if they are not all."""
    names = [f"{at}/{name}" for at in folders[:1] for name in ("cpuset.cpus.effective", "cpuset.effective_cpus")]
    listed = next(filter(None, map(system.text, names)), "")
    return f"cores {listed}" if listed and set(cores(listed)) < set(system.online()) else ""


def _clock(system: System) -> _State:
    path = f"{_CLOCK}/current_clocksource"
    current = system.text(path)
    if current is None:
        return _Missing(path)
    if current in _FAST_CLOCKS:
        return current
    available = (system.text(f"{_CLOCK}/available_clocksource") or "").split()
    better = next((name for name in _FAST_CLOCKS if name in available), None)
    slow = "the kernel offers no faster clock. Let a benchmark read the clock seldom"
    return _Harmful(current, f"echo {better} | sudo tee /{path}" if better else slow)


def _isolated(system: System) -> _State:
    path = f"{_CPU}/isolated"
    listed = system.text(path)
    if listed is None:
        return _Missing(path)
    return f"{listed}: --pin isolated uses them" if listed else "none"


def _nodes(system: System) -> _State:
    online = system.text(f"{_NODES}/online")
    if online is None:
        return _Missing(f"{_NODES}/online")
    if online.isdigit():
        return "one node"
    first = system.text(f"{_NODES}/node0/cpulist")
    return _Harmful(f"nodes {online}", f"--pin {first or 'with the cores of one node (lscpu lists them)'}")


def _counters(system: System) -> _State:
    paranoid = system.number(_PARANOID)
    if paranoid is None or not system.exists(_EVENTS):
        return _Missing(_PARANOID if paranoid is None else _EVENTS)
    there = counters.missing() is None
    if not any(system.texts(f"{_EVENTS}/{name}/type") for name in _COUNTERS):
        return _Harmful(
            f"none: the kernel knows no PMU of this {'virtual ' if host.hypervisor(system) else ''}machine",
            _INSTEAD if there else f"install valgrind: {_INSTEAD}",
        )
    if paranoid > _OWN and not _may(system, _PERFMON, _ADMIN):
        return _Harmful(
            f"not permitted: perf_event_paranoid is {paranoid}",
            "sudo sysctl kernel.perf_event_paranoid=2" + (f"; {_INSTEAD}" if there else ""),
            why="--counters instructions cannot count",
        )
    return f"available (perf_event_paranoid is {paranoid})"


def can_count(system: System) -> bool:
    """Return whether a user may read hardware counters here."""
    return isinstance(_counters(system), str)


def countable(names: Sequence[str], system: System) -> tuple[tuple[str, ...], str]:
    """Return what is counted here, and a sentence if that is something else than was asked for.

    Where nobody may read the counters of the processor, callgrind counts instructions. Other events then have no count,
    and the reason stands in their place.
    """
    replaced = [name for name in names if name.partition(":")[0] == "instructions"]
    if not replaced or can_count(system) or counters.missing() is not None:
        return tuple(names), ""
    others = [name for name in names if name not in replaced and name != counters.NAME]
    words = f"this machine counts no {listed(replaced)}: callgrind counts instructions instead"
    return (*others, counters.NAME), words


def _priority(system: System) -> _State:
    if system.text("proc/self/status") is None:
        return _Missing("proc/self/status")
    lines = (system.text("proc/self/limits") or "").splitlines()
    highest = next((line.split()[-2] for line in lines if "nice priority" in line), "0")
    if _may(system, _NICE) or highest == "unlimited":
        return "free: nice = -20 in an experiment file puts its commands before all others"
    lowest = 20 - int(highest) if highest.isdigit() and int(highest) else 0
    if lowest < 0:
        return f"nice = {lowest} is allowed in an experiment file"
    return "no higher than usual: nice takes 0 to 19 here, and lower numbers as root"


def _memory_limit(system: System) -> _State:
    """Look at whether a command's memory can be limited, which takes a control group of our own."""
    own = system.group("memory")[:1]
    if not own:
        return _Missing("proc/self/cgroup")
    if system.writable(own[0]):
        return "possible: memory = '2GiB' in an experiment file"
    return (
        "not possible: the control group is not ours; "
        "systemd-run --user --scope -p Delegate=yes statera run … gives one"
    )


def _may(system: System, *capabilities: int) -> bool:
    """Return whether we have one of these capabilities, by the bits of their set."""
    held = int(system.fields("proc/self/status").get("CapEff", "0"), 16)
    return any(held >> each & 1 for each in capabilities)


# What is looked at, in the order of the table: its name, why it harms if it does, and the check.
_CHECKS: Final[tuple[tuple[str, str, Callable[[System], _State]], ...]] = (
    (
        "virtualisation",
        "other machines on the same host share caches, memory bandwidth and clock rate",
        _virtualisation,
    ),
    ("governor", "the clock rate follows the load, so that a command is slower after a pause", _governor),
    ("turbo", "the clock rate depends on heat and on the other cores", _turbo),
    ("SMT", "what runs on the other thread of a core takes up to half of it", _threads),
    ("thermal throttling", "the processor slows down when it is too hot, so that later commands take longer", _heat),
    ("power", "the machine saves energy on its battery", _power),
    ("ASLR", "each variant keeps one layout of memory, whose luck looks like a difference", _layout),
    ("load", "other work takes cores, caches and clock rate", _load),
    ("cpu pressure", "tasks wait for a core, and so would the commands", partial(_pressure, of="cpu", remedy=_BUSY)),
    (
        "memory pressure",
        "tasks wait for memory, and so would the commands",
        partial(_pressure, of="memory", remedy="close programs that use much memory"),
    ),
    (
        "io pressure",
        "tasks wait for a disk, and so would the commands",
        partial(_pressure, of="io", remedy="stop what reads and writes files; `sudo iotop` shows it"),
    ),
    ("steal", "the hypervisor stops this machine for others, which it sees only as lost time", _steal),
    ("swap", "a command waits for the disk when its memory comes back from there", _swap),
    ("control group", "all processes of the group stop for the rest of a period when its time is used up", _group),
    ("clock", "programs that time themselves wait a microsecond or more for each reading", _clock),
    ("isolated cores", "", _isolated),
    ("NUMA", "a command is slower when its memory is at another node than its core", _nodes),
    ("hardware counters", "without counts of instructions a small difference rests on times alone", _counters),
    ("priority", "", _priority),
    ("memory limit", "", _memory_limit),
)


def findings(system: System = HERE) -> list[Finding]:
    """Look at everything; what the system does not tell is unknown, never fine."""
    return [_finding(name, why, look(system)) for name, why, look in _CHECKS]


def _finding(name: str, why: str, state: _State) -> Finding:
    if isinstance(state, _Missing):
        return Finding(name, f"no /{state.path}", None)
    if isinstance(state, _Harmful):
        return Finding(name, state.state, harms=True, why=state.why or why, remedy=state.remedy)
    return Finding(name, state)


_HARMS: Final = {True: "yes", False: "no", None: "unknown"}
_BOLD, _RED, _PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"


def text(found: Sequence[Finding], width: int | None = None, *, colour: bool = False) -> str:
    """Write a line for each finding, then what to do about those that harm."""
    rows = [["", "harms", "state"]]
    rows += [[each.name, _HARMS[each.harms], _native.printable(each.state)] for each in found]
    lines = aligned(rows, left=3).splitlines()
    if colour:
        lines[0] = f"{_BOLD}{lines[0]}{_PLAIN}"
        marked = [each.harms for each in found]
        lines[1:] = [f"{_RED}{line}{_PLAIN}" if harms else line for line, harms in zip(lines[1:], marked, strict=True)]
    lines += ["", folded(_summary(found), width)]
    for each in found:
        if each.harms:
            lines += ["", folded(f"{each.name}: {each.why}", width), f"    {_native.printable(each.remedy)}"]
    return "\n".join([*lines, ""])


def _summary(found: Sequence[Finding]) -> str:
    harming = [each for each in found if each.harms]
    untold = sum(each.harms is None for each in found)
    told = f" {counted(untold, 'thing')} {form(untold, 'is', 'are')} unknown here." if untold else ""
    if not harming:
        return f"Nothing that statera could look at disturbs measurements.{told}"
    number = counted(len(harming), "thing")
    return f"{number} {form(len(harming), 'disturbs', 'disturb')} measurements; statera changes none of them.{told}"
