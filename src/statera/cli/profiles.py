"""``statera compare`` of nothing but profiles, in which nothing is judged."""

from __future__ import annotations

from statera.cli import arguments, gate, output
from statera.comparison import profiles as comparison
from statera.comparison.pairing.variants import label_arguments, split_label
from statera.output.views import Layout, profiles
from statera.reading.profiles import read
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

    Raises ``Stop`` if there is a single one, they count different things, or one cannot be read.
    """
    named = [split_label(path) for path in paths]
    if len(named) == 1:
        raise Stop("bad-option", f"{paths[0]}: is a profile, which is compared with a second one. Name both")
    labels = label_arguments(named)
    found = [read(path, label, settings.limits, format) for (_, path), label in zip(named, labels, strict=True)]
    return [comparison.difference(found[0], each) for each in found[1:]]


def compare(options: argparse.Namespace, paths: Sequence[str]) -> int:
    """Write the differences, and return the exit code: 2 if a gate was asked for, which has nothing to judge."""
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
