"""TOML that no reader of it can use: settings, tables of variants, mappings and experiments refuse it alike."""

import pytest

from statera.cluster.logs import mapping
from statera.comparison.pairing import load_manifest
from statera.experiment.file import planned
from statera.support.errors import Stop
from statera.support.files import toml
from statera.support.settings import file
from support import every

READERS = {
    "bad-settings": file.load,
    "bad-manifest": load_manifest,
    "event-mapping": mapping.load,
    "bad-experiment": planned,
}
DEEP = "are nested more than 32 levels deep"
LARGE = "an integer has more than 64 bits"
TEXTS = {
    "lists": (f"x = {'[' * 100_000}{']' * 100_000}", DEEP),
    "lists that Python takes": (f"x = {'[' * 100}{']' * 100}", DEEP),
    "inline tables": (f"x = {'{a=' * 20_000}1{'}' * 20_000}", DEEP),
    "a dotted key": (f"x.{'a.' * 400}a = 1", DEEP),
    "a header": (f"[{'a.' * 400}a]", DEEP),
    "tables in lists": (f"x = {'[{a=' * 40}1{'}]' * 40}", DEEP),
    "many digits": (f"seed = {'9' * 100_000}", LARGE),
    "many digits in a list": (f"x = [1, {'9' * 100_000}]", LARGE),
    "many hexadecimal digits": (f"seed = 0x{'f' * 100_000}", LARGE),
    "65 bits": (f"seed = {2**64}", LARGE),
    "65 bits further in": (f"x = [{{a = -{2**64}}}]", LARGE),
    "no end": ("x = [", "not TOML"),
    "a control character": ('x = "\0"', "not TOML"),
    "no UTF-8": (b"x = '\xff'", "not TOML"),
}


@every("text", TEXTS)
@every("code", READERS)
def test_it_is_refused_with_its_file(tmp_path, code, text):
    path = tmp_path / "some.toml"
    written, why = TEXTS[text]
    path.write_bytes(written if isinstance(written, bytes) else written.encode())
    with pytest.raises(Stop) as stop:
        READERS[code](str(path))
    assert stop.value.code == code
    assert str(stop.value).startswith(f"{path}: ")
    assert why in str(stop.value)
    assert len(str(stop.value)) < 1000


def test_what_a_machine_holds_is_read(tmp_path):
    path = tmp_path / "some.toml"
    path.write_text(f"most = {2**64 - 1}\nleast = {-(2**63)}\nx = {'[' * 30}{']' * 30}\r\n")
    document, text = toml.load(path, "bad-settings")
    assert (document["most"], document["least"]) == (2**64 - 1, -(2**63))
    assert text == path.read_bytes().decode()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[tool]\nstatera = 1\n# [tool.statera\n", 2),
        ("[[tool.statera]]\nalpha = 0.1\n", 2),
        ("tool = 1\n# [tool.statera\n", 0),
        ("[tool]\n# [tool.statera\n", 0),
    ],
)
def test_a_project_file_whose_tables_are_none(run, pair, tmp_path, text, code):
    (tmp_path / "pyproject.toml").write_text(text)
    result = run("compare", *pair)
    assert result.code == code
    assert ("[bad-settings]" in result.err) == (code == 2)


LINES = """# a comment
a = 1
"b c" = [
  1,
]
[d.e]
f = '''
[g]
h = 1
'''

# another
[[g]]
h = { i = 1 }
[[g]]

h = 2
j.k = 3
"""


@every(
    ("place", "line"),
    [
        (("a",), 2),
        (("b c",), 3),
        (("d",), 6),
        (("d", "e", "f"), 7),
        (("g",), 13),
        (("g", 0, "h"), 14),
        (("g", 0, "h", "i"), 14),
        (("g", 1), 15),
        (("g", 1, "h"), 17),
        (("g", 1, "j", "k"), 18),
        (("g", 2), 0),
        (("h",), 0),
        ((), 0),
    ],
)
@every("ending", ["\n", "\r\n"])
def test_the_line_of_a_value_is_found(place, line, ending):
    assert toml.line_of(LINES.replace("\n", ending), place) == line


def test_a_line_of_a_very_long_file_is_not_sought():
    text = "".join(f"a{number} = 1\n" for number in range(3000))
    assert toml.line_of(text, ("a2999",)) == 0
