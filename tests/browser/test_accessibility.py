"""Pages under axe-core: no violation that it calls serious or critical, in both schemes, on phones and desks."""

from importlib.resources import files

import pytest
from reports import EXAMPLES

from forked import FORKS

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
VIOLATIONS = """async (options) => {
  const found = await axe.run(document, {resultTypes: ["violations"], ...options});
  return found.violations.filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => `${each.impact} ${each.id}: ${each.nodes.length} × ${each.nodes[0].html.slice(0, 200)}`
      + ` ${each.nodes[0].failureSummary}`);
}"""
# What a scheme changes; all other rules are asked in one of them.
SCHEMES = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
REPORTS = ("pair", "unchanged", "one_suspect", "factorial", "alone", "cluster_pair")


def picture(folder):
    """Write a page of `statera plot`."""
    path = folder / "forest.html"
    words = ["plot", "forest", EXAMPLES / "go-decimal/old", EXAMPLES / "go-decimal/new", "-o", path]
    done = FORKS.run(words, cwd=folder)
    assert done.code == 0, done.err
    return path


@pytest.fixture(scope="session")
def page(report, tmp_path_factory):
    """Give a report of a name, or the page of a picture; each is made once."""
    folder = tmp_path_factory.mktemp("plot")
    found = {}

    def made(name):
        if name != "plot":
            return report(name)
        if name not in found:
            found[name] = picture(folder)
        return found[name]

    return made


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", [*REPORTS, "plot"])
def test_axe_finds_nothing_serious(opened, page, name, width):
    with opened(page(name), width=width) as found:
        found.page.evaluate(AXE)
        for scheme, rules in SCHEMES.items():
            found.page.emulate_media(color_scheme=scheme)
            found.draw()
            found.wait_drawn(scheme)
            assert found.page.evaluate(VIOLATIONS, rules) == []
