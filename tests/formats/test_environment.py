"""What files state of the machine and of the commit is compared: a difference between the sides is said."""

import functools
import re

import format_cases

import statera

_OPPOSITES = {"true": "false", "false": "true"}
SAID = {"environment": "machine-differs", "commit": "configuration-differs"}


def stated():
    """Each key of a machine or a commit that a format carries, with a file of a case that states it.

    A key that distinguishes the runs of a history is no difference of the sides.
    """
    for known in format_cases.formats_with_results():
        for key in known.keys:
            if key.role in SAID and key.pooling != "always" and known.harness != "a table of your own":
                yield known, key


def holders(known, key):
    """The files that state a key, with its value."""
    expected = format_cases.expectations(known.name)
    for path in format_cases.files(known.name, "real", "traps"):
        for row in expected.get(format_cases.label(path), {}).get("rows", []):
            if key.name in row:
                yield path, row[key.name]
                break


def changed(folder, path, value):
    """A copy of a file, and of what stands beside it, that states another value: in the text, or in its path."""
    root = format_cases.CASES / path.relative_to(format_cases.CASES).parts[0]
    word = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    another = functools.partial(word.sub, lambda _: other(value))
    for beside in path.parent.rglob("*"):
        if beside.is_file():
            copy = folder / another(str(beside.relative_to(root)))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(
                another(beside.read_bytes().decode(errors="surrogateescape")).encode(errors="surrogateescape")
            )
    return folder / another(str(path.relative_to(root)))


def other(value):
    """Another value of the same kind: the last letter or digit is another one."""
    if value in _OPPOSITES:
        return _OPPOSITES[value]
    *before, last = value
    return "".join(before) + ("7" if last != "7" else "8" if last.isdigit() else "x")


def test_another_machine_or_commit_is_said(tmp_path):
    cases = {f"{known.name}-{key.name}": (tmp_path / f"{known.name}-{key.name}", known, key) for known, key in stated()}
    wrong = format_cases.failures(is_said, cases)
    assert not wrong, format_cases.told(wrong)


def is_said(folder, known, key):
    for number, (path, value) in enumerate(holders(known, key)):
        copy = changed(folder / str(number), path, value)
        found = statera.compare(f"old={path}", f"new={copy}", all_metrics=True, pair="unpaired")
        said = [note.text for note in found.notes if note.code == SAID[key.role]]
        if any(key.name in text for text in said):
            return
    raise AssertionError(f"no difference in {key.name} is said")
