"""The answer, the findings and the table of a comparison never contradict each other, whatever was compared."""

import functools
import random
import re
import tempfile
from collections import Counter
from pathlib import Path

from statera.comparison.verdicts.findings import centres, written
from statera.output.views import Layout
from statera.output.views.lines import Choice, sheets
from statera.output.views.terminal import page
from support import compare, every, go, noisy

SEEDS = range(24)
WIDTHS = (60, 80, 100, 140)
ORDER = ("worse", "tail-worse", "missing", "changed", "shape-changed", "better", "tail-better", "new", "differs")
COUNTED = ("worse", "better", "inconclusive", "new")
WORDS = {"Slower": "worse", "Faster": "better"}
WORDS |= dict.fromkeys(["More", "Less", "Lower", "Higher", "Worse", "Better"])
MARKS = "[¹²³⁴⁵⁶⁷⁸⁹]"


@functools.cache
def generated(seed):
    """A comparison of a few to many benchmarks, in several metrics, some of them changed, noisy, slow now and then."""
    draw = random.Random(seed)  # noqa: S311
    count = draw.choice([1, 2, 6, 20, 60])
    units = draw.sample(["ns/op", "B/op", "MB/s", "widgets"], draw.choice([1, 1, 2, 3]))
    length = draw.choice(["", "", "github.com/example/library.BenchmarkDecimal", "a-very/long/" * 6])
    runs = draw.choice([1, 3, 8, 12])
    sides = []
    kinds = {(name, unit): draw.choice([1, 1, 1, 1.004, 1.2, 0.7, 30]) for name in range(count) for unit in units}
    spread = draw.choice([0.001, 0.01, 0.2])
    for side in range(2):
        benchmarks = {}
        for name in range(count):
            if draw.random() < 0.05:
                continue
            scale = {unit: 10 ** (1 + name % 4) * (kinds[name, unit] if side else 1) for unit in units}
            benchmarks[f"{length}Case{name}/size={4 ** (name % 6)}"] = {
                unit: [
                    value * (3 if draw.random() < 0.04 else 1)
                    for value in noisy(scale[unit], runs, seed=seed * 999 + name * 9 + side, spread=spread)
                ]
                for unit in units
            }
        sides.append(benchmarks or {"Only": {"ns/op": [1.0] * runs}})
    with tempfile.TemporaryDirectory() as folder:
        return compare(Path(folder), go(sides[0]), go(sides[1]))


def urgency(row, harm):
    """The rank of a row: what differs for the worse comes early; an undecided time before what is better in size."""
    is_time = row.unit in {"s", "B/s"}
    if row.verdict == "differs" and harm > 0:
        return ORDER.index("tail-worse"), 1
    if (row.verdict == "inconclusive" and is_time) or (row.verdict in {"better", "tail-better"} and not is_time):
        return ORDER.index("tail-better"), 1 + (not is_time)
    return (*ORDER, "inconclusive", "equivalent", "one-value").index(row.verdict), 0


@every("seed", SEEDS)
def test_the_answer_counts_each_benchmark_by_its_most_urgent_row(seed):
    found = generated(seed)
    answer = found.answer
    of = {}
    for index, row in enumerate(found):
        of.setdefault(row.benchmark, []).append((urgency(row, found.weighing.harm(index)), row.verdict))
    leads = Counter(min(ranks)[1] for ranks in of.values())
    assert answer.counts == dict(leads)
    assert len(answer.leads) == len(of)
    if len(of) == 1 or not set(answer.counts) - {"missing", "new"}:
        return
    for verdict in COUNTED:
        # A verdict has a part for each of its words: slower, more B/op.
        numbers = [re.match(r"[\d,]+(?= )", text) for code, text in answer.parts if code == verdict]
        count = sum(int(number[0].replace(",", "")) for number in numbers if number)
        begun = answer.line.startswith(("No difference found", "No clear change"))
        assert count == leads[verdict] or (begun and verdict == "inconclusive" and not count), answer.line


@every("seed", SEEDS)
def test_no_finding_contradicts_a_verdict_or_a_change(seed):
    found = generated(seed)
    verdicts = {}
    for row in found:
        verdicts.setdefault(row.benchmark, {})[row.metric] = row
    for sentence in found.findings:
        begin = re.match(rf"({'|'.join(WORDS)}): ", sentence)
        if not begin:
            continue
        for name, metric, change in re.findall(r"(\S+) \((\S+) ([^\s,;)]+)", sentence):
            row = verdicts[name][metric]
            assert WORDS[begin[1]] in {None, row.verdict}, sentence
            assert row.verdict in {"worse", "better"}, sentence
            assert found.weighing.cell(list(found).index(row), "change") == change
        for arrow in re.findall(r", ([\d.]+) (\S+) → ([\d.]+) (\S+?)[;)]", sentence):
            assert (arrow[0], arrow[1]) != (arrow[2], arrow[3]), sentence


