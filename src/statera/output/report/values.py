"""Inline values of the analysts' prose: ``effect("totalTime", "SplitUMElem", ghc="9.6.2")``.

An expression is a call of a known function with text arguments; nothing is evaluated. Names without a keyword are
looked up among metrics, variants and benchmarks, so that their order does not matter.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import words
from statera.support.wording import listed, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.output.report.material import Material

_LISTED: Final = 8
_PLACES: Final = ("metric", "variant", "benchmark")


class _Asked(NamedTuple):
    """The request of an expression; None for parts that it does not state. ``levels`` are levels of factors."""

    metric: str | None = None
    variant: str | None = None
    benchmark: str | None = None
    against: str | None = None
    levels: tuple[tuple[str, str], ...] = ()


class _Row(NamedTuple):
    """A row, its comparison, and its names."""

    comparison: Comparison
    place: int
    fields: dict[str, Any]
    levels: dict[str, str]


class Values:
    """The values that prose can refer to."""

    def __init__(self, material: Material) -> None:
        self._rows = [
            [_row(question.comparison, index) for index in range(len(question.comparison))]
            for question in material.questions
        ]
        every = [row.fields for rows in self._rows for row in rows]
        self._known = {
            "metric": dict.fromkeys(fields["metric"] for fields in every),
            "variant": dict.fromkeys(fields[side] for fields in every for side in ("baseline", "contender")),
            "benchmark": dict.fromkeys(fields["benchmark"] for fields in every),
        }
        self._levels = dict.fromkeys(level for rows in self._rows for row in rows for level in row.levels.items())

    def written(self, expression: str) -> str:
        """Return the value of an expression as Markdown.

        Raises:
            ValueError: it is not a call of a known function, or names something unknown; the text lists what exists.

        """
        function, names, keywords = call(expression)
        if function not in _FUNCTIONS:
            raise ValueError(
                f"there is no {function}(); the functions are {', '.join(f'{each}()' for each in _FUNCTIONS)}"
            )
        if not self._known["metric"]:
            raise ValueError("nothing was compared, so that there are no values")
        asked = self._asked(names, keywords)
        return _native.markdown_text(_FUNCTIONS[function](self, asked))

    def _asked(self, names: list[str], keywords: dict[str, str]) -> _Asked:
        found: dict[str, str] = {}
        for name in names:
            places = [place for place in _PLACES if name in self._known[place] and place not in found]
            if not places:
                known = "; ".join(f"{place}s: {_some(self._known[place])}" for place in _PLACES)
                raise ValueError(f"no metric, variant or benchmark is named {name!r}; there are {known}")
            found[places[0]] = name
        levels = []
        for key, value in keywords.items():
            if key == "against" or key in _PLACES:
                self._must_know("variant" if key == "against" else key, value)
                found[key] = value
            elif (key, value) in self._levels:
                levels.append((key, value))
            else:
                levels_known = [f"{name}: {level}" for name, level in self._levels]
                raise ValueError(f"no level is {key}: {value}; there are {_some(levels_known) or 'none'}")
        return _Asked(**found, levels=tuple(levels))

    def _must_know(self, place: str, name: str) -> None:
        if name not in self._known[place]:
            raise ValueError(f"no {place} is named {name!r}; there are {_some(self._known[place])}")

    def row(self, asked: _Asked) -> _Row:
        """Return the single requested row, from the first question that has one."""
        return _one([[row for row in rows if _fits(row, asked, "contender")] for rows in self._rows])

    def side(self, asked: _Asked, column: str) -> str:
        """Return a cell of one side of a row, the contender or the baseline."""
        for name in ("contender", "baseline"):
            rows = [[row for row in each if _fits(row, asked, name)] for each in self._rows]
            if any(rows) and (name == "baseline" or asked.variant is not None):
                found = {_side(row, name, column): row for row in next(each for each in rows if each)}
                return next(iter(found)) if len(found) == 1 else _side(_one(rows), name, column)
        return _side(self.row(asked), "contender", column)


def _row(comparison: Comparison, place: int) -> _Row:
    fields, arrangement = comparison.weighing.row_dict(place), comparison.arrangement
    return _Row(comparison, place, fields, arrangement.levels[arrangement.groups.index(fields["group"])])


def _side(row: _Row, side: str, column: str) -> str:
    if column == "n":
        return f"{row.fields[f'{side}_n']:,}"
    return shown(row.comparison.weighing.cell(row.place, f"{side}_centre"))


def _fits(row: _Row, asked: _Asked, side: str) -> bool:
    fields = row.fields
    wanted = (
        (asked.metric, fields["metric"]),
        (asked.variant, fields[side]),
        (asked.benchmark, fields["benchmark"]),
        (asked.against, fields["baseline"]),
    )
    if any(name is not None and name != found for name, found in wanted):
        return False
    return all(row.levels.get(key) == value for key, value in asked.levels)


def _one(found: Sequence[list[_Row]]) -> _Row:
    rows = next((each for each in found if each), [])
    if not rows:
        raise ValueError("no row matches all of these names together")
    if len(rows) > 1:
        names = [
            " ".join(
                _native.printable(row.fields[key]) for key in ("benchmark", "metric", "contender", "group")
            ).strip()
            for row in rows
        ]
        raise ValueError(f"{len(rows)} rows match; add one of these names: {_some(dict.fromkeys(names))}")
    return rows[0]


def call(expression: str) -> tuple[str, list[str], dict[str, str]]:
    """Parse a call into its name, texts and named texts, without running it."""
    wanted = 'write a call with texts, as in effect("metric", "variant", factor="level")'
    try:
        node = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(wanted) from None
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        raise ValueError(wanted)  # noqa: TRY004 - it is the text that is wrong
    keywords = {}
    for each in node.keywords:
        if each.arg is None:
            raise ValueError(wanted)
        keywords[each.arg] = _text(each.value, wanted)
    return node.func.id, [_text(each, wanted) for each in node.args], keywords


def _text(node: ast.expr, wanted: str) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float)):
        return str(node.value)
    raise ValueError(wanted)


def _some(names: Iterable[str]) -> str:
    return listed((_native.printable(name) for name in names), _LISTED)


def _cell(column: str) -> Callable[[Values, _Asked], str]:
    def of(values: Values, asked: _Asked) -> str:
        row = values.row(asked)
        return shown(row.comparison.weighing.cell(row.place, column))

    return of


_FUNCTIONS: Final[dict[str, Callable[[Values, _Asked], str]]] = {
    "effect": _cell("change"),
    "interval": _cell("interval"),
    "p": _cell("p"),
    "verdict": lambda values, asked: words(values.row(asked).fields["verdict"]),
    "median": lambda values, asked: values.side(asked, "centre"),
    "n": lambda values, asked: values.side(asked, "n"),
}
