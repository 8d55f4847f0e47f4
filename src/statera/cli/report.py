"""``statera report``: the comparison as a document that people read: HTML, PDF, Markdown."""

from __future__ import annotations

from statera.cli import arguments, columns, documents, profiles
from statera.output.report import dated, dates, questions, said, writers
from statera.output.views.texts import observation_lines
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from statera.output.report.material import Material


def report(options: argparse.Namespace) -> int:
    """Compare, write, and return the exit code: 2 if nothing could be compared, which the report states."""
    documents.check(options)
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
    documents.check_places(options, [*paths, options.manifest, settings.file])
    if profiles.asked(paths, options.format):
        return profiles.report(options, paths, settings)
    noted = said(options.title, options.notes)
    dates.stated_date()
    material = columns.reading(
        lambda roles: questions.gather(
            paths,
            request,
            settings,
            alone=options.inspect,
            command=documents.command(),
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
    if material.reason is not None:
        arguments.say(f"statera: {material.reason} [{material.reason.code}]; the report says so")
        return 2
    return arguments.left_out(options, observations)
