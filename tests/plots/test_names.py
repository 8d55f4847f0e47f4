"""Names in pictures stay apart, and no number is cut."""

import random
import re
from xml.etree import ElementTree as ET

import pytest
from looks import compared

from statera import _native
from statera.output import plots
from statera.output.plots import frame
from statera.output.views.names import TWO_LINES, apart, broken, pieces
from support import noisy

CHANCE = random.Random(7)  # noqa: S311 - names for tests


def names(count, width):
    """Make names of a width with a common beginning and end, which differ in one to three characters anywhere."""
    beginning = "pkg/deep/module.Benchmark"[: CHANCE.randrange(26)]
    end = "/size=1048576/threads=16"[CHANCE.randrange(24) :]
    base = [CHANCE.choice("abcdeFGH/-_=. 019") for _ in range(max(width - len(beginning) - len(end), 4))]
    found = set()
    while len(found) < count:
        letters = list(base)
        for _ in range(CHANCE.randrange(1, 4)):
            letters[CHANCE.randrange(len(letters))] = CHANCE.choice("xyzXYZ789")
        found.add(beginning + "".join(letters) + end)
    return sorted(found)


def test_names_that_differ_have_short_forms_that_differ():
    for seed in range(60):
        CHANCE.seed(seed)
        whole = names(CHANCE.choice((2, 6, 40)), CHANCE.choice((20, 60, 120)))
        most = CHANCE.choice((8, 14, 30, 60))
        short = apart(whole, most).names
        assert len(set(short)) == len(whole), seed
        assert max(_native.columns(each) for each in short) <= most, seed
        assert all(short), seed


def test_the_common_ends_are_cut_at_separators_and_said():
    whole = [f"suite/of/many/Encode/case={n}/size=1048576/threads=16" for n in (1, 2, 30)]
    found = apart(whole, 20)
    assert found.names == ["case=1", "case=2", "case=30"]
    (said,) = found.said
    assert "suite/of/many/Encode/" in said
    assert "/size=1048576/threads=16" in said
    assert apart(whole, 200).names == whole
    assert apart(whole, 200).said == []


def test_names_that_would_look_the_same_keep_what_differs():
    whole = ["a" * 60 + "x" + "b" * 60, "a" * 60 + "y" + "b" * 60]
    short = apart(whole, 20).names
    assert "x" in short[0]
    assert "y" in short[1]


def test_titles_of_panels_have_two_lines():
    for seed in range(20):
        CHANCE.seed(seed)
        for each in apart(names(6, 120), int(30 * TWO_LINES)).names:
            lines = broken(each, 30)
            assert len(lines) <= 2, seed
            assert "".join(lines).replace(" ", "") == each.replace(" ", ""), seed
            assert all(_native.columns(line) <= 30 for line in lines), seed


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    wide = [
        f"pkg/very/long/common/prefix/BenchmarkEncodeSomethingWithManyWords/case={n:03d}/size=1048576/threads=16-suffix"
        for n in range(9)
    ]
    tables = {
        label: {each: noisy(1234567 * (1 + i / 9) * 10.0**place, seed=i + place) for place, each in enumerate(wide)}
        for i, label in enumerate(("old", "a-contender-with-a-rather-long-name", "another-contender-with-a-long-name"))
    }
    return compared(tmp_path_factory.mktemp("wide"), **tables)


def panel_titles(spec):
    found = []
    if isinstance(spec, dict):
        title = spec.get("title")
        if isinstance(title, dict) and title.get("style") == "panel-title":
            found.append(" ".join([*title["text"], *title.get("subtitle", [])]))
        parts = [part for key in ("concat", "hconcat", "vconcat") for part in spec.get(key, [])]
        found += [each for part in parts for each in panel_titles(part)]
    return found


@pytest.mark.parametrize("width", [340, pytest.param(720, marks=pytest.mark.later)])
def test_panels_differ_in_their_titles_and_no_number_is_cut(comparison, width):
    for kind in {*plots.KINDS} - {"pairs"}:
        picture = plots.draw(kind, comparison, width=width)
        titles = panel_titles(picture.spec)
        # Panels of one benchmark differ in what stands below its name.
        assert len(set(titles)) == len(titles), kind
        svg = picture.svg()
        for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):  # noqa: S314 - our own
            if re.search(r"role-(axis|legend)-label|role-axis-title", group.get("class", "")):
                assert not [text for text in group.itertext() if re.search(r"\d…|…$", text)], kind
        (wide,) = re.findall(r'<svg[^>]* width="([\d.]+)"', svg)
        assert float(wide) <= width + 24, kind


def test_pictures_of_single_benchmarks_differ_in_their_titles(comparison):
    drawn = [plots.draw("strip", comparison, benchmarks=[number]) for number in range(9)]
    titles = [" ".join(picture.spec["title"]["text"]) for picture in drawn]
    assert len(set(titles)) == len(titles)


def test_the_lines_of_a_title_end_between_the_parts_of_words():
    words = "Values of sec/op, org.example.storage.LeveledCompactionBenchmark.compactOverlappingRuns/threads=8"
    assert frame.wrapped(words, 200, 11) == [
        "Values of sec/op, org.example.",
        "storage.LeveledCompaction",
        "Benchmark. …",
    ]
    assert "".join(frame.wrapped(words, 200, 11, lines=9)).replace(" ", "") == words.replace(" ", "")
    assert frame.wrapped("", 200, 11) == [""]
    assert all(_native.columns(line) <= 33 for line in frame.wrapped("x" * 400, 200, 11, lines=20))


def test_a_key_and_its_value_stay_on_a_line():
    assert pieces("compact/size=large/threads=8") == ["compact/", "size=large/", "threads=8"]
    assert pieces("LeveledCompactionBenchmark.run") == ["Leveled", "Compaction", "Benchmark.", "run"]
    assert pieces("short/name=1") == ["short/name=1"]
