"""The nine files of the compiler study: one command gives the whole report, with its figures right."""

import re

import pytest
from study import BUILDS, COMPILERS

from statera.cli import main

pypdf = pytest.importorskip("pypdf")
NOTES = (
    "# summary\n\nOn 9.6.2 SplitUMElem changes the time of a slot by "
    '{{ effect("totalTime", "SplitUMElem", ghc="9.6.2") }} {{ interval("totalTime", "SplitUMElem", ghc="9.6.2") }}.\n'
)


# Made once: it is the same report that every test reads.
KEPT = {}


@pytest.fixture
def made(manifest, tmp_path):
    if not KEPT:
        KEPT.update(reported(manifest, tmp_path))
    return KEPT


def reported(manifest, folder):
    """Run the command, and give what it wrote."""
    (folder / "notes.md").write_text(NOTES)
    words = ["--metric", "totalTime", "--by", "branch", "--within", "ghc", "--quantiles=5,10,50,90,95"]
    outputs = [word for name in ("r.html", "r.pdf", "r.md") for word in ("-o", str(folder / name))]
    assert main(["report", "--variants", str(manifest), *words, "--notes", str(folder / "notes.md"), *outputs]) == 0
    reader = pypdf.PdfReader(folder / "r.pdf")
    pdf = " ".join(page.extract_text() for page in reader.pages)
    return {
        # A number keeps to its unit by a space that does not break, and a long name breaks at its separators.
        "html": (folder / "r.html").read_text().replace("\xa0", " ").replace("<wbr>", ""),
        "md": (folder / "r.md").read_text().replace("\xa0", " "),
        "pdf": re.sub(r"\s+", " ", pdf.replace("\u200b", "")),
        "pages": len(reader.pages),
        "size": (folder / "r.html").stat().st_size,
    }


def written(microseconds):
    """A time as the tables of quantiles write it: all in milliseconds, with four digits."""
    return f"{microseconds / 1000:#.4g}".rstrip(".") + " ms"


def test_it_is_of_one_file_and_of_so_many_pages(made):
    assert made["size"] < 6_000_000
    assert 10 <= made["pages"] <= 60


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_conclusions_stand_in_sentences(made, kind):
    text = made[kind]
    # Each build was replayed once, in one process.
    better, worse = (f"differs for the {way} (one process per build) against" for way in ("better", "worse"))
    for sentence in (
        f"SplitUMElem {better} baseline at ghc: 9.6.2: totalTime −2.75% [−3.38%, −1.96%], 32.09 ms → 30.94 ms",
        f"SplitUMElem {better} baseline at ghc: 9.2: totalTime −1.62% [−2.27%, −1.14%]",
        f"SplitUMElem {worse} baseline at ghc: 8.10.7: totalTime +4.31% [+3.28%, +5.48%]",
        f"NoFailT {worse} baseline at ghc: 9.6.2: totalTime +2.53% [+1.54%, +3.74%]",
        "NoFailT shows no clear change against baseline at ghc: 8.10.7",
        # The other questions have an answer each, and their rows stand in the tables.
        "By ghc, at each branch: 5 of 6 comparisons differ (worst ledger-ops of 9.2 at branch: SplitUMElem",
        "Every combination of branch and ghc against baseline/8.10.7: 7 of 8 comparisons differ",
        "−7.06%",
        "Does the effect of branch depend on ghc?",
        "On 9.6.2 SplitUMElem changes the time of a slot by −2.75% [−3.38%, −1.96%].",
    ):
        assert sentence in text


@pytest.mark.parametrize("kind", ["html", "pdf", "md"])
def test_medians_interquartile_ranges_and_percentiles(made, reference, kind):
    for compiler in COMPILERS:
        for build in BUILDS:
            median, iqr = reference["median_iqr"][compiler][build]
            for value in (median, iqr, *reference["percentiles_5_10_50_90_95"][compiler][build]):
                assert written(value) in made[kind], (compiler, build, value)


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_tests_of_normality_and_of_all_branches(made, reference, kind):
    assert f"W {reference['shapiro_810_baseline']['W']:.5g}" in made[kind]
    for compiler in COMPILERS:
        assert f"χ² {reference['friedman_by_branch'][compiler]['chi2']:.5g}" in made[kind]


def test_each_question_has_its_table_of_changes_at_each_quantile(made):
    assert made["html"].count(">Change of totalTime at each quantile<") == 3
    for pair in ("NoFailT against baseline", "9.6.2 against 8.10.7", "SplitUMElem/9.6.2 against baseline/8.10.7"):
        assert f">{pair}<" in made["html"]


def test_the_pictures_of_the_study_are_in_it(made):
    drawn = re.findall(r"<svg[^>]*><title[^>]*>([^<]*)</title>(.*?)</svg>", made["html"], re.DOTALL)
    distribution = next(svg for title, svg in drawn if title.startswith("Distribution of totalTime"))
    # On a logarithmic axis.
    assert all(f">{tick}<" in distribution for tick in ("100", "1,000"))
    assert sum("totalTime" in title for title, _ in drawn) > 5


def test_revisions_and_hashes_are_stated(made, reference):
    for revision in (reference["files"][build] for build in BUILDS):
        assert revision in made["html"]
    assert made["html"].count("SHA-256") >= 1
