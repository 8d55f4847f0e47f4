"""Writes the table of the built-in mappings of logs into its page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from statera.reading import logs

PAGE: Final = Path(__file__).parents[2] / "docs/logs.md"
_PART: Final = re.compile("(<!-- mappings: begin -->\\n).*?(<!-- mappings: end -->)", re.DOTALL)


def written() -> dict[Path, str]:
    """Give the page with its table as it should be."""
    rows = "".join(f"| `{name}` | {title} |\n" for name, title in logs.built_in().items())
    table = f"| mapping | logs |\n| --- | --- |\n{rows}"
    return {PAGE: _PART.sub(lambda part: part[1] + table + part[2], PAGE.read_text())}
