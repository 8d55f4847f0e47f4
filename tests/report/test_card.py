"""The card and the badge: pictures of the answer that stand alone, in which nothing overflows and no name acts."""

import re
from dataclasses import replace
from itertools import product
from typing import get_args
from xml.etree import ElementTree as ET

import pytest

import statera
from rendered import HOSTILE
from statera.output.plots import theme
from statera.output.report import card
from statera.output.report.model import Banner, Document, Interval, Lead, Section, Share, Tone
from statera.output.svg import text_width
from support import fails, go, noisy, write

SVG = "{http://www.w3.org/2000/svg}"


def document(*blocks, subtitle="old against new", byline="statera 0.1.0"):
    return Document("Benchmark comparison", subtitle, byline, (Section("summary", "Summary", blocks),))


def lead(name, text="+40.7% [+38.6%, +42.5%]", tone="worse", **cut):
    return Lead(name, text, tone, Interval(0.6, 0.7, 0.8, 0.3, **cut), "row-1")


def banner(line="2 of 20 benchmarks slower", names=("A", "B"), **kwargs):
    shares = (Share("slower", 2, "worse"), Share("no clear change", 7, "inconclusive"), Share("faster", 11, "better"))
    return Banner(
        line, kwargs.get("shares", shares), tuple(map(lead, names)), kwargs.get("axis", "slower to the right")
    )


def parsed(svg):
    return ET.fromstring(svg)  # noqa: S314 - our own


def texts(svg):
    return [(each.text, each) for each in parsed(svg).iter(f"{SVG}text")]


def contrast(one, other):
    def luminance(colour):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_card_holds_the_answer_the_counts_and_the_rows():
    svg = card.card(document(banner()))
    root = parsed(svg)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1200", "630", "0 0 1200 630")
    words = [text for text, _ in texts(svg)]
    assert words[:2] == ["old against new", "2 of 20 benchmarks slower"]
    assert {"2 slower", "7 no clear change", "11 faster", "A", "B", "+40.7% [+38.6%, +42.5%]"} < set(words)
    assert root.find(f"{SVG}title").text == "2 of 20 benchmarks slower"
    assert "A +40.7%" in root.find(f"{SVG}desc").text
    bar = [each for each in root.findall(f"{SVG}rect") if each.get("height") == "20"]
    assert [each.get("class") for each in bar] == ["tone-worse", "tone-inconclusive", "tone-better"]
    widths = [float(each.get("width")) for each in bar]
    assert widths[1] / widths[0] == pytest.approx(3.5, rel=0.01)
    assert len(root.findall(f".//{SVG}circle")) == 2


