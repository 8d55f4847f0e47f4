import ast
from pathlib import Path
from textwrap import dedent

from mutation import covering, executing, operators, run, statements


def changed(text):
    """What the mutants of a source replace, and what with."""
    return {(mutant.old, mutant.new) for mutant in operators.mutants("views/x.py", dedent(text).encode())}


def test_every_kind_of_fault_is_made_in_one_place():
    text = '''
        def f(a, b=2):
            """Doc."""
            if a < b and not a:
                raise ValueError(f"{a + 1}: text")
            for each in a:
                if each == "x":
                    break
            a.total = each["key"] * 4
            a.call()
            return True
    '''
    assert changed(text) == {
        ("2", "(1)"),
        ("a < b and not a", "(not (a < b and (not a)))"),
        ("a < b and not a", "(a < b or not a)"),
        ("a < b", "(a <= b)"),
        ("not a", "(bool(a))"),
        ('raise ValueError(f"{a + 1}: text")', "pass"),
        ('each == "x"', "(each != 'x')"),
        ('"x"', "'x~'"),
        ("break", "continue"),
        ('a.total = each["key"] * 4', "pass"),
        ('each["key"] * 4', "(each['key'] / 4)"),
        ("4", "(5)"),
        ('"key"', "'key~'"),
        ("a.call()", "pass"),
        ("return True", "return None"),
        ("True", "False"),
    }


def test_what_changes_nothing_is_not_changed():
    texts = [
        '__all__ = ["a"]',
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    x = 1",
        "def f(a: Literal['x'] = '') -> 'y':\n    b = a\n    return []",
        "def f():\n    return",
        "@dataclass(frozen=True)\nclass A:\n    a: dict['x', 1]",
        "class A(TypedDict):\n    a: int = 1",
        "x = y + 'text'\nz = f'{1 + 2}'\nzip(a, b, strict=True)",
    ]
    assert [found for text in texts if (found := changed(text))] == []


def test_a_mutant_names_its_function_or_what_its_statement_defines():
    found = operators.mutants("views/x.py", b"A = 1\nclass B:\n    c: int = 2\n    def d(self):\n        return 3\n")
    assert [(mutant.line, mutant.scope, mutant.names) for mutant in found] == [
        (1, "", ("A",)),
        (3, "", ("B", "c")),
        (5, "B.d", ("B", "d")),
        (5, "B.d", ("B", "d")),
    ]


def test_the_choice_is_the_same_for_a_seed_and_moves_little_with_the_source():
    text = "\n".join(f"A{number} = {number}" for number in range(30)).encode()
    other = b"NEW = 1\n" + text

    def chosen(seed, *sources):
        contents = dict(zip(("views/x.py", "files/y.py"), sources, strict=False))
        found = [mutant for path, content in contents.items() for mutant in operators.mutants(path, content)]
        return operators.chosen(found, 9, seed, contents)

    assert chosen(1, text) == chosen(1, text) != chosen(2, text)
    assert len({mutant.names for mutant in chosen(1, text)} ^ {mutant.names for mutant in chosen(1, other)}) <= 2
    by_folder = [mutant.path for mutant in chosen(1, text, text[: len(text) // 2])]
    assert (by_folder.count("views/x.py"), by_folder.count("files/y.py")) == (6, 3)
    assert chosen(1, b"A = 0 if False else 2 - 1\n")[0].applied(b"A = 0 if False else 2 - 1\n") != b"A = 1\n"


def test_what_compiles_to_the_same_is_no_fault():
    source = b"def f():\n    return 1\n    print(2)\n"
    dead, alive = (next(each for each in operators.mutants("x.py", source) if each.old == old) for old in ("2", "1"))
    assert (operators.differs(dead, source), operators.differs(alive, source)) == (False, True)


def test_marks_tell_which_statements_were_executed():
    source = dedent('''
        """Doc."""
        from __future__ import annotations
        def f(a):
            """Doc."""
            if a:
                return 1
            elif a is None:
                return 2
            return 3
    ''')
    found = statements.statements("x.py", ast.parse(source))
    assert [(each.key, each.first) for each in found] == [(f"x.py f {n}", n + 5) for n in (1, 2, 3, 4, 5)]
    text = statements.marked("x.py", source, {each.key: place for place, each in enumerate(found)})
    table, names = bytearray(5), {}
    exec(text.replace(f"from {statements.TABLE} import TABLE as _executed", ""), {"_executed": table}, names)  # noqa: S102
    assert (names["f"](None), table) == (2, b"\1\0\1\1\0")


def test_a_constant_is_executed_by_what_uses_it_or_what_is_made_of_it():
    sources = {"views/x.py": "A = 1\n_B = A + 1\ndef f():\n    return _B\n", "files/y.py": "def g():\n    return _B\n"}
    package = {
        path: covering.Source(path, b"", statements.statements(path, tree), [covering.defined(e) for e in tree.body])
        for path, tree in ((path, ast.parse(text)) for path, text in sources.items())
    }
    mutant = operators.mutants("views/x.py", b"A = 1\n")[0]
    assert [each.key for each in covering.executed_with(mutant, package)] == ["views/x.py f 1"]


def test_tests_run_in_the_order_that_kills_soonest():
    test = covering.Test
    near = [test(f"tests/views/test_a.py::{n}", 0.1, n) for n in range(50)]
    far = [test(f"tests/cli/test_{n % 3}.py::{n}", 3, 1) for n in range(6)]
    first, second = executing.batches([*far, *near[::-1]], "views", 20)
    assert [each.name for each in first] == [each.name for each in near[:39]]
    assert {each.name.partition("::")[0] for each in second} >= {f"tests/cli/test_{n}.py" for n in range(3)}
    assert sum(each.seconds for each in [*first, *second]) <= 20
    assert executing.batches([], "views", 20) == []


def test_survivors_are_named_and_folders_counted():
    mutant = operators.mutants("views/x.py", b"A = 1\n")[0]
    killed = executing.Outcome(killed=True, how="", by=("t",), ran=1)
    tests = [covering.Test("t", 1, 1)]
    assert list(run.report([(mutant, tests, killed), (mutant, [], executing.Outcome.none())])) == [
        "views/x.py:1: constant; no test executes it",
        "    1  →  (2)",
        "views           1 of    2 killed   50.0%",
        "together        1 of    2 killed   50.0%",
    ]


def test_the_package_is_left_as_it_is(tmp_path):
    covering.copied(tmp_path)
    copy, own = tmp_path / "statera/output/views/names.py", covering.PACKAGE / "output/views/names.py"
    assert copy.read_bytes() == own.read_bytes()
    assert not Path(copy).samefile(own)
