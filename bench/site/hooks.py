"""What the site has beside the pages of docs, and what its Markdown needs where GitHub's needs it not.

Pages link to files of the repository, such as the commands of an example. These files are on the site below
``repository``; a folder without a page of its own is named, and no link.
"""

from __future__ import annotations

import functools
import json
import posixpath
import re
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
# What the theme takes from here, and the pages that the list of all pages names.
_BESIDE: Final = (
    *("bench/site/site.css", "bench/site/iframe-worker.js"),
    *("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"),
)
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
_BLOCK: Final = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
_FENCE: Final = re.compile(r"^ *```")
_ITEM: Final = re.compile(r"^( *)([-*]|\d+\.) +")


def on_files(files: Files, config: Any) -> Files:
    """Add the files of the repository that pages name, and what they name in turn."""
    for name in (*_BESIDE, *_outside()):
        files.append(File.generated(config, f"repository/{name}", abs_src_path=str(ROOT / name)))
    for file in [each for each in files if each.src_uri.endswith(".ipynb")]:
        files.remove(file)
        page = file.src_uri.removesuffix(".ipynb") + ".md"
        files.append(File.generated(config, page, content=_notebook(Path(str(file.abs_src_path)))))
    return files


def on_config(config: Any) -> Any:
    """List the other pages of a folder for ``folder/*``, and the pages that are made from notebooks."""
    config.nav = json.loads(json.dumps(_listed(config.nav)).replace(".ipynb", ".md"))
    return config


def _listed(nav: list[Any]) -> list[Any]:
    found: list[Any] = []
    for each in nav:
        if isinstance(each, dict):
            found += [{title: _listed(to) if isinstance(to, list) else to} for title, to in each.items()]
        elif each == "examples/*":
            found += [{Path(name).parent.name: f"repository/{name}"} for name in _outside() if "examples/" in name]
        elif each.endswith("/*"):
            pages = sorted((DOCS / each[:-2]).glob("*.md"), key=lambda path: path.stem.lower())
            found += [path.relative_to(DOCS).as_posix() for path in pages if path.stem != "index"]
        else:
            found.append(each)
    return found


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to where the files are on the site, and indent lists as Python-Markdown asks for it."""
    text = re.sub(r"<!--.*?-->\n?", "", markdown, flags=re.DOTALL)
    uri = page.file.src_uri
    return _indented(_outside_of_blocks(text, lambda part: _LINK.sub(lambda link: _led(link, uri), part)))


@functools.cache
def _outside() -> list[str]:
    """Give the files of the repository outside of docs that pages lead to."""
    seen: set[str] = set()
    open_ones = _named(*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in _BESIDE if name.endswith(".md")))
    while open_ones:
        name = open_ones.pop()
        if name not in seen and name not in _BESIDE:
            seen.add(name)
            open_ones += _named(ROOT / name) if name.endswith(".md") else []
    return sorted(seen)


def _named(*pages: Path) -> list[str]:
    """Give the files of the repository outside of docs that pages link to."""
    found = []
    for page in pages:
        for link in _LINK.finditer(page.read_text(encoding="utf-8")):
            path = _file(page.parent, link[3])
            if path and not path.is_relative_to(DOCS):
                found.append(path.relative_to(ROOT).as_posix())
    return found


def _file(folder: Path, target: str) -> Path | None:
    """Give the file that a link leads to, the page of a folder for the folder; None where there is none."""
    path = Path(posixpath.normpath(folder / target))
    if path.is_dir():
        path = next((path / name for name in ("index.md", "README.md") if (path / name).is_file()), path)
    return path if "://" not in target and path.is_file() and path.is_relative_to(ROOT) else None


def _led(link: re.Match[str], uri: str) -> str:
    """Write a link as it is on the site."""
    sign, text, target, anchor = link[1], link[2], link[3], link[4] or ""
    if "://" in target or target.startswith("mailto:"):
        return link[0]
    here = ROOT / uri.removeprefix("repository/") if uri.startswith("repository/") else DOCS / uri
    path = _file(here.parent, target)
    if path is None:
        return text
    if re.fullmatch(r"[\w./-]+\.md", text):
        # A reader of the site sees no files.
        text = path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
    there = path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT).as_posix()
    there = there if path.is_relative_to(DOCS) else f"repository/{there}"
    there = there.replace(".ipynb", ".md")
    return f"{sign}[{text}]({posixpath.relpath(there, posixpath.dirname(uri) or '.')}{anchor})"


def _outside_of_blocks(text: str, change: Any) -> str:
    """Change what is not in blocks of code."""
    parts = _BLOCK.split(text)
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


def _indented(text: str) -> str:
    """Indent what belongs to an item of a list by four spaces for each list around it, with a free line before."""
    # Where the contents of the open items begin.
    places: list[int] = []
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        spaces = len(line) - len(line.lstrip(" "))
        item = None if inside else _ITEM.match(line)
        if line.strip() and not inside:
            after_blank = not lines or not lines[-1].strip()
            while places and spaces < places[-1] and (item or after_blank or _FENCE.match(line)):
                places.pop()
        if item:
            if lines and lines[-1].strip() and not _in_list(lines[-1], places):
                lines.append("")
            lines.append(" " * 4 * len(places) + line[spaces:])
            places.append(len(item[0]))
        else:
            lines.append(" " * 4 * len(places) + line[min(spaces, places[-1]) :] if places and line.strip() else line)
        inside ^= bool(_FENCE.match(line))
    return "\n".join(lines)


def _in_list(line: str, places: list[int]) -> bool:
    return bool(places) or bool(_ITEM.match(line)) or line.startswith("    ")


def _notebook(path: Path) -> str:
    """Give the cells of a notebook as a page."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts = [
        f"```python\n{''.join(cell['source'])}\n```" if cell["cell_type"] == "code" else "".join(cell["source"])
        for cell in cells
    ]
    return "\n\n".join(texts) + "\n"
