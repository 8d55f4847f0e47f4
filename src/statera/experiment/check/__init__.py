"""``statera run --check``: what on this machine disturbs measurements, and what to do. Nothing is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.experiment.check import load, processor, rights
from statera.experiment.check.finding import Finding
from statera.experiment.system import System
from statera.output.views.columns import aligned
from statera.output.views.terminal import folded
from statera.support.wording import counted, form

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Finding", "findings", "text"]

_HARMS = {True: "yes", False: "no", None: "unknown"}
_BOLD, _RED, _PLAIN = "\x1b[1m", "\x1b[31m", "\x1b[0m"


def findings(system: System | None = None) -> list[Finding]:
    """Look at everything; what the system does not tell is unknown, never fine."""
    system = system or System()
    return [
        rights.virtualisation(system),
        processor.governor(system),
        processor.turbo(system),
        processor.threads(system),
        processor.heat(system),
        load.power(system),
        rights.layout(system),
        load.load(system),
        *load.pressure(system),
        load.steal(system),
        load.swap(system),
        load.group(system),
        processor.clock(system),
        processor.isolated(system),
        processor.nodes(system),
        rights.counters(system),
        rights.priority(system),
        rights.memory_limit(system),
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
