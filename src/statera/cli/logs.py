"""``statera logs``: measure the logs of any system by a mapping; try a mapping on lines, and propose one."""

from __future__ import annotations

from statera import _native
from statera.cli import arguments, compare, output, verbs, words
from statera.cli.options import OPTIONS
from statera.cluster.drill_down import Listing
from statera.cluster.logs.events import instant
from statera.cluster.numbers import quantity
from statera.cluster.views.analysis import listings as written
from statera.comparison.pairing.variants import split_label
from statera.reading import logs, observations
from statera.support.errors import Stop
from statera.support.patterns import chosen
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    import argparse
    from typing import Any, Final

    from statera.reading.logs.mapping import Mapping

_SAMPLES: Final = "Samples"
# The options that say something of one run.
_OF_ONE_RUN: Final = frozenset(
    {"benchmark", "metric", "output-format", "output", "raw-csv", "limit", "config", "no-config", "strict", "jobs"}
    | {"mapping/logs"}
)
_LEVELS: Final = {"50%": 0.5, "90%": 0.9, "99%": 0.99}


def measure(options: argparse.Namespace) -> int:
    """Summarise a single run, or compare several with the first; return the exit code."""
    labels = [split_label(path)[0] for path in options.paths]
    if len(options.paths) > 1 or options.by:
        if len(set(labels)) == 1 and labels[0] is not None and not options.by:
            raise Stop(
                "nothing-to-compare", "all runs have the same label. Name runs with two labels, the baseline first"
            )
        options.format, options.column = options.mapping, []
        return compare.compare(options)
    _refuse_of_comparisons(options)
    arguments.set_jobs(options.jobs)
    kind = output.kind(options)
    settings = arguments.settings(options)
    output.check(options.output, [*options.paths, settings.file])
    found = logs.named(options.mapping)
    _, path = split_label(options.paths[0])
    native, [account] = logs.read([path], found, settings.limits)
    read = observations.Observations(native, settings.limits, observations.OF_LOGS)
    if len(read) == 0:
        raise observations.nothing_read(read)
    which = (
        chosen(read.benchmarks, options.benchmark, "--benchmark"),
        chosen([metric.name for metric in read.metrics], options.metric, "--metric"),
    )
    tables = _listings(read, account, found, kind, which)
    if tables[0].title != _SAMPLES:
        raise Stop("nothing-to-compare", "no benchmark of these has such a metric")
    output.write(written(tables, kind, raw=options.raw_csv), options.output, kind)
    return arguments.left_out(options, read)


def _refuse_of_comparisons(options: argparse.Namespace) -> None:
    """Refuse what a summary of one run would pass over."""
    verb, _ = verbs.found(["logs"])
    every = [OPTIONS[key] for key in (verb.keys if verb else ()) if key not in _OF_ONE_RUN]
    for option in (each for each in every if not each.is_argument):
        # Two options can set one value.
        same = [each for each in every if each.dest == option.dest]
        value = getattr(options, option.dest)
        if value not in map(words.default, same):
            given = next((each for each in same if each.const == value), option)
            raise Stop(
                "bad-option",
                f"{given.flag} applies to a comparison: name two runs or more, the baseline first. "
                "statera inspect and statera report take one run, too",
            )


def _listings(
    read: observations.Observations,
    account: logs.Account,
    found: Mapping,
    kind: str,
    which: tuple[list[bool], list[bool]],
) -> list[Listing]:
    """Return the tables of a run: its values, its lines, the largest values, and what was left out."""
    metrics, names, contexts = read.metrics, read.benchmarks, read.contexts
    has_name, has_metric = which
    rows: list[tuple[Any, ...]] = []
    units = []
    for benchmark, metric, context, count, mean, quantiles, most in _native.summarise_logs(
        read.native, [*_LEVELS.values()]
    ):
        about = metrics[metric]
        if not (has_name[benchmark] and has_metric[metric]):
            continue
        keys = " ".join(f"{key}={value}" for key, value in contexts[context].keys.items())
        name = f"{names[benchmark]} {keys}".strip()
        # A share is a number without a unit.
        unit = "" if about.unit == "1" else about.unit
        rows.append((", ".join(filter(None, (name, about.name, unit))), count, mean, *quantiles, most))
        units.append(unit)
    lines = [(name, records) for name, records in zip(found.lines, account.kinds, strict=True)]
    lines += [(what, count) for what, count in _not_used(account) if count]
    in_units = kind not in {"csv", "json"}
    large = [
        (found.samples[sample], quantity(unit, value) if in_units and unit else value, of, f"{file}:{line}")
        for sample, value, unit, of, file, line in account.large
        if value
    ]
    problems = [
        (problem.what, f"{problem.source}{f':{problem.line}' if problem.line else ''}") for problem in read.problems
    ]
    tables = [
        Listing(_SAMPLES, ("sample, metric, unit", "n", "mean", *_LEVELS, "max"), rows, units=tuple(units)),
        Listing("The largest", ("sample", "value", "of", "line"), large),
        Listing("Lines", ("lines", "records"), lines),
        Listing("Left out or unusual", ("what", "where"), problems),
    ]
    return [table for table in tables if table.rows]


def _not_used(account: logs.Account) -> list[tuple[str, int]]:
    return [
        ("(no kind of the mapping)", account.other),
        ("(longer than the limit)", account.long),
        ("(no usable time)", account.timeless),
        ("(no sample)", account.unused),
    ]


def try_mapping(options: argparse.Namespace) -> int:
    """Show what each of the first lines of a log becomes; return the exit code."""
    found = logs.named(options.mapping)
    traced = logs.trace(options.file, found, options.lines)
    if not traced:
        raise Stop("empty-file", f"{options.file}: holds no line")
    text = "".join(_told(one) for one in traced) + _counted(traced)
    output.write(text, None, "terminal")
    return 0 if any(one.samples for one in traced) else 1


def _told(one: logs.Traced) -> str:
    """Write a line of a log, and below it what became of it."""
    head = f"{one.line}: {_native.shortened(_native.printable(one.text), 100)}\n"
    if not one.kind:
        return f"{head}     no kind of lines fits\n"
    when = instant(one.at) if one.at is not None else "no usable time" if one.is_timed else "no time"
    body = f"     {one.kind}, {when}\n"
    if one.fields:
        body += (
            "     "
            + ", ".join(
                f"{_native.printable(name)} = {_native.shortened(_native.printable(value), 60)}"
                for name, value in one.fields
            )
            + "\n"
        )
    samples = ", ".join(f"{name}: {_became(value, words)}" for name, value, words in one.samples) or "no sample"
    return f"{head}{body}     → {_native.printable(samples)}\n"


def _became(value: tuple[float, str] | None, words: str) -> str:
    amount = quantity(value[1], value[0]).strip() if value else ""
    return ", ".join(filter(None, (amount, words)))


def _counted(traced: list[logs.Traced]) -> str:
    fitting = sum(bool(one.kind) for one in traced)
    used = sum(bool(one.samples) for one in traced)
    return (
        f"{counted(len(traced), 'record')}: {fitting} of a kind of the mapping, {used} in a sample, "
        f"{len(traced) - fitting} of no kind\n"
    )


def propose(options: argparse.Namespace) -> None:
    """Propose a mapping for a log; return the exit code."""
    from statera.reading.logs.proposal import propose as proposed  # noqa: PLC0415 - only here

    proposal = proposed(options.file)
    output.write(proposal.text, options.output, "toml")
    arguments.say(f"statera: {proposal.found}")
    if options.output is not None:
        arguments.say(f"Next: statera logs try {options.file} --mapping {options.output}")
