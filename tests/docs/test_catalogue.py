"""Every code that an output can hold is explained, and nothing is explained that cannot occur."""

import re

import pytest

from statera import _native
from statera.cli.options import OPTIONS
from statera.cli.verbs import VERBS
from statera.comparison.verdicts.catalogue import ALIASES, CATALOGUE
from statera.comparison.verdicts.catalogue import entry as entries
from statera.experiment.readings import LIMITS
from statera.history.alerts import STATES
from statera.server import problems
from statera.support.errors import Stop  # noqa: F401 - the name that the patterns below look for
from support import ROOT

SOURCES = [
    path.read_text()
    for path in sorted((ROOT / "src/statera").rglob("*.py"))
    if "catalogue" not in str(path.relative_to(ROOT))
]
BINDINGS = [path.read_text() for path in sorted((ROOT / "crates/bindings/src").glob("*.rs"))]


def found(pattern, texts):
    return {code for text in texts for code in re.findall(pattern, text)}


STOPS = found(r'Stop\(\s*"([a-z-]+)"', SOURCES) | found(r'Failure::new_err\(\("([a-z-]+)"', BINDINGS)
BRACKETED = found(r"\[([a-z]+-[a-z-]+)\]\"", SOURCES)
PLACED = found(r'(?:Problem|warn)\(\s*"([a-z-]+)"', SOURCES)
NOTES = found(r'Note\(\s*"([a-z-]+)"', SOURCES)
CODES = {name: set(codes) for name, codes in _native.codes().items()}
PROBLEMS, WARNINGS, DEFECTS = (CODES[name] for name in ("problems", "warnings", "defects"))
WORDS = CODES["verdicts"] | CODES["reasons"]
# What a server answers without a Stop.
ANSWERED = found(r'problem\(\s*"([a-z-]+)"', SOURCES) | set(problems.OF_STATUS.values())
# What rounds of an experiment are marked with.
MARKS = set(LIMITS)
KEYS = set(CATALOGUE)


def test_the_patterns_find_what_they_look_for():
    assert {"bad-option", "nothing-to-compare", "missing-file", "cannot-pair"} <= STOPS
    assert {"paired", "pooled", "machine-differs"} <= NOTES
    assert "drift" in WARNINGS
    assert "truncated" in PROBLEMS


# Columns, and what stands below the table.
COLUMNS = {"typical-change", "interval", "p", "n", "verdicts", "runs-needed", "geometric-mean"}
COLUMNS |= {"old-and-new", "half-width", "detects", "columns-of-metrics", "begins-at", "alert"}
# Words of the sentences beside tables, and of histories.
COLUMNS |= {"family", "block", "shift-function", "false-alarms"}
COLUMNS |= {"lane", "course", "young", "suspect", "spike", "withdrawn", "weak", "states"}


def test_what_is_explained_is_what_can_occur():
    occurs = STOPS | BRACKETED | NOTES | PLACED | PROBLEMS | WARNINGS | DEFECTS | WORDS | MARKS | COLUMNS | ANSWERED
    assert not occurs - KEYS, "not explained"
    assert not KEYS - occurs, "explained, and cannot occur"


def test_every_word_that_a_table_shows_leads_to_an_entry():
    words = {_native.verdicts()[i]["word"] for i in range(len(_native.verdicts()))}
    words |= {"slower", "faster", "more", "less", "lower", "higher", "less steady", "steadier", "tail slower"}
    words |= {"old", "new", "change", "interval", "p", "runs", "detects", "±", "B/op", "allocs/op"}
    # The headings of a history's tables, where the code states them.
    tables = "".join(path.read_text() for path in (ROOT / "src/statera/cli").glob("history*.py"))
    heads = re.findall(r"rows = \[\((.*)\)\]", tables)
    assert len(heads) == 4
    words |= {word for head in heads for word in re.findall(r'"([^"]+)"', head)} - entries.meanings().keys()
    words |= {"suspect", "weak", "young", *STATES} - {"noise"}
    assert not [word for word in words if ALIASES.get(entries.word(word), entries.word(word)) not in CATALOGUE]
    assert not set(ALIASES.values()) - KEYS
    assert not set(ALIASES) & KEYS


def empty(entry):
    """The fields of an explanation that say nothing."""
    fields = getattr(entry, "_fields", None) or getattr(entry, "__dataclass_fields__", None) or entry.__slots__
    for field in fields:
        value = getattr(entry, field)
        if not value or (isinstance(value, str) and len(value) <= 3 and field != "kind"):
            yield field


def test_no_field_of_an_explanation_is_empty():
    found = {code: list(empty(entry)) for code, entry in CATALOGUE.items()}
    assert not {code: fields for code, fields in found.items() if fields}
    assert not [code for code, entry in CATALOGUE.items() if code not in entry.text(code)]


def options():
    for verb in VERBS:
        for option in map(OPTIONS.__getitem__, verb.keys):
            if not option.is_argument:
                yield verb.name, option.flags.split()


@pytest.fixture(scope="module")
def documentation():
    # The reference is written from the table of options, and the page of codes from the catalogue.
    written = {"reference", "codes"}
    pages = [ROOT / "README.md", *(path for path in sorted((ROOT / "docs").rglob("*.md")) if path.stem not in written)]
    return "\n".join(page.read_text() for page in pages)


def test_every_option_is_documented_by_one_of_its_names(documentation):
    words = set(re.findall(r"[\w-]+", documentation))
    found = list(options())
    assert len(found) > 300
    assert not [(verb, names) for verb, names in found if not words & set(names)]
    assert not {verb for verb, _ in found if f"statera {verb}" not in documentation}


def test_every_verb_that_a_message_names_exists():
    names = {verb.name for verb in VERBS}
    families = "|".join(verb.name for verb in VERBS if not verb.run)
    texts = [*SOURCES, *(entry.text(code).replace("\n", " ") for code, entry in CATALOGUE.items())]
    said = {found for text in texts for found in re.findall(rf"statera ((?:{families}) [a-z]+)(?![\w.])", text)}
    assert len(said) > 20
    assert {
        words for words in said if words not in names and not any(n.startswith(f"{words} ") for n in names)
    } == set()


def test_every_format_is_documented(documentation):
    assert not [each.name for each in _native.formats() if each.has_results and each.name not in documentation]
