"""No part of a report contradicts another: sentences, numbers, verdicts, drawings and addresses, over many inputs."""

import json
import random
import re

import pytest
from material import blocks, factorial, of, section

from statera.comparison.codes import OF, VERDICTS
from statera.comparison.verdicts.findings import centres
from statera.output.report import model
from statera.output.report.sections import summary
from statera.output.report.sections.rows import MOST_CARDS, index_of
from statera.output.views import json as json_view
from statera.output.views import texts
from support import go, noisy, write

NAMES = (
    "EncodeSmall", "EncodeLarge", "EncodeBool", "DecodeSmall", "DecodeLarge", "DecodeBool", "pkg/a.Run", "pkg/b.Run",
)  # fmt: skip
WORDS = {"slower": "worse", "worse": "worse", "faster": "better", "better": "better"}
"""What a word says of any metric; less, more, lower and higher are better or worse by their metric."""
SENTENCE = re.compile(
    r"(.*?) is (slower|faster|less|more|lower|higher|worse|better)"
    r"(?: than \S+)?( in (?!other metrics)\S+)?(:| in other metrics)"
)
HOSTILE = ("<b>x</b>", "row-EncodeSmall", "`|*_[a](b)", "ü" * 9, "x" * 120)


def sides(seed):
    """Two or three variants of some benchmarks: slower, faster, unchanged, in the tail only, gone, in few runs."""
    chance = random.Random(seed)
    names = chance.sample([*NAMES, *HOSTILE, *(f"Case{number}" for number in range(20))], chance.choice((1, 4, 12, 30)))
    runs = chance.choice((1, 3, 12, 25))
    made = {}
    for variant in ("old", "new", "third")[: chance.choice((2, 2, 3))]:
        found = {}
        for place, name in enumerate(names):
            if len(names) > 1 and chance.random() < 0.05:
                continue
            factor = 1.0 if variant == "old" else chance.choice((1.0, 1.0, 1.02, 1.2, 30.0, 0.8, 0.5))
            times = noisy(
                100 * factor, runs, seed=seed * 100 + place + len(variant), spread=chance.choice((0.002, 0.1))
            )
            if chance.random() < 0.2 and variant != "old":
                times = [value * (1.6 if chance.random() < 0.3 else 1.0) for value in times]
            size = 0 if factor == 0.5 else 64 + 8 * chance.randrange(3)
            found[name.replace(" ", "_")] = {
                "ns/op": times,
                "B/op": [size] * runs,
                "MB/s": [round(1000 / value, 5) for value in times],
            }
        made[f"{variant}.txt"] = go(found)
    return made


def tables(document, key):
    return [block for block in blocks(document, key, "Table") if block.anchors]


def anchors(document):
    """Every address in the document."""
    found = [key for each in document.sections for key in (each.key,)]
    for block in document.blocks:
        found += [block.anchor] if isinstance(block, model.Card) else []
        found += block.anchors if isinstance(block, model.Table) else []
    return found


def links(document):
    """Every link inside of the document."""
    for block in document.blocks:
        if isinstance(block, model.Table):
            yield from (cell.link for row in block.rows for cell in row if cell.link)
        elif isinstance(block, model.Items):
            yield from (item.link for item in block.items if item.link)
        elif isinstance(block, model.Banner):
            yield from (lead.link for lead in block.leads)


@pytest.mark.parametrize("seed", range(14))
def test_no_part_of_a_report_of_generated_values_contradicts_another(tmp_path, seed):
    material, document = of(write(tmp_path, **sides(seed)))
    for check in (
        addresses_are_unique_and_every_link_leads_to_one,
        the_shares_of_the_banner_sum_to_the_subjects_and_to_the_numbers_of_its_line,
        each_suspect_has_a_card_and_a_row_and_the_first_card_is_the_worst,
        rows_say_what_the_comparison_found_and_are_drawn_on_the_side_of_their_harm,
        groups_say_how_many_of_their_rows_have_which_verdict,
        no_sentence_calls_a_benchmark_better_that_another_calls_worse,
        an_arrow_of_centres_goes_where_the_typical_change_goes,
        a_changed_row_is_not_said_to_differ_at_no_quantile,
    ):
        check(material, document)


