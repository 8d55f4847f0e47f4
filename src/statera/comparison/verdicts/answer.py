"""The answer of a comparison in one line: how many are worse and which is the worst; what was excluded if none is."""

from __future__ import annotations

from math import inf, log1p

from statera import _native
from statera.comparison.codes import CHANGES, GAINS, OF_TAILS, tallied
from statera.comparison.verdicts.findings import (
    PARAMETRIC,
    change_words,
    distinguishing,
    missing,
    place_words,
    row_name,
    suite_words,
    why,
)
from statera.reading.observations import Words
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted, form, listed, shown, unchanged

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from statera.comparison.pairing.request import Shared
    from statera.comparison.verdicts.notes import Note
    from statera.reading.observations import Observations

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
    """

    line: str  # the answer in one line, printable and without a full stop
    # what the line joins, each as the code of its verdict and its words; the code is empty where a part is a sentence
    # on all of them
    parts: list[tuple[str, str]]
    name: str  # what begins the line: the name of the only subject; otherwise empty
    counts: dict[str, int]  # number of subjects by verdict, only those that occur, the worst first
    lacking: int  # number of subjects that were compared and lack other metrics
    leads: list[int]  # the row that speaks for each subject, the worst first
    # those of the leading rows that changed for the worse, or that changed without a known direction
    suspects: list[int]
    # the word for a subject: ``benchmark``, ``metric``, or ``comparison`` if there are several groups or pairs
    noun: str
    states: tuple[str, str]  # the words for worse and better: ``slower`` and ``faster`` if all that changed are times


def answer(weighing: _native.Weighing, words: Words = _USUAL) -> Answer:
    """State the answer; the words are those of the observations."""
    found = weighing.answer(words.subject == "metric")
    leads = found["leads"]
    counts = tallied(found["counts"])
    said = _Line(weighing, words, found, counts)
    parts = said.parts()
    return Answer(
        joined(said.name, said.with_total(parts)), parts, said.name, counts, found["lacking"], leads,
        _suspects(weighing, leads), said.noun, said.states,
    )  # fmt: skip


def joined(name: str, texts: list[str]) -> str:
    """Join the parts of an answer; a sentence ends before what follows it."""
    line, ends = "", False
    for text in texts:
        # What is said of a single name is no sentence, even if it begins with a metric such as B/op.
        is_sentence = not name and text[:1].isupper()
        line += ("" if not line else ". " if is_sentence or ends else ", ") + text
        ends = is_sentence
    return f"{name}: {line}" if name else line[:1].upper() + line[1:]


def answer_of_own_parts(found: Answer, shared: tuple[Shared, ...]) -> Answer:
    """Begin the answer with what was taken out of all values."""
    first = shared[0]
    size = f" ({_native.percent(first.change)})" if len(shared) == 1 else ""
    begin = f"Apart from what all {first.rows:,} share{size}"
    return found._replace(line=f"{begin}: {found.line}", name=begin)


def _suspects(weighing: _native.Weighing, leads: list[int]) -> list[int]:
    of = set(weighing.with_verdict([code for code in CHANGES if code not in GAINS]))
    bad = set(weighing.harmed(leads)) | set(weighing.undirected(leads)) | set(weighing.with_verdict(["invalid"]))
    tails = set(weighing.with_verdict([code for code in OF_TAILS if code not in GAINS]))
    return [row for row in leads if row in of and (row in bad or row in tails)]


class _Line:
    """Builds the parts from what the compiled part found."""

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
        self.states = (self._state("worse"), self._state("better"))
        self.name = self._name(found["leads"][0]) if self._total == 1 else ""

    def parts(self) -> list[tuple[str, str]]:
        """Write the parts, each with the verdict that it counts."""
        if not self._total:
            return [("", "Nothing was compared")]
        if set(self._counts) <= {"missing", "new"}:
            self.name = ""
            return [("missing", f"Nothing could be compared: {why(self._weighing)}")]
        says: tuple[tuple[str, Callable[[], list[str]]], ...] = (
            ("invalid", self._invalid),
            ("", self._nothing),
            ("worse", self._worst),
            ("tail-worse", self._tails),
            ("missing", self._missing),
            ("missing", self._lacking),
            ("changed", self._changed),
            ("differs", self._differing),
            ("shape-changed", self._shapes),
            ("", self._spread),
            ("better", self._improved),
            ("tail-better", self._improved_tails),
            ("inconclusive", self._together),
            ("", self._suite),
            ("inconclusive", self._levels),
            ("inconclusive", self._uncertain),
            ("inconclusive", self._undecided),
            ("one-value", self._single),
            ("one-value", self._aside),
            ("equivalent", self._equal),
            ("new", self._new),
        )
        return [(code, text) for code, say in says for text in say() if text]

    def _state(self, verdict: str) -> str:
        """Return the word of a verdict, if all its subjects have the same one; otherwise that of the verdict."""
        words = {shown(self._weighing.cell(row, "word")) for row in self._leading(verdict)[:_SCANNED]}
        usual = {
            "worse": "slower" if self._found["slower"] else "",
            "better": "faster" if self._found["faster"] else "",
        }
        return words.pop() if len(words) == 1 else (not words and usual[verdict]) or verdict

    def _moved(self) -> bool:
        return not set(self._counts) <= {"equivalent", "inconclusive", "one-value", "new"}

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

    def _change(self, row: int, *, beside: bool = False) -> str:
        """Write the change of a row with its name, or with its interval if the line begins with the only name."""
        if self._total > 1 and not beside:
            return f"{self._name(row)} {shown(self._weighing.cell(row, 'change'))}"
        return change_words(self._weighing, row)

    def _number(self, count: int, state: str) -> str:
        """Write how many are in a state; one alone has no number."""
        return state if self._total == 1 else f"{count:,} {state}"

    def with_total(self, parts: list[tuple[str, str]]) -> list[str]:
        """Return the texts of the parts, of which the first states the total: ``2 of 20 benchmarks slower``."""
        texts = [text for _, text in parts]
        number, _, rest = texts[0].partition(" ")
        if self._total > 1 and not self._totalled and number.replace(",", "").isdigit():
            texts[0] = f"{number} of {counted(self._total, self.noun)} {rest}"
        return texts

    def _leading(self, verdict: str) -> list[int]:
        of = set(self._weighing.with_verdict([verdict]))
        return [row for row in self._found["leads"] if row in of]

    def _said(self, verdict: str, *, sized: bool) -> list[str]:
        """Count the subjects of a verdict by their words, ``slower`` of times and ``more B/op`` of sizes."""
        of: dict[str, list[int]] = {}
        for row in self._leading(verdict):
            of.setdefault(self._word(row), []).append(row)
        return [
            f"{self._number(len(rows), word)}{self._example(rows, sized=sized)}{self._level(rows[0])}"
            for word, rows in of.items()
        ]

    def _word(self, row: int) -> str:
        """Return the word of a row's verdict, with its metric unless that is the usual one."""
        word = shown(self._weighing.cell(row, "word"))
        fields = self._weighing.row_dict(row)
        if self._subject == "metric" or not self._several or (fields["unit"] == "s" and self._one_time):
            return word
        metric = _native.printable(fields["metric"])
        if self._total == 1:
            return f"{metric} {word}"
        # More of a size or number, but slower in a time.
        return f"{word} {metric}" if word in {"more", "less"} else f"{word} in {metric}"

    def _example(self, rows: list[int], *, sized: bool) -> str:
        """Name the first of some rows with its change, in brackets; the only subject is named already."""
        if self._total == 1:
            return f" {self._change(rows[0])}" if sized else ""
        if not sized:
            return f" ({'first ' if len(rows) > 1 else ''}{self._name(rows[0])})"
        return f" ({self._which(rows, 'worst')}{self._change(rows[0])})"

    def _which(self, rows: list[int], most: str) -> str:
        """Call the first of several rows the ``most`` only if it is: times come before sizes of more harm."""
        if len(rows) == 1:
            return ""
        harms = [self._weighing.harm(row) for row in rows[:_SCANNED]]
        return f"{most} " if harms[0] >= max(harms) else "such as "

    def _level(self, row: int) -> str:
        """State in brackets that a build of a row shifted its level, which its change does not show."""
        where = self._weighing.cell(row, "level")
        return f" (a build shifted level: {where})" if where else ""

    def _invalid(self) -> list[str]:
        """State what failed where what remained is faster."""
        rows = self._leading("invalid")
        if not rows:
            return []
        if self._total == 1:
            return [f"invalid: {self._failed()}"]
        return [f"{self._number(len(rows), 'invalid')} ({self._name(rows[0])}: {self._failed()})"]

    def _failed(self) -> str:
        """Write how much failed in both builds, of the first that is invalid."""
        if not self._found["failures"]:
            return "it fails more"
        row, is_share, means = self._found["failures"][0]
        fields = self._weighing.row_dict(row)
        before, after = (_native.printable(fields[side]) for side in ("baseline", "contender"))
        metric = _native.printable(fields["metric"])
        if not is_share:
            if means is not None:
                then, now = (_native.series_amount("other", fields["unit"], mean, mean) for mean in means)
                return f"{now} {metric} a run in {after}, {then if means[0] else 'none'} in {before}"
            now, then = map(shown, self._weighing.cells(row, ("contender_centre", "baseline_centre")))
            # What only the contender states did not happen before.
            return f"{now} {metric} in {after}, {'none' if then == '-' else then} in {before}"
        old, new = means or (fields["baseline_centre"] or 0.0, fields["contender_centre"] or 0.0)
        if new < old:  # a share that succeeded
            old, new = 1 - old, 1 - new
        return f"{100 * new:.3g}% of {after} failed, {100 * old:.3g}% of {before} ({metric})"

    def _worst(self) -> list[str]:
        said = self._said("worse", sized=True)
        return said + self._beside("worse") if said else said

    def _beside(self, verdict: str) -> list[str]:
        """Name what else of the only subject has a verdict: it has no other line."""
        if self._total > 1:
            return []
        order = "effect" if verdict == "worse" else "gain"
        rows = self._weighing.order(self._weighing.with_verdict([verdict]), order, changed=False)
        others = [row for row in rows if row != self._found["leads"][0]]
        said = [f"{self._word(row)} {shown(self._weighing.cell(row, 'change'))}" for row in others]
        return [f"also {listed(said, 2)}"] if said else []

    def _tails(self) -> list[str]:
        return self._said("tail-worse", sized=False)

    def _missing(self) -> list[str]:
        """State how many a contender lacks altogether, and at some levels only."""
        lacks = missing(self._weighing, self._found["leads"], self._subject)
        counts = ((len(lacks.gone), "gone"), (len(lacks.levels), "gone at some levels"))
        return [self._number(count, state) for count, state in counts if count]

    def _lacking(self) -> list[str]:
        """State how many were compared and lack other metrics."""
        count = self._found["lacking"]
        several = len(self._weighing.missing_metrics()) > count
        lack = form(count, "lacks", "lack")
        return [self._number(count, f"{lack} {'some metrics' if several else 'a metric'}")] if count else []

    def _changed(self) -> list[str]:
        rows = self._leading("changed")
        return [f"{self._number(len(rows), 'changed in an unknown direction')}{self._largest(rows)}"] if rows else []

    def _largest(self, rows: list[int]) -> str:
        """Write the largest change of some rows."""
        if self._total == 1:
            return f" {self._change(rows[0])}"
        row = max(rows[:_SCANNED], key=lambda each: _size(self._weighing.row_dict(each)))
        return f" ({'most ' if len(rows) > 1 else ''}{self._change(row)})"

    def _differing(self) -> list[str]:
        rows = self._leading("differs")
        if not rows:
            return []
        few = {PARAMETRIC in self._weighing.row_dict(each)["warnings"] for each in rows}
        why = " or ".join([f"one {self._process} per build"] * (False in few) + ["few runs"] * (True in few))
        state = self._number(len(rows), form(len(rows), "differs", "differ"))
        example = self._example(rows, sized=True) if self._weighing.harmed(rows[:1]) else self._largest(rows)
        return [f"{state}{example} ({why})" if self._total == 1 else f"{state}{example[:-1]}, {why})"]

    def _shapes(self) -> list[str]:
        return self._said("shape-changed", sized=False)

    def _spread(self) -> list[str]:
        """State how much more all benchmarks together vary, of the metric and pair in which it is most."""
        ratio = max((summary["spread"][0] for summary in self._weighing.summaries() if "spread" in summary), default=0)
        return [f"the values vary {ratio:.2g} times as much as before"] if ratio > 1 else []

    def _improved(self) -> list[str]:
        if "better" not in self._counts:
            # What else a single subject gained.
            return self._beside("better") if self._total == 1 else []
        of: dict[str, int] = {}
        for row in self._leading("better"):
            of[self._word(row)] = of.get(self._word(row), 0) + 1
        alone = f" {self._change(self._found['leads'][0])}" if self._total == 1 else ""
        return [*(f"{self._number(count, word)}{alone}" for word, count in of.items()), *self._beside("better")]

    def _improved_tails(self) -> list[str]:
        return self._said("tail-better", sized=False)

    def _undecided(self) -> list[str]:
        told = len(self._found["uncertain"]) + len(self._found["levels"]) + self._found["together"]
        count = self._counts.get("inconclusive", 0) - told
        if not count or (count == self._judged and self._totalled):
            # If all are, the line began with it.
            return []
        said = self._number(count, "no clear change")
        if self._total > 1:
            return [said]
        slow = self._weighing.row_dict(self._found["leads"][0])["reason"] == "tail-undecided"
        return [f"{said}{' because of slow runs' if slow else ''}", *self._detects()]

    def _detects(self) -> list[str]:
        """State which changes would have been detected."""
        if self._found["detectable"] is None:
            return []
        least, most, _ = self._found["detectable"]
        return [f"a change of {_shown(least, most)} would have been detected"]

    def _single(self) -> list[str]:
        count = self._counts.get("one-value", 0)
        if not count:
            return []
        rows = self._weighing.with_verdict(["one-value"])
        worse = self._weighing.order(self._weighing.harmed(rows), "effect", changed=False)[:1]
        if self._total == 1:
            worse = self._found["leads"]
        most = f", largest change for the worse {self._change(worse[0])}" if worse else ""
        return [f"{self._number(count, 'not judged (one value per build)')}{most}"]

    def _aside(self) -> list[str]:
        """State what of the only subject got worse and was not judged: it has no other line."""
        if self._total > 1 or "one-value" in self._counts:
            return []
        rows = self._weighing.harmed(self._weighing.with_verdict(["one-value"]))
        worse = [
            f"{self._word_of_metric(row)} {shown(self._weighing.cell(row, 'change'))}"
            for row in self._weighing.order(rows, "effect", changed=False)
        ]
        return [f"not judged (one value per build): {listed(worse, 2)}"] if worse else []

    def _word_of_metric(self, row: int) -> str:
        return _native.printable(self._weighing.row_dict(row)["metric"])

    def _equal(self) -> list[str]:
        """Count what is unchanged; where nothing else was found, the line began with it."""
        count = self._counts.get("equivalent", 0)
        begun = not self._moved() and not self._counts.get("inconclusive")
        return [self._number(count, "unchanged")] if count and self._total > 1 and not begun else []

    def _new(self) -> list[str]:
        count = self._counts.get("new", 0)
        return [self._number(count, "new")] if count else []

    def _together(self) -> list[str]:
        """State how many moved no further than all of them did."""
        count = self._found["together"]
        if not count:
            return []
        ratios = [summary["ratio"] for summary in self._weighing.summaries() if "ratio" in summary]
        by = f"{_native.percent(ratios[0] - 1)} on average, " if len(ratios) == 1 else ""
        return [f"{self._number(count, 'moved with all others')} ({by}the machine may be the cause)"]

    def _suite(self) -> list[str]:
        """State the change of a whole suite where no row shows one by itself."""
        # What changed its level within a build moves the mean of a suite too.
        if self._moved() or self._found["together"] or self._found["levels"]:
            return []
        moved = [each for each in self._weighing.summaries() if each.get("certain") and each["rows"] > 1]
        return [suite_words(self._weighing, moved[0])] if moved else []

    def _levels(self) -> list[str]:
        """State which build changed its level between its runs, at which run and by how much."""
        rows = self._found["levels"]
        if not rows:
            return []
        fields = self._weighing.row_dict(rows[0])
        build = _native.printable(fields[fields["level_change_of"]])
        where = self._weighing.cell(rows[0], "level")
        if self._total == 1:
            return [f"no clear change, {build} shifted level: {where}"]
        first = "first " if len(rows) > 1 else ""
        state = self._number(len(rows), "shifted level within a build")
        return [f"{state} ({first}{self._name(rows[0])} {where} of {build})"]

    def _uncertain(self) -> list[str]:
        """State which undecided ones lie beyond the margin: nobody may count them under "no change"."""
        rows = self._found["uncertain"]
        if not rows:
            return []
        several = len(rows) > 1
        lie = "lie beyond the margin but are not certain" if several else "lies beyond the margin but is not certain"
        state = self._number(len(rows), f"{lie} among {self._weighing.family:,}")
        return [f"{state}{self._example(rows, sized=True)}"]

    def _nothing(self) -> list[str]:
        """State what is ruled out where nothing changed."""
        found = self._found
        told = found["uncertain"] or found["levels"] or found["together"] or self._spread() or self._suite()
        if self._moved() or told or set(self._counts) <= {"one-value", "new"}:
            return []
        excluded = self._excludes()
        if self._total == 1:
            return excluded if self._counts.get("inconclusive") else ["unchanged", *excluded]
        self._totalled = True
        if not excluded and "equivalent" not in self._counts:
            # That nothing was found says nothing where nothing could be.
            what = "slowdown" if found["slower"] else "change for the worse"
            said = [f"No clear change in {counted(self._judged, self.noun)}", f"No {what} is ruled out"]
        else:
            said = [unchanged(self._judged, self.noun, self._counts), *excluded]
        return said + [text[:1].upper() + text[1:] for text in self._detects()]

    def _excludes(self) -> list[str]:
        excluded = self._found["excluded"]
        if excluded is None:
            return []
        _, most, subjects = excluded
        if most > _VAST:
            return []
        what = "slowdowns" if self._found["slower"] else "changes for the worse"
        bound = f"{what} above {_native.percent_span(most, most)} are ruled out"
        if self._total == 1:
            return [bound]
        where = "all of them" if subjects == self._judged else f"{subjects:,} of them"
        return [f"{bound[:1].upper()}{bound[1:]} in {where}"]


