"""A picture and the ways in which it can be written."""

import json
import re
from dataclasses import replace

import pytest
from looks import HOSTILE, compared

from statera import Stop
from statera.output import plots
from statera.output.plots import theme
from statera.output.plots.picture import NARROW, NARROW_BELOW
from support import noisy


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    tables = {name: [1, 2, 3] for name in HOSTILE[:3]}
    return plots.draw("strip", compared(tmp_path_factory.mktemp("results"), old=tables, new=tables))


def test_a_page_is_whole_and_allows_nothing_else(picture):
    page = picture.html()
    policy = page.split('Content-Security-Policy" content="')[1].split('"')[0]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert "<script>alert" not in page
    scripts = page.split("<script")[1:]
    assert len(scripts) == 2
    data = json.loads(scripts[0].split(">", 1)[1].split("</script>")[0])
    assert data["theme"] == "auto"
    assert set(data["configs"]) == {"light", "dark"}
    assert HOSTILE[0] in str(data["spec"])


def drawn_width(picture, spec):
    """The width of what a specification draws, in pixels."""
    drawn = replace(picture, spec=spec).svg()
    return float(re.search(r'<svg[^>]* width="([\d.]+)"', drawn)[1])


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    tables = {
        label: {f"a/long/path/of/a/benchmark/n={n}": noisy(n * (1 + i / 9), seed=n + i) for n in range(1, 6)}
        for i, label in enumerate(("old", "new"))
    }
    return compared(tmp_path_factory.mktemp("wide"), **tables)


def test_a_picture_for_phones_is_drawn_not_scaled(comparison):
    for kind in {*plots.KINDS} - {"pairs"}:
        wide = plots.draw(kind, comparison, width=900)
        assert wide.narrow is not None, kind
        assert drawn_width(wide, wide.spec) <= 924, kind
        assert drawn_width(wide, wide.narrow) <= NARROW + 24, kind
        # The same numbers are drawn, and nothing is left out.
        assert wide.redrawn(NARROW).marks == wide.marks, kind
        assert plots.draw(kind, comparison, width=NARROW).narrow is None, kind
        data = json.loads(wide.html().split('id="picture">')[1].split("</script>")[0])
        assert data["narrow"] == json.loads(json.dumps(wide.narrow)), kind
        assert data["below"] == NARROW_BELOW, kind


def test_a_notebook_shows_it(picture):
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.vegalite.v6+json", "image/svg+xml", "text/plain"}
    assert bundle["text/plain"].startswith(picture.title)


def test_it_goes_on_in_altair(picture):
    assert picture.altair().to_dict(validate=False)["concat"]


def test_themes_differ_in_colours_alone(picture):
    light, dark = (picture.themed(mode) for mode in theme.MODES)
    assert {key for key in light if light[key] != dark[key]} == {"config"}
    assert "#" not in json.dumps(picture.spec).replace(json.dumps(HOSTILE[4])[1:-1], "")


def test_there_are_only_so_many_kinds_and_endings(picture, tmp_path):
    with pytest.raises(Stop, match="the kinds are ridgeline"):
        plots.draw("pie", None)
    with pytest.raises(Stop, match="one of the endings"):
        picture.save(tmp_path / "out.pdf")
