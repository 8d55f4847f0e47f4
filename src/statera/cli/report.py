"""``statera report``: the comparison as a document that people read: HTML, PDF, Markdown.

Other verbs that write documents have the same options, and their documents state the command as this one does.
"""

from __future__ import annotations

import os
import shlex
import sys

from statera import _native
from statera.cli import arguments, profiles
from statera.comparison.pairing.variants import split_label
from statera.output.report import byline, dated, questions, said, writers
from statera.output.report.material import stated_date
from statera.output.report.model import Document
from statera.output.report.sections import profile
from statera.output.views.texts import observation_lines
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.names import as_text
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from statera.output.report.material import Material
    from statera.support.settings.file import Settings


def check(options: argparse.Namespace) -> None:
    """Refuse impossible options before anything is read."""
    if not options.output:
        raise Stop("bad-option", "name the report with -o: report.html, report.pdf or report.md")
    places: set[str] = set()
    for path in options.output:
        outputs.refuse_scheme(path)
        writers.kind_of(path)
        place = os.path.realpath(path)
        if place in places:
            raise Stop("bad-option", f"-o {path}: is named twice")
        places.add(place)
    if options.picture_base:
        if "markdown" not in map(writers.kind_of, options.output):
            raise Stop("bad-option", "--picture-base: only a Markdown report (-o report.md) links its pictures")
        writers.checked_base(options.picture_base)


def check_places(options: argparse.Namespace, inputs: Iterable[str | None]) -> None:
    """Refuse files that cannot be written or are inputs, before anything is read; ``inputs`` are arguments as typed."""
    read = [split_label(word)[1] for word in (*inputs, options.notes) if word is not None]
    for path in options.output:
        writers.check(path, read)


def command() -> str:
    """Return the command as it was typed."""
    return " ".join(["statera", *map(_typed, sys.argv[1:])])


def _typed(word: str) -> str:
    r"""Write a word as a shell takes it; one with a byte that is not UTF-8 as $'\xFF'."""
    shown = as_text(word)
    if shown == word:
        return shlex.quote(word)
    return "$'" + as_text(word.replace("\\", r"\\").replace("'", r"\'")) + "'"


def report(options: argparse.Namespace) -> int:
    """Compare, write, and return the exit code: 2 if nothing could be compared, which the report states."""
    check(options)
    with writers.announced(map(writers.kind_of, options.output)):
        return _reported(options)


def _reported(options: argparse.Namespace) -> int:
    arguments.set_jobs(options.jobs)
    request, paths = arguments.request(
        options,
        baseline=options.baseline,
        pairs=options.pairs,
        quantiles=arguments.levels(options.quantiles),
        blocks=arguments.number_of_blocks(options.blocks),
    )
    settings = arguments.settings(options)
    check_places(options, [*paths, options.manifest, settings.file])
    if profiles.asked(paths, options.format):
        _report_profiles(options, paths, settings)
        return 0
    noted = said(options.title, options.notes)
    stated_date()
    material = arguments.with_columns(
        lambda roles: questions.gather(
            paths,
            request,
            settings,
            alone=options.inspect,
            command=command(),
            format=options.format,
            columns=roles,
        ),
        options,
        settings,
    )
    document = dated(material._replace(atlas=options.atlas), noted)
    for path in options.output:
        writers.write(document, path, picture_base=options.picture_base)
    return _code(material, options)


def _code(material: Material, options: argparse.Namespace) -> int:
    observations = material.observations
    if observations.left_out or observations.counted_apart:
        for line in observation_lines(observations):
            arguments.say(f"statera: {line}")
    for line in arguments.no_blocks(options.blocks, [question.comparison for question in material.questions]):
        arguments.say(line)
    if material.reason is not None:
        arguments.say(f"statera: {material.reason} [{material.reason.code}]; the report says so")
        return 2
    return arguments.left_out(options, observations)


def _report_profiles(options: argparse.Namespace, paths: Sequence[str], settings: Settings) -> None:
    """Write the reports of profiles."""
    found = profiles.differences(paths, settings, options.format)
    section = profile.of(found)
    names = _native.printable(" → ".join([found[0].base.label, ", ".join(each.variant.label for each in found)]))
    title = _native.printable(options.title) or "Where the cost lies"
    document = Document(title, names, byline(None), (section,) if section else ())
    for path in options.output:
        writers.write(document, path, picture_base=options.picture_base)