def _size(row: dict[str, Any]) -> float:
    """Return the size of a change, so that doubling and halving are equally large."""
    change = row["change"]
    if change is None:
        return 0.0
    return abs(log1p(change)) if row["change_unit"] == "ratio" and change > -1 else inf


def _shown(least: float, most: float) -> str:
    """Write which changes would have been detected; beyond the largest that helps anybody only the smallest."""
    if most <= _VAST:
        return _native.percent_span(least, most)
    return f"{_native.percent_span(least, least)} or more"


# The notes that may change the conclusion, the gravest first. The short sentence replaces the text of the note, where
# that is long; braces stand for what the note itself measures.
_GRAVEST: Final = (
    "copies-across", "files-are-builds", "beyond-range", "machine-differs", "moves-as-one", "level-changed",
    "removed-work", "one-process",
    "values-unused", "measured-elsewhere", "copies", "pattern-unused", "configuration-differs", "pooled",
    "files-pooled", "baseline-first", "too-few-runs", "one-after-the-other", "dependent-runs", "drift",
    "family-too-large", "parametric", "warm-up", "several-modes", "few-distinct", "medians-disagree", "exact-varies",
    "order-of-all", "autocorrelation", "one-session", "low-level", "spread-of-all", "summaries", "pairing-unused",
    "empty-cell",
)  # fmt: skip
_ASKED: Final = frozenset(
    {"verify-stands", "verify-does-not-stand", "verify-undecided", "self-test-agrees", "self-test-differs"}
    | {"decided-by", "where-it-went", "hosts-disagree", "hosts-pooled"}
)
"""What ``statera run`` finds with ``--verify``, ``--self-test``, ``--profile``, ``--on``, or what decided: every output
has it."""
_RANK: Final = {code: place for place, code in enumerate(_GRAVEST)}


def cautions(observations: Observations, notes: list[Note]) -> list[str]:
    """Return the cautions, the gravest first, a sentence each."""
    remarks = observations.remarks_by_code
    found = [note for note in notes if note.code in _RANK or note.code in remarks]
    found.sort(key=lambda note: -1 if note.code in remarks else _RANK[note.code])
    return [note.brief or note.text for note in found]


def answers(notes: list[Note]) -> list[Note]:
    """Return the notes that answer an option, which no output leaves out."""
    return [note for note in notes if note.code in _ASKED]
