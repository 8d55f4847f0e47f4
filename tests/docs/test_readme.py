"""The screen of output in the README is what `make demo` prints."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_screen_in_the_readme_is_what_the_demonstration_prints(run):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    command, shown = re.search(r"\$ \.venv/bin/statera ([^\n]+)\n```\n\n```text\n(.*?)```", text, re.DOTALL).groups()
    assert f"\t@$(BIN)/statera {command}\n" in (ROOT / "Makefile").read_text(encoding="utf-8")
    printed = run(*command.split(), "--width", "80", cwd=ROOT)
    assert printed.code == 0
    assert shown == printed.out
