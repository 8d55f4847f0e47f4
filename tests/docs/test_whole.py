"""The documentation as a whole: every page is reached, nothing stands twice, and there is not too much of it."""

import re
from collections import defaultdict

from support import ROOT

PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
# What a program writes; a page may be written as a whole.
WRITTEN = {ROOT / "docs/reference.md", ROOT / "docs/codes.md"}
_PARTS = re.compile(
    r"<!-- (?:[\w -]+: begin|keys of \w+|formats: [^>]*) -->.*?<!-- (?:[\w -]+: end|end of \w+) -->", re.DOTALL
)
_BLOCKS = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
# Of paragraphs; shorter ones may repeat, such as the sentence below a table.
LEAST = 12
MOST = 70_000


def by_hand(page):
    return "" if page in WRITTEN else _PARTS.sub("", page.read_text())


def test_nothing_stands_twice():
    found = defaultdict(list)
    for page in PAGES:
        for part in re.split(r"\n\s*\n|\n(?=[-*|] |\d\. )", _BLOCKS.sub("\n\n", by_hand(page))):
            words = re.sub(r"\(.*?\)", "", part).lower().split()
            if len(words) >= LEAST:
                found[" ".join(words)].append(page.relative_to(ROOT).as_posix())
    assert not {text: pages for text, pages in found.items() if len(pages) > 1}


def test_every_page_is_reached_from_the_index():
    reached, open_ones = set(), [ROOT / "docs/index.md"]
    while open_ones:
        page = open_ones.pop()
        if page not in reached and page.suffix == ".md" and page.is_file():
            reached.add(page)
            open_ones += [(page.parent / to).resolve() for to in re.findall(r"\]\(([^)\s#]+)", page.read_text())]
    assert not [page for page in PAGES if page not in reached and page.is_relative_to(ROOT / "docs")]


def test_a_person_reads_it_in_a_day():
    """Words that people wrote: what programs write, what commands print, and numbers are left out."""
    words = [word for page in PAGES for word in _BLOCKS.sub("", by_hand(page)).split()]
    assert sum(any(map(str.isalpha, word)) for word in words) <= MOST
