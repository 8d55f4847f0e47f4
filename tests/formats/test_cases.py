"""Every file of the folders of cases reads as expected, and so does what is left of it when it is cut or damaged."""

import json
import os
import random
import shutil
from collections import Counter

import format_cases
import pytest

from statera import _native

NAMES = format_cases.names()
FILES = [path for name in NAMES for path in format_cases.files(name)]
ACCEPT = os.environ.get("STATERA_ACCEPT")
# What statera says of itself when its reader or its detection has a bug.
_DEFECTS = ("made the reader of", "the detection of the format failed")


def folder_of(path):
    return path.relative_to(format_cases.CASES).parts[0]


@pytest.mark.parametrize("name", NAMES)
def test_files_read_as_expected(name):
    found = {format_cases.label(path): format_cases.outcome(path) for path in format_cases.files(name)}
    if ACCEPT:
        (format_cases.CASES / name / "expected.json").write_text(format_cases.written(found))
    assert found == format_cases.expectations(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_says_how_its_real_output_was_made(name):
    real = format_cases.files(name, "real")
    assert not real or (format_cases.CASES / name / "command").read_text().strip()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(format_cases.CASES)))
def test_no_format_claims_the_file_of_another(path):
    """The content of a file with values fits the format of its folder and no other."""
    fitting = _native.fitting_formats(path.read_bytes())
    expected = format_cases.expectations(folder_of(path)).get(format_cases.label(path), {})
    if expected.get("rows"):
        assert fitting == [expected["format"]]
    assert len(fitting) <= 1
    if format_cases.label(path).startswith("real/") and fitting:
        assert fitting == [expected.get("format", folder_of(path))]


# What remains of a file.


def victims():
    """The smallest real file with values of each format; without one, its smallest trap."""
    for name in NAMES:
        expected = format_cases.expectations(name)
        for kind in ("real", "traps"):
            held = [p for p in format_cases.files(name, kind) if expected.get(format_cases.label(p), {}).get("rows")]
            if held:
                yield pytest.param(min(held, key=lambda path: path.stat().st_size), id=name)
                break


@pytest.fixture(params=victims())
def victim(request, tmp_path):
    """A copy of a file and of the files beside it, with its format."""
    path = request.param
    name = folder_of(path)
    copy = shutil.copytree(format_cases.CASES / name, tmp_path / name)
    form = format_cases.expectations(name)[format_cases.label(path)]["format"]
    return copy / format_cases.label(path), form


def read(path, form, content):
    path.write_bytes(content)
    found = format_cases.outcome(path, format=form)
    assert not any(words in str(found) for words in _DEFECTS), content
    return found.get("rows", [])


def identity(row):
    return row["benchmark"], row["metric"], row["unit"], row["value"]


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


def test_a_file_that_is_cut_yields_no_other_value(victim):
    path, form = victim
    content = path.read_bytes()
    whole = Counter(map(identity, read(path, form, content)))
    document = is_document(content)
    for at in places(content):
        rest = content[:at]
        last = rest.count(b"\n") + 1
        # A number on the last line may have lost digits, which a format of lines cannot show.
        held = [row for row in read(path, form, rest) if document or rest.endswith(b"\n") or row.get("line") != last]
        assert Counter(map(identity, held)) <= whole, rest[-60:]


def test_a_damaged_file_is_no_defect(victim):
    path, form = victim
    content = path.read_bytes()
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
