"""``statera history check``: what the newest commit tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import arguments, history_place, output
from statera.history import wording
from statera.history.answers import Answers
from statera.history.cases import BELOW
from statera.history.check import Gate, ended, sentence
from statera.history.check import check as check_commits
from statera.history.checkout import here
from statera.history.documents import checked
from statera.output.views.tables import aligned
from statera.support.errors import Stop
from statera.support.files.csv_json import document
from statera.support.settings.detector import SETTLED, Detector
from statera.support.settings.policy import parse_fraction
from statera.support.wording import counted, form, listed

if TYPE_CHECKING:
    import argparse

    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis
    from statera.history.check import Check, Told

_NAMED = 6
# The options that an answer depends on.
_ASKED = ("branch", "family", "fail_on", "lane", "output_format")


def check(options: argparse.Namespace) -> int:
    """Show what the newest commit changed, and return the exit code of the gate."""
    gate = _gate(options)
    arguments.set_jobs(options.jobs)
    settings = arguments.reading(options)
    opened = history_place.folder(options, settings)
    since = _commit(options.since)
    answers = Answers(opened, "check", settings, since, *(getattr(options, name) for name in _ASKED))
    if not answers.last:
        held = history_place.catalog_of(opened, settings)
        analysis = history_place.analysis_of(options, settings, opened, held)
        text, failed = _answered(options, analysis, opened.about.project, (since, gate))
        answers.keep(analysis, {"text": text, "failed": failed})
    else:
        text, failed = answers.last["text"], answers.last["failed"]
    output.write(text, None)
    return 1 if failed else 0


def _answered(
    options: argparse.Namespace,
    analysis: Analysis,
    project: str,
    asked: tuple[str | None, Gate | None],
) -> tuple[str, bool]:
    """Return the text of the answer, and whether the gate fails."""
    since, gate = asked
    branches = sorted(analysis.orders)
    if len(branches) > 1:
        raise Stop("several-branches", f"the history has the branches {', '.join(branches)}. Name one with --branch")
    found = check_commits(analysis, branches[0], SETTLED, since)
    if gate and not found.commits:
        raise Stop(
            "nothing-judged",
            f"--since {wording.short(since or '')}: no commit after it was measured, so the gate has no answer. Add "
            "the results of a later commit first",
        )
    failing = [told for told in found.told if gate and gate.fails(told)]
    failed = len(failing) + (found.absent if gate and gate.missing else 0)
    if history_place.is_json(options):
        stated = (",".join(options.fail_on), failed) if gate else None
        return document(checked(project, analysis, found, stated)), failed > 0
    verdict = _verdict(",".join(options.fail_on), gate, failing, found) if gate else ""
    return _text(found, analysis) + verdict, failed > 0


def _commit(name: str | None) -> str | None:
    """Return the full name of a commit that git understands, and any other name as it is."""
    repository = here() if name else None
    return (repository.resolve(name) if repository and name else None) or name


def _gate(options: argparse.Namespace) -> Gate | None:
    suite = options.family == "suite"
    if not options.fail_on:
        if suite:
            raise Stop("bad-option", "--family suite changes the gate only. Name it with --fail-on worse")
        return None
    gate = Gate(None, suite)
    for each in ",".join(options.fail_on).split(","):
        word, colon, least = each.strip().partition(":")
        if word == "worse":
            gate = gate._replace(least=parse_fraction(least, "--fail-on worse") if colon else 0.0)
        elif (word, colon) == ("missing", ""):
            gate = gate._replace(missing=True)
        else:
            takes = "it takes worse or worse:M, such as worse:5%, and missing, with commas between"
            raise Stop("bad-option", f"--fail-on {','.join(options.fail_on)}: {takes}")
    if suite and gate.least is None:
        raise Stop("bad-option", "--family suite is of changes, and --fail-on missing counts none. Add worse")
    return gate


def _text(found: Check, analysis: Analysis) -> str:
    newest = wording.short(found.commits[-1]) if found.commits else "no commit"
    several = f"{counted(len(found.commits), 'commit')} up to {newest}" if len(found.commits) != 1 else newest
    lines = [f"{several}: {_answer(found)}."]
    lines += dict.fromkeys(line for told in found.told if (line := _common(told.alert, analysis)))
    if found.told:
        lines += ["", _table(found.told, analysis).rstrip("\n")]
    if found.suspects:
        lines += ["", _suspects(found)]
    if found.withdrawn:
        names = listed(wording.names([track.name for track in found.withdrawn]), _NAMED)
        series = counted(len(found.withdrawn), "series", "series")
        lines += ["", f"{series} with an alarm that later values did not confirm: {names}. Look at each course."]
    if found.young:
        lines += [
            "",
            (
                f"{counted(len(found.young), 'young series', 'young series')}: a change may not be told before "
                f"{SETTLED} jobs, up to {found.missing} more."
            ),
        ]
    if found.lacking:
        names = listed(wording.names([track.name for track in found.lacking]), _NAMED)
        among = "one of the commits up to " if len(found.commits) > 1 else ""
        lines += ["", f"{counted(len(found.lacking), 'series', 'series')} missing from {among}{newest}: {names}."]
    if found.stopped:
        lines += ["", ended(found.stopped)]
    if found.gone:
        lines += ["", sentence(found.gone)]
    return "\n".join(lines) + "\n"


def _answer(found: Check) -> str:
    series = counted(len(found.tracks), "series", "series")
    open_ones = [told for told in found.told if told.is_open]
    quiet = len(found.told) - len(open_ones)
    parts = [wording.counts(told.part for told in open_ones)] if open_ones else []
    if quiet:
        parts.append(f"{quiet} known already")
    if found.suspects:
        parts.append(counted(len(found.suspects), "suspect"))
    return f"{', '.join(parts)} of {series}" if parts else f"nothing new in {series}"


def _common(alert: Alert, analysis: Analysis) -> str:
    """Say that a change is one of everything, or of a machine; an empty text if it is not."""
    if not alert.scope:
        return ""
    why = "the machine, since others that measured these commits did not change" if alert.scope == "machine" else ""
    cause = why or "something that all have in common, such as the compiler, or the machine"
    begins = f"{wording.commits(alert, analysis)} (alert {alert.id})"
    return f"{wording.reached(alert).capitalize()} changed at {begins}. Look first for a change of {cause}."


def _table(told: list[Told], analysis: Analysis) -> str:
    tracks = [each.part.track for each in told]
    names, metrics = wording.names([track.name for track in tracks]), wording.names([t.series.metric for t in tracks])
    rows = [("benchmark", "metric", "verdict", "change", "interval", "from", "to", "begins at", "alert")]
    for each, name, metric in zip(told, names, metrics, strict=True):
        track, change = each.part.track, each.part.change
        old, new = wording.levels(track, change)
        verdict = each.part.word if each.is_open else _known(each)
        rows.append(
            (
                name,
                metric,
                verdict + (" (weak)" if change.weak else ""),
                wording.size(track, change),
                wording.interval(track, change),
                wording.amount(track, old),
                wording.amount(track, new),
                wording.commits(each.alert, analysis),
                each.alert.id,
            )
        )
    # One metric needs no column; of several, a benchmark has a row each.
    if len({row[1] for row in rows[1:]}) == 1:
        return aligned([(row[0], *row[2:]) for row in rows], left=2)
    return aligned(rows, left=3)


def _known(told: Told) -> str:
    """Return why nobody has to look at a change."""
    if told.state.is_quiet:
        return told.state.word
    return "expected" if told.expected else BELOW


def _suspects(found: Check) -> str:
    names = listed(wording.names([track.name for track in found.suspects]), 6)
    count = counted(len(found.suspects), "suspect")
    return (
        f"{count}, outside the range of all values before: {names}.\n"
        f"Run {form(len(found.commits), 'this commit', 'the newest commit')} again: two or more jobs decide."
    )


def _verdict(stated: str, gate: Gate, failing: list[Told], found: Check) -> str:
    series = len(found.tracks)
    least = f" of at least {gate.least * 100:.12g}%" if gate.least else ""
    changes = f"{counted(len(failing), 'change') if failing else 'no change'} for the worse{least}"
    lost = f"{counted(found.absent, 'series', 'series') if found.absent else 'no series'} missing"
    said = " and ".join([changes] * (gate.least is not None) + [lost] * gate.missing)
    false = Detector().level * series
    expected = (
        "of series without a change or a wander, 5% at most show one such alarm among all, ever"
        if gate.suite
        else f"of {counted(series, 'series', 'series')} without a change or a wander, at most {false:.3g} show any "
        "alarm, ever"
    )
    few, of = len(found.young), counted(series, "series", "series")
    young = f", {few:,} of {of} with fewer than {SETTLED} jobs, in which a change may not be told yet" if few else ""
    chance = f"{young} ({expected})" if gate.least is not None else ""
    failed = failing or (gate.missing and found.absent)
    return f"\n--fail-on {stated}: {'failed' if failed else 'passed'}, {said}{chance}\n"
