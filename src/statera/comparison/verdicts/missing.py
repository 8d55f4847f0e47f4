"""What only one build has, and why nothing has values in both, with the option that helps."""

from __future__ import annotations

from statera import _native
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

_SCANNED = 1000
# Names of strangers can state any number of keys, and be long.
_KEYS = 20
_LONGEST = 60
_NAMED = 3
# Parts of a word by which a renamed benchmark resembles another one, at least.
_ALIKE = 0.5


class Missing(NamedTuple):
    """What the contenders lack, each row in one list.

    Attributes:
        gone: rows of subjects that they lack altogether.
        levels: rows of subjects that they lack at some levels only.
        metrics: rows of benchmarks that they have, but not in this metric.

    """

    gone: list[int]
    levels: list[int]
    metrics: list[int]


def missing(weighing: _native.Weighing, leads: Iterable[int], subject: str) -> Missing:
    """Tell apart what missing rows lack; ``leads`` are the rows that speak for the subjects."""
    rows, at_level = set(weighing.with_verdict(["missing"])), set(weighing.at_one_level())
    # Where metrics are the subjects, one that is missing is gone.
    metrics = weighing.missing_metrics() if subject == "benchmark" else []
    lost = [row for row in leads if row in rows]
    held = at_level | set(metrics)
    return Missing(
        [row for row in lost if row not in held],
        [row for row in lost if row in at_level],
        metrics,
    )


class _Side(NamedTuple):
    """The benchmarks that one build has alone, and their metrics with their units."""

    benchmarks: list[str]
    metrics: dict[str, str]


def why(weighing: _native.Weighing) -> str:
    """Say why nothing was compared, and which option helps; empty if something was compared."""
    if any(design != "one-sided" for design, _, _, _ in weighing.kinds()):
        return ""
    lost, new = (_side(weighing, verdict) for verdict in ("missing", "new"))
    if not lost.benchmarks or not new.benchmarks:
        return f"only {'the baseline' if lost.benchmarks else 'the contender'} has values"
    if not set(lost.benchmarks).isdisjoint(new.benchmarks):
        return _other_metrics(lost.metrics, new.metrics)
    for key in weighing.keys_of_names()[:_KEYS]:
        of = {_without(name, key): name for name in lost.benchmarks if _without(name, key) != name}
        found = next((name for name in new.benchmarks if name != _without(name, key) in of), None)
        if found is not None:
            pair = f"{_named(of[_without(found, key)])} and {_named(found)}"
            return f"the names of the builds differ only in {key}, as {pair} do. --pool {_quoted(key)} compares them"
    return _other_names(lost.benchmarks, new.benchmarks)


def _other_metrics(lost: dict[str, str], new: dict[str, str]) -> str:
    for name, unit in lost.items():
        if new.get(name, unit) != unit:
            of = (_native.printable(each) or "no unit" for each in (unit, new[name]))
            return f"{_named(name)} is in {' in the baseline and in '.join(of)} in the contender"
    return f"the builds have no metric in common: {_list(lost)} in the baseline, {_list(new)} in the contender"


def _other_names(lost: list[str], new: list[str]) -> str:
    pairs = ((name, near) for name in lost[:_KEYS] for near in _native.nearest(name, new, 1) if _alike(name, near))
    found = next(pairs, None)
    said = f"the builds have no benchmark in common: {_list(lost)} in the baseline, {_list(new)} in the contender"
    example = "OLD=NEW" if found is None else _quoted("=".join(found))
    return f"{said}. --rename {example} compares a benchmark with its new name"


def _alike(one: str, other: str) -> bool:
    from difflib import SequenceMatcher  # noqa: PLC0415 - only where nothing was compared

    return SequenceMatcher(None, one, other).ratio() >= _ALIKE


def _side(weighing: _native.Weighing, verdict: str) -> _Side:
    rows = [weighing.row_dict(row) for row in weighing.with_verdict([verdict])[:_SCANNED]]
    return _Side(list(dict.fromkeys(row["benchmark"] for row in rows)), {row["metric"]: row["unit"] for row in rows})


def _without(name: str, key: str) -> str:
    """Return a name without the part that states a key: ``size=64``, ``threads:4``, and Go's ``-8``."""
    import re  # noqa: PLC0415 - most comparisons have all rows

    if key == "gomaxprocs":
        return re.sub(r"-\d+$", "", name)
    return re.sub(rf"(^|/){re.escape(key)}[=:][^/]*?(?=/|-\d+$|$)", "", name)


def _list(names: Iterable[str]) -> str:
    return listed(map(_named, names), _NAMED)


def _named(name: str) -> str:
    return _native.shortened(_native.printable(name), _LONGEST)


def _quoted(word: str) -> str:
    """Write a word as a shell takes it; what no terminal shows can only be written by the user."""
    from shlex import quote  # noqa: PLC0415 - only where nothing was compared

    return quote(word) if _native.printable(word) == word else _native.printable(word)
