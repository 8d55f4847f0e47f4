"""The report: sections of plain values from a comparison or an inspection, written as HTML, PDF, Markdown or a picture.

    material = questions.gather(["old.txt", "new.txt"])
    document = report.document(material, report.Options(title="Decimals"))
    writers.write(document, "report.html")

The way of a report, and the files along it:

- ``material.py``: what a report is made of, and its date. ``questions.py`` gathers it: the comparison, the further
  comparisons that factors allow, the inspection.
- ``sections/``: material → sections, a file for each or for two that tell one thing. ``figures.py`` chooses their
  pictures, ``samples.py`` the values that travel with a page; ``notes.py`` places the analysts' prose among them.
- ``model.py``: what sections consist of: tables, lists, pictures, folds, as plain values.
- ``writers.py``: the choice of a writer by the name of a file. ``html.py``, ``pdf.py`` (with the sizes of
  paper) and ``markdown.py`` write whole documents, ``card.py`` the answer as a picture, with what is in ``templates/``.
  ``drawn.py`` has the pictures for paper and files, and the characters that their fonts have.
- ``notebook.py``: a comparison or an inspection as a fragment of HTML, without a document.

Decisions: a document has no markup, so that each writer escapes all texts in one place, and a new output is one file. A
writer computes nothing. The same results make the same bytes: the date is that of the newest input. The packages of
the extra ``report`` are imported where they are used, so that a missing one is named when it is needed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import __version__, _native
from statera.output.report import notes as prose
from statera.output.report import samples
from statera.output.report.material import changes_of, date_of
from statera.output.report.model import Document
from statera.output.report.sections import TITLES, sections
from statera.output.views.names import shortened
from statera.support import stages
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from datetime import datetime
    from os import PathLike

    from statera.output.report.material import Material

# Columns of a variant's name below the title.
_LABEL: Final = 40
# So many variants are named.
_NAMED: Final = 6


class Options(NamedTuple):
    """The options of a report."""

    title: str = ""  # the title of the report; built from the variants if empty
    notes: str = ""  # the analysts' prose in Markdown; ``notes_name`` is the name of its file
    notes_name: str = ""
    date: datetime | None = None  # the date of the results; None to leave it out


def said(title: str = "", notes: str | PathLike[str] | None = None) -> Options:
    """Read the notes first, so that a missing file is reported at once.

    Raises ``Stop`` if the file of the notes cannot be read.
    """
    text = ""
    if notes is not None:
        try:
            with open(notes, encoding="utf-8") as file:  # noqa: PTH123 - as of other verbs
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise Stop("bad-notes", f"--notes {os.fspath(notes)}: {why}") from None
    return Options(title, text, os.fspath(notes) if notes is not None else "")


def dated(material: Material, options: Options) -> Document:
    """Build the document of a report with the date of its newest input.

    Raises ``Stop`` as ``document``, or if ``SOURCE_DATE_EPOCH`` states no time.
    """
    changes = changes_of(source.name for source in material.observations.sources)
    return document(material, options._replace(date=date_of(changes)))


def document(material: Material, options: Options | None = None) -> Document:
    """Build the document of a report. Raises ``Stop`` if the analysts' prose names a value that does not exist."""
    options = options or Options()
    stages.enter("drawing")
    made = sections(material)
    if options.notes.strip():
        made = prose.placed(made, options.notes, options.notes_name or "notes", prose.Values(material), TITLES)
    source = material.comparison or material.inspection
    whole = [_native.printable(label) for label in source.labels] if source is not None else []
    # What was measured has them whole.
    short = shortened(whole, _LABEL)
    labels = [short.get(label, label) for label in whole]
    if material.comparison is not None:
        title, subtitle = "Benchmark comparison", f"{labels[0]} → {listed(labels[1:], _NAMED)}"
    elif material.reason is not None:
        title, subtitle = "Nothing to compare", listed(labels, _NAMED)
    else:
        title, subtitle = "Benchmark inspection", listed(labels, _NAMED)
    title = _native.printable(options.title) or title
    return Document(title, subtitle, byline(options.date), made, options.date, samples.of(material, made))


def byline(date: datetime | None) -> str:
    """Write the version of statera and the date of the results."""
    return f"statera {__version__}" + (f" · results of {date.day} {date:%B %Y}" if date else "")