def test_it_needs_nothing_from_elsewhere():
    for svg in (card.card(document(banner())), card.badge(document(banner()))):
        bare = svg.replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|url\((?!#)|href|<script|<image|@import|@font-face", bare)


def test_no_name_overflows_or_acts():
    for name in (*HOSTILE, "漢字🦀" * 60, "a" * 10_000, "\x00\x1b[31m\ufffe\ud800", "W" * 200, ""):
        neither_overflows_nor_acts(name)


def neither_overflows_nor_acts(name):
    made = banner(f"2 of 20 benchmarks slower, worst {name} ×32.2; 11 faster", (name, f"{name}2", name))
    svg = card.card(document(made, subtitle=f"{name} against {name}"))
    drawn = texts(svg)
    for text, each in drawn:
        size = float(each.get("font-size"))
        end = float(each.get("x")) + text_width(text or "", size, bold=each.get("font-weight") == "bold")
        assert end <= 1200 - 60, name
        assert float(each.get("y")) <= 630
    assert {each.tag for each in parsed(svg).iter()} <= {
        f"{SVG}{tag}" for tag in ("svg", "title", "desc", "style", "rect", "text", "path", "circle")
    }
    # A number is never shortened: names give way.
    assert [text for text, _ in drawn].count("+40.7% [+38.6%, +42.5%]") == 3
    parsed(card.badge(document(made)))


def test_rows_of_long_names_keep_what_tells_them_apart():
    path = "com.example.platform.storage.engine.benchmarks.LogStructuredMergeTreeBenchmark"
    names = [f"{path}.{what}:blockSize={size}, sec/op" for what in ("flush", "recover") for size in (4096, 8192)]
    drawn = [text for text, _ in texts(card.card(document(banner(names=names)))) if "…" in text]
    assert len(set(drawn)) == 4
    for text, what, size in zip(drawn, ("flush", "flush", "recover", "recover"), ("4096", "8192") * 2, strict=True):
        assert what in text
        assert size in text


def test_the_card_counts_the_rows_that_it_shows_and_cuts_no_sentence():
    axis = "slower to the right, the change of the median; the axis runs from -88.7% to ×52.0"
    made = replace(banner(names="ABCDEFGH", axis=axis), total=13)
    words = [text for text, _ in texts(card.card(document(made, byline="statera " * 8)))]
    assert words[-1] == "the first 6 of 13; slower to the right"
    assert made.axis.startswith("the first 8 of 13; slower to the right")
    short = [text for text, _ in texts(card.card(document(made, byline="")))]
    assert short[-1] == f"the first 6 of 13; {axis}"


def test_an_interval_that_is_too_long_is_left_out_as_a_whole():
    long = f"+40.7% [+{'9' * 40}%, +{'9' * 40}%]"
    svg = card.card(document(Banner("x", (), (lead("A", long),), "")))
    assert "+40.7%" in [text for text, _ in texts(svg)]


def test_ends_beyond_the_axis_are_arrows():
    plain, cut = (card.card(document(Banner("x", (), (lead("A", **of),), ""))) for of in ({}, {"cut_high": True}))
    assert cut.count("<path") == plain.count("<path") + 1


def test_the_colours_follow_the_reader_or_are_fixed():
    auto, light, dark = (card.card(document(banner()), scheme) for scheme in ("auto", "light", "dark"))
    assert "prefers-color-scheme:dark" in auto
    assert "prefers-color-scheme" not in light + dark
    assert theme.LIGHT.background in light
    assert theme.DARK.background not in light
    assert theme.DARK.background in dark
    assert theme.LIGHT.background not in dark


def test_every_text_of_a_card_has_contrast():
    for mode, tone in product(theme.MODES, get_args(Tone)):
        assert contrast(card.of_tone(card.ink(tone), mode), theme.palette(mode).background) >= 4.5, (mode, tone)
        assert contrast(card.of_tone(card.ink(tone)), "#ffffff") >= 4.5, tone  # the words of a badge


def test_a_badge_says_the_most_urgent():
    for shares, words in (
        ((Share("slower", 2, "worse"), Share("faster", 3, "better")), "2 slower"),
        ((Share("gone", 1, "missing"), Share("better", 3, "better")), "1 gone"),
        ((Share("no clear change", 4, "inconclusive"), Share("faster", 1_234, "better")), "1,234 faster"),
        ((Share("new", 2, "missing"), Share("unchanged", 3, "equivalent")), "no change"),
        (
            (Share("no clear change", 4, "inconclusive"), Share("unchanged", 3, "equivalent")),
            "3 unchanged, 4 no clear change",
        ),
        ((Share("no clear change", 4, "inconclusive"),), "4 no clear change"),
        ((Share("one value", 4, ""),), "not judged"),
        ((), "nothing compared"),
    ):
        assert [text for text, _ in texts(card.badge(document(banner(shares=shares))))] == ["statera", words]


def test_the_name_of_the_file_selects_the_picture(tmp_path, run):
    write(tmp_path, **{"old.txt": go({"X": noisy(100)}), "new.txt": go({"X": noisy(200)})})
    names = ["card.svg", "card-dark.svg", "nightly-card-light.svg", "main.badge.svg", "Badge.SVG"]
    outputs = [word for name in names for word in ("-o", name)]
    assert run("report", "old.txt", "new.txt", *outputs).code == 0
    made = [(tmp_path / name).read_text() for name in names]
    assert ["prefers-color-scheme" in svg for svg in made] == [True, False, False, False, False]
    assert theme.DARK.background in made[1]
    assert "statera: 1 slower" in made[3] == made[4]
    for name in ("figure.svg", "discard.svg", "x.png", "cardsvg"):
        fails(run("report", "old.txt", "new.txt", "-o", name), "card.svg")
        assert not (tmp_path / name).exists()


def test_what_cannot_be_compared_has_a_card_too(tmp_path, run):
    write(tmp_path, **{"old.txt": go({"X": noisy(100)}), "new.txt": go({"Y": noisy(200)})})
    assert run("report", "old.txt", "-o", "card.svg", "-o", "badge.svg").code == 0
    assert "fit" in texts((tmp_path / "card.svg").read_text())[1][0]
    result = statera.compare(tmp_path / "old.txt", tmp_path / "new.txt")
    result.report(tmp_path / "badge.svg")
    assert "statera: 1 gone" in (tmp_path / "badge.svg").read_text()


def test_a_table_is_not_written_to_a_card_but_its_report_is(tmp_path, run):
    write(tmp_path, **{"old.txt": go({"X": noisy(100)}), "new.txt": go({"X": noisy(200)})})
    fails(run("compare", "old.txt", "new.txt", "-o", "card.svg"), "Run statera report … -o card.svg")
    fails(run("cluster", "compare", ".", ".", "-o", "my-badge.svg"), "Run statera cluster report … -o my-badge.svg")


def test_a_foot_without_room_loses_what_the_axis_is_relative_to_and_nothing_else():
    axis = "slower or more to the right, relative to the baseline's mean; from -4.76% to +12.3%"
    foot = texts(card.card(document(banner(axis=axis), byline="statera 0.1.0 · results of 23 November 2026")))[-1][0]
    assert foot == "slower or more to the right; from -4.76% to +12.3%"
    assert texts(card.card(document(banner(axis=axis), byline="")))[-1][0] == axis
