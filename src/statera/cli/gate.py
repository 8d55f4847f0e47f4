"""The gate of verbs that compare: its exit code and its messages."""

from __future__ import annotations

from statera.cli import arguments, output
from statera.cli.streams import silence
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts.gate import Gate, Judged
    from statera.support.settings.file import Settings


def parsed(options: argparse.Namespace) -> Gate | None:
    """Return the gate of the options; None without ``--fail-on``."""
    if not options.fail_on:
        return None
    from statera.comparison.verdicts.gate import parse_gate  # noqa: PLC0415 - most comparisons have no gate

    return parse_gate(
        ",".join(options.fail_on),
        accept_one_process=options.accept_one_process,
        accept_parametric=options.accept_parametric,
    )


def examined(
    comparison: Comparison | None, asked: Gate | None, judging: Callable[[Comparison], Judged] | None = None
) -> tuple[int, list[str]]:
    """Return the exit code of the gate, and its message as lines; nothing compared (None) passes no gate.

    Where the hosts of a run disagree, the gate judges each of them too: what is slower on one and faster on another is
    no change of all together. ``judging`` says of a comparison which rows the gate judges; None: all.
    """
    if asked is None:
        return 0, []
    if comparison is None:
        return 2, ["statera: the gate has no answer: nothing could be compared [nothing-judged]"]
    from statera.comparison.verdicts.gate import examine, message  # noqa: PLC0415 - as above

    judged = None if judging is None else judging(comparison)
    result = examine(asked, comparison, judged)
    lines = message(asked, result, comparison.weighing, comparison.observations.words)
    if result.code or comparison.apart is None:
        return result.code, lines
    code, of_hosts = examined(comparison.apart, asked, judging)
    return code, lines + of_hosts


def written(text: str, options: argparse.Namespace, kind: str, settings: Settings, words: Iterable[str]) -> None:
    """Write a comparison, and write to standard error what the output cannot hold."""
    # A reader may close the pipe early; the result of the gate still holds.
    try:
        output.write(text, options.output, kind)
    except BrokenPipeError:
        silence()
    if kind == "csv":
        arguments.say_settings(settings)
    for line in words:
        arguments.say(line)
