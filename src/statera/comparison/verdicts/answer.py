"""The answer of a comparison in one line: how many are worse and which is the worst; what was excluded if none is."""

from __future__ import annotations

from math import inf, log1p

from statera import _native
from statera.comparison.codes import CHANGES, GAINS, OF_TAILS, tallied
from statera.comparison.verdicts.findings import PARAMETRIC, distinguishing, place_words, row_name, suite_words
from statera.comparison.verdicts.missing import missing, why
from statera.reading.observations import Words
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted, form, listed, shown, unchanged

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from statera.comparison.pairing.request import Shared

_USUAL: Final = Words()
# A longer name would hide the numbers behind it; the findings and the tables have it whole.
_LONGEST_NAME: Final = 44
# Of more rows than these nobody asks which is the largest.
_SCANNED: Final = 1000
# Larger changes than tenfold say only that the data are too few.
_VAST: Final = 9.0


class Answer(NamedTuple):
    """The answer of a comparison.

    A subject is a benchmark (a metric, where there is one benchmark only) of one group and pair of variants. Each is
    counted once, by its most urgent row.

    Attributes:
        line: the answer in one line, printable and without a full stop.
        counts: number of subjects by verdict, only those that occur, the worst first.
        lacking: number of subjects that were compared and lack other metrics.
        leads: the row that speaks for each subject, the worst first.
        suspects: those of the leading rows that changed for the worse, or that changed without a known direction.
        noun: the word for a subject: ``benchmark``, ``metric``, or ``comparison`` if there are several groups or pairs.
        states: the words for worse and better: ``slower`` and ``faster`` if all that changed are times and rates.

    """

    line: str
    counts: dict[str, int]
    lacking: int
    leads: list[int]
    suspects: list[int]
    noun: str
    states: tuple[str, str]


def answer(weighing: _native.Weighing, words: Words = _USUAL) -> Answer:
    """State the answer; the words are those of the observations."""
    found = weighing.answer(words.subject == "metric")
    leads = found["leads"]
    counts = tallied(found["counts"])
    said = _Line(weighing, words, found, counts)
    return Answer(said.line(), counts, found["lacking"], leads, _suspects(weighing, leads), said.noun, said.states)


def answer_of_own_parts(found: Answer, shared: tuple[Shared, ...]) -> Answer:
    """Begin the answer with what was taken out of all values."""
    first = shared[0]
    size = f" ({_native.percent(first.change)})" if len(shared) == 1 else ""
    return found._replace(line=f"Apart from what all {first.rows:,} share{size}: {found.line}")


