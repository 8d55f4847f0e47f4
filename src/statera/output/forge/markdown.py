"""The comment on a result, in Markdown: every text of the result is a name in a code span, every number is a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import ASKING, GAINS, LOSSES, OF, VERDICTS, word
from statera.comparison.verdicts.inspection import of
from statera.comparison.weighing.self_test import Rate
from statera.output.forge.forge import COMMIT
from statera.output.views import comment
from statera.output.views.comment import LongNames
from statera.output.views.tables import markdown as table
from statera.support.wording import NOTHING, counted, unchanged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.output.forge.result import Result

_MOST_LABELS: Final = 6
_SHORT: Final = 10
_UNJUDGED: Final = frozenset({"one-value", "new"})
_REFUSALS: Final = {
    "nothing-judged": "too little was judged",
    "unread-results": "not everything could be read",
}
_FAILURES: Final = {
    "build-failed": "A build failed, so nothing was compared",
    "missing-file": "There are no results to compare",
    "one-variant": "Only one build has results, so nothing was compared",
}


class About(NamedTuple):
    """What is known of a result without asking it."""

    commit: str  # the commit that the run belongs to; empty if nobody knows
    page: str  # the page of the run; empty if nobody knows


def has_news(result: Result) -> bool:
    """Return whether a result says something that a reader must know without asking."""
    compared = result["compared"]
    if compared is None:
        return True
    gate = compared["gate"]
    moved = any(compared["verdicts"].get(verdict) for verdict in (*ASKING, *GAINS))
    return moved or bool(gate and (gate["failing"] or gate.get("refusal")))


def comment_body(result: Result, about: About) -> str:
    """Write a comment, within ``comment.MOST`` characters: the answer, what changed, and the noise of the machine."""
    room = comment.Room(comment.MOST - 2 * comment.size(_left_out(10**12)))
    compared = result["compared"]
    if compared is None:
        parts = [room.take(f"{_failure(result)}\n{_about(result, about)}")]
    else:
        rows = _in_order(compared["rows"])
        names = LongNames(row["benchmark"] for row in rows)
        # What a gate refuses to answer asks for a look, however good the rest of it is.
        mark = comment.mark(compared["verdicts"], bool((compared["gate"] or {}).get("refusal")))
        parts = [
            room.take(f"### {mark} {_answer(compared, names)}\n\n{_about(result, about)}"),
            room.take(_gate(compared["gate"])),
        ]
        opened = [row for row in rows if row["verdict"] in {*ASKING, *GAINS}][: comment.ROWS]
        parts.append(_rows(opened, compared["noun"], names, room) if opened else "")
        # Few lines, which are worth more than further rows.
        last = room.take(_noise(compared["noise"]) + _home(result, about))
        parts += [_others(compared, len(opened)), names.fold(room.left, "the report of the run"), last]
    return "".join(parts)


def _failure(result: Result) -> str:
    failure = result["failure"]
    said = _FAILURES.get(failure["code"], "The comparison failed")
    return f"### {comment.MARKS['missing']} {said}\n\n{comment.name(failure['text'], 500)}\n"


def _answer(compared: dict[str, Any], names: LongNames) -> str:
    """Say how many are worse and which is the worst, and what became of the others."""
    verdicts, noun = compared["verdicts"], compared["noun"]
    total = counted(sum(verdicts.values()), noun)
    states = dict(zip(("worse", "better"), compared["states"], strict=True))
    order = [code for code in dict.fromkeys((*ASKING, *GAINS[::-1], *VERDICTS)) if verdicts.get(code)]
    parts = [f"{verdicts[code]:,} {states.get(code, OF[code].word)}" for code in order]
    if parts and all(OF[code].part == "presence" for code in order):
        return f"Nothing could be compared: {', '.join(parts)}"
    if not any(verdicts.get(code) for code in (*ASKING, *GAINS)):
        judged = sum(count for code, count in verdicts.items() if code not in _UNJUDGED)
        others = [part for code, part in zip(order, parts, strict=True) if code in _UNJUDGED]
        return ", ".join([unchanged(judged, noun, [code for code, count in verdicts.items() if count]), *others])
    parts[0] = f"{verdicts[order[0]]:,} of {total} {parts[0].partition(' ')[2]}"
    worst = next((row for row in compared["rows"] if row["verdict"] == "worse"), None)
    if worst is not None and verdicts.get("worse"):
        which = "worst " if verdicts["worse"] > 1 else ""
        place = order.index("worse")
        parts[place] += f" ({which}{_native.code_span(names.short(worst['benchmark']))} {_change(worst)})"
    return ", ".join(parts)


def _about(result: Result, about: About) -> str:
    """Name what was compared, where and by what."""
    base, *others = [_label(label) for label in result["labels"][: _MOST_LABELS + 1]] or [""]
    names = [f"{base} → {', '.join(others)}"] if others else []
    names += [f"commit `{about.commit[:_SHORT]}`"] if about.commit else []
    names += [comment.name(result["machine"][key]) for key in ("cpu", "os") if key in result["machine"]]
    if result["rounds"]:
        names.append(counted(result["rounds"], "round"))
    names += [f"[run]({about.page})"] if about.page else []
    return f"{' · '.join(names)}\n"


def _label(label: str) -> str:
    return comment.name(label[:_SHORT] if COMMIT.fullmatch(label) else label, 40)


def _gate(gate: dict[str, Any] | None) -> str:
    if gate is None:
        return ""
    failing, refusal = gate["failing"], gate.get("refusal")
    said = f"**failed**: {counted(failing, 'result')}" if failing else "passed"
    if refusal and not failing:
        said = f"**has no answer**: {_REFUSALS.get(refusal, 'it found nothing to judge')}"
    return f"\nGate `--fail-on {gate['fail_on']}` {said}\n"


def _in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put what asks for action first, whatever the order of the file."""
    rank = {verdict: place for place, verdict in enumerate((*ASKING, *GAINS[::-1]))}
    return sorted(rows, key=lambda row: min(rank.get(row["verdict"], len(rank)), rank["missing"] + 1))