def test_addresses_of_several_questions_are_unique(tmp_path):
    addresses_are_unique_and_every_link_leads_to_one(*of(factorial(tmp_path), by=("build",), within=("cc",)))


def addresses_are_unique_and_every_link_leads_to_one(_, document):
    found = anchors(document)
    assert len(found) == len(set(found))
    assert set(links(document)) <= set(found)


def the_shares_of_the_banner_sum_to_the_subjects_and_to_the_numbers_of_its_line(material, document):
    answer = material.comparison.answer
    shown = section(document, "summary").blocks[0]
    assert isinstance(shown, model.Banner)
    assert shown.line == answer.line
    counts = {share.words: share.count for share in shown.shares}
    assert sum(counts.values()) == len(answer.leads)
    for count in re.findall(r"of (\d+) (?:benchmark|comparison|metric)", shown.line):
        assert int(count) == len(answer.leads)
    for count in re.findall(r"(\d+) gone", shown.line):
        assert counts["gone"] == int(count)
    # Those beyond the margin that are not certain show no clear change either.
    numbers = [re.match(r"\d+", text) for code, text in answer.parts if code == "inconclusive"]
    if any(numbers):
        assert sum(int(found[0]) for found in numbers) == counts["no clear change"]


def each_suspect_has_a_card_and_a_row_and_the_first_card_is_the_worst(material, document):
    index = index_of(material.comparison)
    cards = [block for block in document.blocks if isinstance(block, model.Card)]
    suspects = material.comparison.answer.suspects[:MOST_CARDS]
    assert [card.anchor for card in cards] == [index.suspects[row] for row in suspects]
    rows = {anchor for table in tables(document, "results") for anchor in table.anchors}
    for row, card in zip(index.suspects, cards, strict=True):
        assert index.row_anchor(row) in rows
        assert card.said.startswith(index.comparison.word([row]))
        assert index.weighing.cell(row, "change") in card.said


def rows_say_what_the_comparison_found_and_are_drawn_on_the_side_of_their_harm(material, document):
    index = index_of(material.comparison)
    row_of = {index.row_anchor(row): row for row in range(len(material.comparison))}
    for table in tables(document, "results"):
        heads = [column.name for column in table.columns]
        assert not table.groups or sum(group.rows for group in table.groups) == len(table.rows)
        for anchor, cells in zip(table.anchors, table.rows, strict=True):
            row = row_of[anchor]
            chip = next(cell for cell in cells if cell.chip)
            assert chip.text == index.comparison.word([row])
            change = cells[heads.index("change")] if "change" in heads else model.Cell("-")
            drawn = change.interval
            if drawn is not None:
                assert 0 <= drawn.low <= drawn.middle <= drawn.high <= 1
                harm = index.weighing.harm(row)
                assert harm == 0 or (drawn.middle - drawn.zero) * harm >= 0


def groups_say_how_many_of_their_rows_have_which_verdict(material, document):
    index = index_of(material.comparison)
    verdict_of = {index.row_anchor(row): index.fields(row)["verdict"] for row in range(len(material.comparison))}
    for table in tables(document, "results"):
        start = 0
        for group in table.groups:
            place = slice(start, start + group.rows)
            chips: dict[str, list[str]] = {}
            for anchor, row in zip(table.anchors[place], table.rows[place], strict=True):
                chips.setdefault(verdict_of[anchor], []).extend(cell.text for cell in row if cell.chip)
            found = re.findall(r"(\d+) ([^·]+?)(?: ·|$)", group.said)
            said = {word: int(count) for count, word in found}
            # Rows of several kinds of metrics share only the word of the verdict.
            assert said == {
                each[0] if len(set(each)) == 1 else OF[code].word: len(each) for code, each in chips.items()
            }
            start += group.rows


