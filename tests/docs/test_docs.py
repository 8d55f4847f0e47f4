"""Every command and every block of Python in the documentation is run, page by page, in order."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_HERE = ("pip install", "make", "git clone", "cargo", "go ", "uv ", "cd ")


def name(page):
    return str(page.relative_to(ROOT))


def blocks(page, language):
    """The blocks of a language, with the lines on which they begin."""
    text = page.read_text()
    for match in re.finditer(rf"^( *)```{language}\b[^\n]*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 2, match[2]


def commands(page):
    """The commands of a page: lines that begin with a dollar sign, and those that go on after a backslash or `> `."""
    for first, block in blocks(page, "console"):
        lines = block.splitlines()
        for at, line in enumerate(lines):
            if line.startswith("$ ") and not line[2:].startswith(NOT_HERE):
                parts = [line[2:]]
                for more in lines[at + 1 :]:
                    if not (parts[-1].endswith("\\") or more.startswith("> ")):
                        break
                    parts.append(more.removeprefix("> "))
                yield first + at, "\n".join(parts)


def run(words, folder):
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "TMP": str(folder)}
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("page", [page for page in PAGES if next(commands(page), None)], ids=name)
def test_the_commands_of_a_page_run_and_end_as_they_say(page, tmp_path):
    failed = []
    for line, command in commands(page):
        ends = re.search(r"# exit (\d+)\s*$", command)
        done = run(["bash", "-c", command], tmp_path)
        if done.returncode != (int(ends[1]) if ends else 0) or "Traceback" in done.stderr:
            failed.append(f"{name(page)}:{line}: {command}\n  exit {done.returncode}: {done.stderr[-400:]}")
    assert not failed, "\n".join(failed)


def shown(page):
    """Each command of a page with the lines of output that the page shows for it."""
    for first, block in blocks(page, "console"):
        command, lines, at = None, [], 0
        for number, line in enumerate(block.splitlines()):
            if line.startswith("$ "):
                if command is not None:
                    yield at, command, lines
                command, lines, at = line[2:], [], first + number
            elif command is not None and not lines and (command.endswith("\\") or line.startswith("> ")):
                command += "\n" + line.removeprefix("> ")
            else:
                lines.append(line.rstrip())
        if command is not None:
            yield at, command, lines


@pytest.mark.parametrize("page", [page for page in PAGES if next(commands(page), None)], ids=name)
def test_the_output_that_a_page_shows_is_what_its_commands_print(page, tmp_path):
    wrong = []
    for line, command, lines in shown(page):
        if command.startswith(NOT_HERE):
            continue
        done = run(["bash", "-c", command], tmp_path)
        printed = [text.rstrip() for text in (done.stdout + done.stderr).replace(str(tmp_path), "$TMP").splitlines()]
        place = 0
        for text in lines:
            if text in {"", "…", "..."}:
                continue
            if text not in printed[place:]:
                wrong.append(f"{name(page)}:{line}: {command}\n  is shown to print, and does not: {text}")
                break
            place = printed.index(text, place) + 1
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", [page for page in PAGES if next(blocks(page, "python"), None)], ids=name)
def test_the_python_of_a_page_runs(page, tmp_path):
    script = "\n".join(block for _, block in blocks(page, "python"))
    done = run([sys.executable, "-W", "error", "-c", script], tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_readme_shows_at_least_one_command():
    assert list(commands(ROOT / "README.md"))


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{name(page)}: {target}"
