"""A job: one execution of benchmarks for one commit on one machine; its facts, its times and its lane."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import pairwise
from sys import intern
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.errors import Stop
from statera.support.files.names import as_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


VERSION: Final = "history/1"
# How many commits of a branch's line a job carries at most.
LINE: Final = 500
# What a stranger's upload may state: names longer than this are none.
_LONGEST: Final = 4096
_MOST_KEYS: Final = 200
_KEY: Final = "statera"
_HASH: Final = re.compile("[0-9a-f]{64}")
_TEXTS: Final = ("project", "branch", "commit", "subject", "committed", "started", "url", "who")
# What results and machines call the same fact.
_SAME: Final = {
    "cpu": ("cpu", "cpu_model_name", "machine"),
    "runner": ("runner", "host", "hostname"),
    "os": ("os", "operatingSystem", "platform"),
}
Lane = tuple[tuple[str, str], ...]


class Job(NamedTuple):
    """What is known of a job."""

    project: str
    branch: str  # the branch that the commit was measured on
    commit: str  # the name of the commit; of git, all its digits
    subject: str = ""  # the first line of its message
    # committed, started: when the commit and the job were made, ISO 8601; empty if unknown.
    committed: str = ""
    started: str = ""
    url: str = ""  # the page of the run that measured it
    who: str = ""  # who or what added it
    parents: tuple[str, ...] | None = None  # the commit's parents; None if unknown
    # The commit and its first parents, newest first, as far as they are known and another job needs them.
    line: tuple[str, ...] = ()
    # Facts about the machine, by name.
    environment: Mapping[str, str] = {}
    # The trailers ``Statera-Expect`` of the commits of the line, each with its commit.
    expects: tuple[tuple[str, str], ...] = ()


class Stored(NamedTuple):
    """A job in a history."""

    id: str  # the hash of its upload
    job: Job
    file: int  # the number of the file that has it
    place: int  # its number in that file


def to_json(jobs: Sequence[tuple[str, Job]]) -> str:
    """Write jobs as the list of an upload; an empty id stands for the hash of the file itself.

    Of several jobs, commits that one line repeats of another are written once: ``follow`` says how many go on behind
    the end of a line as the others say.
    """
    stated = [
        {
            _KEY: VERSION,
            **({"id": id_} if id_ else {}),
            **as_texts(job._replace(line=job.line[:end])._asdict()),
            **({"follow": len(job.line) - end} if end < len(job.line) else {}),
        }
        for (id_, job), end in zip(jobs, _ends(jobs), strict=True)
    ]
    return json.dumps(
        stated,
        allow_nan=False,
        sort_keys=True,
        separators=(",", ":"),
    )


def _ends(jobs: Sequence[tuple[str, Job]]) -> list[int]:
    """Return how many commits of each line are written: the rest follows from the lines of jobs that began earlier.

    Where lines contradict each other, all of them are written.
    """
    parents: dict[str, set[str]] = {}
    for _, job in jobs:
        for commit, parent in pairwise(job.line):
            parents.setdefault(commit, set()).add(parent)
    written: set[str] = set()
    ends = [0] * len(jobs)
    for number in sorted(range(len(jobs)), key=lambda number: (jobs[number][1].started, jobs[number][0])):
        line = jobs[number][1].line
        end = len(line)
        while end > 1 and line[end - 2] in written and len(parents[line[end - 2]]) == 1:
            end -= 1
        written.update(line[: end - 1])
        ends[number] = end
    return ends


def _followed(listed: list[object], jobs: list[tuple[str, Job]]) -> list[tuple[str, Job]]:
    """Return jobs with whole lines."""
    if len(jobs) == 1:
        return jobs
    parents = dict(pair for _, job in jobs for pair in pairwise(job.line))
    found = []
    for stated, (id_, job) in zip(listed, jobs, strict=True):
        count = stated.get("follow") if isinstance(stated, dict) else None
        line = list(job.line)
        most = min(len(line) + count, LINE) if isinstance(count, int) and line else 0
        while len(line) < most and line[-1] in parents:
            line.append(parents[line[-1]])
        found.append((id_, job._replace(line=tuple(line))))
    return found


def from_json(text: str, file: str) -> list[tuple[str, Job]]:
    """Read the jobs of an upload, each with its id, or an empty text for the hash of the file, which messages name."""
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        raise _bad(file, "its jobs are not JSON") from None
    if not isinstance(listed, list) or not listed:
        raise _bad(file, "it names no job")
    return _followed(listed, [_job(each, file) for each in listed])


def _job(stated: object, file: str) -> tuple[str, Job]:
    if not isinstance(stated, dict) or stated.get(_KEY) != VERSION:
        said = stated.get(_KEY) if isinstance(stated, dict) else None
        raise _bad(file, f"its jobs are of version {said!r}, and this statera reads {VERSION!r}. Use a newer one")
    texts = {name: stated.get(name, "") for name in _TEXTS}
    for name, value in texts.items():
        if not isinstance(value, str) or len(value) > _LONGEST:
            raise _bad(file, f"{name} is not text of at most {_LONGEST} characters")
    for name in ("project", "branch", "commit"):
        if not texts[name]:
            raise _bad(file, f"{name} is empty")
    id_ = stated.get("id", "")
    if not isinstance(id_, str) or (id_ and not is_hash(id_)):
        raise _bad(file, "the id of a job is not a hash")
    parents = stated.get("parents")
    return id_, Job(
        **texts,
        parents=None if parents is None else _names(parents, "parents", file),
        line=_names(stated.get("line", []), "line", file)[:LINE],
        environment=_environment(stated.get("environment", {}), file),
        expects=_expects(stated.get("expects", []), file),
    )


def is_hash(text: str) -> bool:
    """Return whether a text is a SHA-256 as it names an upload: 64 hexadecimal digits."""
    return _HASH.fullmatch(text) is not None


def _names(stated: object, what: str, file: str) -> tuple[str, ...]:
    if not isinstance(stated, list) or not all(isinstance(each, str) and 0 < len(each) <= _LONGEST for each in stated):
        raise _bad(file, f"{what} is not a list of commits")
    # The lines of jobs repeat each other.
    return tuple(map(intern, stated))


def _environment(stated: object, file: str) -> dict[str, str]:
    if (
        not isinstance(stated, dict)
        or len(stated) > _MOST_KEYS
        or not all(isinstance(value, str) and len(key) + len(value) <= _LONGEST for key, value in stated.items())
    ):
        raise _bad(file, f"environment is not an object of at most {_MOST_KEYS} texts")
    return dict(stated)


def _expects(stated: object, file: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(stated, list) or not all(
        isinstance(each, list) and [*map(type, each)] == [str, str] for each in stated
    ):
        raise _bad(file, "expects is not a list of commits with their trailers")
    return tuple((commit, text) for commit, text in stated)


def _bad(file: str, why: str) -> Stop:
    return Stop("bad-upload", f"{file}: it is not an upload of statera: {why}")


def lane_of(environment: Mapping[str, str], keys: Iterable[str]) -> Lane:
    """Return the facts that keep a job apart from those of other machines; one that nobody knows is empty."""
    return tuple((key, fact_of(environment, key)) for key in keys)


def fact_of(environment: Mapping[str, str], key: str) -> str:
    """Return a fact about a machine, whatever name results have for it; an empty text if nobody knows it."""
    return next((environment[name] for name in _SAME.get(key, (key,)) if environment.get(name)), "")


def lane_name(lane: Lane) -> str:
    """Return how outputs name a lane."""
    return " · ".join(value for _, value in lane if value) or "any machine"


def iso(seconds: float | None) -> str:
    """Write a time, ISO 8601 in UTC; empty if it is None or beyond all calendars."""
    try:
        return "" if seconds is None else datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def moment(text: str) -> datetime | None:
    """Return the moment that a text of ISO 8601 states, in UTC; None if it states none. Local times count as UTC."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def now(precision: str = "seconds") -> str:
    """Return the time, ISO 8601 in UTC; decisions state milliseconds, which keep their order."""
    return datetime.now(tz=UTC).isoformat(timespec=precision)


def time_of(stored: Stored) -> datetime | None:
    """Return when a job began, otherwise when its commit was made; None if nobody knows."""
    return moment(stored.job.started) or moment(stored.job.committed)