@every("seed", SEEDS)
def test_an_arrow_goes_where_the_change_goes(seed):
    found = generated(seed)
    for index, row in enumerate(found):
        arrow = centres(found.weighing, index)
        if arrow and row.change:
            assert (row.contender_centre > row.baseline_centre) == (row.change > 0)
            assert len(set(arrow.split(" → "))) == 2


@every("seed", SEEDS)
@every("width", [None, *WIDTHS])
@every("sort", ["worst", "file"])
def test_every_mark_has_its_note(seed, width, sort):
    found = generated(seed)
    shown = page(found, Layout(width=width, sort=sort, every=True, notes=True))
    tables, _, closing = shown.partition("\nRead ")
    marks = re.findall(rf"(?<= ){MARKS}(?= |$)", tables, re.MULTILINE)
    numbers = re.findall(rf"^({MARKS}) ", closing, re.MULTILINE)
    assert set(marks) <= set(numbers)
    assert numbers == sorted(numbers, key="¹²³⁴⁵⁶⁷⁸⁹".index)


@every("seed", SEEDS)
@every("width", WIDTHS)
def test_lines_keep_within_the_width(seed, width):
    for line in page(generated(seed), Layout(width=width)).splitlines():
        # A name alone can be longer than a line; it is never cut within a sentence.
        assert len(line) <= width or len(max(line.split(), key=len)) > width - 30, line


@every("seed", SEEDS)
def test_rows_stand_worst_first_and_none_is_dropped_in_silence(seed):
    found = generated(seed)
    weighing = found.weighing
    hidden = re.findall(r"^  [\d,]+ (?:more|other) .* --all-rows$", page(found, Layout()), re.MULTILINE)
    some, every = sheets(found, Choice(12)), sheets(found, Choice(12, every=True))
    assert len(hidden) == sum(len(sheet.more) for sheet in some)
    names = {row.benchmark for row in found}
    for first in (some[:1], every[:1]) if len(names) > 1 else ():
        left = [line for sheet in first for of in (sheet.more, sheet.others) for lines in of.values() for line in lines]
        told = [line.name for line in [*first[0].lines, *left]]
        assert len(told) == len(set(told)) == len(names)
    assert not any(sheet.more for sheet in every)
    for section in found.sections():
        rows = [found[row] for row in weighing.order(section.rows, "worst", changed=False)]
        urgencies = [ORDER.index(row.verdict) if row.verdict in ORDER else len(ORDER) for row in rows]
        assert urgencies == sorted(urgencies)


@every("seed", SEEDS)
def test_a_note_on_most_rows_has_no_mark(seed):
    found = generated(seed)
    for note in found.notes:
        assert note.number == 0 or 2 * note.rows <= len(found)


def test_the_median_that_disagrees_has_no_arrow(tmp_path):
    # The typical difference is negative, although the median rises.
    old = [10.0, 10.1, 10.2, 32.20, 50.1, 50.2, 50.3]
    new = [9.0, 9.1, 9.2, 32.74, 42.1, 42.2, 42.3]
    found = compare(tmp_path, go({"A": old, "B": [1.0] * 7}), go({"A": new, "B": [1.0] * 7}))
    index = next(place for place, row in enumerate(found) if row.benchmark == "A")
    assert found[index].change < 0 < found[index].contender_centre - found[index].baseline_centre
    assert centres(found.weighing, index) == ""


def test_two_variants_of_one_benchmark_have_a_summary_in_words(tmp_path):
    old, new = {"A": noisy(256, 20)}, {"A": noisy(100, 20, seed=2)}
    faster = compare(tmp_path, go(old), go(new)).findings[0]
    assert re.fullmatch(r"new runs 2\.56 \(2\.5\d–2\.5\d\) times faster than old \(sec/op 2.* → .*\)\.", faster)
    slower = compare(tmp_path, go(new), go(old)).findings[0]
    assert re.fullmatch(r"new runs 2\.56 \(2\.5\d–2\.5\d\) times slower than old \(sec/op .* → 2.*\)\.", slower)
    same = compare(tmp_path, go(old), go({"A": noisy(256, 20, seed=3)})).findings
    assert not any("times" in sentence for sentence in same)
    two = compare(tmp_path, go({**old, "B": old["A"]}), go({**new, "B": new["A"]})).findings
    assert not any("times" in sentence for sentence in two)


@every(
    ("factors", "texts"),
    [
        ([2.5, 2.47, 2.65], ["2.50", "2.47", "2.65"]),
        ([1.008, 1.005, 1.011], ["1.0080", "1.0050", "1.0110"]),
        ([31.04, 25.8, 41.44], ["31.0", "25.8", "41.4"]),
        ([1234.5, 1100.2, 1300.1], ["1,234", "1,100", "1,300"]),
    ],
)
def test_a_factor_has_the_digits_that_tell_it_from_one(factors, texts):
    assert written(factors) == texts
