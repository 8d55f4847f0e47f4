"""The Atom feed of the alerts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_URL, uuid5

from statera import _native
from statera.history import words
from statera.history.instants import moment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.history.site.material import Case, Material

_MOST: Final = 50
# An entry must say when it changed, even if nobody knows.
_UNKNOWN: Final = "1970-01-01T00:00:00+00:00"


def feed(material: Material) -> str:
    """Write the feed: an entry for each of the newest alerts; it changes when somebody decides about it."""
    cases = material.cases[:_MOST]
    updated = max((_updated(case, material) for case in cases), default=_UNKNOWN)
    entries = "".join("".join(_entry(case, material)) for case in cases)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n'
        f"<id>{_id(material.project)}</id>\n<title>{_text(material.project)}: alerts</title>\n"
        f"<updated>{_text(updated)}</updated>\n"
        '<author><name>statera</name></author>\n<link rel="self" href="feed.xml"/>\n<link href="index.html"/>\n'
        f"{entries}</feed>\n"
    )


def _entry(case: Case, material: Material) -> Iterator[str]:
    alert = case.alert
    yield f"<entry>\n<id>{_id(material.project, alert.id)}</id>\n"
    yield f"<title>{_text(words.headline(alert))}</title>\n<updated>{_text(_updated(case, material))}</updated>\n"
    yield f'<link href="alerts/{alert.id}.html"/>\n<category term="{_text(case.state.word)}"/>\n'
    where = f"On {alert.branch}, begins at {words.commits(alert, material.analysis)}. State: {words.state(case.state)}."
    yield f"<summary>{_text(where)}</summary>\n</entry>\n"


def _updated(case: Case, material: Material) -> str:
    """Return when an alert changed last: when somebody decided, otherwise when the job began that told it."""
    raised = material.analysis.orders[case.alert.branch].commits[case.alert.raised]
    started = [
        job.job.started for part in case.alert.parts[:1] for job in part.track.line.jobs if job.job.commit == raised
    ]
    stated = [*(str(event.get("when", "")) for event in case.events), *started]
    return max(filter(None, map(_moment, stated)), default=_UNKNOWN)


def _moment(text: str) -> str:
    """Write a moment in UTC, so that texts compare as moments do; empty if it is none."""
    found = moment(text)
    return found.isoformat(timespec="seconds") if found else ""


def _id(*names: str) -> str:
    return f"urn:uuid:{uuid5(NAMESPACE_URL, ' '.join(('statera history', *names)))}"


def _text(value: str) -> str:
    return escape(_native.printable(value))
