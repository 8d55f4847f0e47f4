"""The report as PDF: typst lays out a JSON document in which every text is plain text."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from statera.output.report import typeset
from statera.support import stages

if TYPE_CHECKING:
    from statera.output.report.model import Document

_TEMPLATES: Final = Path(__file__).parent / "templates"


def content(document: Document) -> bytes:
    """Typeset the report."""
    import typst  # noqa: PLC0415 - an extra

    with tempfile.TemporaryDirectory(prefix="statera-") as name:
        folder = Path(name)
        data = typeset.document(document, folder)
        (folder / "document.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        for template in _TEMPLATES.glob("*.typ"):
            shutil.copy(template, folder / template.name)
        stages.enter("typesetting")
        # With fonts of the system, pages would differ between machines.
        compiler = typst.Compiler(root=folder, ignore_system_fonts=True)
        made = compiler.compile(input=folder / "report.typ", format="pdf", timestamp=document.date)
    return cast("bytes", made)
