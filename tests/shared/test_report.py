"""The nine files of the compiler study: one command gives the whole report, with its figures right."""

import json
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
        "html": (folder / "r.html").read_text(),
        "md": (folder / "r.md").read_text(),
        "pdf": re.sub(r"\s+", " ", pdf.replace("\u200b", "")),
        "pages": len(reader.pages),
        "size": (folder / "r.html").stat().st_size,
    }


def written(microseconds):
    """A time as tables write it: four digits."""
    milliseconds = microseconds / 1000
    for unit, size in (("s", 1e3), ("ms", 1.0)):
        if milliseconds >= size:
            return f"{milliseconds / size:#.4g} {unit}"
    raise AssertionError(microseconds)


def test_it_is_of_one_file_and_of_so_many_pages(made):
    assert made["size"] < 6_000_000
    assert 10 <= made["pages"] <= 60


@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_conclusions_stand_in_sentences(made, kind):
    text = made[kind]
    # Each build was replayed once, in one process.
    better, worse = (f"differs for the {way} (one process each) against" for way in ("better", "worse"))
    for sentence in (
        f"SplitUMElem {better} baseline at ghc: 9.6.2: totalTime -2.75% [-3.36%, -1.99%], 32.09 ms → 30.94 ms",
        f"SplitUMElem {better} baseline at ghc: 9.2: totalTime -1.62% [-2.24%, -1.16%]",
        f"SplitUMElem {worse} baseline at ghc: 8.10.7: totalTime +4.31% [+3.32%, +5.43%]",
        f"NoFailT {worse} baseline at ghc: 9.6.2: totalTime +2.53% [+1.58%, +3.69%]",
        "NoFailT is undecided against baseline at ghc: 8.10.7",
        f"9.2 {worse} 8.10.7 at branch: baseline",
        f"SplitUMElem/9.6.2 {better} baseline/8.10.7: totalTime -7.06%",
        "Does the effect of branch depend on ghc?",
        "On 9.6.2 SplitUMElem changes the time of a slot by -2.75% [-3.36%, -1.99%].",
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


def test_both_tables_of_speed_up(made):
    assert "Speed-up over 8.10.7 at each quantile of ledger-ops, totalTime, branch: SplitUMElem" in made["html"]
    assert "Speed-up over baseline/8.10.7 at each quantile of ledger-ops, totalTime" in made["html"]


def test_the_pictures_of_the_study_are_in_it(made):
    specs = re.findall(r'<div class="canvas"[^>]*aria-label="([^"]*)"[^>]*><script[^>]*>(.*?)</script>', made["html"])
    titles = [title for title, _ in specs]
    ridges = next(json.loads(spec) for title, spec in specs if title.startswith("Distribution of totalTime"))
    assert '"log"' in json.dumps(ridges)
    assert any("totalTime" in title for title in titles)


def test_revisions_and_hashes_are_stated(made, reference):
    for revision in (reference["files"][build] for build in BUILDS):
        assert revision in made["html"]
    assert made["html"].count("SHA-256") >= 1
