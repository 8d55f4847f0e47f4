"""The analysts' prose: Markdown without HTML, placed by its headings, with inline values from the results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from statera.output.report.model import Analysis, Banner, Section
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token


_VALUE: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_HOOK: Final = re.compile(r"#\s+(\w+)\s*#*\s*$")
# Code blocks and inline code show characters literally.
_CODE_OR_TAG: Final = re.compile(
    r"(^(?:```|~~~).*?^(?:```|~~~)[^\n]*$|(?<!`)(?P<signs>`+)(?!`).*?(?<!`)(?P=signs)(?!`))|<", re.DOTALL | re.MULTILINE
)
_FENCE: Final = re.compile(r"\s{0,3}(```+|~~~+)")


class Values(Protocol):
    """The values that prose can refer to."""

    def written(self, expression: str) -> str:
        """Return the value of an expression as Markdown; a ValueError describes an invalid expression."""


class Part(NamedTuple):
    """A part of the notes: the key of its section, empty for a section of its own; and the line where it begins."""

    key: str
    text: str
    line: int


def parser() -> MarkdownIt:
    """Return the parser: CommonMark with tables; HTML is shown as text."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - an extra

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image"])


def parts(text: str, keys: Sequence[str]) -> list[Part]:
    """Split notes at their headings ``# summary``, ``# method`` …; other headings stay inside the parts.

    Args:
        text: the text of the notes.
        keys: the keys of sections that headings can name.

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
    """Fill in the values of a part.

    Raises:
        Stop: a value does not exist; the text names the line and the values that exist.

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
    """Insert notes into a report: parts for a section at its beginning but after the answer, others after the summary.

    Args:
        sections: the sections of the report.
        text: the notes.
        name: the name of their file.
        values: the values that they can refer to.
        titles: the titles of all possible sections by key, in the order of the report.

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
    # The remaining kinds are code, fenced or indented, and the rule between paragraphs.
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
