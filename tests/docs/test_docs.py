"""Every command and every block of Python in the documentation is run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_HERE = ("pip install", "make", "git clone", "cargo", "go ", "uv ", "cd ")


def blocks(language):
    for page in PAGES:
        text = page.read_text()
        for match in re.finditer(rf"^```{language}[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{page.relative_to(ROOT)}:{line}", match[1]


def commands():
    for place, block in blocks("console"):
        joined = re.sub(r"\\\n", " ", block)
        for line in joined.splitlines():
            if line.startswith("$ ") and not line[2:].startswith(NOT_HERE):
                yield pytest.param(line[2:], id=f"{place} {line[2:42]}")


COMMANDS, PYTHON = list(commands()), [pytest.param(block, id=place) for place, block in blocks("python")]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_runs_and_ends_as_it_says(line, tmp_path):
    ends = re.search(r"# exit (\d+)\s*$", line)
    bin_folder = Path(sys.executable).parent
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "TMP": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == (int(ends[1]) if ends else 0), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("block", PYTHON)
def test_a_block_of_python_runs(block, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        cwd=ROOT,
        env={**os.environ, "TMP": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr


def test_the_readme_shows_at_least_one_command():
    assert "```console" in (ROOT / "README.md").read_text()


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_documentation_leaves_nothing_behind_in_the_repository():
    done = subprocess.run(
        ["git", "status", "--porcelain", "--ignored=no"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("this is no git checkout")
    strays = [
        line
        for line in done.stdout.splitlines()
        if re.search(r"\.(csv|parquet|ndjson|html)$", line) and "tests/" not in line
    ]
    assert strays == []
