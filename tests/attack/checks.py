"""What must hold of every execution, whatever went in."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from xml.etree import ElementTree as ET

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CODES = {0, 1, 2}
# C0 but line feed and tab, DEL, C1, and what changes the direction or hides.
# A message of a verb, or of the parser of its words.
_REASON = re.compile(r"^statera(?: [a-z -]+)?: ", re.MULTILINE)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# What places a shape; names of benchmarks stand in other attributes.
_PLACES = {"d", "transform", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "points"}
_TAG = re.compile(r"<summary>(?:<b>[^<>]*</b>)?[^<>]*</summary>|</?(?:details|summary)>|<br>")
_MARKDOWN = MarkdownIt("commonmark").enable(["table"])


class Done(NamedTuple):
    """An execution: its words, exit code, outputs and the folder it ran in."""

    words: list[str]
    code: object
    out: str
    err: str
    folder: Path


def faults(done: Done) -> Iterator[str]:
    """Say what does not hold."""
    if done.code not in CODES:
        yield f"exit code {done.code!r}: {done.err[:300]!r}"
    if done.code == 1 and not any(word.startswith("--fail-on") for word in done.words):
        yield "exit code 1 without a gate"
    if done.code == 2 and not _REASON.search(done.err):
        yield f"exit code 2 without a reason: {done.err[:200]!r}"
    for trace in ("Traceback (most recent", "panicked at", "RUST_BACKTRACE"):
        if trace in done.err or trace in done.out:
            yield f"{trace} in the output"
    if found := _CONTROL.search(done.err):
        yield f"control character {found.group()!r} on standard error"
    if done.code in {0, 1}:
        yield from _of_output(done)
    yield from _of_files(done)


def _of_output(done: Done) -> Iterator[str]:
    view = done.words[done.words.index("-f") + 1] if "-f" in done.words else "terminal"
    if view == "json":
        yield from _json(done.out)
    elif view == "csv" and "--raw-csv" not in done.words:
        yield from _csv(done.out)
    elif view == "markdown":
        yield from _markdown(done.out)
    if view in {"terminal", "markdown"} and (found := _CONTROL.search(_COLOUR.sub("", done.out))):
        yield f"control character {found.group()!r} on standard output"


def _refused(word: str) -> NoReturn:
    raise ValueError(word)


def _json(text: str) -> Iterator[str]:
    try:
        document = json.loads(text, parse_constant=_refused)
    except ValueError as error:
        yield f"no JSON: {error}"
        return
    if "rows" not in document or not isinstance(document["rows"], list):
        yield "JSON without rows"
    for row in document.get("rows", ()):
        low, change, high = (row.get("change_low"), row.get("change"), row.get("change_high"))
        if None not in (low, change, high) and not (low <= high and math.isfinite(change)):
            yield f"interval {low} to {high} of {change}"


def _csv(text: str) -> Iterator[str]:
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not rows or len({len(row) for row in rows}) != 1:
        yield "rows of CSV of different lengths"
    for row in rows:
        yield from (f"a cell that a spreadsheet runs: {cell!r}" for cell in row if _runs(cell))


def _runs(cell: str) -> bool:
    if not cell.startswith(("=", "+", "-", "@", "\t", "\r")):
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False


def _markdown(text: str) -> Iterator[str]:
    for token in _MARKDOWN.parse(text):
        if token.type == "html_block" and _TAG.sub("", token.content).strip().startswith("<"):
            yield f"HTML in Markdown: {token.content[:80]!r}"
        for inner in token.children or ():
            if inner.type in {"link_open", "image"}:
                yield f"{inner.type} in Markdown: {token.content[:80]!r}"
            if inner.type == "html_inline" and not _TAG.fullmatch(inner.content):
                yield f"HTML in Markdown: {inner.content[:80]!r}"
            if inner.type == "text" and (found := re.search(r"https?://|www\.|@\w|(?:^|\s)#\d|GH-\d", inner.content)):
                yield f"{found.group()!r} acts in Markdown: {inner.content[:80]!r}"


def _of_files(done: Done) -> Iterator[str]:
    """An output file is whole and harmless."""
    for path in done.folder.glob("**/.statera-*"):
        yield f"left behind: {path.name}"
    for path in done.folder.glob("out.*"):
        if path.suffix == ".svg":
            yield from _svg(path.read_text())
        elif path.suffix == ".json":
            try:
                json.loads(path.read_text(), parse_constant=_refused)
            except ValueError as error:
                yield f"no JSON in {path.name}: {error}"
        elif path.suffix == ".csv":
            yield from _csv(path.read_text(encoding="utf-8", errors="replace"))
    outside = [path.name for path in done.folder.iterdir() if not path.name.startswith(("in-", "out"))]
    if outside:
        yield f"files of other names: {outside}"


def _svg(text: str) -> Iterator[str]:
    try:
        root = ET.fromstring(text)  # noqa: S314 - what statera wrote just now
    except ET.ParseError as error:
        yield f"no SVG: {error}"
        return
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if tag in {"script", "foreignObject", "image"}:
            yield f"<{tag}> in SVG"
        for name, value in element.attrib.items():
            if name.rpartition("}")[2] == "href" or name.startswith("on"):
                yield f"{name} in SVG"
            if name in _PLACES and ("NaN" in value or "Infinity" in value):
                yield f"{name}={value[:60]!r} in SVG"
