"""What the lines of a run are of which none became an event."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from statera.cluster.logs.events import Counts, Events


_KINDS: Final = {
    "noise": "text, or JSON other than an object", "broken": "broken JSON", "cut": "cut off at the end of a file",
    "other": "not a log object", "skipped": "skipped",
}  # fmt: skip
_NAMES: Final = 3


def no_events(path: Path, events: Events) -> Stop:
    """Return the error that no line is an event: the lines looked for, and what the lines are instead."""
    plan = json.loads(events.mapping.plan)
    line, name = plan["line"], next((name for event in plan["events"] for name in event.get("names", ())), "…")
    lines = counted(sum(host.counts.lines for host in events.hosts), "line")
    hosts = counted(len(events.hosts), "host")
    return Stop(
        "no-events",
        f"{path}: no event of the mapping {events.mapping.name} in {lines} of {hosts}; the line of an event "
        f'is an object such as {{"{line["time"]}": …, "{line["name"]}": "{name}", …}}{_instead(events)}',
    )


def _instead(events: Events) -> str:
    """Describe what the lines are instead of events: by kind, each with file and line of an example if one was kept."""
    found: dict[str, dict[str, int]] = {kind: {} for kind in _KINDS}
    for host in events.hosts:
        for kind, reason, lines in _reasons(host.counts):
            found[kind][reason] = found[kind].get(reason, 0) + lines
    parts = [
        f"{counted(sum(reasons.values()), 'line')}: {_KINDS[kind]}{_listed(reasons)}{_example(events, kind)}"
        for kind, reasons in found.items()
        if sum(reasons.values())
    ]
    not_mapped = sum(host.counts.emitted - host.counts.mapped for host in events.hosts)
    if not_mapped:
        names = _unmapped_names(host.counts for host in events.hosts)
        parts.append(f"{counted(not_mapped, 'line')}: names that are not in the mapping{names}")
    return f"; {'; '.join(parts)}" if parts else ""


def _reasons(counts: Counts) -> Iterator[tuple[str, str, int]]:
    for kind in ("noise", "broken", "cut"):
        yield kind, "", getattr(counts, kind)
    for reason, lines in counts.others:
        yield "other", reason, lines
    for event, reason, lines in counts.skips:
        yield "skipped", f"{event} has {reason}", lines


def _listed(reasons: dict[str, int]) -> str:
    """List the reasons of a kind; several with their numbers of lines."""
    if len(reasons) == 1:
        return "".join(f", {reason}" for reason in reasons if reason)
    return f" ({', '.join(f'{lines:,} {reason}' for reason, lines in reasons.items())})"


def _example(events: Events, kind: str) -> str:
    examples = (one for host in events.hosts for one in host.counts.examples if one.reason == kind)
    return next((f", as {one.file}:{one.line}" for one in examples), "")


def _unmapped_names(all_counts: Iterator[Counts]) -> str:
    names: dict[str, int] = {}
    for counts in all_counts:
        for name, lines in counts.unmapped:
            if name:
                names[name] = names.get(name, 0) + lines
    most = sorted(names, key=lambda name: (-names[name], name))[:_NAMES]
    return f" ({', '.join(most)}{', …' if len(names) > len(most) else ''})" if most else ""
