"""Hostile input: results of real harnesses and small tables, damaged and laced with text that wants to act."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, NamedTuple

from support import ROOT, go, noisy, table

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

CASES = ROOT / "tests/formats/cases"
KINDS = ("real", "traps", "hostile")
_MOST = 200_000


class Seed(NamedTuple):
    """A file as a harness writes it."""

    name: str
    content: bytes
    comparable: bool = False


ACTING = (
    "![x](https://evil.example/p.png)", "[x](javascript:alert(1))", "https://evil.example/", "www.evil.example",
    "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "<!--", "]]>", "{{7*7}}", "{% raw %}",
    "\x1b[31mred\x1b]0;title\x07", "\x9b31m", "\u202egnp.exe", "\u2066x\u2069", "\u200b", "\ufeff", "\u2028", "\x00",
    "=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\tx", "\rx", "'=1",
    "@everyone", "@org/team", "#1", "GH-1", "owner/repo#1", "0123456789abcdef0123456789abcdef01234567",
    "../../etc/passwd", "/dev/null", "..\\..\\x", "a/b", ".", "..", "-", "--help", "-o", "*", "[a]", "?", "~",
    "'; DROP TABLE x;--", '"', "\\", "`", "``", "```", "|", "||", "\n", "\r\n",
    "&amp;", "&#64;", "%s%n%d", "$(id)", "${HOME}", "$x^2$", '#import "x"', '#read("/etc/passwd")', "__proto__",
    "constructor", "toString", "NaN", "null", "", " ",
    "\u00a0", "a" * 3000, "e\u0301" * 50, "Z" + "\u0310" * 300, "\U0001f1e9\U0001f1ea", "名前", "שלום", "ß", "İ",
    "old", "new", "baseline", "worse", "value", "benchmark", "unit",
)  # fmt: skip
"""Texts that act somewhere: in Markdown, HTML, terminals, spreadsheets, SQL, shells, paths, templates."""

EXTREME = (
    "0", "-0", "0.0", "-1", "1e308", "-1e308", "1.7976931348623157e308", "1e309", "-1e400", "5e-324", "1e-310",
    "2.2250738585072014e-308", "1e-400", "9007199254740993", "18446744073709551616",
    "-9223372036854775808", "9" * 400, "0." + "0" * 400 + "1", "NaN", "nan", "inf", "-Infinity", "1e", "0x10", "1_000",
    "1,5", "١٢", "1e15", "1", "1.0000000000000002", "999999999999999", "1e-9", "1e9",
)  # fmt: skip


def seeds() -> list[Seed]:
    """Give the files that mutations begin with, in a fixed order."""
    paths = sorted(path for kind in KINDS for path in CASES.glob(f"*/{kind}/**/*") if path.is_file())
    found = [Seed("-".join(path.relative_to(CASES).parts), path.read_bytes()) for path in paths]
    return [*found, *_comparable()]


def _comparable() -> list[Seed]:
    """Give files with enough runs for verdicts: of each shape a baseline and what changed against it."""
    made = []
    for number, (centre, runs) in enumerate([(100, 12), (120, 12), (100, 5), (1e-3, 30), (1e6, 2), (101, 1)]):
        benchmarks = {
            name: {"ns/op": noisy(centre, runs, seed=number + at), "B/op": [48] * runs, "qps": noisy(9, runs, seed=at)}
            for at, name in enumerate(("Alpha", "Beta/size=10-8", "Gamma"))
        }
        made.append(
            Seed(f"go-{number}.txt", go(benchmarks, config={"goos": "linux", "cpu": "x"}).encode(), comparable=True)
        )
        rows = [
            {"benchmark": name, "variant": f"v{run % 2}", "metric": "time", "unit": "ms", "value": value, "block": run}
            for name in ("one", "two")
            for run, value in enumerate(noisy(centre, runs, seed=number))
        ]
        made.append(Seed(f"table-{number}.csv", table(rows).encode(), comparable=True))
    return made


def mutated(chance: Random, content: bytes, others: list[Seed]) -> bytes:
    """Damage a file a few times."""
    for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 5))):
        content = chance.choice(_MUTATIONS)(chance, content, others)[:_MOST]
    return content


def _span(chance: Random, content: bytes) -> tuple[int, int]:
    start = chance.randrange(len(content) + 1)
    return start, min(len(content), start + chance.choice((1, 2, 8, 60, 500)))


def _flip(chance: Random, content: bytes, _: list[Seed]) -> bytes:
    if not content:
        return content
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def _delete(chance: Random, content: bytes, _: list[Seed]) -> bytes:
    start, end = _span(chance, content)
    return content[:start] + content[end:]


def _double(chance: Random, content: bytes, _: list[Seed]) -> bytes:
    start, end = _span(chance, content)
    return content[:end] + content[start:end] * chance.choice((1, 2, 50)) + content[end:]


def _insert(chance: Random, content: bytes, _: list[Seed]) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.randbytes(chance.choice((1, 3, 40))) + content[at:]


def _cut(chance: Random, content: bytes, _: list[Seed]) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _splice(chance: Random, content: bytes, others: list[Seed]) -> bytes:
    other = chance.choice(others).content
    return content[: chance.randrange(len(content) + 1)] + other[chance.randrange(len(other) + 1) :]


def _replaced(pattern: bytes, words: tuple[str, ...]) -> Callable[[Random, bytes, list[Seed]], bytes]:
    compiled = re.compile(pattern)

    def replace(chance: Random, content: bytes, _: list[Seed]) -> bytes:
        found = list(compiled.finditer(content))
        if not found:
            return content
        chosen = chance.choice(found)
        word = chance.choice(words).encode("utf-8", "surrogatepass")
        # One place, or all that look the same: a name is then hostile in every run.
        if chance.random() < 0.5:
            return content[: chosen.start()] + word + content[chosen.end() :]
        return content.replace(chosen.group(), word)

    return replace


def _lines(chance: Random, content: bytes, _: list[Seed]) -> bytes:
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    match chance.randrange(4):
        case 0:
            chance.shuffle(lines)
        case 1:
            lines *= chance.choice((2, 5, 30))
        case 2:
            lines = lines[:: chance.choice((2, 3))]
        case _:
            return content.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b" ")))
    return b"".join(lines)


def _wrapped(chance: Random, content: bytes, _: list[Seed]) -> bytes:
    match chance.randrange(6):
        case 0:
            return gzip.compress(content, mtime=0)
        case 1:
            return gzip.compress(content, mtime=0)[: len(content) // 4]
        case 2:
            return content.decode("latin-1").encode("utf-16")
        case 3:
            return b"\xef\xbb\xbf" + content
        case 4:
            return b"[" * 5000 + content
        case _:
            return content + b"\0" * 5000


_MUTATIONS = (
    _flip, _delete, _double, _insert, _cut, _splice, _lines, _wrapped,
    *[_replaced(rb"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?", EXTREME)] * 8,
    *[_replaced(rb"[A-Za-z_/]{2,}", ACTING)] * 8,
)  # fmt: skip
