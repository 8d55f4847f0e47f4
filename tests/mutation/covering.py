"""Which tests execute what a mutant changes: recorded in one run, and kept until the tests of a folder change."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from mutation import statements

ROOT = Path(__file__).resolve().parents[2]

PACKAGE = ROOT / "src" / "statera"
TESTS = ROOT / "tests"
RECORDED = ROOT / "target" / "mutants" / "recorded"
# What is generated from tables of the package by scripts outside of it, which no statement of the package shows.
GENERATED = {"tests/docs/test_schema.py"}
_LARGE = 200_000
_TABLE = """
import mmap, os
if path := os.environ.get("STATERA_EXECUTED"):
    with open(path, "r+b") as file:
        TABLE = mmap.mmap(file.fileno(), 0)
else:
    TABLE = bytearray(1_000_000)
"""


class Test(NamedTuple):
    """A test that passes, what it costs, and what it executes: a byte for each statement."""

    name: str
    seconds: float
    breadth: int  # how many statements it executes


class Source(NamedTuple):
    """A module of the package."""

    path: str  # in the package
    content: bytes
    statements: list[statements.Statement]
    defined: list[tuple[set[str], set[str]]]  # of each statement outside of functions: what it defines, what it uses


def sources():
    """Read the package."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        path, content = str(file.relative_to(PACKAGE)), file.read_bytes()
        tree = ast.parse(content)
        found[path] = Source(path, content, statements.statements(path, tree), [defined(each) for each in tree.body])
    return found


def defined(statement):
    """What a statement outside of functions defines, and what it uses."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.Import | ast.ImportFrom):
        return set(), set()
    names = [each for each in ast.walk(statement) if isinstance(each, ast.Name)]
    stored = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    used = {each.id for each in names} | {each.attr for each in ast.walk(statement) if isinstance(each, ast.Attribute)}
    if isinstance(statement, ast.ClassDef):
        return {statement.name}, set()
    return stored, used - stored


def folders():
    """Give the folders of tests, and the files beside them."""
    return sorted(each.name for each in TESTS.iterdir() if each.match("test_*.py") or any(each.glob("**/test_*.py")))


def record(package, names, *, again=False):
    """Record the folders whose tests have changed since the last time."""
    old = [name for name in names if again or not _file(name).exists() or _head(name)["digest"] != _digest(name)]
    if not old:
        return
    print(f"recording what the tests of {', '.join(old)} execute", flush=True)
    keys = [each.key for source in package.values() for each in source.statements]
    digests = {name: _digest(name) for name in old}
    with tempfile.TemporaryDirectory(prefix="statera-mutants-") as folder:
        place = Path(folder)
        _write_marked(place / "tree", package, {key: number for number, key in enumerate(keys)})
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (place / "tree", TESTS))),
            "STATERA_EXECUTED_FOLDER": folder,
            "STATERA_EXECUTED_SIZE": str(len(keys)),
        }
        words = ["-p", "mutation.recorder", "-p", "no:cacheprovider", "-n2", "--dist=loadfile", "-m", "not later"]
        command = [sys.executable, "-m", "pytest", *words, *(f"tests/{name}" for name in old)]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
        if done.returncode not in {0, 1}:
            raise SystemExit("pytest did not run")
        lines = [json.loads(line) for file in place.glob("*.ndjson") for line in file.read_text().splitlines()]
    for name in old:
        own = [line for line in lines if line["test"].startswith((f"tests/{name}/", f"tests/{name}::"))]
        head = {"digest": digests[name], "keys": keys}
        _file(name).parent.mkdir(parents=True, exist_ok=True)
        _file(name).write_text("".join(json.dumps(line) + "\n" for line in [head, *own]))


def _write_marked(tree, package, numbers):
    """Write the package with marks, and all else that it needs."""
    copied(tree)
    (tree / f"{statements.TABLE}.py").write_text(_TABLE)
    for path, source in package.items():
        (tree / "statera" / path).unlink()
        (tree / "statera" / path).write_text(statements.marked(path, source.content, numbers))
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(tree)], check=True)


def copied(tree):
    """Copy the package; what is large, such as the compiled module, is linked."""
    shutil.copytree(PACKAGE, tree / "statera", copy_function=_copy, ignore=shutil.ignore_patterns("__pycache__"))


def _copy(source, target):
    large = Path(source).stat().st_size > _LARGE
    (os.symlink if large else shutil.copy2)(source, target)


def _file(name):
    return RECORDED / f"{name}.ndjson"


def _head(name):
    with _file(name).open() as lines:
        return json.loads(next(lines))


def _digest(name):
    """What tells whether the tests of a folder are the same."""
    files = [TESTS / name] if name.endswith(".py") else sorted((TESTS / name).rglob("*.py"))
    return hashlib.sha256(b"\0".join(each.read_bytes() for each in files)).hexdigest()


def covering(mutants, package, names):
    """Give the tests that execute each mutant."""
    wanted = [executed_with(mutant, package) for mutant in mutants]
    mentions = [_mentions(mutant, package) for mutant in mutants]
    found = [[] for _ in mutants]
    for name in names:
        if not _file(name).exists():
            continue
        with _file(name).open() as lines:
            keys = json.loads(next(lines))["keys"]
            numbers = [_numbers(keys, each, package) for each in wanted]
            for line in lines:
                test = json.loads(line)
                executed = zlib.decompress(base64.b64decode(test["executed"]))
                entry = Test(test["test"], test["seconds"], executed.count(1))
                file = test["test"].partition("::")[0]
                for place, own in enumerate(numbers):
                    if file in mentions[place] or any(executed[number] for number in own):
                        found[place].append(entry)
    return found


def executed_with(mutant, package):
    """The statements with which a mutant is executed; outside of functions, those that use what it defines."""
    own = package[mutant.path].statements
    if mutant.scope:
        inner = [each for each in own if each.first <= mutant.line <= each.last]
        return inner[-1:]
    names = _closure(mutant, package)
    found = [each for each in own if each.key.split(" ")[1].rpartition(".")[2] in names and each.key.endswith(" 1")]
    for source in package.values():
        visible = names if source.path == mutant.path else {each for each in names if not each.startswith("_")}
        found += [each for each in source.statements if each.names & visible]
    return found or own


def _closure(mutant, package):
    """What a statement outside of functions defines, and what other such statements make of it."""
    names = set(mutant.names[-1:])
    while True:
        more = set()
        for source in package.values():
            visible = names if source.path == mutant.path else {each for each in names if not each.startswith("_")}
            more |= {name for defined, used in source.defined if used & visible for name in defined}
        if more <= names:
            return names
        names |= more


def _numbers(keys, wanted, package):
    """The places of statements in a record; of a function that has changed since, all of its statements."""
    places, of_functions = {key: place for place, key in enumerate(keys)}, defaultdict(list)
    for key, place in places.items():
        of_functions[key.rpartition(" ")[0]].append(place)
    found = []
    for each in wanted:
        function = each.key.rpartition(" ")[0]
        now = sum(other.key.rpartition(" ")[0] == function for other in package[each.key.split(" ")[0]].statements)
        same = now == len(of_functions[function]) and each.key in places
        found += [places[each.key]] if same else of_functions[function]
    return found


def _mentions(mutant, package):
    """The files of tests that name what a mutant outside of functions defines, or what is made of it."""
    if mutant.scope or not mutant.names:
        return set()
    name = re.compile(rf"\b({'|'.join(map(re.escape, sorted(_closure(mutant, package))))})\b")
    files = TESTS.glob("**/test_*.py")
    return {*GENERATED, *(str(each.relative_to(ROOT)) for each in files if name.search(each.read_text()))}
