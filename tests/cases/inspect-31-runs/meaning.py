"""31 runs of one benchmark: both statistics of a run pass as normal, with the figures that R's shapiro.test gives."""


def holds(document, text):
    medians, averages = document["rows"]
    assert (medians["variant"], averages["variant"]) == ("medians", "averages")
    assert (round(medians["normality"], 4), round(medians["normality_p"], 3)) == (0.9825, 0.878)
    assert (round(averages["normality"], 5), round(averages["normality_p"], 4)) == (0.97904, 0.7854)
    assert {row["normality_test"] for row in document["rows"]} == {"shapiro-wilk"}
    assert {row["n"] for row in document["rows"]} == {31}
    assert {row["grade"] for row in document["rows"]} == {"fit"}
    assert document["summaries"][0]["normal"] == 2
    assert "W 0.9825, p 0.878" in text
    assert "W 0.97904, p 0.7854" in text
