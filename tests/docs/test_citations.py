"""Comments cite nothing that a reader of the repository cannot open; published papers have authors and years."""

import re

from support import ROOT

# "spec 5.4" counts in a document that is somewhere else.
CITES = re.compile(r"\b[Ss]pec(ification)? \d|§ ?\d")
ENDINGS = ("*.py", "*.rs", "*.sql", "*.sh", "*.typ")


FOLDERS = ("src", "crates", "bench", "fuzz/src", "fuzz/fuzz_targets", "tests/cluster")


def test_no_source_cites_a_document_that_is_not_here():
    files = [path for folder in FOLDERS for ending in ENDINGS for path in sorted((ROOT / folder).rglob(ending))]
    assert len(files) > 500
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if CITES.search(line)
    ]
    assert not found
