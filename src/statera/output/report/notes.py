"""The analysts' prose: Markdown without HTML, placed by its headings, with inline values from the results.

An inline value is ``{{ effect("totalTime", "SplitUMElem", ghc="9.6.2") }}``: a call of a known function with texts;
nothing is evaluated. Names without a keyword are looked up among metrics, variants and benchmarks, so that their order
does not matter.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from statera import _native
from statera.comparison.codes import OF
from statera.output.report.model import Analysis, Banner, Section
from statera.support.errors import Stop
from statera.support.wording import listed, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token
    from markdown_it.tree import SyntaxTreeNode

    from statera.comparison.results.comparison import Comparison
    from statera.output.report.material import Material

_VALUE: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_HOOK: Final = re.compile(r"#\s+(\w+)\s*#*\s*$")
# Code blocks and inline code show characters literally.
_CODE_OR_TAG: Final = re.compile(
    r"(^(?:```|~~~).*?^(?:```|~~~)[^\n]*$|(?<!`)(?P<signs>`+)(?!`).*?(?<!`)(?P=signs)(?!`))|<", re.DOTALL | re.MULTILINE
)
_FENCE: Final = re.compile(r"\s{0,3}(```+|~~~+)")


class Lookup(Protocol):
    """The values that prose can refer to."""

    def written(self, expression: str) -> str:
        """Return the value of an expression as Markdown; a ValueError describes an invalid expression."""


class NotesPart(NamedTuple):
    """A part of the notes: the key of its section, empty for a section of its own; and the line where it begins."""

    key: str
    text: str
    line: int


def parser() -> MarkdownIt:
    """Return the parser: CommonMark with tables; HTML is shown as text."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image"])


def parts(text: str, keys: Sequence[str]) -> list[NotesPart]:
    """Split notes at headings that are keys of sections, ``# summary``, ``# method`` …; others stay in the parts."""
    found = [NotesPart("", "", 1)]
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1][:3]
        hook = None if fence else _HOOK.match(line)
        if hook and hook[1].lower() in keys:
            found.append(NotesPart(hook[1].lower(), "", number + 1))
        else:
            found[-1] = found[-1]._replace(text=f"{found[-1].text}{line}\n")
    return [part for part in found if part.text.strip()]


def filled(part: NotesPart, name: str, values: Lookup) -> str:
    """Fill in the values of a part.

    Raises ``Stop`` if a value does not exist; the text names the line and the values that exist.
    """

    def value(match: re.Match[str]) -> str:
        line = part.line + part.text.count("\n", 0, match.start())
        try:
            return values.written(match[1])
        except ValueError as error:
            raise Stop("bad-notes", f"{name}:{line}: {{{{{match[1]}}}}}: {error}") from None

    return _VALUE.sub(value, part.text)


def placed(
    sections: tuple[Section, ...], text: str, name: str, values: Lookup, titles: Mapping[str, str]
) -> tuple[Section, ...]:
    """Insert notes into a report: parts for a section at its beginning but after the answer, others after the summary.

    ``name`` is that of their file, and they can refer to ``values``. ``titles`` has those of all possible sections by
    key, in the order of the report.
    """
    known = {section.key: section for section in sections}
    of: dict[str, list[Analysis]] = {}
    for part in parts(text, tuple(titles)):
        made = filled(part, name, values)
        # Only GitHub needs the characters that prevent automatic links.
        tokens = tuple(parser().parse(made.replace("\u2060", "")))
        of.setdefault(part.key, []).append(Analysis(made, tokens))
    found = []
    for key, title in titles.items():
        blocks = tuple(of.get(key, ()))
        section = known.get(key)
        if section is not None:
            # The answer stays the first thing of the report.
            answer, rest = section.blocks[:1], section.blocks[1:]
            if not answer or not isinstance(answer[0], Banner):
                answer, rest = (), section.blocks
            found.append(section.with_blocks((*answer, *blocks, *rest)))
        elif blocks:
            found.append(Section(key, title, blocks))
        if key == "summary" and "" in of:
            found.append(Section("analysis", "Analysis", tuple(of[""])))
    return tuple(found)


def without_html(text: str) -> str:
    """Write Markdown in which text that looks like HTML stays text, as in the other outputs."""
    return _CODE_OR_TAG.sub(lambda match: match[1] or "&lt;", text)


