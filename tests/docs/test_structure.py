"""ARCHITECTURE.md, CONTRIBUTING.md and SECURITY.md fit the tree: layers, their order, files, the files of a change."""

import re
import subprocess
import tomllib

import pytest

from support import ROOT

ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
SECURITY = (ROOT / "SECURITY.md").read_text()
PACKAGE = ROOT / "src/statera"
# Files that are not a layer: the package's face, its start, and the compiled part.
_FACES = {"__init__.py", "__main__.py", "_native.pyi", "py.typed"}
_OF_USERS = {"statera.toml"}


def tracked(*folders):
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.splitlines() if (ROOT / path).is_file()]


def in_backticks(text):
    return re.findall(r"`([^`]+)`", text)


def test_every_layer_is_described():
    layers = {path.removeprefix("src/statera/").split("/")[0] for path in tracked("src/statera")} - _FACES
    table = re.findall(r"^\| (`.+?`) \|", ARCHITECTURE[ARCHITECTURE.index("| layer | contents |") :], re.MULTILINE)
    described = {name.rstrip("/") for cell in table[: len(layers)] for name in in_backticks(cell)}
    assert layers <= described


def test_the_order_of_the_layers_is_the_contract():
    [contract] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [layer.strip("()") for layer in contract["layers"] if layer != "(_native)"]
    order = re.search(r"^    (__main__ → .+\n.+)$", ARCHITECTURE, re.MULTILINE)
    assert re.split(r"\s+→ ", order[1]) == layers


@pytest.mark.parametrize(
    "name",
    sorted(
        name
        for name in {*in_backticks(ARCHITECTURE), *in_backticks(CONTRIBUTING), *in_backticks(SECURITY)}
        if re.fullmatch(r"[\w/]+\.(?:py|rs|toml|md|json)", name) and not {"NAME", "KIND"} & set(re.split("[/.]", name))
    ),
)
def test_every_file_that_is_named_exists(name):
    inside = name.partition("/")
    places = [ROOT / name, PACKAGE / name, ROOT / "crates" / inside[0] / "src" / inside[2]]
    found = [path for path in tracked("src", "crates", "bench", "tests") if path.endswith("/" + name)]
    assert found or any(path.exists() for path in places) or name in _OF_USERS


@pytest.mark.parametrize("folder", ["experiment", "cluster", "history", "server", "forge"])
def test_every_module_of_a_workflow_is_named(folder):
    modules = {path.split("/")[3] for path in tracked(f"src/statera/{folder}")} - _FACES
    named = {name.strip("/").split("/")[-1] for name in in_backticks(ARCHITECTURE)}
    assert {name for name in modules if "." not in name or name.endswith(".py")} <= named


def test_every_crate_is_named():
    crates = {"/".join(path.split("/")[:2]) for path in tracked("crates")}
    assert crates <= set(in_backticks(ARCHITECTURE))
    assert crates <= set(in_backticks(CONTRIBUTING))


def changes():
    table = CONTRIBUTING[CONTRIBUTING.index("| change | example | files |") :].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()[2:]]


@pytest.mark.parametrize(("change", "example", "files"), changes(), ids=lambda cell: cell[:30])
def test_a_change_touches_the_files_that_are_listed(change, example, files):
    words = in_backticks(example)
    # Generated, like the tables of keys in docs.
    sources = [path for path in tracked("src", "crates") if not re.search("/(tests|examples|schema)/", path)]
    found = {path for path in sources if any(word in _text(path) for word in words)}
    assert change
    assert found == set(in_backticks(files))


def _text(path):
    return (ROOT / path).read_bytes().decode("utf-8", "replace")


def test_ten_changes_are_listed():
    assert len(changes()) == 10
