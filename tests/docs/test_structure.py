"""ARCHITECTURE.md, CONTRIBUTING.md and SECURITY.md fit the tree: layers, their order, files, the files of a change."""

import re
import subprocess
import tomllib

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
    names = {path.removeprefix("src/statera/").split("/")[0] for path in tracked("src/statera")} - _FACES
    layers = {name for name in names if not name.endswith(".pyi")}
    table = re.findall(r"^\| (`.+?`) \|", ARCHITECTURE[ARCHITECTURE.index("| layer | contents |") :], re.MULTILINE)
    described = {name.rstrip("/") for cell in table[: len(layers)] for name in in_backticks(cell)}
    assert layers <= described


def test_the_order_of_the_layers_is_the_contract():
    [contract] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [layer.strip("()") for layer in contract["layers"] if layer != "(_native)"]
    order = re.search(r"^    (__main__ → .+\n.+)$", ARCHITECTURE, re.MULTILINE)
    assert re.split(r"\s+→ ", order[1]) == layers


def test_every_file_that_is_named_exists():
    named = {*in_backticks(ARCHITECTURE), *in_backticks(CONTRIBUTING), *in_backticks(SECURITY)}
    files = [name for name in sorted(named) if re.fullmatch(r"[\w/]+\.(?:py|rs|toml|md|json)", name)]
    ends = ["/" + path for path in tracked("src", "crates", "bench", "tests")]
    assert len(files) > 200
    assert not [
        name
        for name in files
        if not {"NAME", "KIND"} & set(re.split("[/.]", name))
        and name not in _OF_USERS
        and not any(path.exists() for path in places(name))
        and not any(path.endswith("/" + name) for path in ends)
    ]


def places(name):
    """Where a file can be that is named by its path in the repository, in the package or in a crate."""
    crate, _, inside = name.partition("/")
    return [ROOT / name, PACKAGE / name, ROOT / "crates" / crate / "src" / inside]


def test_every_module_of_a_workflow_is_named():
    named = {name.strip("/").split("/")[-1] for name in in_backticks(ARCHITECTURE)}
    for folder in ("experiment", "cluster", "history", "server", "forge"):
        modules = {path.split("/")[3] for path in tracked(f"src/statera/{folder}")} - _FACES
        assert {name for name in modules if "." not in name or name.endswith(".py")} <= named, folder


def test_every_crate_is_named():
    crates = {"/".join(path.split("/")[:2]) for path in tracked("crates")}
    assert crates <= set(in_backticks(ARCHITECTURE))
    assert crates <= set(in_backticks(CONTRIBUTING))


def changes():
    table = CONTRIBUTING[CONTRIBUTING.index("| change | code of the example | files |") :].split("\n\n")[0]
    for line in table.splitlines()[2:]:
        change, codes, files = line.strip("| ").split(" | ")
        yield change, in_backticks(codes), set(in_backticks(files))


def test_a_change_touches_the_files_that_are_listed():
    """The code of an example, not its name: prose and other code may mention a format or a picture anywhere."""
    # What is generated is left out, like the tables of keys in docs.
    sources = [path for path in tracked("src", "crates") if not re.search("/(tests|examples|schema)/", path)]
    texts = {path: path + "\n" + (ROOT / path).read_bytes().decode("utf-8", "replace") for path in sources}
    every = list(changes())
    assert len(every) == 10
    for change, codes, listed in every:
        holders = {code: {path for path, text in texts.items() if code in text} for code in codes}
        assert all(holders.values()), (change, holders)
        found = set().union(*holders.values())
        assert not found - listed, (change, "not listed, and holds the code of the example", found - listed, holders)
        assert not listed - found, (change, "listed without the code of the example", listed - found)