def nodes(tokens: Sequence[Token]) -> list[dict[str, Any]]:
    """Convert parsed Markdown to a tree for typst: paragraphs, headings, lists, quotes, code, tables."""
    from markdown_it.tree import SyntaxTreeNode

    return [_node(child) for child in SyntaxTreeNode(list(tokens)).children]


def _node(node: SyntaxTreeNode) -> dict[str, Any]:
    if node.type in {"paragraph", "heading"}:
        return {"kind": node.type, "children": _inline(node.children[0].children if node.children else [])}
    if node.type in {"bullet_list", "ordered_list"}:
        items = [[_node(child) for child in item.children] for item in node.children]
        return {"kind": "list", "ordered": node.type == "ordered_list", "items": items}
    if node.type == "table":
        return _table(node)
    if node.type == "blockquote":
        return {"kind": "quote", "children": [_node(child) for child in node.children]}
    # The remaining kinds are code, fenced or indented, and the rule between paragraphs.
    return {"kind": "rule"} if node.type == "hr" else {"kind": "code", "text": node.content.rstrip("\n")}


def _table(node: SyntaxTreeNode) -> dict[str, Any]:
    rows = [
        [{"nodes": _inline(cell.children[0].children if cell.children else [])} for cell in row.children]
        for part in node.children
        for row in part.children
    ]
    head, *body = rows
    return {"kind": "table", "columns": len(head), "head": [cell["nodes"] for cell in head], "body": body}


def _inline(children: Sequence[Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for child in children:
        if child.type in {"strong", "em"}:
            found.append({"kind": child.type, "children": _inline(child.children)})
        elif child.type == "link":
            target = str(child.attrs.get("href", ""))
            found.append({"kind": "link", "target": target, "children": _inline(child.children)})
        elif child.type == "code_inline":
            found.append({"kind": "code", "text": child.content})
        elif child.type == "hardbreak":
            found.append({"kind": "break"})
        else:
            found.append({"kind": "text", "text": " " if child.type == "softbreak" else child.content})
    return found


_LISTED: Final = 8
_PLACES: Final = ("metric", "variant", "benchmark")


class _Asked(NamedTuple):
    """The request of an expression; None for parts that it does not state. ``levels`` are levels of factors."""

    metric: str | None = None
    variant: str | None = None
    benchmark: str | None = None
    against: str | None = None
    levels: tuple[tuple[str, str], ...] = ()


class _Match(NamedTuple):
    """A row, its comparison, and its names."""

    comparison: Comparison
    place: int
    fields: dict[str, Any]
    levels: dict[str, str]


class Values:
    """The values that prose can refer to."""

    def __init__(self, material: Material) -> None:
        self._rows = [
            [_match(question.comparison, index) for index in range(len(question.comparison))]
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

        Raises ``ValueError`` if it is not a call of a known function, or names something unknown; the text lists what
        exists.
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

    def row(self, asked: _Asked) -> _Match:
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


def _match(comparison: Comparison, place: int) -> _Match:
    fields, arrangement = comparison.weighing.row_dict(place), comparison.arrangement
    return _Match(comparison, place, fields, arrangement.levels[arrangement.groups.index(fields["group"])])


def _side(row: _Match, side: str, column: str) -> str:
    if column == "n":
        return f"{row.fields[f'{side}_n']:,}"
    return shown(row.comparison.weighing.cell(row.place, f"{side}_centre"))


def _fits(row: _Match, asked: _Asked, side: str) -> bool:
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


def _one(found: Sequence[list[_Match]]) -> _Match:
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
        raise ValueError(f"{len(rows)} rows match. Add one of these names: {_some(dict.fromkeys(names))}")
    return rows[0]


def call(expression: str) -> tuple[str, list[str], dict[str, str]]:
    """Parse a call into its name, texts and named texts, without running it."""
    wanted = 'write a call with texts, as in effect("metric", "variant", factor="level")'
    try:
        node = ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(wanted) from None
    match node:
        case ast.Call(func=ast.Name(id=function)):
            keywords = {}
        case _:
            raise ValueError(wanted)
    for each in node.keywords:
        if each.arg is None:
            raise ValueError(wanted)
        keywords[each.arg] = _text(each.value, wanted)
    return function, [_text(each, wanted) for each in node.args], keywords


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
    "verdict": lambda values, asked: OF[values.row(asked).fields["verdict"]].word,
    "median": lambda values, asked: values.side(asked, "centre"),
    "n": lambda values, asked: values.side(asked, "n"),
}
