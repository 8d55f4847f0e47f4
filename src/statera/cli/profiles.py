"""``statera compare`` and ``statera report`` of nothing but profiles, in which nothing is judged."""

from __future__ import annotations

from statera import _native
from statera.cli import arguments, gate, output
from statera.comparison import profiles as comparison
from statera.comparison.pairing.variants import label_arguments, split_label
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from statera.comparison.profiles import Difference
    from statera.support.settings.file import Settings


def asked(paths: Sequence[str], format: str | None) -> bool:
    """Return whether the arguments are profiles without results."""
    return comparison.only_profiles((split_label(path)[1] for path in paths), format)


def differences(paths: Sequence[str], settings: Settings, format: str | None) -> list[Difference]:
    """Return what differs between the profiles and the first one.

    Raises:
        Stop: there is a single one, they count different things, or one cannot be read.

    """
    from statera.reading import profiles  # noqa: PLC0415 - only here

    named = [split_label(path) for path in paths]
    if len(named) == 1:
        raise Stop("bad-option", f"{paths[0]}: is a profile, which is compared with a second one. Name both")
    labels = label_arguments(named)
    read = [profiles.read(path, label, settings.limits, format) for (_, path), label in zip(named, labels, strict=True)]
    return [comparison.difference(read[0], each) for each in read[1:]]


def compare(options: argparse.Namespace, paths: Sequence[str]) -> int:
    """Write the differences, and return the exit code: 2 if a gate was asked for, which has nothing to judge."""
    from statera.output.views import Layout, profiles  # noqa: PLC0415 - only here

    kind, wish = output.kind(options), gate.parsed(options)
    if kind == "csv":
        raise Stop("bad-option", "-f csv holds rows that are judged, and profiles have none. Use -f json")
    settings = arguments.settings(options)
    output.check(options.output, [*paths, settings.file])
    found = differences(paths, settings, options.format)
    if kind == "json":
        text = profiles.document(found)
    elif kind == "markdown":
        text = profiles.markdown(found)
    else:
        width, colour = output.width_and_colour(options)
        text = profiles.page(found, Layout(width, colour))
    code, words = gate.examined(None, wish)
    gate.written(text, options, kind, settings, words)
    return code


def report(options: argparse.Namespace, paths: Sequence[str], settings: Settings) -> int:
    """Write the reports, and return the exit code."""
    from statera.output.report import byline, writers  # noqa: PLC0415 - only here
    from statera.output.report.model import Document  # noqa: PLC0415
    from statera.output.report.sections import profile  # noqa: PLC0415

    found = differences(paths, settings, options.format)
    section = profile.of(found)
    names = _native.printable(" → ".join([found[0].base.label, ", ".join(each.variant.label for each in found)]))
    title = _native.printable(options.title) or "Where the cost lies"
    document = Document(title, names, byline(None), (section,) if section else ())
    for path in options.output:
        writers.write(document, path, picture_base=options.picture_base)
    return 0
