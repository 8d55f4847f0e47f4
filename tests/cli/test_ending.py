"""How a command ends that did not come to its end: what is said, and never the exit code of a gate that holds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import statera

SOURCE = Path(statera.__file__).parents[1]
RAISED = """
import sys
from statera import cli

def parser(*_):
    {statement}

cli._run = parser
sys.exit(cli.main([]))
"""
# Signals on the way of this import, as a user sends them who is quick.
INTERRUPTED_AT_IMPORT = """
import signal, sys

class Interrupts:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupts())
from statera.cli import main
sys.exit(main(["compare", "absent"]))
"""
WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
from statera.cli import main
sys.exit(main(["compare", "absent"]))
"""
BEFORE_MAIN = """
import sys
before = set(sys.modules)
import statera.cli
print(*sorted(set(sys.modules) - before))
"""


def ended(code, *words, traceback="", options=()):
    command = [sys.executable, *options, "-c", code, *map(str, words)]
    env = {**os.environ, "STATERA_TRACEBACK": traceback, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, env=env)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("statement", "code", "said"),
    [
        ("1 / 0", 70, "statera: ZeroDivisionError: division by zero [internal-error]\n"),
        ("raise AssertionError", 70, "statera: AssertionError [internal-error]\n"),
        ("raise KeyError('\\x1b[31m\\udcff')", 70, "statera: KeyError: '\\x1b[31m\\udcff' [internal-error]\n"),
        ("parser()", 70, "statera: RecursionError: maximum recursion depth exceeded"),
        (
            "raise BaseExceptionGroup('two', [ValueError()])",
            70,
            "statera: ExceptionGroup: two (1 sub-exception) [internal-error]",
        ),
        ("raise MemoryError", 2, "statera: out of memory"),
        ("import statera.absent", 2, "statera: the installation is damaged: No module named 'statera.absent'"),
        ("open('/no/such')", 2, "statera: /no/such: No such file or directory [system-error]\n"),
        ("raise OSError", 2, "statera: OSError [system-error]\n"),
        ("raise KeyboardInterrupt", 130, "statera: interrupted\n"),
        ("raise SystemExit(143)", 143, ""),
        ("raise SystemExit(1)", 70, "statera: SystemExit: 1 [internal-error]\n"),
        ("raise SystemExit('words')", 70, "statera: SystemExit: words [internal-error]\n"),
        ("raise GeneratorExit", 70, "statera: GeneratorExit [internal-error]\n"),
    ],
)
def test_whatever_is_raised_has_an_exit_code_of_its_own(statement, code, said):
    found, text = ended(RAISED.format(statement=statement))
    assert found == code
    assert text.startswith(said)
    assert "Traceback" not in text
    assert (f"defect of statera {statera.__version__}" in text) == (code == 70)


@pytest.mark.parametrize("statement", ["1 / 0", "raise MemoryError", "import statera.absent", "open('/no/such')"])
def test_the_traceback_is_there_for_who_asks(statement):
    code, text = ended(RAISED.format(statement=statement), traceback="1")
    assert code in {2, 70}
    assert text.startswith("Traceback (most recent call last):")


def test_the_text_of_a_defect_says_how_to_get_the_traceback():
    assert "STATERA_TRACEBACK=1" in ended(RAISED.format(statement="1 / 0"))[1]


# The compiled part trusts the numbers that it is given.
PANIC = """
import sys
from statera import _native
from statera.cli import main

weigh = _native.weigh
_native.weigh = lambda read, assigned, *rest: weigh(read, assigned._replace(variant_of_context=[9, 9]), *rest)
sys.exit(main(["compare", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("traceback", ["", "1"])
def test_a_panic_of_the_compiled_part_is_a_defect_and_prints_nothing_by_itself(pair, traceback):
    code, text = ended(PANIC, *pair, traceback=traceback)
    assert code == 70
    assert "statera: PanicException: " in text
    assert ("panicked" in text) == bool(traceback)


@pytest.mark.parametrize(
    "module", ["statera._native", "statera.comparison.pipeline", "statera.support.errors", "statera.cli.words"]
)
def test_an_installation_without_a_part_is_2_and_named(module):
    code, text = ended(WITHOUT, module)
    assert code == 2
    assert f"import of {module} halted" in text
    assert "[damaged-installation]" in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "module",
    [
        "statera.support.typed",
        "statera.cli.words",
        "statera.support.interruption",
        "statera.cli.compare",
        "statera.comparison.pipeline",
        "statera._native",
    ],
)
def test_an_interruption_during_an_import_is_130(module):
    assert ended(INTERRUPTED_AT_IMPORT, module, options=("-S",)) == (130, "statera: interrupted\n")


def test_nothing_that_takes_time_comes_before_somebody_takes_interruptions():
    code, text = ended(BEFORE_MAIN, options=("-S",))
    loaded = set(text.split())
    assert code == 0
    assert {name for name in loaded if name.startswith("statera")} == {
        "statera",
        "statera.cli",
        "statera.cli.ending",
        "statera.cli.streams",
    }
    assert not loaded & {"argparse", "contextlib", "enum", "re", "signal", "typing"}


def test_an_interruption_on_the_way_out_is_quiet():
    on_the_way_out = (
        "import atexit, signal, sys\n"
        "from statera.cli import main\n"
        "atexit.register(signal.raise_signal, signal.SIGINT)\n"
        "sys.argv = ['statera', '--version']\n"
        "sys.exit(main())"
    )
    code, text = ended(on_the_way_out)
    assert code in {-2, 130}
    assert text == f"statera {statera.__version__}\n"
