"""Which variants were measured after which others, where the results state when."""

from __future__ import annotations

from statera.reading.formats import keys_that
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from statera.reading.observations import Context

_DATES: Final = keys_that(lambda key: key.role == "date")
# A date in ISO 8601 without a time; a longer number is a count of seconds or of parts of them.
_DAY: Final = len("2026-11-21")


class Moment(NamedTuple):
    """A time, which can be compared with others of the same kind: seconds, days, or times with or without a zone."""

    kind: str
    seconds: float


def in_sequence(
    contexts: list[Context], variant_of: list[int | None], pairs: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return (earlier, later) for each pair of variants of which one was measured completely before the other.

    It is known only if all values state when they were measured, all in the same way; the order of files and of values
    says nothing.
    """
    found: dict[int, list[float]] = {}
    kinds = set()
    for context, variant in zip(contexts, variant_of, strict=True):
        if variant is None or not context.values:
            continue
        measured = moment(context.keys)
        if measured is None:
            return []
        kinds.add(measured.kind)
        found.setdefault(variant, []).append(measured.seconds)
    if len(kinds) != 1:
        return []
    spans = {variant: (min(times), max(times)) for variant, times in found.items()}
    known = ((a, b) for a, b in pairs if a in spans and b in spans)
    ordered = ((a, b) if spans[a] <= spans[b] else (b, a) for a, b in known)
    return [(a, b) for a, b in ordered if spans[a][1] < spans[b][0]]


def moment(keys: dict[str, str]) -> Moment | None:
    """Return when the values of a configuration were measured, from its keys of dates; None if it is not stated."""
    texts = [keys[key] for key in sorted(_DATES & keys.keys()) if keys[key]]
    if not texts:
        return None
    # `date` comes before `time`: both together are a time of that day.
    return next((found for text in ("T".join(texts), *texts) if (found := _parsed(text)) is not None), None)


def _parsed(text: str) -> Moment | None:
    if text.isdigit() and len(text) > _DAY - 2:
        return Moment("seconds", float(text))
    from datetime import UTC, datetime  # noqa: PLC0415 - most results state no date

    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    if parsed.tzinfo is not None:
        return Moment("zone", parsed.timestamp())
    return Moment("day" if len(text) <= _DAY else "local", parsed.replace(tzinfo=UTC).timestamp())
