"""The parts of summary.json that its readers need: comparisons, reports, charts and drill-downs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster.description import is_number
from statera.cluster.metrics import METRICS
from statera.cluster.summary import SPEC

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Kind(NamedTuple):
    """A type of plain values.

    Attributes:
        name: the name of the type.
        holds: whether a value is of this type.

    """

    name: str
    holds: Callable[[Any], bool]


class Each(NamedTuple):
    """An object with any keys, whose values all have one shape."""

    of: Any


class Maybe(NamedTuple):
    """A value of a shape, or null."""

    of: Any


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


_MISSING: Final[Any] = object()
_COUNT: Final = Kind("a count", _is_count)
_NUMBER: Final = Maybe(Kind("a number", is_number))
_TEXT: Final = Kind("text", lambda value: isinstance(value, str))
_ANY: Final = Kind("a value", lambda value: value is not _MISSING)
_VERSION: Final = Kind("a version that this statera reads", lambda value: _is_count(value) and value == SPEC)


def _object(kind: Kind | Maybe, *names: str) -> dict[str, Any]:
    return dict.fromkeys(names, kind)


_METRIC: Final = {
    "n": _COUNT,
    **_object(_NUMBER, "mean", "median", "stddev", "min", "max"),
    "quantiles": Maybe(Each(_NUMBER)),
}
_WARNING: Final = {"code": _TEXT, "source": _TEXT, "line": _COUNT, "what": _TEXT}
_BOTH: Final = {
    "spec": _VERSION,
    "observations": Each(_COUNT),
    "warnings": [_WARNING],
}
_RUN: Final[dict[str, Any]] = _BOTH | {
    "manifest": {
        **_object(_COUNT, "machines", "blocksAnalysed", "blocksRejected"),
        **_object(_NUMBER, "slotsAnalysed", "runTime"),
        "components": Each(Each(_ANY)),
        "workload": Each(_ANY),
    },
    "timing": Each(_NUMBER),
    "metrics": {metric.key: _METRIC for metric in METRICS},
    "chain": {
        **_object(_COUNT, "length", "unknownForger", "missing", "duplicateForge"),
        **_object(Maybe(_TEXT), "base", "tip", "dropped"),
        "abandoned": [_TEXT],
        "rejectedBy": Each(_COUNT),
    },
    "hosts": Each(
        _object(
            _COUNT, "lines", "noise", "broken", "cut", "other", "emitted", "analysed", "skipped", "restarts", "slots",
            "blocksForged", "blocksChained", "blocksAccepted",
        )
    ),
    "ignoredHosts": [_TEXT],
    "filters": [_TEXT],
}  # fmt: skip
_POOL: Final[dict[str, Any]] = _BOTH | {
    "runs": [_TEXT],
    "manifest": Each(_ANY),
    "metrics": {metric.key: _METRIC | {"runs": {"coefficientOfVariation": _NUMBER}} for metric in METRICS},
}


def fault(document: object) -> str | None:
    """Describe the first fault of a summary, of one run or of pooled runs; None if there is none."""
    if not isinstance(document, dict):
        return "it is not a JSON object"
    return next(_faults(document, _POOL if "runs" in document else _RUN, ""), None)


def _faults(value: Any, shape: Any, at: str) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    if isinstance(shape, Maybe):
        if value is not None:
            yield from _faults(value, shape.of, at)
    elif value is _MISSING:
        yield f"{at} is missing"
    elif isinstance(shape, Kind):
        if not shape.holds(value):
            yield f"{at} is not {shape.name}"
    elif isinstance(shape, list):
        yield from _parts(value, list, at, lambda: ((f"[{place}]", one, shape[0]) for place, one in enumerate(value)))
    elif isinstance(shape, Each):
        yield from _parts(value, dict, at, lambda: ((f".{key}", one, shape.of) for key, one in value.items()))
    else:
        yield from _parts(
            value, dict, at, lambda: ((f".{key}", value.get(key, _MISSING), of) for key, of in shape.items())
        )


def _parts(value: object, kind: type, at: str, parts: Callable[[], Iterator[tuple[str, Any, Any]]]) -> Iterator[str]:
    if not isinstance(value, kind):
        yield f"{at} is not {'a list' if kind is list else 'an object'}"
        return
    for name, one, shape in parts():
        yield from _faults(one, shape, f"{at}{name}".lstrip("."))