def no_sentence_calls_a_benchmark_better_that_another_calls_worse(_, document):
    verdicts = {}
    for block in section(document, "summary").blocks:
        for item in getattr(block, "items", ()):
            found = SENTENCE.match(item.text)
            if found and found[4] == ":":
                assert item.tone in {"worse", "better"}
                assert WORDS.get(found[2], item.tone) == item.tone
                verdicts.setdefault((found[1], found[3]), set()).add(item.tone)
    assert all(len(each) == 1 for each in verdicts.values())


def an_arrow_of_centres_goes_where_the_typical_change_goes(material, _):
    weighing = material.comparison.weighing
    for row in range(len(material.comparison)):
        fields = weighing.row_dict(row)
        if "→" in centres(weighing, row) and None not in (fields["change"], fields["contender_centre"]):
            moved = (fields["contender_centre"] or 0) - (fields["baseline_centre"] or 0)
            assert moved * fields["change"] > 0 or fields["change"] == 0


def a_changed_row_is_not_said_to_differ_at_no_quantile(material, document):
    index = index_of(material.comparison)
    changed = {index.fields(row)["benchmark"] for row in range(len(material.comparison))}
    if len(changed) > 1:
        return
    verdicts = {index.fields(row)["verdict"] for row in range(len(material.comparison))}
    text = "\n".join(item.text for block in document.blocks for item in getattr(block, "items", ()))
    if verdicts <= {"worse", "better"}:
        assert "at no quantile" not in text


def test_a_mean_picture_of_nothing_changed_has_leads_but_no_cards(tmp_path):
    same = {name: noisy(100, 12, seed=place) for place, name in enumerate(NAMES)}
    again = {name: noisy(100, 12, seed=place + 50) for place, name in enumerate(NAMES)}
    document = of(write(tmp_path, **{"old.txt": go(same), "new.txt": go(again)}))[1]
    shown = section(document, "summary").blocks[0]
    assert shown.line.startswith("8 benchmarks unchanged")
    assert len(shown.leads) == 8
    assert "suspects" not in [each.key for each in document.sections]
    assert {figure.picture.kind for figure in document.figures} >= {"forest", "scatter"}


def test_the_banner_of_a_pair_shows_the_worst_and_then_the_largest_gains(tmp_path):
    old = {f"Case{number}": noisy(100, 12, seed=number) for number in range(20)}
    new = {f"Case{number}": noisy(100 - 3 * number, 12, seed=number + 30) for number in range(20)}
    new["Case0"] = noisy(140, 12, seed=99)
    document = of(write(tmp_path, **{"old.txt": go(old), "new.txt": go(new)}))[1]
    leads = section(document, "summary").blocks[0].leads
    assert [lead.name for lead in leads][:4] == ["Case0", "Case19", "Case18", "Case17"]
    assert len(leads) == summary._MOST_LEADS
    assert leads[0].interval.low > leads[0].interval.zero > leads[1].interval.high


def test_counts_of_verdicts_have_one_order_in_every_output(tmp_path):
    old = {f"S{at}": noisy(100, 30, seed=at) for at in range(4)} | {"Gone": noisy(5)}
    new = {f"S{at}": noisy(size, 30, seed=9 + at) for at, size in enumerate((80, 100, 120, 100))} | {"Fresh": noisy(5)}
    material, document = of(write(tmp_path, **{"old.txt": go(old), "new.txt": go(new)}))
    comparison = material.comparison
    order = [code for code in VERDICTS if code in comparison.answer.counts]
    assert {"worse", "missing", "new", "better"} < set(order)
    assert list(comparison.answer.counts) == order
    (answered,) = (block for block in document.blocks if isinstance(block, model.Banner))
    assert [share.count for share in answered.shares] == [comparison.answer.counts[code] for code in order]
    assert list(json.loads(json_view.comparison_document(comparison))["summaries"][0]["verdicts"]) == order
    said = texts.verdict_words(comparison.sections()[0].summary)
    assert said == " · ".join(f"{comparison.answer.counts[code]} {OF[code].word}" for code in order)