def _suspects(weighing: _native.Weighing, leads: list[int]) -> list[int]:
    of = set(weighing.with_verdict([code for code in CHANGES if code not in GAINS]))
    bad = set(weighing.harmed(leads)) | set(weighing.undirected(leads)) | set(weighing.with_verdict(["invalid"]))
    tails = set(weighing.with_verdict([code for code in OF_TAILS if code not in GAINS]))
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
        metrics = {section[1]: weighing.row_dict(section[4][0])["unit"] for section in weighing.sections()}
        self._several = len(metrics) > 1
        self._one_time = list(metrics.values()).count("s") == 1
        self._judged = self._total - counts.get("one-value", 0) - counts.get("new", 0)
        self.noun = "comparison" if any(self._whose) else words.subject
        self._worse = "slower" if found["slower"] else "worse"
        self._better = "faster" if found["faster"] else "better"
        self.states = (self._worse, self._better)

    def line(self) -> str:
        """Write the line."""
        if not self._total:
            return "Nothing was compared"
        if set(self._counts) <= {"missing", "new"}:
            return f"Nothing could be compared: {why(self._weighing)}"
        says: tuple[Callable[[], str], ...] = (
            self._invalid,
            self._nothing,
            self._worst,
            self._tails,
            self._missing,
            self._changed,
            self._differing,
            self._shapes,
            self._spread,
            self._improved,
            self._together,
            self._suite,
            self._levels,
            self._uncertain,
            self._undecided,
            self._single,
            self._aside,
            self._lacking,
            self._new,
        )
        line = "; ".join(part for part in (say() for say in says) if part)
        if self._total == 1:
            return f"{self._name(self._found['leads'][0])}: {line}"
        return line[:1].upper() + line[1:]

    def _moved(self) -> bool:
        return not set(self._counts) <= {"equivalent", "inconclusive", "one-value", "new"}

    def _first(self, *verdicts: str) -> int | None:
        of = set(self._weighing.with_verdict([*verdicts]))
        return next((row for row in self._found["leads"] if row in of), None)

    def _name(self, row: int) -> str:
        """Name a row: its benchmark or metric, and the contender, baseline and group where there are several."""
        name = self._short(row_name(self._weighing, row, self._subject))
        return name + place_words(self._weighing, row, self._whose)

    def _short(self, name: str) -> str:
        """Shorten a long name so that it differs from those of the other subjects."""
        if _native.columns(name) <= _LONGEST_NAME:
            return name
        every = (row_name(self._weighing, row, self._subject) for row in self._found["leads"])
        names = [*dict.fromkeys([name, *every])]
        return _native.apart(names, _LONGEST_NAME)[0]

    def _change(self, row: int, which: str = "") -> str:
        """Write the change of a row with its name, or with its interval if the line begins with the only name."""
        change, interval = self._weighing.cells(row, ("change", "interval"))
        if self._total > 1:
            return " ".join(part for part in (f"{which}{self._name(row)}", self._metric(row), shown(change)) if part)
        return " ".join(part for part in (self._metric(row), shown(change), interval) if part)

    def _metric(self, row: int) -> str:
        """Name the metric of a row where there are several, but not the only time: the usual question is of time."""
        fields = self._weighing.row_dict(row)
        if self._subject == "metric" or not self._several or (fields["unit"] == "s" and self._one_time):
            return ""
        return _native.printable(fields["metric"])

    def _beside(self, row: int) -> str:
        """Write the change of another metric of the only benchmark."""
        metric = _native.printable(self._weighing.row_dict(row)["metric"])
        return f"{metric} {shown(self._weighing.cell(row, 'change'))}"

    def _number(self, count: int, state: str) -> str:
        """Write how many are in a state; only the first states the total, and one alone has no number.

        ``2 of 20 benchmarks slower``, ``11 faster``, ``slower``.
        """
        if self._total == 1:
            return state
        if self._totalled:
            return f"{count:,} {state}"
        self._totalled = True
        return f"{count:,} of {counted(self._total, self.noun)} {state}"

    def _leading(self, verdict: str) -> list[int]:
        of = set(self._weighing.with_verdict([verdict]))
        return [row for row in self._found["leads"] if row in of]

    def _invalid(self) -> str:
        """State what failed where what remained is faster."""
        rows = self._leading("invalid")
        if not rows:
            return ""
        if self._total == 1:
            return f"INVALID: {self._failed()}"
        state = self._number(len(rows), "INVALID")
        return f"{state}, {self._name(rows[0])}: {self._failed()}"

    def _failed(self) -> str:
        """Write how much failed in both builds, of the first that is invalid."""
        if not self._found["failures"]:
            return "it fails more"
        row, is_share = self._found["failures"][0]
        fields = self._weighing.row_dict(row)
        before, after = (_native.printable(fields[side]) for side in ("baseline", "contender"))
        metric = _native.printable(fields["metric"])
        if not is_share:
            now, then = map(shown, self._weighing.cells(row, ("contender_centre", "baseline_centre")))
            # What only the contender states did not happen before.
            return f"{now} {metric} in {after}, {'none' if then == '-' else then} in {before}"
        old, new = fields["baseline_centre"] or 0.0, fields["contender_centre"] or 0.0
        if new < old:  # a share that succeeded
            old, new = 1 - old, 1 - new
        return f"{100 * new:.3g}% of {after} failed, {100 * old:.3g}% of {before} ({metric})"

    def _worst(self) -> str:
        rows = self._leading("worse")
        if not rows:
            return ""
        also = ""
        if self._total == 1:
            # What else got worse: a single benchmark has no other line.
            every = self._weighing.order(self._weighing.with_verdict(["worse"]), "effect", changed=False)
            others = [self._beside(row) for row in every if row != rows[0]]
            also = f"; also worse: {listed(others, 2)}" if others else ""
        worst = self._change(rows[0], self._which(rows, "worst")) + self._level(rows[0])
        return f"{self._number(len(rows), self._worse)}, {worst}{also}"

    def _level(self, row: int) -> str:
        """State in brackets that a build of a row changed its level, which its change does not show."""
        where = self._weighing.cell(row, "level")
        return f" (a build changed its level: {where})" if where else ""

    def _which(self, rows: list[int], most: str) -> str:
        """Call the first of several rows the ``most`` only if it is: times come before sizes of more harm."""
        if len(rows) == 1:
            return ""
        harms = [self._weighing.harm(row) for row in rows[:_SCANNED]]
        return f"{most} " if harms[0] >= max(harms) else "such as "

    def _tails(self) -> str:
        row = self._first("tail-worse")
        if row is None:
            return ""
        count = self._counts["tail-worse"]
        more = "" if self._total == 1 else f"{', first ' if count > 1 else ': '}{self._name(row)}"
        return f"{self._number(count, f'{self._worse} in the tail')}{more}"

    def _missing(self) -> str:
        """State how many a contender lacks altogether, and at some levels only."""
        lacks = missing(self._weighing, self._found["leads"], self._subject)
        counts = ((len(lacks.vanished), "vanished"), (len(lacks.levels), "missing at some levels"))
        return "; ".join(self._number(count, state) for count, state in counts if count)

    def _lacking(self) -> str:
        """State how many were compared and lack other metrics."""
        count = self._found["lacking"]
        several = len(self._weighing.missing_metrics()) > count
        return self._number(count, "missing in some metrics" if several else "missing in one metric") if count else ""

    def _changed(self) -> str:
        rows = self._leading("changed")
        if not rows:
            return ""
        state = self._number(len(rows), "changed without a known direction")
        return f"{state}, {self._largest(rows)}"

    def _largest(self, rows: list[int]) -> str:
        """Write the largest change of some rows."""
        row = max(rows[:_SCANNED], key=lambda each: _size(self._weighing.row_dict(each)))
        return self._change(row, "most " if len(rows) > 1 else "")

    def _differing(self) -> str:
        rows = self._leading("differs")
        if not rows:
            return ""
        count = len(rows)
        few = {PARAMETRIC in self._weighing.row_dict(each)["warnings"] for each in rows}
        why = " or ".join([f"one {self._process} each"] * (False in few) + ["few runs"] * (True in few))
        state = self._number(count, f"{form(count, 'differs', 'differ')} ({why})")
        worse = self._weighing.harmed(rows[:1])
        return f"{state}, {self._change(rows[0], self._which(rows, 'worst')) if worse else self._largest(rows)}"

    def _shapes(self) -> str:
        count = self._counts.get("shape-changed", 0)
        return self._number(count, "changed in shape") if count else ""

    def _spread(self) -> str:
        """State how much more all benchmarks together vary, of the metric and pair in which it is most."""
        ratio = max((summary["spread"][0] for summary in self._weighing.summaries() if "spread" in summary), default=0)
        return f"the values vary {ratio:.2g} times as much as before" if ratio > 1 else ""

    def _improved(self) -> str:
        count, tails = self._counts.get("better", 0), self._counts.get("tail-better", 0)
        said = [self._number(count, self._better)] if count else []
        if count and self._total == 1:
            said[0] += f", {self._change(self._found['leads'][0])}"
        elif self._total == 1:
            # What else a single benchmark gained: it has no other line.
            rows = self._weighing.order(self._weighing.with_verdict(["better"]), "gain", changed=False)[:1]
            said = [f"better, {self._beside(row)}" for row in rows]
        return "; ".join([*said, *([self._number(tails, f"{self._better} in the tail")] if tails else [])])

    def _undecided(self) -> str:
        told = len(self._found["uncertain"]) + len(self._found["levels"]) + self._found["together"]
        count = self._counts.get("inconclusive", 0) - told
        if not count:
            return ""
        sizes = self._found["detectable"]
        shows = ""
        if sizes is not None:
            least, most, known = sizes
            shows = f"could have shown {_shown(least, most)}" + (f" in {known:,} of {count:,}" if known < count else "")
        # If all are, the line began with it.
        said = "" if count == self._judged and self._total > 1 else self._number(count, "undecided")
        if self._total == 1 and self._weighing.row_dict(self._found["leads"][0])["reason"] == "tail-undecided":
            said += " because of slow runs"
        return ", ".join(part for part in (said, shows) if part)

    def _single(self) -> str:
        count = self._counts.get("one-value", 0)
        rows = self._weighing.with_verdict(["one-value"])
        worse = self._weighing.order(self._weighing.harmed(rows), "effect", changed=False)[:1]
        if not count:
            return ""
        if self._total == 1:
            worse = self._found["leads"]
        most = f", {self._change(worse[0], 'the largest change for the worse is ')}" if worse else ""
        return f"{self._number(count, 'not judged (one value a side)')}{most}"

    def _aside(self) -> str:
        """State what of the only benchmark got worse and was not judged: it has no other line."""
        if self._total > 1 or "one-value" in self._counts:
            return ""
        rows = self._weighing.harmed(self._weighing.with_verdict(["one-value"]))
        worse = [self._beside(row) for row in self._weighing.order(rows, "effect", changed=False)]
        return f"not judged (one value a side): {listed(worse, 2)}" if worse else ""

    def _new(self) -> str:
        count = self._counts.get("new", 0)
        return self._number(count, "new") if count else ""

    def _together(self) -> str:
        """State how many moved no further than all of them did."""
        count = self._found["together"]
        if not count:
            return ""
        ratios = [summary["ratio"] for summary in self._weighing.summaries() if "ratio" in summary]
        by = f" ({_native.percent(ratios[0] - 1)} on average)" if len(ratios) == 1 else ""
        return f"{self._number(count, 'moved with all the others')}{by}, which the machine may explain"

    def _suite(self) -> str:
        """State the change of a whole suite where no row shows one by itself."""
        # What changed its level within a build moves the mean of a suite too.
        if self._moved() or self._found["together"] or self._found["levels"]:
            return ""
        moved = [each for each in self._weighing.summaries() if each.get("certain") and each["rows"] > 1]
        return suite_words(self._weighing, moved[0]) if moved else ""

    def _levels(self) -> str:
        """State which build changed its level between its runs, at which run and by how much."""
        rows = self._found["levels"]
        if not rows:
            return ""
        fields = self._weighing.row_dict(rows[0])
        build = _native.printable(fields[fields["level_change_of"]])
        where = self._weighing.cell(rows[0], "level")
        if self._total == 1:
            return f"undecided, {build} changed its level: {where}"
        first = ", first " if len(rows) > 1 else ": "
        return (
            f"{self._number(len(rows), 'changed level within a build')}{first}{self._name(rows[0])} {where} of {build}"
        )

    def _uncertain(self) -> str:
        """State which undecided ones lie beyond the margin: nobody may count them under "no change"."""
        rows = self._found["uncertain"]
        if not rows:
            return ""
        several = len(rows) > 1
        lie = "lie beyond the margin but are not certain" if several else "lies beyond the margin but is not certain"
        state = self._number(len(rows), f"{lie} among {self._weighing.family:,}")
        return f"{state}: {self._change(rows[0], self._which(rows, 'worst'))}"

    def _nothing(self) -> str:
        """State what is excluded where nothing changed."""
        found = self._found
        told = found["uncertain"] or found["levels"] or found["together"] or self._spread() or self._suite()
        if self._moved() or told or set(self._counts) <= {"one-value", "new"}:
            return ""
        self._totalled = True
        rest = self._excludes()
        if self._total == 1:
            return f"no change found{', ' if rest else ''}{rest}"
        return f"{unchanged(self._judged, self.noun, self._counts)}{': ' if rest else ''}{rest}"

    def _excludes(self) -> str:
        excluded = self._found["excluded"]
        if excluded is None:
            return ""
        least, most, subjects = excluded
        if most > _VAST:
            return ""
        what = "slowdown" if self._found["slower"] else "change for the worse"
        where = "" if self._total == 1 else f" in {subjects:,} of {self._judged:,}"
        return f"no {what} above {_native.percent_span(least, most)}{where}"


def _size(row: dict[str, Any]) -> float:
    """Return the size of a change, so that doubling and halving are equally large."""
    change = row["change"]
    if change is None:
        return 0.0
    return abs(log1p(change)) if row["change_unit"] == "ratio" and change > -1 else inf


def _shown(least: float, most: float) -> str:
    """Write which changes could have been shown; beyond the largest that helps anybody only the smallest."""
    if most <= _VAST:
        return _native.percent_span(least, most)
    return f"{_native.percent_span(least, least)} or more"
