"""The palettes can be read, and told apart: contrast by WCAG 2.2, computed here from its definition."""

import re
from itertools import combinations, product
from types import SimpleNamespace

import pytest
from colour_vision import VISIONS, difference, lab

from statera.comparison.codes import VERDICTS
from statera.output.plots import frame, heatmap, theme
from statera.output.report import html

# Of text (1.4.3), and of marks and lines that carry meaning (1.4.11).
TEXT, MARK = 4.5, 3.0
# Verdicts whose words stand in tables in their own colours.
LOUD = ("better", "worse", "changed", "missing", "new")


def luminance(colour):
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in channels]
    return sum(weight * v for weight, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_definition():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("mode", theme.MODES)
def test_words_can_be_read_on_every_background_and_marks_can_be_seen(mode):
    palette = theme.palette(mode)
    backgrounds = (palette.background, theme.PANELS[mode])
    loud = [c for word, c in zip(VERDICTS, palette.verdicts, strict=True) if word in LOUD]
    for colour in (palette.text, palette.muted, *loud):
        assert min(contrast(colour, each) for each in backgrounds) >= TEXT, colour
    assert contrast(palette.text, palette.background) > 7
    for colour in (*palette.series, *palette.verdicts, palette.line):
        assert contrast(colour, palette.background) >= MARK, colour


def test_differences_are_those_of_the_definition():
    # Pairs 1, 7, 17 and 25 of the test data of Sharma, Wu & Dalal (2005).
    for one, other, expected in (
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ):
        assert difference(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("mode", theme.MODES)
def test_nine_variants_tell_apart_with_any_colour_vision(mode):
    series = theme.palette(mode).series
    by_two_factors = [series[place] for shades in theme.SHADES_OF_HUES[:3] for place in shades]
    for vision, nine in product(VISIONS, (series[:9], by_two_factors)):
        for one, other in combinations(nine, 2):
            assert difference(lab(one, vision), lab(other, vision)) >= 12, (vision, one, other)


@pytest.mark.parametrize("mode", theme.MODES)
def test_colours_of_verdicts_are_used_for_nothing_else(mode):
    palette = theme.palette(mode)
    judged = (palette.better, palette.worse, palette.changed)
    for colour in (*palette.series, *palette.ramp, palette.text, palette.muted, palette.line, palette.absent):
        assert min(difference(lab(colour), lab(each)) for each in judged) >= 10, colour
    of = dict(zip(VERDICTS, palette.verdicts, strict=True))
    assert of["better"] == of["tail-better"] == palette.diverging[0] == palette.better
    assert of["worse"] == of["tail-worse"] == palette.diverging[-1] == palette.worse
    assert of["changed"] == of["shape-changed"] == palette.changed
    assert min(difference(lab(one), lab(other)) for one, other in combinations(judged, 2)) >= 20
    assert len(set(palette.series)) == len(palette.series) == theme.COLOURS


@pytest.mark.parametrize("mode", theme.MODES)
def test_numbers_can_be_read_on_the_colours_of_a_heat_map(mode):
    palette = theme.palette(mode)
    styles = theme.vega_config(mode)["style"]
    for ends in (palette.diverging, palette.undirected):
        for end in (ends[0], ends[-1]):
            for hundredth in range(101):
                share = hundredth / 100
                cell = between(ends[1], end, share)
                style = heatmap.letters(share)
                # A shade between allows no more for letters of any colour.
                assert contrast(styles[style]["color"], cell) >= 3.4, (share, cell)


@pytest.mark.parametrize("mode", theme.MODES)
def test_numbers_can_be_read_on_the_grounds_of_cells_of_a_page(mode):
    palette = theme.palette(mode)
    # What axe cannot see through: it skips cells in a table that scrolls.
    shares = [float(share) / 100 for share in re.findall(r"\) ([\d.]+)%", html.shade_rules())]
    assert len(shares) > 10
    for share, end in product(shares, (palette.worse, palette.better)):
        assert contrast(palette.text, between(palette.background, end, share)) >= 4.5, (share, end)


def between(one, other, share):
    """Mix two colours; Vega does so in CIELAB, which differs little here."""
    mixed = (round((1 - share) * int(one[at : at + 2], 16) + share * int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def test_variants_of_two_factors_have_hues_and_shades():
    samples = SimpleNamespace(labels=["a/x", "b/x", "a/y", "b/y", "c/x"], by=("one", "two"))
    places = frame.variant_colour(samples)["scale"]["domain"]
    drawn = {label: theme.LIGHT.series[places.index(variant)] for variant, label in enumerate(samples.labels)}
    hue = {theme.LIGHT.series[place]: at for at, shades in enumerate(theme.SHADES_OF_HUES) for place in shades}
    shade = {theme.LIGHT.series[place]: at for shades in theme.SHADES_OF_HUES for at, place in enumerate(shades)}
    assert [hue[drawn[label]] for label in samples.labels] == [0, 1, 0, 1, 2]
    assert [shade[drawn[label]] for label in samples.labels] == [0, 0, 1, 1, 0]
    assert len(set(places)) == len(places)
    plain = SimpleNamespace(labels=["a/x", "b/x"], by=("one",))
    assert frame.variant_colour(plain) == frame.variant_colour()


def test_every_theme_names_the_same_variables():
    light, dark = (theme.css_variables(mode) for mode in theme.MODES)
    assert light.keys() == dark.keys()
    assert light != dark
