"""The banner: the answer in a line, how many benchmarks have which verdict, and the rows that matter most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.codes import ASKING, GAINS, GRADES, said
from statera.output.report.model import Banner, Item, Items, Lead, Prose, Share
from statera.output.report.sections.index import indexes
from statera.output.report.sections.intervals import axis_of, interval_words
from statera.output.report.sections.quality import GRADE_TONES
from statera.output.report.sections.rows import TONES
from statera.support.wording import shown

if TYPE_CHECKING:
    from statera.comparison.results.inspection import Inspection
    from statera.comparison.verdicts import Answer
    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.output.report.sections.index import Index
    from statera.output.report.sections.intervals import Axis

_MOST: Final = 8
_SINGLE: Final = "one-value"
# Of a row without a change.
_ONE_SIDED: Final = {"missing": "vanished", "new": "new"}
_AT_LEVEL: Final = {"missing": "missing at this level", "new": "new at this level"}


def banner(material: Material) -> list[Block]:
    """Answer the requested question, and below it the further ones in a line each."""
    if material.reason is not None or not material.questions:
        return [_without(material)] if material.reason is not None or material.inspection is not None else []
    first, *others = indexes(material)
    found: list[Block] = [_of(first)]
    if others:
        lines = [
            _answered(index, question.words) for index, question in zip(others, material.questions[1:], strict=True)
        ]
        lead = f"The answer above compares {_lowered(material.questions[0].words)}. Further comparisons:"
        found += [Prose((lead,)), Items(tuple(lines))]
    return found


def _lowered(words: str) -> str:
    """Write the words of a question inside of a sentence."""
    return _native.printable(f"{words[:1].lower()}{words[1:]}")


def _answered(index: Index, words: str) -> Item:
    leads = index.answer.leads
    tone = TONES[index.fields(leads[0])["verdict"]] if leads else ""
    return Item(f"{_native.printable(words)}: {index.answer.line}.", tone, index.link(leads[0]) if leads else "")


def shares(answer: Answer) -> tuple[Share, ...]:
    """Return how many subjects have which verdict, in the words of the answer."""
    states = dict(zip(("worse", "better"), answer.states, strict=True))
    return tuple(
        Share(states.get(code) or said(code, count), count, TONES[code]) for code, count in answer.counts.items()
    )


def _of(index: Index) -> Banner:
    answer = index.answer
    every = _leading(index)
    rows, best = _first(index, every)
    axis = axis_of(index, rows)
    metrics = {index.fields(row)["metric"] for row in rows}
    named = index.several_metrics and index.comparison.observations.words.subject != "metric"
    leads = tuple(_lead(index, row, axis, named=named and len(metrics) > 1) for row in rows)
    places = [_native.printable(metric) for metric in metrics] if named and len(metrics) == 1 else []
    places += [axis.words] if any(lead.interval for lead in leads) else []
    return Banner(answer.line, shares(answer), leads, "; ".join(places), len(every), best)


def _leading(index: Index) -> list[int]:
    """Return the rows that matter most: what asks for action, then the largest gains, then the rest."""
    rows = index.answer.leads
    verdicts = {row: index.fields(row)["verdict"] for row in rows}
    gains = index.weighing.order([row for row in rows if verdicts[row] in GAINS], "gain", False)  # noqa: FBT003
    urgent = [row for row in rows if verdicts[row] in ASKING]
    # Single values are not judged, but their largest changes are what there is to see.
    single = index.weighing.order([row for row in rows if verdicts[row] == _SINGLE], "effect", False)  # noqa: FBT003
    changed = [*urgent, *gains, *single]
    return changed or rows


def _first(index: Index, rows: list[int]) -> tuple[list[int], int]:
    """Return the rows that fit, and how many of them are the best.

    Single values have no verdicts, so that both ends of their order are shown.
    """
    if len(rows) <= _MOST:
        return rows, 0
    harms = [index.weighing.harm(row) for row in rows]
    gains = sum(harm < 0 for harm in harms)
    if {index.fields(row)["verdict"] for row in rows} != {_SINGLE} or not 0 < gains < len(rows):
        return rows[:_MOST], 0
    best = min(max(_MOST // 2, _MOST - (len(rows) - gains)), gains)
    return [*rows[: _MOST - best], *rows[-best:]], best


def _lead(index: Index, row: int, axis: Axis, *, named: bool) -> Lead:
    fields, cell = index.fields(row), index.weighing.cell
    # Of a row that is open the interval says what is known.
    change = "" if index.is_open(row) else shown(cell(row, "change"))
    words = f"{change} {interval_words(index, row)}".strip()
    text = (_AT_LEVEL if fields["reason"] == "at-level" else _ONE_SIDED).get(fields["verdict"], words)
    title = index.title(row)
    if named:
        title += f", {_native.printable(fields['metric'])}"
    return Lead(title, text, TONES[fields["verdict"]], axis.place(index, row), index.link(row))


def _without(material: Material) -> Banner:
    """Say why nothing was compared, or in an inspection whether the samples can be compared."""
    line, inspection = "", material.inspection
    if material.reason is not None:
        line = f"Nothing could be compared: {_native.printable(str(material.reason).replace(chr(10), ' ')).strip()}"
    elif inspection is not None:
        line = _native.printable(next(iter(inspection.findings), "Nothing was inspected"))
    shares = _grades(inspection) if inspection is not None and material.reason is None else ()
    return Banner(line.rstrip("."), shares, (), "")


def _grades(inspection: Inspection) -> tuple[Share, ...]:
    counts = inspection.native.summary([*range(len(inspection))])["grades"]
    made = (Share(grade, count, GRADE_TONES[grade]) for grade, count in zip(GRADES, counts, strict=True) if count)
    return tuple(reversed([*made]))
