"""The palettes can be read, and told apart: contrast by WCAG 2.2, computed here from its definition."""

import pytest

from statera.codes import VERDICTS
from statera.plots import theme
from statera.report import bundle

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
def test_words_can_be_read_on_every_background(mode):
    palette = theme.palette(mode)
    backgrounds = (palette.background, bundle._PANELS[mode])
    loud = [c for word, c in zip(VERDICTS, palette.verdicts, strict=True) if word in LOUD]
    for colour in (palette.text, palette.muted, *loud):
        assert min(contrast(colour, each) for each in backgrounds) >= TEXT, colour


@pytest.mark.parametrize("mode", theme.MODES)
def test_marks_can_be_seen(mode):
    palette = theme.palette(mode)
    for colour in (*palette.series, *palette.verdicts, palette.line):
        assert contrast(colour, palette.background) >= MARK, colour


@pytest.mark.parametrize("mode", theme.MODES)
def test_no_two_colours_are_one(mode):
    palette = theme.palette(mode)
    assert len(set(palette.series)) == len(palette.series)
    assert len({palette.verdicts[VERDICTS.index(word)] for word in LOUD[:3]}) == 3


def test_every_theme_names_the_same_variables():
    light, dark = (theme.css_variables(mode) for mode in theme.MODES)
    assert light.keys() == dark.keys()
    assert light != dark
