"""Head, table, comment, result, picture and report of one comparison have the same counts, words and numbers."""

import html
import json
import random
import re

import pytest

import statera
from statera import _native
from statera.comparison.codes import GAINS, LOSSES, OF
from statera.output import plots
from statera.output.views import Layout, terminal
from support import go, noisy, write

# What a benchmark does: the factor of its time, its bytes before and after, and whether its time is too noisy to tell.
DEEDS = {
    "slower": (1.3, (64, 64), 0.004),
    "faster": (0.7, (64, 64), 0.004),
    "same": (1.0, (64, 64), 0.002),
    "noisy": (1.01, (64, 64), 0.3),
    "more": (1.0, (64, 96), 0.002),
    "noisy less": (1.01, (96, 64), 0.3),
    "faster more": (0.7, (64, 96), 0.004),
}


def suite(chance):
    """Two files of benchmarks, some of which only one of them has."""
    old, new = {}, {}
    for number in range(chance.randint(2, 30)):
        factor, (before, after), spread = DEEDS[chance.choice([*DEEDS])]
        name = f"Case{number}"
        old[name] = {"ns/op": noisy(100 + number, seed=number, spread=spread), "B/op": [before] * 10}
        new[name] = {"ns/op": noisy((100 + number) * factor, seed=number + 50, spread=spread), "B/op": [after] * 10}
    for side in (old, new):
        if chance.random() < 0.3 and len(side) > 2:
            del side[chance.choice([*side])]
    return go(old), go(new)


@pytest.fixture(scope="module", params=range(8))
def found(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("voice")
    old, new = suite(random.Random(request.param))
    return statera.compare(*write(folder, old=old, new=new))


def counted(parts):
    """The number of benchmarks by verdict that the parts of an answer state."""
    of = {}
    for code, text in parts:
        number = re.match(r"([\d,]+) ", text)
        if code and number:
            of[code] = of.get(code, 0) + int(number[1].replace(",", ""))
    return of


def lines_of(found, **layout):
    """The names of the lines of all tables of the terminal, without repetitions."""
    told = terminal.page(found, Layout(width=200, **layout))
    return told, [*dict.fromkeys(re.findall(r"^(Case\d+)  ", told, re.MULTILINE))]


def test_each_benchmark_is_counted_once_and_the_parts_are_the_counts(found):
    answer = found.answer
    assert sum(answer.counts.values()) == len({row.benchmark for row in found})
    stated = counted(answer.parts)
    # What a sentence on all of them says needs no count.
    assert {code: count for code, count in answer.counts.items() if code in stated} == stated
    silent = set(answer.counts) - set(stated)
    assert silent <= {"equivalent", "inconclusive"}
    assert not silent or re.search("No (difference found|clear change) in", answer.line) or "unchanged" in answer.line


def test_the_table_has_what_the_answer_counts(found):
    counts = found.answer.counts
    moved = sum(count for code, count in counts.items() if OF[code].harm != "none")
    told, names = lines_of(found, height=200)
    assert len(names) == moved
    for code, word in (("inconclusive", "with no clear change"), ("equivalent", "unchanged"), ("missing", "gone")):
        stated = re.findall(rf"^  (\d+) {word}", told, re.MULTILINE)
        assert [int(number) for number in stated] == [count for each, count in counts.items() if each == code]
    every = lines_of(found, height=200, every=True)[1]
    assert len(every) == sum(counts.values())
    few = lines_of(found, height=20)
    more = sum(int(number) for number in re.findall(r"^  (\d+) (?:more|other) ", few[0], re.MULTILINE))
    assert len(few[1]) + more == moved


def test_a_number_is_the_same_wherever_it_stands(found):
    told = terminal.page(found, Layout(width=200, height=200))
    comment = found.to_markdown().replace("\u00a0", " ")
    for row in found:
        if row.metric != "sec/op" or row.verdict not in {*GAINS, *LOSSES}:
            continue
        place = next(place for place, each in enumerate(found) if each == row)
        old, new, change, word = found.weighing.cells(place, ("old", "new", "change", "word"))
        assert word == ("slower" if row.change > 0 else "faster")
        line = next(line for line in told.splitlines() if line.startswith(f"{row.benchmark} "))
        assert [cell for cell in re.split(r"  +", line) if cell in {old, new, change}] == [old, new, change]
        cells = [line for line in comment.splitlines() if line.startswith(f"| `{row.benchmark}` |")]
        if cells:
            assert f"| {old} → {new} | {'**' * (row.verdict in LOSSES)}{change}" in cells[0]


def test_comment_result_picture_and_report_say_the_same_counts(found, tmp_path):
    answer = found.answer
    assert found.to_markdown().startswith("### ")
    assert _native.markdown_text(answer.line[:60]) in found.to_markdown().splitlines()[0]
    assert json.loads(found.to_json())["answer"]["line"] == answer.line
    found.report(tmp_path / "page.html")
    assert html.escape(answer.line[:60]) in (tmp_path / "page.html").read_text()
    times = [row for row in found if row.metric == "sec/op" and row.verdict not in {"missing", "new"}]
    title = plots.draw("forest", found).title
    for word, verdict in (("slower", "worse"), ("faster", "better"), ("no clear change", "inconclusive")):
        count = sum(row.verdict == verdict for row in times)
        moved = sum(row.verdict in {*GAINS, *LOSSES} for row in times)
        if count and moved != 1:
            assert f"{count} {word}" in title, title


def test_no_number_has_a_sign_against_the_medians_beside_it(found):
    told = terminal.page(found, Layout(width=200, height=200, every=True))
    assert "−0%" not in told
    assert "−0 " not in told
    for row in found:
        if row.verdict == "inconclusive" and row.metric == "sec/op":
            line = next(line for line in told.splitlines() if line.startswith(f"{row.benchmark} "))
            assert re.search(r"  ~  ", line), line
