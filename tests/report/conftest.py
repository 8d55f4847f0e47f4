"""A picture is drawn once for all tests of reports: drawing is most of what a report costs."""

import hashlib

import pytest
import vl_convert

DRAWING = ("javascript_bundle", "svg_to_pdf", "svg_to_png", "vegalite_to_png", "vegalite_to_svg")


def once(make):
    """Give a function that makes of the same words the same thing, once."""
    known = {}

    def made(*words, **named):
        key = hashlib.sha256(repr((words, sorted(named.items()))).encode()).digest()
        if key not in known:
            known[key] = make(*words, **named)
        return known[key]

    return made


@pytest.fixture(scope="package", autouse=True)
def drawn_once():
    with pytest.MonkeyPatch.context() as patch:
        for name in DRAWING:
            patch.setattr(vl_convert, name, once(getattr(vl_convert, name)))
        yield
