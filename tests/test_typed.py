"""Named tuples made without `typing` are those that `typing` makes; a comparison imports nothing that is slow."""

import pickle
import re
import subprocess
import sys
import typing

import pytest

from statera.support import typed
from support import every, go, noisy, write

# What each of them imports costs more than the comparison of a small pair.
SLOW = {
    "typing", "dataclasses", "inspect", "pathlib", "tempfile", "datetime", "json", "numpy", "duckdb", "argparse", "re",
    "enum", "functools", "collections", "signal", "contextlib", "types", "tomllib",
}  # fmt: skip


class Light(typed.NamedTuple):
    """A pair."""

    first: int
    second: str = "b"

    @property
    def both(self):
        return f"{self.first}{self.second}"


class Heavy(typing.NamedTuple):
    """A pair."""

    first: int
    second: str = "b"

    @property
    def both(self):
        return f"{self.first}{self.second}"


def made(kind):
    one = kind(1)
    changed = one._replace(second="c")
    match changed:
        case kind(first, second):
            parts = first, second
    values = one, changed, kind(second="d", first=2), kind._make((3, "e")), pickle.loads(pickle.dumps(one))  # noqa: S301
    texts = [repr(each).partition("(")[2] for each in values]
    return values, texts, parts, one.both, one._asdict(), kind._fields, kind._field_defaults, kind.__doc__, hash(one)


def test_both_kinds_are_the_same():
    assert made(Light) == made(Heavy)
    assert issubclass(Light, tuple)


@every(
    ("values", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"first": 1}), ((1,), {"third": 1}), ((), {"second": 1})]
)
def test_wrong_values_are_errors_in_both(values, named):
    for kind in (Heavy, Light):
        with pytest.raises(TypeError):
            kind(*values, **named)


def test_a_field_that_is_not_there_cannot_be_replaced():
    for kind in (Heavy, Light):
        with pytest.raises(ValueError, match="third"):
            kind(1)._replace(third=1)


def test_type_checkers_see_typing():
    assert not typed.TYPE_CHECKING
    assert typed.get_args(typed.Literal["a", "b"]) == typing.get_args(typing.Literal["a", "b"])


def test_what_is_cached_is_computed_once():
    calls = []

    class Each:
        @typed.cached_property
        def value(self):
            """What it is."""
            calls.append(self)
            return len(calls)

    one, other = Each(), Each()
    assert (one.value, one.value, other.value) == (1, 1, 2)
    assert Each.value.__doc__ == "What it is."
    remembering = typed.cache(lambda *words: calls.append(words) or len(calls))
    assert (remembering(), remembering("a"), remembering()) == (3, 4, 3)


def test_a_comparison_imports_nothing_slow(tmp_path):
    # A project file is read, and parsed only where it has settings.
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["statera"]\n')
    files = write(tmp_path, old=go({"X": noisy(1)}), new=go({"X": noisy(2)}))
    code = "import sys; from statera.cli import main; code = main(sys.argv[1:]); print(*sys.modules); sys.exit(code)"
    command = [sys.executable, "-c", code, "compare", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "statera.output.views.terminal" in done.stdout
    loaded = done.stdout.splitlines()[-1].split()
    assert SLOW.isdisjoint(loaded)
    # Neither the store of runs nor what writes to it.
    assert not [
        name for name in loaded if re.match(r"statera\.(reading\.store|support\.files\.(lock|outputs))\b", name)
    ]
