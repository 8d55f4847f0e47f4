"""What ARCHITECTURE.md, CONTRIBUTING.md and SECURITY.md say of the tree is so, and no modules import in a circle."""

import ast
import re
import subprocess
import tomllib

from support import ROOT

ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
SECURITY = (ROOT / "SECURITY.md").read_text()
PACKAGE = ROOT / "src/statera"
# Files that are not a layer: the package's face, its start, and the compiled part.
_DESCRIBED = (
    *("cluster", "comparison", "experiment", "history", "reading", "server", "stats", "support"),
    *("output/forge", "output/plots", "output/report", "output/views"),
)
_FACES = {"__init__.py", "__main__.py", "_native.pyi", "py.typed"}
_OF_USERS = {"statera.toml"}
_TESTS_OF_RUST = re.compile(r"^#\[cfg\(test\)\]\nmod \w+ \{.*?^\}", re.DOTALL | re.MULTILINE)
_NO_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|\br(#*)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'|\(in [\w:]+\)""", re.DOTALL
)


def tracked(*folders):
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.splitlines() if (ROOT / path).is_file()]


def in_backticks(text):
    return re.findall(r"`([^`]+)`", text)


def test_every_room_is_described():
    names = {path.removeprefix("src/statera/").split("/")[0] for path in tracked("src/statera")} - _FACES
    rooms = {name for name in names if not name.endswith(".pyi")}
    table = re.findall(r"^\| (`.+?`) \|", ARCHITECTURE[ARCHITECTURE.index("| room | contents |") :], re.MULTILINE)
    assert rooms == {name.rstrip("/") for cell in table[: len(rooms)] for name in in_backticks(cell)}
    assert len(rooms) <= 12


def test_the_order_of_the_rooms_is_the_contract():
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]
    rooms = [room.strip("()") for room in contract["layers"] if room != "(_native)"]
    order = re.search(r"^    (__main__ → .+\n.+)$", ARCHITECTURE, re.MULTILINE)
    assert re.split(r"\s+→ ", order[1]) == rooms


def test_every_file_that_is_named_exists():
    rooms = [
        (ROOT / path).read_text() for path in tracked("src", "crates") if path.endswith(("__init__.py", "/lib.rs"))
    ]
    named = {name for text in (ARCHITECTURE, CONTRIBUTING, SECURITY, *rooms) for name in in_backticks(text)}
    files = [name for name in sorted(named) if re.fullmatch(r"[\w/]+\.(?:py|rs|toml|md|json)", name)]
    ends = ["/" + path for path in tracked("src", "crates", "bench", "tests")]
    assert len(files) > 100
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


def test_a_room_names_its_modules():
    for room in _DESCRIBED:
        described = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text()))
        named = {name.strip("/").split("/")[-1] for name in re.findall("``([^`]+)``", described)}
        modules = {path.split(f"{room}/", 1)[1].split("/")[0] for path in tracked(f"src/statera/{room}")} - _FACES
        assert {name for name in modules if "." not in name or name.endswith(".py")} <= named, room


def test_no_modules_import_each_other_in_a_circle():
    modules = {
        ".".join(path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").split("/")): path
        for path in tracked("src/statera")
        if path.endswith(".py")
    }
    graph = {name: imported(name, path, modules) - {name, "statera"} for name, path in modules.items()}
    assert sum(map(len, graph.values())) > 1000
    assert not [*circles(graph)]


def imported(name, path, modules):
    """The modules that a module imports, wherever in it, also for types."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, (name, "imports by a relative name")
            inside = {f"{node.module}.{each.name}" for each in node.names}
            found |= inside & modules.keys() or {node.module} & modules.keys()
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names} & modules.keys()
    return found


def circles(graph):
    """Give what imports itself, by others; what imports nothing that is left is taken away first."""
    left = dict(graph)
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    for name, targets in left.items():
        seen, open_ones = set(), [target for target in targets if target in left]
        while open_ones:
            other = open_ones.pop()
            if other not in seen:
                seen.add(other)
                open_ones += [target for target in left[other] if target in left]
        if name in seen:
            yield name


def test_no_modules_of_a_crate_use_each_other_in_a_circle():
    """A path to what another file re-exports leads to that file: modules take an item from the file that defines it."""
    uses, found = 0, []
    for crate in {path.split("/")[1] for path in tracked("crates")}:
        modules = modules_of(crate)
        graph = {name: used(name, path, modules) - {name} for name, path in modules.items()}
        uses += sum(map(len, graph.values()))
        found += [f"{crate}: {name}" for name in circles(graph)]
    assert uses > 1000
    assert not found


def test_plain_tables_are_read_in_the_steps_that_their_page_tells():
    modules, room = modules_of("readers"), "formats::tables"
    page = (ROOT / modules[room]).read_text()
    steps = [in_backticks(row) for row in re.findall(r"^//! \| [\w ]+: ?.*\| (`.*`) \|$", page, re.MULTILINE)]
    order = [f"{room}::{name}" for step in steps for name in step]
    assert sorted(order) == sorted(name for name in modules if name.startswith(f"{room}::"))
    for at, name in enumerate(order):
        later = used(name, modules[name], modules) & set(order[at + 1 :])
        assert not later, f"{name} uses {later}"


def modules_of(crate):
    """The modules of a crate by their paths, the root by an empty one, with their files."""
    found = {}
    for path in tracked(f"crates/{crate}/src"):
        if path.endswith(".rs"):
            parts = path.removesuffix(".rs").split("/")[3:]
            found["::".join(parts[:-1] if parts[-1] in {"lib", "main", "mod"} else parts)] = path
    return found


def used(name, path, modules):
    """The modules of its crate that a module names outside of its tests, in declarations and in the code."""
    text = _NO_CODE.sub(" ", _TESTS_OF_RUST.sub("", (ROOT / path).read_text()))
    here = name.split("::") if name else []
    named = [leaf for tree in re.findall(r"\buse ([^;]+);", text) for leaf in leaves(tree)]
    named += re.findall(r"(?<![\w:])\w+(?:::\w+)+", text)
    found = set()
    for words in (each.split(" as ")[0].strip().split("::") for each in named):
        start, rest = here, words
        if words[0] in {"crate", "self", "super"}:
            up = len([word for word in words if word == "super"])
            start = [] if words[0] == "crate" else here[: len(here) - up]
            rest = words[max(up, 1) :]
        elif "::".join([*here, words[0]]) not in modules:
            continue
        full = [*start, *rest]
        found.add(next("::".join(full[:end]) for end in range(len(full), -1, -1) if "::".join(full[:end]) in modules))
    return found


def leaves(tree):
    """The paths of a `use` declaration, which may nest them in braces."""
    before, brace, inside = tree.partition("{")
    if not brace:
        yield tree
        return
    depth, start, inside = 0, 0, inside[: inside.rindex("}")] + ","
    for at, sign in enumerate(inside):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            yield from (before.strip() + leaf for leaf in leaves(inside[start:at].strip()) if leaf)
            start = at + 1


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
