"""Checks of what else happens on the machine: load, pressure, steal, swap, power, and limits of our group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.experiment.check.finding import Finding, unknown
from statera.experiment.readings import LIMITS
from statera.experiment.system import cores
from statera.support.wording import conjoined

if TYPE_CHECKING:
    from statera.experiment.system import System

_BUSY: Final = "`top` shows what runs: stop it, or measure when the machine is idle"
_MIB: Final = 1 << 20
# Version 1 of control groups writes this, rounded to pages, where there is no limit.
_NO_LIMIT: Final = 1 << 60
_STEAL: Final = 7


def load(system: System) -> Finding:
    """Look at how many processes ran or waited to run in the last minute."""
    words = (system.text("proc/loadavg") or "").split()
    if not words:
        return unknown("load", "proc/loadavg")
    mean, number = float(words[0]), len(system.online()) or 1
    state = f"{mean:g} in the last minute" + (f" on {number} cores" if system.online() else "")
    if mean / number <= LIMITS["other-work"].above:
        return Finding("load", state)
    return Finding("load", state, harms=True, why="other work takes cores, caches and clock rate", remedy=_BUSY)


def pressure(system: System) -> list[Finding]:
    """Look at how long tasks waited for a core, memory or a disk in the last minute."""
    remedies = {
        "cpu": _BUSY,
        "memory": "close programs that use much memory",
        "io": "stop what reads and writes files; `sudo iotop` shows it",
    }
    return [_pressure(system, of, remedy) for of, remedy in remedies.items()]


def _pressure(system: System, of: str, remedy: str) -> Finding:
    name, path = f"{of} pressure", f"proc/pressure/{of}"
    words = (system.text(path) or "").split()
    shares = dict(word.partition("=")[::2] for word in words[1:5])
    if "avg60" not in shares:
        return unknown(name, path)
    share = float(shares["avg60"]) / 100
    state = f"{100 * share:.3g} % of the last minute"
    if share <= LIMITS[f"{of}-pressure"].above:
        return Finding(name, state)
    what = {"cpu": "a core", "memory": "memory", "io": "a disk"}[of]
    return Finding(name, state, harms=True, why=f"tasks wait for {what}, and so would the commands", remedy=remedy)


def steal(system: System) -> Finding:
    """Look at the time that a hypervisor gave to others since the machine started."""
    lines = (system.text("proc/stat") or "").splitlines()
    counts = [int(word) for word in lines[0].split()[1:9]] if lines and lines[0].startswith("cpu ") else []
    if len(counts) <= _STEAL or not sum(counts):
        return unknown("steal", "proc/stat")
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


def swap(system: System) -> Finding:
    """Look at whether memory was written to disk."""
    text = system.text("proc/swaps")
    if text is None:
        return unknown("swap", "proc/swaps")
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


def power(system: System) -> Finding:
    """Look at whether the machine runs on its battery."""
    path = "sys/class/power_supply"
    if not system.exists(path):
        return unknown("power", path)
    kinds, states = system.texts(f"{path}/*/type"), system.texts(f"{path}/*/status")
    if "Battery" not in kinds:
        return Finding("power", "no battery")
    if "Discharging" not in states:
        return Finding("power", "from the mains")
    return Finding(
        "power", "from the battery", harms=True, why="the machine saves energy on its battery", remedy="plug it in"
    )


def group(system: System) -> Finding:
    """Look at what our control group and its parents allow: a part of the cores' time, memory, some of the cores."""
    folders = {name: system.group(name) for name in ("cpu", "memory", "cpuset")}
    if not any(folders.values()):
        return unknown("control group", "proc/self/cgroup")
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
