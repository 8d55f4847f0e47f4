"""``statera convert``: write what was read as one table."""

from __future__ import annotations

import os

from statera.cli import options as shared
from statera.cli import output
from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse

    from statera.reading.observations import Context, Source
    from statera.support.settings.file import Settings

_KINDS = {".parquet": "parquet", ".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson"}


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "convert",
        help="write the results of any harness as one table",
        description="Read results and write each value as a row: benchmark, metric, unit, variant, value, block, "
        "process, order, file, line and the configuration. Statera reads the table that it writes.",
    )
    parser.add_argument("inputs", nargs="+", metavar="[LABEL=]PATH", help="files, folders, quoted patterns or -")
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="write to this file, .parquet, .csv or .ndjson"
    )
    output.add_raw_csv(parser)
    shared.add_reading(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Convert, and return the exit code."""
    from statera import _native  # noqa: PLC0415 - --help needs neither
    from statera.comparison.pairing.variants import split_label, variant_numbers  # noqa: PLC0415
    from statera.reading import observations  # noqa: PLC0415 - --help needs neither
    from statera.reading.store.named import resolved  # noqa: PLC0415

    kind = _KINDS.get(os.path.splitext(options.output)[1].lower())  # noqa: PTH122
    if kind is None:
        raise Stop("bad-option", f"-o {options.output}: the ending must be one of {', '.join(_KINDS)}")
    shared.set_jobs(options.jobs)
    settings = _settings(options, kind)
    output.check(options.output, [*options.inputs, settings.file])
    named, stored = resolved([split_label(argument) for argument in options.inputs])
    read = observations.read(
        [path for _, path in named],
        format=options.format,
        columns=shared.columns(options.column),
        limits=settings.limits,
        variants=variant_numbers(named, together=True),
    )
    if len(read) == 0:
        raise observations.nothing_read(read)
    sources = read.sources
    labels = [_label(context, sources[context.source], named) for context in read.contexts]
    read.write(options.output, kind, labels if any(labels) else [], raw=options.raw_csv)
    target = _native.printable(options.output)
    shared.say(f"statera: wrote {counted(len(read), 'value')} from {counted(read.files, 'file')} to {target}")
    for each in stored:
        shared.say(f"statera: {each.name}: {each.place}")
    if read.left_out:
        kinds = ", ".join(f"{code} {count}" for code, count in read.left_out_by_code.items())
        shared.say(f"statera: left out: {read.left_out} ({kinds})")
    for problem in read.problems:
        shared.say(f"  {_native.printable(str(problem))}")
    if read.counted_apart:
        shared.say(f"statera: counted apart: {read.counted_apart}")
    return shared.left_out(options, read)


def _label(context: Context, source: Source, named: list[tuple[str | None, str]]) -> str | None:
    """Return the variant of a configuration: the label of its argument, or the variant that its file states."""
    from statera.reading.formats import variants_key  # noqa: PLC0415 - --help does without

    own = variants_key([source.format]) if source.values else None
    return named[source.argument][0] or (own and context.keys.get(own))


def _settings(options: argparse.Namespace, kind: str) -> Settings:
    """Return the limits and the settings file; refuse options that change nothing here."""
    if options.raw_csv and kind != "csv":
        raise Stop("bad-option", f"--raw-csv only changes CSV, and -o {options.output} is {kind}")
    for name in {"groups", "pairs"} & {word.partition("=")[0] for word in options.limit}:
        raise Stop("bad-option", f"--limit {name}: a conversion compares nothing, so it has no {name}")
    return shared.reading(options)
