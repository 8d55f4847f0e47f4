"""Profiles of every kind are one representation, and their differences are described and never judged."""

import json
import random
import re

import format_cases
import pytest

from statera import _native
from statera.comparison.profiles import difference, notes, words
from statera.reading import profiles
from statera.support.errors import Stop
from statera.support.settings.limits import Limits
from support import fails

CALLGRIND = format_cases.CASES / "callgrind" / "real"


def of(path, format=None):
    native = _native.read_profile(path, format, Limits())
    return {name: cost for name, cost in zip(native.names, native.costs, strict=True) if cost != (0, 0)}


def folded(path, *lines):
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def test_a_function_counts_once_in_a_stack_with_it_twice(tmp_path):
    path = folded(tmp_path / "a", "main;f;g;f 10", "main;f 5", "main 1")
    assert of(path) == {"main": (1, 16), "f": (15, 15), "g": (0, 10)}


def test_callgrind_compresses_names_and_spreads_calls_over_callers(tmp_path):
    text = """version: 1
creator: callgrind-3.19.0
cmd: ./x
part: 1
positions: line
events: Ir Dr
fl=(1) x.c
fn=(1) main
1 10 3
cfi=(1)
cfn=(2) g
calls=1 5
+1 60 1
cfn=(3) f
calls=1 5
* 30 1

fn=(2)
5 20
cfn=(3)
calls=2 9
+2 40

fn=(3)
jump=3 9
9 70 2
fn=(4) (below main)
0 1
cfn=(1)
calls=1 1
0 100
totals: 101 6
"""
    (tmp_path / "callgrind.out").write_text(text)
    native = _native.read_profile(tmp_path / "callgrind.out", None, Limits())
    assert of(tmp_path / "callgrind.out") == {
        "(below main)": (1, 101), "main": (10, 100), "g": (20, 60), "f": (70, 70),
    }  # fmt: skip
    assert sorted(native.folded().splitlines()) == [
        "(below main) 1", "(below main);main 10", "(below main);main;f 30", "(below main);main;g 20",
        "(below main);main;g;f 40",
    ]  # fmt: skip
    assert native.odd == (0, 0)


def test_real_profiles_of_callgrind_add_up_to_their_totals():
    for name in ("callgrind.out.plain", "callgrind.out.caches", "cachegrind.out"):
        path = CALLGRIND / name
        total = re.findall(r"^(?:totals|summary): (\d+)", path.read_text(), re.MULTILINE)[-1]
        native = _native.read_profile(path, None, Limits())
        assert native.whole == sum(own for own, _ in native.costs) == int(total)
        assert max(total for _, total in native.costs) <= native.whole
        assert native.exact


def test_names_of_perf_script_may_hold_blanks_and_parentheses():
    native = _native.read_profile(format_cases.CASES / "perf-script" / "traps" / "names.txt", None, Limits())
    assert native.folded() == "[unknown in libz.so.1];main;std::map<int, int>::operator[](int&&) 1\n"
    assert native.other_events == ["sched:sched_switch"]
    assert (native.event, native.unnamed) == ("cycles:u", 0)


def test_what_is_no_part_of_a_profile_is_counted():
    native = _native.read_profile(format_cases.CASES / "perf-script" / "hostile" / "damaged.txt", None, Limits())
    assert native.odd == (2, 3)
    assert native.whole == 2


def test_names_keep_stacks_and_lines_apart(tmp_path):
    script = "x 1 1.0: 1 c: \n\t1 a;b\x1b[31m<c>+0x1 (/x)\n\t2 main (/x)\n\n"
    (tmp_path / "script").write_text(script)
    assert _native.read_profile(tmp_path / "script", None, Limits()).folded() == "main;a:b [31m<c> 1\n"


def test_only_what_is_larger_than_the_noise_of_counting_is_told(tmp_path):
    base = profiles.read(folded(tmp_path / "a", "main;f 400", "main;g 300"), "old")
    variant = profiles.read(folded(tmp_path / "b", "main;f 600", "main;g 312"), "new")
    found = difference(base, variant)
    assert [(each.name, each.gain, each.is_noise) for each in found.moved] == [("f", 200, False), ("g", 12, True)]
    assert words(found) == (
        "where the time went: f +28.6% of all samples of old (together +30.3%); one profile a build, not judged"
    )
    assert "larger than counting noise" in words(difference(base, base))


def test_functions_of_few_samples_do_not_weaken_the_others(tmp_path):
    rare = [f"main;rare{number} 1" for number in range(300)]
    base = profiles.read(folded(tmp_path / "a", "main;f 250", "main;g 123"), "old")
    variant = profiles.read(folded(tmp_path / "b", "main;f 325", "main;g 128", *rare), "new")
    found = difference(base, variant)
    assert [each.name for each in found.functions if not each.is_noise] == ["f"]


def test_different_units_are_refused(tmp_path):
    base = profiles.read(folded(tmp_path / "a", "main;f 400"), "old")
    with pytest.raises(Stop, match="samples and new has instructions"):
        difference(base, profiles.read(CALLGRIND / "callgrind.out.plain", "new"))


