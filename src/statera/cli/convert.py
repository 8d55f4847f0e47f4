"""``statera convert``: write what was read as one table."""

from __future__ import annotations

import os

from statera import _native
from statera.cli import arguments, output
from statera.comparison.pairing.variants import split_label, variant_numbers
from statera.reading import observations
from statera.reading.formats import variants_key
from statera.reading.store.named import resolved
from statera.support import stages
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.reading.observations import Context, Source
    from statera.support.settings.file import Settings

_KINDS = {".parquet": "parquet", ".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}


def convert(options: argparse.Namespace) -> int:
    """Convert, and return the exit code."""
    kind = _KINDS.get(os.path.splitext(options.output)[1].lower())
    if kind is None:
        raise Stop("bad-option", f"-o {options.output}: the ending must be one of {', '.join(_KINDS)}")
    arguments.set_jobs(options.jobs)
    settings = _settings(options, kind)
    output.check(options.output, [*options.inputs, settings.file])
    named, stored = resolved([split_label(argument) for argument in options.inputs])
    read = arguments.with_columns(
        lambda roles: observations.read(
            [path for _, path in named],
            format=options.format,
            columns=roles,
            limits=settings.limits,
            variants=variant_numbers(named, together=True),
        ),
        options,
        settings,
    )
    if len(read) == 0:
        raise observations.nothing_read(read)
    sources = read.sources
    labels = [_label(context, sources[context.source], named) for context in read.contexts]
    stages.enter("writing")
    read.write(options.output, kind, labels if any(labels) else [], raw=options.raw_csv)
    target = _native.printable(options.output)
    arguments.say(f"statera: wrote {counted(len(read), 'value')} from {counted(read.files, 'file')} to {target}")
    for each in stored:
        arguments.say(f"statera: {each.name}: {each.place}")
    if read.left_out:
        kinds = ", ".join(f"{code} {count}" for code, count in read.left_out_by_code.items())
        arguments.say(f"statera: left out: {read.left_out} ({kinds})")
    for problem in read.problems:
        arguments.say(f"  {_native.printable(str(problem))}")
    if read.counted_apart:
        arguments.say(f"statera: counted apart: {read.counted_apart}")
    return arguments.left_out(options, read)


def _label(context: Context, source: Source, named: list[tuple[str | None, str]]) -> str | None:
    """Return the variant of a configuration: the label of its argument, or the variant that its file states."""
    own = variants_key([source.format]) if source.values else None
    return named[source.argument][0] or (own and context.keys.get(own))


def _settings(options: argparse.Namespace, kind: str) -> Settings:
    """Return the limits and the settings file; refuse options that change nothing here."""
    if options.raw_csv and kind != "csv":
        raise Stop("bad-option", f"--raw-csv only changes CSV, and -o {options.output} is {kind}")
    for name in {"groups", "pairs"} & {word.partition("=")[0] for word in options.limit}:
        raise Stop("bad-option", f"--limit {name}: a conversion compares nothing, so it has no {name}")
    return arguments.reading(options)
