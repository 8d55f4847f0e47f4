"""Every command and every block of Python in the documentation is run, page by page, in order."""

import functools
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from statera.output import plots
from support import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# The pages that newcomers read first; what the others show waits for `make test-all`.
FIRST = {"README.md", "docs/index.md", "docs/compare.md"}
NOT_HERE = ("pip install", "make", "git clone", "cargo", "go ", "uv ", "cd ")


def name(page):
    return str(page.relative_to(ROOT))


def parameters(pages):
    return [pytest.param(page, id=name(page), marks=[pytest.mark.later] * (name(page) not in FIRST)) for page in pages]


def blocks(page, language):
    """The blocks of a language, with the lines on which they begin."""
    text = page.read_text()
    for match in re.finditer(rf"^( *)```{language}\b[^\n]*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 2, match[2]


class Shown(NamedTuple):
    """A command of a page: its line there, itself, and the lines of output that the page shows for it."""

    line: int
    command: str
    output: list[str]


def commands(page):
    """The commands of a page: lines that begin with a dollar sign, and those that go on after a backslash or `> `."""
    for first, block in blocks(page, "console"):
        found = []
        for number, line in enumerate(block.splitlines()):
            last = found[-1] if found else None
            if line.startswith("$ "):
                found.append(Shown(first + number, line[2:], []))
            elif last and not last.output and (last.command.endswith("\\") or line.startswith("> ")):
                found[-1] = last._replace(command=f"{last.command}\n{line.removeprefix('> ')}")
            elif last:
                last.output.append(line.rstrip())
        yield from (each for each in found if not each.command.startswith(NOT_HERE))


def run(words, folder):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "TMP": str(folder)}
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture(scope="module", params=parameters(page for page in PAGES if next(commands(page), None)))
def walked(request, tmp_path_factory):
    """A page, the folder that its commands wrote to, and each with what came of it, in order."""
    folder = tmp_path_factory.mktemp("page")
    found = [(each, run(["bash", "-c", each.command], folder)) for each in commands(request.param)]
    return request.param, folder, found


def test_the_commands_of_a_page_run_and_end_as_they_say(walked):
    page, _, found = walked
    failed = []
    for each, done in found:
        ends = re.search(r"# exit (\d+)\s*$", each.command)
        if done.returncode != (int(ends[1]) if ends else 0) or "Traceback" in done.stderr:
            failed.append(f"{name(page)}:{each.line}: {each.command}\n  exit {done.returncode}: {done.stderr[-400:]}")
    assert not failed, "\n".join(failed)


def test_the_output_that_a_page_shows_is_what_its_commands_print(walked):
    page, folder, found = walked
    wrong = []
    for each, done in found:
        printed = [text.rstrip() for text in (done.stdout + done.stderr).replace(str(folder), "$TMP").splitlines()]
        place = 0
        for text in each.output:
            if text in {"", "…", "..."}:
                continue
            if text not in printed[place:]:
                wrong.append(f"{name(page)}:{each.line}: {each.command}\n  is shown to print, and does not: {text}")
                break
            place = printed.index(text, place) + 1
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", parameters(page for page in PAGES if next(blocks(page, "python"), None)))
def test_the_python_of_a_page_runs(page, tmp_path):
    script = "\n".join(block for _, block in blocks(page, "python"))
    done = run([sys.executable, "-W", "error", "-c", script], tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_first_pages_are_there_and_the_readme_shows_commands():
    assert set(map(name, PAGES)) >= FIRST
    assert list(commands(ROOT / "README.md"))


def outside_of_blocks(page):
    return re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@functools.cache
def anchors(page):
    """The anchors that GitHub gives the headings of a page: words in lower case, without their other signs."""
    headings = re.findall(r"^#+ (.+)$", outside_of_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead(page):
    """The links of a page that lead to no file, or to no heading in it."""
    for target in re.findall(r"\]\(([^)\s]+)\)", outside_of_blocks(page)):
        path, _, heading = target.partition("#")
        place = page.parent / path if path else page
        if "://" in target or target.startswith("mailto:"):
            continue
        if not place.exists() or (heading and heading not in anchors(place)):
            yield f"{name(page)}: {target}"


def test_links_lead_to_a_file_and_to_a_heading_in_it():
    pages = [*sorted(ROOT.glob("*.md")), *PAGES[1:]]
    assert not [link for page in pages for link in dead(page)]


def test_every_kind_of_picture_has_a_section():
    sections = re.findall(r"^### (\S+)$", (ROOT / "docs" / "plots.md").read_text(), re.MULTILINE)
    assert sorted(sections) == sorted(plots.KINDS)
