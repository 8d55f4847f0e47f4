"""The report: sections of plain values from a comparison, written as HTML, PDF or Markdown.

``statera.report(sources, to)`` writes one; ``help(statera.output.report.__call__)`` describes its parameters.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support import stages
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from datetime import datetime
    from os import PathLike

    from statera.output.report.material import Material
    from statera.output.report.model import Document

# Columns of a variant's name below the title.
_LABEL: Final = 40


class Options(NamedTuple):
    """The options of a report.

    Attributes:
        title: the title of the report; built from the variants if empty.
        notes: the analysts' prose in Markdown; ``notes_name`` is the name of its file.
        date: the date of the results; None to leave it out.

    """

    title: str = ""
    notes: str = ""
    notes_name: str = ""
    date: datetime | None = None


def said(title: str = "", notes: str | PathLike[str] | None = None) -> Options:
    """Read the notes first, so that a missing file is reported at once.

    Raises:
        Stop: the file of the notes cannot be read.

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

    Raises:
        Stop: as of ``document``, or ``SOURCE_DATE_EPOCH`` states no time.

    """
    from statera.output.report import dates  # noqa: PLC0415 - a report is made where it is asked for

    changes = dates.changes_of(source.name for source in material.observations.sources)
    return document(material, options._replace(date=dates.date_of(changes)))


def document(material: Material, options: Options | None = None) -> Document:
    """Build the document of a report.

    Raises:
        Stop: the analysts' prose names a value that does not exist.

    """
    from statera import _native  # noqa: PLC0415 - a report is made where it is asked for
    from statera.output.report import samples  # noqa: PLC0415
    from statera.output.report.model import Document  # noqa: PLC0415
    from statera.output.report.sections import TITLES, sections  # noqa: PLC0415
    from statera.output.views.apart import shortened  # noqa: PLC0415

    options = options or Options()
    stages.enter("drawing")
    made = sections(material)
    if options.notes.strip():
        from statera.output.report import notes, values  # noqa: PLC0415

        made = notes.placed(made, options.notes, options.notes_name or "notes", values.Values(material), TITLES)
    source = material.comparison or material.inspection
    whole = [_native.printable(label) for label in source.labels] if source is not None else []
    # What was measured has them whole.
    short = shortened(whole, _LABEL)
    labels = [short.get(label, label) for label in whole]
    if material.comparison is not None:
        title, subtitle = "Benchmark comparison", f"{_some(labels[1:])} against {labels[0]}"
    elif material.reason is not None:
        title, subtitle = "Nothing to compare", _some(labels)
    else:
        title, subtitle = "Benchmark inspection", _some(labels)
    title = _native.printable(options.title) or title
    return Document(title, subtitle, byline(options.date), made, options.date, samples.of(material, made))


def byline(date: datetime | None) -> str:
    """Write the version of statera and the date of the results."""
    from statera import __version__  # noqa: PLC0415 - a report is made where it is asked for

    return f"statera {__version__}" + (f" · results of {date.day} {date:%B %Y}" if date else "")


def _some(labels: list[str], most: int = 6) -> str:
    return listed(labels, most)
