"""The nine files of the compiler study, and the figures to reach."""

import json

import pytest
from study import BUILDS, COMPILERS


@pytest.fixture
def reference(shared):
    return json.loads((shared / "reference/seed-000.json").read_text())


@pytest.fixture
def manifest(shared, reference, tmp_path):
    names, folder = reference["files"], shared / "data/db-analyser"
    lines = ["file,branch,ghc"]
    for build in BUILDS:
        for compiler in COMPILERS:
            name = f"ledger-ops-cost-{names[build]}-{names['ghc'][compiler]}-from-63-nr-blocks-100000.csv"
            lines.append(f"{folder / name},{build},{compiler}")
    path = tmp_path / "variants.csv"
    path.write_text("\n".join(lines) + "\n")
    return path