def _rows(rows: list[dict[str, Any]], noun: str, names: LongNames, room: comment.Room) -> str:
    """Write the open table, as many rows as fit."""
    lines = comment.within(["\n", *_lines(rows, noun, names)], room.left)
    return room.take("".join(lines))


def _others(compared: dict[str, Any], shown: int) -> str:
    """Count the rows that changed and have no room; the heading counts the others."""
    moved = sum(row["verdict"] in {*ASKING, *GAINS} for row in compared["rows"])
    return _left_out(moved - shown + compared["left_out"]) if moved > shown or compared["left_out"] else ""


def _left_out(count: int) -> str:
    return f"\n{counted(count, 'more result')} in the report of the run.\n"


def _lines(rows: list[dict[str, Any]], noun: str, names: LongNames) -> list[str]:
    heads = ["benchmark", "metric", "level", "variant", "before → after", "change", "interval", "runs", "verdict"]
    cells = [_cells(row, names) for row in rows]
    several = len({row["contender"] for row in rows}) > 1 or noun == "comparison"
    dropped = {
        "level": all(row["group"] == "" for row in rows),
        "variant": not several,
        "metric": len({row["metric"] for row in rows}) == 1 and rows[0]["metric"] == "time",
    }
    kept = [place for place, head in enumerate(heads) if not dropped.get(head)]
    left = [number for number, place in enumerate(kept) if heads[place] in {"metric", "level", "variant", "verdict"}]
    return table([[each[place] for place in kept] for each in [heads, *cells]], left).splitlines(keepends=True)


def _cells(row: dict[str, Any], names: LongNames) -> list[str]:
    said = _native.markdown_text(word(row["verdict"], row["quantity"], row["change"]))
    return [
        names.span(row["benchmark"]),
        comment.name(row["metric"], in_table=True),
        comment.name(row["group"], in_table=True) if row["group"] else NOTHING,
        comment.name(row["contender"], 40, in_table=True),
        f"{_amount(row, row['baseline_centre'])} → {_amount(row, row['contender_centre'])}",
        _change(row),
        _interval(row),
        " + ".join(f"{count:,}" for count in dict.fromkeys(row["runs"])),
        f"**{said}**" if row["verdict"] in LOSSES else said,
    ]


def _amount(row: dict[str, Any], value: float | None) -> str:
    """Write a value with its unit, on one line; both sides have the prefix of the baseline."""
    if value is None:
        return NOTHING
    size = value if row["baseline_centre"] is None else row["baseline_centre"]
    text = _native.series_amount(row["quantity"], row["unit"], float(value), float(size))
    return comment.amount(text)


def _change(row: dict[str, Any]) -> str:
    change = row["change"]
    if change is None:
        return NOTHING
    if row["scale"] == "ratio":
        return _native.markdown_text(_native.percent(float(change)))
    return f"{'+' if change >= 0 else ''}{_amount(row, change)}"


def _interval(row: dict[str, Any]) -> str:
    low, high = row["change_low"], row["change_high"]
    if low is None or high is None:
        return NOTHING
    if row["scale"] == "ratio":
        ends: Iterable[str] = map(_native.markdown_text, _native.percent_ends(float(low), float(high)))
    else:
        ends = (_amount(row, end) for end in (low, high))
    return f"[{f',{comment.NO_BREAK}'.join(ends)}]"


def _noise(metrics: list[dict[str, Any]]) -> str:
    """Say how much this machine makes a build differ from itself."""
    # What is not known of a metric needs no row, and what is known of none no column.
    told = [each for each in metrics if each["floor"] is not None or each["called"] is not None][: comment.ROWS]
    if not told:
        return ""
    has_alarms = any(each["called"] is not None for each in told)
    rows = [["metric", "benchmarks", "noise", *(["false alarms"] if has_alarms else [])]]
    for each in told:
        floor = each["floor"]
        noise = NOTHING if floor is None else f"±{_native.markdown_text(_native.percent(float(floor)).lstrip('+'))}"
        alarms = [_native.markdown_text(_alarms(each))] if has_alarms else []
        rows.append([comment.name(each["metric"], in_table=True), f"{each['benchmarks']:,}", noise, *alarms])
    said = "the baseline against itself; 95% of its changes are smaller than the noise"
    return comment.fold("Noise of this machine", said, table(rows))


def _alarms(metric: dict[str, Any]) -> str:
    count, trials = metric["called"], metric["trials"]
    if count is None or trials is None:
        return NOTHING
    return of(Rate(count, trials, trials, metric.get("called_low"), metric.get("called_high")))


def _home(result: Result, about: About) -> str:
    """Say how to run the comparison elsewhere; every word is checked against a pattern of harmless ones."""
    experiment, factor = result["experiment"], result["factor"]
    commits = [each["commit"] for each in result["revisions"] if COMMIT.fullmatch(each["commit"] or "")]
    if not experiment or not factor or not commits or not about.commit:
        return ""
    base = commits[0]
    seed = "" if result["seed"] is None else f" --seed {result['seed']}"
    lines = [
        f"git fetch origin {base} {about.commit}",
        f"statera run {experiment} -L {factor} {base},{about.commit}{seed}",
    ]
    return comment.fold("Run it at home", "", "```console\n" + "".join(f"$ {line}\n" for line in lines) + "```\n")
