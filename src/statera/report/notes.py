"""The analysts' prose: Markdown without HTML, placed by its headings, with inline values that stay true."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from statera.errors import Stop
from statera.report.model import Analysis, Section

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token


_VALUE: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_HOOK: Final = re.compile(r"#\s+(\w+)\s*#*\s*$")
# Code, in fences or in a line, shows its signs by itself.
_CODE_OR_TAG: Final = re.compile(
    r"(^(?:```|~~~).*?^(?:```|~~~)[^\n]*$|(?<!`)(?P<signs>`+)(?!`).*?(?<!`)(?P=signs)(?!`))|<", re.DOTALL | re.MULTILINE
)
_FENCE: Final = re.compile(r"\s{0,3}(```+|~~~+)")


class Values(Protocol):
    """The values that prose can name."""

    def written(self, expression: str) -> str:
        """Return what an expression stands for, as Markdown; a ValueError says what is wrong with it."""


class Part(NamedTuple):
    """A piece of the notes: the key of the section that it goes to, empty for its own; and where it begins."""

    key: str
    text: str
    line: int


def parser() -> MarkdownIt:
    """Return the parser: CommonMark with tables, HTML shown as text."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - an extra

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image"])


def parts(text: str, keys: Sequence[str]) -> list[Part]:
    """Cut notes at their headings ``# summary``, ``# method`` …; other headings stay where they are.

    Args:
        text: of the notes.
        keys: the sections to which a heading can send what follows.

    """
    found = [Part("", "", 1)]
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1][:3]
        hook = None if fence else _HOOK.match(line)
        if hook and hook[1].lower() in keys:
            found.append(Part(hook[1].lower(), "", number + 1))
        else:
            found[-1] = found[-1]._replace(text=f"{found[-1].text}{line}\n")
    return [part for part in found if part.text.strip()]


def filled(part: Part, name: str, values: Values) -> str:
    """Put the values into a part.

    Raises:
        Stop: when a value names what is not there; with the line, and what there is.

    """

    def value(match: re.Match[str]) -> str:
        line = part.line + part.text.count("\n", 0, match.start())
        try:
            return values.written(match[1])
        except ValueError as error:
            raise Stop("bad-notes", f"{name}:{line}: {{{{{match[1]}}}}}: {error}") from None

    return _VALUE.sub(value, part.text)


def placed(
    sections: tuple[Section, ...], text: str, name: str, values: Values, titles: Mapping[str, str]
) -> tuple[Section, ...]:
    """Put notes into a report: what a heading sends to a section at its beginning, the rest after the summary.

    Args:
        sections: of the report.
        text: the notes.
        name: of their file.
        values: what they can name.
        titles: of every section that there can be, in the order of the report, by its key.

    """
    known = {section.key: section for section in sections}
    of: dict[str, list[Analysis]] = {}
    for part in parts(text, tuple(titles)):
        made = filled(part, name, values)
        # What keeps GitHub from linking is nothing that the other outputs need.
        tokens = tuple(parser().parse(made.replace("\u2060", "")))
        of.setdefault(part.key, []).append(Analysis(made, tokens))
    found = []
    for key, title in titles.items():
        blocks = tuple(of.get(key, ()))
        section = known.get(key)
        if section is not None:
            found.append(section.with_blocks((*blocks, *section.blocks)))
        elif blocks:
            found.append(Section(key, title, blocks))
        if key == "summary" and "" in of:
            found.append(Section("analysis", "Analysis", tuple(of[""])))
    return tuple(found)


def without_html(text: str) -> str:
    """Write Markdown so that what looks like HTML in it stays text, as it does in the other outputs."""
    return _CODE_OR_TAG.sub(lambda match: match[1] or "&lt;", text)


def nodes(tokens: Sequence[Token]) -> list[dict[str, Any]]:
    """Return parsed Markdown as a tree for typst: paragraphs, headings, lists, quotes, code, tables."""
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415 - an extra

    return [_node(child) for child in SyntaxTreeNode(list(tokens)).children]


def _node(node: Any) -> dict[str, Any]:  # noqa: ANN401 - of a library that is loaded late
    if node.type in {"paragraph", "heading"}:
        return {"kind": node.type, "children": _inline(node.children[0].children if node.children else [])}
    if node.type in {"bullet_list", "ordered_list"}:
        items = [[_node(child) for child in item.children] for item in node.children]
        return {"kind": "list", "ordered": node.type == "ordered_list", "items": items}
    if node.type == "table":
        return _table(node)
    if node.type == "blockquote":
        return {"kind": "quote", "children": [_node(child) for child in node.children]}
    # What is left is code, fenced or indented, and the line between paragraphs.
    return {"kind": "rule"} if node.type == "hr" else {"kind": "code", "text": node.content.rstrip("\n")}


def _table(node: Any) -> dict[str, Any]:  # noqa: ANN401
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
