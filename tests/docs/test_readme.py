"""The screen of output in the README is what its command prints."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_screen_in_the_readme_is_what_the_command_prints(run):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    command, shown = re.search(r"\$ \.venv/bin/statera ([^\n]+)\n```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    printed = run(*command.split(), cwd=ROOT)
    assert printed.code == 0
    assert shown == printed.out
