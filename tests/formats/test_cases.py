"""Every file of the folders of cases reads as expected, and so does what is left of it when it is cut or damaged."""

import json
import os
import random
import shutil
from collections import Counter

import format_cases
import polars as pl
import pytest

import statera
from statera import _native
from statera.support.errors import Stop

NAMES = format_cases.names()
ACCEPT = os.environ.get("STATERA_ACCEPT")
# What statera says of itself when its reader or its detection has a bug.
_DEFECTS = ("made the reader of", "the detection of the format failed")


def folder_of(path):
    return path.relative_to(format_cases.CASES).parts[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_files_of_a_format(tmp_path, name):
    """They read as expected, and what is left of one yields no other value and is no defect."""
    found = {format_cases.label(path): format_cases.outcome(path) for path in format_cases.files(name)}
    if ACCEPT:
        (format_cases.CASES / name / "expected.json").write_text(format_cases.written(found))
        format_cases.expectations.cache_clear()
    assert found == format_cases.expectations(name)
    if path := victim(name):
        form, copy = found[path]["format"], shutil.copytree(format_cases.CASES / name, tmp_path / name) / path
        whole = copy.read_bytes()
        holds_when_cut(copy, form, whole)
        holds_without_its_last_line_end(copy, form, whole)
        is_no_defect_when_damaged(copy, form, whole)


def test_a_folder_says_how_its_real_output_was_made():
    real = [name for name in NAMES if format_cases.files(name, "real")]
    assert not [name for name in real if not (format_cases.CASES / name / "command").read_text().strip()]


def test_no_format_claims_the_file_of_another():
    """The content of a file with values fits the format of its folder and no other."""
    files = [path for name in NAMES for path in format_cases.files(name)]
    wrong = format_cases.failures(fits_one, {str(path.relative_to(format_cases.CASES)): (path,) for path in files})
    assert not wrong, format_cases.told(wrong)


def fits_one(path):
    fitting = _native.fitting_formats(path.read_bytes())
    expected = format_cases.expectations(folder_of(path)).get(format_cases.label(path), {})
    if expected.get("rows"):
        assert fitting == [expected["format"]]
    assert len(fitting) <= 1
    if format_cases.label(path).startswith("real/") and fitting:
        assert fitting == [expected.get("format", folder_of(path))]


# What remains of a file.


def victim(name):
    """The smallest real file with values of a format; without one, its smallest trap."""
    expected = format_cases.expectations(name)
    for kind in ("real", "traps"):
        held = [p for p in format_cases.files(name, kind) if expected.get(format_cases.label(p), {}).get("rows")]
        if held:
            return format_cases.label(min(held, key=lambda path: path.stat().st_size))
    return None


def read(path, form, content):
    """Read what is left; nothing if it is refused."""
    path.write_bytes(content)
    try:
        found = statera.read(path, format=form)
        said = " ".join(problem.what for problem in found.problems)
    except Stop as stop:
        found, said = None, str(stop)
    assert not any(words in said for words in _DEFECTS), content
    return found


def values(found):
    """Give benchmark, metric, unit and value of what was read."""
    return pl.DataFrame(found).select("benchmark", "metric", "unit", "value").rows() if found else []


def places(content):
    """Where to cut: at the ends of the first lines, beside them, and evenly over the whole."""
    ends = [at for at, byte in enumerate(content) if byte in b'\n,"}]'][:40]
    even = range(0, len(content), max(1, len(content) // 40))
    return sorted({at + beside for at in [*ends, *even] for beside in (0, 1)} & set(range(len(content))))


def is_document(content):
    """Whether the file is one JSON value over several lines, which is read as a whole or in whole parts."""
    try:
        json.loads(content)
    except ValueError:
        return False
    return True


def holds_when_cut(path, form, content):
    """A document that is cut, and a file of lines that is cut between two of them, yields no other value."""
    whole = Counter(values(read(path, form, content)))
    assert whole
    document = is_document(content)
    for at in places(content):
        rest = content[:at]
        held = Counter(values(read(path, form, rest)))
        # A number on a line that is cut may have lost digits, which a format of lines cannot show.
        assert held <= whole or not (document or rest.endswith(b"\n")), rest[-60:]


def holds_without_its_last_line_end(path, form, content):
    """An editor, a script or a shell took it away."""
    assert Counter(values(read(path, form, content.rstrip()))) == Counter(values(read(path, form, content)))


def is_no_defect_when_damaged(path, form, content):
    chance = random.Random(len(content))  # noqa: S311 - noise, no secret
    for _ in range(60):
        read(path, form, damaged(chance, content))


_INSTEAD = (b"", b"\0", b"-", b"9" * 400, b"\xff\xfe", b'"', b"[" * 200, b"{}", b"\n\n", b"NaN", b"1e999")


def damaged(chance, content):
    at = chance.randrange(len(content))
    to = min(len(content), at + chance.choice((1, 2, 8, 60)))
    before, part, after = content[:at], content[at:to], content[to:]
    instead = chance.choice(_INSTEAD)
    return chance.choice((before + instead + after, before + part + part + after, before + instead))
