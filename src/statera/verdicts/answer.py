"""The answer of a comparison in one line: how many are worse and which is the worst; what was excluded if none is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.codes import VERDICTS
from statera.observations import Words
from statera.verdicts.findings import distinguishing, row_name
from statera.wording import counted, form, shown

if TYPE_CHECKING:
    from collections.abc import Callable

_USUAL: Final = Words()
# The verdicts of rows that ask for action, in the order of urgency.
_SUSPICIOUS: Final = ("worse", "tail-worse", "differs", "changed", "shape-changed")


class Answer(NamedTuple):
    """The answer of a comparison.

    A subject is a benchmark (a metric, where there is one benchmark only) of one group and pair of variants. Each is
    counted once, by its most urgent row.

    Attributes:
        line: the answer in one line, printable and without a full stop.
        counts: number of subjects by verdict, only those that occur.
        leads: the row that speaks for each subject, the worst first.
        suspects: those of the leading rows that changed for the worse, or that changed without a known direction.
        noun: the word for a subject: ``benchmark``, ``metric``, or ``comparison`` if there are several groups or pairs.

    """

    line: str
    counts: dict[str, int]
    leads: list[int]
    suspects: list[int]
    noun: str


def answer(weighing: _native.Weighing, words: Words = _USUAL) -> Answer:
    """State the answer; the words are those of the observations."""
    found = weighing.answer(words.subject == "metric")
    leads = found["leads"]
    counts = {code: count for code, count in zip(VERDICTS, found["counts"], strict=True) if count}
    said = _Line(weighing, words, found, counts)
    return Answer(said.line(), counts, leads, _suspects(weighing, leads), said.noun)


def _suspects(weighing: _native.Weighing, leads: list[int]) -> list[int]:
    of = set(weighing.with_verdict([*_SUSPICIOUS]))
    bad = set(weighing.harmed(leads)) | set(weighing.undirected(leads))
    tails = set(weighing.with_verdict(["tail-worse", "shape-changed"]))
    return [row for row in leads if row in of and (row in bad or row in tails)]


class _Line:
    """Builds the line from what the compiled part found."""

    def __init__(self, weighing: _native.Weighing, words: Words, found: _native.Answer, counts: dict[str, int]) -> None:
        self._weighing = weighing
        self._subject = words.subject
        self._process = words.process
        self._found = found
        self._counts = counts
        self._total = len(found["leads"])
        self._totalled = False
        self._whose = distinguishing(weighing)
        self.noun = "comparison" if any(self._whose) else words.subject
        self._worse = "slower" if found["slower"] else "worse"
        self._better = "faster" if found["faster"] else "better"

    def line(self) -> str:
        """Write the line."""
        if not self._total:
            return "Nothing was compared"
        if set(self._counts) <= {"missing", "new"}:
            return "Nothing could be compared: no benchmark and metric has values on both sides"
        says: tuple[Callable[[], str], ...] = (
            self._nothing,
            self._worst,
            self._tails,
            self._missing,
            self._changed,
            self._differing,
            self._shapes,
            self._improved,
            self._undecided,
            self._single,
        )
        line = "; ".join(part for part in (say() for say in says) if part)
        return line[:1].upper() + line[1:]

    def _moved(self) -> bool:
        return not set(self._counts) <= {"equivalent", "inconclusive", "one-value", "new"}

    def _first(self, *verdicts: str) -> int | None:
        of = set(self._weighing.with_verdict([*verdicts]))
        return next((row for row in self._found["leads"] if row in of), None)

    def _name(self, row: int) -> str:
        """Name a row: its benchmark or metric, and the contender, baseline and group where there are several."""
        fields = self._weighing.row_dict(row)
        baselines, contenders, groups = self._whose
        of = f" of {fields['contender']}" if contenders else ""
        of += f" against {fields['baseline']}" if baselines else ""
        at = f" at {fields['group']}" if groups and fields["group"] else ""
        return row_name(self._weighing, row, self._subject) + _native.printable(of + at)

    def _change(self, row: int) -> str:
        return f"{self._name(row)} {shown(self._weighing.cell(row, 'change'))}"

    def _number(self, count: int) -> str:
        """Write a count; only the first states the total: ``2 of 20 benchmarks``, ``11``."""
        if self._totalled:
            return f"{count:,}"
        self._totalled = True
        return f"{count:,} of {counted(self._total, self.noun)}"

    def _worst(self) -> str:
        count = self._counts.get("worse", 0)
        row = self._first("worse")
        if row is None:
            return ""
        which = "worst " if count > 1 else ""
        return f"{self._number(count)} {self._worse}, {which}{self._change(row)}"

    def _tails(self) -> str:
        row = self._first("tail-worse")
        if row is None:
            return ""
        count = self._counts["tail-worse"]
        more = f"{', first ' if count > 1 else ': '}{self._name(row)}"
        return f"{self._number(count)} {self._worse} in the tail{more}"

    def _missing(self) -> str:
        count = self._counts.get("missing", 0)
        return f"{self._number(count)} vanished" if count else ""

    def _changed(self) -> str:
        row = self._first("changed")
        if row is None:
            return ""
        return f"{self._number(self._counts['changed'])} changed without a known direction, most {self._change(row)}"

    def _differing(self) -> str:
        row = self._first("differs")
        if row is None:
            return ""
        count = self._counts["differs"]
        state = form(count, "differs", "differ")
        why = "few runs" if "parametric" in self._weighing.row_dict(row)["warnings"] else f"one {self._process} each"
        return f"{self._number(count)} {state} ({why}), most {self._change(row)}"

    def _shapes(self) -> str:
        count = self._counts.get("shape-changed", 0)
        return f"{self._number(count)} changed in shape" if count else ""

    def _improved(self) -> str:
        count, tails = self._counts.get("better", 0), self._counts.get("tail-better", 0)
        said = [f"{self._number(count)} {self._better}"] if count else []
        return "; ".join([*said, *([f"{self._number(tails)} {self._better} in the tail"] if tails else [])])

    def _undecided(self) -> str:
        count = self._counts.get("inconclusive", 0)
        if not count:
            return ""
        sizes = self._found["detectable"]
        shows = f", could have shown {_native.percent_span(*sizes)}" if sizes is not None else ""
        return f"{self._number(count)} undecided{shows}"

    def _single(self) -> str:
        count = self._counts.get("one-value", 0)
        rows = self._weighing.with_verdict(["one-value"])
        worse = self._weighing.order(self._weighing.harmed(rows), "effect", False)[:1]  # noqa: FBT003 - compiled
        if not count:
            return ""
        most = f", the largest change for the worse is {self._change(worse[0])}" if worse else ""
        return f"{self._number(count)} not judged (one value a side){most}"

    def _nothing(self) -> str:
        """State what is excluded where nothing changed."""
        if self._moved() or set(self._counts) <= {"one-value", "new"}:
            return ""
        self._totalled = True
        rest = self._excludes()
        if self._total == 1:
            return f"{self._name(self._found['leads'][0])}: no change found{rest}"
        return f"none of {counted(self._total, self.noun)} changed{rest}"

    def _excludes(self) -> str:
        excluded = self._found["excluded"]
        if excluded is None:
            return ""
        least, most, subjects = excluded
        what = "slowdown" if self._found["slower"] else "change for the worse"
        where = "" if self._total == 1 else f" in {subjects:,} of {self._total:,}"
        return f": no {what} above {_native.percent_span(least, most)}{where}"