@pytest.fixture
def two(tmp_path):
    folded(tmp_path / "old.folded", "main;parse<script>\x07;row 400", "main;sum 300")
    folded(tmp_path / "new.folded", "main;parse<script>\x07;row 640", "main;sum 310")
    return "old.folded", "new.folded"


def test_nothing_but_profiles_is_never_green(run, two):
    ended = run("compare", *two)
    assert ended.code == 0
    assert "Nothing was judged" in ended.out
    assert re.search(r"^row +\+34.3% +400 → 640 +400 → 640 +p <0.001$", ended.out, re.MULTILINE)
    fails(run("compare", *two, "--fail-on", "worse"), "[nothing-judged]")
    found = json.loads(run("compare", *two, "-f", "json").out)
    assert (found["judged"], found["profiles"][0]["functions"][0]["self"]) == (False, [400, 640])
    assert "| `row` | +34.3% |" in run("compare", *two, "-f", "markdown").out
    assert run("compare", two[0]).code == 2


def test_the_page_has_a_graph_without_foreign_markup(run, two, tmp_path):
    assert run("report", *two, "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert page.count('class="frame') == 4
    assert 'class="frame up-5"' in page
    assert "parse&lt;script&gt;" in page
    assert "parse<script>" not in page
    assert "\x07" not in page


def test_totals_of_callgrind_are_judged_and_described(run):
    path = str(CALLGRIND / "callgrind.out.plain")
    ended = run("compare", f"old={path}", f"new={CALLGRIND / 'callgrind.out.caches'}")
    assert "where the instructions" in ended.out


def test_damaged_profiles_are_read_or_refused(tmp_path):
    """Never a panic, and what is read adds up."""
    cases = [format_cases.CASES / name for name in ("folded", "perf-script", "callgrind")]
    chance, path = random.Random(7), tmp_path / "damaged"
    for case in (
        each for folder in cases for each in folder.rglob("*") if each.is_file() and each.stat().st_size < 40000
    ):
        kind, whole = case.relative_to(format_cases.CASES).parts[0], case.read_bytes()
        for _ in range(20):
            at, length = chance.randrange(len(whole)), chance.randrange(1, 40)
            put = chance.choice([b"", b"9" * 25, b"\n", b";", b"(3)", b"\xff", b"calls=1 1\n", whole[:length]])
            path.write_bytes(whole[:at] + put + whole[at + length :])
            try:
                native = _native.read_profile(path, kind, Limits())
            except OSError:
                continue
            assert native.whole == sum(own for own, _ in native.costs), case
            assert all(parent is None or parent < at for at, (parent, _, _) in enumerate(native.frames)), case


def test_impossible_costs_are_refused(tmp_path):
    with pytest.raises(Stop, match="impossibly large"):
        profiles.read(folded(tmp_path / "a", "main;f 99999999999999999999", "main;g 3"), "old")
    with pytest.raises(Stop, match="have fractions"):
        profiles.read(folded(tmp_path / "a", "main;f 1.5"), "old")
    with pytest.raises(Stop, match="is empty"):
        profiles.read(folded(tmp_path / "a", "main;f 0"), "old")


def test_programs_without_symbols_are_one_program(tmp_path):
    base = profiles.read(folded(tmp_path / "a", "[unknown in old] 970", "main;f 30"), "old")
    variant = profiles.read(folded(tmp_path / "b", "[unknown in new] 1200", "main;f 30"), "new")
    found = difference(base, variant)
    assert "[unknown in new or old] +23.0% of all samples" in words(found)
    assert next((each.name, each.own) for each in found.frames() if each.parent < 0) == (
        "[unknown in new or old]",
        (970, 1200),
    )
    (note,) = notes([found._replace(benchmark="b")])
    assert not note.text.endswith("of the same work")
    assert found.remarks[-1].startswith("numbers of samples are compared as they are")
    assert "97% of the samples are in functions without a name" in note.text


def test_a_file_that_is_no_profile_is_named(run, two, tmp_path):
    (tmp_path / "index.json").write_text("{}")
    for verb in (["compare"], ["report", "-o", "page.html"]):
        ended = run(*verb, *two, "index.json")
        assert (ended.code, ended.err.startswith("statera: index.json: is no profile, but old.folded")) == (2, True)


def test_a_large_file_is_recognized_where_its_beginning_ends_within_a_line():
    for line in (b"main;run(int, char const*);f%d 3\n", b"main;f(int, \xc3\xa9)%d 12\n"):
        text = b"".join(line % number for number in range(30000))
        for cut in range(2000, 2060):
            assert _native.fitting_formats(text[:cut]) == ["folded"], text[:cut][-20:]


def test_a_graph_says_what_it_does_not_draw(run, tmp_path):
    deep = ";".join(f"f{number}" for number in range(60))
    folded(tmp_path / "a", f"{deep} 50", "main;old 40", "main 10", "rare 10")
    folded(tmp_path / "b", f"{deep} 75", "main 25")
    assert run("report", "a", "b", "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "Frames that only a has are not drawn: 45.5% of its samples." in page
    assert "Calls below row 49 are not drawn: 75.0% of the samples." in page
