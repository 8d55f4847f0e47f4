"""Pictures of three builds under three compilers: every value is drawn, and the tests are those of the reference."""

import statera
from statera.output import plots


def test_the_nine_files_give_nine_ridges_on_a_logarithmic_axis(manifest):
    comparison = statera.compare(manifest=manifest, metrics=["totalTime"], by="branch", within=["ghc"])
    picture = plots.draw("ridgeline", comparison)
    assert picture.marks == {"panels": 3, "ridges": 9, "values": 9 * 122}
    (scale,) = {
        str(layer["encoding"]["x"]["scale"]) for panel in picture.spec["concat"] for layer in panel["layer"][1:4]
    }
    assert "'log'" in scale
    assert [panel["title"]["text"] for panel in picture.spec["concat"]] == [
        ["ghc: 8.10.7"],
        ["ghc: 9.2"],
        ["ghc: 9.6.2"],
    ]
    assert picture.svg().count("<path") > 9
    # The Shapiro-Wilk statistic that the analysis of these files states.
    assert "baseline W 0.42007, p 7.2e-20" in plots.draw("qq", comparison).alt
